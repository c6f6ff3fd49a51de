//! Command `resident`: shows or stops the processes that keep memories loaded, or is one.

use std::time::Duration;

use serde_json::json;

use crate::args::resident::ResidentArgs;
use crate::commands::{Command, CommandResult};
use crate::output::words::plural;
use crate::output::{Outcome, Tone};
use crate::program;
use crate::resident;
use crate::session::Session;
use hindlore_api::problem::Problem;

/// Shows, stops or serves.
pub(crate) async fn run(session: &Session, args: ResidentArgs) -> CommandResult {
    if let Some(socket) = args.serve {
        let settings = &session.settings;
        let idle = Duration::from_secs(settings.whole("resident.idle_seconds").unwrap_or_default());
        let served = resident::serve(&socket, idle, program::kept::<Command>).await;
        return served.map(|()| Outcome::Done).map_err(|error| {
            let message = format!("`{}` cannot be listened at: {error}", socket.display());
            Problem::new("not_listening", message)
                .with_hint("nothing is lost: calls work on their own")
        });
    }
    let running = resident::running(&std::env::vars_os().collect::<Vec<_>>());
    let stopped = if args.stop {
        running.iter().filter(|id| resident::stop(**id)).count()
    } else {
        0
    };
    let shown = json!({"running": running, "stopped": stopped});
    session.output.show(&shown, |page| {
        let count = running.len();
        let said = match (args.stop, count) {
            (_, 0) => "no process keeps a memory loaded".to_owned(),
            (true, _) => format!("{} asked to end", plural(stopped, "process")),
            (false, _) => {
                let ids: Vec<String> = running.iter().map(u32::to_string).collect();
                format!("memories are kept loaded by process {}", ids.join(", "))
            }
        };
        page.line(Tone::Plain, said);
    })?;
    Ok(Outcome::found(!running.is_empty()))
}
