//! Commands `install` and `uninstall`: give a coding agent this memory with one command, and take it back with another.
//!
//! All files are read and edited in memory before the first is written, so that a file that cannot be edited leaves
//! everything as it was. Each change is recorded first, so that an uninstall restores the bytes that were there.

use std::path::PathBuf;
use std::{env, io};

use serde::Serialize;
use serde_json::json;
use similar::TextDiff;

use crate::agents::edit::Original;
use crate::agents::files;
use crate::agents::installed::located;
use crate::agents::pieces::{Part, Piece, bounds, pieces, program_in, program_name};
use crate::agents::places::Places;
use crate::agents::records::{Change, Record, Records};
use crate::agents::{Level, Runtime};
use crate::args::install::InstallArgs;
use crate::commands::CommandResult;
use crate::output::{Outcome, Tone};
use crate::session::Session;
use hindlore_api::problem::Problem;

/// The changes of the files.
#[derive(Debug, Serialize)]
struct Installed {
    runtime: &'static str,
    level: &'static str,
    /// True for a present file, false for a removed one.
    installed: bool,
    files: Vec<FileChange>,
}

/// The change of one file.
#[derive(Debug, Serialize)]
struct FileChange {
    /// With all links followed.
    file: PathBuf,
    /// `written`, `removed`, `unchanged`, or `kept`: it is ours, and the person changed it.
    change: &'static str,
    /// A copy of its state before the first install, if it was made now; the uninstall removes it.
    backup: Option<PathBuf>,
}

/// A file that is about to be changed.
struct Planned {
    file: PathBuf,
    record: Option<Record>,
    before: Option<String>,
    now: Option<String>,
    has_ours: bool,
    is_kept: bool,
}

/// Installs.
pub(crate) fn run(session: &Session, args: &InstallArgs) -> CommandResult {
    let records = records()?;
    let plan = planned(args, &records, |piece, one| {
        let is_edited =
            |record: &Record| one.before.as_ref().is_some_and(|text| !record.wrote(text));
        one.is_kept = one.has_ours
            && matches!(piece.part, Part::Whole(_))
            && one.record.as_ref().is_some_and(is_edited);
        one.now = match &one.before {
            Some(before) if one.is_kept => Some(before.clone()),
            before => Some(piece.part.put_into(before.as_deref())?),
        };
        Ok(())
    })?;
    if args.dry_run {
        return foresee(session, args, plan);
    }
    let mut done = Vec::with_capacity(plan.len());
    for one in plan {
        let change = match one.now.as_deref() {
            Some(now) if one.before.as_deref() != Some(now) => {
                let backup = installed(&records, &one, now);
                let backup = backup.map_err(|error| unwritable(&one, &error, &done))?;
                done.push(FileChange::new(one, "written", backup));
                continue;
            }
            _ if one.is_kept => "kept",
            _ => "unchanged",
        };
        done.push(FileChange::new(one, change, None));
    }
    let search_path = env::var("PATH").unwrap_or_default();
    if args.level() == Level::Project && program_in(&search_path).is_none() {
        let note = "the settings of a project call `hindlore` by its name, and no folder of the PATH has it; add its folder";
        session.warn("not_on_path", note.to_owned());
    }
    report(session, args, done, true)
}

/// Takes it out again.
pub(crate) fn undo(session: &Session, args: &InstallArgs) -> CommandResult {
    let records = records()?;
    let plan = planned(args, &records, |piece, one| {
        let Some(before) = one.before.as_deref() else {
            return Ok(());
        };
        let original = original(&records, piece, one.record.as_ref())?;
        let is_ours_alone = one
            .record
            .as_ref()
            .is_some_and(|record| record.wrote(before));
        one.now = match original {
            Original::Text(text) if is_ours_alone => Some(text),
            Original::Absent if is_ours_alone => None,
            original => piece.part.taken_out_of(before, &original)?,
        };
        Ok(())
    })?;
    if args.dry_run {
        return foresee(session, args, plan);
    }
    let mut done = Vec::with_capacity(plan.len());
    let mut gone = Vec::new();
    for mut one in plan {
        let is_changed = one.before != one.now;
        if is_changed {
            uninstalled(&one).map_err(|error| unwritable(&one, &error, &done))?;
        }
        gone.extend(one.record.take());
        let change = match (is_changed, &one.now) {
            (false, _) => "unchanged",
            (true, None) => "removed",
            (true, Some(_)) => "written",
        };
        done.push(FileChange::new(one, change, None));
    }
    let forgotten = records.forget(&gone);
    forgotten.map_err(|error| unusable_records(&error))?;
    report(session, args, done, false)
}

/// The state of a file before any install. A copy with our part, from an install that left no record, counts without it.
fn original(records: &Records, piece: &Piece, record: Option<&Record>) -> Result<Original, String> {
    let Some(record) = record else {
        return Ok(Original::Unknown);
    };
    let original = records.original(record);
    let original = original
        .map_err(|error| format!("the copy of its former state cannot be read: {error}"))?;
    match original {
        Original::Text(text) if record.copy_has_ours() => {
            let without = piece.part.taken_out_of(&text, &Original::Unknown)?;
            Ok(without.map_or(Original::Absent, Original::Text))
        }
        original => Ok(original),
    }
}

/// A change that was not made.
#[derive(Debug, Serialize)]
struct Foreseen {
    file: PathBuf,
    /// The lines that go and come, with three lines around them; empty for a file that stays as it is.
    diff: String,
}

/// Shows the changes of a plan.
fn foresee(session: &Session, args: &InstallArgs, plan: Vec<Planned>) -> CommandResult {
    let foreseen: Vec<Foreseen> = plan
        .into_iter()
        .map(|one| {
            let before = one.before.unwrap_or_default();
            let now = one.now.unwrap_or_default();
            let diff = TextDiff::from_lines(&before, &now);
            Foreseen {
                diff: diff.unified_diff().context_radius(3).to_string(),
                file: one.file,
            }
        })
        .collect();
    let shown = json!({"runtime": args.runtime.word(), "level": args.level().word(), "dry_run": true, "files": foreseen});
    session.output.show(&shown, |page| {
        for one in &foreseen {
            let change = if one.diff.is_empty() {
                "unchanged"
            } else {
                "changes"
            };
            page.line(
                Tone::Heading,
                format_args!("{change:<9} {}", one.file.display()),
            );
            for line in one.diff.lines() {
                let tone = match line.as_bytes().first() {
                    Some(b'+') => Tone::Good,
                    Some(b'-') => Tone::Bad,
                    _ => Tone::Faint,
                };
                page.line(tone, line);
            }
        }
        page.line(Tone::Plain, "nothing was written");
    })?;
    Ok(Outcome::Done)
}

/// The contents for a runtime at a level, on this machine, and the folder that it may not lead out of.
pub(crate) fn pieces_of(
    runtime: Runtime,
    level: Level,
) -> Result<(Vec<Piece>, Option<PathBuf>), Problem> {
    let places = Places::of_this_machine()?;
    let this = env::current_exe().ok();
    let program = program_name(
        level,
        this.as_deref(),
        &env::var("PATH").unwrap_or_default(),
    );
    Ok((
        pieces(runtime, level, &places, &program),
        bounds(runtime, level, &places),
    ))
}

/// Reads all files, and lets each be edited in memory.
fn planned(
    args: &InstallArgs,
    records: &Records,
    edit: impl Fn(&Piece, &mut Planned) -> Result<(), String>,
) -> Result<Vec<Planned>, Problem> {
    let (pieces, bounds) = pieces_of(args.runtime, args.level())?;
    let one = |piece: Piece| {
        let refused = |what: String| {
            Problem::new(
                "uneditable_file",
                format!("{} cannot be edited: {what}", piece.file.display()),
            )
            .with_hint("mend the file, then call it again; nothing was changed")
        };
        let file = located(&piece.file, bounds.as_deref());
        let file = file.map_err(|error| refused(error.to_string()))?;
        let before = files::read(&file).map_err(|error| refused(error.to_string()))?;
        let mut planned = Planned {
            record: records
                .find(&file)
                .map_err(|error| unusable_records(&error))?,
            has_ours: before.as_ref().is_some_and(|text| piece.part.is_in(text)),
            file,
            before,
            now: None,
            is_kept: false,
        };
        edit(&piece, &mut planned).map_err(refused)?;
        if planned.before != planned.now && files::is_read_only(&planned.file) {
            let file = planned.file.display();
            let message = format!("{file} is read-only, so that it stays as it is");
            return Err(Problem::new("read_only_file", message).with_hint(format!(
                "permit the change with `chmod u+w {}`, then call it again; nothing was changed",
                crate::shell::quoted(&file.to_string())
            )));
        }
        Ok(planned)
    };
    pieces.into_iter().map(one).collect()
}

/// Records a change, then makes it. Returns the copy of the former file, if one was made.
fn installed(records: &Records, one: &Planned, now: &str) -> io::Result<Option<PathBuf>> {
    let backup = records.add(&Change {
        file: &one.file,
        before: one.before.as_deref(),
        has_ours: one.has_ours,
        now,
    })?;
    files::write_whole(&one.file, now, &one.file)?;
    Ok(backup)
}

fn uninstalled(one: &Planned) -> io::Result<()> {
    if let Some(now) = &one.now {
        return files::write_whole(&one.file, now, &one.file);
    }
    files::remove(&one.file)?;
    // The folder of our skill is ours, also where no record of the install is here.
    let own = one
        .file
        .parent()
        .filter(|own| own.ends_with("skills/hindlore"));
    own.map_or(Ok(()), |folder| {
        let _ = std::fs::remove_dir(folder);
        Ok(())
    })
}

fn records() -> Result<Records, Problem> {
    Records::of_this_person().map_err(|error| unusable_records(&error))
}

fn unusable_records(error: &io::Error) -> Problem {
    let message = format!("the records of installs cannot be used: {error}");
    Problem::new("unusable_records", message).with_hint(
        "they are in the folder `installed` of the data folder; make it readable and writable",
    )
}

fn unwritable(one: &Planned, error: &io::Error, done: &[FileChange]) -> Problem {
    let changed: Vec<String> = done
        .iter()
        .filter(|one| matches!(one.change, "written" | "removed"))
        .map(|one| one.file.display().to_string())
        .collect();
    let already = if changed.is_empty() {
        "nothing".to_owned()
    } else {
        changed.join(", ")
    };
    let message = format!("{} cannot be written: {error}", one.file.display());
    Problem::new("unwritable_file", message)
        .with_hint(format!("changed so far: {already}; call it again"))
}

impl FileChange {
    fn new(one: Planned, change: &'static str, backup: Option<PathBuf>) -> Self {
        Self {
            file: one.file,
            change,
            backup,
        }
    }
}

fn report(
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
        let is_change = |one: &FileChange| matches!(one.change, "written" | "removed");
        let changed = shown.files.iter().any(is_change);
        if shown.files.iter().any(|one| one.change == "kept") {
            let line =
                "kept: you changed it since the install; remove it and install again for ours";
            page.line(Tone::Faint, line);
        }
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
        Runtime::Cursor => "restart Cursor; `hindlore doctor agents` shows whether it answers",
        _ => "begin a new session; `hindlore doctor agents` shows whether it answers",
    }
}
