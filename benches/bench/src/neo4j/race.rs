//! The result when several clients insert the same items at once: exactly the items, with the sum of all votes, or not.

use tokio::task::JoinSet;

use super::Plan;
use super::scratch::{Scratch, delta, failed};
use super::texts;
use crate::{EvalError, Goal, Ratio, Report, Row};
use hindlore::Engine;
use hindlore_domain::memory::delta::{NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;

/// Numbers of the texts that are raced; no memory holds them.
const FIRST: u64 = 900_000;

/// The texts that clients insert.
pub(super) fn items(count: u64) -> std::ops::Range<u64> {
    FIRST..FIRST + count
}

/// Adds the rows of our own clients; gives how many bullets they left, one delta for each item.
pub(super) async fn ours(
    scratch: &Scratch,
    plan: &Plan,
    report: &mut Report,
) -> Result<u64, EvalError> {
    let mut left_one_by_one = 0;
    for (way, at_once) in [("one by one", 1), ("in bulk", plan.raced)] {
        let key = scratch.key(&format!("race-{at_once}"))?;
        let mut clients = JoinSet::new();
        for _ in 0..plan.clients {
            // Each is an instance with connections of its own.
            let engine = scratch.engine().await?;
            clients.spawn(insert(engine, key.clone(), (items(plan.raced), at_once)));
        }
        while let Some(done) = clients.join_next().await {
            done.map_err(failed)??;
        }
        let engine = scratch.engine().await?;
        let view = engine.view(&key).await.map_err(failed)?;
        let view = view.ok_or_else(|| failed("the raced memory is gone"))?;
        let left = view.bullets.len() as u64;
        let votes: u64 = view
            .bullets
            .iter()
            .map(|bullet| bullet.counts.helpful)
            .sum();
        let sent = plan.raced * plan.clients as u64;
        let clients = plan.clients;
        let exact = |name: String, found: u64, right: u64, unit| {
            let row = Row::measured(name, found as f64, unit).of_size(plan.raced);
            let row = row.beside("what was sent", right as f64, Ratio::OursToTheirs);
            (if found >= right {
                row.with_goal(Goal::RatioAtMost(1.0))
            } else {
                row.with_goal(Goal::RatioAtLeast(1.0))
            })
            .with_note(format!("{clients} instances insert the same items at once"))
        };
        report.push(exact(format!("race {way}"), left, plan.raced, "items"));
        report.push(exact(
            format!("race {way}, helpful votes"),
            votes,
            sent,
            "votes",
        ));
        if at_once == 1 {
            left_one_by_one = left;
        }
    }
    Ok(left_one_by_one)
}

/// One client: all items, `at_once` in each delta.
async fn insert(
    engine: Engine,
    key: MemoryKey,
    (numbers, at_once): (std::ops::Range<u64>, u64),
) -> Result<(), EvalError> {
    let numbers: Vec<u64> = numbers.collect();
    for some in numbers.chunks(usize::try_from(at_once.max(1)).unwrap_or(usize::MAX)) {
        let add = |number: &u64| {
            Operation::Add(Box::new(NewBullet {
                content: texts::text(*number),
                helpful: 1,
                ..NewBullet::default()
            }))
        };
        let delta = delta(some.iter().map(add).collect())?;
        engine.apply_delta(&key, delta).await.map_err(failed)?;
    }
    Ok(())
}
