//! The table of programs: which of their options and places hold secrets.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The table. It is data: a new program is a new line.
const TABLE: &str = include_str!("commands.txt");

pub(super) static PROGRAMS: LazyLock<HashMap<&'static str, Vec<Entry>>> =
    LazyLock::new(|| read(TABLE));

/// How the value of an entry is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Next,
    Glued,
    Pair,
    Percent,
    Comma,
    Pass,
    Slash,
    Cookie,
    /// The n-th plain word after a sub-command.
    Place(usize),
}

/// An option or a place of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) option: &'static str,
}

fn read(table: &'static str) -> HashMap<&'static str, Vec<Entry>> {
    let mut programs: HashMap<&'static str, Vec<Entry>> = HashMap::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split_whitespace();
        let (Some(names), Some(kind), Some(option)) =
            (columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        let place = columns
            .next()
            .and_then(|place| place.parse().ok())
            .unwrap_or(1);
        let kind = match kind {
            "glued" => Kind::Glued,
            "pair" => Kind::Pair,
            "percent" => Kind::Percent,
            "comma" => Kind::Comma,
            "pass" => Kind::Pass,
            "slash" => Kind::Slash,
            "cookie" => Kind::Cookie,
            "place" => Kind::Place(place),
            _ => Kind::Next,
        };
        for name in names.split(',') {
            programs
                .entry(name)
                .or_default()
                .push(Entry { kind, option });
        }
    }
    programs
}
