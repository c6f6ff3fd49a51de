//! The lessons that a decision works on: as they were gathered, as outcomes change them, and as the gates leave
//! them. The end of a run and a reported outcome share it.

use std::collections::{BTreeMap, BTreeSet};

use super::rules::LessonRules;
use crate::domain::lesson::activation::Activation;
use crate::domain::lesson::evidence::evidence;
use crate::domain::lesson::ids::LessonId;
use crate::domain::lesson::lesson::Lesson;
use crate::domain::lesson::life::contests;
use crate::domain::lesson::merge::{Placement, conflicts_of, place};
use crate::domain::lesson::promotion::{Decision, decide};
use crate::domain::lesson::run::RunRecord;
use crate::domain::timestamp::Timestamp;
use crate::store::lessons::rows::{ActivationRow, Conflict};

/// Lessons as they become, beside what they were.
pub(super) struct LessonWorkingSet {
    lessons: BTreeMap<LessonId, Lesson>,
    before: BTreeMap<LessonId, Lesson>,
    /// Lessons that something was learned about: the gates look at them.
    judged: BTreeSet<LessonId>,
}

impl LessonWorkingSet {
    pub(super) fn new(lessons: Vec<Lesson>) -> Self {
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

    pub(super) fn get(&self, id: LessonId) -> Option<&Lesson> {
        self.lessons.get(&id)
    }

    /// Takes the outcome of an activation, and the meetings that it decides.
    pub(super) fn take_outcome(&mut self, activation: &Activation, rules: &LessonRules) {
        if let Some(lesson) = self.lessons.get_mut(&activation.lesson)
            && lesson.take_outcome(activation, &rules.numbers.utility)
        {
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

    /// Places a new lesson; returns the lesson that it became, and how.
    pub(super) fn place(&mut self, new: Lesson, rules: &LessonRules) -> (Lesson, &'static str) {
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
    pub(super) fn conflicts_of(
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
    pub(super) fn apply_gates(
        &mut self,
        runs: &[RunRecord],
        activations: &[Activation],
        rules: &LessonRules,
        at: Timestamp,
    ) -> Vec<Decision> {
        let gates = &rules.numbers.gates;
        let mut decisions = Vec::new();
        for id in &self.judged {
            let Some(lesson) = self.lessons.get_mut(id) else {
                continue;
            };
            let rows = evidence(lesson, runs, activations, gates);
            let decision = decide(lesson, rows, gates, at);
            decisions.extend(decision.filter(|decision| lesson.take_decision(decision)));
        }
        decisions
    }

    /// The lessons that changed.
    pub(super) fn changed(&self) -> Vec<Lesson> {
        let moved = |lesson: &&Lesson| self.before.get(&lesson.id) != Some(*lesson);
        self.lessons.values().filter(moved).cloned().collect()
    }
}

/// All activations that bear on a judgement, oldest first, those settled now in place of their old rows.
pub(super) fn with_settled(gathered: &[ActivationRow], settled: &[Activation]) -> Vec<Activation> {
    let mut all: BTreeMap<_, Activation> = BTreeMap::new();
    let rows = gathered.iter().map(|row| &row.activation);
    for activation in rows.chain(settled) {
        all.insert((activation.at, activation.id), activation.clone());
    }
    all.into_values().collect()
}
