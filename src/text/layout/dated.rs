//! Headings that are dates: they state when a text was written and not its subject.

/// The separators of the headings of a path.
const PATH: &str = " > ";

/// Months and weekdays by their first letters, in English, German, French and Spanish.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "januar", "februar",
    "märz", "mai", "juni", "juli", "oktober", "dezember", "okt", "dez", "janvier", "février", "mars", "avril", "juin",
    "juillet", "août", "septembre", "octobre", "novembre", "décembre", "enero", "febrero", "marzo", "abril", "mayo",
    "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
];

/// Words next to a date.
#[rustfmt::skip]
const AROUND: &[&str] = &[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue", "wed", "thu", "fri", "sat",
    "sun", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag", "of", "the", "de", "week", "cw",
    "kw", "woche", "quarter", "notes", "log", "utc", "am", "pm", "z",
];

/// The headings of a path that name a place or a subject; absent if all of them are dates.
pub fn without_dates(path: &str) -> Option<String> {
    let headings = path.split(PATH).filter(|heading| !is_date(heading));
    let kept: Vec<&str> = headings.collect();
    (!kept.is_empty()).then(|| kept.join(PATH))
}

/// Returns true if a heading is a date: "2024-05-01", "1 May 2024", "Monday, 3. Juni", "Week 12 2024", "Q3 2024".
pub fn is_date(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_year = |word: &str| {
        word.len() == 4 && (word.starts_with("19") || word.starts_with("20")) && is_number(word)
    };
    let is_month = |word: &str| NAMES.contains(&word);
    let is_part = |word: &str| {
        is_month(word)
            || AROUND.contains(&word)
            || is_ordinal(word)
            || is_counted(word)
            || is_clock(word)
    };
    let has_number = words
        .iter()
        .any(|word| word.contains(|c: char| c.is_ascii_digit()));
    let names_a_time = words.iter().any(|word| is_year(word) || is_month(word));
    has_number && names_a_time && words.iter().all(|word| is_part(word))
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.len() <= 4 && word.bytes().all(|b| b.is_ascii_digit())
}

/// `3`, `3rd`, `2024`.
fn is_ordinal(word: &str) -> bool {
    let digits = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|end| word.strip_suffix(end));
    is_number(digits.unwrap_or(word))
}

/// `w12`, `kw12`, `q3`.
fn is_counted(word: &str) -> bool {
    let rest = ["kw", "cw", "w", "q"]
        .iter()
        .find_map(|start| word.strip_prefix(start));
    rest.is_some_and(is_number)
}

/// `10h`, `01T10`: a part of a time.
fn is_clock(word: &str) -> bool {
    word.len() <= 6
        && word
            .split(['t', 'h', 'z'])
            .all(|part| part.is_empty() || is_number(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_told_from_places() {
        for heading in [
            "2024-05-01",
            "1 May 2024",
            "May 1st, 2024",
            "1.5.2024",
            "Monday, 3. Juni 2024",
            "2024-W12",
            "Q3 2024",
            "2024",
            "3 juin",
            "2024-05-01T10:30:00Z",
            "Week 12 2024",
            "Notes of 2024-05-01",
            "1 de mayo de 2024",
        ] {
            assert!(is_date(heading), "{heading}");
        }
        for heading in [
            "Staging",
            "Production",
            "Version 2024.1 of the API",
            "3",
            "May",
            "Monday",
            "Q3",
            "1.2.3",
            "Server 2024",
            "Sprint 12",
            "",
        ] {
            assert!(!is_date(heading), "{heading}");
        }
        assert_eq!(
            without_dates("Notes > 2024-05-01").as_deref(),
            Some("Notes")
        );
        assert_eq!(
            without_dates("2024-05-01 > Staging").as_deref(),
            Some("Staging")
        );
        assert_eq!(without_dates("2024 > 2024-05-01"), None);
    }
}
