//! The trace: lessons, messages, and queries in order, and the judgements of a person about them.

use serde::Deserialize;
use serde_json::Value;

use hindlore_api::delta_input::parse_delta;
use hindlore_api::problem::Problem;
use hindlore_domain::memory::delta::{Delta, DeltaId, Operation};
use hindlore_domain::memory::query::{TOP_K_DEFAULT, TOP_K_MAX};

/// Maximum steps of a trace.
const STEPS_MAX: usize = 100_000;

/// A trace.
#[derive(Debug)]
pub(super) struct Trace {
    /// Steps in order.
    pub(super) steps: Vec<Step>,
    /// Pairs of texts that are judged at the end.
    pub(super) pairs: Vec<Pair>,
}

/// Two texts of a trace, and the judgement of a person.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    pub(super) a: String,
    pub(super) b: String,
    pub(super) is: Agreement,
}

/// How two texts agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Agreement {
    /// Both give the same advice, so that one is enough.
    Same,
    /// They are about two things.
    Different,
    /// They contradict each other.
    Opposite,
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
        /// Texts that help with it.
        right: Vec<String>,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    Delta(Value),
    Message(Message),
    Retrieve(Retrieve),
    Pair(Pair),
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
    #[serde(default)]
    right: Vec<String>,
}

impl Trace {
    /// Number of queries.
    pub(super) fn queries(&self) -> usize {
        let ask = |step: &&Step| matches!(step, Step::Ask { .. });
        self.steps.iter().filter(ask).count()
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
    let (mut steps, mut pairs) = (Vec::new(), Vec::new());
    for (number, line) in lines {
        let wrong = |reason: String| invalid(format!("line {number} of the trace: {reason}"));
        match serde_json::from_str(line).map_err(|error| wrong(error.to_string()))? {
            Line::Pair(pair) => pairs.push(pair),
            line => steps.push(step(number, line).map_err(wrong)?),
        }
    }
    if steps.len() > STEPS_MAX {
        return Err(invalid(format!(
            "the trace has more than {STEPS_MAX} steps"
        )));
    }
    if steps.is_empty() {
        return Err(invalid("the trace has no step".to_owned()));
    }
    Ok(Trace { steps, pairs })
}

/// The step of a line; a judgement is none.
fn step(number: usize, line: Line) -> Result<Step, String> {
    match line {
        Line::Delta(value) => {
            let input = parse_delta(&value.to_string()).map_err(|problem| problem.message)?;
            let id = input.id.map_or_else(|| own_id(number), Ok)?;
            Ok(Step::Learn(lenient(id, input.operations)))
        }
        Line::Message(Message { role, content }) => Ok(Step::Say { role, content }),
        Line::Retrieve(Retrieve {
            query,
            top_k,
            right,
        }) => {
            let top_k = top_k.unwrap_or(TOP_K_DEFAULT);
            if !(1..=TOP_K_MAX).contains(&top_k) {
                return Err(format!("top_k must lie in 1..={TOP_K_MAX}"));
            }
            Ok(Step::Ask {
                query,
                top_k,
                right,
            })
        }
        Line::Pair(_) => Err("a pair is no step".to_owned()),
    }
}

/// A lenient delta, because the memories hold different bullets by now.
pub(super) fn lenient(id: DeltaId, operations: Vec<Operation>) -> Delta {
    Delta {
        lenient: true,
        ..Delta::new(id, operations)
    }
}

pub(super) fn own_id(number: usize) -> Result<DeltaId, String> {
    DeltaId::parse(&format!("step-{number}"))
}

pub(super) fn invalid(message: String) -> Problem {
    Problem::new("invalid_trace", message).with_hint(
        "one step a line: {\"delta\": {...}}, {\"message\": {\"role\": \"user\", \"content\": \"...\"}} \
         {\"retrieve\": {\"query\": \"...\", \"top_k\": 5}} or a judgement, as `compare --help` shows",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_steps_and_faults_name_their_line() {
        let text = r#"{"message": {"role": "user", "content": "hi"}}

            {"delta": {"operations": [{"op": "ADD", "content": "x"}]}}
            {"retrieve": {"query": "x", "right": ["x"]}}
            {"pair": {"a": "x", "b": "y", "is": "opposite"}}"#;
        let trace = read(text).unwrap();
        assert_eq!((trace.queries(), trace.pairs.len()), (1, 1));
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
}
