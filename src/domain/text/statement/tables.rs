//! The words that tell which statements give one value to one attribute. Plain data: a row more is a rule more.

/// Words that join a subject with what it is. With the languages other than English only literal values count,
/// since the shape of a word says nothing there.
pub(super) const COPULAS: &[&str] = &["is", "are"];
/// Copulas of other languages.
pub(super) const FOREIGN_COPULAS: &[&str] = &[
    "ist", "sind", "est", "sont", "es", "son", "è", "é", "são", "är", "jest", "это",
];
/// Copulas of scripts without spaces.
pub(super) const UNSPACED_COPULAS: &[char] = &['是', '为', '為', 'は'];

/// Relations of which a subject has one at a time. Each ends where the value begins.
pub(super) const RELATIONS: &[&[&str]] = &[
    &["is", "located", "in"],
    &["is", "located", "at"],
    &["is", "based", "in"],
    &["is", "situated", "in"],
    &["is", "headquartered", "in"],
    &["is", "stored", "in"],
    &["is", "stored", "at"],
    &["is", "kept", "in"],
    &["is", "hosted", "on"],
    &["is", "hosted", "at"],
    &["is", "hosted", "by"],
    &["is", "hosted", "in"],
    &["is", "deployed", "to"],
    &["is", "deployed", "on"],
    &["is", "written", "in"],
    &["is", "married", "to"],
    &["is", "engaged", "to"],
    &["is", "employed", "by"],
    &["is", "owned", "by"],
    &["is", "managed", "by"],
    &["is", "led", "by"],
    &["is", "set", "to"],
    &["is", "bound", "to"],
    &["is", "pinned", "to"],
    &["is", "mapped", "to"],
    &["is", "assigned", "to"],
    &["is", "scheduled", "for"],
    &["is", "due", "on"],
    &["is", "due", "at"],
    &["is", "due", "by"],
    &["is", "called"],
    &["is", "named"],
    &["is", "in"],
    &["is", "at"],
    &["is", "on"],
    &["is", "a", "citizen", "of"],
    &["is", "affiliated", "with"],
    &["is", "associated", "with"],
    &["was", "born", "in"],
    &["was", "born", "on"],
    &["was", "written", "in"],
    &["was", "created", "in"],
    &["was", "founded", "in"],
    &["was", "founded", "on"],
    &["died", "in"],
    &["died", "on"],
    &["lives", "in"],
    &["lives", "at"],
    &["live", "in"],
    &["resides", "in"],
    &["works", "at"],
    &["works", "for"],
    &["works", "as"],
    &["work", "at"],
    &["work", "for"],
    &["work", "as"],
    &["plays", "for"],
    &["plays", "the", "position", "of"],
    &["reports", "to"],
    &["belongs", "to"],
    &["points", "to"],
    &["defaults", "to"],
    &["resolves", "to"],
    &["listens", "on"],
    &["listens", "at"],
    &["starts", "at"],
    &["starts", "on"],
    &["ends", "at"],
    &["ends", "on"],
    &["expires", "on"],
    &["opens", "at"],
    &["closes", "at"],
    &["happen", "on"],
    &["happens", "on"],
    &["happens", "at"],
    &["meets", "on"],
    &["meets", "at"],
    &["go", "out", "on"],
    &["goes", "out", "on"],
    &["takes", "place", "on"],
    &["takes", "place", "at"],
    &["take", "place", "on"],
    &["runs", "every"],
    &["costs"],
    &["weighs"],
];

/// Verbs that hold for a time. With them a number is the value wherever it stands.
pub(super) const STATES: &[&str] = &[
    "has", "have", "uses", "needs", "requires", "allows", "takes", "lasts", "retries", "expires",
    "holds", "waits", "polls", "keeps", "accepts", "serves", "exposes", "caps", "targets",
    "supports",
];

/// Those of them after which a number may belong to a name, as in `uses Postgres 14`.
pub(super) const NUMBERED: &[&str] = &[
    "uses", "needs", "requires", "takes", "lasts", "expires", "waits", "targets",
];

/// Subjects that mean something else in each text, or several things.
pub(super) const VAGUE: &[&str] = &[
    "it",
    "this",
    "that",
    "these",
    "those",
    "he",
    "she",
    "they",
    "we",
    "you",
    "there",
    "here",
    "what",
    "which",
    "who",
    "where",
    "when",
    "why",
    "how",
    "a",
    "an",
    "some",
    "one",
    "another",
    "many",
    "most",
    "several",
    "any",
    "few",
    "each",
    "every",
    "all",
    "its",
    "his",
    "her",
    "their",
    "everything",
    "something",
    "nothing",
    "both",
    "either",
    "neither",
    "other",
    "others",
];

/// Words that take nothing away from a statement: without them it says the same.
pub(super) const FILLERS: &[&str] = &[
    "now",
    "currently",
    "presently",
    "today",
    "actually",
    "still",
];

/// Words that add a value to others.
pub(super) const ADDITIONS: &[&str] = &["also", "too", "another", "additionally"];

/// Words that hedge a value, make it conditional, or put it in the past.
pub(super) const HEDGES: &[&str] = &[
    "sometimes",
    "usually",
    "often",
    "maybe",
    "perhaps",
    "probably",
    "possibly",
    "might",
    "may",
    "could",
    "would",
    "should",
    "must",
    "can",
    "if",
    "unless",
    "whether",
    "except",
    "when",
    "while",
    "because",
    "since",
    "but",
    "than",
    "was",
    "were",
    "been",
    "being",
    "formerly",
    "previously",
];

/// Small words inside a name.
pub(super) const IN_NAMES: &[&str] = &[
    "of", "the", "de", "la", "le", "du", "van", "von", "der", "den", "and", "in", "on", "for",
    "at", "y", "e", "al", "bin", "ibn", "da", "dos", "del", "to", "a", "with", "from",
];

/// Words that end a plain value: it has become a clause.
pub(super) const CLAUSES: &[&str] = &[
    "of", "in", "on", "at", "to", "for", "by", "with", "from", "and", "or", "that", "which", "who",
    "as", "about", "into", "over", "under", "after", "before", "between", "so", "very", "quite",
    "too", "the", "a", "an", "is", "are",
];

/// Days, which are names in any letters.
pub(super) const DAYS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
