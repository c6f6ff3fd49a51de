//! Builders for the rows of clauses about lessons: values that a store must keep, with everything else in place.

use std::sync::{Arc, Mutex};

use hindlore_domain::lesson::activation::{Activation, RetrievalChannel, Trigger, activation_id};
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::evidence::evidence_row::{EvidenceRow, RowKind, Witness};
use hindlore_domain::lesson::evidence::outcome::{Baseline, Outcome};
use hindlore_domain::lesson::feedback::Channel;
use hindlore_domain::lesson::learning::candidate::Origin;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, NewLesson, Place, Reach, Status};
use hindlore_domain::lesson::rule::Rule;
use hindlore_domain::trajectory::{Feedback, Metrics, StepKind, TraceState};
use hindlore_errors::fingerprint::{Fingerprint, Fingerprints, Level};
use hindlore_primitives::ids::{EventId, FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::rows::{
    ActivationRow, Conflict, LessonSource, OperationReceipt, Review, RunEnd, RunRow, StepRow,
};
use hindlore_store::lessons::trajectory::TrajectoryFields;
use hindlore_store::lessons::transaction::{Ask, Gathered, LessonCommit};
use hindlore_store::{Store, StoreResult};

use crate::subject::{Subject, moment};

impl Subject {
    /// A learner of the subject's own tenant.
    pub fn owner(&self, learner: &str) -> LearnerId {
        LearnerId::new(&self.tenant, learner).unwrap()
    }

    /// Writes a commit unconditionally.
    pub async fn write(&self, owner: &LearnerId, commit: LessonCommit) -> StoreResult<()> {
        write(&*self.store, owner, commit).await
    }

    /// Reads under the lock and writes nothing.
    pub async fn gather(&self, owner: &LearnerId, ask: Ask) -> Gathered {
        gather(&*self.store, owner, ask).await.unwrap()
    }
}

/// Writes a commit to a store unconditionally.
pub async fn write(store: &dyn Store, owner: &LearnerId, commit: LessonCommit) -> StoreResult<()> {
    let mut commit = Some(commit);
    let decide = Box::new(move |_| commit.take().unwrap());
    store.transact_lessons(owner, Ask::default(), decide).await
}

/// Reads from a store under its lock, and writes nothing.
pub async fn gather(store: &dyn Store, owner: &LearnerId, ask: Ask) -> StoreResult<Gathered> {
    let found = Arc::new(Mutex::new(None));
    let seen = found.clone();
    let decide = Box::new(move |gathered| {
        *seen.lock().unwrap() = Some(gathered);
        LessonCommit::default()
    });
    store.transact_lessons(owner, ask, decide).await?;
    Ok(found.lock().unwrap().take().unwrap())
}

/// The id of the fingerprint with a number.
pub fn fp(n: u16) -> FingerprintId {
    let mut id = [7; 10];
    id[..2].copy_from_slice(&n.to_be_bytes());
    FingerprintId(id)
}

/// The fingerprint with a number, and its source text.
pub fn print(n: u16) -> Fingerprint {
    Fingerprint {
        id: fp(n),
        normalised: format!("error number {n}"),
    }
}

/// The texts as an owned list.
pub fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

/// A place without a tool.
pub fn at_place(task: &str, domain: &str) -> Place {
    Place {
        task: Some(task.to_owned()),
        domain: Some(domain.to_owned()),
        tool: None,
    }
}

/// An open run of the task `report` in the domain `grid`.
pub fn run(id: &str, at_ms: i64) -> RunRow {
    RunRow {
        id: id.to_owned(),
        place: at_place("report", "grid"),
        intent: "make a report".to_owned(),
        control: false,
        allowed_steps: None,
        steps: 3,
        changes: 1,
        started_at: moment(at_ms),
        last_at: moment(at_ms),
        end: None,
        trajectory: TrajectoryFields::default(),
    }
}

/// The fields of a run as a trajectory, with a value in every one.
pub fn full_fields(parent: Option<&str>) -> TrajectoryFields {
    let feedback = |id: &str, score| Feedback {
        id: id.to_owned(),
        kind: "human".to_owned(),
        score,
        source: Some("Zoë".to_owned()),
        message: Some("a\nb \u{1F600}".to_owned()),
        metrics: Metrics::new([("tokens".to_owned(), 0.1 + 0.2)].into()).unwrap(),
        at: moment(77),
    };
    TrajectoryFields {
        task_type: Some("späte Ernte, \"x\"".to_owned()),
        agent: Some("agent 文件".to_owned()),
        user: Some("Zoë".to_owned()),
        parent: parent.map(str::to_owned),
        scope: Some("github.com/a/b".to_owned()),
        is_partial: true,
        stalled: true,
        error: Some("no such\nplace".to_owned()),
        measured: Metrics::new([("cost_usd".to_owned(), 0.1 + 0.7)].into()).unwrap(),
        feedback: vec![feedback("f2", Some(0.1 + 0.2)), feedback("f1", None)],
        relearning: Some(7),
        reflected_at: Some(moment(80)),
        trace: TraceState::Archived,
        trace_hash: Some("ab".repeat(32)),
        due_at: Some(moment(81)),
    }
}

/// The run, ended.
pub fn ended(mut run: RunRow, at_ms: i64) -> RunRow {
    run.end = Some(RunEnd {
        passed: Some(true),
        score: None,
        at: moment(at_ms),
        idle: false,
        occurrences: Vec::new(),
        in_force: Vec::new(),
        followed: Vec::new(),
        subjects: Vec::new(),
        metrics: "{}".to_owned(),
    });
    run
}

/// A step of a run; only its success is given.
pub fn step(run: &str, number: u32, failed: bool) -> StepRow {
    StepRow {
        run: run.to_owned(),
        step: number,
        action: format!("\"do {number}\""),
        plan_step: None,
        failed,
        followed: Vec::new(),
        at: moment(0),
        id: None,
        kind: StepKind::Action,
        description: String::new(),
        metadata: None,
    }
}

/// An error with a fine and a coarse fingerprint.
pub fn error(owner: &LearnerId, run: &str, step: u32, prints: (u16, u16)) -> ErrorEvent {
    let mut id = [0; 10];
    id[..2].copy_from_slice(&prints.0.to_be_bytes());
    id[2..6].copy_from_slice(&step.to_be_bytes());
    for (place, byte) in run.bytes().enumerate() {
        id[6 + place % 4] = id[6 + place % 4].wrapping_mul(31).wrapping_add(byte);
    }
    ErrorEvent {
        id: EventId(id),
        owner: owner.clone(),
        run: run.to_owned(),
        step,
        channels: vec![Channel::HardFailure],
        error: format!("boom {}", prints.0),
        state: String::new(),
        action: "do".to_owned(),
        state_after: String::new(),
        reason: String::new(),
        place: at_place("report", "grid"),
        tags: texts(&["timeout"]),
        fingerprints: Fingerprints {
            fine: print(prints.0),
            coarse: print(prints.1),
        },
        progress: None,
        efficiency: None,
        failed_constraints: Vec::new(),
        at: moment(i64::from(step)),
    }
}

/// A live lesson of the task `report` in the domain `grid`.
pub fn lesson(owner: &LearnerId, n: u16, triggers: &[u16], tags: &[&str]) -> Lesson {
    let mut lesson = Lesson::new(NewLesson {
        owner: owner.clone(),
        rule: Rule::parse(&format!("WRONG cmd{n} a → CORRECT cmd{n} b")).unwrap(),
        triggers: triggers.iter().map(|n| fp(*n)).collect(),
        tags: texts(tags),
        reach: Reach::Domain,
        place: at_place("report", "grid"),
        source_run: Some("r1".to_owned()),
        status: Status::Candidate,
        at: moment(0),
    });
    let mut id = [9; 10];
    id[..2].copy_from_slice(&n.to_be_bytes());
    lesson.id = LessonId(id);
    lesson
}

/// The lesson, with its newest evidence `evidence_ms` after the builders' first moment.
pub fn dated(mut lesson: Lesson, evidence_ms: i64) -> Lesson {
    lesson.evidence_at = moment(evidence_ms);
    lesson
}

/// The lesson in another status.
pub fn with_status(mut lesson: Lesson, status: Status) -> Lesson {
    lesson.status = status;
    lesson
}

/// The ids of lessons, in their order.
pub fn ids(lessons: &[Lesson]) -> Vec<LessonId> {
    lessons.iter().map(|lesson| lesson.id).collect()
}

/// A lesson shown on an error, at a step of a run; nothing became of it yet.
pub fn activation(run: &str, lesson: &Lesson, number: u32, at_ms: i64) -> ActivationRow {
    let activation = Activation {
        id: activation_id(run, lesson.id, Trigger::OnError, number),
        run: run.to_owned(),
        lesson: lesson.id,
        moment: Trigger::OnError,
        step: number,
        trigger: Some((lesson.triggers[0], Level::Coarse)),
        lane: RetrievalChannel::Transfer,
        score: 0.1 + 0.2,
        withheld: false,
        beat: Vec::new(),
        at: moment(at_ms),
        outcome: None,
    };
    ActivationRow {
        activation,
        triggers: lesson.triggers.clone(),
        explanation: "{\"path\":\"…\"}".to_owned(),
    }
}

/// The outcome of an activation; the error came back where the utility is below 0.
pub fn outcome(utility: f64, at: Timestamp) -> Outcome {
    Outcome {
        recurred: utility < 0.0,
        failures_after: 2,
        baseline: Baseline {
            rate: 1.0 / 3.0,
            samples: 3,
            median_steps: Some(7.5),
            mean_score: None,
        },
        error_reduction: utility / 0.65,
        step_efficiency_gain: -0.0,
        referee_score_gain: None,
        utility,
        row: EvidenceRow {
            kind: match utility {
                worth if worth > 0.0 => RowKind::Cured,
                worth if worth < 0.0 => RowKind::Failed,
                _ => RowKind::Unknown,
            },
            witness: Witness::Adapter,
            followed_step: Some(3),
            needed: true,
        },
        at,
    }
}

/// A commit of runs that hold errors.
pub fn raising(runs: &[RunRow], errors: Vec<ErrorEvent>) -> LessonCommit {
    LessonCommit {
        runs: runs.to_vec(),
        errors,
        ..LessonCommit::default()
    }
}

/// A commit of lessons.
pub fn teaching(lessons: &[Lesson]) -> LessonCommit {
    LessonCommit {
        lessons: lessons.to_vec(),
        ..LessonCommit::default()
    }
}

/// Something of every kind, with the same ids for every owner.
pub fn everything(owner: &LearnerId) -> LessonCommit {
    let (a, b) = (
        lesson(owner, 1, &[1], &["auth"]),
        lesson(owner, 2, &[1, 2], &["auth"]),
    );
    let mut used = activation("r1", &a, 1, 5);
    used.activation.outcome = Some(outcome(0.25, moment(6)));
    let mut first = ended(run("r1", 1), 9);
    first.trajectory = full_fields(Some("r2"));
    let mut named = step("r1", 1, true);
    named.id = Some("s1".to_owned());
    LessonCommit {
        runs: vec![first, run("r2", 2)],
        steps: vec![named, step("r2", 1, true)],
        errors: vec![error(owner, "r1", 1, (1, 3)), error(owner, "r2", 1, (1, 3))],
        sources: vec![LessonSource {
            lesson: a.id,
            run: "r1".to_owned(),
            origin: Origin::Contrast,
            steps: vec![1],
            events: Vec::new(),
            at: moment(9),
        }],
        conflicts: vec![Conflict::between(a.id, b.id, "why".to_owned(), moment(1))],
        activations: vec![used, activation("r2", &b, 1, 7)],
        reviews: vec![Review {
            id: "review_1".to_owned(),
            lesson: a.id,
            from: a.status,
            to: b.status,
            author: None,
            note: None,
            at: moment(3),
        }],
        receipt: Some(OperationReceipt {
            operation: "end:r1".to_owned(),
            body_digest: "00".to_owned(),
            answer: "{}".to_owned(),
            at: moment(9),
        }),
        lessons: vec![a, b],
        ..LessonCommit::default()
    }
}
