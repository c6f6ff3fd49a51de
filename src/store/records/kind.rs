//! Kinds of records: what a noun declares once, and every backend relies on.
//!
//! A kind that is not in `kinds.rs` cannot be stored, so nothing in a store is of a shape that nobody declared. Orders are
//! numbered by their place in the declaration: a new one goes to the end, and none is ever taken away.

use std::cmp::Ordering;

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
