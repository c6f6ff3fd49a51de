//! Adaptation on a family of tasks whose rule changes half-way.

use std::sync::Mutex;

use async_trait::async_trait;
use hindlore::EngineError;
use hindlore_agents::agent::AgentOptions;
use hindlore_agents::agent::adapt::{Adaptation, Environment, Evaluation, Sample, adapt};
use hindlore_testkit::TestMemory;

use crate::scene::agent;

const TASKS: usize = 12;

/// The rate of a zone; from the third epoch on all rates are others.
struct Tariffs {
    asked: Mutex<usize>,
    changes_after: usize,
}

impl Tariffs {
    fn new(asked: usize) -> Self {
        Self {
            asked: Mutex::new(asked),
            changes_after: 2 * TASKS,
        }
    }
}

#[async_trait]
impl Environment for Tariffs {
    async fn evaluate(&self, sample: &Sample, answer: &str) -> Result<Evaluation, String> {
        let mut asked = self.asked.lock().unwrap();
        let number: usize = sample.id.parse().map_err(|_| "no number".to_owned())?;
        let truth = if *asked < self.changes_after {
            100 + number
        } else {
            500 + number
        };
        *asked += 1;
        Ok(Evaluation {
            correct: Some(answer == truth.to_string()),
            feedback: None,
            ground_truth: Some(truth.to_string()),
        })
    }
}

fn samples() -> Vec<Sample> {
    const ZONES: [&str; TASKS] = [
        "harbour", "meadow", "castle", "market", "bridge", "orchard", "quarry", "chapel", "lagoon",
        "summit", "tunnel", "plaza",
    ];
    let sample = |(number, zone): (usize, &&str)| Sample {
        id: number.to_string(),
        question: format!("Which tariff applies to the {zone} zone?"),
        context: String::new(),
        ground_truth: None,
    };
    ZONES.iter().enumerate().map(sample).collect()
}

struct Stopped;

impl From<EngineError> for Stopped {
    fn from(error: EngineError) -> Self {
        panic!("{error}");
    }
}

impl From<String> for Stopped {
    fn from(why: String) -> Self {
        panic!("{why}");
    }
}

fn fresh() -> Adaptation {
    Adaptation {
        id: "a".to_owned(),
        seed: 7,
        epochs: 4,
        ..Adaptation::default()
    }
}

/// Continues until this many states were kept, then as a process that died.
async fn run(
    memory: &TestMemory,
    options: &AgentOptions,
    adaptation: &mut Adaptation,
    most: usize,
) -> bool {
    let agent = agent(memory, None, options.clone());
    let environment = Tariffs::new(adaptation.outcomes.len());
    let mut kept = 0;
    let keep = |_: &Adaptation| {
        kept += 1;
        if kept >= most { Err(Stopped) } else { Ok(()) }
    };
    let done: Result<(), Stopped> =
        adapt(&agent, &environment, &samples(), (adaptation, keep)).await;
    done.is_ok()
}

fn accuracy(adaptation: &Adaptation) -> Vec<(usize, usize)> {
    adaptation
        .by_epoch()
        .iter()
        .map(|epoch| (epoch.judged, epoch.correct))
        .collect()
}

#[tokio::test]
async fn memory_learns_a_rule_and_its_change_and_the_control_does_not() {
    let memory = TestMemory::embedded().unwrap();
    let with = AgentOptions {
        judges: false,
        ..AgentOptions::default()
    };
    let mut adaptation = fresh();
    assert!(run(&memory, &with, &mut adaptation, usize::MAX).await);
    let found = accuracy(&adaptation);
    assert_eq!(found.len(), 4);
    assert_eq!(found[0], (TASKS, 0), "nothing is known at first");
    assert_eq!(found[1], (TASKS, TASKS), "what was told once is known");
    assert!(found[2].1 < TASKS, "the rule has changed");
    assert!(
        found[3].1 > found[2].1,
        "and the new one is learned: {found:?}"
    );
    let without = AgentOptions {
        judges: false,
        remembers: false,
        learns: false,
        ..AgentOptions::default()
    };
    let control = TestMemory::embedded().unwrap();
    let mut adaptation = fresh();
    assert!(run(&control, &without, &mut adaptation, usize::MAX).await);
    assert!(
        accuracy(&adaptation)
            .iter()
            .all(|(_, correct)| *correct == 0)
    );
}

#[tokio::test]
async fn an_adaptation_that_died_anywhere_comes_to_the_same_numbers() {
    let options = AgentOptions {
        judges: false,
        ..AgentOptions::default()
    };
    let whole = TestMemory::embedded().unwrap();
    let mut expected = fresh();
    run(&whole, &options, &mut expected, usize::MAX).await;
    for most in [1, 2, 3, 4, 5, 6, 7, 23, 100] {
        let memory = TestMemory::embedded().unwrap();
        let mut adaptation = fresh();
        let mut deaths = 0;
        loop {
            let mut alive: Adaptation =
                serde_json::from_str(&serde_json::to_string(&adaptation).unwrap()).unwrap();
            let is_done = run(&memory, &options, &mut alive, most).await;
            adaptation = alive;
            deaths += 1;
            if is_done || deaths > 2_000 {
                break;
            }
        }
        assert_eq!(
            accuracy(&adaptation),
            accuracy(&expected),
            "dying after {most} steps"
        );
        assert_eq!(adaptation.outcomes.len(), expected.outcomes.len());
    }
}
