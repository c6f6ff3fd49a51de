//! The words for months, weekdays and times relative to today: English, German, French, Spanish, Italian, Portuguese and
//! Dutch. Plain data.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::calendar::Day;

/// Months by number, in lower case.
#[rustfmt::skip]
const MONTHS: [&str; 12] = [
    "january jan januar janvier enero gennaio janeiro januari",
    "february feb februar février febrero febbraio fevereiro februari",
    "march mar märz mars marzo março maart",
    "april apr avril abril aprile",
    "may mai mayo maggio maio mei",
    "june jun juni juin junio giugno junho",
    "july jul juli juillet julio luglio julho",
    "august aug août agosto augustus",
    "september sep sept septembre septiembre settembre setembro",
    "october oct oktober okt octobre octubre ottobre outubro",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre diciembre dicembre dezembro",
];

/// Weekdays by number, 0 for Monday.
#[rustfmt::skip]
const WEEKDAYS: [&str; 7] = [
    "monday montag lundi lunes lunedì segunda-feira maandag",
    "tuesday dienstag mardi martes martedì terça-feira dinsdag",
    "wednesday mittwoch mercredi miércoles mercoledì quarta-feira woensdag",
    "thursday donnerstag jeudi jueves giovedì quinta-feira donderdag",
    "friday freitag vendredi viernes venerdì sexta-feira vrijdag",
    "saturday samstag samedi sábado sabato zaterdag",
    "sunday sonntag dimanche domingo domenica zondag",
];

/// Words for today, yesterday and the day before.
#[rustfmt::skip]
const DAYS_BEFORE: [&str; 3] = [
    "today tonight heute aujourd'hui hoy oggi hoje vandaag",
    "yesterday gestern hier ayer ieri ontem gisteren",
    "vorgestern avant-hier anteayer anteontem eergisteren",
];

/// Numbers in words, from one.
#[rustfmt::skip]
const COUNTS: [&str; 6] = [
    "one a an ein einem einer eine un une una uno um uma een",
    "two zwei deux dos due dois duas twee",
    "three drei trois tres tre três drie",
    "four vier quatre cuatro quattro quatro",
    "five fünf cinq cinco cinque vijf",
    "six sechs seis sei zes",
];

/// Words between a day and its month, or a month and its year.
const OF: &str = "of de del di";
/// Words before a month or a year.
const IN: &str = "in im en em during since seit";
/// Words for the one before the present.
#[rustfmt::skip]
const LAST: &str = "last letzte letzten letzter letztes letztem vorige vorigen dernier dernière último \
     última pasado pasada scorso scorsa ultimo passado passada vorig afgelopen";
/// Words for the present one.
const THIS: &str = "this diese diesen dieser dieses ce cette este esta questo questa deze dit";
/// Words for the past after a span of time.
const AGO: &str = "ago earlier fa atrás geleden";
/// Words for the past before a span of time.
const AGO_BEFORE: [&[&str]; 5] = [
    &["vor"],
    &["il", "y", "a"],
    &["hace"],
    &["há"],
    &["vor", "etwa"],
];

/// A unit of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unit {
    Day,
    Weekend,
    Week,
    Month,
    Year,
}

#[rustfmt::skip]
const UNITS: [(Unit, &str); 5] = [
    (Unit::Day, "day days tag tage tagen jour jours día días giorno giorni dia dias dag dagen"),
    (Unit::Weekend, "weekend wochenende"),
    (Unit::Week, "week weeks woche wochen semaine semaines semana semanas settimana settimane weken"),
    (Unit::Month, "month months monat monate monaten mois mes meses mese mesi mês maand maanden"),
    (Unit::Year, "year years jahr jahre jahren an ans année années año años anno anni ano anos jaar"),
];

/// A part of a month.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Begin,
    Middle,
    End,
    /// The n-th weekend; the last for 0.
    Weekend(i64),
    /// The n-th week; the last for 0.
    Week(i64),
}

impl Part {
    /// Returns the first day and the number of days, in a month of `length` days that begins at `start`.
    pub(super) fn days(self, start: i64, length: i64) -> (i64, i64) {
        let first_saturday = start + (5 - Day::weekday(start)).rem_euclid(7);
        match self {
            Self::Begin => (start, 10),
            Self::Middle => (start + 10, 10),
            Self::End => (start + length - 10, 10),
            Self::Weekend(0) => {
                let later = (start + length - 1 - first_saturday) / 7;
                (first_saturday + 7 * later, 2)
            }
            Self::Weekend(n) => (first_saturday + 7 * (n - 1), 2),
            Self::Week(0) => (start + length - 7, 7),
            Self::Week(n) => (start + 7 * (n - 1), 7),
        }
    }
}

/// Phrases for a part of a month, before the month.
#[rustfmt::skip]
const PARTS: [(Part, &str); 17] = [
    (Part::Begin, "beginning of"), (Part::Begin, "start of"), (Part::Begin, "early"), (Part::Begin, "anfang"),
    (Part::Begin, "début"),
    (Part::Middle, "middle of"), (Part::Middle, "mid"), (Part::Middle, "mitte"),
    (Part::End, "end of"), (Part::End, "late"), (Part::End, "ende"), (Part::End, "fin"),
    (Part::Weekend(1), "first weekend of"), (Part::Weekend(2), "second weekend of"),
    (Part::Weekend(0), "last weekend of"),
    (Part::Week(1), "first week of"), (Part::Week(0), "last week of"),
];

/// Everything that a word may mean.
#[derive(Clone, Copy, Default)]
struct Meanings {
    month: Option<u32>,
    weekday: Option<i64>,
    days_before: Option<i64>,
    count: Option<u32>,
    unit: Option<Unit>,
    of: bool,
    inside: bool,
    last: bool,
    this: bool,
    ago: bool,
}

/// The meanings of all words, since every word of a query is looked up several times.
static MEANINGS: LazyLock<HashMap<&'static str, Meanings>> = LazyLock::new(|| {
    let mut meanings: HashMap<&str, Meanings> = HashMap::new();
    let mut set = |words: &'static str, set: &dyn Fn(&mut Meanings)| {
        for word in words.split(' ') {
            set(meanings.entry(word).or_default());
        }
    };
    for (number, words) in (1..).zip(MONTHS) {
        set(words, &|word| word.month = Some(number));
    }
    for (number, words) in (0..).zip(WEEKDAYS) {
        set(words, &|word| word.weekday = Some(number));
    }
    for (number, words) in (0..).zip(DAYS_BEFORE) {
        set(words, &|word| word.days_before = Some(number));
    }
    for (number, words) in (1..).zip(COUNTS) {
        set(words, &|word| word.count = Some(number));
    }
    for (unit, words) in UNITS {
        set(words, &|word| word.unit = Some(unit));
    }
    set(OF, &|word| word.of = true);
    set(IN, &|word| word.inside = true);
    set(LAST, &|word| word.last = true);
    set(THIS, &|word| word.this = true);
    set(AGO, &|word| word.ago = true);
    meanings
});

fn meanings(word: &str) -> Meanings {
    MEANINGS.get(word).copied().unwrap_or_default()
}

/// Returns true for a word between a day and its month, or a month and its year.
pub(super) fn is_of(word: &str) -> bool {
    meanings(word).of
}

/// Returns true for a word before a month or a year.
pub(super) fn is_in(word: &str) -> bool {
    meanings(word).inside
}

/// Returns true for a word for the one before the present.
pub(super) fn is_last(word: &str) -> bool {
    meanings(word).last
}

/// Returns true for a word for the present one.
pub(super) fn is_this(word: &str) -> bool {
    meanings(word).this
}

/// Returns true for a word for the past after a span of time.
pub(super) fn is_ago(word: &str) -> bool {
    meanings(word).ago
}

/// Returns the number of a month, from 1.
pub(super) fn month_of(word: &str) -> Option<u32> {
    meanings(word).month
}

/// Returns the number of a weekday, 0 for Monday.
pub(super) fn weekday_of(word: &str) -> Option<i64> {
    meanings(word).weekday
}

/// Returns how many days before today a word names.
pub(super) fn relative_day(word: &str) -> Option<i64> {
    meanings(word).days_before
}

/// Returns a small number in words.
pub(super) fn counted(word: &str) -> Option<u32> {
    meanings(word).count
}

/// Returns the unit of time that a word names.
pub(super) fn unit_of(word: &str) -> Option<Unit> {
    meanings(word).unit
}

/// Returns how many words for the past begin the words.
pub(super) fn ago_before(words: &[&str]) -> usize {
    let leads = AGO_BEFORE.iter().filter(|lead| words.starts_with(lead));
    leads.map(|lead| lead.len()).max().unwrap_or_default()
}

/// Returns the part of a month that begins the words, and how many words name it.
pub(super) fn part_of_month(words: &[&str]) -> Option<(usize, Part)> {
    let first = words.first()?;
    let mut likely = PARTS.iter().filter(|(_, phrase)| phrase.starts_with(first));
    likely.find_map(|(part, phrase)| {
        let count = phrase.split(' ').count();
        let named = words.get(..count)?;
        phrase
            .split(' ')
            .eq(named.iter().copied())
            .then_some((count, *part))
    })
}
