//! The moment of the past that a reading verb may ask for: one text on every surface.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::patterns::MOMENT;
use crate::problem::Problem;
use crate::verb::Context;
use hindlore::{Engine, Moment};
use hindlore_primitives::timestamp::Timestamp;

/// A moment of a memory: a revision (`12`), a clock (`clock:40`), or a time (`2026-03-01T10:00:00Z`).
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct AsOf(#[schemars(length(max = 64), regex(pattern = MOMENT))] String);

impl From<String> for AsOf {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl AsOf {
    /// Reads the moment.
    ///
    /// # Errors
    /// `invalid_request` for any other text.
    fn moment(&self) -> Result<Moment, Problem> {
        let text = self.0.trim();
        if let Ok(revision) = text.parse() {
            return Ok(Moment::Revision(revision));
        }
        let numbered = text.split_once(':').and_then(|(word, number)| {
            let number = number.parse().ok()?;
            match word {
                "revision" => Some(Moment::Revision(number)),
                "clock" => Some(Moment::Clock(number)),
                _ => None,
            }
        });
        let time = || Timestamp::parse(text).map(Moment::Time);
        numbered.or_else(time).ok_or_else(|| {
            let message = format!("`{}` is no moment of a memory", text.escape_debug());
            Problem::new("invalid_request", message).with_hint(
                "give a revision such as `12`, a clock such as `clock:40`, or a time such as `2026-03-01T10:00:00Z`",
            )
        })
    }
}

impl Context {
    /// The engine that reads the memory at a moment; the present one without it.
    ///
    /// # Errors
    /// `invalid_request` for a text that is no moment, and those of [`Engine::at`].
    pub(crate) async fn engine_at(&self, as_of: Option<&AsOf>) -> Result<Engine, Problem> {
        let Some(as_of) = as_of else {
            return Ok(self.engine.clone());
        };
        Ok(self.engine.at(&self.key, as_of.moment()?).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_a_revision_a_clock_or_a_time() {
        let moment = |text: &str| AsOf(text.to_owned()).moment();
        assert_eq!(moment("12").unwrap(), Moment::Revision(12));
        assert_eq!(moment(" revision:3 ").unwrap(), Moment::Revision(3));
        assert_eq!(moment("clock:40").unwrap(), Moment::Clock(40));
        let time = Timestamp::from_millis(1_772_359_200_000);
        assert_eq!(moment("2026-03-01T10:00:00Z").unwrap(), Moment::Time(time));
        for wrong in ["", "soon", "clock:", "tick:4", "-1"] {
            assert_eq!(
                moment(wrong).unwrap_err().code,
                "invalid_request",
                "{wrong}"
            );
        }
    }
}
