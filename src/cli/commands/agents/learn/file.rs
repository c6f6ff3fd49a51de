//! `learn FILE`: the steps of runs are captured, then the runs end and leave their lessons.
//!
//! Steps that name no run belong to one that is named after the file's content, so that the same file is the
//! same run. With `--run` they join that run, which stays open.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use crate::args::learn::LearnArgs;
use crate::commands::CommandResult;
use crate::input::{self, Opened};
use crate::output::{Outcome, Tone, lessons, redacted};
use crate::session::Session;
use hindlore::clock::{SystemClock, WallClock};
use hindlore_api::problem::Problem;
use hindlore_api::trace_stream::{TraceStream, learn_stream};
use hindlore_api::traces::{format_of, name_of, name_of_source, read_trace};
use hindlore_api::verbs::runs::{LearnTrace, learn};
use hindlore_domain::sharing::object::Object;
use hindlore_trace::{Format, HEAD_BYTES};

/// What a file holds.
enum Content {
    /// A trace, which is read in portions.
    Trace(OpenTrace),
    /// Steps of our own form, or nothing known.
    Steps(Vec<u8>),
}

/// A trace that is about to be read.
struct OpenTrace {
    format: Format,
    source: Box<dyn BufRead + Send>,
    name: String,
    /// Its length in bytes.
    length: u64,
}

/// Learns from a file.
pub(super) async fn run(session: &Session, file: &Path, args: &LearnArgs) -> CommandResult {
    let path: PathBuf = file.to_owned();
    // Reading blocks, on stdin perhaps for ever, so it stays off the runtime's threads.
    let opened = tokio::task::spawn_blocking(move || content(&path)).await;
    let opened = opened.map_err(|error| Problem::new("unreadable_input", error.to_string()))?;
    let content = opened.map_err(|problem| with_usage(problem, file))?;
    let request = request(args);
    let access = session.access_of::<LearnTrace>().await?;
    let shown = match content {
        Content::Trace(open) => {
            let defaults = request.defaults(&open.name, SystemClock.now())?;
            let stream = TraceStream::begin((open.format, open.source), &open.name, defaults);
            let (bytes, length) = (stream.bytes(), open.length);
            let work = access.within::<LearnTrace, _, _>(Object::Learner, |context| async move {
                learn_stream(&context, request, stream).await
            });
            let counted = move || (bytes(), length);
            session
                .wait_counting("learning, bytes", counted, work)
                .await?
        }
        Content::Steps(bytes) => {
            let name = name_of(&bytes);
            let defaults = request.defaults(&name, SystemClock.now())?;
            let trace = request.trace(&name, read_trace(&bytes, &defaults)?);
            let work = access.within::<LearnTrace, _, _>(Object::Learner, |context| async move {
                learn(&context, trace).await
            });
            session
                .wait_counting("learning", || access.progress(), work)
                .await?
        }
    };
    session.output.show(&shown, |page| {
        page.line(
            Tone::Good,
            format_args!("{} steps, {} new errors", shown.steps, shown.captured),
        );
        if shown.repeated > 0 {
            page.field("known already", shown.repeated);
        }
        lessons::reading(page, &shown.reading);
        redacted::redacted(page, shown.redacted.as_ref());
        for run in &shown.runs {
            page.gap();
            lessons::ended(page, run);
        }
        lessons::notes(page, &shown.notes);
    })?;
    Ok(Outcome::from_verb::<LearnTrace>(&shown))
}

/// Opens a file and finds out what it holds.
fn content(path: &Path) -> Result<Content, Problem> {
    match input::open(path)? {
        Opened::File(file) => match trace_of(file) {
            Ok(Some(trace)) => Ok(Content::Trace(trace)),
            Ok(None) => input::file(path).map(Content::Steps),
            Err(error) => Err(Problem::new("unreadable_input", error.to_string())),
        },
        Opened::Bytes(bytes) => Ok(match format_of(&bytes) {
            Some(format) => Content::Trace(OpenTrace {
                format,
                name: name_of(&bytes),
                length: bytes.len() as u64,
                source: Box::new(Cursor::new(bytes)),
            }),
            None => Content::Steps(bytes),
        }),
    }
}

/// Opens a trace; absent if the file is none. It is read twice, since its name is derived from all of it.
fn trace_of(mut file: File) -> io::Result<Option<OpenTrace>> {
    let mut head = Vec::new();
    (&mut file).take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    file.rewind()?;
    let Some(format) = format_of(&head) else {
        return Ok(None);
    };
    let (name, length) = name_of_source(&mut file)?;
    file.rewind()?;
    // A session that goes on while it is read is learned from as far as it was named after.
    let source = Box::new(BufReader::new(file.take(length)));
    Ok(Some(OpenTrace {
        format,
        source,
        name,
        length,
    }))
}

fn with_usage(problem: Problem, file: &Path) -> Problem {
    if file.exists() || file.as_os_str() == "-" {
        return problem;
    }
    problem.with_hint(format!(
        "to run a command, write `hindlore learn -- {}`",
        file.display()
    ))
}

fn request(args: &LearnArgs) -> LearnTrace {
    let place = args.place.place();
    LearnTrace {
        run: args.run.clone(),
        stay_open: args.run.is_some(),
        task: place.task,
        domain: place.domain,
        tool: place.tool,
        playbook: args.playbook.clone(),
        ..LearnTrace::default()
    }
}
