//! `hindlore-bench processes`: the time of a whole process, from its start to its end, compared with an empty program.
//!
//! Each call is a process of its own, as a shell or an agent starts it; four run at once, and both sides take turns.
//! The first call starts a resident process, so the timed calls are those that an agent makes from its second call on;
//! rows without it are listed as well.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::lessons::{LessonsPlan, fill_file};
use super::memory::{Filled, NAMES};
use super::programs::next_to_this;
use super::{EvalError, Goal, Progress, Ratio, Report, Row, Samples};

/// Processes at the same time.
const AT_ONCE: u64 = 4;
/// Calls without a resident process: each loads the memory.
const COLD: u64 = 8;
/// Questions whose rankings are compared.
const COMPARED: usize = 10;
/// How long a resident process may take to listen.
const STARTING: Duration = Duration::from_secs(30);
/// Goals of a process beyond an empty program, in seconds: of a small and of a large memory, and of a hook.
const SMALL: f64 = 0.015;
const LARGE: f64 = 0.040;
const HOOK: f64 = 0.015;

/// How much is measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessesPlan {
    /// Numbers of bullets.
    pub sizes: Vec<u64>,
    /// Lessons in the file that hooks ask.
    pub lessons: u64,
    /// Timed processes of each kind.
    pub calls: u64,
}

/// Measures on files below `folder`, with the programs next to this one.
///
/// # Errors
/// When a file cannot be written, or a program is missing or does not answer.
pub async fn processes(
    folder: &Path,
    plan: &ProcessesPlan,
    progress: Progress<'_>,
) -> Result<Report, EvalError> {
    let mut report = Report::new("processes");
    for &size in &plan.sizes {
        progress(&format!("{size} bullets are written"));
        let filled = Filled::new(folder, usize::try_from(size).unwrap_or(usize::MAX), true).await?;
        let questions: Vec<String> = (0..64).map(|at| filled.question(at).to_owned()).collect();
        let path = filled.path.clone();
        drop(filled);
        let user = User::new(folder, &path)?;
        progress(&format!("{size} bullets are asked"));
        user.retrievals(plan, size, &questions, &mut report)?;
    }
    let path = folder.join("lessons.db");
    let lessons = LessonsPlan {
        lessons: plan.lessons,
        fingerprints: plan.lessons.div_ceil(5),
        ..LessonsPlan::default()
    };
    let error = fill_file(&path, (NAMES[0], NAMES[1]), &lessons, progress).await?;
    let user = User::new(folder, &path)?;
    progress("hooks are called");
    user.hooks(plan, &error, &mut report)?;
    Ok(report)
}

/// A user with a memory and the programs.
struct User {
    program: PathBuf,
    nothing: PathBuf,
    home: PathBuf,
    store: PathBuf,
}

impl User {
    fn new(home: &Path, store: &Path) -> Result<Self, EvalError> {
        Ok(Self {
            program: next_to_this("hindlore")?,
            nothing: next_to_this("hindlore-nothing")?,
            home: home.to_owned(),
            store: store.to_owned(),
        })
    }

    fn command(&self, program: &Path, words: &[&str], resident: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("HOME", &self.home);
        command.env("XDG_RUNTIME_DIR", &self.home);
        command.env("HINDLORE_RESIDENT", resident);
        command.env("HINDLORE_RESIDENT_ABOVE_BYTES", "0");
        command.env("HINDLORE_STORE", &self.store);
        for (name, value) in ["TENANT", "LEARNER", "SCOPE"].iter().zip(NAMES) {
            command.env(format!("HINDLORE_{name}"), value);
        }
        command.args(words).stdin(Stdio::null());
        command
    }

    /// Seconds of one process.
    fn timed(&self, program: &Path, call: &Call, resident: &str) -> Result<f64, EvalError> {
        let words: Vec<&str> = call.words.iter().map(String::as_str).collect();
        let mut command = self.command(program, &words, resident);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        if let Some(stdin) = &call.stdin {
            command.stdin(std::fs::File::open(stdin).map_err(failed)?);
        }
        let began = Instant::now();
        let status = command.status().map_err(failed)?;
        let took = began.elapsed().as_secs_f64();
        if status.success() || program == self.nothing {
            Ok(took)
        } else {
            Err(failed(format!("{:?} ended with {status}", call.words)))
        }
    }

    /// Times processes of ours and empty ones in turns, several at once.
    fn race(&self, calls: u64, call: &(impl Fn(u64) -> Call + Sync)) -> Result<Race, EvalError> {
        let side = |from: u64| -> Result<Vec<[f64; 2]>, EvalError> {
            let numbers = (from..calls).step_by(usize::try_from(AT_ONCE).unwrap_or(1));
            let pair = |number| {
                let call = call(number);
                Ok([
                    self.timed(&self.program, &call, "on")?,
                    self.timed(&self.nothing, &call, "on")?,
                ])
            };
            numbers.map(pair).collect()
        };
        let taken = thread::scope(|scope| {
            let threads: Vec<_> = (0..AT_ONCE)
                .map(|from| scope.spawn(move || side(from)))
                .collect();
            let joined = threads.into_iter().map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|_| Err(failed("a thread died".to_owned())))
            });
            joined.collect::<Result<Vec<_>, _>>()
        })?;
        let of = |at: usize| Samples::new(taken.iter().flatten().map(|pair| pair[at]).collect());
        Ok(Race {
            ours: of(0),
            nothing: of(1),
        })
    }

    /// Starts a resident process and waits until it answers.
    fn warm(&self, call: &Call) -> Result<(), EvalError> {
        self.timed(&self.program, call, "on")?;
        let began = Instant::now();
        while !self.listens() {
            if began.elapsed() > STARTING {
                return Err(failed("no resident process listens".to_owned()));
            }
            thread::sleep(Duration::from_millis(20));
        }
        // The first call that it answers loads the memory.
        self.timed(&self.program, call, "on").map(drop)
    }

    fn retrievals(
        &self,
        plan: &ProcessesPlan,
        size: u64,
        questions: &[String],
        report: &mut Report,
    ) -> Result<(), EvalError> {
        let ask = |number: u64| {
            let question = &questions[usize::try_from(number).unwrap_or(0) % questions.len()];
            Call::of(&["retrieve", "--json", "--", question])
        };
        let cold: Result<Vec<f64>, EvalError> = (0..COLD)
            .map(|at| self.timed(&self.program, &ask(at), "off"))
            .collect();
        let row = Row::measured("retrieve, on its own", Samples::new(cold?).p50(), "s");
        report.push(
            row.of_size(size)
                .with_note("it loads the memory; recorded and durable"),
        );
        self.warm(&ask(0))?;
        let race = self.race(plan.calls, &ask)?;
        let goal = if size > 10_000 { LARGE } else { SMALL };
        race.report(
            "retrieve",
            size,
            Aim {
                p50: Some(goal),
                p99: None,
            },
            report,
        );
        let equal = self.equal(questions)?;
        let row = Row::measured(
            "rankings equal to those of a process on its own",
            equal,
            "share",
        );
        report.push(row.of_size(size).with_goal(Goal::AtLeast(1.0)));
        self.end()
    }

    /// The share of questions that the resident process answers exactly as a process on its own.
    fn equal(&self, questions: &[String]) -> Result<f64, EvalError> {
        let answer = |question: &str, resident: &str| -> Result<Value, EvalError> {
            let words = ["retrieve", "--json", "--peek", "--", question];
            let output = self
                .command(&self.program, &words, resident)
                .output()
                .map_err(failed)?;
            let answer: Value = serde_json::from_slice(&output.stdout).map_err(failed)?;
            Ok(answer["results"].clone())
        };
        let asked = questions.iter().take(COMPARED);
        let pairs: Result<Vec<bool>, EvalError> = asked
            .map(|question| Ok(answer(question, "on")? == answer(question, "off")?))
            .collect();
        let pairs = pairs?;
        Ok(pairs.iter().filter(|is_equal| **is_equal).count() as f64 / pairs.len().max(1) as f64)
    }

    fn hooks(
        &self,
        plan: &ProcessesPlan,
        error: &str,
        report: &mut Report,
    ) -> Result<(), EvalError> {
        let command = json!({"command": "join --all rooms"});
        let events = [
            (
                "before a tool",
                json!({"hook_event_name": "PreToolUse", "tool_input": command}),
            ),
            (
                "after a failed tool",
                json!({"hook_event_name": "PostToolUseFailure", "tool_input": command, "error": error}),
            ),
            (
                "a prompt",
                json!({"hook_event_name": "UserPromptSubmit", "prompt": "join the rooms"}),
            ),
        ];
        for (moment, mut event) in events {
            let fields = [("session_id", "bench"), ("cwd", "/"), ("tool_name", "Bash")];
            for (name, value) in fields {
                event[name] = json!(value);
            }
            let file = self.home.join("event.json");
            std::fs::write(&file, event.to_string()).map_err(failed)?;
            let call = Call {
                words: vec![
                    "hook".to_owned(),
                    "--timeout-ms".to_owned(),
                    "5000".to_owned(),
                ],
                stdin: Some(file),
            };
            self.warm(&call)?;
            let race = self.race(plan.calls, &|_| call.clone())?;
            let aim = Aim {
                p50: None,
                p99: Some(HOOK),
            };
            race.report(&format!("hook, {moment}"), plan.lessons, aim, report);
        }
        self.end()
    }

    /// True if a resident process takes calls.
    fn listens(&self) -> bool {
        let entries = std::fs::read_dir(self.home.join("hindlore"));
        let mut paths = entries
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        paths.any(|path| path.extension().is_some_and(|end| end == "sock"))
    }

    fn end(&self) -> Result<(), EvalError> {
        self.command(&self.program, &["resident", "--stop"], "on")
            .output()
            .map_err(failed)?;
        let began = Instant::now();
        while self.listens() && began.elapsed() < STARTING {
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

fn failed(why: impl ToString) -> EvalError {
    EvalError::new(
        why.to_string(),
        "build all programs, and look at the folder for temporary files",
    )
}

/// A command line.
#[derive(Clone)]
struct Call {
    words: Vec<String>,
    /// A file for stdin.
    stdin: Option<PathBuf>,
}

impl Call {
    fn of(words: &[&str]) -> Self {
        Self {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            stdin: None,
        }
    }
}

/// Goal of a process beyond an empty program, in seconds.
#[derive(Clone, Copy)]
struct Aim {
    p50: Option<f64>,
    p99: Option<f64>,
}

/// Times of both sides.
struct Race {
    ours: Samples,
    nothing: Samples,
}

impl Race {
    fn report(&self, name: &str, size: u64, aim: Aim, report: &mut Report) {
        let quantiles: [(&str, f64, Option<f64>); 2] =
            [("p50", 0.5, aim.p50), ("p99", 0.99, aim.p99)];
        for (word, share, aim) in quantiles {
            let (ours, theirs) = (self.ours.quantile(share), self.nothing.quantile(share));
            let row = Row::measured(format!("{name}, {word}"), ours, "s")
                .of_size(size)
                .beside("an empty program", theirs, Ratio::OursToTheirs);
            report.push(row);
            let Some(aim) = aim else { continue };
            let row = Row::measured(
                format!("{name}, {word} beyond an empty program"),
                ours - theirs,
                "s",
            );
            report.push(row.of_size(size).with_goal(Goal::AtMost(aim)));
        }
    }
}
