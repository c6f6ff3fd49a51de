//! Rows in aligned columns that fit the terminal.
//!
//! Empty columns are omitted. A row that does not fit is cut column by column: prose first, then headings, then names;
//! ids and numbers stay whole. Only a very narrow terminal gets rows written field by field, because a list is for
//! scanning.

use anstyle::{Effects, Style};

use super::page::{Page, harmless};
use super::width;

const HEADING: Style = Style::new().effects(Effects::BOLD);
const GAP: &str = "  ";

/// Terminal width from which rows are always single lines.
const ROWS_FROM: usize = 60;
/// Minimum width of a prose column while others can shrink.
const PROSE_MIN: usize = 16;
/// Minimum width of a name.
const NAME_MIN: usize = 8;
/// Minimum width if many columns share a narrow terminal.
const LEAST: usize = 4;
/// Longest cell that counts as a number, word, or short id and stays whole.
const WHOLE_MAX: usize = 10;

/// A column of a table.
struct Column {
    heading: String,
    cells: Vec<String>,
    is_prose: bool,
    /// Width of its longest cell.
    content: usize,
    /// Assigned width.
    width: usize,
}

impl Page {
    /// Writes rows in aligned columns; if there are none and the page is empty, notes that.
    pub fn table(&mut self, headings: &[&str], rows: &[Vec<String>]) {
        if rows.is_empty() {
            if self.is_empty() {
                self.nothing_found();
            }
            return;
        }
        let columns = headings.iter().enumerate();
        let mut columns: Vec<Column> = columns
            .map(|(place, heading)| Column::new(heading, rows, place))
            .filter(|column| column.content > 0)
            .collect();
        let is_narrow = self.width().is_some_and(|width| width < ROWS_FROM);
        let fits = match self.width() {
            Some(limit) => fit(&mut columns, limit, is_narrow),
            None => true,
        };
        if !fits && is_narrow {
            return self.records(&columns, rows.len());
        }
        self.row(&columns, None);
        (0..rows.len()).for_each(|row| self.row(&columns, Some(row)));
    }

    /// Writes one row, or the headings.
    fn row(&mut self, columns: &[Column], row: Option<usize>) {
        let last = columns.len().saturating_sub(1);
        let mut line = String::new();
        for (place, column) in columns.iter().enumerate() {
            let cell = row.map_or(&column.heading, |row| &column.cells[row]);
            let cell = width::cut(cell, column.width);
            line.push_str(&cell);
            if place < last {
                let blanks = column.width.saturating_sub(width::of_text(&cell));
                line.push_str(&" ".repeat(blanks));
                line.push_str(GAP);
            }
        }
        let style = row.map_or(HEADING, |_| Style::new());
        let line = line.trim_end();
        self.push(format_args!("{style}{line}{style:#}\n"));
    }

    /// Writes rows field by field.
    fn records(&mut self, columns: &[Column], rows: usize) {
        for row in 0..rows {
            let named = columns
                .iter()
                .filter(|column| !column.cells[row].is_empty());
            for column in named {
                self.field(&column.heading.to_lowercase(), &column.cells[row]);
            }
            self.gap();
        }
    }
}

impl Column {
    fn new(heading: &str, rows: &[Vec<String>], place: usize) -> Self {
        let cell = |row: &Vec<String>| row.get(place).map_or_else(String::new, |it| harmless(it));
        let cells: Vec<String> = rows.iter().map(cell).collect();
        let content = cells
            .iter()
            .map(|cell| width::of_text(cell))
            .max()
            .unwrap_or(0);
        Self {
            heading: heading.to_owned(),
            is_prose: cells.iter().any(|cell| cell.contains(' ')),
            content,
            width: content.max(width::of_text(heading)),
            cells,
        }
    }

    /// Width the column keeps while prose shrinks, then headings, then names, then all.
    fn floor(&self, round: usize) -> usize {
        let is_whole = !self.is_prose && self.content <= WHOLE_MAX;
        match (round, self.is_prose) {
            (0, true) => PROSE_MIN,
            (0, false) => self.width,
            (1, true) => PROSE_MIN,
            (1, false) => self.content,
            (2, true) => PROSE_MIN,
            (_, false) if is_whole => self.content,
            (4, _) => LEAST,
            (_, _) => NAME_MIN,
        }
    }
}

/// Narrows columns until they fit; false if they cannot.
fn fit(columns: &mut [Column], limit: usize, is_narrow: bool) -> bool {
    let gaps = GAP.len() * columns.len().saturating_sub(1);
    let rounds = if is_narrow { 1 } else { 5 };
    for column in columns.iter_mut() {
        column.width = column.width.min(limit);
    }
    for round in 0..rounds {
        loop {
            let used: usize = columns.iter().map(|column| column.width).sum::<usize>() + gaps;
            if used <= limit {
                return true;
            }
            let can_give = columns
                .iter_mut()
                .filter(|one| one.width > one.floor(round));
            let Some(widest) = can_give.max_by_key(|column| column.width) else {
                break;
            };
            // One column at a time, so that columns of similar width shrink alike.
            widest.width -= 1;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
        let row = |row: &&[&str]| row.iter().map(|cell| (*cell).to_owned()).collect();
        rows.iter().map(row).collect()
    }

    fn table(width: usize, headings: &[&str], cells: &[&[&str]]) -> String {
        let mut page = Page::new(Some(width));
        page.table(headings, &rows(cells));
        let text = page.plain();
        let fits = text.lines().all(|line| width::of_text(line) <= width);
        assert!(fits, "{width}: {text}");
        text
    }

    #[test]
    fn a_table_is_aligned_and_fits() {
        let long = "a text that is far too long for a terminal of sixty columns or so";
        let text = table(
            60,
            &["ID", "CONTENT", "N"],
            &[&["b_1", long, "3"], &["b_2", "x", "4"]],
        );
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[1].starts_with("b_1  a text") && lines[1].ends_with('3'),
            "{text}"
        );
        assert!(lines[1].contains("sixty…"), "{text}");
        assert_eq!(lines[0].find("CONTENT"), lines[1].find("a text"));
        assert_eq!(lines[0].rfind('N'), lines[2].rfind('4'));
        assert_eq!(lines[0].len(), lines[2].len());
    }

    #[test]
    fn columns_that_say_nothing_are_left_out() {
        let text = table(
            80,
            &["ID", "TAGS", "CONTENT"],
            &[&["b_1", "", "x"], &["b_2", "", "y"]],
        );
        assert_eq!(text, "ID   CONTENT\nb_1  x\nb_2  y\n");
    }

    #[test]
    fn rows_stay_lines_down_to_sixty_columns_and_ids_stay_whole() {
        let headings = [
            "REVISION",
            "AT",
            "DELTA",
            "CHANGES",
            "AUTHOR",
            "RUN",
            "REASONING",
        ];
        let row: &[&str] = &[
            "12",
            "2026-11-25 15:51",
            "d_01234567",
            "+2 ~1 merged 3",
            "somebody@example.org",
            "nightly-build-4711",
            "what was learned from the failed deployment of Tuesday",
        ];
        for width in [60, 80, 120] {
            let text = table(width, &headings, &[row, row]);
            assert_eq!(text.lines().count(), 3, "{width}: {text}");
            assert!(text.contains("d_01234567"), "{width}: {text}");
        }
        let narrow = table(40, &headings, &[row]);
        assert!(
            narrow.lines().count() > 6 && narrow.contains("d_01234567"),
            "{narrow}"
        );
    }
}
