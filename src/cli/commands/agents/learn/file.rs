//! `learn FILE`: the steps of runs are captured, then the runs end and leave their lessons.
//!
//! Steps that name no run belong to one that is named after the file's content, so that the same file is the
//! same run. With `--run` they join that run, which stays open.

use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read, Seek};
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
use hindlore_trace::{EvalLog, Format, HEAD_BYTES};

/// The content of a file.
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

/// Opens a file and recognises its content.
fn content(path: &Path) -> Result<Content, Problem> {
    let unreadable = |error: io::Error| Problem::new("unreadable_input", error.to_string());
    match input::open(path)? {
        Opened::File(file) => match trace_of(file).map_err(unreadable)? {
            Ok(trace) => Ok(Content::Trace(trace)),
            Err(_) => input::file(path).map(Content::Steps),
        },
        Opened::Bytes(bytes) => match trace_of(Cursor::new(bytes)).map_err(unreadable)? {
            Ok(trace) => Ok(Content::Trace(trace)),
            Err(bytes) => Ok(Content::Steps(bytes.into_inner())),
        },
    }
}

/// Opens a trace; gives the source back if it is none. It is read twice, since the name is derived from all of it.
fn trace_of<S: Read + Seek + Send + 'static>(mut source: S) -> io::Result<Result<OpenTrace, S>> {
    let mut head = Vec::new();
    (&mut source)
        .take(HEAD_BYTES as u64)
        .read_to_end(&mut head)?;
    source.rewind()?;
    let format = format_of(&head);
    if format.is_none() && !EvalLog::<S>::is_archive(&head) {
        return Ok(Err(source));
    }
    let (name, length) = name_of_source(&mut source)?;
    source.rewind()?;
    if let Some(format) = format {
        // A live session is read up to the length that its name was derived from.
        let source = Box::new(BufReader::new(source.take(length)));
        return Ok(Ok(OpenTrace {
            format,
            source,
            name,
            length,
        }));
    }
    let Some(log) = EvalLog::open(source)? else {
        return Err(io::Error::new(
            ErrorKind::InvalidData,
            "the archive is no log of Inspect",
        ));
    };
    let mut source = Box::new(BufReader::with_capacity(HEAD_BYTES, log));
    let format = format_of(source.fill_buf()?);
    let format = format
        .ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "the archive holds no samples"))?;
    Ok(Ok(OpenTrace {
        format,
        source,
        name,
        // Bytes of its samples are more than those of the archive.
        length: 0,
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
