//! The days that a question names, in words or digits: "19 August 2023", "2023-08-19", "last August", "gestern".
//!
//! A day, a month and a year are labels that a text's date has as well, so that a question for them meets the texts of
//! that time, whatever words those hold. Relative dates count from the asker's day.

mod calendar;
mod names;

use std::ops::Range;

use self::calendar::{Day, month_after};
use self::names::{
    Unit, is_ago, is_in, is_last, is_of, is_this, month_of, relative_day, unit_of, weekday_of,
};

/// A time that a question names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedTime {
    /// The words that name it, in lower case.
    pub words: String,
    /// The place of these words in the lower-cased text, in bytes.
    pub range: Range<usize>,
    /// The labels of its days, or of its whole months and years; a text of that time has one of them.
    pub labels: Vec<u32>,
}

/// Returns the labels of a day: the day itself, its month and its year.
pub fn labels_of(day: i64) -> [u32; 3] {
    let day = Day::of(day);
    [day.label(), day.label() / 100, day.label() / 10_000]
}

/// Returns the times that a question names. `today` is the asker's day, in days since 1970-01-01.
pub fn named_times(text: &str, today: i64) -> Vec<NamedTime> {
    let lower = text.to_lowercase();
    let words: Vec<Word<'_>> = words(&lower);
    let reader = Reader { today };
    let mut found: Vec<NamedTime> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match reader.read(&words[at..]) {
            Some((count, span)) => {
                let (first, last) = (&words[at], &words[at + count - 1]);
                let range = first.at..last.at + last.text.len();
                found.push(NamedTime {
                    words: lower[range.clone()].to_owned(),
                    range,
                    labels: span.labels(),
                });
                at += count;
            }
            None => at += 1,
        }
    }
    found.dedup_by(|one, other| one.labels == other.labels);
    found
}

/// A word of the text, without the marks around it.
struct Word<'t> {
    text: &'t str,
    /// Place in the text, in bytes.
    at: usize,
    number: Option<u32>,
}

fn words(lower: &str) -> Vec<Word<'_>> {
    let cut = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '"');
    let marks = ['.', '?', '!', ':', '\'', '’'];
    let mut words = Vec::new();
    let mut start = 0;
    for piece in lower.split_inclusive(cut) {
        let word = piece.trim_end_matches(cut).trim_end_matches(marks);
        let text = word.trim_start_matches(marks);
        if !text.is_empty() {
            words.push(Word {
                text,
                at: start + word.len() - text.len(),
                number: number(text),
            });
        }
        start += piece.len();
    }
    words
}

/// `3`, `3rd`, `3.`, `2024`.
fn number(word: &str) -> Option<u32> {
    let ends = ["st", "nd", "rd", "th", "er", "º", "°"];
    let digits = ends.iter().find_map(|end| word.strip_suffix(end));
    let digits = digits.unwrap_or(word);
    let is_number = (1..=4).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

/// The time that words name.
enum Span {
    Days {
        first: i64,
        count: i64,
    },
    /// Year and month.
    Month((i32, u32)),
    Year(u32),
}

impl Span {
    fn labels(self) -> Vec<u32> {
        match self {
            Self::Days { first, count } => {
                let days = (first..first + count).map(|day| Day::of(day).label());
                days.collect()
            }
            Self::Month((year, month)) => {
                vec![u32::try_from(year).unwrap_or_default() * 100 + month]
            }
            Self::Year(year) => vec![year],
        }
    }
}

/// Reads times at the beginning of words.
struct Reader {
    today: i64,
}

impl Reader {
    /// Returns how many words name a time, and the time.
    fn read(&self, words: &[Word<'_>]) -> Option<(usize, Span)> {
        self.in_digits(words)
            .or_else(|| self.part_of_month(words))
            .or_else(|| self.day_of_month(words))
            .or_else(|| self.month(words))
            .or_else(|| self.relative(words))
    }

    /// `2023-08-19`, `19.8.2023`, `8/19/2023`, `2023-08`.
    fn in_digits(&self, words: &[Word<'_>]) -> Option<(usize, Span)> {
        let text = words.first()?.text;
        let text = text.split_once('t').map_or(text, |(date, clock)| {
            if clock.starts_with(|c: char| c.is_ascii_digit()) {
                date
            } else {
                text
            }
        });
        let separator = text.chars().find(|c| matches!(c, '-' | '.' | '/'))?;
        let parts: Vec<u32> = text.split(separator).map(number).collect::<Option<_>>()?;
        let (year, month, day) = match parts.as_slice() {
            [year, month] if is_year(*year) && (1..=12).contains(month) && separator == '-' => {
                let first = (i32::try_from(*year).ok()?, *month);
                return Some((1, Span::Month(first)));
            }
            [year, month, day] if is_year(*year) => (*year, *month, *day),
            // Only a slash is written with the month first, and not everywhere.
            [one, other, year] if is_year(*year) => {
                let is_month_first = separator == '/' && *one <= 12;
                if is_month_first {
                    (*year, *one, *other)
                } else {
                    (*year, *other, *one)
                }
            }
            _ => return None,
        };
        Some((1, one_day(year, month, day)?))
    }

    /// "first weekend of October 2023", "end of August", "Anfang Mai".
    fn part_of_month(&self, words: &[Word<'_>]) -> Option<(usize, Span)> {
        let (used, part) =
            names::part_of_month(&words.iter().map(|word| word.text).collect::<Vec<_>>())?;
        let (month_words, first) = self.month_and_year(&words[used..])?;
        let start = Day::from_civil(first.0, first.1, 1);
        let days = month_after(first, 1);
        let length = Day::from_civil(days.0, days.1, 1) - start;
        let (from, count) = part.days(start, length);
        Some((used + month_words, Span::Days { first: from, count }))
    }

    /// "19 August 2023", "the 3rd of May", "August 19th, 2023", "19. August".
    fn day_of_month(&self, words: &[Word<'_>]) -> Option<(usize, Span)> {
        let first = words.first()?;
        if let Some(day) = first.number.filter(|day| (1..=31).contains(day)) {
            let of = usize::from(words.get(1).is_some_and(|word| is_of(word.text)));
            let (used, month) = self.month_and_year(&words[1 + of..])?;
            let span = one_day(u32::try_from(month.0).ok()?, month.1, day)?;
            return Some((1 + of + used, span));
        }
        let month = month_of(first.text)?;
        let the = usize::from(words.get(1).is_some_and(|word| word.text == "the"));
        let day = words
            .get(1 + the)?
            .number
            .filter(|day| (1..=31).contains(day))?;
        let year = words
            .get(2 + the)
            .and_then(|word| word.number)
            .filter(|year| is_year(*year));
        let used = 2 + the + usize::from(year.is_some());
        let year = year.map_or_else(
            || self.year_of(month),
            |year| i32::try_from(year).unwrap_or(0),
        );
        Some((used, one_day(u32::try_from(year).ok()?, month, day)?))
    }

    /// "August 2023", "last August", "in August", "in 2023".
    fn month(&self, words: &[Word<'_>]) -> Option<(usize, Span)> {
        let first = words.first()?;
        if is_in(first.text) {
            let year = words.get(1)?.number.filter(|year| is_year(*year));
            if let Some(year) = year {
                return Some((2, Span::Year(year)));
            }
            // A bare name may be a word or a person; after "in" it is a month.
            let (used, first) = self.month_and_year(&words[1..])?;
            return Some((1 + used, Span::Month(first)));
        }
        if is_last(first.text) {
            let month = month_of(words.get(1)?.text)?;
            let first = (self.year_of(month), month);
            return Some((2, Span::Month(first)));
        }
        let month = month_of(first.text)?;
        let year = words.get(1)?.number.filter(|year| is_year(*year))?;
        let first = (i32::try_from(year).ok()?, month);
        Some((2, Span::Month(first)))
    }

    /// "yesterday", "last week", "two days ago", "vor drei Tagen", "last Friday".
    fn relative(&self, words: &[Word<'_>]) -> Option<(usize, Span)> {
        let first = words.first()?;
        if let Some(before) = relative_day(first.text) {
            let first = self.today - before;
            return Some((1, Span::Days { first, count: 1 }));
        }
        if is_last(first.text) || is_this(first.text) {
            let back = i64::from(is_last(first.text));
            let next = words.get(1)?.text;
            if let Some(weekday) = weekday_of(next) {
                let since = (Day::weekday(self.today) - weekday).rem_euclid(7);
                let since = if since == 0 && back == 1 { 7 } else { since };
                let first = self.today - since;
                return Some((2, Span::Days { first, count: 1 }));
            }
            return Some((2, self.counted(unit_of(next)?, back)));
        }
        // "3 days ago", and in other languages "vor 3 Tagen", "il y a 3 jours", "hace 3 días".
        let lead = names::ago_before(&words.iter().map(|word| word.text).collect::<Vec<_>>());
        let count = words.get(lead)?;
        let count = count
            .number
            .or_else(|| names::counted(count.text))
            .filter(|count| *count < 400)?;
        let unit = unit_of(words.get(lead + 1)?.text)?;
        let trails = words.get(lead + 2).is_some_and(|word| is_ago(word.text));
        if lead == 0 && !trails {
            return None;
        }
        let used = lead + 2 + usize::from(trails);
        Some((used, self.counted(unit, i64::from(count))))
    }

    /// The unit of time that lies `back` units before the present one.
    fn counted(&self, unit: Unit, back: i64) -> Span {
        let today = Day::of(self.today);
        match unit {
            Unit::Day => Span::Days {
                first: self.today - back,
                count: 1,
            },
            Unit::Weekend => {
                let saturday = self.today - (Day::weekday(self.today) + 2).rem_euclid(7);
                Span::Days {
                    first: saturday - 7 * (back - 1).max(0),
                    count: 2,
                }
            }
            Unit::Week => {
                let monday = self.today - Day::weekday(self.today);
                Span::Days {
                    first: monday - 7 * back,
                    count: 7,
                }
            }
            Unit::Month => Span::Month(month_after((today.year, today.month), -back)),
            Unit::Year => {
                let year = i64::from(today.year) - back;
                Span::Year(u32::try_from(year).unwrap_or(0))
            }
        }
    }

    /// A month with its year, else the last such month that began before today.
    fn month_and_year(&self, words: &[Word<'_>]) -> Option<(usize, (i32, u32))> {
        let month = month_of(words.first()?.text)?;
        let of = usize::from(words.get(1).is_some_and(|word| is_of(word.text)));
        let year = words
            .get(1 + of)
            .and_then(|word| word.number)
            .filter(|year| is_year(*year));
        match year {
            Some(year) => Some((2 + of, (i32::try_from(year).ok()?, month))),
            None => Some((1, (self.year_of(month), month))),
        }
    }

    fn year_of(&self, month: u32) -> i32 {
        let today = Day::of(self.today);
        if month <= today.month {
            today.year
        } else {
            today.year - 1
        }
    }
}

fn one_day(year: u32, month: u32, day: u32) -> Option<Span> {
    let year = i32::try_from(year).ok()?;
    let first = Day::from_civil(year, month, day);
    // The 31st of a short month is no day.
    let is_day = (1..=12).contains(&month) && Day::of(first).label() % 100 == day;
    is_day.then_some(Span::Days { first, count: 1 })
}

fn is_year(number: u32) -> bool {
    (1900..2200).contains(&number)
}

#[cfg(test)]
mod tests;
