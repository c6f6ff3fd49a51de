//! Prose on a page: sentences in lines that fit, indented or hanging from a mark.

use super::page::{Page, Tone};
use super::width;
use super::wrap::{beginning, lines};

/// Maximum columns of prose.
const COLUMNS: usize = 78;

impl Page {
    /// Columns of prose on this page.
    pub(crate) fn columns(&self) -> usize {
        self.width().map_or(COLUMNS, |width| width.min(COLUMNS))
    }

    /// The beginning of a text that fits one line of prose after `used` columns.
    pub(crate) fn beginning(&self, text: &str, used: usize) -> String {
        beginning(text, self.columns().saturating_sub(used).max(8))
    }

    /// Writes a text in lines that fit, each indented by `indent` columns.
    pub fn prose(&mut self, tone: Tone, indent: usize, text: &str) {
        self.hanging(tone, &" ".repeat(indent), text);
    }

    /// Writes a text in lines that fit: the first begins with `mark`, the others align below its text.
    pub(crate) fn hanging(&mut self, tone: Tone, mark: &str, text: &str) {
        let indent = width::of_text(mark);
        let blanks = " ".repeat(indent);
        let room = self.columns().saturating_sub(indent);
        for (place, line) in lines(text, room).iter().enumerate() {
            let start = if place == 0 { mark } else { &blanks };
            self.line(tone, format_args!("{start}{line}"));
        }
    }
}
