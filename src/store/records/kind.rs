//! Kinds of records: a noun's declaration, on which every backend relies.
//!
//! Only the kinds in `kinds.rs` can be stored, so a store holds no undeclared shape. Orders are numbered by their place in
//! the declaration, and stores keep the numbers: append new orders, never remove one.

use std::cmp::Ordering;

use super::learners::Learners;

/// Largest number of orders of one kind: a store may have one index for each number.
pub const ORDERS_MAX: usize = 8;

/// A kind of records.
#[derive(Debug)]
pub struct Kind {
    /// Its label in a graph, CamelCase.
    pub label: &'static str,
    /// Type of the relationship from the learner to each record; `None` for parts, which hang on another record.
    pub held_as: Option<&'static str>,
    /// Name of the value that captions a record.
    pub caption: &'static str,
    /// The orders that list its records, at most [`ORDERS_MAX`].
    pub orders: &'static [&'static str],
    /// The edges that its records may have.
    pub edges: &'static [EdgeKind],
    /// The values that name runs.
    pub references: &'static [Reference],
    /// The learners that its records name.
    pub learners: Learners,
}

/// A value of records that names runs: one id as a text, or several as texts. A store of rows needs nothing but the value;
/// in a graph each is also a relationship to the run, if that is there when the record is written.
#[derive(Debug)]
pub struct Reference {
    /// Name of the value.
    pub value: &'static str,
    /// The type of the relationship from the record to the run, UPPER_SNAKE.
    pub name: &'static str,
}

/// An edge that records of a kind may have. It belongs to the declaring record, in whichever direction it points.
#[derive(Debug)]
pub struct EdgeKind {
    /// The type of the relationship, UPPER_SNAKE.
    pub name: &'static str,
    /// Label of the kind at its other end.
    pub other: &'static str,
    /// Its direction.
    pub direction: Direction,
}

/// The direction of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the declaring record to the other.
    Outgoing,
    /// From the other record to the declaring one: the whole holds its part.
    Incoming,
}

impl Kind {
    /// The number of an order, from 1; `None` when the kind does not declare it.
    pub fn order_number(&self, order: &str) -> Option<usize> {
        let at = self.orders.iter().position(|name| *name == order)?;
        Some(at + 1)
    }

    /// The edge with this name; `None` when the kind does not declare it.
    pub fn edge(&self, name: &str) -> Option<&EdgeKind> {
        self.edges.iter().find(|edge| edge.name == name)
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        // No two kinds share a label, so the label alone decides.
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
