//! The memory arm: the product, called in the moments in which the hook of an agent calls it.
//!
//! At the start of a run it asks for the lessons worth knowing, before an action for those about its form, after a
//! failed step for advice; it reports every step and how the run ended. Learning, offers, proofs and suppression are
//! the engine's. Only observations of each run from outside are noted here, for measurements.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::advisor::{Account, Advisor, LessonUtilities, RunPlace, WorkingMemory};
use super::error::LabResult;
use super::executor::{Hint, Step};
use super::feedback::Verdict;
use super::hook::{Hook, broken};
use hindlore::lessons::{ImportedLesson, LessonImport, LessonRules};
use hindlore_api::responses::lesson_answers::RetrievedLessonsResponse;
use hindlore_api::responses::lessons::LessonResponse;
use hindlore_api::verbs::lesson_retrieval::RetrieveLessons;
use hindlore_api::verbs::lessons::{ListLessons, ShowLesson};
use hindlore_api::verbs::runs::{EndRun, LearnTrace, StartRun};
use hindlore_domain::lesson::evidence::evidence_row::RowKind;
use hindlore_domain::lesson::lesson::Lesson;
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_store::lessons::reading::LessonPage;

/// Prefix of the kind of step in a tag, by which the hook knows the subject of a lesson.
const STEP_TAG: &str = "at_";
/// Lessons that a listing shows.
const LISTED_MAX: usize = 1_000;

/// Observations of a run from outside.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RunNote {
    /// It is of the control share.
    pub is_control: bool,
    /// The lessons that it got.
    pub had: BTreeSet<LessonId>,
    /// Those of them that name a form to follow.
    pub advising: BTreeSet<LessonId>,
    /// The fingerprints that it raised.
    pub raised: BTreeSet<FingerprintId>,
    /// The task.
    pub task: String,
    /// Share of its goal that it reached, 0..=1.
    pub score: f64,
    /// Actions, and those of them that failed.
    pub steps: usize,
    /// See `steps`.
    pub errors: usize,
}

/// An advisor with a memory across runs.
#[allow(
    missing_debug_implementations,
    reason = "an engine over an open file has nothing to show"
)]
pub struct Memory {
    hook: Hook,
    working: WorkingMemory,
    place: Option<RunPlace>,
    current: RunNote,
    runs: Vec<RunNote>,
}

/// An advisor over a memory, however it is judged.
pub trait Remembering: Advisor {
    /// The memory.
    fn memory(&self) -> &Memory;
}

impl Remembering for Memory {
    fn memory(&self) -> &Memory {
        self
    }
}

impl Memory {
    /// An empty memory; `seed` decides which runs are control runs.
    pub fn new(seed: u64) -> LabResult<Self> {
        Self::with_rules(LessonRules {
            control_seed: seed,
            ..LessonRules::default()
        })
    }

    /// An empty memory with settings of its own.
    pub fn with_rules(rules: LessonRules) -> LabResult<Self> {
        Ok(Self {
            hook: Hook::open(rules)?,
            working: WorkingMemory::default(),
            place: None,
            current: RunNote::default(),
            runs: Vec::new(),
        })
    }

    /// The product.
    pub fn hook(&self) -> &Hook {
        &self.hook
    }

    /// Observations of the runs that ended, oldest first.
    pub fn runs(&self) -> &[RunNote] {
        &self.runs
    }

    /// All lessons, newest first.
    pub fn lessons(&self) -> LabResult<Vec<Lesson>> {
        self.hook.with_engine(async |access| {
            let page = LessonPage {
                status: None,
                after: None,
                limit: LISTED_MAX,
            };
            let owner = access.owner().map_err(broken)?;
            let listed = access.engine().map_err(broken)?.lessons(&owner, page).await;
            Ok(listed.map_err(broken)?.rows)
        })
    }

    /// Takes lessons in that no run has taught; gives the ids under which they are kept, in order.
    pub fn take_in(&self, lessons: Vec<ImportedLesson>) -> LabResult<Vec<LessonId>> {
        self.hook.with_engine(async |access| {
            let import = LessonImport {
                source: "lab".to_owned(),
                lessons,
                fingerprints: Vec::new(),
            };
            let owner = access.owner().map_err(broken)?;
            let taken = access
                .engine()
                .map_err(broken)?
                .import_lessons(&owner, import)
                .await;
            Ok(taken.map_err(broken)?.ids)
        })
    }

    fn asked(&self) -> LabResult<&RunPlace> {
        let place = self.place.as_ref();
        place.ok_or_else(|| broken("no run has begun"))
    }

    /// Of bare command lines the program is the tool, as a hook around a shell sees it.
    fn tool_of(place: &RunPlace, action: &str) -> Option<String> {
        let program = action.split_whitespace().next();
        if place.tells_plan {
            Some(place.tool.clone())
        } else {
            program.map(str::to_owned)
        }
    }

    fn ask(&mut self, mut request: RetrieveLessons) -> LabResult<Vec<Hint>> {
        let place = self.asked()?;
        request.run = Some(place.run.clone());
        request.task = Some(place.task.clone());
        request.domain = Some(place.domain.clone());
        let answer = self.hook.call(request)?;
        Ok(self.told(&answer))
    }

    fn told(&mut self, answer: &RetrievedLessonsResponse) -> Vec<Hint> {
        self.current.is_control |= answer.control;
        let hits = answer.lessons.iter().map(|hit| &hit.lesson);
        self.current
            .had
            .extend(hits.clone().map(|lesson| lesson.id));
        let names_form = |lesson: &&LessonResponse| lesson.rule.contains(" → CORRECT ");
        let advising = hits.clone().filter(names_form);
        let advising = advising.map(|lesson| lesson.id);
        self.current.advising.extend(advising);
        let hints = hits.map(|lesson| Hint {
            id: lesson.id.to_string(),
            text: lesson.rule.clone(),
            about: learned_in(&lesson.tags),
        });
        hints.collect()
    }

    /// A step as adapters report it: nothing but the events.
    fn report(place: &RunPlace, step: &Step) -> Value {
        let feedback = &step.feedback;
        let mut report = json!({
            "step": step.number,
            "action": step.action,
            "tool": Self::tool_of(place, &step.action),
        });
        if let Some(error) = &feedback.hard_failure {
            report["error"] = json!(error);
            report["exit_code"] = json!(feedback.exit_code);
        }
        if let Some(condition) = &feedback.constraint_failure {
            report["failed_constraints"] = json!([condition]);
            report["reason"] = json!(condition);
            report["state"] = json!(step.state_before);
            report["state_after"] = json!(step.state_after);
        }
        if place.tells_plan {
            report["plan_step"] = json!(step.plan_step);
            report["followed"] = json!(followed(step));
            report["progress"] = json!(feedback.progress);
            report["tags"] = json!([format!("{STEP_TAG}{}", step.intent)]);
        }
        report
    }
}

/// The lessons whose advice a step was taken on.
fn followed(step: &Step) -> Vec<String> {
    let ids = step.followed.iter();
    let lessons = ids.filter(|id| id.parse::<LessonId>().is_ok());
    lessons.cloned().collect()
}

/// The kind of step that a lesson was learned in, by its tags; absent when there are none or several.
pub fn learned_in(tags: &[String]) -> Option<String> {
    let mut kinds = tags.iter().filter_map(|tag| tag.strip_prefix(STEP_TAG));
    let first = kinds.next()?;
    kinds.next().is_none().then(|| first.to_owned())
}

/// A question about nothing yet.
fn question() -> RetrieveLessons {
    RetrieveLessons {
        intent: String::new(),
        run: None,
        error: None,
        action: None,
        exit_code: None,
        step: 1,
        task: None,
        domain: None,
        tool: None,
        tags: Vec::new(),
        shown: Vec::new(),
        refused: Vec::new(),
        max_results: None,
        exact_only: false,
        page_rank: false,
        prompt: false,
        budget: None,
    }
}

impl Advisor for Memory {
    fn before_run(&mut self, place: &RunPlace) -> LabResult<Vec<Hint>> {
        self.working.begin();
        self.hook.pass_an_hour();
        // Each tool is a project's own: an API of its own, a language of its own.
        self.hook.enter(&place.tool)?;
        self.current = RunNote {
            task: place.task.clone(),
            ..RunNote::default()
        };
        self.place = Some(place.clone());
        let tool = place.tells_plan.then(|| place.tool.clone());
        self.hook.call(StartRun {
            run: Some(place.run.clone()),
            intent: place.wanted.clone(),
            allowed_steps: None,
            task: Some(place.task.clone()),
            domain: Some(place.domain.clone()),
            tool: tool.clone(),
        })?;
        self.ask(RetrieveLessons {
            intent: place.wanted.clone(),
            tool,
            ..question()
        })
    }

    fn before_action(&mut self, _intent: &str, action: &str) -> LabResult<Vec<Hint>> {
        let tool = Self::tool_of(self.asked()?, action);
        self.ask(RetrieveLessons {
            action: Some(Value::from(action)),
            tool,
            ..question()
        })
    }

    fn after_step(&mut self, step: &Step) -> LabResult<Vec<Hint>> {
        let place = self.asked()?;
        let answer = self.hook.call(LearnTrace {
            steps: vec![Self::report(place, step)],
            run: Some(place.run.clone()),
            stay_open: true,
            hint: true,
            task: Some(place.task.clone()),
            domain: Some(place.domain.clone()),
            ..LearnTrace::default()
        })?;
        self.current.steps += 1;
        self.current.errors += usize::from(step.feedback.is_failure());
        let mut hints = Vec::new();
        if let Some(hint) = answer.hint {
            let raised = hint.fingerprint.into_iter().chain(hint.coarse_fingerprint);
            self.current.raised.extend(raised);
            hints = self.told(&hint);
        }
        hints.extend(self.working.see(step));
        Ok(hints)
    }

    fn after_run(&mut self, verdict: Verdict, steps: usize) -> LabResult<Account> {
        let name = self.asked()?.run.clone();
        let ended = self.hook.call(EndRun {
            run: name,
            passed: Some(verdict.passed),
            score: None,
            steps: u32::try_from(steps).ok(),
        })?;
        let mut run = std::mem::take(&mut self.current);
        run.score = verdict.score;
        run.is_control |= ended.metrics.control;
        // A ban names no form that could be followed, and other actions are not its result.
        let rows = ended.settled.iter().filter_map(|one| {
            let row = one.row;
            let counts = run.advising.contains(&one.lesson) || row == RowKind::Refuted;
            counts.then_some(row.sign())
        });
        let signs: Vec<i8> = rows.collect();
        let of = |sign: i8| signs.iter().filter(|one| **one == sign).count() as u64;
        self.runs.push(run);
        Ok(Account {
            activations: ended.metrics.activations,
            helped: of(1),
            harmed: of(-1),
            promoted: ended.metrics.promoted,
            suppressed: ended.metrics.suppressed,
        })
    }

    fn utilities(&self) -> LabResult<Vec<LessonUtilities>> {
        let listed = self.hook.call(ListLessons {
            after: None,
            status: None,
            limit: LISTED_MAX,
        })?;
        let used = listed
            .lessons
            .iter()
            .filter(|one| one.helpful + one.harmful > 0);
        let shown = used.map(|one| {
            let shown = self.hook.call(ShowLesson {
                id: one.id.to_string(),
            })?;
            Ok(LessonUtilities {
                rule: one.rule.clone(),
                utilities: shown.history.iter().map(|point| point.utility).collect(),
            })
        });
        shown.collect()
    }
}
