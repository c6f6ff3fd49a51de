//! The trace: lessons, messages, and queries in order, from a file or built in.

use serde::Deserialize;
use serde_json::Value;

use crate::demo::{LESSONS, PLAYBOOK};
use hindlore_api::delta_input::parse_delta;
use hindlore_api::import::{Format, parse};
use hindlore_api::problem::Problem;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::{TOP_K_DEFAULT, TOP_K_MAX};

/// Maximum steps of a trace.
const STEPS_MAX: usize = 100_000;
/// Bullets per delta of the built-in trace.
const LESSONS_EACH: usize = 6;
/// Queries of the built-in trace, with their `top_k`.
const QUERIES: [&str; 5] = [
    "the API answers 429, how do I retry?",
    "edit a file without breaking what others changed",
    "a write timed out, what now?",
    "a command hangs and waits for input",
    "before I give the final answer",
];
const QUERY_TOP_K: usize = 5;

/// A trace.
#[derive(Debug)]
pub(super) struct Trace {
    /// Steps in order.
    pub(super) steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A delta to learn.
    Learn(Delta),
    /// A message.
    Say {
        /// Role of the speaker.
        role: String,
        /// Text.
        content: String,
    },
    /// A query.
    Ask {
        /// Text.
        query: String,
        /// Number of results wanted.
        top_k: usize,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    Delta(Value),
    Message(Message),
    Retrieve(Retrieve),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    role: String,
    content: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Retrieve {
    query: String,
    #[serde(default)]
    top_k: Option<usize>,
}

impl Trace {
    /// The queries, in order.
    pub(super) fn queries(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|step| match step {
            Step::Ask { query, .. } => Some(query.as_str()),
            _ => None,
        })
    }

    /// Number of deltas.
    pub(super) fn deltas(&self) -> usize {
        let learn = |step: &&Step| matches!(step, Step::Learn(_));
        self.steps.iter().filter(learn).count()
    }

    /// Number of messages.
    pub(super) fn messages(&self) -> usize {
        let say = |step: &&Step| matches!(step, Step::Say { .. });
        self.steps.iter().filter(say).count()
    }
}

/// Parses a trace from JSON Lines; skips blank lines.
pub(super) fn read(text: &str) -> Result<Trace, Problem> {
    let lines = (1_usize..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let steps: Vec<Step> = lines
        .map(|(number, line)| step(number, line))
        .collect::<Result<_, _>>()?;
    if steps.len() > STEPS_MAX {
        return Err(invalid(format!(
            "the trace has more than {STEPS_MAX} steps"
        )));
    }
    if steps.is_empty() {
        return Err(invalid("the trace has no step".to_owned()));
    }
    Ok(Trace { steps })
}

fn step(number: usize, line: &str) -> Result<Step, Problem> {
    let wrong = |reason: String| invalid(format!("line {number} of the trace: {reason}"));
    let line: Line = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
    match line {
        Line::Delta(value) => {
            let input =
                parse_delta(&value.to_string()).map_err(|problem| wrong(problem.message))?;
            let id = input.id.map_or_else(|| own_id(number), Ok)?;
            Ok(Step::Learn(lenient(id, input.operations)))
        }
        Line::Message(Message { role, content }) => Ok(Step::Say { role, content }),
        Line::Retrieve(Retrieve { query, top_k }) => {
            let top_k = top_k.unwrap_or(TOP_K_DEFAULT);
            if (1..=TOP_K_MAX).contains(&top_k) {
                Ok(Step::Ask { query, top_k })
            } else {
                Err(wrong(format!("top_k must lie in 1..={TOP_K_MAX}")))
            }
        }
    }
}

/// A lenient delta, because the four memories hold different bullets by now.
fn lenient(id: DeltaId, operations: Vec<Operation>) -> Delta {
    Delta {
        lenient: true,
        ..Delta::new(id, operations)
    }
}

fn own_id(number: usize) -> Result<DeltaId, Problem> {
    DeltaId::parse(&format!("step-{number}")).map_err(invalid)
}

fn invalid(message: String) -> Problem {
    Problem::new("invalid_trace", message).with_hint(
        "one step a line: {\"delta\": {...}}, {\"message\": {\"role\": \"user\", \"content\": \"...\"}} \
         or {\"retrieve\": {\"query\": \"...\", \"top_k\": 5}}",
    )
}

/// The demonstration's playbook as lessons of several runs: some repeated, some nearly repeated, some with
/// another number, one inverted; with queries in between.
pub(super) fn built_in() -> Result<Trace, Problem> {
    let key = MemoryKey::new("default", "compare", "default")?;
    let bytes = PLAYBOOK.as_bytes();
    let file = parse(Format::AcePlaybook, bytes, &key, &own_id(0)?)?;
    let lessons: Vec<NewBullet> = file
        .records
        .into_iter()
        .filter_map(|record| match record.operation {
            Operation::Add(new) => Some(*new),
            _ => None,
        })
        .collect();
    let mut runs: Vec<Vec<NewBullet>> = lessons.chunks(LESSONS_EACH).map(<[_]>::to_vec).collect();
    runs.push(lessons.iter().step_by(5).cloned().collect());
    runs.push(lessons.iter().step_by(4).map(nearly).collect());
    runs.push(lessons.iter().filter_map(other_number).collect());
    runs.push(LESSONS.iter().map(|lesson| bullet(lesson.text)).collect());
    let mut steps = Vec::new();
    for (number, run) in runs.into_iter().enumerate() {
        let query = QUERIES[number % QUERIES.len()];
        let said = |role: &str, content: String| Step::Say {
            role: role.to_owned(),
            content,
        };
        steps.push(said("user", format!("Task {}: {query}", number + 1)));
        let count = run.len();
        let operations = run.into_iter().map(|new| Operation::Add(Box::new(new)));
        steps.push(Step::Learn(lenient(
            own_id(number + 1)?,
            operations.collect(),
        )));
        steps.push(said("assistant", format!("Done; {count} lessons learned.")));
        steps.push(ask(query));
    }
    steps.extend(QUERIES.map(ask));
    Ok(Trace { steps })
}

fn ask(query: &str) -> Step {
    Step::Ask {
        query: query.to_owned(),
        top_k: QUERY_TOP_K,
    }
}

fn bullet(text: &str) -> NewBullet {
    NewBullet {
        content: text.to_owned(),
        helpful: 1,
        ..NewBullet::default()
    }
}

/// The lesson in another agent's words.
fn nearly(lesson: &NewBullet) -> NewBullet {
    bullet(&format!("Remember: {}", lesson.content))
}

/// The lesson with another number, if it has one.
fn other_number(lesson: &NewBullet) -> Option<NewBullet> {
    let others = [("five", "three"), ("two", "four"), ("429", "503")];
    let (old, new) = others
        .iter()
        .find(|(old, _)| lesson.content.split(' ').any(|word| word == *old))?;
    Some(bullet(&lesson.content.replace(old, new)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_steps_and_faults_name_their_line() {
        let text = r#"{"message": {"role": "user", "content": "hi"}}

            {"delta": {"operations": [{"op": "ADD", "content": "x"}]}}
            {"retrieve": {"query": "x"}}"#;
        let trace = read(text).unwrap();
        assert_eq!(
            (trace.steps.len(), trace.deltas(), trace.messages()),
            (3, 1, 1)
        );
        assert!(matches!(&trace.steps[1], Step::Learn(delta) if delta.id.as_str() == "step-3"));
        for (bad, words) in [
            ("{}", "line 1"),
            ("\n{\"fly\": 1}", "line 2"),
            ("{\"retrieve\": {\"query\": \"x\", \"top_k\": 0}}", "top_k"),
            ("{\"delta\": {\"operation\": []}}", "operations"),
            ("", "no step"),
        ] {
            let problem = read(bad).unwrap_err();
            assert!(problem.to_string().contains(words), "{bad}: {problem}");
        }
    }

    #[test]
    fn the_built_in_trace_repeats_itself() {
        let trace = built_in().unwrap();
        assert!(trace.deltas() >= 8 && trace.queries().count() > trace.deltas());
    }
}
