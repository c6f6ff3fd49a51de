//! The memory arm: lessons across runs, decided by the domain and kept in process.
//!
//! Each moment gathers what the rules need from the keeper, lets the domain decide, and applies the
//! effects; nothing is decided here. What is kept lives as long as the experiment.

mod keeper;
mod learning;
mod retrieval;
mod verdicts;

use serde_json::Value;

use super::advisor::{Account, Advisor, LessonUtilities, RunPlace, WorkingMemory};
use super::executor::{Hint, Step};
use super::feedback::Verdict;
pub use keeper::{Keeper, Planted};
use mnemograph::domain::lesson::activation::{
    Activation, RetrievalChannel, Trigger, activation_id, is_control,
};
use mnemograph::domain::lesson::fingerprint::{Fingerprinter, Fingerprints};
use mnemograph::domain::lesson::lesson::Place;
use mnemograph::domain::lesson::retrieval::choose::LessonHit;
use mnemograph::domain::lesson::retrieval::query::{Call, LessonQuery, RankingMode};
use mnemograph::domain::lesson::run::{InForce, Occurrence};
use mnemograph::domain::lesson::tag::{Circumstances, TagRules};
use mnemograph::domain::lesson::trace::{TraceFailure, TraceStep};
use mnemograph::domain::timestamp::Timestamp;
use retrieval::Neighbourhood;
use verdicts::Verdicts;

/// Before the kind of step in a tag.
const STEP_TAG: &str = "at_";

/// What a run leaves until it ends.
#[derive(Debug, Default)]
struct Current {
    place: Option<RunPlace>,
    control: bool,
    trace: Vec<TraceStep>,
    occurrences: Vec<Occurrence>,
    in_force: Vec<InForce>,
    /// Lessons from elsewhere that were returned.
    transferred: usize,
    activations: Vec<Activation>,
    tags: Vec<(usize, Vec<String>)>,
    verdicts: Verdicts,
}

/// An advisor with a memory across runs.
#[allow(
    missing_debug_implementations,
    reason = "buffers of a fingerprinter have nothing to show"
)]
pub struct Memory {
    /// What is kept.
    pub keeper: Keeper,
    working: WorkingMemory,
    fingerprinter: Fingerprinter,
    tag_rules: TagRules,
    seed: u64,
    neighbourhood: Neighbourhood,
    current: Current,
}

impl Memory {
    /// An empty memory; `seed` decides which runs are control runs.
    pub fn new(seed: u64) -> Self {
        Self {
            keeper: Keeper::default(),
            working: WorkingMemory::default(),
            fingerprinter: Fingerprinter::default(),
            tag_rules: TagRules::standard(),
            seed,
            neighbourhood: Neighbourhood::default(),
            current: Current::default(),
        }
    }

    /// The moment of a run: an hour lies between two.
    fn now(&self) -> Timestamp {
        let number = self.current.place.as_ref().map_or(0, |place| place.number);
        Timestamp::from_millis(1_700_000_000_000 + number as i64 * 3_600_000)
    }

    fn ask(&mut self, call: Call, text: String, tags: Vec<String>) -> Vec<LessonHit> {
        let Some(owner) = keeper::owner() else {
            return Vec::new();
        };
        let query = LessonQuery {
            owner,
            call,
            text,
            tags,
            place: self.place(),
            max_results: None,
            mode: RankingMode::Direct,
            at: self.now(),
        };
        self.neighbourhood
            .ask(&query, &self.keeper.numbers.retrieval)
    }

    fn activate(&mut self, hits: &[LessonHit], moment: Trigger, step: u32) -> Vec<Hint> {
        let at = self.now();
        let Some(run) = self.current.place.as_ref().map(|place| place.run.clone()) else {
            return Vec::new();
        };
        let mut hints = Vec::new();
        for hit in hits {
            // What was said already in this run is known, and saying it again is no other advice.
            if self
                .current
                .in_force
                .iter()
                .any(|row| row.lesson == hit.lesson)
            {
                continue;
            }
            let is_transfer = hit.lane == RetrievalChannel::Transfer;
            if is_transfer && self.current.transferred >= self.keeper.numbers.retrieval.transfer_max
            {
                continue;
            }
            self.current.transferred += usize::from(is_transfer);
            let (trigger, triggers) = self.neighbourhood.trigger(hit);
            self.current.activations.push(Activation {
                id: activation_id(&run, hit.lesson, moment, step),
                run: run.clone(),
                lesson: hit.lesson,
                moment,
                step,
                trigger: if moment == Trigger::OnError {
                    trigger
                } else {
                    None
                },
                lane: hit.lane,
                score: hit.score,
                withheld: self.current.control,
                beat: hit.beat.clone(),
                at,
                outcome: None,
            });
            if self.current.control {
                continue;
            }
            self.current.in_force.push(InForce {
                lesson: hit.lesson,
                from_step: step,
                triggers,
            });
            if let Some(rule) = self.keeper.returned(hit.lesson, at) {
                let about = self.keeper.learned_in(hit.lesson);
                hints.push(Hint {
                    id: hit.lesson.to_string(),
                    text: rule.as_str().to_owned(),
                    about,
                });
            }
        }
        hints
    }

    fn place(&self) -> Place {
        let place = self.current.place.as_ref();
        Place {
            task: place.map(|place| place.task.clone()),
            domain: place.map(|place| place.domain.clone()),
            tool: place.map(|place| place.tool.clone()),
        }
    }

    /// Takes a failed step down and gives its fingerprints and tags.
    fn capture(&mut self, step: &Step) -> (Fingerprints, Vec<String>) {
        let feedback = &step.feedback;
        let fingerprints = self.fingerprinter.of(&step.evidence());
        let circumstances = Circumstances {
            nonzero_exit: feedback.hard_failure.is_some(),
            constraint_failed: feedback.constraint_failure.is_some(),
            no_progress: feedback.constraint_failure.is_some() && feedback.progress == 0.0,
            // A refused command leaves everything as it was; that is no stall.
            state_stall: feedback.hard_failure.is_none() && step.state_before == step.state_after,
            goal_distance_increase: feedback.progress < 0.0,
            unsafe_action: false,
        };
        let mut tags = self.tag_rules.of_step(
            feedback.text(),
            &Value::from(step.action.as_str()),
            circumstances,
        );
        // Which kind of step it was: what is wrong in one may be right in another.
        tags.push(format!("{STEP_TAG}{}", step.intent));
        (fingerprints, tags)
    }
}

impl Advisor for Memory {
    fn before_run(&mut self, place: &RunPlace) -> Vec<Hint> {
        self.working.before_run(place);
        let control = is_control(&place.run, self.seed, self.keeper.numbers.control_rate);
        self.current = Current {
            place: Some(place.clone()),
            control,
            ..Current::default()
        };
        self.neighbourhood = Neighbourhood::of(&self.keeper);
        let (recent, tags) = self.keeper.recent(&self.place());
        let hits = self.ask(Call::PreRun { recent }, place.wanted.clone(), tags);
        self.activate(&hits, Trigger::PreRun, 0)
    }

    fn after_step(&mut self, step: &Step) -> Vec<Hint> {
        let number = u32::try_from(step.number).unwrap_or(u32::MAX);
        let mut trace = TraceStep {
            step: number,
            action: Value::from(step.action.as_str()),
            plan_step: Some(step.plan_step.clone()),
            failure: None,
        };
        self.current.verdicts.see(step, number);
        let mut hints = Vec::new();
        if step.feedback.is_failure() {
            let (fingerprints, tags) = self.capture(step);
            let (fine, coarse) = (fingerprints.fine.id, fingerprints.coarse.id);
            trace.failure = Some(TraceFailure {
                fingerprint: fine,
                coarse,
                message: step.feedback.text().to_owned(),
            });
            self.current.occurrences.push(Occurrence {
                step: number,
                fine,
                coarse,
            });
            self.current
                .tags
                .push((self.current.trace.len(), tags.clone()));
            self.neighbourhood.saw(&fingerprints, &tags);
            self.keeper.saw(&self.place(), &fingerprints, &tags);
            let text = format!("{} {}", step.feedback.text(), step.action);
            let hits = self.ask(Call::OnError { fingerprints }, text, tags);
            hints = self.activate(&hits, Trigger::OnError, number);
        }
        self.current.trace.push(trace);
        hints.extend(self.working.after_step(step));
        hints
    }

    fn after_run(&mut self, verdict: Verdict, steps: usize) -> Account {
        let (place, at) = (self.place(), self.now());
        let current = std::mem::take(&mut self.current);
        learning::end(
            &mut self.keeper,
            current,
            learning::Ended {
                place,
                at,
                verdict,
                steps,
            },
        )
    }
    fn utilities(&self) -> Vec<LessonUtilities> {
        let lessons = self.keeper.lessons.values();
        let each = lessons.map(|lesson| LessonUtilities {
            rule: lesson.rule.as_str().to_owned(),
            utilities: lesson.history.iter().map(|point| point.utility).collect(),
        });
        each.filter(|one| !one.utilities.is_empty()).collect()
    }
}
