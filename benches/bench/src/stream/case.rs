//! Cases: a value in a sentence, and its label; and the view of a case from the place of the value.

use std::path::Path;

use serde::Deserialize;

use crate::data;
use crate::error::EvalError;

/// Tokens on each side of the value that count as near.
const NEAR: usize = 4;
const FORM: &str = "each line is {\"cases\": [{\"entity\", \"tag\"}...], \"sentences\": [...]}, as in FiNER \
                    (github.com/ace-agent/ace)";

/// A value in its sentence, with the label that it has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The value of the question, as in the sentence.
    pub value: String,
    /// The sentence, its tokens apart by blanks.
    pub sentence: String,
    /// The answer; empty where it is asked for.
    pub label: String,
}

/// The tokens around a value, nearest last on the left and first on the right.
pub(super) struct Near<'c> {
    pub(super) left: Vec<&'c str>,
    pub(super) right: Vec<&'c str>,
}

#[derive(Debug, Deserialize)]
struct Line {
    cases: Vec<Asked>,
    sentences: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Asked {
    entity: String,
    tag: String,
}

/// A data set by name: sets of cases that are asked together.
pub type Named = (String, Vec<Vec<Case>>);

/// Reads every file of the known form in a folder or in the folders in it, or a single file.
pub fn read_sets(folder: &Path) -> Result<Vec<Named>, EvalError> {
    let mut named = Vec::new();
    for file in data::files(folder)? {
        let is_known = data::first_of_file(&file)?
            .is_some_and(|first| first.contains_key("cases") && first.contains_key("sentences"));
        if is_known {
            named.push((name_of(&file), read(&file)?));
        }
    }
    if named.iter().any(|(_, sets)| !sets.is_empty()) {
        Ok(named)
    } else {
        let message = format!("`{}` holds no cases", folder.display());
        Err(EvalError::new(message, FORM))
    }
}

/// The name of the folder, which is more informative than that of the file.
fn name_of(file: &Path) -> String {
    let folder = file.parent().and_then(Path::file_name);
    let name = folder.or(file.file_stem()).unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn read(file: &Path) -> Result<Vec<Vec<Case>>, EvalError> {
    let mut sets = Vec::new();
    for (number, line) in (1..).zip(data::of_file::<Line>(file)?) {
        if line.cases.len() != line.sentences.len() {
            let (cases, sentences) = (line.cases.len(), line.sentences.len());
            let message = format!(
                "`{}` line {number} has {cases} cases and {sentences} sentences",
                file.display()
            );
            return Err(EvalError::new(message, FORM));
        }
        let pairs = line.cases.into_iter().zip(line.sentences);
        let cases = pairs.map(|(asked, sentence)| Case {
            value: asked.entity,
            sentence,
            label: asked.tag,
        });
        sets.push(cases.collect());
    }
    Ok(sets)
}

impl Case {
    /// The case as a question.
    pub(super) fn without_label(&self) -> Self {
        Self {
            label: String::new(),
            ..self.clone()
        }
    }

    /// The text around the value where it first occurs; around the beginning where it does not.
    pub(super) fn near(&self) -> Near<'_> {
        let tokens: Vec<&str> = self.sentence.split_whitespace().collect();
        let value: Vec<&str> = self.value.split_whitespace().collect();
        let whole = (0..tokens.len()).find(|at| tokens[*at..].starts_with(&value));
        let within = || (0..tokens.len()).find(|at| tokens[*at].contains(self.value.trim()));
        let at = whole.or_else(within).unwrap_or(0);
        let after = (at + value.len()).min(tokens.len());
        let end = (after + NEAR).min(tokens.len());
        Near {
            left: tokens[at.saturating_sub(NEAR)..at].to_vec(),
            right: tokens[after..end].to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_is_what_stands_on_both_sides_of_the_first_occurrence() {
        let case = |value: &str, sentence: &str| Case {
            value: value.into(),
            sentence: sentence.into(),
            label: String::new(),
        };
        let one = case(
            "25",
            "Rates of 2.5 and 25 % were paid in all of 2018 , 25 times",
        );
        let near = one.near();
        assert_eq!(near.left, ["Rates", "of", "2.5", "and"]);
        assert_eq!(near.right, ["%", "were", "paid", "in"]);
        let glued = case("7", "a 7-year lease");
        assert_eq!(
            (glued.near().left, glued.near().right),
            (vec!["a"], vec!["lease"])
        );
        assert!(case("9", "").near().right.is_empty());
    }
}
