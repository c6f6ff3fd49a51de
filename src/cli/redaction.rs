//! What takes secrets out, as the settings say: on with the shipped rules, with rules besides, or off on purpose.

use crate::api::problem::Problem;
use crate::config::Settings;
use crate::domain::redact::Redactor;

/// Reads the settings.
pub(crate) fn read(settings: &Settings) -> Result<Redactor, Problem> {
    // A rule that cannot be used is told even while nothing is redacted: it would be missed later.
    let on = Redactor::with_rules(&settings.redaction_rules()).map_err(|bad| {
        Problem::new("invalid_config", bad.to_string())
            .with_hint("correct it in the settings file, under [redaction.rules]")
    })?;
    match settings.redaction() {
        "on" => Ok(on),
        "off" => Ok(Redactor::off()),
        other => {
            let message = format!("redaction is `{}`", other.escape_debug());
            Err(Problem::new("invalid_config", message)
                .with_hint("`on` takes secrets out before anything is written, `off` writes them"))
        }
    }
}
