//! Rule files with tasks: the files of a coding agent's repository, and its tasks there.
//!
//! Files, tasks and prefaces were written for this project before any ranking of them was seen. Each file is one
//! memory; each task names the rules that help. The tasks are asked alone and after prefaces, as agents ask.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::collection::{Collection, DataSet, Question};
use crate::data;
use crate::error::EvalError;

const RULES: &str = include_str!("../../../../tests/data/rule_files.jsonl");
const TASKS: &str = include_str!("../../../../tests/data/rule_tasks.jsonl");
const PREFACES: &str = include_str!("../../../../tests/data/rule_prefaces.jsonl");
/// The set without a preface, and those with each preface in the order of its file.
const NAMES: [&str; 4] = [
    "rules",
    "rules behind 25 words",
    "rules behind 70 words",
    "rules behind 150 words",
];

#[derive(Deserialize)]
struct Rule {
    file: String,
    section: String,
    text: String,
}

#[derive(Deserialize)]
struct Task {
    file: String,
    task: String,
    right: Vec<String>,
}

#[derive(Deserialize)]
struct Preface {
    text: String,
}

/// Reads the set alone, and after each preface.
pub(super) fn read() -> Result<Vec<DataSet>, EvalError> {
    let mut files: Vec<Collection> = Vec::new();
    for rule in data::of_text::<Rule>(RULES, "rule_files.jsonl")? {
        if files.last().is_none_or(|file| file.name != rule.file) {
            files.push(Collection {
                name: rule.file,
                ..Collection::default()
            });
        }
        if let Some(file) = files.last_mut() {
            file.push(&rule.text, false);
            file.sections.pop();
            file.sections.push(rule.section);
        }
    }
    for task in data::of_text::<Task>(TASKS, "rule_tasks.jsonl")? {
        for file in files.iter_mut().filter(|file| file.name == task.file) {
            let texts = file.texts.iter().enumerate();
            let right = texts.filter(|(_, text)| task.right.contains(text));
            let evidence: BTreeSet<usize> = right.map(|(place, _)| place).collect();
            let text = task.task.clone();
            file.questions.push(Question { text, evidence });
        }
    }
    let prefaces = data::of_text::<Preface>(PREFACES, "rule_prefaces.jsonl")?;
    let prefaces = prefaces.iter().map(|preface| format!("{} ", preface.text));
    let prefaces = [String::new()].into_iter().chain(prefaces);
    Ok(NAMES
        .into_iter()
        .zip(prefaces)
        .map(|(name, preface)| behind(name, &preface, &files))
        .collect())
}

fn behind(name: &'static str, preface: &str, files: &[Collection]) -> DataSet {
    let mut collections = files.to_vec();
    let questions = collections.iter_mut().flat_map(|file| &mut file.questions);
    questions.for_each(|question| question.text.insert_str(0, preface));
    DataSet {
        name,
        collections,
        left_out: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_names_rules_of_its_file() {
        let sets = read().unwrap();
        assert_eq!(sets.len(), NAMES.len());
        let questions = || sets[0].collections.iter().flat_map(|file| &file.questions);
        assert!(questions().count() >= 60);
        assert!(questions().all(|question| !question.evidence.is_empty()));
        for (set, words) in sets.iter().zip([0, 25, 70, 150]) {
            let question = &set.collections[0].questions[0].text;
            assert!(question.split_whitespace().count() > words, "{}", set.name);
        }
    }
}
