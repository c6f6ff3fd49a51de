//! The executor is blind: for tools, for tasks and for the arm that it is in.

use std::fs;
use std::path::Path;

use hindlore_lab::chance::Chance;
use hindlore_lab::error::LabResult;
use hindlore_lab::executor::{self, Company, Hint, Kit, Limits, Step};
use hindlore_lab::protocol::{Arm, plan, run_arm};
use hindlore_lab::tool::{Level, Tool};

fn tool(name: &str) -> Tool {
    Tool::built_in()
        .unwrap()
        .into_iter()
        .find(|tool| tool.name == name)
        .unwrap()
}

/// Counts the errors of a run, and warns of every action with the same hints.
#[derive(Default)]
struct Counter {
    errors: usize,
    warnings: Vec<Hint>,
}

impl Company for Counter {
    fn before(&mut self, _intent: &str, _action: &str) -> LabResult<Vec<Hint>> {
        Ok(self.warnings.clone())
    }

    fn after(&mut self, step: &Step) -> LabResult<Vec<Hint>> {
        self.errors += usize::from(step.feedback.is_failure());
        Ok(Vec::new())
    }
}

/// Errors and success of a run with the hints given, before it or before each action.
fn outcome(tool: &Tool, seed: u64, hints: &[&str]) -> (usize, bool) {
    advised(tool, seed, (hints, &[]), 1.0)
}

fn advised(
    tool: &Tool,
    seed: u64,
    (hints, warnings): (&[&str], &[&str]),
    heeds: f64,
) -> (usize, bool) {
    let task = &tool.tasks[1];
    let mut world = tool.world(task, Level::SemiHelpful, seed);
    let read = |texts: &[&str]| -> Vec<Hint> {
        let hints = texts.iter().map(|text| Hint {
            id: (*text).to_owned(),
            text: (*text).to_owned(),
            about: None,
        });
        hints.collect()
    };
    let kit = Kit {
        habits: &tool.habits,
        docs: "",
        limits: Limits {
            steps: 400,
            tries: 80,
        },
        heeds,
    };
    let mut counter = Counter {
        warnings: read(warnings),
        ..Counter::default()
    };
    let chance = Chance::new(seed);
    executor::run(world.as_mut(), kit, read(hints), chance, &mut counter).unwrap();
    (counter.errors, world.verdict().passed)
}

#[test]
fn the_executor_names_no_tool_no_task_and_no_arm() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/executor");
    let mut names: Vec<String> = vec![
        "memory::".to_owned(),
        "Arm::".to_owned(),
        "advisor".to_owned(),
    ];
    for tool in Tool::built_in().unwrap() {
        names.extend(tool.tasks.iter().map(|task| task.name.clone()));
        names.push(tool.name);
    }
    let mut read = 0;
    let mut open = vec![folder];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(
                fs::read_dir(path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let product = text.split("#[cfg(test)]").next().unwrap();
        for name in &names {
            assert!(
                !product.contains(name.as_str()),
                "{} names `{name}`",
                path.display()
            );
        }
        read += 1;
    }
    assert!(read >= 3 && names.len() > 20);
}

#[test]
fn a_right_hint_saves_errors_and_a_wrong_one_does_not_stop_the_run() {
    let tool = tool("gridtool");
    let right: Vec<&str> = vec![
        "WRONG SET <1> = <2> → CORRECT DERIVE <1> = <2>",
        "WRONG LET <1> = <2> → CORRECT DERIVE <1> = <2>",
    ];
    let wrong: Vec<&str> = vec!["WRONG DERIVE <1> = <2> → CORRECT SET <1> = <2>"];
    let sums = |hints: &[&str]| {
        let runs: Vec<(usize, bool)> = (0..40).map(|seed| outcome(&tool, seed, hints)).collect();
        (
            runs.iter().map(|(errors, _)| errors).sum::<usize>(),
            runs.iter().filter(|(_, passed)| *passed).count(),
        )
    };
    let ((plain, _), (helped, _), (_, passed)) = (sums(&[]), sums(&right), sums(&wrong));
    assert!(helped < plain, "{helped} with right hints, {plain} without");
    assert!(passed >= 30, "{passed} of 40 runs pass with a wrong hint");
}

#[test]
fn a_warning_before_an_action_is_heeded_by_those_who_heed_hints() {
    let tool = tool("workbench");
    let warnings = [
        "WRONG git push → CORRECT git push -u origin feature/search",
        "WRONG npm test → CORRECT npm run test:unit",
        "WRONG npm install → CORRECT npm install --legacy-peer-deps",
        "WRONG git log --one-line … → CORRECT git log --oneline …",
    ];
    let errors = |warnings: &[&str], heeds: f64| -> usize {
        let runs = (0..40).map(|seed| advised(&tool, seed, (&[], warnings), heeds).0);
        runs.sum()
    };
    let [always, sometimes, never] = [1.0, 0.5, 0.0].map(|heeds| errors(&warnings, heeds));
    assert!(
        always < sometimes && sometimes < never,
        "{always}, {sometimes}, {never}"
    );
    assert_eq!(never, errors(&[], 1.0));
}

#[test]
fn a_run_is_made_again_from_its_seed() {
    let tool = tool("shop");
    assert_eq!(outcome(&tool, 5, &[]), outcome(&tool, 5, &[]));
}

#[test]
fn all_arms_meet_the_same_first_run() {
    let (first, second) = (tool("gridtool"), tool("fluxtool"));
    let planned = plan(&first, &second, 11);
    let first = |arm| run_arm(arm, &planned[..1], Level::Helpful, (11, 1.0)).unwrap();
    let steps = Arm::ALL.map(|arm| first(arm).runs[0].steps);
    // Within a run the two that remember it may differ from the one that does not, never from each other.
    assert_eq!(steps[1], steps[2]);
    assert_eq!(steps[1], steps[3]);
}
