//! Reader of LoCoMo: long dialogues with questions and the turns that answer them.
//!
//! Form: `locomo.jsonl.gz`, one dialogue a line. Turns of a session follow each other; sessions lie weeks apart and do
//! not. Category 5 asks for things that were never mentioned, so it counts as unanswerable. Evidence ids are split at
//! `;`, `,` and blanks, and ids of no turn are ignored, as some are malformed.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::collection::{Collection, DataSet, Question};
use crate::data;
use crate::error::EvalError;

const FILE: &str = "locomo";
const UNANSWERABLE: u64 = 5;

#[derive(Deserialize)]
struct Dialogue {
    #[serde(default)]
    sample_id: String,
    conversation: Map<String, Value>,
    #[serde(default)]
    qa: Vec<Asked>,
}

#[derive(Deserialize)]
struct Asked {
    question: String,
    #[serde(default)]
    evidence: Vec<String>,
    #[serde(default)]
    category: u64,
}

#[derive(Deserialize)]
struct Turn {
    speaker: String,
    dia_id: String,
    text: String,
    #[serde(default)]
    blip_caption: Option<String>,
}

/// Returns true if a folder holds this set.
pub(super) fn is_in(folder: &Path) -> bool {
    data::has(folder, FILE)
}

/// Reads the set.
pub(super) fn read(folder: &Path) -> Result<DataSet, EvalError> {
    let mut set = DataSet {
        name: "locomo",
        collections: Vec::new(),
        left_out: 0,
    };
    for dialogue in data::rows::<Dialogue>(folder, FILE)? {
        let name = dialogue.sample_id.clone();
        let (mut collection, places) = turns(&dialogue.conversation, name)?;
        for asked in dialogue.qa {
            if asked.category == UNANSWERABLE {
                collection.unanswerable.push(asked.question);
                continue;
            }
            let evidence = evidence(&asked.evidence, &places);
            if evidence.is_empty() {
                set.left_out += 1;
                continue;
            }
            let text = asked.question;
            collection.questions.push(Question { text, evidence });
        }
        set.collections.push(collection);
    }
    Ok(set)
}

/// The turns of all sessions in order, and the place of each turn.
fn turns(
    conversation: &Map<String, Value>,
    name: String,
) -> Result<(Collection, HashMap<String, usize>), EvalError> {
    let number = |key: &String| key.strip_prefix("session_")?.parse::<u32>().ok();
    let mut sessions: Vec<(u32, &Value)> = conversation
        .iter()
        .filter_map(|(key, turns)| Some((number(key)?, turns)))
        .collect();
    sessions.sort_by_key(|(number, _)| *number);
    let mut collection = Collection {
        name,
        ..Collection::default()
    };
    let mut places = HashMap::new();
    for (number, session) in sessions {
        let turns = Vec::<Turn>::deserialize(session).map_err(|error| {
            let message = format!("{}, session {number}: {error}", collection.name);
            EvalError::new(message, "a turn has `speaker`, `dia_id` and `text`")
        })?;
        let date = conversation.get(&format!("session_{number}_date_time"));
        let date = date.and_then(Value::as_str).unwrap_or_default();
        let mut follows = false;
        for turn in turns {
            let mut text = format!("{}: {}", turn.speaker, turn.text);
            if let Some(caption) = turn.blip_caption.filter(|caption| !caption.is_empty()) {
                text.push_str(&format!(" [image: {caption}]"));
            }
            places.insert(turn.dia_id, collection.texts.len());
            if collection.push(&text, follows) {
                collection.date_last(date);
            }
            follows = true;
        }
    }
    Ok((collection, places))
}

fn evidence(named: &[String], places: &HashMap<String, usize>) -> BTreeSet<usize> {
    let ids = named
        .iter()
        .flat_map(|named| named.split(|c: char| c.is_whitespace() || matches!(c, ';' | ',')));
    ids.filter_map(|id| places.get(id).copied()).collect()
}
