//! Kinds of records: what a noun declares once, and every backend relies on.
//!
//! A kind that is not in [`KINDS`] cannot be stored, so nothing in a store is of a shape that nobody declared. Orders are
//! numbered by their place in the declaration: a new one goes to the end, and none is ever taken away.

use std::cmp::Ordering;

use super::receipt::RECEIPT;
use super::trajectory::{STEP, TRAJECTORY};

/// All kinds that can be stored.
pub const KINDS: &[&Kind] = &[&RECEIPT, &STEP, &TRAJECTORY];

/// Orders of one kind at most: a store may have an index for each number.
pub const ORDERS_MAX: usize = 8;

/// A kind of records.
#[derive(Debug)]
pub struct Kind {
    /// Its label in a graph, CamelCase.
    pub label: &'static str,
    /// The relationship from the learner to each record of it; absent for parts, which hang on another record.
    pub held_as: Option<&'static str>,
    /// The value that captions it.
    pub caption: &'static str,
    /// The orders in which its records can be listed, at most [`ORDERS_MAX`].
    pub orders: &'static [&'static str],
    /// The edges that its records may have.
    pub edges: &'static [EdgeKind],
}

/// An edge that the records of a kind may have. It belongs to the record that declares it, whichever way it points.
#[derive(Debug)]
pub struct EdgeKind {
    /// The type of the relationship, UPPER_SNAKE.
    pub name: &'static str,
    /// Label of the kind at its other end.
    pub other: &'static str,
    /// Where it points.
    pub direction: Direction,
}

/// Where an edge points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the record that declares it to the other.
    Outgoing,
    /// From the other to the record that declares it: a part that is held by its whole.
    Incoming,
}

impl Kind {
    /// The kind with a label.
    pub fn from_label(label: &str) -> Option<&'static Self> {
        KINDS.iter().copied().find(|kind| kind.label == label)
    }

    /// The number of an order, from 1; absent when the kind does not declare it.
    pub fn order_number(&self, order: &str) -> Option<usize> {
        let at = self.orders.iter().position(|name| *name == order)?;
        Some(at + 1)
    }

    /// The edge with a name; absent when the kind does not declare it.
    pub fn edge(&self, name: &str) -> Option<&EdgeKind> {
        self.edges.iter().find(|edge| edge.name == name)
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.label == other.label
    }
}

impl Eq for Kind {}

impl PartialOrd for Kind {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Kind {
    fn cmp(&self, other: &Self) -> Ordering {
        self.label.cmp(other.label)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_is_declared_can_be_kept() {
        let labels: BTreeSet<&str> = KINDS.iter().map(|kind| kind.label).collect();
        assert_eq!(labels.len(), KINDS.len());
        for kind in KINDS {
            let orders: BTreeSet<&&str> = kind.orders.iter().collect();
            assert_eq!(orders.len(), kind.orders.len(), "{}", kind.label);
            assert!(kind.orders.len() <= ORDERS_MAX, "{}", kind.label);
            let edges: BTreeSet<&str> = kind.edges.iter().map(|edge| edge.name).collect();
            assert_eq!(edges.len(), kind.edges.len(), "{}", kind.label);
            for edge in kind.edges {
                assert!(labels.contains(edge.other), "{}: {}", kind.label, edge.name);
            }
        }
    }

    #[test]
    fn every_record_can_be_reached_from_its_learner() {
        for kind in KINDS.iter().filter(|kind| kind.held_as.is_none()) {
            let hangs = |edge: &EdgeKind| edge.direction == Direction::Incoming;
            assert!(kind.edges.iter().any(hangs), "{}", kind.label);
        }
    }
}
