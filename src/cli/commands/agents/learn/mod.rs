//! Command `learn`: from a file of traces, or around a command.

mod alive;
mod command;
mod file;
mod hint;
pub(crate) mod ingest;
pub(super) mod ingest_result;
pub(super) mod into_store;
mod known;
mod line;
pub(super) mod owed;
pub(super) mod record;
mod report;

use crate::args::learn::LearnArgs;
use crate::commands::CommandResult;
use crate::form::Form;
use crate::session::Session;
use hindlore_api::problem::Problem;

/// The options of `learn` other than the file of a trace are in no schema.
pub(crate) const FORM: Form = Form::new("runs.learn", &[]);

/// Learns.
pub(crate) async fn run(session: &Session, args: LearnArgs) -> CommandResult {
    if !args.command.is_empty() {
        return command::run(session, &args).await;
    }
    match &args.files[..] {
        [file] => {
            ingest::before(session).await;
            file::run(session, file, &args).await
        }
        words => Err(unclear(words.iter().map(|word| word.display().to_string()))),
    }
}

/// Describes the usage of `learn`.
fn unclear(words: impl Iterator<Item = String>) -> Problem {
    let words: Vec<String> = words.collect();
    let words = words.join(" ");
    let (message, example) = if words.is_empty() {
        (
            "`learn` needs a command, or a file of traces".to_owned(),
            "COMMAND",
        )
    } else {
        (
            format!("`learn` reads one file, and `{words}` are several"),
            &*words,
        )
    };
    Problem::new("invalid_usage", message).with_hint(format!(
        "a command stands behind two dashes: `hindlore learn --run ID -- {example}`; \
         `hindlore learn FILE` reads traces"
    ))
}
