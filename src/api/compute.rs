//! Runs a verb on a thread of its own: a read within a budget of steps, a change to its end.

use std::sync::Weak;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::problem::Problem;
use super::verb::Effect;
use hindlore_primitives::steps::{Budget, Exhausted, within};

/// The hint of an answer that came too late for its caller.
pub fn late_hint(effect: Effect) -> &'static str {
    match effect {
        Effect::Reads => "ask for less: a shorter text, a smaller page, a later start",
        _ => "the work continues; send the same request again to get the result",
    }
}

/// Starts `work` on a blocking thread of `runtime`.
///
/// A read ends when it has taken more than `steps`, and soon after its caller drops the target of `waiting`. A change
/// is never cut off: the limits of its request bound its cost.
pub fn compute<T: Send + 'static>(
    runtime: &Handle,
    (effect, steps): (Effect, u64),
    waiting: Weak<()>,
    work: impl Future<Output = Result<T, Problem>> + Send + 'static,
) -> JoinHandle<Result<T, Problem>> {
    let budget = (effect == Effect::Reads).then_some(Budget { steps, waiting });
    let handle = runtime.clone();
    runtime.spawn_blocking(move || match budget {
        None => handle.block_on(work),
        Some(budget) => within(budget, || handle.block_on(work)).unwrap_or_else(|exhausted| {
            Err(match exhausted {
                Exhausted::Steps => Problem::new(
                    "too_much_work",
                    format!("the answer takes more than {steps} steps of work"),
                )
                .with_hint("ask for less: a shorter text, a smaller page, a later start"),
                Exhausted::Abandoned => {
                    Problem::new("cancelled", "the caller left before there was an answer")
                }
            })
        }),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use hindlore_primitives::steps::add;

    async fn thousand_steps(effect: Effect) -> Result<u32, Problem> {
        let work = async {
            for _ in 0..1_000 {
                add(1);
                tokio::task::yield_now().await;
            }
            Ok(1_000)
        };
        let waiting = Arc::new(());
        let limits = (effect, 500);
        let running = compute(&Handle::current(), limits, Arc::downgrade(&waiting), work);
        running.await.unwrap()
    }

    #[tokio::test]
    async fn only_a_read_ends_when_its_budget_is_spent() {
        let refused = thousand_steps(Effect::Reads).await.unwrap_err();
        assert_eq!(refused.code, "too_much_work");
        assert_eq!(thousand_steps(Effect::Writes).await.unwrap(), 1_000);
    }

    #[tokio::test]
    async fn a_read_ends_when_its_caller_has_left() {
        let waiting = Arc::new(());
        let work = async {
            loop {
                add(1_000);
            }
        };
        let limits = (Effect::Reads, u64::MAX);
        let running = compute::<()>(&Handle::current(), limits, Arc::downgrade(&waiting), work);
        drop(waiting);
        assert_eq!(running.await.unwrap().unwrap_err().code, "cancelled");
    }
}
