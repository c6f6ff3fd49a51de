//! Text for people: fields, tables that fit, and complaints.
//!
//! Whatever comes from outside is made harmless first, so that no stored text can move the cursor,
//! change colours or pretend to be a line of this program.

use std::fmt::{Display, Write};

use anstyle::{AnsiColor, Effects, Style};

use super::width;
use crate::api::problem::Problem;

const HEADING: Style = Style::new().effects(Effects::BOLD);
const FAINT: Style = Style::new().effects(Effects::DIMMED);
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const ALERT: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);

/// Narrowest place that a column of prose keeps.
const CELL_MIN: usize = 16;
const GAP: &str = "  ";
/// Columns before the value of a field.
const FIELD_WIDTH: usize = 16;

/// What a line is about, in colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tone {
    /// As it is.
    Plain,
    /// A heading.
    Heading,
    /// Of less weight.
    Faint,
    /// Good news.
    Good,
    /// Bad news.
    Bad,
}

/// A page that is being written.
#[derive(Debug)]
pub(crate) struct Page {
    text: String,
    /// Columns of the terminal; absent: nothing is cut.
    width: Option<usize>,
}

impl Page {
    /// An empty page.
    pub(crate) fn new(width: Option<usize>) -> Self {
        Self {
            text: String::new(),
            width,
        }
    }

    /// What was written.
    pub(super) fn finish(self) -> String {
        self.text
    }

    /// What was written, without colours.
    pub(crate) fn plain(self) -> String {
        anstream::adapter::strip_str(&self.text).to_string()
    }

    /// Writes one line.
    pub(crate) fn line(&mut self, tone: Tone, text: impl Display) {
        let style = style(tone);
        let text = harmless(&text.to_string());
        self.push(format_args!("{style}{text}{style:#}\n"));
    }

    /// Writes an empty line.
    pub(crate) fn gap(&mut self) {
        self.text.push('\n');
    }

    /// Writes a text of several lines, moved in.
    pub(crate) fn block(&mut self, text: &str) {
        for line in text.lines() {
            self.push(format_args!("  {}\n", harmless(line)));
        }
    }

    /// Writes a name and its value.
    pub(crate) fn field(&mut self, name: &str, value: impl Display) {
        let value = harmless(&value.to_string());
        let name = harmless(name);
        let blanks = " ".repeat(FIELD_WIDTH.saturating_sub(width::of(&name)).max(1));
        self.push(format_args!("{FAINT}{name}{FAINT:#}{blanks}{value}\n"));
    }

    /// Writes rows in aligned columns. Columns of prose are cut until the table fits; names and ids are
    /// there to be copied and stay whole, so a table that does not fit then is written row by row.
    pub(crate) fn table(&mut self, headings: &[&str], rows: &[Vec<String>]) {
        if rows.is_empty() {
            return self.line(Tone::Faint, "nothing found");
        }
        let rows: Vec<Vec<String>> = rows
            .iter()
            .map(|row| row.iter().map(|cell| harmless(cell)).collect())
            .collect();
        let Some(widths) = self.column_widths(headings, &rows) else {
            return self.records(headings, &rows);
        };
        let titles: Vec<String> = headings.iter().map(|title| (*title).to_owned()).collect();
        self.row(&titles, &widths, HEADING);
        for row in &rows {
            self.row(row, &widths, Style::new());
        }
    }

    /// The widths at which the table fits; absent when it cannot.
    fn column_widths(&self, headings: &[&str], rows: &[Vec<String>]) -> Option<Vec<usize>> {
        let mut widths: Vec<usize> = headings.iter().map(|title| width::of(title)).collect();
        let mut is_prose = vec![false; widths.len()];
        for row in rows {
            for (place, cell) in row.iter().enumerate().take(widths.len()) {
                widths[place] = widths[place].max(width::of(cell));
                is_prose[place] |= cell.contains(' ');
            }
        }
        let Some(limit) = self.width else {
            return Some(widths);
        };
        let gaps = GAP.len() * widths.len().saturating_sub(1);
        loop {
            let used: usize = widths.iter().sum::<usize>() + gaps;
            if used <= limit {
                return Some(widths);
            }
            let prose = widths
                .iter_mut()
                .zip(&is_prose)
                .filter(|(_, prose)| **prose);
            let widest = prose.map(|(width, _)| width).max()?;
            if *widest <= CELL_MIN {
                return None;
            }
            *widest = widest.saturating_sub(used - limit).max(CELL_MIN);
        }
    }

    /// Writes every row as fields.
    fn records(&mut self, headings: &[&str], rows: &[Vec<String>]) {
        for row in rows {
            for (title, cell) in headings
                .iter()
                .zip(row)
                .filter(|(_, cell)| !cell.is_empty())
            {
                self.field(&title.to_lowercase(), cell);
            }
            self.gap();
        }
    }

    fn row(&mut self, cells: &[String], widths: &[usize], style: Style) {
        let last = cells.len().saturating_sub(1);
        let mut line = String::new();
        for (place, (cell, width)) in cells.iter().zip(widths).enumerate() {
            let cell = width::cut(cell, *width);
            line.push_str(&cell);
            if place < last {
                line.push_str(&" ".repeat(width - width::of(&cell)));
                line.push_str(GAP);
            }
        }
        self.push(format_args!("{style}{line}{style:#}\n"));
    }

    /// Writes what went wrong and what to do about it.
    pub(super) fn complaint(&mut self, problem: &Problem) {
        let message = harmless(&problem.message);
        self.push(format_args!("{ALERT}error:{ALERT:#} {message}\n"));
        if let Some(hint) = &problem.hint {
            self.push(format_args!("{FAINT} hint:{FAINT:#} {}\n", harmless(hint)));
        }
    }

    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing into a string cannot fail.
        let _ = self.text.write_fmt(text);
    }
}

fn style(tone: Tone) -> Style {
    match tone {
        Tone::Plain => Style::new(),
        Tone::Heading => HEADING,
        Tone::Faint => FAINT,
        Tone::Good => GOOD,
        Tone::Bad => BAD,
    }
}

/// A text as one line without control characters and changes of direction.
pub(super) fn harmless(text: &str) -> String {
    let clean = |c: char| match c {
        '\n' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
        c if c.is_control() => '\u{FFFD}',
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => '\u{FFFD}',
        c => c,
    };
    text.chars().map(clean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(page: Page) -> String {
        anstream::adapter::strip_str(&page.finish()).to_string()
    }

    #[test]
    fn a_table_is_aligned_and_fits() {
        let mut page = Page::new(Some(40));
        let long = "a text that is far too long for a terminal of forty columns".to_owned();
        page.table(
            &["ID", "CONTENT", "N"],
            &[vec!["b_1".to_owned(), long, "3".to_owned()]],
        );
        let text = plain(page);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.iter().all(|line| width::of(line) <= 40), "{text}");
        assert!(
            lines[1].starts_with("b_1  a text") && lines[1].ends_with("…  3"),
            "{text}"
        );
        assert_eq!(lines[0].find("CONTENT"), lines[1].find("a text"));
    }

    #[test]
    fn an_id_stays_whole_where_a_table_does_not_fit() {
        let mut page = Page::new(Some(24));
        let id = "b_0123456789abcdef0123".to_owned();
        page.table(
            &["ID", "CONTENT"],
            &[vec![id.clone(), "some prose here".to_owned()]],
        );
        let text = plain(page);
        assert!(
            text.contains(&id) && text.contains("content         some prose here"),
            "{text}"
        );
    }

    #[test]
    fn stored_text_cannot_steer_the_terminal() {
        let mut page = Page::new(None);
        page.field("content", "a\u{1b}[31mb\nc\u{202e}d");
        let text = page.finish();
        assert!(text.contains("a\u{FFFD}[31mb c\u{FFFD}d"), "{text}");
    }
}
