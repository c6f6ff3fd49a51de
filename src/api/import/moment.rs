//! Times as other programs write them: texts, dates alone, and numbers of seconds or of a smaller unit.

use serde_json::Value;

use hindlore_primitives::timestamp::Timestamp;

/// The time that a value names: a text, a date alone, or a number since 1970, which may be in a text too.
pub(crate) fn moment(value: &Value) -> Option<Timestamp> {
    match value.as_str() {
        Some(text) => moment_in(text),
        None => since_1970(value.as_f64()?),
    }
}

/// The time that a text names.
pub(super) fn moment_in(text: &str) -> Option<Timestamp> {
    // Fewer digits are a date without separators.
    const DIGITS: usize = 9;
    let text = text.trim();
    Timestamp::parse(text)
        .or_else(|| Timestamp::parse(&format!("{text}T00:00:00Z")))
        .or_else(|| since_1970(text.parse().ok().filter(|_| text.len() >= DIGITS)?))
}

/// The time of a number of seconds, milliseconds or a smaller unit: the largest unit that gives a year before 5138.
fn since_1970(number: f64) -> Option<Timestamp> {
    const SECONDS_MAX: f64 = 1e11;
    let mut seconds = Some(number).filter(|number| number.is_finite())?;
    while seconds.abs() >= SECONDS_MAX {
        seconds /= 1_000.0;
    }
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the milliseconds of five thousand years fit"
    )]
    let millis = (seconds * 1_000.0).round() as i64;
    Some(Timestamp::from_millis(millis))
}
