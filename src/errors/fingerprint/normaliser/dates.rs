//! The names of months and of days of the week, in the languages in which programs print dates.
//!
//! Some of them are words as well (`may`, `mar`, `set`), so a name counts only next to a number.

/// Month names in English, German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Danish, Polish, Czech,
/// Russian and Turkish, in full or as they are shortened.
#[rustfmt::skip]
const MONTHS: &[&str] = &[
    "jan", "january", "januar", "janvier", "janv", "enero", "ene", "janeiro", "gennaio", "gen", "januari", "stycznia",
    "ledna", "января", "янв", "ocak", "jänner",
    "feb", "february", "februar", "février", "févr", "fevrier", "febrero", "fevereiro", "fev", "febbraio", "februari",
    "lutego", "února", "февраля", "фев", "şubat",
    "mar", "march", "märz", "mrz", "mars", "marzo", "março", "maart", "mrt", "marts", "marca", "března", "марта",
    "мар", "mart",
    "apr", "april", "avril", "avr", "abril", "abr", "aprile", "kwietnia", "dubna", "апреля", "апр", "nisan",
    "may", "mai", "mayo", "maio", "maggio", "mag", "mei", "maj", "maja", "května", "мая", "mayıs", "mayis",
    "jun", "june", "juni", "juin", "junio", "junho", "giugno", "giu", "czerwca", "června", "июня", "июн", "haziran",
    "jul", "july", "juli", "juillet", "juil", "julio", "julho", "luglio", "lug", "lipca", "července", "июля", "июл",
    "temmuz",
    "aug", "august", "août", "aout", "agosto", "ago", "augustus", "augusti", "sierpnia", "srpna", "августа", "авг",
    "ağustos",
    "sep", "sept", "september", "septembre", "septiembre", "setembro", "settembre", "set", "września", "září",
    "сентября", "сен", "eylül",
    "oct", "october", "oktober", "okt", "octobre", "octubre", "outubro", "out", "ottobre", "ott", "października",
    "října", "октября", "окт", "ekim",
    "nov", "november", "novembre", "noviembre", "novembro", "listopada", "listopadu", "ноября", "ноя", "kasım", "kasim",
    "dec", "december", "dezember", "dez", "décembre", "déc", "diciembre", "dic", "dezembro", "dicembre", "grudnia",
    "prosince", "декабря", "дек", "aralık", "aralik",
];

/// Days of the week in the same languages, as far as dates are printed with them.
#[rustfmt::skip]
const WEEKDAYS: &[&str] = &[
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    "sunday", "mo", "di", "mi", "do", "fr", "sa", "so", "montag", "dienstag", "mittwoch", "donnerstag", "freitag",
    "samstag", "sonnabend", "sonntag", "lun", "mar", "mer", "jeu", "ven", "sam", "dim", "lundi", "mardi", "mercredi",
    "jeudi", "vendredi", "samedi", "dimanche", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo",
    "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica", "segunda", "terça", "quarta",
    "quinta", "sexta", "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag",
];

/// Whether a word names a month.
pub(super) fn is_month(word: &str) -> bool {
    (3..=18).contains(&word.len()) && MONTHS.contains(&word)
}

/// Whether a word names a day of the week.
pub(super) fn is_weekday(word: &str) -> bool {
    (2..=14).contains(&word.len()) && WEEKDAYS.contains(&word)
}

/// Whether a word joins the parts of a date: `3 de junio de 2025`.
pub(super) fn joins_dates(word: &str) -> bool {
    matches!(word, "de" | "of" | "del" | "den" | "the" | "di" | "г")
}
