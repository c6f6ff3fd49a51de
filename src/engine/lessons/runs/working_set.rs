//! The lessons that a decision works on: as they were gathered, as outcomes change them, and as the gates leave
//! them. The end of a run and a reported outcome share it.

use std::collections::{BTreeMap, BTreeSet};

use crate::lessons::answer::Learned;
use crate::lessons::rules::LessonRules;
use hindlore_domain::lesson::activation::Activation;
use hindlore_domain::lesson::evidence::comparison::Arms;
use hindlore_domain::lesson::evidence::evidence;
use hindlore_domain::lesson::evidence::evidence_row::RowKind;
use hindlore_domain::lesson::evidence::outcome::Baseline;
use hindlore_domain::lesson::evidence::proof_state::{Counterexample, Support};
use hindlore_domain::lesson::evidence::summary::summarise;
use hindlore_domain::lesson::evidence::utility::{Followings, Use, settle};
use hindlore_domain::lesson::evidence::verdict_numbers::VerdictNumbers;
use hindlore_domain::lesson::learning::merge::{Placement, conflicts_of, place};
use hindlore_domain::lesson::learning::watched_form::{WatchedForm, WorkedActions};
use hindlore_domain::lesson::lesson::{Lesson, Status};
use hindlore_domain::lesson::lifecycle::contests;
use hindlore_domain::lesson::promotion::{Decision, decide};
use hindlore_domain::lesson::run::RunRecord;
use hindlore_primitives::ids::LessonId;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::rows::{ActivationRow, Conflict};

/// Lessons with their changes, and their former state.
pub(crate) struct LessonWorkingSet {
    lessons: BTreeMap<LessonId, Lesson>,
    before: BTreeMap<LessonId, Lesson>,
    /// Lessons that something was learned about: the gates look at them.
    judged: BTreeSet<LessonId>,
}

impl LessonWorkingSet {
    pub(crate) fn new(lessons: Vec<Lesson>) -> Self {
        let lessons: BTreeMap<LessonId, Lesson> = lessons
            .into_iter()
            .map(|lesson| (lesson.id, lesson))
            .collect();
        Self {
            before: lessons.clone(),
            lessons,
            judged: BTreeSet::new(),
        }
    }

    pub(crate) fn get(&self, id: LessonId) -> Option<&Lesson> {
        self.lessons.get(&id)
    }

    /// Returns true if a followed use of a lesson helped.
    pub(super) fn has_helped(&self, id: LessonId) -> bool {
        let lesson = self.lessons.get(&id);
        lesson.is_some_and(|lesson| lesson.counts.helpful > 0)
    }

    /// Values uses whose rows are known. `runs` and `activations` are oldest first and hold the run and its rows.
    pub(super) fn settle(
        &self,
        attributed: &[Activation],
        activations: &[Activation],
        (run, runs): (&RunRecord, &[RunRecord]),
        rules: &LessonRules,
    ) -> Vec<Activation> {
        let numbers = VerdictNumbers::new(&rules.numbers);
        let mut known: BTreeMap<LessonId, (Followings, Baseline)> = BTreeMap::new();
        let settled = attributed.iter().filter_map(|activation| {
            let lesson = self.lessons.get(&activation.lesson)?;
            // Computed once per lesson, because a run may use a lesson many times.
            let (followings, baseline) = *known.entry(lesson.id).or_insert_with(|| {
                let rows = evidence(lesson, runs, activations, &numbers.gates);
                let proof = summarise(&rows, &numbers).proof;
                let followings = Followings {
                    successes: proof.successes,
                    failures: proof.failures,
                };
                let arms = Arms::new(lesson, runs, &numbers.gates);
                (followings, arms.baseline(lesson))
            });
            let of = Use {
                activation,
                lesson,
                run,
                row: activation.outcome?.row,
            };
            let outcome = settle(of, followings, baseline, &numbers.utility);
            Some(Activation {
                outcome: Some(outcome),
                ..activation.clone()
            })
        });
        settled.collect()
    }

    /// Takes the outcome of an activation, and the meetings that it decides.
    pub(crate) fn take_outcome(&mut self, activation: &Activation, rules: &LessonRules) {
        if let Some(lesson) = self.lessons.get_mut(&activation.lesson) {
            lesson.take_outcome(activation, &rules.numbers.utility);
            // A row without evidence about the lesson still shows whether it is followed.
            self.judged.insert(activation.lesson);
        }
        for (id, contest) in contests(activation) {
            if let Some(lesson) = self.lessons.get_mut(&id)
                && lesson.take_contest(contest)
            {
                self.judged.insert(id);
            }
        }
    }

    /// Takes another outcome in place of the one that an activation had.
    pub(super) fn revise_outcome(&mut self, activation: &Activation, rules: &LessonRules) {
        if let Some(lesson) = self.lessons.get_mut(&activation.lesson) {
            lesson.revise_outcome(activation, &rules.numbers.utility);
            self.judged.insert(activation.lesson);
        }
    }

    /// Takes note of a run in which lessons could have helped and were not returned; one that was withheld
    /// had no opportunity.
    pub(super) fn note_opportunities(&mut self, run: &RunRecord, withheld: &BTreeSet<LessonId>) {
        for lesson in self.lessons.values_mut() {
            let missed = run.raised(&lesson.triggers) && !run.had(lesson.id);
            if missed && !withheld.contains(&lesson.id) {
                lesson.note_opportunity();
                self.judged.insert(lesson.id);
            }
        }
    }

    /// The lessons that wait for a second run.
    pub(super) fn observed(&self) -> Vec<LessonId> {
        let all = self.lessons.values();
        let observed = all.filter(|lesson| lesson.status == Status::Observed);
        observed.map(|lesson| lesson.id).collect()
    }

    /// Notes a run that taught a known lesson again: one that other runs taught before and that names a cure.
    pub(super) fn take_support(&mut self, id: LessonId, support: Support) {
        let before = self.before.get(&id);
        if before.is_none_or(|before| before.source_runs.contains(&support.run)) {
            return;
        }
        let lesson = self.lessons.get_mut(&id);
        let Some(lesson) = lesson.filter(|lesson| lesson.rule.names_a_cure()) else {
            return;
        };
        if lesson.proof.take_support(support) {
            self.judged.insert(id);
        }
    }

    /// Notes a run in which the wrong form of a lesson worked, or its advice was followed in vain.
    pub(super) fn take_counterexamples(
        &mut self,
        actions: &WorkedActions,
        of: impl Fn(RowKind) -> Counterexample,
    ) {
        let watched = self.lessons.values_mut();
        for lesson in watched.filter(|lesson| lesson.status.is_watched()) {
            let Some(form) = WatchedForm::of(&lesson.rule) else {
                continue;
            };
            let kind = if actions.contradict(&form, &lesson.triggers) {
                RowKind::Worked
            } else if actions.came_anyway(&form, &lesson.triggers) {
                RowKind::CameAnyway
            } else {
                if actions.needed_no_preparation(&form, &lesson.triggers) {
                    let at = Some(of(RowKind::Worked).at);
                    lesson.proof.unprepared_at = lesson.proof.unprepared_at.max(at);
                }
                continue;
            };
            if lesson.proof.take_counterexample(of(kind)) {
                self.judged.insert(lesson.id);
            }
        }
    }

    /// Notes earlier runs that speak against a new lesson, before it is shown for the first time.
    pub(super) fn take_replayed(&mut self, id: LessonId, found: &[Counterexample]) {
        let is_new = !self.before.contains_key(&id);
        let Some(lesson) = self.lessons.get_mut(&id).filter(|_| is_new) else {
            return;
        };
        for one in found {
            lesson.proof.take_counterexample(one.clone());
            self.judged.insert(id);
        }
    }

    /// Takes note of the tool's words about the failure, where none are known.
    pub(super) fn take_tool_words(&mut self, id: LessonId, words: String) {
        let lesson = self.lessons.get_mut(&id).filter(|_| !words.is_empty());
        if let Some(lesson) = lesson {
            lesson.proof.tool_words.get_or_insert(words);
        }
    }

    /// Takes note of the scope in which a lesson was learned, and whether its right form is the tool's own.
    pub(super) fn take_scope(&mut self, id: LessonId, scope: &str, is_general: bool) {
        let Some(lesson) = self.lessons.get_mut(&id) else {
            return;
        };
        // One that came without a scope was imported by a person, and is not confined by being seen.
        let is_imported = lesson.proof.scopes.is_empty() && self.before.contains_key(&id);
        if !is_imported {
            lesson.proof.take_scope(scope);
        }
        lesson.proof.is_general |= is_general;
    }

    /// Lets the gates look at lessons of which a comparable run became known.
    pub(super) fn judge(&mut self, lessons: impl IntoIterator<Item = LessonId>) {
        self.judged.extend(lessons);
    }

    /// Places a new lesson; returns the lesson that it became, and how.
    pub(crate) fn place(&mut self, new: Lesson, rules: &LessonRules) -> (Lesson, &'static str) {
        let existing: Vec<Lesson> = self.lessons.values().cloned().collect();
        let placement = place(new, &existing, &rules.conflicts, &rules.guard);
        let how = match &placement {
            Placement::New(_) => "new",
            Placement::Merged(_) => "merged",
            Placement::Confirmed(_) => "confirmed",
            Placement::Inherits(_) => "inherits",
        };
        let lesson = placement.lesson().clone();
        self.lessons.insert(lesson.id, lesson.clone());
        (lesson, how)
    }

    /// The conflicts of a lesson with the others.
    pub(crate) fn conflicts_of(
        &self,
        lesson: &Lesson,
        rules: &LessonRules,
        at: Timestamp,
    ) -> Vec<Conflict> {
        let others: Vec<Lesson> = self.lessons.values().cloned().collect();
        conflicts_of(lesson, &others, &rules.conflicts)
            .into_iter()
            .map(|(other, reason)| Conflict::between(lesson.id, other, reason.to_string(), at))
            .collect()
    }

    /// Lets the gates decide about the lessons that something was learned about. `runs` and `activations` are oldest first.
    pub(crate) fn apply_gates(
        &mut self,
        runs: &[RunRecord],
        activations: &[Activation],
        rules: &LessonRules,
        at: Timestamp,
    ) -> Vec<Decision> {
        let numbers = VerdictNumbers::new(&rules.numbers);
        let mut decisions = Vec::new();
        for id in &self.judged {
            let Some(lesson) = self.lessons.get_mut(id) else {
                continue;
            };
            let rows = evidence(lesson, runs, activations, &numbers.gates);
            lesson.note_proof(&rows, &numbers);
            let decision = decide(lesson, rows, &numbers, at);
            decisions.extend(decision.filter(|decision| lesson.take_decision(decision)));
        }
        decisions
    }

    /// Replaces the statuses of learned lessons by those that the gates left.
    pub(super) fn take_statuses(&self, learned: &mut [Learned]) {
        for one in learned {
            let lesson = self.lessons.get(&one.lesson);
            one.status = lesson.map_or(one.status, |lesson| lesson.status);
        }
    }

    /// The lessons that changed.
    pub(crate) fn changed(&self) -> Vec<Lesson> {
        let moved = |lesson: &&Lesson| self.before.get(&lesson.id) != Some(*lesson);
        self.lessons.values().filter(moved).cloned().collect()
    }
}

/// Drops conflicts that are there: a known pair keeps its row, which may hold the decision of a person.
pub(crate) fn drop_known(found: &mut Vec<Conflict>, known: &[Conflict]) {
    found.retain(|new| {
        let mut known = known.iter();
        !known.any(|row| (row.first, row.second) == (new.first, new.second))
    });
}

/// All activations that bear on a judgement, oldest first, those settled now in place of their old rows.
pub(crate) fn with_settled(gathered: &[ActivationRow], settled: &[Activation]) -> Vec<Activation> {
    let mut all: BTreeMap<_, Activation> = BTreeMap::new();
    let rows = gathered.iter().map(|row| &row.activation);
    for activation in rows.chain(settled) {
        all.insert((activation.at, activation.id), activation.clone());
    }
    all.into_values().collect()
}
