//! The built-in trace: rules of six projects, pairs of advice, and tasks, each with the judgement of a person.
//!
//! They are data of this project's tests, taken whole: rules and tasks measure retrieval, the pairs measure merging. All of
//! them were written before any result on them was seen, so that no choice here favours one of the memories.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::trace::{Agreement, Pair, Step, Trace, invalid, lenient, own_id};
use hindlore_api::problem::Problem;
use hindlore_domain::memory::delta::{NewBullet, Operation};

const RULES: &str = include_str!("../../../../../tests/data/rule_files.jsonl");
const TASKS: &str = include_str!("../../../../../tests/data/rule_tasks.jsonl");
const PAIRS: &str = include_str!("../../../../../tests/data/merge_pairs_fifth.jsonl");
/// The kinds of pairs whose texts contradict each other.
const OPPOSITE_KINDS: [&str; 2] = ["opposite", "negation"];
/// Texts of one delta.
const TEXTS_EACH: usize = 50;
/// Bullets that each memory may keep: enough for all texts, so that the limits of the originals decide nothing.
pub(super) const MAX_BULLETS: u64 = 1_000;
/// Rules wanted for a task.
const TOP_K: usize = 5;

/// Where the trace comes from.
pub(super) const ORIGIN: &str = "pairs of advice, of which some repeat and some contradict each other, among them the rules of six \
    projects, then tasks with the rules that help; test data of this project, written before any result on \
    it was seen, the pairs by a language model";

#[derive(Deserialize)]
struct Rule {
    text: String,
}

#[derive(Deserialize)]
struct Task {
    task: String,
    right: Vec<String>,
}

#[derive(Deserialize)]
struct Labelled {
    a: String,
    b: String,
    same: bool,
    kind: String,
}

/// Returns the trace: the first text of each pair, all rules, the second texts, the tasks.
pub(super) fn trace() -> Result<Trace, Problem> {
    let rules: Vec<Rule> = read(RULES)?;
    let pairs: Vec<Labelled> = read(PAIRS)?;
    let tasks: Vec<Task> = read(TASKS)?;
    // The rules come in the middle, since some memories rank the newest texts first and others forget the oldest.
    let texts: Vec<&str> = pairs
        .iter()
        .map(|pair| pair.a.as_str())
        .chain(rules.iter().map(|rule| rule.text.as_str()))
        .chain(pairs.iter().map(|pair| pair.b.as_str()))
        .collect();
    let mut steps = Vec::new();
    for (number, chunk) in (1..).zip(texts.chunks(TEXTS_EACH)) {
        let operations = chunk.iter().map(|text| {
            let new = NewBullet {
                content: (*text).to_owned(),
                ..NewBullet::default()
            };
            Operation::Add(Box::new(new))
        });
        let id = own_id(number).map_err(invalid)?;
        steps.push(Step::Learn(lenient(id, operations.collect())));
    }
    steps.extend(tasks.into_iter().map(|task| Step::Ask {
        query: task.task,
        top_k: TOP_K,
        right: task.right,
    }));
    let pairs = pairs.into_iter().map(Labelled::judged).collect();
    Ok(Trace { steps, pairs })
}

impl Labelled {
    fn judged(self) -> Pair {
        let is = if self.same {
            Agreement::Same
        } else if OPPOSITE_KINDS.contains(&self.kind.as_str()) {
            Agreement::Opposite
        } else {
            Agreement::Different
        };
        Pair {
            a: self.a,
            b: self.b,
            is,
        }
    }
}

fn read<T: DeserializeOwned>(text: &str) -> Result<Vec<T>, Problem> {
    let lines = text.lines().map(serde_json::from_str);
    lines
        .collect::<Result<_, _>>()
        .map_err(|error| invalid(format!("the built-in trace: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trace_is_the_whole_of_the_data() {
        let trace = trace().unwrap();
        assert_eq!(trace.queries(), TASKS.lines().count());
        assert_eq!(trace.pairs.len(), PAIRS.lines().count());
        let learned = trace.steps.iter().map(|step| match step {
            Step::Learn(delta) => delta.operations.len(),
            _ => 0,
        });
        let texts = RULES.lines().count() + 2 * PAIRS.lines().count();
        assert_eq!(learned.sum::<usize>(), texts);
        assert!(texts as u64 <= MAX_BULLETS);
        for is in [Agreement::Same, Agreement::Different, Agreement::Opposite] {
            assert!(trace.pairs.iter().any(|pair| pair.is == is), "{is:?}");
        }
    }
}
