//! The process of one hook. It ends with 0 and prints one JSON document or nothing, in every case.
//!
//! ```text
//! main thread    waits: for the event, for its file, for the answer; prints; ends the process
//! second thread  settings, event, scope, file of the event, answer of a resident process or of its own engine
//! ```
//!
//! Only the main thread ends the process, and it does not wait for the second one: nothing that the second one reads or
//! asks can hold it up, a panic there only closes the channel, and no runtime is shut down while tasks use it. stderr is
//! closed first, so that no library can write to it.

use std::ffi::OsString;
use std::io::{self, Write};
use std::panic;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use clap::Subcommand;
use clap::error::ErrorKind;
use serde_json::Value;

use super::kept::Kept;
use super::{answered, aside, failures, is_about_us, scope_of, stdin};
use crate::args::hook::HookArgs;
use crate::args::{self, Arguments, PROGRAM, SWITCHES, VALUED};
use crate::output::Output;
use crate::program::STACK_BYTES;
#[cfg(unix)]
use crate::resident::{Asked, Luggage};
use crate::session::Session;
use hindlore_api::problem::Problem;
use hindlore_config::{PlaceKind, Settings, kind_of_place};
use hindlore_trace::HookEvent;

/// Name of the command.
const NAME: &str = "hook";
/// How long the event itself is waited for beyond the time limit: the runtime may be slow to write it.
const EVENT_WAIT: Duration = Duration::from_secs(1);
/// How long the file of the event is waited for. It is written in milliseconds, but on a busy machine not within the
/// time limit, and without it the event is lost.
const KEPT_WAIT: Duration = Duration::from_secs(5);

/// The only command of this frame.
#[derive(Debug, Subcommand)]
enum Only {
    /// Answer an event of a coding agent
    Hook(HookArgs),
}

/// The reports of the second thread, in this order.
enum Stage {
    /// The event was read.
    Read,
    /// Its additions are in a file.
    Kept,
    /// The end: the reply, if there is one, and whether a resident process gave it.
    Answered(Option<Vec<u8>>, bool),
    /// The end: nothing to print, for this reason.
    Failed(Option<String>, Problem),
}

/// True for a command line whose command is `hook`, even if its options cannot be parsed.
pub(crate) fn is_called(raw: &[OsString]) -> bool {
    let mut words = raw.iter().skip(1).map(|word| word.to_string_lossy());
    let mut may_be_value = false;
    while let Some(word) = words.next() {
        if VALUED.contains(&&*word) {
            words.next();
        } else if word.starts_with('-') {
            may_be_value = !SWITCHES.contains(&&*word) && !word.contains('=');
        } else if word == NAME {
            return !asks_for_help(raw);
        } else if !std::mem::take(&mut may_be_value) {
            return false;
        }
    }
    false
}

fn asks_for_help(raw: &[OsString]) -> bool {
    raw.iter().any(|word| word == "--help" || word == "-h")
}

/// Answers the event on stdin.
pub(crate) fn run(raw: &[OsString], environment: Vec<(OsString, OsString)>) -> ExitCode {
    let began = Instant::now();
    silence();
    // A panic is in the log by then.
    let _ = panic::catch_unwind(|| match parsed(raw) {
        Ok(called) => answer_within(called, raw, environment, began),
        Err(fault) => failures::note(None, &fault),
    });
    ExitCode::SUCCESS
}

/// Sends panics to the log of failures, and everything else that is written to stderr nowhere.
fn silence() {
    panic::set_hook(Box::new(|panic| failures::note(None, &panic.to_string())));
    #[cfg(unix)]
    if let Ok(nowhere) = std::fs::OpenOptions::new().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stderr(nowhere);
    }
}

fn parsed(raw: &[OsString]) -> Result<Arguments<Only>, String> {
    args::parse::<Only>(PROGRAM, raw).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => "help was asked for".to_owned(),
        _ => {
            let (message, _) = args::complaint(&error.render().to_string());
            format!("the command line is wrong: {message}")
        }
    })
}

/// Lets a second thread answer, and prints the answer within the time limit.
fn answer_within(
    called: Arguments<Only>,
    raw: &[OsString],
    environment: Vec<(OsString, OsString)>,
    began: Instant,
) {
    let Only::Hook(args) = &called.command;
    let limit = Duration::from_millis(args.timeout_ms);
    let name = args.event.clone();
    #[cfg(unix)]
    let asked = Asked::read(raw, &environment).map(Arc::new);
    #[cfg(not(unix))]
    let _ = raw;
    let work = Work {
        called,
        environment,
        limit,
        began,
        #[cfg(unix)]
        asked: asked.clone(),
    };
    let (to_main, from_work) = channel();
    let started = thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || work.run(&to_main));
    if let Err(error) = started {
        return failures::note(name.as_deref(), &format!("no thread can start: {error}"));
    }
    let is_from_resident = match ended(&from_work, limit, began) {
        Ok(Stage::Answered(reply, is_from_resident)) => {
            if let Some(reply) = reply
                && let Err(error) = print(&reply)
            {
                let what = format!("the answer cannot be written: {error}");
                failures::note(name.as_deref(), &what);
            }
            is_from_resident
        }
        Ok(Stage::Failed(event, problem)) => {
            failures::note(event.or(name).as_deref(), &problem.to_string());
            false
        }
        Ok(Stage::Read | Stage::Kept) | Err(RecvTimeoutError::Timeout) => {
            let what = format!("no answer within {} ms", limit.as_millis());
            failures::note(name.as_deref(), &what);
            false
        }
        // Its panic is in the log.
        Err(RecvTimeoutError::Disconnected) => false,
    };
    #[cfg(unix)]
    if let Some(asked) = asked.filter(|_| !is_from_resident) {
        asked.leave_one();
    }
    #[cfg(not(unix))]
    let _ = is_from_resident;
}

/// Waits for the end: longer for the event and its file than for the answer.
fn ended(
    from_work: &Receiver<Stage>,
    limit: Duration,
    began: Instant,
) -> Result<Stage, RecvTimeoutError> {
    let mut until = began + limit + EVENT_WAIT;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        match from_work.recv_timeout(left)? {
            Stage::Read => until = began + limit + KEPT_WAIT,
            Stage::Kept => until = began + limit,
            end => return Ok(end),
        }
    }
}

fn print(reply: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(reply)?;
    stdout.flush()
}

/// The input of the second thread.
struct Work {
    called: Arguments<Only>,
    environment: Vec<(OsString, OsString)>,
    limit: Duration,
    began: Instant,
    #[cfg(unix)]
    asked: Option<Arc<Asked>>,
}

impl Work {
    fn run(self, to_main: &Sender<Stage>) {
        let mut event = None;
        let end = match self.answer(to_main, &mut event) {
            Ok(end) => end,
            Err(problem) => Stage::Failed(event, problem),
        };
        // The main thread may have left.
        let _ = to_main.send(end);
    }

    fn answer(&self, to_main: &Sender<Stage>, name: &mut Option<String>) -> Result<Stage, Problem> {
        let Only::Hook(args) = &self.called.command;
        let settings = self.settings()?;
        let text = stdin::event()?;
        let _ = to_main.send(Stage::Read);
        let event = HookEvent::read(args.event.as_deref(), &text)
            .map_err(|fault| Problem::new("invalid_event", fault))?;
        *name = Some(event.name.clone());
        if is_about_us(&event) {
            return Ok(Stage::Answered(None, false));
        }
        let mut session = Session::new(settings, Output::of_raw(true));
        let scope = scope_of(&event).filter(|_| !session.settings.is_given("scope"));
        if let Some(scope) = &scope {
            session.settings.infer_scope(scope.clone());
        }
        let session = aside(&session, self.limit);
        let kept = Kept::of(&session, &event)?;
        let _ = to_main.send(Stage::Kept);
        #[cfg(unix)]
        if let Some(reply) = self.of_resident(&text, scope, kept.as_ref()) {
            return Ok(Stage::Answered(Some(reply), true));
        }
        let reply = self.of_own_engine(&session, &event, kept)?;
        let reply = reply.map(|reply| format!("{reply}\n").into_bytes());
        Ok(Stage::Answered(reply, false))
    }

    /// Wrong settings are no reason to stop an agent, and none to write into a memory that was not meant.
    fn settings(&self) -> Result<Settings, Problem> {
        let mut settings = Settings::read(self.environment.iter().cloned())
            .map_err(|error| Problem::new("invalid_config", error.to_string()))?;
        self.called.common.put_into(&mut settings);
        let store = settings.text_or_empty("store");
        if kind_of_place(store) == PlaceKind::File
            && Path::new(store).is_relative()
            && !store.is_empty()
        {
            let message =
                format!("the store `{store}` is a relative path, and a hook runs in any folder");
            return Err(Problem::new("invalid_config", message)
                .with_hint("give HINDLORE_STORE a whole path"));
        }
        Ok(settings)
    }

    /// The answer of a resident process, which takes in the kept call.
    #[cfg(unix)]
    fn of_resident(
        &self,
        text: &str,
        scope: Option<String>,
        kept: Option<&Kept>,
    ) -> Option<Vec<u8>> {
        let asked = self.asked.as_ref()?;
        let mut words = Vec::new();
        if let Some(kept) = kept {
            words.extend([
                "--kept".to_owned(),
                kept.file.as_ref()?.to_str()?.to_owned(),
            ]);
        }
        let answer = asked.hand_over(|| Luggage {
            scope,
            words,
            stdin: Some(text.to_owned()),
            patience: Some(self.limit),
        })?;
        (answer.code == 0).then_some(answer.out)
    }

    fn of_own_engine(
        &self,
        session: &Session,
        event: &HookEvent,
        kept: Option<Kept>,
    ) -> Result<Option<Value>, Problem> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_stack_size(STACK_BYTES)
            .enable_all()
            .build()
            .map_err(|error| {
                Problem::new("no_threads", format!("no thread could be started: {error}"))
            })?;
        // Never shut down: a task that still runs would find it half gone.
        let runtime: &'static tokio::runtime::Runtime = Box::leak(Box::new(runtime));
        let until = self.began + self.limit / 2;
        runtime.block_on(answered(session, event, kept, Some(until)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_known_by_its_place() {
        let is_called = |line: &str| {
            let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            is_called(&words)
        };
        for line in [
            "m hook",
            "m hook Stop --bogus",
            "m --store hook hook",
            "m --json -v hook Stop",
            "m --bogus hook",
            "m --bogus value hook Stop",
            "m --bogus=value hook Stop",
        ] {
            assert!(is_called(line), "{line}");
        }
        for line in [
            "m",
            "m add hook",
            "m --json add hook",
            "m --scope hook add x",
            "m learn -- hook",
            "m hook --help",
        ] {
            assert!(!is_called(line), "{line}");
        }
    }
}
