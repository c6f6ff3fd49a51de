//! The form of a memory in its store, apart from its contents: relationships, names and keys that could contradict the
//! bullets and events themselves.

use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::link::{Link, LinkId};

/// A fault in the form of a memory that contradicts its contents. Only a manual edit or a defect makes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeFault {
    /// The fault, with the id of its object, and the remedy if no repair fixes it.
    pub message: String,
    /// The repair.
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

/// The repair of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeRemedy {
    /// [`super::MaintenanceStore::repair`].
    Repair,
    /// Only a new start of the history from the stored state: something is lost.
    Rebase,
    /// The message.
    Hand,
}

/// The elements to restore as the events made them.
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
