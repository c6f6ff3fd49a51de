//! Counts the steps that reading and comparing take: tests compare growth without a clock, and a computation that costs
//! too much, or that no caller waits for any longer, ends.
//!
//! A step is a byte read or an item looked at. Each loop whose length a request decides adds its steps. The count and
//! the budget belong to the thread.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Weak;

/// Steps between two checks for a waiting caller.
const LOOK: u64 = 1 << 20;

/// The cost limit of a computation, and its callers.
#[derive(Debug)]
pub struct Budget {
    /// Steps at most.
    pub steps: u64,
    /// Alive as long as a caller waits.
    pub waiting: Weak<()>,
}

/// Why a computation ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhausted {
    /// It took more steps than its budget.
    Steps,
    /// No caller waits for it any longer.
    Abandoned,
}

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
    /// The count at which to look at the budget.
    static NEXT_LOOK: Cell<u64> = const { Cell::new(u64::MAX) };
    /// The budget, and the count at which it is spent.
    static BUDGET: RefCell<Option<(Budget, u64)>> = const { RefCell::new(None) };
}

/// Adds steps to the count.
///
/// Within a budget that is spent, or that no caller waits for, this unwinds to [`within`]. So call it where the
/// caller's data may be dropped at any point, and never in the middle of a change to shared state.
#[inline]
pub fn add(steps: usize) {
    let taken = TAKEN.get().wrapping_add(steps as u64);
    TAKEN.set(taken);
    if taken >= NEXT_LOOK.get() {
        look(taken);
    }
}

/// Returns how many this thread has counted.
pub fn taken() -> u64 {
    TAKEN.get()
}

/// Computes within a budget.
///
/// # Errors
/// When the budget is spent, or when no caller waits any longer. Data that `work` owned is dropped.
pub fn within<T>(budget: Budget, work: impl FnOnce() -> T) -> Result<T, Exhausted> {
    let start = taken();
    let end = start.saturating_add(budget.steps);
    BUDGET.replace(Some((budget, end)));
    NEXT_LOOK.set(start);
    let done = catch_unwind(AssertUnwindSafe(work));
    NEXT_LOOK.set(u64::MAX);
    BUDGET.take();
    done.map_err(|panic| match panic.downcast::<Exhausted>() {
        Ok(exhausted) => *exhausted,
        Err(panic) => resume_unwind(panic),
    })
}

#[cold]
fn look(taken: u64) {
    let found = BUDGET.with_borrow(|budget| {
        let (budget, end) = budget.as_ref()?;
        if taken > *end {
            return Some(Exhausted::Steps);
        }
        NEXT_LOOK.set(end.saturating_add(1).min(taken.saturating_add(LOOK)));
        (budget.waiting.strong_count() == 0).then_some(Exhausted::Abandoned)
    });
    if let Some(exhausted) = found {
        // A destructor that counts meanwhile must not unwind again.
        NEXT_LOOK.set(u64::MAX);
        resume_unwind(Box::new(exhausted));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn steps_in(count: usize, size: usize) -> impl FnOnce() -> usize {
        move || {
            (0..count).for_each(|_| add(size));
            count
        }
    }

    #[test]
    fn a_budget_ends_what_costs_more() {
        let waiting = Arc::new(());
        let budget = |steps| Budget {
            steps,
            waiting: Arc::downgrade(&waiting),
        };
        assert_eq!(within(budget(10), steps_in(10, 1)), Ok(10));
        assert_eq!(within(budget(10), steps_in(11, 1)), Err(Exhausted::Steps));
        assert_eq!(within(budget(u64::MAX), steps_in(3, 1 << 30)), Ok(3));
        // Without a budget nothing ends, even after one was spent.
        assert_eq!(steps_in(11, 1 << 30)(), 11);
    }

    #[test]
    fn it_ends_soon_after_the_last_who_waited_has_left() {
        let waiting = Arc::new(());
        let budget = Budget {
            steps: u64::MAX,
            waiting: Arc::downgrade(&waiting),
        };
        let before = taken();
        let mut waiting = Some(waiting);
        let ended = within(budget, || {
            loop {
                add(1_000);
                if taken() - before > 5 * LOOK {
                    drop(waiting.take());
                }
            }
        });
        let _: Result<(), _> = ended;
        assert_eq!(ended, Err(Exhausted::Abandoned));
        assert!(taken() - before < 7 * LOOK);
    }

    #[test]
    fn another_panic_goes_on() {
        let waiting = Arc::new(());
        let budget = Budget {
            steps: 1,
            waiting: Arc::downgrade(&waiting),
        };
        let other = catch_unwind(|| within(budget, || resume_unwind(Box::new(7))));
        let _: Result<Result<(), _>, _> = other;
        assert_eq!(*other.unwrap_err().downcast::<i32>().unwrap(), 7);
        steps_in(2, 1)();
    }
}
