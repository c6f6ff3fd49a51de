//! The day that a heading names: notes are ordered by it, so a heading that leaves the day open has none.

use hindlore_primitives::timestamp::Timestamp;
use hindlore_text::layout::dated::is_date;

use super::super::moment::moment_in;

/// First letters of the months in English, German, French and Spanish, with their numbers.
#[rustfmt::skip]
const MONTHS: [(&str, u32); 26] = [
    ("jan", 1), ("ene", 1), ("feb", 2), ("fév", 2), ("mar", 3), ("mär", 3), ("apr", 4), ("avr", 4), ("abr", 4),
    ("may", 5), ("mai", 5), ("jun", 6), ("juin", 6), ("jul", 7), ("juil", 7), ("aug", 8), ("aoû", 8), ("ago", 8),
    ("sep", 9), ("oct", 10), ("okt", 10), ("nov", 11), ("dec", 12), ("dez", 12), ("dic", 12), ("déc", 12),
];

/// Words and first letters of a count of weeks or quarters.
const COUNTED: [&str; 8] = ["week", "woche", "quarter", "kw", "cw", "w", "q", "sprint"];

/// First number that is a year.
const YEAR_MIN: u32 = 1_900;

/// Returns the day that the headings of a path name, the last ones first.
pub(super) fn day_of(path: &[&str]) -> Option<Timestamp> {
    let dates: Vec<&str> = path.iter().copied().filter(|one| is_date(one)).collect();
    let last = dates.last().and_then(|heading| day(heading));
    // "2026", and below it "5 March".
    last.or_else(|| day(&dates.join(" ")))
}

fn day(heading: &str) -> Option<Timestamp> {
    if let Some(at) = moment_in(heading) {
        return Some(at);
    }
    let lower = heading.to_lowercase();
    let words = || {
        let words = lower.split(|c: char| !c.is_alphanumeric());
        words.filter(|word| !word.is_empty())
    };
    let is_counted = |word: &str| {
        let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
        COUNTED.contains(&name)
    };
    if words().any(is_counted) {
        return None;
    }
    let month = words().find_map(month_of);
    let number = |word: &str| {
        let digits = word.trim_end_matches(char::is_alphabetic);
        digits.parse::<u32>().ok()
    };
    let numbers: Vec<u32> = words().filter_map(number).take(3).collect();
    let is_year = |number: &u32| *number >= YEAR_MIN;
    let (year, month, day) = match (month, numbers.as_slice()) {
        (Some(month), [year, day, ..]) if is_year(year) => (*year, month, *day),
        (Some(month), [day, year, ..]) if is_year(year) => (*year, month, *day),
        (Some(month), [year]) if is_year(year) => (*year, month, 1),
        (None, [year, month, day]) if is_year(year) => (*year, *month, *day),
        // "3/4/2026" is a day in March or in April.
        (None, [a, b, year]) if is_year(year) && lower.contains('/') => match (*a > 12, *b > 12) {
            (true, false) => (*year, *b, *a),
            (false, true) => (*year, *a, *b),
            _ => return None,
        },
        (None, [day, month, year]) if is_year(year) => (*year, *month, *day),
        (None, [year, month]) if is_year(year) => (*year, *month, 1),
        (None, [year]) if is_year(year) => (*year, 1, 1),
        _ => return None,
    };
    Timestamp::parse(&format!("{year:04}-{month:02}-{day:02}T00:00:00Z"))
}

fn month_of(word: &str) -> Option<u32> {
    let found = MONTHS.iter().find(|(start, _)| word.starts_with(start));
    found.map(|(_, month)| *month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_name_a_day_or_none() {
        for (path, expected) in [
            (&["2026-03-05"][..], "2026-03-05"),
            (&["Notes", "2026-03-05"], "2026-03-05"),
            (&["2026", "2026-03-05"], "2026-03-05"),
            (&["2026", "5 March"], "2026-03-05"),
            (&["March 2026", "Monday, March 2nd, 2026"], "2026-03-02"),
            (&["5. März 2026"], "2026-03-05"),
            (&["1 de diciembre de 2026"], "2026-12-01"),
            (&["juillet 2026"], "2026-07-01"),
            (&["3 juin 2026"], "2026-06-03"),
            (&["5.3.2026"], "2026-03-05"),
            (&["25/3/2026"], "2026-03-25"),
            (&["2026/03"], "2026-03-01"),
            (&["2026-03-05T10:30:00Z"], "2026-03-05"),
            (&["3/4/2026"], ""),
            (&["Week 12 2026"], ""),
            (&["Q3 2026"], ""),
            (&["2026-W12"], ""),
            (&["5 March"], ""),
            (&["2026-02-31"], ""),
            (&["Version 2026.1 of the API"], ""),
            (&["Infrastructure"], ""),
            (&[], ""),
        ] {
            let day = day_of(path).map_or(String::new(), |at| at.to_string());
            assert!(day.starts_with(expected), "{path:?}: {day}");
            assert_eq!(day.is_empty(), expected.is_empty(), "{path:?}: {day}");
        }
    }
}
