//! Guesses a format from the text.
//!
//! Only marks unique to one format count. Without one the sender has to tell: a wrong guess would import
//! something other than what the file says.

use super::{CLASSIC_LESSONS, Format, split_bullet};
use crate::api::json::{Member, members, strip_bom};
use crate::api::problem::Problem;

/// Fields of the original programs' save file that a kayba playbook lacks.
const CLASSIC_MARKS: [&str; 2] = ["access_clock", "last_updated"];

/// Guesses the format of a text.
///
/// # Errors
///
/// `unknown_format` if nothing identifies it.
pub(crate) fn guess(text: &str) -> Result<Format, Problem> {
    let text = strip_bom(text).trim_start();
    let first = fields_of(text.lines().next().unwrap_or_default());
    if has_field(&first, "mnemograph_export") {
        return Ok(Format::Mnemograph);
    }
    let all = fields_of(text);
    if has_field(&all, "strategies") {
        return Ok(Format::SessionPlaybook);
    }
    if has_field(&all, "bullets") {
        let is_classic = CLASSIC_MARKS.iter().any(|mark| has_field(&all, mark));
        return Ok(if is_classic || is_list(&all, "bullets") {
            Format::Classic
        } else {
            Format::Kayba
        });
    }
    if text.lines().any(|line| split_bullet(line).is_some()) {
        return Ok(Format::AcePlaybook);
    }
    let known = Format::ALL.map(Format::word).join(", ");
    let hint = if has_field(&first, "rule_text") || has_field(&first, "lesson") {
        format!("lessons of the original program ({CLASSIC_LESSONS}) go to <verb:lessons.import>")
    } else {
        format!("name it by <field:format>: {known}")
    };
    Err(Problem::new("unknown_format", "nothing tells what format the text has").with_hint(hint))
}

/// The fields of an object; none of any other text.
fn fields_of(text: &str) -> Vec<Member<'_>> {
    if !text.starts_with('{') {
        return Vec::new();
    }
    members(text, 1).unwrap_or_default()
}

fn has_field(fields: &[Member<'_>], name: &str) -> bool {
    fields
        .iter()
        .any(|field| field.name.as_deref() == Some(name))
}

fn is_list(fields: &[Member<'_>], name: &str) -> bool {
    let is_so = |field: &&Member<'_>| field.name.as_deref() == Some(name);
    fields
        .iter()
        .filter(is_so)
        .any(|field| field.text.trim_start().starts_with('['))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_told_by_its_own_marks_alone() {
        for (text, format) in [
            (
                "{\"mnemograph_export\": 1}\n{\"bullet\": {}}",
                Format::Mnemograph,
            ),
            ("\u{feff}{\"strategies\": {}}", Format::SessionPlaybook),
            ("{\"bullets\": [{\"content\": \"x\"}]}", Format::Classic),
            ("{\"bullets\": {}, \"access_clock\": 3}", Format::Classic),
            (" {\"bullets\": {}, \"next_id\": 3}", Format::Kayba),
            ("## A\n[a-00001] x", Format::AcePlaybook),
        ] {
            assert_eq!(guess(text), Ok(format), "{text}");
        }
        for (text, words) in [
            ("plain words", "ace-playbook"),
            ("{\"content\": \"x\"}", "<field:format>"),
            ("[1]", "<field:format>"),
            ("", "<field:format>"),
            ("{\"rule_text\": \"x\"}", "<verb:lessons.import>"),
        ] {
            let problem = guess(text).unwrap_err();
            assert_eq!(problem.code, "unknown_format");
            let hint = problem.hint.unwrap();
            assert!(hint.contains(words), "{text}: {hint}");
        }
    }
}
