//! Rankings of other search libraries, over the same texts and questions.
//!
//! `bm25s` ranks in a process of its own, with the English stemmer and stop words and two settings of its constants;
//! tantivy ranks in this process with its English tokenizer, where it is built in. A library that is missing is a
//! reason in place of a ranking.

use serde_json::{Value, json};

use crate::peer::{Peer, Peers};

use super::Method;
use super::collection::{Collection, DataSet};
use super::measures::{KEPT, Measures, Rankings};

const PEER: &str = "bm25s-retriever";
/// Names of the settings, with k1 and b.
const SETTINGS: [(&str, [&str; 2]); 2] = [
    ("bm25s", ["1.2", "0.75"]),
    ("bm25s, k1 0.8, b 0.4", ["0.8", "0.4"]),
];
/// What a library answers, or why it does not.
pub(super) type Answer = (&'static str, Result<Method, String>);

/// The measures of every library on a set.
pub(super) fn ask(set: &DataSet, peers: &Peers) -> Vec<Answer> {
    let mut answers: Vec<Answer> = SETTINGS
        .iter()
        .map(|(name, constants)| {
            let method = peers.start(PEER, constants).and_then(|mut peer| {
                measured(name, set, |collection| ranked(&mut peer, collection))
            });
            (*name, method)
        })
        .collect();
    answers.push(("tantivy", tantivy(set)));
    answers
}

#[cfg(feature = "peers")]
fn tantivy(set: &DataSet) -> Result<Method, String> {
    measured("tantivy", set, |collection| {
        super::tantivy::rankings(collection).map_err(|why| why.to_string())
    })
}

#[cfg(not(feature = "peers"))]
fn tantivy(_: &DataSet) -> Result<Method, String> {
    Err("this build is without the feature `peers`".to_owned())
}

fn measured(
    name: &'static str,
    set: &DataSet,
    mut rank: impl FnMut(&Collection) -> Result<Rankings, String>,
) -> Result<Method, String> {
    let mut measures = Vec::new();
    for collection in &set.collections {
        let rankings = rank(collection)?;
        let asked = collection.questions.iter().zip(rankings);
        measures.extend(asked.map(|(question, of)| Measures::of(&of, &question.evidence)));
    }
    Ok(Method { name, measures })
}

/// Asks a peer for the rankings of one collection.
fn ranked(peer: &mut Peer, collection: &Collection) -> Result<Rankings, String> {
    peer.ask(&json!({"do": "ingest", "texts": collection.texts}))?;
    let questions = collection.questions.iter();
    let texts: Vec<&str> = questions.map(|question| question.text.as_str()).collect();
    let answer = peer.ask(&json!({"do": "rank", "queries": texts, "top_k": KEPT}))?;
    let places = |of: &Value| -> Option<Vec<Vec<usize>>> {
        let places = of.as_array()?.iter();
        places
            .map(|place| Some(vec![usize::try_from(place.as_u64()?).ok()?]))
            .collect()
    };
    let rankings = answer.get("rankings").and_then(Value::as_array);
    let rankings: Option<Rankings> = rankings.and_then(|all| all.iter().map(places).collect());
    rankings
        .filter(|all| all.len() == texts.len())
        .ok_or_else(|| format!("the answer of `{PEER}` is not one ranking for each question"))
}
