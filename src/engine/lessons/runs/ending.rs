//! The decision about a run that ends, pure: outcomes, opportunities, new lessons, conflicts, gates,
//! metrics, in this order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::record::{end_of, facts_of};
use super::working_set::{LessonWorkingSet, drop_known, with_settled};
use crate::error::{EngineError, EngineResult};
use crate::lessons::answer::{Decided, EndedRun, Learned, RejectedCandidate, Settled};
use crate::lessons::requests::EndRun;
use crate::lessons::rules::LessonRules;
use crate::lessons::trajectories::retention::{decide_trace, take_due};
use hindlore_domain::lesson::activation::Activation;
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::evidence::assertion::{shows, solved};
use hindlore_domain::lesson::evidence::attribution::{Advice, RunSteps, attribute};
use hindlore_domain::lesson::evidence::evidence_row::RowKind;
use hindlore_domain::lesson::evidence::outcome::Baseline;
use hindlore_domain::lesson::evidence::proof_state::{Counterexample, Support};
use hindlore_domain::lesson::evidence::utility::{Followings, Use, settle};
use hindlore_domain::lesson::learning::attempt::attempts;
use hindlore_domain::lesson::learning::candidate::{Candidate, Origin, admit};
use hindlore_domain::lesson::learning::contrast::{headline, learn};
use hindlore_domain::lesson::learning::locality::is_general;
use hindlore_domain::lesson::learning::tool_words::names_cure;
use hindlore_domain::lesson::learning::watched_form::WorkedActions;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, NewLesson, Place, Status};
use hindlore_domain::lesson::lifecycle::with_meetings;
use hindlore_domain::lesson::metrics::measure;
use hindlore_domain::lesson::rule::Rule;
use hindlore_domain::lesson::run::RunRecord;
use hindlore_domain::lesson::trace::TraceStep;
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_redact::Redactions;
use hindlore_store::lessons::rows::{
    ActivationRow, Conflict, FingerprintRow, LessonSource, RunContents, RunRow,
};
use hindlore_store::lessons::transaction::{Gathered, LessonCommit};

/// A run that ends.
pub(super) struct RunCompletion {
    pub(super) rules: Arc<LessonRules>,
    pub(super) owner: LearnerId,
    pub(super) request: EndRun,
    pub(super) now: Timestamp,
    pub(super) contents: RunContents,
    /// Its steps with their errors. Read once: the decision is made under the lock, and again on a retry.
    pub(super) trace: Vec<TraceStep>,
    /// Its sure successes.
    pub(super) actions: WorkedActions,
    /// Earlier runs that speak against the rules that it shows, by the text of the rule.
    pub(super) replayed: BTreeMap<Rule, Vec<Counterexample>>,
}

/// An answer as it is kept.
pub(super) fn facts(ended: &EndedRun) -> EngineResult<String> {
    serde_json::to_string(ended)
        .map_err(|error| EngineError::Invalid(format!("the answer has no JSON form: {error}")))
}

impl RunCompletion {
    pub(super) fn decide(&self, gathered: Gathered) -> (LessonCommit, EndedRun) {
        let (mut row, record) = self.record();
        let mut working_set = LessonWorkingSet::new(gathered.lessons);
        let mut history = gathered.history;
        // The store does not hold the end of this run yet, and the rules judge by all runs.
        history.push(record.clone());
        let attributed = self.attribute(&working_set, &record);
        let uses = with_settled(&gathered.activations, &attributed);
        let settled = working_set.settle(&attributed, &uses, (&record, &history), &self.rules);
        let known = &gathered.conflicts;
        let has_helped = |id| working_set.has_helped(id);
        let contradictions: Vec<_> = known.iter().map(Conflict::contradiction).collect();
        let settled = with_meetings(settled, &contradictions, has_helped);
        for activation in &settled {
            working_set.take_outcome(activation, &self.rules);
        }
        let withheld = self.withheld();
        working_set.note_opportunities(&record, &withheld);
        self.contradict(&mut working_set);
        self.confirm(&mut working_set);
        working_set.judge(withheld);
        let runs_before = runs_before(&gathered.fingerprints);
        let before = |id: FingerprintId| runs_before.get(&id).copied().unwrap_or_default();
        let (admitted, rejected) = self.candidates(before);
        let mut commit = LessonCommit::default();
        let keep = |candidate| self.keep(candidate, &mut working_set, &mut commit);
        let mut learned: Vec<Learned> = admitted.iter().map(keep).collect();
        drop_known(&mut commit.conflicts, known);
        let activations = with_settled(&gathered.activations, &settled);
        let decisions = working_set.apply_gates(&history, &activations, &self.rules, self.now);
        working_set.take_statuses(&mut learned);
        let own = self.own_activations(&settled);
        let metrics = measure(&record, &own, &decisions, |id| before(id) > 0);
        if let Some(end) = row.end.as_mut() {
            end.metrics = serde_json::to_string(&metrics).unwrap_or_default();
        }
        let ended = EndedRun {
            run: row.id.clone(),
            idle: self.request.idle,
            repeated: false,
            metrics,
            learned,
            rejected,
            settled: settled.iter().filter_map(settled_of).collect(),
            decisions: decisions.iter().map(Decided::from).collect(),
            conflicts: commit
                .conflicts
                .iter()
                .map(|conflict| (conflict.first, conflict.second))
                .collect(),
            notes: Vec::new(),
            redacted: Redactions::default(),
        };
        if take_due(&mut row, self.now) {
            commit.stripped.push(row.id.clone());
        }
        commit.runs = vec![row];
        commit.lessons = working_set.changed();
        commit.activations = self.settled_rows(settled);
        commit.decisions = decisions;
        (commit, ended)
    }

    /// The lessons that were withheld from the run.
    fn withheld(&self) -> BTreeSet<LessonId> {
        let uses = self.contents.activations.iter();
        let withheld = uses.filter(|row| row.activation.withheld);
        withheld.map(|row| row.activation.lesson).collect()
    }

    /// Notes the lessons that the successes of the run speak against.
    fn contradict(&self, working_set: &mut LessonWorkingSet) {
        working_set.take_counterexamples(&self.actions, |kind| self.counterexample(kind));
    }

    /// Notes the observed lessons whose contrast the run shows again, in whatever words.
    fn confirm(&self, working_set: &mut LessonWorkingSet) {
        let steps = solved(&self.trace);
        for id in working_set.observed() {
            let rule = working_set.get(id).map(|lesson| &lesson.rule);
            if rule.is_some_and(|rule| shows(&steps, rule)) {
                self.support(id, working_set);
            }
        }
    }

    /// Notes that this run taught a lesson again.
    fn support(&self, id: LessonId, working_set: &mut LessonWorkingSet) {
        let run = self.contents.row.id.clone();
        working_set.take_support(id, Support { at: self.now, run });
    }

    /// This run as one that speaks against a lesson, dated by its last report.
    fn counterexample(&self, kind: RowKind) -> Counterexample {
        let row = &self.contents.row;
        Counterexample {
            at: row.last_at.min(self.now),
            run: row.id.clone(),
            scope: row.trajectory.scope.clone(),
            kind,
        }
    }

    fn record(&self) -> (RunRow, RunRecord) {
        let mut row = self.contents.row.clone();
        let mut end = end_of(&self.contents, &self.trace, self.now, self.request.idle);
        (end.passed, end.score) = (self.request.passed, self.request.score);
        row.steps = self.request.steps.unwrap_or(row.steps);
        // Lets a concurrent verb see that the run has moved.
        row.changes += 1;
        let record = row.ended_by(&end);
        row.end = Some(end);
        let fields = &mut row.trajectory;
        fields.is_partial = self.request.is_partial;
        fields.error.clone_from(&self.request.error);
        fields.measured = self.request.measured.clone();
        let is_evidence = !self.contents.activations.is_empty();
        decide_trace(&mut row, &self.rules.trajectories, is_evidence, self.now);
        (row, record)
    }

    /// Gives a row to every activation without an outcome; its value is computed once all rows are known.
    fn attribute(&self, working_set: &LessonWorkingSet, run: &RunRecord) -> Vec<Activation> {
        let attempts = attempts(&self.trace);
        let steps = RunSteps {
            attempts: &attempts,
            followed: &run.followed,
        };
        let uses = self.contents.activations.iter().map(|row| &row.activation);
        let open = uses.filter(|one| !one.withheld && one.outcome.is_none());
        let attributed = open.filter_map(|activation| {
            let lesson = working_set.get(activation.lesson)?;
            let of = Use {
                activation,
                lesson,
                run,
                row: attribute(activation, &Advice::new(lesson), steps),
            };
            let numbers = &self.rules.numbers.utility;
            let unvalued = settle(of, Followings::default(), Baseline::default(), numbers);
            Some(Activation {
                outcome: Some(unvalued),
                ..activation.clone()
            })
        });
        attributed.collect()
    }

    /// The proposals and the lessons that the run shows, after the shared checks.
    fn candidates(
        &self,
        seen_before: impl Fn(FingerprintId) -> u64,
    ) -> (Vec<Candidate>, Vec<RejectedCandidate>) {
        let mut proposals = self.request.proposals.clone();
        proposals.extend(learn(&self.trace, seen_before));
        let (admitted, rejected) = admit(proposals, &facts_of(&self.contents), &self.rules.quality);
        let rejected = rejected
            .into_iter()
            .map(|(candidate, reason)| RejectedCandidate {
                rule: candidate.rule.as_str().to_owned(),
                reason: reason.to_string(),
            });
        (admitted, rejected.collect())
    }

    /// Makes a lesson of a candidate, places it, and looks for contradictions.
    fn keep(
        &self,
        candidate: &Candidate,
        working_set: &mut LessonWorkingSet,
        commit: &mut LessonCommit,
    ) -> Learned {
        let run = &self.contents.row;
        let shows = |step: u32| candidate.evidence_steps.contains(&step);
        let shown = self
            .contents
            .errors
            .iter()
            .filter(|error| shows(error.step));
        let tags = self.tags_of(candidate, shown.clone());
        let tool = self.tool_of(shown.clone());
        let said: Vec<&str> = shown.clone().map(ErrorEvent::message).collect();
        let said = said.join("\n");
        let replayed = self.replayed_of(&candidate.rule);
        let new = Lesson::new(NewLesson {
            owner: self.owner.clone(),
            rule: candidate.rule.clone(),
            triggers: candidate.triggers.clone(),
            tags,
            reach: candidate.reach,
            place: Place {
                tool,
                ..run.place.clone()
            },
            source_run: Some(run.id.clone()),
            status: status_at_birth(candidate, replayed, &said),
            at: self.now,
        });
        let (lesson, placement) = working_set.place(new, &self.rules);
        // A suppressed rule gains no support from the run that repeats it.
        if is_of_one_run(candidate.origin) && placement != "inherits" {
            self.support(lesson.id, working_set);
        }
        working_set.take_replayed(lesson.id, replayed);
        working_set.take_tool_words(lesson.id, headline(&said));
        if let Some(scope) = &run.trajectory.scope {
            let is_general = is_general(&candidate.rule, &said);
            working_set.take_scope(lesson.id, scope, is_general);
        }
        add_conflicts(
            commit,
            working_set.conflicts_of(&lesson, &self.rules, self.now),
        );
        commit.sources.push(LessonSource {
            lesson: lesson.id,
            run: run.id.clone(),
            origin: candidate.origin,
            steps: candidate.evidence_steps.clone(),
            events: shown.map(|error| error.id).collect(),
            at: self.now,
        });
        Learned {
            lesson: lesson.id,
            placement: placement.to_owned(),
            rule: lesson.rule.as_str().to_owned(),
            status: lesson.status,
            origin: candidate.origin,
            evidence_steps: candidate.evidence_steps.clone(),
        }
    }

    /// The earlier runs that speak against a rule.
    fn replayed_of(&self, rule: &Rule) -> &[Counterexample] {
        self.replayed.get(rule).map_or(&[][..], Vec::as_slice)
    }

    /// The tags of the errors that show a candidate, else those of its text.
    fn tags_of<'e>(
        &self,
        candidate: &Candidate,
        shown: impl Iterator<Item = &'e ErrorEvent>,
    ) -> Vec<String> {
        let tags: Vec<String> = shown.flat_map(|error| error.tags.clone()).collect();
        if tags.is_empty() {
            return self.rules.tags.of_text(candidate.rule.as_str());
        }
        tags
    }

    /// The tool that a lesson is about: a run may use many, its errors mostly one.
    fn tool_of<'e>(&self, shown: impl Iterator<Item = &'e ErrorEvent>) -> Option<String> {
        let mut tools: Vec<&Option<String>> = shown.map(|error| &error.place.tool).collect();
        // Comparing neighbours is enough: two different tools always leave more than one entry.
        tools.dedup();
        match tools[..] {
            [] => self.contents.row.place.tool.clone(),
            [tool] => tool.clone(),
            _ => None,
        }
    }

    /// The activations of the run, with the outcomes of now.
    fn own_activations(&self, settled: &[Activation]) -> Vec<Activation> {
        let own = self.contents.activations.iter().map(|row| {
            let now = settled.iter().find(|other| other.id == row.activation.id);
            now.unwrap_or(&row.activation).clone()
        });
        own.collect()
    }

    fn settled_rows(&self, settled: Vec<Activation>) -> Vec<ActivationRow> {
        let rows = self.contents.activations.iter().filter_map(|row| {
            let activation = settled.iter().find(|other| other.id == row.activation.id)?;
            Some(ActivationRow {
                activation: activation.clone(),
                ..row.clone()
            })
        });
        rows.collect()
    }
}

/// The guess of one run is believed at once where the tool itself names the right form and no earlier run speaks against it.
fn status_at_birth(candidate: &Candidate, replayed: &[Counterexample], said: &str) -> Status {
    let is_named = replayed.is_empty() && names_cure(&candidate.rule, said);
    if !is_of_one_run(candidate.origin) || is_named {
        Status::Candidate
    } else {
        Status::Observed
    }
}

/// Returns true for a guess from one run, which a second run has to confirm.
fn is_of_one_run(origin: Origin) -> bool {
    matches!(origin, Origin::Contrast | Origin::Model)
}

/// Adds conflicts whose pair is not among those of the commit.
fn add_conflicts(commit: &mut LessonCommit, found: Vec<Conflict>) {
    for conflict in found {
        let pair = (conflict.first, conflict.second);
        let mut known = commit.conflicts.iter();
        if !known.any(|known| (known.first, known.second) == pair) {
            commit.conflicts.push(conflict);
        }
    }
}

/// Counts the earlier runs that raised each fingerprint.
fn runs_before(rows: &[FingerprintRow]) -> BTreeMap<FingerprintId, u64> {
    // The stored count includes the present run.
    rows.iter()
        .map(|row| (row.fingerprint.id, row.runs.saturating_sub(1)))
        .collect()
}

fn settled_of(activation: &Activation) -> Option<Settled> {
    let outcome = activation.outcome?;
    Some(Settled {
        activation: activation.id,
        lesson: activation.lesson,
        recurred: outcome.recurred,
        utility: outcome.utility,
        helped: outcome.helped(),
        row: outcome.row.kind,
    })
}
