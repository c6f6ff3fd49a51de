//! Text for people: fields, tables that fit, and errors.
//!
//! Text from outside is made harmless first, so that stored text cannot move the cursor, change colours, or
//! pass for a line of this program.

use std::fmt::{Display, Write};

use anstyle::{AnsiColor, Effects, Style};

use super::width;
use hindlore_api::problem::Problem;
use hindlore_text::layout::invisible::marked;

const HEADING: Style = Style::new().effects(Effects::BOLD);
const FAINT: Style = Style::new().effects(Effects::DIMMED);
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const ALERT: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);

/// Columns before the value of a field.
const FIELD_WIDTH: usize = 16;
/// Hex digits of a short id: enough to distinguish the ids of a large memory.
const ID_DIGITS: usize = 8;

/// Meaning of a line, shown by colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// As it is.
    Plain,
    /// A heading.
    Heading,
    /// Less important.
    Faint,
    /// Good news.
    Good,
    /// Bad news.
    Bad,
}

/// A page being written.
#[derive(Debug)]
pub struct Page {
    text: String,
    /// Text for stderr, not part of the answer.
    aside: String,
    is_aside: bool,
    /// Columns of the terminal; absent: cut nothing.
    width: Option<usize>,
    short_ids: bool,
}

impl Page {
    /// An empty page.
    pub fn new(width: Option<usize>) -> Self {
        Self {
            text: String::new(),
            aside: String::new(),
            is_aside: false,
            width,
            short_ids: false,
        }
    }

    /// Shows ids short or in full.
    pub(super) fn with_short_ids(self, short_ids: bool) -> Self {
        Self { short_ids, ..self }
    }

    /// Columns of the terminal; absent if stdout is none.
    pub fn width(&self) -> Option<usize> {
        self.width
    }

    /// The text of the page, and its asides.
    pub(super) fn finish(self) -> (String, String) {
        (self.text, self.aside)
    }

    /// True if nothing is written yet.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text of the page without colours.
    pub fn plain(self) -> String {
        anstream::adapter::strip_str(&self.text).to_string()
    }

    /// Writes text that is not part of the answer, for stderr.
    pub fn aside(&mut self, write: impl FnOnce(&mut Self)) {
        if self.is_aside {
            return write(self);
        }
        std::mem::swap(&mut self.text, &mut self.aside);
        self.is_aside = true;
        write(self);
        self.is_aside = false;
        std::mem::swap(&mut self.text, &mut self.aside);
    }

    /// Notes that there is nothing to show.
    pub fn nothing_found(&mut self) {
        self.aside(|page| page.line(Tone::Faint, "nothing found"));
    }

    /// An id as this page shows it: in full, or a beginning that every command accepts.
    pub fn id(&self, id: impl Display) -> String {
        let id = id.to_string();
        if self.short_ids {
            short(&id).to_owned()
        } else {
            id
        }
    }

    /// A time as this page shows it: to the minute for people.
    pub fn moment(&self, at: impl Display) -> String {
        let at = at.to_string();
        match (self.width, at.get(..16)) {
            (Some(_), Some(minute)) => minute.replace('T', " "),
            _ => at,
        }
    }

    /// Writes one line; on a narrow terminal it continues below.
    pub fn line(&mut self, tone: Tone, text: impl Display) {
        let style = style(tone);
        let text = harmless(&text.to_string());
        for line in self.broken(&text) {
            self.push(format_args!("{style}{line}{style:#}\n"));
        }
    }

    /// Breaks a text into lines for the terminal.
    fn broken(&self, text: &str) -> Vec<String> {
        let Some(width) = self.width.filter(|width| width::of_text(text) > *width) else {
            return vec![text.to_owned()];
        };
        let rest = text.trim_start_matches(' ');
        let indent = " ".repeat((text.len() - rest.len()).min(width / 2));
        let lines = super::wrap::lines(rest, width - indent.len());
        lines.iter().map(|line| format!("{indent}{line}")).collect()
    }

    /// Writes an empty line.
    pub fn gap(&mut self) {
        self.text.push('\n');
    }

    /// Writes a text of several lines, indented.
    pub fn block(&mut self, text: &str) {
        for line in text.lines() {
            self.line(Tone::Plain, format_args!("  {line}"));
        }
    }

    /// Writes a name and its value; a long value continues below its beginning.
    pub fn field(&mut self, name: &str, value: impl Display) {
        let value = harmless(&value.to_string());
        let name = harmless(name);
        let before = width::of_text(&name).max(FIELD_WIDTH - 1) + 1;
        let blanks = " ".repeat(before - width::of_text(&name));
        let room = self.width.map(|width| width.saturating_sub(before));
        let lines = match room {
            Some(room) if width::of_text(&value) > room => super::wrap::lines(&value, room),
            _ => vec![value],
        };
        let mut start = format!("{FAINT}{name}{FAINT:#}{blanks}");
        for line in lines {
            self.push(format_args!("{start}{line}\n"));
            start = " ".repeat(before);
        }
    }

    /// Writes an error and its remedy.
    pub(super) fn complaint(&mut self, problem: &Problem) {
        self.marked(ALERT, "error:", &problem.message);
        if let Some(hint) = &problem.hint {
            self.marked(FAINT, " hint:", hint);
        }
    }

    fn marked(&mut self, style: Style, mark: &str, text: &str) {
        let text = harmless(text);
        let room = self.width.map(|width| width.saturating_sub(mark.len() + 1));
        let lines = match room {
            Some(room) if width::of_text(&text) > room => super::wrap::lines(&text, room),
            _ => vec![text],
        };
        for (place, line) in lines.iter().enumerate() {
            match place {
                0 => self.push(format_args!("{style}{mark}{style:#} {line}\n")),
                _ => self.push(format_args!("{}{line}\n", " ".repeat(mark.len() + 1))),
            }
        }
    }

    pub(super) fn push(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
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

/// The short form of one of our ids: its letter and first digits; other names stay whole.
fn short(id: &str) -> &str {
    let Some((_, digits)) = id.rsplit_once(['_', ':']) else {
        return id;
    };
    let is_random = digits.len() > ID_DIGITS + 3 && digits.bytes().all(|c| c.is_ascii_hexdigit());
    if is_random {
        &id[..id.len() - digits.len() + ID_DIGITS]
    } else {
        id
    }
}

/// A text as one line, without control characters, and with a mark for each invisible one.
pub(super) fn harmless(text: &str) -> String {
    let clean = |c: char| match c {
        '\n' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
        c if c.is_control() => '\u{FFFD}',
        c => c,
    };
    marked(text).chars().map(clean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(page: Page) -> String {
        page.plain()
    }

    #[test]
    fn lines_are_broken_between_words() {
        let mut page = Page::new(Some(24));
        page.block("one two three four five six seven");
        page.field("name", "eight nine ten eleven");
        page.line(Tone::Plain, "   twelve thirteen fourteen");
        let text = plain(page);
        assert!(
            text.lines().all(|line| width::of_text(line) <= 24),
            "{text}"
        );
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(
            words.contains(&"seven") && words.contains(&"eleven"),
            "{text}"
        );
        assert!(text.contains("\n   fourteen\n"), "{text}");
    }

    #[test]
    fn ids_are_short_for_people_only() {
        let id = "b_0123456789abcdef0123";
        assert_eq!(Page::new(Some(80)).id(id), id);
        let page = Page::new(Some(80)).with_short_ids(true);
        assert_eq!(page.id(id), "b_01234567");
        for name in ["lesson-17", "d_creation", "d_demo_opposite", "x_12345678"] {
            assert_eq!(page.id(name), name);
        }
    }

    #[test]
    fn what_stands_aside_is_no_part_of_the_answer() {
        let mut page = Page::new(None);
        page.nothing_found();
        page.line(Tone::Plain, "answer");
        page.aside(|page| page.aside(|page| page.line(Tone::Plain, "more")));
        let (text, aside) = page.finish();
        assert_eq!(text, "answer\n");
        assert!(aside.contains("nothing found") && aside.ends_with("more\n"));
    }

    #[test]
    fn stored_text_cannot_steer_the_terminal() {
        let mut page = Page::new(None);
        page.field("content", "a\u{1b}[31mb\nc\u{202e}d\u{e0041} 👩\u{200d}💻");
        let (text, _) = page.finish();
        assert!(
            text.contains("a\u{FFFD}[31mb c<U+202E>d<U+E0041> 👩\u{200d}💻"),
            "{text}"
        );
    }
}
