//! A learner with an engine on a store of its own, and runs that go wrong on purpose.

use std::sync::Arc;

use hindlore::clock::{SetClock, WallClock};
use hindlore::lessons::{
    EndRun, EndedRun, ImportedLesson, LessonCall, LessonImport, LessonRequest, LessonRules,
    LessonsImported, LessonsRetrieved, StepDetail, StepInput,
};
use hindlore::{Engine, EngineOptions};
use hindlore_domain::lesson::event::StepReport;
use hindlore_domain::lesson::feedback::Feedback;
use hindlore_domain::lesson::lesson::{Counts, LearnerId, Lesson, Reach, Status};
use hindlore_domain::lesson::retrieval::query::RankingMode;
use hindlore_domain::lesson::rule::Rule;
use hindlore_errors::fingerprint::{Evidence, Fingerprinter};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::reading::LessonPage;
use hindlore_testkit::TemporaryStore;
use serde_json::{Value, json};

use super::world::place;

pub(crate) const BAD: &str = "gridtool sort --by price DESC";
pub(crate) const GOOD: &str = "gridtool sort --by price desc";
/// Names the right form, so that one run is enough for a candidate.
pub(crate) const ERROR: &str = "ERROR: unknown sort direction 'DESC', use 'desc' instead";

pub(crate) struct Scene {
    pub(crate) place: TemporaryStore,
    pub(crate) clock: Arc<SetClock>,
    pub(crate) engine: Engine,
    pub(crate) owner: LearnerId,
}

impl Scene {
    /// No run is a control run.
    pub(crate) fn new() -> Self {
        Self::with_control(0.0)
    }

    pub(crate) fn with_control(rate: f64) -> Self {
        let mut rules = LessonRules::default();
        rules.numbers.control_rate = rate;
        Self::with_rules(rules)
    }

    pub(crate) fn with_rules(rules: LessonRules) -> Self {
        let place = TemporaryStore::new().unwrap();
        let clock = Arc::new(SetClock::at(minute(0)));
        let engine = engine_on(&place, &clock, rules);
        Self {
            place,
            clock,
            engine,
            owner: LearnerId::new("t", "learner").unwrap(),
        }
    }

    /// The lessons of the learner, in any status.
    pub(crate) async fn lessons(&self) -> Vec<Lesson> {
        let page = LessonPage {
            limit: 50,
            ..LessonPage::default()
        };
        self.engine.lessons(&self.owner, page).await.unwrap().rows
    }

    /// Lets a minute pass.
    pub(crate) fn pass(&self) {
        let now = self.clock.now().millis();
        self.clock.set(Timestamp::from_millis(now + 60_000));
    }

    /// Another engine on the same file, as another process would have.
    pub(crate) fn another(&self) -> Engine {
        let mut rules = LessonRules::default();
        rules.numbers.control_rate = self.engine.options().lessons.numbers.control_rate;
        engine_on(&self.place, &self.clock, rules)
    }

    pub(crate) async fn failed(&self, run: &str, step: u32, action: &str, error: &str) {
        let step = failing(run, step, action, error);
        self.engine.capture_error(&self.owner, step).await.unwrap();
    }

    pub(crate) async fn worked(&self, run: &str, step: u32, action: &str) {
        let step = working(run, step, action);
        self.engine.capture_error(&self.owner, step).await.unwrap();
    }

    pub(crate) async fn ended(&self, run: &str) -> EndedRun {
        let request = EndRun {
            run: run.to_owned(),
            ..EndRun::default()
        };
        self.engine.end_run(&self.owner, request).await.unwrap()
    }

    /// A run that fails once, then does it right: it leaves the lesson.
    pub(crate) async fn lesson_learned(&self, run: &str) -> EndedRun {
        self.failed(run, 1, BAD, ERROR).await;
        self.worked(run, 2, GOOD).await;
        self.ended(run).await
    }

    pub(crate) async fn asked(
        &self,
        run: Option<&str>,
        step: u32,
        error: &str,
    ) -> LessonsRetrieved {
        let request = on_error(run, step, error);
        self.engine
            .retrieve_lessons(&self.owner, request)
            .await
            .unwrap()
    }

    pub(crate) async fn imported(&self, lessons: Vec<ImportedLesson>) -> LessonsImported {
        let import = LessonImport {
            source: "file".to_owned(),
            lessons,
            fingerprints: Vec::new(),
        };
        self.engine
            .import_lessons(&self.owner, import)
            .await
            .unwrap()
    }
}

fn engine_on(place: &TemporaryStore, clock: &Arc<SetClock>, rules: LessonRules) -> Engine {
    let options = EngineOptions {
        lessons: Arc::new(rules),
        ..EngineOptions::default()
    };
    Engine::new(place.store().unwrap(), clock.clone(), options)
}

pub(crate) fn minute(minutes: i64) -> Timestamp {
    Timestamp::from_millis(1_790_000_000_000 + minutes * 60_000)
}

pub(crate) fn working(run: &str, step: u32, action: &str) -> StepInput {
    StepInput {
        report: StepReport {
            run: run.to_owned(),
            step,
            allowed_steps: None,
            evidence: Evidence {
                action: json!(action),
                ..Evidence::default()
            },
            feedback: Feedback::default(),
            exit_code: Some(0),
            unsafe_action: false,
            place: place("report", "grid"),
            tags: Vec::new(),
            at: minute(0),
        },
        plan_step: None,
        followed: Vec::new(),
        detail: StepDetail::default(),
        scope: None,
    }
}

pub(crate) fn failing(run: &str, step: u32, action: &str, error: &str) -> StepInput {
    let mut input = working(run, step, action);
    input.report.evidence.error = Value::from(error);
    input.report.feedback.hard_failure = true;
    input.report.exit_code = Some(1);
    input
}

pub(crate) fn on_error(run: Option<&str>, step: u32, error: &str) -> LessonRequest {
    LessonRequest {
        run: run.map(str::to_owned),
        call: LessonCall::OnError {
            step,
            evidence: evidence(error),
            exit_code: Some(1),
        },
        text: String::new(),
        tags: Vec::new(),
        place: place("report", "grid"),
        max_results: None,
        mode: RankingMode::Direct,
        exact_only: false,
        fit: None,
        scope: None,
    }
}

fn evidence(error: &str) -> Evidence {
    Evidence {
        error: Value::from(error),
        action: json!(BAD),
        ..Evidence::default()
    }
}

/// A lesson of another program about an error text.
pub(crate) fn foreign(rule: &str, error: &str, status: Status) -> ImportedLesson {
    ImportedLesson {
        rule: Rule::parse(rule).unwrap(),
        triggers: Fingerprinter::default().of(&evidence(error)).ids(),
        tags: Vec::new(),
        reach: Reach::Domain,
        place: place("report", "grid"),
        status,
        reliability: 0.5,
        counts: Counts::default(),
        impact: 0.0,
        source_runs: Vec::new(),
        created_at: None,
        evidence_at: None,
    }
}
