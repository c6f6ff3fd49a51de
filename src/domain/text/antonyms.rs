//! Pairs of opposites: two texts with opposite words may be similar and still contradict each other.
//!
//! Words are compared by stem, so a pair covers its inflections. The shipped table is mostly English; a
//! configured one may be in any language and have phrases as well as words.

use super::words::{is_unspaced, standard_words, stem};

/// The shipped pairs.
#[rustfmt::skip]
const PAIRS: &[(&str, &str)] = &[
    ("oldest", "newest"), ("oldest", "latest"), ("earliest", "latest"), ("older", "newer"),
    ("old", "new"), ("first", "last"), ("first", "final"), ("previous", "next"),
    ("earlier", "later"), ("early", "late"), ("ascending", "descending"), ("ascend", "descend"),
    ("asc", "desc"), ("before", "after"), ("min", "max"), ("minimum", "maximum"),
    ("min", "maximum"), ("minimum", "max"), ("minimal", "maximal"), ("minimize", "maximize"),
    ("minimise", "maximise"), ("enable", "disable"), ("activate", "deactivate"),
    ("active", "inactive"), ("always", "never"), ("always", "sometimes"), ("often", "rarely"),
    ("often", "seldom"), ("include", "exclude"), ("inclusive", "exclusive"), ("add", "remove"),
    ("add", "delete"), ("add", "subtract"), ("insert", "delete"), ("create", "delete"),
    ("create", "destroy"), ("multiply", "divide"), ("open", "close"), ("increase", "decrease"),
    ("increment", "decrement"), ("raise", "lower"), ("grow", "shrink"), ("rise", "fall"),
    ("start", "stop"), ("start", "end"), ("start", "finish"), ("begin", "end"), ("begin", "finish"),
    ("resume", "pause"), ("allow", "deny"), ("allow", "forbid"), ("allow", "block"),
    ("allow", "disallow"), ("permit", "forbid"), ("permit", "prohibit"), ("grant", "revoke"),
    ("accept", "reject"), ("accept", "decline"), ("approve", "reject"), ("allowlist", "denylist"),
    ("whitelist", "blacklist"), ("public", "private"), ("read", "write"), ("load", "save"),
    ("upper", "lower"), ("uppercase", "lowercase"), ("left", "right"), ("top", "bottom"),
    ("above", "below"), ("over", "under"), ("front", "back"), ("forward", "backward"),
    ("forwards", "backwards"), ("inside", "outside"), ("inner", "outer"), ("internal", "external"),
    ("prefix", "suffix"), ("prepend", "append"), ("head", "tail"), ("leading", "trailing"),
    ("horizontal", "vertical"), ("row", "column"), ("width", "height"),
    ("clockwise", "counterclockwise"), ("north", "south"), ("east", "west"), ("more", "less"),
    ("more", "fewer"), ("most", "least"), ("many", "few"), ("higher", "lower"),
    ("highest", "lowest"), ("high", "low"), ("larger", "smaller"), ("largest", "smallest"),
    ("large", "small"), ("big", "small"), ("greater", "less"), ("greater", "smaller"),
    ("longer", "shorter"), ("longest", "shortest"), ("long", "short"), ("faster", "slower"),
    ("fastest", "slowest"), ("fast", "slow"), ("wide", "narrow"), ("strong", "weak"),
    ("deep", "shallow"), ("hot", "cold"), ("better", "worse"), ("best", "worst"), ("good", "bad"),
    ("true", "false"), ("right", "wrong"), ("correct", "incorrect"), ("valid", "invalid"),
    ("success", "failure"), ("succeed", "fail"), ("successful", "failed"), ("pass", "fail"),
    ("required", "optional"), ("necessary", "unnecessary"), ("work", "fail"), ("mandatory", "optional"), ("complete", "incomplete"),
    ("known", "unknown"), ("same", "different"), ("equal", "unequal"), ("even", "odd"),
    ("positive", "negative"), ("full", "empty"), ("local", "remote"), ("local", "global"),
    ("online", "offline"), ("sync", "async"), ("synchronous", "asynchronous"),
    ("serial", "parallel"), ("sequential", "parallel"), ("static", "dynamic"),
    ("mutable", "immutable"), ("eager", "lazy"), ("strict", "lenient"), ("absolute", "relative"),
    ("explicit", "implicit"), ("direct", "indirect"), ("manual", "automatic"),
    ("manually", "automatically"), ("primary", "secondary"), ("primary", "replica"),
    ("major", "minor"), ("permanent", "temporary"), ("safe", "unsafe"), ("secure", "insecure"),
    ("signed", "unsigned"), ("visible", "hidden"), ("show", "hide"), ("expand", "collapse"),
    ("lock", "unlock"), ("mount", "unmount"), ("install", "uninstall"), ("connect", "disconnect"),
    ("attach", "detach"), ("subscribe", "unsubscribe"), ("login", "logout"), ("log in", "log out"),
    ("opt in", "opt out"), ("upload", "download"), ("upgrade", "downgrade"),
    ("commit", "rollback"), ("encrypt", "decrypt"), ("encode", "decode"),
    ("serialize", "deserialize"), ("serialise", "deserialise"), ("compress", "decompress"),
    ("push", "pull"), ("push", "pop"), ("send", "receive"), ("import", "export"),
    ("parent", "child"), ("ancestor", "descendant"), ("input", "output"), ("source", "target"),
    ("source", "destination"), ("sender", "receiver"), ("producer", "consumer"),
    ("request", "response"), ("client", "server"), ("all", "none"), ("all", "any"),
    ("both", "neither"), ("everything", "nothing"), ("everyone", "nobody"), ("buy", "sell"),
    ("lend", "borrow"), ("win", "lose"), ("profit", "loss"), ("gain", "loss"),
    ("credit", "debit"), ("arrival", "departure"), ("day", "night"), ("am", "pm"),
    ("a.m", "p.m"), ("morning", "evening"), ("up", "down"), ("on", "off"), ("in", "out"),
    ("with", "without"), ("agree", "disagree"), ("like", "dislike"), ("keep", "discard"),
    ("keep", "delete"), ("keep", "remove"), ("appear", "disappear"), ("male", "female"),
    ("love", "hate"), ("like", "hate"), ("love", "dislike"), ("accept", "refuse"),
    ("permit", "deny"), ("allow", "prohibit"), ("grant", "deny"), ("possible", "impossible"),
    ("legal", "illegal"), ("cheap", "expensive"), ("quiet", "loud"), ("near", "far"),
    ("dark", "light"), ("clean", "dirty"), ("available", "unavailable"),
    ("supported", "unsupported"), ("stable", "unstable"), ("aktiviere", "deaktiviere"),
    ("aktivieren", "deaktivieren"), ("erlaube", "verbiete"), ("erlauben", "verbieten"),
    ("immer", "nie"), ("activer", "désactiver"), ("activez", "désactivez"),
    ("autoriser", "interdire"), ("toujours", "jamais"), ("activar", "desactivar"),
    ("activa", "desactiva"), ("permitir", "prohibir"), ("siempre", "nunca"), ("启用", "禁用"),
    ("打开", "关闭"), ("开启", "关闭"), ("允许", "禁止"), ("增加", "减少"), ("升序", "降序"),
    ("最大", "最小"), ("有効", "無効"), ("許可", "禁止"),
];

/// Words so common that they mean nothing next to their opposite in the same text.
const COMMON: &[&str] = &[
    "with", "on", "up", "in", "more", "most", "all", "any", "am", "like",
];

/// Inflections that the stemmer does not undo.
#[rustfmt::skip]
const IRREGULAR: &[(&str, &str)] = &[
    ("began", "begin"), ("begun", "begin"), ("bought", "buy"), ("sold", "sell"), ("sent", "send"),
    ("wrote", "write"), ("written", "write"), ("hid", "hide"), ("shown", "show"), ("grew", "grow"),
    ("grown", "grow"), ("shrank", "shrink"), ("shrunk", "shrink"), ("rose", "rise"),
    ("risen", "rise"), ("fell", "fall"), ("fallen", "fall"), ("lent", "lend"), ("won", "win"),
    ("lost", "lose"), ("forbidden", "forbid"), ("forbade", "forbid"), ("kept", "keep"),
    ("children", "child"),
];

/// A table of opposites, to be looked up in texts.
#[derive(Clone, Debug)]
pub struct Antonyms {
    pairs: Vec<[Side; 2]>,
}

/// A word or phrase of a pair, as given and as stems.
#[derive(Clone, Debug)]
struct Side {
    word: String,
    stems: Vec<String>,
    common: bool,
}

/// The stems of a text, in order and as a set.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Stems {
    in_order: Vec<String>,
    sorted: Vec<String>,
}

/// The pairs of a table of which a text has at least one side, ascending by pair.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sides(Vec<PairSides>);

/// The sides of one pair that a text has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PairSides {
    /// Index of the pair in its table.
    pair: usize,
    left: bool,
    right: bool,
}

/// A text by its stems and its sides, ready to be compared.
#[derive(Clone, Copy, Debug)]
pub struct SidedText<'t> {
    /// The stems of the text.
    pub stems: &'t Stems,
    /// The sides that [`Antonyms::sides`] found in them.
    pub sides: &'t Sides,
}

impl Antonyms {
    /// Returns the shipped table.
    pub fn standard() -> Self {
        Self::new(PAIRS.iter().map(|(left, right)| (*left, *right)))
    }

    /// Creates a table of pairs. Pairs with a side that has no words are left out.
    pub fn new<S: AsRef<str>>(pairs: impl IntoIterator<Item = (S, S)>) -> Self {
        let pairs = pairs
            .into_iter()
            .map(|(a, b)| [Side::new(a.as_ref()), Side::new(b.as_ref())]);
        Self {
            pairs: pairs
                .filter(|[a, b]| !a.stems.is_empty() && !b.stems.is_empty())
                .collect(),
        }
    }

    /// Returns which sides of which pairs a text has.
    pub fn sides(&self, text: &Stems) -> Sides {
        let sides_of = |(pair, [left, right]): (usize, &[Side; 2])| PairSides {
            pair,
            left: left.is_in(text),
            right: right.is_in(text),
        };
        Sides(
            self.pairs
                .iter()
                .enumerate()
                .map(sides_of)
                .filter(|sides| sides.left || sides.right)
                .collect(),
        )
    }

    /// Returns the first pair in which two texts are opposed: the first text's word, then the second's.
    pub fn opposed(&self, a: &Stems, b: &Stems) -> Option<(&str, &str)> {
        let a = SidedText {
            stems: a,
            sides: &self.sides(a),
        };
        let b = SidedText {
            stems: b,
            sides: &self.sides(b),
        };
        self.opposed_by(a, b)
    }

    /// Does the same for texts whose sides were looked up before.
    pub fn opposed_by(&self, a: SidedText<'_>, b: SidedText<'_>) -> Option<(&str, &str)> {
        a.sides.shared(b.sides).find_map(|(in_a, in_b)| {
            let [left, right] = self.pairs.get(in_a.pair)?;
            if in_a.is_both() && in_b.is_both() {
                // A common word may be anywhere, so its position means nothing.
                if left.common || right.common {
                    return None;
                }
                let same = a.stems.sequence_of(left, right) == b.stems.sequence_of(left, right);
                return (!same).then_some((&*left.word, &*right.word));
            }
            // The side that each text takes. A common word beside its opposite takes none.
            let is_left = |sides: PairSides| sides.left && !(left.common && sides.right);
            let is_right = |sides: PairSides| sides.right && !(right.common && sides.left);
            if is_left(in_a) && is_right(in_b) {
                return Some((&*left.word, &*right.word));
            }
            (is_right(in_a) && is_left(in_b)).then_some((&*right.word, &*left.word))
        })
    }

    /// Tells whether a stem is a side of a pair.
    pub(super) fn has_side(&self, stem: &str) -> bool {
        let mut sides = self.pairs.iter().flatten();
        sides.any(|side| side.stems.len() == 1 && side.stems[0] == stem)
    }

    /// Returns the sides in scripts without spaces.
    pub(super) fn unspaced_sides(&self) -> impl Iterator<Item = &str> {
        let sides = self.pairs.iter().flatten().map(|side| side.word.as_str());
        sides.filter(|word| word.contains(is_unspaced))
    }

    /// Returns all words that decide, for the digest of the rules: the table's pair by pair, then the fixed ones.
    pub fn vocabulary(&self) -> impl Iterator<Item = &str> {
        let pairs = self.pairs.iter().flatten().map(|side| side.word.as_str());
        let irregular = IRREGULAR.iter().flat_map(|(form, base)| [*form, *base]);
        pairs.chain(COMMON.iter().copied()).chain(irregular)
    }
}

impl Sides {
    /// Returns the pairs of which both texts have a side: this text's sides, then the other's.
    fn shared<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = (PairSides, PairSides)> + 's {
        self.0.iter().filter_map(|own| {
            let at = other.0.binary_search_by_key(&own.pair, |sides| sides.pair);
            Some((*own, other.0[at.ok()?]))
        })
    }
}

impl PairSides {
    fn is_both(self) -> bool {
        self.left && self.right
    }
}

impl Stems {
    /// Returns the stems of a text's standard words.
    pub fn from_text(text: &str) -> Self {
        let in_order: Vec<String> = standard_words(text).iter().map(|w| base_form(w)).collect();
        let mut sorted = in_order.clone();
        sorted.sort_unstable();
        sorted.dedup();
        Self { in_order, sorted }
    }

    /// Returns the order in which the sides of a pair appear, without immediate repeats; true is the left.
    fn sequence_of(&self, left: &Side, right: &Side) -> Vec<bool> {
        let mut sides: Vec<bool> = (0..self.in_order.len())
            .filter_map(|at| {
                let rest = &self.in_order[at..];
                let is_left = rest.starts_with(&left.stems);
                (is_left || rest.starts_with(&right.stems)).then_some(is_left)
            })
            .collect();
        sides.dedup();
        sides
    }
}

impl Side {
    fn new(word: &str) -> Self {
        let stems = Stems::from_text(word).in_order;
        Self {
            word: word.to_lowercase(),
            stems,
            common: COMMON.contains(&word),
        }
    }

    fn is_in(&self, text: &Stems) -> bool {
        // Nearly all sides are one word, which a binary search finds.
        match self.stems.as_slice() {
            [stem] => text.sorted.binary_search(stem).is_ok(),
            stems => text
                .in_order
                .windows(stems.len())
                .any(|window| window == stems),
        }
    }
}

/// Returns the stem of a lower-case word; of an irregular form, that of its base form.
pub(super) fn base_form(word: &str) -> String {
    match IRREGULAR.iter().find(|(form, _)| *form == word) {
        Some((_, base)) => stem(base),
        None => stem(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opposed(a: &str, b: &str) -> bool {
        let table = Antonyms::standard();
        let (a, b) = (Stems::from_text(a), Stems::from_text(b));
        assert_eq!(
            table.opposed(&a, &b).is_some(),
            table.opposed(&b, &a).is_some()
        );
        table.opposed(&a, &b).is_some()
    }

    #[test]
    fn every_pair_opposes_its_sides_and_no_side_itself() {
        for (left, right) in PAIRS {
            assert!(
                opposed(&format!("the {left} case"), &format!("the {right} case")),
                "{left}"
            );
            assert!(
                !opposed(left, left) && !opposed(right, right),
                "{left} / {right}"
            );
        }
    }

    #[test]
    fn inflections_oppose() {
        for (a, b) in [
            ("adding a key", "removed a key"),
            ("it was enabled", "disabling it"),
            ("wrote to disk", "reads from disk"),
            ("child nodes", "parents"),
            ("Log in now", "log out now"),
        ] {
            assert!(opposed(a, b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn both_sides_in_both_texts_oppose_only_in_another_order() {
        assert!(!opposed("first and last", "the first, the last"));
        assert!(opposed("from left to right", "from right to left"));
        assert!(!opposed("go with it without a test", "go without a test"));
        assert!(!opposed("read the address", "remove the address"));
    }

    #[test]
    fn a_table_of_ones_own_replaces_the_shipped_one() {
        let table = Antonyms::new([("rot", "grün"), ("最大", "最小"), ("", "x")]);
        let opposed = |a, b| {
            table
                .opposed(&Stems::from_text(a), &Stems::from_text(b))
                .is_some()
        };
        assert!(opposed("Licht Rot", "Licht grün") && opposed("取最大值", "取最小值"));
        assert!(!opposed("first", "last"));
    }
}
