//! A trace of any length, learned from in portions: a thread reads it while the engine writes the portions before.

use std::io::{self, BufRead, ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::problem::Problem;
use crate::responses::ended::{TraceResponse, TraceTally};
use crate::responses::reading::ReadingResponse;
use crate::steps::{StepDefaults, StepsRead};
use crate::traces::read_portions;
use crate::verb::Context;
use crate::verbs::runs::{LearnTrace, TraceRead, with_playbook};
use hindlore::lessons::{StepInput, TraceEnd};
use hindlore_trace::Format;

/// Portions that wait: the one that is written next, and one that is read meanwhile.
const WAITING: usize = 1;

/// A trace that is being read.
pub struct TraceStream {
    name: String,
    portions: Receiver<Vec<StepInput>>,
    rest: JoinHandle<Result<StepsRead, Problem>>,
    bytes: Arc<AtomicU64>,
}

impl TraceStream {
    /// Begins to read a trace with the name that its content gives it.
    pub fn begin(
        (format, source): (Format, impl BufRead + Send + 'static),
        name: &str,
        defaults: StepDefaults,
    ) -> Self {
        let (sender, portions) = channel(WAITING);
        let bytes = Arc::new(AtomicU64::new(0));
        let source = Heard {
            source,
            sender: sender.clone(),
            bytes: Arc::clone(&bytes),
        };
        let run = defaults.run.clone().unwrap_or_else(|| name.to_owned());
        let rest = spawn_blocking(move || {
            // Once the receiver is gone, the portion is dropped and the source fails.
            let mut take = |portion| drop(sender.blocking_send(portion));
            read_portions((format, source), run, &defaults, &mut take)
        });
        Self {
            name: name.to_owned(),
            portions,
            rest,
            bytes,
        }
    }

    /// The number of bytes that were read, as it grows.
    pub fn bytes(&self) -> impl Fn() -> u64 + use<> {
        let bytes = Arc::clone(&self.bytes);
        move || bytes.load(Ordering::Relaxed)
    }
}

/// Learns from a trace while it is read.
///
/// # Errors
///
/// `unreadable_input`; those of the engine. Portions before the failure stay written.
pub async fn learn_stream(
    context: &Context,
    request: LearnTrace,
    mut stream: TraceStream,
) -> Result<TraceResponse, Problem> {
    let owner = context.owner()?;
    let TraceRead {
        mut trace,
        playbook,
        ..
    } = request.trace(&stream.name, StepsRead::default());
    trace.take_scope(context.key.scope());
    let mut learner = context.engine.trace_learner(&owner, trace).await?;
    let mut tally = TraceTally::default();
    while let Some(steps) = stream.portions.recv().await {
        tally.add(learner.take(steps).await?);
    }
    let rest = stream.rest.await;
    let mut rest = rest.map_err(|error| Problem::new("internal_error", error.to_string()))??;
    let reading = ReadingResponse::take_from(&mut rest);
    let end = TraceEnd {
        passed_by_run: rest.passed,
        replies: rest.replies,
    };
    let learned = learner.finish(end).await?;
    let answer = tally.answer(learned, reading, rest.notes);
    with_playbook(context, answer, playbook.as_deref()).await
}

/// A source that ends with an error once its portions are not taken any more: the work was interrupted.
struct Heard<S> {
    source: S,
    sender: Sender<Vec<StepInput>>,
    bytes: Arc<AtomicU64>,
}

impl<S: BufRead> Read for Heard<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ready = self.fill_buf()?;
        let length = ready.len().min(buffer.len());
        buffer[..length].copy_from_slice(&ready[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl<S: BufRead> BufRead for Heard<S> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.sender.is_closed() {
            return Err(ErrorKind::BrokenPipe.into());
        }
        self.source.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        self.bytes.fetch_add(length as u64, Ordering::Relaxed);
        self.source.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::steps::Numbering;
    use hindlore_domain::lesson::lesson::Place;
    use hindlore_primitives::timestamp::Timestamp;

    /// A transcript of commands that fail.
    fn transcript(commands: usize) -> Vec<u8> {
        let one = |number| format!("$ cat {number}\ncat: {number}: No such file or directory\n");
        let all: String = (0..commands).map(one).collect();
        all.into_bytes()
    }

    fn begin(commands: usize) -> (TraceStream, u64) {
        let defaults = StepDefaults {
            run: None,
            place: Place::default(),
            at: Timestamp::from_millis(0),
            numbering: Numbering::Place,
        };
        let text = transcript(commands);
        let length = text.len() as u64;
        let source = Cursor::new(text);
        let stream = TraceStream::begin((Format::Transcript, source), "trace-1", defaults);
        (stream, length)
    }

    #[tokio::test]
    async fn steps_come_in_portions_of_one_length() {
        let (mut stream, length) = begin(600);
        let mut lengths = Vec::new();
        while let Some(portion) = stream.portions.recv().await {
            lengths.push(portion.len());
        }
        assert_eq!(lengths, [250, 250, 100]);
        assert_eq!(stream.bytes()(), length);
        let rest = stream.rest.await.unwrap().unwrap();
        assert_eq!((rest.format, rest.steps.len()), ("shell", 0));
    }

    #[tokio::test]
    async fn a_trace_that_nobody_takes_is_not_read_to_its_end() {
        let (stream, length) = begin(100_000);
        let bytes = stream.bytes();
        drop(stream.portions);
        let failed = stream.rest.await.unwrap().unwrap_err();
        assert_eq!(failed.code, "unreadable_input");
        assert!(bytes() < length / 10, "{} of {length}", bytes());
    }
}
