//! Killed at random moments: every acknowledged write is there, and nothing is there twice.

use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

use super::program::{Place, counted_delta, delta_ids, shared_votes};

/// Processes that run at the same time in one round.
const PROCESSES: usize = 4;
/// Kills of the first round fall within so long, those of the next within more where fewer than half of the
/// processes answered, and within less otherwise: on any machine they fall before, into and after a commit.
const FIRST_KILL_WITHIN: Duration = Duration::from_millis(25);
const LONGER: f64 = 1.25;

#[test]
fn crash_loses_no_acknowledged_delta_and_applies_none_twice() {
    let rounds = std::env::var("HINDLORE_CRASH_ROUNDS").map_or(40, |n| n.parse().unwrap());
    let seed = fastrand::u64(..);
    let mut random = fastrand::Rng::with_seed(seed);
    let place = Place::new();
    let mut acknowledged: BTreeSet<String> = BTreeSet::new();
    let mut killed = 0;
    let mut kill_within = FIRST_KILL_WITHIN;
    for round in 0..rounds {
        let mut children = Vec::new();
        for process in 0..PROCESSES {
            let id = format!("d-{round}-{process}");
            children.push((
                id.clone(),
                place.start_delta(&id, &counted_delta(&unlike(round, process))),
            ));
        }
        thread::sleep(kill_within.mul_f64(random.f64()));
        let before = acknowledged.len();
        for (id, mut child) in children {
            let _ = child.kill();
            let output = child.wait_with_output().unwrap();
            let answer = serde_json::from_slice::<serde_json::Value>(&output.stdout);
            // An answer that reached the caller whole is an acknowledgement, even if the process died
            // right after it.
            if let Ok(answer) = answer {
                assert_eq!(answer["delta"], id.as_str(), "seed {seed}");
                acknowledged.insert(id);
            } else {
                killed += 1;
            }
        }
        kill_within = if (acknowledged.len() - before) * 2 < PROCESSES {
            kill_within.mul_f64(LONGER)
        } else {
            kill_within.div_f64(LONGER)
        };
        check(&place, &acknowledged, seed);
    }
    assert!(
        killed > 0,
        "no process was killed before its answer; seed {seed}"
    );
    assert!(
        !acknowledged.is_empty(),
        "no process answered before it was killed; seed {seed}"
    );
    resend_all(&place, rounds, seed);
}

/// All acknowledged deltas are there, each once, and the shared vote counts exactly those.
fn check(place: &Place, acknowledged: &BTreeSet<String>, seed: u64) {
    if acknowledged.is_empty() {
        return;
    }
    let ids = delta_ids(place);
    let unique: BTreeSet<String> = ids.iter().cloned().collect();
    assert_eq!(
        unique.len(),
        ids.len(),
        "a delta stands twice in the history; seed {seed}"
    );
    let lost: Vec<_> = acknowledged.difference(&unique).collect();
    assert!(
        lost.is_empty(),
        "acknowledged and lost: {lost:?}; seed {seed}"
    );
    let digest = place.json(&["digest"]);
    let count = ids.len() as u64;
    assert_eq!(
        (digest["revision"].as_u64(), digest["clock"].as_u64()),
        (Some(count), Some(count))
    );
    assert_eq!(
        shared_votes(place),
        count,
        "votes differ from deltas; seed {seed}"
    );
}

/// Senders without an answer send again: now every delta is there exactly once.
fn resend_all(place: &Place, rounds: usize, seed: u64) {
    for round in 0..rounds {
        for process in 0..PROCESSES {
            let id = format!("d-{round}-{process}");
            let output = place.apply(&id, &counted_delta(&unlike(round, process)));
            assert!(
                output.status.success(),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    let total = (rounds * PROCESSES) as u64;
    assert_eq!(delta_ids(place).len() as u64, total, "seed {seed}");
    assert_eq!(shared_votes(place), total, "seed {seed}");
    // `replay` fails when the history does not lead to the stored digests.
    place.json(&["replay"]);
}

/// A text that is similar to no other of this test.
fn unlike(round: usize, process: usize) -> String {
    let words = (0..8).map(|n| format!("w{round}x{process}x{n}"));
    words.collect::<Vec<_>>().join(" ")
}
