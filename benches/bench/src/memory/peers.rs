//! Rows of alternatives: the same texts, the same questions, taken in turns.

use serde_json::{Value, json};

use crate::error::EvalError;
use crate::peer::Peer;
use crate::report::{Ratio, Report, Row};
use crate::samples::Samples;

use super::MemoryOptions;
use super::calls::{add, ask};
use super::fill::Filled;
use super::texts::Texts;

/// Peers in Python, with a description.
const PEERS: [(&str, &str); 4] = [
    (
        "rank-bm25",
        "lists in process, scored by numpy; an add builds the index anew",
    ),
    (
        "bm25s-retriever",
        "sparse matrix; an add builds the index anew",
    ),
    (
        "mem0-qdrant",
        "fake embeddings of 384 dimensions in a local qdrant, no model",
    ),
    (
        "langgraph-store",
        "in-memory store, fake embeddings of 384 dimensions",
    ),
];
const BLOCKS: usize = 3;
const TOP_K: usize = 10;

/// The rows of all peers at one size.
pub(super) async fn rows(
    filled: &Filled,
    options: &MemoryOptions,
    report: &mut Report,
) -> Result<(), EvalError> {
    for (name, what) in PEERS {
        let size = filled.texts.len() as u64;
        let mut peer = match options.peers.start(name, &[]) {
            Ok(peer) => peer,
            Err(why) => {
                absent(name, size, &why, report);
                continue;
            }
        };
        let begin = json!({"do": "ingest", "texts": filled.texts});
        if let Err(why) = peer.ask(&begin) {
            absent(name, size, &why, report);
            continue;
        }
        beside(filled, (name, what), &mut peer, report).await?;
    }
    #[cfg(feature = "peers")]
    super::tantivy::rows(filled, report).await?;
    #[cfg(not(feature = "peers"))]
    {
        let size = filled.texts.len() as u64;
        absent(
            "tantivy",
            size,
            "this build is without the feature `peers`",
            report,
        );
    }
    Ok(())
}

async fn beside(
    filled: &Filled,
    (name, what): (&str, &str),
    peer: &mut Peer,
    report: &mut Report,
) -> Result<(), EvalError> {
    let size = filled.texts.len() as u64;
    let mut source = Texts::new(97);
    let (mut asked, mut answered) = (Vec::new(), Samples::default());
    let (mut adds, mut added) = (Vec::new(), Samples::default());
    let mut failure = None;
    for block in 0..BLOCKS {
        let questions: Vec<&str> = (0..10).map(|at| filled.question(block * 10 + at)).collect();
        for question in &questions {
            asked.push(ask(filled, question).await?);
        }
        let texts = source.many(6);
        for text in &texts {
            let id = format!("{name}-{block}-{}", adds.len());
            adds.push(add(filled, text, &id).await?);
        }
        let theirs = peer
            .ask(&json!({"do": "query", "queries": questions, "top_k": TOP_K}))
            .and_then(|answer| seconds(&answer));
        let theirs_added = peer
            .ask(&json!({"do": "add", "texts": texts}))
            .and_then(|answer| seconds(&answer));
        match (theirs, theirs_added) {
            (Ok(query), Ok(add)) => {
                answered = answered.and(query);
                added = added.and(add);
            }
            (Err(why), _) | (_, Err(why)) => {
                failure = Some(why);
                break;
            }
        }
    }
    if let Some(why) = failure {
        absent(name, size, &why, report);
        return Ok(());
    }
    for (verb, ours, theirs) in [
        ("query", Samples::new(asked), answered),
        ("add", Samples::new(adds), added),
    ] {
        report.push(
            Row::measured(format!("{verb} beside {name}"), ours.p50(), "s")
                .of_size(size)
                .beside(name, theirs.p50(), Ratio::TheirsToOurs)
                .with_note(what),
        );
    }
    Ok(())
}

fn absent(name: &str, size: u64, why: &str, report: &mut Report) {
    for verb in ["query", "add"] {
        let row = Row::missing(format!("{verb} beside {name}"), "s", why).of_size(size);
        report.push(row.beside_absent(name, why));
    }
}

/// The times that a peer took for each of its inputs.
pub(super) fn seconds(answer: &Value) -> Result<Samples, String> {
    let all = answer.get("seconds").and_then(Value::as_array);
    let all: Option<Vec<f64>> = all.and_then(|all| all.iter().map(Value::as_f64).collect());
    all.filter(|all| !all.is_empty())
        .map(Samples::new)
        .ok_or_else(|| "the answer has no `seconds`".to_owned())
}
