//! `hindlore-bench lessons`: finding the right lesson among very many, after an error with a known fingerprint and
//! after an unseen one, compared with a bare indexed read of the same store.
//!
//! The lessons are generated, so that any number can be had. Both sides take turns in blocks.

mod graph;
mod made;
mod rows;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use serde_json::Value;

use self::made::Made;
use self::rows::Rows;
use super::{EvalError, Goal, Progress, Ratio, Report, Row, Samples};
use hindlore::clock::SystemClock;
use hindlore::lessons::{LessonCall, LessonRequest, LessonsRetrieved};
use hindlore::{Engine, EngineOptions};
use hindlore_domain::lesson::lesson::{LearnerId, Place};
use hindlore_domain::lesson::retrieval::query::RankingMode;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_errors::fingerprint::Evidence;
use hindlore_neo4j::Neo4jOptions;
use hindlore_primitives::ids::FingerprintId;
use hindlore_store::Store;

/// How much is measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LessonsPlan {
    /// Lessons in the store.
    pub lessons: u64,
    /// Fingerprints that they hang on.
    pub fingerprints: u64,
    /// Timed calls of each kind.
    pub calls: u64,
    /// Calls before the other side has its turn.
    pub block: u64,
}

impl Default for LessonsPlan {
    fn default() -> Self {
        Self {
            lessons: 1_000_000,
            fingerprints: 200_000,
            calls: 400,
            block: 20,
        }
    }
}

/// Reads the lessons of a fingerprint in the plainest way that the store has.
#[async_trait]
trait BareRead: Send {
    /// Gives how many lessons were read.
    async fn read(&mut self, fingerprint: FingerprintId) -> Result<usize, EvalError>;
}

/// Measures on a file below `folder`.
///
/// When the file cannot be written, or its data is not found.
pub async fn lessons(
    folder: &Path,
    plan: &LessonsPlan,
    progress: Progress<'_>,
) -> Result<Report, EvalError> {
    let path = folder.join("lessons.db");
    let store = EmbeddedStore::open(&path, EmbeddedOptions::default()).map_err(failed)?;
    let store: Arc<dyn Store> = Arc::new(store);
    let side = Side {
        name: "embedded",
        engine: engine(store.clone()),
        store,
        owner: LearnerId::new("bench", "lessons").map_err(failed)?,
        limit: None,
    };
    let mut report = Report::new("lessons");
    let seconds = side.fill(plan, progress).await?;
    let mut bare = Rows::open(&path, &side.owner)?;
    side.measure((plan, seconds), &mut bare, progress, &mut report)
        .await?;
    Ok(report)
}

/// Writes generated lessons into a file, for a learner; gives the text of an error that some are about.
pub(crate) async fn fill_file(
    path: &Path,
    owner: (&str, &str),
    plan: &LessonsPlan,
    progress: Progress<'_>,
) -> Result<String, EvalError> {
    let store = EmbeddedStore::open(path, EmbeddedOptions::default()).map_err(failed)?;
    let store: Arc<dyn Store> = Arc::new(store);
    let side = Side {
        name: "embedded",
        engine: engine(store.clone()),
        store,
        owner: LearnerId::new(owner.0, owner.1).map_err(failed)?,
        limit: None,
    };
    side.fill(plan, progress).await?;
    Ok(Made::new(plan, &side.owner).error(1))
}

/// Measures on a server; the written data is erased at the end.
///
/// When the server cannot be reached or written to, or its data is not found.
pub async fn lessons_on(
    options: Neo4jOptions,
    plan: &LessonsPlan,
    progress: Progress<'_>,
) -> Result<Report, EvalError> {
    let graph = graph::Graph::connect(options).await?;
    let side = Side {
        name: "neo4j",
        engine: engine(graph.store.clone()),
        store: graph.store.clone(),
        owner: graph.owner.clone(),
        limit: Some(1.5),
    };
    let mut report = Report::new("lessons");
    let measured = async {
        let seconds = side.fill(plan, progress).await?;
        let mut bare = graph.bare(&side.owner).await?;
        side.measure((plan, seconds), &mut bare, progress, &mut report)
            .await
    };
    let measured = measured.await;
    progress("erasing");
    let erased = side
        .engine
        .erase(side.owner.tenant(), side.owner.learner(), None);
    let erased = erased.await.map_err(failed);
    measured?;
    erased?;
    Ok(report)
}

fn engine(store: Arc<dyn Store>) -> Engine {
    let options = EngineOptions {
        instance: "bench".to_owned(),
        ..EngineOptions::default()
    };
    Engine::new(store, Arc::new(SystemClock), options)
}

/// Seconds of single calls.
#[derive(Default)]
struct Taken {
    exact: Vec<f64>,
    plain: Vec<f64>,
    around: Vec<f64>,
    /// Rows that the walks read.
    rows: usize,
    /// Walks that the work limit ended.
    cut: usize,
}

impl Taken {
    fn add(&mut self, other: Self) {
        self.exact.extend(other.exact);
        self.plain.extend(other.plain);
        self.around.extend(other.around);
        self.rows += other.rows;
        self.cut += other.cut;
    }

    fn report(self, side: &Side, plan: &LessonsPlan, seconds: f64, report: &mut Report) {
        let row = |what: &str, ours, unit| {
            Row::measured(format!("{} {what}", side.name), ours, unit).of_size(plan.lessons)
        };
        let (exact, plain) = (Samples::new(self.exact), Samples::new(self.plain));
        let around = Samples::new(self.around);
        report.push(
            row("fill", plan.lessons as f64 / seconds, "1/s")
                .with_note(format!("on {} fingerprints", plan.fingerprints)),
        );
        let note = format!(
            "p50 of {} each by turns; p99 {:.2} ms and {:.2} ms",
            exact.len(),
            exact.p99() * 1e3,
            plain.p99() * 1e3,
        );
        let beside = "bare indexed read, same lessons";
        let hit = row("exact", exact.p50(), "s")
            .beside(beside, plain.p50(), Ratio::OursToTheirs)
            .with_note(note);
        report.push(match side.limit {
            Some(limit) => hit.with_goal(Goal::RatioAtMost(limit)),
            None => hit,
        });
        let note = format!(
            "p50 of {}, p99 {:.2} ms; one tag is on every fingerprint; {:.0} rows are read, {} walks were cut",
            around.len(),
            around.p99() * 1e3,
            self.rows as f64 / around.len().max(1) as f64,
            self.cut,
        );
        let beside = "bare indexed read, lessons of one fingerprint";
        let near = row("neighbourhood", around.p50(), "s");
        let near = near.beside(beside, plain.p50(), Ratio::OursToTheirs);
        report.push(near.with_note(note));
    }
}

/// One store with its engine.
struct Side {
    name: &'static str,
    engine: Engine,
    /// The store of the engine, to be filled without the rules of the engine.
    store: Arc<dyn Store>,
    owner: LearnerId,
    /// How often the bare read's time an exact hit may take.
    limit: Option<f64>,
}

impl Side {
    /// Writes all lessons; gives the seconds that it took.
    async fn fill(&self, plan: &LessonsPlan, progress: Progress<'_>) -> Result<f64, EvalError> {
        let made = Made::new(plan, &self.owner);
        let started = Instant::now();
        for (number, commit) in made.commits().enumerate() {
            if number % 50 == 0 {
                let written = number as u64 * made::PIECE;
                progress(&format!("{}: {written} lessons are written", self.name));
            }
            let commit = commit?;
            let decide = Box::new(move |_| commit.clone());
            let done = self
                .store
                .transact_lessons(&self.owner, Default::default(), decide);
            done.await.map_err(failed)?;
        }
        Ok(started.elapsed().as_secs_f64())
    }

    async fn measure(
        &self,
        (plan, seconds): (&LessonsPlan, f64),
        bare: &mut dyn BareRead,
        progress: Progress<'_>,
        report: &mut Report,
    ) -> Result<(), EvalError> {
        let made = Made::new(plan, &self.owner);
        // The first calls are slower than they will be.
        let warm = plan.calls.div_ceil(4);
        let mut taken = Taken::default();
        let mut from = 0;
        while from < warm + plan.calls {
            progress(&format!("{}: call {from} of each kind", self.name));
            // A block is warm or timed as a whole.
            let end = if from < warm { warm } else { warm + plan.calls };
            let end = end.min(from + plan.block.max(1));
            let block = self.block(&made, from..end, bare).await?;
            if from >= warm {
                taken.add(block);
            }
            from = end;
        }
        taken.report(self, plan, seconds, report);
        Ok(())
    }

    /// Equal calls in all three methods.
    async fn block(
        &self,
        made: &Made<'_>,
        calls: std::ops::Range<u64>,
        bare: &mut dyn BareRead,
    ) -> Result<Taken, EvalError> {
        let mut taken = Taken::default();
        for call in calls.clone() {
            let at = made.drawn(call);
            let (took, found) = self.ask(made.error(at), Vec::new(), true).await?;
            if found.lessons.is_empty() {
                return Err(failed(format!("error {at} has no lesson")));
            }
            taken.exact.push(took);
        }
        for call in calls.clone() {
            let fingerprint = made.fingerprint(made.drawn(call));
            let started = Instant::now();
            let found = bare.read(fingerprint).await?;
            taken.plain.push(started.elapsed().as_secs_f64());
            if found == 0 {
                return Err(failed("the bare read finds nothing"));
            }
        }
        for call in calls {
            let at = made.drawn(call);
            let unknown = format!("{} as never before", made.error(at));
            let (took, found) = self.ask(unknown, made.tags(at), false).await?;
            if found.lessons.is_empty() {
                return Err(failed(format!("the tags of error {at} lead nowhere")));
            }
            taken.around.push(took);
            taken.rows += found.rows;
            taken.cut += usize::from(found.cut);
        }
        Ok(taken)
    }

    /// Asks once; gives the seconds and the answer.
    async fn ask(
        &self,
        error: String,
        tags: Vec<String>,
        exact_only: bool,
    ) -> Result<(f64, LessonsRetrieved), EvalError> {
        let evidence = Evidence {
            error: Value::from(error),
            ..Evidence::default()
        };
        let request = LessonRequest {
            run: None,
            call: LessonCall::OnError {
                step: 1,
                evidence,
                exit_code: None,
            },
            text: String::new(),
            tags,
            place: Place::default(),
            max_results: None,
            mode: RankingMode::default(),
            exact_only,
            fit: None,
            scope: None,
        };
        let started = Instant::now();
        let found = self.engine.retrieve_lessons(&self.owner, request).await;
        let took = started.elapsed().as_secs_f64();
        Ok((took, found.map_err(failed)?))
    }
}

/// A benchmark that cannot continue.
fn failed(error: impl std::fmt::Display) -> EvalError {
    EvalError::new(
        format!("lessons could not be measured: {error}"),
        "name a place that may be written to, with room for the lessons",
    )
}
