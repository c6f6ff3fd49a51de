//! The shipped opposites, and the words that only look opposite. Plain data: a row more is a rule more.

/// The shipped pairs.
#[rustfmt::skip]
pub(super) const PAIRS: &[(&str, &str)] = &[
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

/// Nouns of the trade that only look opposite: a rule about one is no rule about the other.
#[rustfmt::skip]
pub(super) const COUNTERPARTS: &[(&str, &str)] = &[
    ("request", "response"), ("client", "server"), ("input", "output"), ("sender", "receiver"),
    ("producer", "consumer"), ("parent", "child"), ("ancestor", "descendant"), ("source", "target"),
    ("source", "destination"), ("row", "column"), ("width", "height"), ("primary", "replica"),
];

/// Words that oppose as actions and not as nouns: "import it" and "export it", but not "the import" and "the export".
#[rustfmt::skip]
pub(super) const ACTIONS: &[(&str, &str)] = &[
    ("read", "write"), ("import", "export"), ("upload", "download"), ("push", "pull"), ("load", "save"),
    ("commit", "rollback"),
];

/// Verbs that are nouns after an article or a preposition: "encrypt backups" and "decrypt backups" oppose, "log the upgrade"
/// and "log the downgrade" do not.
#[rustfmt::skip]
pub(super) const VERBS: &[(&str, &str)] = &[
    ("login", "logout"), ("upgrade", "downgrade"), ("lock", "unlock"), ("start", "stop"), ("insert", "delete"),
    ("encode", "decode"), ("encrypt", "decrypt"), ("compress", "decompress"), ("serialize", "deserialize"),
    ("serialise", "deserialise"), ("install", "uninstall"), ("mount", "unmount"), ("subscribe", "unsubscribe"),
    ("connect", "disconnect"), ("send", "receive"), ("credit", "debit"),
];

/// Words before a noun, as stems.
#[rustfmt::skip]
pub(super) const BEFORE_NOUNS: &[&str] = &[
    "the", "a", "an", "of", "for", "from", "with", "after", "befor", "dure", "in", "on", "at", "each", "everi", "per", "this",
    "that", "your", "our",
];

/// Words before an action, as stems.
#[rustfmt::skip]
pub(super) const BEFORE_ACTIONS: &[&str] = &[
    "alway", "never", "not", "don't", "do", "must", "should", "shall", "can", "may", "will", "to", "and", "or", "then",
    "pleas", "we", "you", "they", "it", "onli",
];

/// Words after an action that begin its object, as stems.
#[rustfmt::skip]
pub(super) const AFTER_ACTIONS: &[&str] = &[
    "the", "a", "an", "all", "everi", "each", "ani", "this", "that", "it", "them", "your", "our",
];

/// Words so common that they mean nothing next to their opposite in the same text.
pub(super) const COMMON: &[&str] = &[
    "with", "on", "up", "in", "more", "most", "all", "any", "am", "like",
];

/// Inflections that the stemmer does not undo.
#[rustfmt::skip]
pub(super) const IRREGULAR: &[(&str, &str)] = &[
    ("began", "begin"), ("begun", "begin"), ("bought", "buy"), ("sold", "sell"), ("sent", "send"),
    ("wrote", "write"), ("written", "write"), ("hid", "hide"), ("shown", "show"), ("grew", "grow"),
    ("grown", "grow"), ("shrank", "shrink"), ("shrunk", "shrink"), ("rose", "rise"),
    ("risen", "rise"), ("fell", "fall"), ("fallen", "fall"), ("lent", "lend"), ("won", "win"),
    ("lost", "lose"), ("forbidden", "forbid"), ("forbade", "forbid"), ("kept", "keep"),
    ("children", "child"),
];
