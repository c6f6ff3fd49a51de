//! Reader of the memory part of BFCL v4: statements of users to an assistant, and questions about them.
//!
//! Form: `conversations.jsonl.gz` and `questions.jsonl.gz`. All messages of a scenario become one memory.
//! They are the user's half of the talks, so that none follows right after another. A question quotes its
//! source in part, with `...` for omitted text; the texts that hold the quoted parts answer it.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use super::collection::{Collection, DataSet, Question};
use crate::data;
use crate::error::EvalError;

const CONVERSATIONS: &str = "conversations";
const QUESTIONS: &str = "questions";

#[derive(Deserialize)]
struct Conversation {
    scenario: String,
    question: Vec<Vec<Message>>,
}

#[derive(Deserialize)]
struct Asked {
    scenario: String,
    question: Vec<Vec<Message>>,
    #[serde(default)]
    source: String,
}

#[derive(Deserialize)]
struct Message {
    content: String,
}

/// Returns true if a folder holds this set.
pub(super) fn is_in(folder: &Path) -> bool {
    data::has(folder, CONVERSATIONS) && data::has(folder, QUESTIONS)
}

/// Reads the set.
pub(super) fn read(folder: &Path) -> Result<DataSet, EvalError> {
    let mut set = DataSet {
        name: "bfcl",
        collections: Vec::new(),
        left_out: 0,
    };
    for talk in data::rows::<Conversation>(folder, CONVERSATIONS)? {
        let collection = scenario(&mut set.collections, &talk.scenario);
        for message in talk.question.into_iter().flatten() {
            collection.push(&message.content, false);
        }
    }
    let forms: Vec<Vec<Forms>> = set
        .collections
        .iter()
        .map(|one| one.texts.iter().map(|text| Forms::of(text)).collect())
        .collect();
    for asked in data::rows::<Asked>(folder, QUESTIONS)? {
        let at = set
            .collections
            .iter()
            .position(|one| one.name == asked.scenario);
        let words = asked.question.into_iter().flatten().next();
        let (Some(at), Some(message)) = (at, words) else {
            set.left_out += 1;
            continue;
        };
        let evidence = evidence(&forms[at], &asked.source);
        if evidence.is_empty() {
            set.left_out += 1;
            continue;
        }
        let text = message.content;
        set.collections[at]
            .questions
            .push(Question { text, evidence });
    }
    Ok(set)
}

fn scenario<'a>(all: &'a mut Vec<Collection>, name: &str) -> &'a mut Collection {
    let at = all.iter().position(|one| one.name == name);
    let at = at.unwrap_or_else(|| {
        all.push(Collection {
            name: name.to_owned(),
            ..Collection::default()
        });
        all.len() - 1
    });
    &mut all[at]
}

/// A text as it is compared with quotations: white space, case and the shape of quotes do not count.
struct Forms {
    folded: String,
    without_quotes: String,
}

impl Forms {
    fn of(text: &str) -> Self {
        let straight = |c: char| match c {
            '’' | '‘' => '\'',
            '“' | '”' => '"',
            c => c,
        };
        let text: String = text.chars().map(straight).collect();
        let words: Vec<&str> = text.split_whitespace().collect();
        let folded = words.join(" ").to_lowercase();
        Self {
            without_quotes: folded.replace(['\'', '"'], ""),
            folded,
        }
    }
}

/// The texts that hold all quoted parts, else those that hold any, else those that hold any when quotes
/// are dropped.
fn evidence(texts: &[Forms], source: &str) -> BTreeSet<usize> {
    let parts: Vec<Forms> = source
        .split("...")
        .map(|part| Forms::of(part.trim_matches([' ', '.'])))
        .filter(|part| !part.folded.is_empty())
        .collect();
    let all_where = |holds: &dyn Fn(&Forms) -> bool| -> BTreeSet<usize> {
        let places = (0..).zip(texts).filter(|(_, text)| holds(text));
        places.map(|(place, _)| place).collect()
    };
    let has = |text: &Forms, part: &Forms| text.folded.contains(&part.folded);
    let loosely = |text: &Forms, part: &Forms| text.without_quotes.contains(&part.without_quotes);
    if parts.is_empty() {
        return BTreeSet::new();
    }
    let mut found = all_where(&|text| parts.iter().all(|part| has(text, part)));
    if found.is_empty() {
        found = all_where(&|text| parts.iter().any(|part| has(text, part)));
    }
    if found.is_empty() {
        found = all_where(&|text| parts.iter().any(|part| loosely(text, part)));
    }
    found
}
