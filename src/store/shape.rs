//! The form of a memory in its store, beside what it holds: relationships, names and keys that could say otherwise than the
//! bullets and events themselves.

use mnemograph_domain::memory::link::{Link, LinkId};

/// Something about the form of a memory that contradicts what the memory holds. Only a hand or a fault makes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeFault {
    /// What is wrong, with the id of what it is about, and what to do if no repair mends it.
    pub message: String,
    /// What mends it.
    pub remedy: ShapeRemedy,
}

/// What mends a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeRemedy {
    /// [`super::MaintenanceStore::repair`].
    Repair,
    /// Only a new start of the history from the stored state: something is lost.
    Rebase,
    /// What the message says.
    Hand,
}

/// Links between bullets to put back, or to take away, since events made them otherwise.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LinkRepairs {
    /// Links as the events made them.
    pub put: Vec<Link>,
    /// Links that no event made.
    pub gone: Vec<LinkId>,
}
