//! Tables in process: named columns, rows of cells, and how CSV becomes one and is printed again.

use std::collections::BTreeMap;

/// One cell: its text, and its number, if it is one.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) number: Option<f64>,
}

/// A table.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Table {
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Cell {
    /// A cell as in a file.
    pub(super) fn read(text: &str) -> Self {
        let number = text
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite());
        Self {
            text: text.to_owned(),
            number,
        }
    }

    /// A computed number, printed with at least one decimal and at most six.
    pub(super) fn of(number: f64) -> Self {
        let rounded = (number * 1e6).round() / 1e6;
        Self {
            text: format!("{rounded:?}"),
            number: Some(rounded),
        }
    }

    /// A number of things.
    pub(super) fn count(count: usize) -> Self {
        Self {
            text: count.to_string(),
            number: Some(count as f64),
        }
    }
}

impl Table {
    /// Reads CSV whose first line names the columns; short rows are filled with empty cells.
    pub(super) fn read(csv: &str) -> Option<Self> {
        let mut lines = csv.lines().filter(|line| !line.trim().is_empty());
        let columns = fields(lines.next()?);
        let rows = lines.map(|line| {
            let mut row: Vec<Cell> = fields(line).iter().map(|text| Cell::read(text)).collect();
            row.resize(columns.len(), Cell::read(""));
            row
        });
        Some(Self {
            rows: rows.collect(),
            columns,
        })
    }

    /// Place of a column.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// The lines that are printed: the header and at most `limit` rows.
    pub(super) fn lines(&self, limit: usize) -> Vec<String> {
        let rows = self.rows.iter().take(limit).map(|row| {
            let texts: Vec<String> = row.iter().map(|cell| field(&cell.text)).collect();
            texts.join(",")
        });
        std::iter::once(self.columns.join(","))
            .chain(rows)
            .collect()
    }

    /// Rows by the values of columns, in the order in which the values first appear.
    pub(super) fn groups(&self, by: &[usize]) -> Vec<(Vec<Cell>, Vec<usize>)> {
        let mut places: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        let mut groups: Vec<(Vec<Cell>, Vec<usize>)> = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            let key: Vec<&str> = by.iter().map(|column| row[*column].text.as_str()).collect();
            let place = *places.entry(key).or_insert(groups.len());
            if place == groups.len() {
                groups.push((
                    by.iter().map(|column| row[*column].clone()).collect(),
                    Vec::new(),
                ));
            }
            groups[place].1.push(at);
        }
        groups
    }
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut chars = line.trim_end_matches('\r').chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                push(&mut fields, '"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            c => push(&mut fields, c),
        }
    }
    fields
}

fn push(fields: &mut [String], c: char) {
    if let Some(last) = fields.last_mut() {
        last.push(c);
    }
}

fn field(text: &str) -> String {
    if text.contains([',', '"']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_is_read_and_printed() {
        let table = Table::read("a,b\n\"x, \"\"y\"\"\",2\nz\n").unwrap();
        assert_eq!(table.rows[0][0].text, "x, \"y\"");
        assert_eq!(table.lines(9), ["a,b", "\"x, \"\"y\"\"\",2", "z,"]);
        assert_eq!(table.lines(1).len(), 2);
    }

    #[test]
    fn computed_numbers_show_a_decimal() {
        assert_eq!(Cell::of(4200.0).text, "4200.0");
        assert_eq!(Cell::of(0.1 + 0.2).text, "0.3");
        assert_eq!(Cell::count(4).text, "4");
    }

    #[test]
    fn groups_come_in_the_order_of_their_first_row() {
        let table = Table::read("k,v\nb,1\na,2\nb,3\n").unwrap();
        let groups = table.groups(&[0]);
        let names: Vec<&str> = groups.iter().map(|(key, _)| key[0].text.as_str()).collect();
        assert_eq!((names, groups[0].1.clone()), (vec!["b", "a"], vec![0, 2]));
    }
}
