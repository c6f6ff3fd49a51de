//! Redaction of secrets, from the settings: on with the default rules, with additional rules, or deliberately
//! off.

use hindlore_api::problem::Problem;
use hindlore_config::Settings;
use hindlore_redact::Redactor;

/// Reads the settings.
pub(crate) fn read(settings: &Settings) -> Result<Redactor, Problem> {
    // Report an invalid rule even while redaction is off: it would be missed later.
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
