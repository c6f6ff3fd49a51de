//! Conflicts: two lessons that the same error calls for and that cannot both be followed.
//!
//! One demands an action that the other forbids, about the same thing. Words are read with the scope of their negation,
//! so that two rules that both forbid a thing agree, and upper case stays distinct from lower case, because many rules
//! are about case. The price: contradictions in different words are not found; a model may propose those, and never
//! decides alone.

mod reading;

use std::collections::BTreeMap;
use std::fmt;

use self::reading::Reading;
use super::learning::opposite::are_opposite;
use super::learning::pattern;
use super::lesson::Lesson;
use super::rule::Rule;
use hindlore_primitives::ids::LessonId;
use hindlore_text::antonyms::{Antonyms, Stems};
use hindlore_text::guard::{GuardReason, MergeGuard};
use hindlore_text::similarity::jaccard;
use hindlore_text::words::stop_words::is_stop_word;
use hindlore_text::words::{Tokens, stem};

/// How much two rules must have in common to be about the same thing.
const SAME_THING: f64 = 0.6;

/// The minimum share of the forbidden words of one rule that the other must demand.
const DENIED_SHARE: f64 = 0.75;

/// Opposites of advice beyond the shipped antonyms.
const PAIRS: &[(&str, &str)] = &[
    ("quoted", "unquoted"),
    ("lowercase", "uppercase"),
    ("ascending", "descending"),
    ("single", "double"),
    ("quote", "unquote"),
];

/// Why two lessons conflict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConflictReason {
    /// One calls a form right that the other calls wrong.
    RightAndWrong,
    /// They correct the same form, and their corrections are not the same form.
    DifferentCures,
    /// One demands words that the other forbids; the words in question.
    DemandedAndForbidden(Vec<String>),
    /// They demand opposites.
    Opposites(String, String),
}

impl fmt::Display for ConflictReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RightAndWrong => f.write_str("one calls right what the other calls wrong"),
            Self::DifferentCures => f.write_str("they correct the same form in different ways"),
            Self::DemandedAndForbidden(words) => {
                write!(f, "one demands what the other forbids: {}", words.join(" "))
            }
            Self::Opposites(left, right) => write!(f, "they demand opposites: {left} and {right}"),
        }
    }
}

/// Finds conflicts; holds the table of opposites.
#[derive(Debug)]
pub struct ConflictRules {
    antonyms: Antonyms,
    pairs: Antonyms,
    guard: MergeGuard,
}

impl ConflictRules {
    /// The shipped opposites and more of one's own.
    pub fn new(own: &[(String, String)]) -> Self {
        let shipped = PAIRS
            .iter()
            .map(|(left, right)| ((*left).to_owned(), (*right).to_owned()));
        Self {
            antonyms: Antonyms::standard(),
            pairs: Antonyms::new(shipped.chain(own.iter().cloned())),
            guard: MergeGuard::standard(),
        }
    }

    /// Why two lessons conflict; only lessons of one owner can, with a common trigger or with exchanged forms.
    pub fn between(&self, a: &Lesson, b: &Lesson) -> Option<ConflictReason> {
        if a.id == b.id || a.owner != b.owner {
            return None;
        }
        if a.shares_trigger(b) {
            return self.of_rules(&a.rule, &b.rule);
        }
        are_opposite(&a.rule, &b.rule).then_some(ConflictReason::RightAndWrong)
    }

    /// Why two rules cannot both be followed.
    pub fn of_rules(&self, a: &Rule, b: &Rule) -> Option<ConflictReason> {
        if a.wrong().is_some() && b.wrong().is_some() {
            return self.of_patterns(a, b);
        }
        self.of_texts(a.as_str(), b.as_str())
    }

    fn of_patterns(&self, a: &Rule, b: &Rule) -> Option<ConflictReason> {
        let plain = |pattern: Option<&str>| pattern.map(without_numbers);
        let crossed = |a: &Rule, b: &Rule| {
            let equal = plain(a.correct()).is_some() && plain(a.correct()) == plain(b.wrong());
            equal
                || a.correct().is_some_and(|correct| {
                    b.correct().is_none()
                        && b.wrong().is_some_and(|wrong| pattern::fits(wrong, correct))
                })
        };
        if crossed(a, b) || crossed(b, a) {
            return Some(ConflictReason::RightAndWrong);
        }
        let (left, right) = a.correct().zip(b.correct())?;
        if plain(a.wrong()) != plain(b.wrong()) {
            return None;
        }
        // A word matches every possible value of a placeholder; a gap takes anything, so that having a form is not yet
        // equality.
        let example = |form: &str| without_numbers(form).replace("<>", "it");
        let is_of = |form: &str, other: &str| {
            plain(Some(form)) == plain(Some(other)) || pattern::fits(form, &example(other))
        };
        let differ = !(is_of(left, right) && is_of(right, left));
        self.opposed(left, right)
            .or(differ.then_some(ConflictReason::DifferentCures))
    }

    fn of_texts(&self, a: &str, b: &str) -> Option<ConflictReason> {
        let (left, right) = (Reading::of(a), Reading::of(b));
        if jaccard(&left.all(), &right.all()) >= SAME_THING
            && let Some(words) = self.denied_demand(&left, &right)
        {
            return Some(ConflictReason::DemandedAndForbidden(words));
        }
        if let Some(reason) = self.opposed(&left.demand, &right.demand) {
            return Some(reason);
        }
        // Scripts without blanks are read as a whole.
        let unread = !a.is_ascii()
            && !b.is_ascii()
            && jaccard(&Tokens::Standard.set(a), &Tokens::Standard.set(b)) >= SAME_THING / 2.0;
        let reason = unread.then(|| {
            self.guard
                .check_claims(&self.guard.features(a), &self.guard.features(b))
        })?;
        match reason {
            Some(GuardReason::Negation) => Some(ConflictReason::DemandedAndForbidden(Vec::new())),
            Some(GuardReason::Antonyms { left, right }) => {
                Some(ConflictReason::Opposites(left, right))
            }
            _ => None,
        }
    }

    /// The words that one demands and the other forbids.
    ///
    /// Two rules that both forbid something conflict only when they exchange their forbidden words, because the subject
    /// of a passive sentence precedes its negation.
    fn denied_demand(&self, a: &Reading, b: &Reading) -> Option<Vec<String>> {
        let clash = |a: &Reading, b: &Reading| -> Vec<String> {
            a.asserted.intersection(&b.denied).cloned().collect()
        };
        let (forward, backward) = (clash(a, b), clash(b, a));
        if a.denied.is_empty() == b.denied.is_empty() {
            let exchanged = !forward.is_empty() && !backward.is_empty();
            return exchanged.then(|| [forward, backward].concat());
        }
        let (demands, forbids, words) = if b.denied.is_empty() {
            (b, a, backward)
        } else {
            (a, b, forward)
        };
        let covered = words.len() as f64 >= DENIED_SHARE * forbids.denied.len() as f64;
        // To demand a thing and to forbid its opposite is to agree.
        let agree = || self.opposed(&demands.demand, &forbids.forbidden).is_some();
        (covered && !words.is_empty() && !agree()).then_some(words)
    }

    /// Opposites in two demands that are otherwise about the same thing.
    fn opposed(&self, a: &str, b: &str) -> Option<ConflictReason> {
        let (left, right) = (Stems::from_text(a), Stems::from_text(b));
        let (x, y) = self
            .pairs
            .opposed(&left, &right)
            .or_else(|| self.antonyms.opposed(&left, &right))?;
        let rest = |text: &str| -> Vec<String> {
            let sides: Vec<String> = [x, y]
                .iter()
                .flat_map(|side| side.split_whitespace())
                .map(stem)
                .collect();
            let words = Tokens::Standard
                .set(text)
                .into_iter()
                .map(|word| stem(&word));
            let mut rest: Vec<String> = words
                .filter(|word| !sides.contains(word) && !is_stop_word(word))
                .collect();
            rest.sort_unstable();
            rest.dedup();
            rest
        };
        let (left, right) = (rest(a), rest(b));
        let same =
            (left.is_empty() && right.is_empty()) || jaccard(&left, &right) >= SAME_THING - 0.1;
        same.then(|| ConflictReason::Opposites(x.to_owned(), y.to_owned()))
    }
}

/// Placeholders are numbered by first occurrence, which may differ between two rules.
fn without_numbers(pattern: &str) -> String {
    let mut plain = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        let name = from[1..].bytes().take_while(u8::is_ascii_digit).count();
        let is_placeholder = name > 0 && from[1 + name..].starts_with('>');
        plain.push_str(before);
        plain.push_str(if is_placeholder { "<>" } else { "<" });
        rest = &from[if is_placeholder { name + 2 } else { 1 }..];
    }
    plain.push_str(rest);
    plain
}

/// Groups of lessons that conflict directly or through others, each sorted, in order of their first.
pub fn clusters(pairs: &[(LessonId, LessonId)]) -> Vec<Vec<LessonId>> {
    let mut leader: BTreeMap<LessonId, LessonId> = BTreeMap::new();
    fn find(leader: &BTreeMap<LessonId, LessonId>, mut id: LessonId) -> LessonId {
        while let Some(up) = leader.get(&id).filter(|up| **up != id) {
            id = *up;
        }
        id
    }
    for (a, b) in pairs {
        leader.entry(*a).or_insert(*a);
        leader.entry(*b).or_insert(*b);
        let (x, y) = (find(&leader, *a), find(&leader, *b));
        leader.insert(x.max(y), x.min(y));
    }
    let mut groups: BTreeMap<LessonId, Vec<LessonId>> = BTreeMap::new();
    for id in leader.keys() {
        groups.entry(find(&leader, *id)).or_default().push(*id);
    }
    groups.into_values().collect()
}

#[cfg(test)]
mod tests;
