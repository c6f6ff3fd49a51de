//! Row 1: the graph tools over MCP, in turns with the reference memory server, which keeps a file of JSON lines.

use std::ops::Range;

use serde_json::{Value, json};

use super::mcp::Mcp;
use super::{Run, failed, median};
use crate::chance::Chance;
use crate::error::EvalError;
use crate::report::{Goal, Ratio, Report, Row};

/// The peer.
const SERVER: &str = "server-memory";
/// Entities of a call that brings many.
const BATCH: u64 = 500;
/// Up to this size the peer's figures are a goal; beyond it, the figures at the first size are.
const GOAL_SIZE: u64 = 10_000;
const GROWTH_MAX: f64 = 2.0;
/// Different words that names and observations draw from.
const WORDS: usize = 4_000;

/// A server and its times.
struct Side {
    mcp: Mcp,
    /// Seconds for all that came in batches.
    bulk: f64,
    adds: Vec<f64>,
    searches: Vec<f64>,
}

/// The figures of one server: seconds of an entity in a batch, of an add and of a search, and megabytes.
type Figures = [f64; 4];
const NAMES: [(&str, &str, f64); 4] = [
    ("an entity, 500 in a call", "s", 3.0),
    ("add of one entity", "s", 0.5),
    ("search", "s", 0.5),
    ("peak memory", "MB", 1.0),
];

/// Measures each size with servers of its own.
pub(super) fn rows(run: &Run<'_>, report: &mut Report) -> Result<(), EvalError> {
    let mut first: Option<(u64, Figures)> = None;
    for size in run.sizes(&[GOAL_SIZE], &[200]) {
        let (ours, theirs) = figures(run, size)?;
        for (at, (name, unit, goal)) in NAMES.into_iter().enumerate() {
            let row = Row::measured(format!("1 graph over MCP, {name}"), ours[at], unit);
            let row = row.of_size(size);
            report.push(match &theirs {
                Err(why) => row.beside_absent(SERVER, why),
                Ok(theirs) => {
                    let row = row.beside(SERVER, theirs[at], Ratio::OursToTheirs);
                    if size <= GOAL_SIZE {
                        row.with_goal(Goal::RatioAtMost(goal))
                    } else {
                        row
                    }
                }
            });
        }
        let Some((small, figures)) = first else {
            first = Some((size, ours));
            continue;
        };
        for at in [1, 2] {
            let name = format!("1 graph over MCP, {}, growth", NAMES[at].0);
            let row = Row::measured(name, ours[at], "s").of_size(size);
            let row = row.beside(format!("at {small}"), figures[at], Ratio::OursToTheirs);
            report.push(row.with_goal(Goal::RatioAtMost(GROWTH_MAX)));
        }
    }
    Ok(())
}

fn figures(run: &Run<'_>, size: u64) -> Result<(Figures, Result<Figures, String>), EvalError> {
    let limit = run.plan.peers.limit();
    let store = run.user.new_store(&format!("graph-{size}"))?;
    let mut command = run.user.command(&store, &["mcp", "--profile", "graph"]);
    let mut ours = Side::of(Mcp::start("hindlore", &mut command, limit).map_err(failed)?);
    let file = run.user.home.join(format!("graph-{size}.jsonl"));
    let command = run.plan.peers.command(SERVER, &[&file.to_string_lossy()]);
    let started = command.and_then(|mut command| Mcp::start(SERVER, &mut command, limit));
    let mut theirs = started.map(Side::of);
    let mut both = |name: &str, arguments: &Value, into: fn(&mut Side, f64)| {
        let seconds = ours.mcp.tool(name, arguments).map_err(failed)?;
        into(&mut ours, seconds);
        if let Ok(side) = &mut theirs {
            match side.mcp.tool(name, arguments) {
                Ok(seconds) => into(side, seconds),
                Err(why) => theirs = Err(why),
            }
        }
        Ok::<(), EvalError>(())
    };
    let mut made = Made::new(size);
    run.say(&format!("row 1: {size} entities in batches"));
    let mut at = 0;
    while at < size {
        let end = size.min(at + BATCH);
        both(
            "create_entities",
            &made.entities(at..end),
            |side, seconds| {
                side.bulk += seconds;
            },
        )?;
        at = end;
    }
    let calls = run.often(60, 5) as u64;
    run.say(&format!("row 1: {calls} additions and searches"));
    for number in size..size + calls {
        let one = made.entities(number..number + 1);
        both("create_entities", &one, |side, seconds| {
            side.adds.push(seconds);
        })?;
        both("search_nodes", &made.query(), |side, seconds| {
            side.searches.push(seconds);
        })?;
    }
    let ours = ours.figures(size).map_err(failed)?;
    Ok((ours, theirs.and_then(|side| side.figures(size))))
}

impl Side {
    fn of(mcp: Mcp) -> Self {
        Self {
            mcp,
            bulk: 0.0,
            adds: Vec::new(),
            searches: Vec::new(),
        }
    }

    fn figures(&self, size: u64) -> Result<Figures, String> {
        Ok([
            self.bulk / size as f64,
            median(&self.adds),
            median(&self.searches),
            self.mcp.peak()?,
        ])
    }
}

/// Entities of made-up words, each word as frequent as any other, so that a search finds a few dozen of 10,000.
struct Made {
    words: Vec<String>,
    chance: Chance,
}

impl Made {
    fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let word = |chance: &mut Chance| {
            let syllables = 2 + chance.below(3);
            let letter = |letters: &str, at: usize| letters.as_bytes()[at % letters.len()] as char;
            (0..syllables)
                .flat_map(|_| {
                    [
                        letter("bcdfghklmnprstvw", chance.below(16)),
                        letter("aeiou", chance.below(5)),
                    ]
                })
                .collect()
        };
        let words = (0..WORDS).map(|_| word(&mut chance)).collect();
        Self { words, chance }
    }

    fn some(&mut self, count: usize) -> String {
        let words: Vec<&str> = (0..count)
            .map(|_| self.words[self.chance.below(WORDS)].as_str())
            .collect();
        words.join(" ")
    }

    fn entities(&mut self, numbers: Range<u64>) -> Value {
        let entity = |number| {
            let name = format!("{} {number}", self.some(2));
            json!({"name": name, "entityType": self.some(1), "observations": [self.some(12)]})
        };
        let entities: Vec<Value> = numbers.map(entity).collect();
        json!({"entities": entities})
    }

    /// One word or two, in turns by chance.
    fn query(&mut self) -> Value {
        let count = 1 + self.chance.below(2);
        json!({"query": self.some(count)})
    }
}
