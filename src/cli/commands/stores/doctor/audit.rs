//! `doctor audit`: is every line of an audit log what the server wrote, and in its place?

use std::io::{BufRead, BufReader};

use serde::Serialize;

use crate::args::doctor::AuditArgs;
use crate::commands::CommandResult;
use crate::output::{Outcome, Tone};
use crate::session::Session;
use hindlore_api::audit::{part, parts};
use hindlore_api::problem::Problem;
use hindlore_config::{Links, open_regular_file};
use hindlore_domain::sharing::audit_chain::AuditChain;

/// The finding.
#[derive(Debug, Serialize)]
struct AuditLogResponse {
    sound: bool,
    /// Sound entries from the beginning.
    entries: u64,
    /// The hash of the last of them.
    hash: String,
    /// The first line that is not sound, and why.
    fault: Option<String>,
}

/// Reads a log with its renamed parts next to it.
pub(super) fn run(session: &Session, args: &AuditArgs) -> CommandResult {
    let unreadable = |error: std::io::Error| {
        let message = format!("{} cannot be read: {error}", args.file.display());
        Problem::new("unreadable_file", message).with_hint("name the file given to `serve --audit`")
    };
    let mut files = Vec::new();
    for number in parts(&args.file).map_err(unreadable)? {
        files
            .push(open_regular_file(&part(&args.file, number), Links::Follow).map_err(unreadable)?);
    }
    files.push(open_regular_file(&args.file, Links::Follow).map_err(unreadable)?);
    let mut chain = AuditChain::default();
    let mut fault = None;
    let mut is_held = args.holds.is_none();
    let lines = files
        .into_iter()
        .flat_map(|file| BufReader::new(file).lines());
    for line in lines {
        if let Err(why) = chain.follow(&line.map_err(unreadable)?) {
            fault = Some(format!("line {}: {why}", chain.number + 1));
            break;
        }
        is_held |= args.holds.as_ref() == Some(&chain.hash);
    }
    // A log that was cut off at its end is sound, and shorter than before.
    if fault.is_none() && !is_held {
        fault = Some(
            "no entry has the hash that was given: the log was cut off, or is another one"
                .to_owned(),
        );
    }
    let shown = AuditLogResponse {
        sound: fault.is_none(),
        entries: chain.number,
        hash: chain.hash,
        fault,
    };
    session.output.show(&shown, |page| {
        page.field("entries", shown.entries);
        page.field("hash", &shown.hash);
        match &shown.fault {
            None => page.line(
                Tone::Good,
                "sound; keep the hash elsewhere, and give it with --holds next time",
            ),
            Some(fault) => page.line(Tone::Bad, fault),
        }
    })?;
    match shown.fault {
        None => Ok(Outcome::Done),
        Some(fault) => {
            Err(Problem::new("not_sound", fault).with_hint("the lines before it are unchanged"))
        }
    }
}
