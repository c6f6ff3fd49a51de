//! Commands `install` and `uninstall`: give a coding agent this memory with one command, and take it back with another.
//!
//! All files are read and edited in memory before the first is written, so that a file that cannot be edited leaves
//! everything as it was.

use std::env;
use std::path::PathBuf;

use serde::Serialize;

use super::CommandResult;
use crate::api::problem::Problem;
use crate::cli::agents::pieces::{Piece, Roots, pieces, program_name};
use crate::cli::agents::write;
use crate::cli::agents::{Level, Runtime};
use crate::cli::args::install::InstallArgs;
use crate::cli::output::{Outcome, Tone};
use crate::cli::session::Session;

/// What became of the files.
#[derive(Debug, Serialize)]
struct Installed {
    runtime: &'static str,
    level: &'static str,
    /// True for what is there now, false for what is gone.
    installed: bool,
    files: Vec<FileChange>,
}

/// What became of one file.
#[derive(Debug, Serialize)]
struct FileChange {
    file: PathBuf,
    /// `written`, `removed`, or `unchanged`.
    change: &'static str,
    /// What it was before; absent where there was nothing, or nothing changed.
    backup: Option<PathBuf>,
}

/// A file that is about to be changed.
struct Planned {
    file: PathBuf,
    before: Option<String>,
    now: Option<String>,
}

/// Installs.
pub(crate) fn run(session: &Session, args: &InstallArgs) -> CommandResult {
    let pieces = pieces_of(args.runtime, args.level())?;
    let plan = planned(pieces, |piece, before| {
        piece.part.put_into(before).map(Some)
    })?;
    told(session, args, carried_out(plan)?, true)
}

/// Takes it out again.
pub(crate) fn undo(session: &Session, args: &InstallArgs) -> CommandResult {
    let pieces = pieces_of(args.runtime, args.level())?;
    let plan = planned(pieces, |piece, before| match before {
        Some(before) => piece.part.taken_out_of(before),
        None => Ok(None),
    })?;
    told(session, args, carried_out(plan)?, false)
}

/// What a runtime is given at a level, on this machine.
pub(crate) fn pieces_of(runtime: Runtime, level: Level) -> Result<Vec<Piece>, Problem> {
    let unknown = |what: &str, error: &dyn std::fmt::Display| {
        Problem::new("no_folder", format!("{what} is not known: {error}"))
            .with_hint("set HOME to the folder of the person, or call it from an existing folder")
    };
    let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let roots = Roots {
        home: home.ok_or_else(|| unknown("the home folder", &"HOME is empty"))?,
        project: env::current_dir().map_err(|error| unknown("the present folder", &error))?,
    };
    let this = env::current_exe().ok();
    let program = program_name(
        level,
        this.as_deref(),
        &env::var("PATH").unwrap_or_default(),
    );
    Ok(pieces(runtime, level, &roots, &program))
}

fn planned(
    pieces: Vec<Piece>,
    edit: impl Fn(&Piece, Option<&str>) -> Result<Option<String>, String>,
) -> Result<Vec<Planned>, Problem> {
    let refused = |piece: &Piece, what: String| {
        Problem::new(
            "uneditable_file",
            format!("{} cannot be edited: {what}", piece.file.display()),
        )
        .with_hint("mend the file, then call it again; nothing was changed")
    };
    let one = |piece: Piece| {
        let before =
            write::read(&piece.file).map_err(|error| refused(&piece, error.to_string()))?;
        let now = edit(&piece, before.as_deref()).map_err(|fault| refused(&piece, fault))?;
        Ok(Planned {
            file: piece.file,
            before,
            now,
        })
    };
    pieces.into_iter().map(one).collect()
}

fn carried_out(plan: Vec<Planned>) -> Result<Vec<FileChange>, Problem> {
    let mut done: Vec<FileChange> = Vec::with_capacity(plan.len());
    for one in plan {
        if one.before == one.now {
            done.push(FileChange {
                file: one.file,
                change: "unchanged",
                backup: None,
            });
            continue;
        }
        let backup = write::replace(&one.file, one.before.as_deref(), one.now.as_deref()).map_err(
            |error| {
                let message = format!("{} cannot be written: {error}", one.file.display());
                let changed: Vec<String> = done
                    .iter()
                    .map(|one| one.file.display().to_string())
                    .collect();
                let already = if changed.is_empty() {
                    "nothing".to_owned()
                } else {
                    changed.join(", ")
                };
                Problem::new("unwritable_file", message)
                    .with_hint(format!("changed so far: {already}; call it again"))
            },
        )?;
        let change = if one.now.is_some() {
            "written"
        } else {
            "removed"
        };
        done.push(FileChange {
            file: one.file,
            change,
            backup,
        });
    }
    Ok(done)
}

fn told(
    session: &Session,
    args: &InstallArgs,
    files: Vec<FileChange>,
    installed: bool,
) -> CommandResult {
    let shown = Installed {
        runtime: args.runtime.word(),
        level: args.level().word(),
        installed,
        files,
    };
    session.output.show(&shown, |page| {
        for one in &shown.files {
            page.line(
                Tone::Plain,
                format_args!("{:<9} {}", one.change, one.file.display()),
            );
            if let Some(backup) = &one.backup {
                page.line(
                    Tone::Faint,
                    format_args!("          before: {}", backup.display()),
                );
            }
        }
        let changed = shown.files.iter().any(|one| one.change != "unchanged");
        let line = match (installed, changed) {
            (true, true) => next_step(args.runtime),
            (true, false) => "it was installed already",
            (false, true) => {
                "sessions that begin from now on go without the memory; what it holds stays"
            }
            (false, false) => "nothing of it was installed",
        };
        page.line(Tone::Good, line);
    })?;
    Ok(Outcome::Done)
}

fn next_step(runtime: Runtime) -> &'static str {
    match runtime {
        Runtime::Codex => "begin a new session; Codex asks once whether it may run these hooks",
        Runtime::Cursor => "restart Cursor; `mnemograph doctor agents` says whether it answers",
        _ => "begin a new session; `mnemograph doctor agents` says whether it answers",
    }
}
