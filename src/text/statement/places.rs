//! The words for the place, holder and time of a statement, and for the speaker. Plain data.

/// Words that begin the place, the holder or the condition of a statement.
pub(super) const PLACES: &[&str] = &[
    "in",
    "on",
    "at",
    "for",
    "by",
    "within",
    "with",
    "inside",
    "outside",
    "over",
    "under",
    "behind",
    "through",
    "via",
    "across",
    "among",
    "between",
    "using",
    "im",
    "auf",
    "für",
    "bei",
    "beim",
    "an",
    "am",
    "unter",
    "über",
    "mit",
    "zum",
    "zur",
    "hinter",
    "innerhalb",
    "außerhalb",
    "per",
    "pro",
];

/// Words that begin the time span of a statement; a number may follow.
pub(super) const SPANS: &[&str] = &[
    "during", "until", "till", "after", "before", "from", "in", "as", "starting", "während", "bis",
    "nach", "vor", "ab", "seit", "von", "im",
];

/// Beginnings of a time from which on a value holds.
pub(super) const SINCE: &[&str] = &["as", "starting", "ab", "seit"];

/// Articles, which distinguish no two places.
pub(super) const ARTICLES: &[&str] = &[
    "the", "our", "a", "an", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einem",
    "einer", "unser", "unsere", "unserem", "unserer",
];

/// Words that begin a subject after a qualifier without a comma.
pub(super) const DETERMINERS: &[&str] =
    &["the", "our", "my", "der", "die", "das", "unser", "unsere"];

/// Words before the only one of its kind.
pub(super) const DEFINITE: &[&str] = &[
    "the", "our", "my", "der", "die", "das", "unser", "unsere", "mein", "meine",
];

/// Short names of environments, and the long ones.
pub(super) const ENVIRONMENTS: &[(&str, &str)] = &[
    ("prod", "production"),
    ("dev", "development"),
    ("stage", "staging"),
    ("produktion", "production"),
    ("entwicklung", "development"),
    ("tests", "test"),
    ("testing", "test"),
];

/// Units of a rate: with them it is still one value.
pub(super) const TIME_UNITS: &[&str] = &[
    "second", "minute", "hour", "day", "week", "month", "quarter", "year", "s", "sec", "min", "h",
    "sekunde", "minute", "stunde", "tag", "woche", "monat", "jahr",
];

/// Words for the people who speak, and verbs for the things they use.
pub(super) const PLURAL_OWNERS: &[&str] = &["we", "wir"];
pub(super) const USES: &[&str] = &["use", "nutzen", "verwenden", "benutzen"];

/// German nouns of which a thing has one, and the ends of their compounds.
pub(super) const GERMAN_ATTRIBUTES: &[&str] = &[
    "port",
    "name",
    "rechner",
    "adresse",
    "zweig",
    "branch",
    "version",
    "sprache",
    "hauptstadt",
    "besitzer",
    "besitzerin",
    "leiter",
    "leiterin",
    "leitung",
    "chef",
    "chefin",
    "betreuer",
    "betreuerin",
    "ansprechpartner",
    "ansprechpartnerin",
    "verantwortliche",
    "verantwortlicher",
    "passwort",
    "kennwort",
    "pfad",
    "verzeichnis",
    "ordner",
    "grenze",
    "limit",
    "frist",
    "termin",
    "standard",
    "farbe",
    "status",
    "budget",
    "preis",
    "rate",
    "intervall",
    "schwelle",
    "stufe",
    "modus",
    "format",
    "datenbank",
    "region",
    "zone",
    "zeitzone",
    "währung",
    "warteschlange",
    "schema",
    "lizenz",
    "dauer",
    "anzahl",
    "länge",
    "breite",
    "höhe",
    "kanal",
    "anbieter",
    "umgebung",
    "ci",
    "cd",
    "framework",
    "werkzeug",
    "editor",
];
