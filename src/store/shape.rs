//! The form of a memory in its store, beside what it holds: relationships, names and keys that could say otherwise than the
//! bullets and events themselves.

use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::link::{Link, LinkId};

/// Something about the form of a memory that contradicts what the memory holds. Only a hand or a fault makes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeFault {
    /// What is wrong, with the id of what it is about, and what to do if no repair mends it.
    pub message: String,
    /// What mends it.
    pub remedy: ShapeRemedy,
    /// The property of a bullet that it is about; `None` for a fault of another kind.
    pub value: Option<WrongValue>,
}

/// A property of a bullet that has another type than the engine gave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongValue {
    /// The bullet.
    pub bullet: BulletId,
    /// True if the value is read all the same, as one of the right type; otherwise an empty one is in its place.
    pub is_converted: bool,
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

/// What to put back as the events made it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Repairs {
    /// Bullets with properties of another type.
    pub bullets: Vec<Bullet>,
    /// Links between bullets.
    pub links: LinkRepairs,
}

/// Links between bullets to put back, or to take away, since events made them otherwise.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LinkRepairs {
    /// Links as the events made them.
    pub put: Vec<Link>,
    /// Links that no event made.
    pub gone: Vec<LinkId>,
}
