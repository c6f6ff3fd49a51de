//! What the memory arm keeps in process: lessons, runs, activations, decisions.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use mnemograph::domain::lesson::activation::Activation;
use mnemograph::domain::lesson::assertion::Assertion;
use mnemograph::domain::lesson::conflict::ConflictRules;
use mnemograph::domain::lesson::fingerprint::Fingerprints;
use mnemograph::domain::lesson::ids::{FingerprintId, LessonId};
use mnemograph::domain::lesson::lesson::{Lesson, NewLesson, Owner, Place, Reach, Status};
use mnemograph::domain::lesson::lesson_policy::LessonPolicy;
use mnemograph::domain::lesson::merge;
use mnemograph::domain::lesson::pattern::Reading;
use mnemograph::domain::lesson::promotion::Decision;
use mnemograph::domain::lesson::rule::Rule;
use mnemograph::domain::lesson::run::RunRecord;
use mnemograph::domain::text::guard::MergeGuard;
use mnemograph::domain::timestamp::Timestamp;

use super::STEP_TAG;
use super::verdicts::Advice;

/// Failures that are the recent context of a run.
const RECENT_MAX: usize = 64;
/// Actions that worked in one kind of step and are remembered.
const WORKED_MAX: usize = 512;

/// A wrong lesson to be planted.
#[derive(Clone, PartialEq, Debug)]
pub struct Planted {
    /// What it says.
    pub rule: Rule,
    /// What calls for it.
    pub triggers: Vec<FingerprintId>,
    /// What it is said to be about.
    pub tags: Vec<String>,
    /// Where it claims to be from.
    pub place: Place,
    /// How reliable it claims to be.
    pub reliability: f64,
}

/// Domain values, and how the rules are set.
#[derive(Debug, Default)]
pub struct Keeper {
    /// Every lesson by its id.
    pub lessons: BTreeMap<LessonId, Lesson>,
    /// Runs that ended, oldest first.
    pub runs: Vec<RunRecord>,
    /// Settled activations, oldest first.
    pub activations: Vec<Activation>,
    /// Decisions, oldest first.
    pub decisions: Vec<Decision>,
    /// How the rules are set.
    pub numbers: LessonPolicy,
    /// Occurrences in all runs by fine fingerprint.
    pub seen: BTreeMap<FingerprintId, u64>,
    /// Normalised text and tags of every fingerprint.
    pub(super) fingerprints: BTreeMap<FingerprintId, (String, Vec<String>)>,
    /// Pairs of lessons that contradict each other, the smaller id first.
    pub(super) conflicts: BTreeSet<(LessonId, LessonId)>,
    /// What was done at each step of each run.
    pub(super) actions: BTreeMap<String, BTreeMap<u32, Reading>>,
    /// What was seen to work, by the kind of step.
    worked: BTreeMap<String, BTreeMap<String, Reading>>,
    /// The last failures, the newest first.
    failures: VecDeque<(Place, Fingerprints, Vec<String>)>,
}

impl Keeper {
    /// Notes that a lesson was returned and gives what it says.
    pub(super) fn returned(&mut self, id: LessonId, at: Timestamp) -> Option<Rule> {
        let lesson = self.lessons.get_mut(&id)?;
        lesson.counts.retrieved += 1;
        lesson.used_at = Some(at);
        lesson.unused_opportunities = 0;
        Some(lesson.rule.clone())
    }

    /// The kind of step that a lesson was learned in; absent when there are several.
    pub(crate) fn learned_in(&self, id: LessonId) -> Option<String> {
        let tags = &self.lessons.get(&id)?.tags;
        let mut kinds = tags.iter().filter_map(|tag| tag.strip_prefix(STEP_TAG));
        let first = kinds.next()?;
        kinds.next().is_none().then(|| first.to_owned())
    }

    /// What a lesson advises, where it names a wrong form.
    pub(super) fn advice(&self, lesson: &Lesson) -> Option<Advice> {
        Some(Advice {
            lesson: lesson.id,
            claim: Assertion::of(&lesson.rule)?,
            about: self.learned_in(lesson.id),
        })
    }

    /// The advice of the live lessons that contradict one.
    pub(super) fn contradicting(&self, id: LessonId) -> impl Iterator<Item = Advice> {
        let others = self.conflicts.iter().filter_map(move |(a, b)| match () {
            () if *a == id => Some(b),
            () if *b == id => Some(a),
            () => None,
        });
        let live = others.filter_map(|other| self.lessons.get(other));
        live.filter(|lesson| lesson.status.is_live())
            .filter_map(|lesson| self.advice(lesson))
    }

    /// A run with the failures alone that a lesson answers for: those of the form that it calls wrong.
    pub(super) fn spoken_of(&self, claim: &Assertion, run: &RunRecord) -> RunRecord {
        let actions = self.actions.get(&run.id);
        run.about(|step| {
            let action = actions.and_then(|actions| actions.get(&step));
            action.is_none_or(|action| claim.wrong.fits(action))
        })
    }

    /// Takes in what worked in a kind of step.
    pub(super) fn worked(&mut self, kind: &str, action: &str) {
        let known = self.worked.entry(kind.to_owned()).or_default();
        if known.len() < WORKED_MAX && !known.contains_key(action) {
            known.insert(action.to_owned(), Reading::of(action));
        }
    }

    /// Tells whether something of a form was seen to work in a kind of step.
    pub(super) fn has_worked(&self, form: &Reading, kind: Option<&String>) -> bool {
        let kinds = self.worked.iter();
        kinds
            .filter(|(own, _)| kind.is_none_or(|kind| kind == *own))
            .any(|(_, known)| known.values().any(|action| form.fits(action)))
    }

    /// Takes in a failure.
    pub(super) fn saw(&mut self, place: &Place, fingerprints: &Fingerprints, tags: &[String]) {
        for one in [&fingerprints.fine, &fingerprints.coarse] {
            let row = self.fingerprints.entry(one.id).or_default();
            row.0.clone_from(&one.normalised);
            row.1.extend(tags.iter().cloned());
            row.1.sort_unstable();
            row.1.dedup();
        }
        self.failures
            .push_front((place.clone(), fingerprints.clone(), tags.to_vec()));
        self.failures.truncate(RECENT_MAX);
    }

    /// The last failures with the same tool, the newest first, and their tags.
    pub(super) fn recent(&self, place: &Place) -> (Vec<Fingerprints>, Vec<String>) {
        let near = self
            .failures
            .iter()
            .filter(|(other, ..)| other.tool == place.tool);
        let mut recent: Vec<Fingerprints> = Vec::new();
        let mut tags = BTreeSet::new();
        for (_, fingerprints, own) in near {
            if !recent
                .iter()
                .any(|known| known.fine.id == fingerprints.fine.id)
            {
                recent.push(fingerprints.clone());
                tags.extend(own.iter().cloned());
            }
        }
        (recent, tags.into_iter().collect())
    }

    /// Keeps a new lesson where the domain places it: on its own, in one that says the same, or as the
    /// heir of one that was suppressed.
    pub(super) fn keep(&mut self, lesson: Lesson) {
        let (rules, guard) = (ConflictRules::new(&[]), MergeGuard::standard());
        let existing: Vec<Lesson> = self.lessons.values().cloned().collect();
        let placed = merge::place(lesson, &existing, &rules, &guard)
            .lesson()
            .clone();
        self.put(placed, &rules);
    }

    /// Puts a lesson in and links it with those that it contradicts.
    fn put(&mut self, lesson: Lesson, rules: &ConflictRules) {
        let contradicted = self.lessons.values().filter(|other| {
            other.id != lesson.id
                && other.shares_trigger(&lesson)
                && rules.between(other, &lesson).is_some()
        });
        let pairs: Vec<(LessonId, LessonId)> = contradicted
            .map(|other| (other.id.min(lesson.id), other.id.max(lesson.id)))
            .collect();
        self.conflicts.extend(pairs);
        self.lessons.insert(lesson.id, lesson);
    }

    /// Puts a lesson in that no run has taught; gives its id.
    pub fn plant(&mut self, planted: Planted, at: Timestamp) -> Option<LessonId> {
        let mut lesson = Lesson::new(NewLesson {
            owner: owner()?,
            rule: planted.rule,
            triggers: planted.triggers,
            tags: planted.tags,
            reach: Reach::Domain,
            place: planted.place,
            source_run: None,
            at,
        });
        lesson.reliability = planted.reliability;
        let id = lesson.id;
        self.put(lesson, &ConflictRules::new(&[]));
        Some(id)
    }

    /// Lessons of a status.
    pub fn count(&self, status: Status) -> usize {
        self.lessons
            .values()
            .filter(|lesson| lesson.status == status)
            .count()
    }
}

/// Whose lessons they are: the laboratory's.
pub(super) fn owner() -> Option<Owner> {
    Owner::new("lab", "executor").ok()
}
