//! Trajectories under many hands and under kills: steps have no gap, a resent one counts once, and none that was
//! acknowledged is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::program::Place;

const PROCESSES: usize = 8;
const STEPS: usize = 4;
const ROUNDS: usize = 12;
/// Kills fall within so long at first; longer where few processes answered, shorter otherwise.
const FIRST_KILL_WITHIN: Duration = Duration::from_millis(25);
const LONGER: f64 = 1.25;

fn spawn(place: &Place, words: &[&str]) -> Child {
    let mut command = place.command(words);
    command.arg("--json");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn log<'a>(id: &'a str, text: &'a str) -> [&'a str; 6] {
    ["trajectory", "log", "t", text, "--id", id]
}

/// The steps of the trajectory: number and words.
fn steps(place: &Place) -> Vec<(u64, String)> {
    let shown = place.json(&["trajectory", "show", "t"]);
    let rows = shown["step_rows"].as_array().unwrap().iter();
    let row = |row: &Value| {
        let text = row["description"].as_str().unwrap().to_owned();
        (row["number"].as_u64().unwrap(), text)
    };
    rows.map(row).collect()
}

/// Every step exists once, and the numbers go from 1 without a gap.
fn check_numbers(steps: &[(u64, String)]) {
    let numbers: Vec<u64> = steps.iter().map(|step| step.0).collect();
    assert_eq!(numbers, (1..=steps.len() as u64).collect::<Vec<_>>());
    let texts: BTreeSet<&String> = steps.iter().map(|step| &step.1).collect();
    assert_eq!(texts.len(), steps.len(), "a step stands twice");
}

#[test]
fn eight_processes_log_one_trajectory_and_complete_ten_others() {
    let place = Place::new();
    place.json(&["trajectory", "start", "the shared task", "--id", "t"]);
    let others: Vec<String> = (0..10).map(|n| format!("o{n}")).collect();
    for id in &others {
        place.json(&[
            "trajectory",
            "start",
            "another task",
            "--id",
            id,
            "--agent",
            "a",
        ]);
    }
    let place = &place;
    let answered: Vec<Value> = thread::scope(|scope| {
        let work = |process: usize| {
            // Two processes report each step, as a resent one would be.
            let own = process / 2;
            let logged: Vec<Value> = (0..STEPS)
                .map(|n| place.json(&log(&format!("s{own}-{n}"), &format!("step {own} {n}"))))
                .collect();
            for id in &others {
                place.json(&["trajectory", "complete", id, "--status", "failure"]);
            }
            logged
        };
        let running: Vec<_> = (0..PROCESSES)
            .map(|process| scope.spawn(move || work(process)))
            .collect();
        let done = running.into_iter().flat_map(|one| one.join().unwrap());
        done.collect()
    });
    let found = steps(place);
    check_numbers(&found);
    assert_eq!(found.len(), PROCESSES / 2 * STEPS);
    let fresh = answered.iter().filter(|one| one["repeated"] == false);
    assert_eq!(fresh.count(), found.len());
    let listed = place.json(&["trajectory", "list", "--agent", "a", "--status", "failure"]);
    assert_eq!(
        listed["trajectories"].as_array().unwrap().len(),
        others.len()
    );
}

#[test]
fn a_kill_loses_no_acknowledged_step_and_leaves_no_gap() {
    let seed = fastrand::u64(..);
    let mut random = fastrand::Rng::with_seed(seed);
    let place = Place::new();
    place.json(&["trajectory", "start", "the shared task", "--id", "t"]);
    let mut acknowledged: BTreeMap<String, u64> = BTreeMap::new();
    let (mut killed, mut kill_within) = (0, FIRST_KILL_WITHIN);
    for round in 0..ROUNDS {
        let texts: Vec<String> = (0..PROCESSES)
            .map(|n| format!("step {round} {n}"))
            .collect();
        let children: Vec<Child> = texts
            .iter()
            .map(|text| spawn(&place, &log(&text.replace(' ', "-"), text)))
            .collect();
        thread::sleep(kill_within.mul_f64(random.f64()));
        let before = acknowledged.len();
        for (text, mut child) in texts.iter().zip(children) {
            let _ = child.kill();
            let output = child.wait_with_output().unwrap();
            match serde_json::from_slice::<Value>(&output.stdout) {
                Ok(answer) => {
                    let number = answer["number"].as_u64().unwrap();
                    acknowledged.insert(text.clone(), number);
                }
                Err(_) => killed += 1,
            }
        }
        let few = (acknowledged.len() - before) * 2 < PROCESSES;
        kill_within = if few {
            kill_within.mul_f64(LONGER)
        } else {
            kill_within.div_f64(LONGER)
        };
        let found = steps(&place);
        check_numbers(&found);
        let there: BTreeMap<&String, u64> =
            found.iter().map(|(number, text)| (text, *number)).collect();
        for (text, number) in &acknowledged {
            assert_eq!(there.get(text), Some(number), "{text}; seed {seed}");
        }
    }
    assert!(
        killed > 0,
        "no process was killed before its answer; seed {seed}"
    );
    // Senders without an answer send again: now every step is there exactly once.
    for round in 0..ROUNDS {
        for process in 0..PROCESSES {
            let text = format!("step {round} {process}");
            place.json(&log(&text.replace(' ', "-"), &text));
        }
    }
    let found = steps(&place);
    check_numbers(&found);
    assert_eq!(found.len(), ROUNDS * PROCESSES, "seed {seed}");
}
