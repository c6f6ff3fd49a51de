//! The log: off by default, always on stderr.

use std::ffi::OsString;
use std::io;
use std::io::IsTerminal;

use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt, registry};

use hindlore_api::problem::Problem;

/// Variable with a filter such as `info` or `hindlore=debug`.
const VARIABLE: &str = "HINDLORE_LOG";
/// Variable with the form of the log: `text`, or `json` for a line of JSON each.
const FORMAT: &str = "HINDLORE_LOG_FORMAT";

/// Starts the log and, where a collector is named, the spans; `-v` shows events, `-vv` more; the variable gives full control.
pub(super) fn start(verbose: u8, environment: &[(OsString, OsString)]) -> Result<(), Problem> {
    let lines = lines(verbose, environment)?;
    #[cfg(feature = "otel")]
    let layers = registry()
        .with(lines)
        .with(super::spans::layer(environment)?);
    #[cfg(not(feature = "otel"))]
    let layers = match lines {
        Some(lines) => registry().with(lines),
        // An event without a reader is not even made.
        None => return Ok(()),
    };
    // Fails only for a second run in one process, which shares the first one's log.
    let _ = layers.try_init();
    Ok(())
}

/// The lines on stderr, where some were asked for.
fn lines(
    verbose: u8,
    environment: &[(OsString, OsString)],
) -> Result<Option<Box<dyn Layer<Registry> + Send + Sync>>, Problem> {
    let variable = environment.iter().find(|(name, _)| name == VARIABLE);
    let named = variable.and_then(|(_, filter)| filter.to_str());
    let filter = match (named.filter(|filter| !filter.is_empty()), verbose) {
        (_, 1) => "hindlore=info",
        (_, 2..) => "hindlore=debug",
        (Some(filter), _) => filter,
        (None, _) => return Ok(None),
    };
    let filter = EnvFilter::try_new(filter).map_err(|error| {
        Problem::new(
            "invalid_config",
            format!("{VARIABLE} is not a log filter: {error}"),
        )
        .with_hint("a level such as `info`, or `hindlore=debug`")
    })?;
    let form = environment.iter().find(|(name, _)| name == FORMAT);
    let is_json = match form.and_then(|(_, form)| form.to_str()) {
        None | Some("" | "text") => false,
        Some("json") => true,
        Some(other) => {
            let message = format!("{FORMAT} is `{}`", other.escape_debug());
            return Err(Problem::new("invalid_config", message).with_hint("`text` or `json`"));
        }
    };
    let ansi =
        io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|no| no.is_empty());
    let lines = fmt::layer().with_writer(io::stderr).with_ansi(ansi);
    Ok(Some(if is_json {
        lines.json().with_filter(filter).boxed()
    } else {
        lines.with_filter(filter).boxed()
    }))
}
