//! Decides which of the ranked entries are shown, and whether they go into a prompt.
//!
//! The selection for a token budget depends on the answer, and the record must name exactly the shown bullets. So the
//! caller's choice is made between ranking and writing.

use std::fmt;
use std::sync::Arc;

use super::related::Beside;
use hindlore_domain::memory::bullet::Bullet;

/// A returned bullet with its related bullets.
pub type Shown<'b> = (&'b Bullet, &'b Beside);

/// Chooses the shown bullets of a ranked list. Two choices are equal if they are the same function.
pub struct Fit<T: ?Sized>(Arc<T>);

/// Chooses bullets: the arguments are the id of the retrieval, if it is recorded, and the bullets, best first; the
/// result holds the places of those that are shown, in their order.
pub type ChooseBullets = dyn Fn(Option<&str>, &[Shown<'_>]) -> Vec<usize> + Send + Sync;

/// A choice of bullets.
pub type FitBullets = Fit<ChooseBullets>;

impl<T: ?Sized> Fit<T> {
    /// Wraps a function.
    pub fn new(choose: Arc<T>) -> Self {
        Self(choose)
    }

    /// The function.
    pub(crate) fn choose(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> Clone for Fit<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> PartialEq for Fit<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: ?Sized> fmt::Debug for Fit<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fit")
    }
}

/// Whether the returned bullets go into a prompt; counted apart from being returned.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Injection {
    /// None of them.
    #[default]
    Nothing,
    /// All of them.
    All,
}

/// Keeps the elements at these places, which ascend.
pub(crate) fn keep_places<T>(list: &mut Vec<T>, places: &[usize]) {
    let mut at = 0;
    list.retain(|_| {
        at += 1;
        places.binary_search(&(at - 1)).is_ok()
    });
}
