//! `hindlore-bench merges`: how often texts become one that should not, and how often texts stay two that should
//! be one.
//!
//! At the defaults each pair goes through a real memory, the second text by a delta of its own, so that every rule of
//! adding and refining applies. The curve takes one threshold for both rules and shows the effect of the guard, and the
//! classic comparison.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::curve::Curve;
use super::data;
use super::error::EvalError;
use super::report::{Goal, Ratio, Report, Row};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::{Tables, apply_delta};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_text::guard::MergeGuard;
use hindlore_text::similarity::jaccard;
use hindlore_text::words::Tokens;

/// The pairs that were written for this project.
const OWN_PAIRS: &str = include_str!("../../../tests/data/merge_pairs.jsonl");
/// Share of different pairs that may become one at the defaults.
const FALSE_MAX: f64 = 0.005;
/// Thresholds with rows of their own.
const THRESHOLDS: [f64; 7] = [0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 1.0];

/// Two texts and whether they give the same advice.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Pair {
    /// The text that is known.
    pub a: String,
    /// The text that comes later.
    pub b: String,
    /// Whether they should become one.
    pub same: bool,
    /// Their difference.
    #[serde(default)]
    pub kind: String,
    /// Language (ISO 639-1).
    #[serde(default)]
    pub lang: String,
}

/// The results of one rule on the pairs, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Pairs of different advice.
    pub different: u64,
    /// Those that became one.
    pub merged_wrongly: u64,
    /// Pairs of the same advice.
    pub same: u64,
    /// Those that stayed two.
    pub missed: u64,
}

/// Returns true if a pair becomes one.
type Rule<'r> = &'r dyn Fn(&Seen) -> bool;

/// A pair as the rules see it.
struct Seen {
    same: bool,
    standard: f64,
    classic: f64,
    is_guarded: bool,
}

impl Outcome {
    fn note(&mut self, same: bool, merged: bool) {
        if same {
            self.same += 1;
            self.missed += u64::from(!merged);
        } else {
            self.different += 1;
            self.merged_wrongly += u64::from(merged);
        }
    }

    /// Share of different pairs that became one; 0 without any.
    pub fn false_rate(&self) -> f64 {
        self.merged_wrongly as f64 / self.different.max(1) as f64
    }

    /// Share of equal pairs that stayed two; 0 without any.
    pub fn missed_rate(&self) -> f64 {
        self.missed as f64 / self.same.max(1) as f64
    }
}

/// The contents of a file of pairs.
const OF_PAIRS: &str =
    "give a file of JSON Lines, each {\"a\", \"b\", \"same\", \"kind\", \"lang\"}";

/// Reads labelled pairs from a file, or gives the project's own.
pub fn pairs(file: Option<&Path>) -> Result<Vec<Pair>, EvalError> {
    let pairs: Vec<Pair> = match file {
        Some(path) => {
            data::of_file(path).map_err(|error| EvalError::new(error.message, OF_PAIRS))?
        }
        None => data::of_text(OWN_PAIRS, "tests/data/merge_pairs.jsonl")?,
    };
    if pairs.is_empty() {
        return Err(EvalError::new("there are no pairs to compare", OF_PAIRS));
    }
    Ok(pairs)
}

/// Measures merging on labelled pairs.
pub fn merges(pairs: &[Pair]) -> Result<Report, EvalError> {
    let mut report = Report::new("merges");
    let engine = at_defaults(pairs, &Policy::default())?;
    let classic = at_defaults(pairs, &Policy::classic())?;
    let without_guard = Policy {
        guard: false,
        ..Policy::default()
    };
    let unguarded = at_defaults(pairs, &without_guard)?;
    let all = |by_kind: &ByKind| total(by_kind);
    let (ours, off, old) = (all(&engine), all(&unguarded), all(&classic));
    let policy = Policy::default();
    let note = format!(
        "defaults: merge at {}, refine above {}; {} of {} different pairs became one, {} of {} equal pairs \
         stayed two",
        policy.merge_threshold,
        policy.dedup_threshold,
        ours.merged_wrongly,
        ours.different,
        ours.missed,
        ours.same
    );
    report.push(
        Row::measured("false merges, defaults", ours.false_rate(), "share")
            .of_size(ours.different)
            .beside("classic", old.false_rate(), Ratio::OursToTheirs)
            .with_note(note)
            .with_goal(Goal::AtMost(FALSE_MAX)),
    );
    report.push(
        Row::measured("missed merges, defaults", ours.missed_rate(), "share")
            .of_size(ours.same)
            .beside("classic", old.missed_rate(), Ratio::OursToTheirs),
    );
    for (name, of) in [("guard off", off), ("classic", old)] {
        let (wrong, missed) = (of.false_rate(), of.missed_rate());
        report.push(
            Row::measured(format!("false merges, defaults, {name}"), wrong, "share")
                .of_size(of.different),
        );
        report.push(
            Row::measured(format!("missed merges, defaults, {name}"), missed, "share")
                .of_size(of.same),
        );
    }
    by_kind_rows(&engine, &mut report);
    curve(pairs, &mut report);
    Ok(report)
}

/// Outcomes by kind of pair.
type ByKind = BTreeMap<String, Outcome>;

/// Puts every pair through a memory of its own under a policy.
pub fn at_defaults(pairs: &[Pair], policy: &Policy) -> Result<ByKind, EvalError> {
    let tables = Tables::standard();
    let mut outcomes = ByKind::new();
    for pair in pairs {
        let merged = become_one(pair, policy, &tables)?;
        let kind = outcomes.entry(pair.kind.clone()).or_default();
        kind.note(pair.same, merged);
    }
    Ok(outcomes)
}

/// The sum over all kinds.
pub fn total(by_kind: &ByKind) -> Outcome {
    let mut sum = Outcome::default();
    for of in by_kind.values() {
        sum.different += of.different;
        sum.merged_wrongly += of.merged_wrongly;
        sum.same += of.same;
        sum.missed += of.missed;
    }
    sum
}

fn become_one(pair: &Pair, policy: &Policy, tables: &Tables) -> Result<bool, EvalError> {
    let wrong = |why: String| {
        let message = format!("the pair `{}` cannot be added: {why}", pair.a);
        EvalError::new(message, "check the texts of the pair")
    };
    let key = MemoryKey::new("bench", "merges", "pair").map_err(|why| wrong(why.to_string()))?;
    let mut memory = Memory::new(key, policy.clone());
    for (id, text) in [("first", &pair.a), ("second", &pair.b)] {
        let new = NewBullet {
            content: text.clone(),
            ..NewBullet::default()
        };
        let id = DeltaId::parse(id).map_err(wrong)?;
        let delta = Delta::new(id, vec![Operation::Add(Box::new(new))]);
        let now = Timestamp::from_millis(0);
        apply_delta(&mut memory, &delta, now, tables).map_err(|why| wrong(format!("{why:?}")))?;
    }
    Ok(memory.status_counts().active == 1)
}

fn by_kind_rows(engine: &ByKind, report: &mut Report) {
    for (kind, of) in engine {
        if of.different > 0 {
            let name = format!("false merges, defaults, {kind}");
            report.push(Row::measured(name, of.false_rate(), "share").of_size(of.different));
        }
        if of.same > 0 {
            let name = format!("missed merges, defaults, {kind}");
            report.push(Row::measured(name, of.missed_rate(), "share").of_size(of.same));
        }
    }
}

fn curve(pairs: &[Pair], report: &mut Report) {
    let guard = MergeGuard::standard();
    let seen: Vec<Seen> = pairs.iter().map(|pair| see(pair, &guard)).collect();
    let shipped = Policy::default().merge_threshold;
    let title = "Merging two texts at a similarity threshold";
    let mut curve =
        Curve::new("merges", title, "threshold (at least)", "share of pairs").shipped_at(shipped);
    let at = |threshold: f64, rule: Rule<'_>| {
        let mut of = Outcome::default();
        seen.iter().for_each(|pair| of.note(pair.same, rule(pair)));
        (threshold, of)
    };
    for step in 0..=30 {
        let threshold = f64::from(70 + step) / 100.0;
        let rules: [(&str, Rule<'_>); 3] = [
            ("guard on", &|pair| {
                pair.standard >= threshold && !pair.is_guarded
            }),
            ("guard off", &|pair| pair.standard >= threshold),
            ("classic", &|pair| pair.classic >= threshold),
        ];
        for (name, rule) in rules {
            let (threshold, of) = at(threshold, rule);
            curve.add(&format!("false merges, {name}"), threshold, of.false_rate());
            curve.add(
                &format!("missed merges, {name}"),
                threshold,
                of.missed_rate(),
            );
            if THRESHOLDS.contains(&threshold) {
                let row = |what: &str, figure: f64, count: u64| {
                    let name = format!("{what} merges, at {threshold:.2}, {name}");
                    Row::measured(name, figure, "share").of_size(count)
                };
                report.push(row("false", of.false_rate(), of.different));
                report.push(row("missed", of.missed_rate(), of.same));
            }
        }
    }
    report.curves.push(curve);
}

fn see(pair: &Pair, guard: &MergeGuard) -> Seen {
    let similarity = |tokens: Tokens| jaccard(&tokens.set(&pair.a), &tokens.set(&pair.b));
    let (a, b) = (guard.features(&pair.a), guard.features(&pair.b));
    Seen {
        same: pair.same,
        standard: similarity(Tokens::Standard),
        classic: similarity(Tokens::Classic),
        is_guarded: guard.check(&a, &b).is_some(),
    }
}
