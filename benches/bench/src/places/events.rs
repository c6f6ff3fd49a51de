//! Row 11: the file and the opening of a store after few and after many recorded events on the same bullets.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::{Run, failed, median};
use crate::error::EvalError;
use crate::memory::{Filled, NAMES};
use crate::report::{Goal, Ratio, Report, Row};
use hindlore::clock::SystemClock;
use hindlore::{
    Durability, Engine, EngineError, EngineOptions, Feedback, RetrieveRequest, Verdict,
};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};

const BULLETS: usize = 1_000;
/// Agents at the same time, and the events of each in a batch: retrievals, of which the last one gets feedback.
const AGENTS: u64 = 32;
const OF_AGENT: u64 = 10;
/// How many times the file and the opening after the fewest events those after more may take.
const FILE_MAX: f64 = 3.0;
const OPENING_MAX: f64 = 1.2;
/// Time between two words of progress.
const WORD: Duration = Duration::from_secs(2);

/// A store and its openings.
struct Recorded {
    events: u64,
    path: PathBuf,
    questions: Vec<String>,
    openings: Vec<f64>,
}

/// Records the events, then opens the stores in turns.
pub(super) async fn rows(run: &Run<'_>, report: &mut Report) -> Result<(), EvalError> {
    let counts = match (run.plan.events.as_slice(), run.plan.quick) {
        ([], true) => vec![320, 640],
        ([], false) => vec![10_000, 1_000_000],
        (given, _) => given.to_vec(),
    };
    let mut all = Vec::new();
    for events in counts {
        let folder = run.user.home.join(format!("events-{events}"));
        fs::create_dir_all(&folder).map_err(failed)?;
        let filled =
            Filled::new(&folder, if run.plan.quick { 100 } else { BULLETS }, false).await?;
        let recorded = Recorded {
            events,
            path: filled.path.clone(),
            questions: (0..256).map(|at| filled.question(at).to_owned()).collect(),
            openings: Vec::new(),
        };
        drop(filled);
        recorded.record(run).await?;
        all.push(recorded);
    }
    for _ in 0..run.often(15, 3) {
        for recorded in &mut all {
            let began = Instant::now();
            let (engine, key) = open(&recorded.path)?;
            let request = RetrieveRequest::peek(Query::new(&recorded.questions[0]));
            engine.retrieve(&key, request).await.map_err(failed)?;
            recorded.openings.push(began.elapsed().as_secs_f64());
        }
    }
    let Some((few, others)) = all.split_first() else {
        return Ok(());
    };
    let peer = format!("after {} events", few.events);
    for many in others {
        let row = |name: &str, ours, unit| {
            Row::measured(format!("11 {name}, after more events"), ours, unit).of_size(many.events)
        };
        let file = row("file of a store", many.megabytes()?, "MB");
        let file = file.beside(&peer, few.megabytes()?, Ratio::OursToTheirs);
        report.push(file.with_goal(Goal::RatioAtMost(FILE_MAX)));
        let opening = row(
            "opening until the first answer",
            median(&many.openings),
            "s",
        );
        let opening = opening.beside(&peer, median(&few.openings), Ratio::OursToTheirs);
        report.push(opening.with_goal(Goal::RatioAtMost(OPENING_MAX)));
    }
    Ok(())
}

impl Recorded {
    /// Records the events by many agents at once, then closes the store.
    async fn record(&self, run: &Run<'_>) -> Result<(), EvalError> {
        let (engine, key) = open(&self.path)?;
        let (mut done, mut word) = (0, Instant::now());
        run.say(&format!("row 11: {} events are recorded", self.events));
        while done < self.events {
            let mut agents = JoinSet::new();
            for agent in 0..AGENTS {
                let questions: Vec<String> = (1..OF_AGENT)
                    .map(|at| {
                        let number = done + agent * OF_AGENT + at;
                        let at = usize::try_from(number).unwrap_or(0) % self.questions.len();
                        self.questions[at].clone()
                    })
                    .collect();
                agents.spawn(events(engine.clone(), key.clone(), questions));
            }
            for ended in agents.join_all().await {
                ended.map_err(failed)?;
            }
            done += AGENTS * OF_AGENT;
            if word.elapsed() > WORD {
                run.say(&format!("row 11: {done} of {} events", self.events));
                word = Instant::now();
            }
        }
        engine.flush_all().await;
        engine.drain().await;
        Ok(())
    }

    /// Size of the file, with the log that is not in it yet.
    fn megabytes(&self) -> Result<f64, EvalError> {
        let mut log = self.path.as_os_str().to_owned();
        log.push("-wal");
        let log = fs::metadata(log).map_or(0, |file| file.len());
        let file = fs::metadata(&self.path).map_err(failed)?.len();
        Ok((file + log) as f64 / 1e6)
    }
}

/// Recorded retrievals, and the feedback that the last of them helped.
async fn events(engine: Engine, key: MemoryKey, questions: Vec<String>) -> Result<(), EngineError> {
    let mut last = None;
    for question in questions {
        let request = RetrieveRequest::new(Query::new(question));
        last = Some(engine.retrieve(&key, request).await?);
    }
    let Some(answer) = last else { return Ok(()) };
    if let (Some(retrieval), Some(best)) = (answer.retrieval, answer.bullets.first()) {
        let feedback = Feedback {
            retrieval,
            verdicts: vec![(best.bullet.id, Verdict::Helped)],
            author: None,
        };
        engine.give_feedback(&key, feedback).await?;
    }
    Ok(())
}

/// An engine that need not wait for the disk.
fn open(path: &Path) -> Result<(Engine, MemoryKey), EvalError> {
    let options = EmbeddedOptions {
        durable: false,
        ..EmbeddedOptions::default()
    };
    let store = EmbeddedStore::open(path, options).map_err(failed)?;
    let options = EngineOptions {
        durability: Durability::Grouped {
            window: Duration::from_millis(20),
        },
        consolidate_above: None,
        ..EngineOptions::default()
    };
    let [tenant, learner, scope] = NAMES;
    let key = MemoryKey::new(tenant, learner, scope).map_err(failed)?;
    Ok((
        Engine::new(Arc::new(store), Arc::new(SystemClock), options),
        key,
    ))
}
