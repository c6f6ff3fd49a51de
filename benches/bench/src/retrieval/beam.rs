//! Reader of BEAM: long talks of a person with an assistant, and questions about them.
//!
//! Form: `chats/SIZE/NUMBER/chat.json` and `probing_questions/probing_questions.json` next to it, as in the repository.
//! Messages of a batch follow each other. The evidence of a question is a list of message ids, alone or in an object by
//! subject; questions without any have no answer in the chat.
//!
//! The first chats of 500K are for choosing constants, the others only for reporting.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::collection::{Collection, DataSet, Question};
use crate::error::EvalError;
use hindlore_domain::memory::bullet::Source;

/// Up to this chat of 500K, constants were chosen.
const CHOOSING: u32 = 17;
/// A longer message is cut: no memory takes it whole.
const MESSAGE_CHARS_MAX: usize = 16_000;

#[derive(Deserialize)]
struct Batch {
    turns: Vec<Vec<Message>>,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    id: u64,
    content: String,
    /// Day of the message, such as `March-15-2024`; the messages after it are of that day.
    #[serde(default)]
    time_anchor: Option<String>,
}

#[derive(Deserialize)]
struct Asked {
    question: String,
    #[serde(default)]
    source_chat_ids: Value,
}

/// Reads the sets under the folder of the repository.
pub(super) fn read(folder: &Path) -> Result<Vec<DataSet>, EvalError> {
    let chats = |size: &str, name, wanted: &dyn Fn(u32) -> bool| -> Result<DataSet, EvalError> {
        let mut set = DataSet {
            name,
            collections: Vec::new(),
            left_out: 0,
        };
        for (number, chat) in numbered(&folder.join("chats").join(size))? {
            if wanted(number) {
                let (collection, left_out) = read_chat(&chat, format!("{size}/{number}"))?;
                set.collections.push(collection);
                set.left_out += left_out;
            }
        }
        Ok(set)
    };
    let mut sets = vec![
        chats("100K", "beam-100K", &|_| true)?,
        chats("500K", "beam-500K-choosing", &|chat| chat <= CHOOSING)?,
        chats("500K", "beam-500K", &|chat| chat > CHOOSING)?,
    ];
    sets.retain(|set| set.questions() > 0);
    Ok(sets)
}

/// The numbered folders in a folder, ascending; none if there is no such folder.
fn numbered(folder: &Path) -> Result<BTreeMap<u32, std::path::PathBuf>, EvalError> {
    if !folder.is_dir() {
        return Ok(BTreeMap::new());
    }
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let number = |path: &Path| path.file_name()?.to_str()?.parse().ok();
    Ok(paths
        .filter_map(|path| Some((number(&path)?, path)))
        .filter(|(_, path)| path.join("chat.json").is_file())
        .collect())
}

fn read_chat(folder: &Path, name: String) -> Result<(Collection, usize), EvalError> {
    let batches: Vec<Batch> = json(&folder.join("chat.json"))?;
    let mut collection = Collection {
        name,
        ..Collection::default()
    };
    let mut places = HashMap::new();
    for batch in batches {
        let mut follows = false;
        let mut day = String::new();
        for message in batch.turns.into_iter().flatten() {
            let source = match message.role.as_str() {
                "user" => Source::Person,
                _ => Source::Agent,
            };
            let text: String = message.content.chars().take(MESSAGE_CHARS_MAX).collect();
            let place = collection.texts.len();
            if collection.push_of(source, &text, follows) {
                if let Some(anchor) = message.time_anchor {
                    day = anchor.replace('-', " ");
                }
                collection.date_last(&day);
                places.insert(message.id, place);
                follows = true;
            }
        }
    }
    let questions = folder.join("probing_questions/probing_questions.json");
    let kinds: BTreeMap<String, Vec<Asked>> = json(&questions)?;
    let mut left_out = 0;
    for asked in kinds.into_values().flatten() {
        let mut evidence = BTreeSet::new();
        collect_ids(&asked.source_chat_ids, &mut |id| {
            evidence.extend(places.get(&id))
        });
        let text = asked.question;
        if evidence.is_empty() {
            left_out += 1;
        } else {
            collection.questions.push(Question { text, evidence });
        }
    }
    Ok((collection, left_out))
}

/// Visits the numbers in lists and objects, however deep.
fn collect_ids(value: &Value, visit: &mut impl FnMut(u64)) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect_ids(value, visit)),
        Value::Object(values) => values.values().for_each(|value| collect_ids(value, visit)),
        value => value.as_u64().into_iter().for_each(visit),
    }
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, EvalError> {
    let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    serde_json::from_str(&text).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> EvalError {
    let message = format!("`{}` cannot be read: {error}", path.display());
    EvalError::new(
        message,
        "--beam names a copy of github.com/mohammadtavakoli78/BEAM",
    )
}
