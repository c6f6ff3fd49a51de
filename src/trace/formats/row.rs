//! A format as a row of the table: where its runs, entries, names and calls are.

use serde_json::Value;

use super::Confidence;
use super::path::{Sign, select};
use super::shape::Shapes;

/// Entries of a record that are looked at for signs.
const LOOKED_AT: usize = 50;

/// A format.
#[derive(PartialEq, Eq, Debug)]
pub struct Row {
    /// The word for it on every surface.
    pub(crate) word: &'static str,
    /// Groups of signs of a record or an entry: all signs of one group have to be there.
    pub(crate) signs: &'static [&'static [Sign]],
    /// Lists of runs within a record.
    pub(crate) runs: &'static [&'static str],
    /// Lists of entries within a run.
    pub(crate) entries: &'static [&'static str],
    /// Lists of entries within an entry.
    pub(crate) nested: &'static str,
    /// Fields of an entry that name the entry it is part of; such an outer entry is no call.
    pub(crate) parent: &'static [&'static str],
    /// Names of a run in its object, in the record or in an entry; `a+b` joins two.
    pub(crate) name: &'static [&'static str],
    /// Names of a run that each entry has.
    pub(crate) name_of_entry: &'static [&'static str],
    pub(crate) task: &'static [&'static str],
    pub(crate) reward: &'static [&'static str],
    pub(crate) order: Order,
    pub(crate) shapes: &'static Shapes,
}

/// The order of the entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// As they happened.
    Kept,
    /// As they happened, and some of them again.
    Repeated,
    /// In any order: their times decide.
    ByTime,
}

impl Row {
    /// Rates how well a record fits.
    pub(crate) fn looks_like(&self, record: &Value) -> Confidence {
        let entries = self.entries_of(record).into_iter().flatten();
        let values = std::iter::once(record).chain(entries.take(LOOKED_AT));
        let fits = |value: &Value| {
            let mut groups = self.signs.iter();
            groups.any(|signs| signs.iter().all(|sign| sign.fits(value)))
        };
        if values.into_iter().any(fits) {
            Confidence::Certain
        } else {
            Confidence::No
        }
    }

    /// True for an entry that is a call although others are part of it: a tool may call a model.
    pub(super) fn is_tool(&self, entry: &Value) -> bool {
        self.shapes.calls.first().is_some_and(|shape| {
            let mut signs = shape.when.iter();
            signs.all(|sign| sign.fits(entry))
        })
    }

    /// All entries of a record; absent for a record that is an entry.
    pub(super) fn entries_of<'v>(&self, record: &'v Value) -> Option<Vec<&'v Value>> {
        let (_, runs) = self.runs_of(record);
        let lists: Vec<_> = runs.iter().filter_map(|run| self.list(run)).collect();
        let entries = lists.into_iter().flat_map(|(_, entries)| entries);
        let entries: Vec<&Value> = entries.collect();
        (!entries.is_empty()).then_some(entries)
    }

    /// The runs of a record and the path of their list; a record without such a list is the run.
    pub(super) fn runs_of<'v>(&self, record: &'v Value) -> (&'static str, Vec<&'v Value>) {
        let mut lists = self.runs.iter().map(|path| (*path, select(record, path)));
        let found = lists.find(|(_, runs)| !runs.is_empty());
        found.unwrap_or_else(|| ("", vec![record]))
    }

    /// The entries of a run and the path of their list.
    pub(super) fn list<'v>(&self, run: &'v Value) -> Option<(&'static str, Vec<&'v Value>)> {
        let mut lists = self.entries.iter().map(|path| (*path, select(run, path)));
        lists.find(|(_, entries)| !entries.is_empty())
    }
}
