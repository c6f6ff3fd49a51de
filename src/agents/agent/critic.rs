//! The critic: extracts the final answer from the solver's text.

use crate::model::extract::values;

/// Words before an answer, in lower case.
const LEADS: [&str; 4] = ["final answer:", "answer:", "the answer is", "result:"];

/// The answer in a text: after the last `Answer:`, or a field of a JSON object, or the whole text.
pub fn answer_in(text: &str) -> String {
    let trimmed = text.trim();
    if trimmed.starts_with(['{', '`'])
        && let Some(value) = values(trimmed).into_iter().next()
        && let Some(answer) = ["final_answer", "answer", "result"]
            .iter()
            .find_map(|key| value.get(key))
    {
        return answer
            .as_str()
            .map_or_else(|| answer.to_string(), |text| text.trim().to_owned());
    }
    let lines: Vec<&str> = trimmed.lines().collect();
    for (place, line) in lines.iter().enumerate().rev() {
        let bare = line.trim().trim_start_matches(['*', '#', ' ', '>']);
        // Bytes of ASCII leads are the same in either case.
        let lead = LEADS.iter().find(|lead| {
            bare.get(..lead.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(lead))
        });
        if let Some(lead) = lead {
            let rest = bare[lead.len()..].trim().trim_matches('*').trim();
            let below = lines[place + 1..].join("\n");
            let answer = if rest.is_empty() { below.trim() } else { rest };
            if !answer.is_empty() {
                return unquoted(answer);
            }
        }
    }
    unquoted(trimmed)
}

/// The ids on the line that begins with `Used:`.
pub fn used_in(text: &str) -> Vec<String> {
    let line = text.lines().rev().find_map(|line| {
        let line = line.trim().trim_start_matches('*');
        line.get(..5)
            .filter(|head| head.eq_ignore_ascii_case("used:"))
            .map(|_| &line[5..])
    });
    let words = line
        .unwrap_or_default()
        .split(|c: char| c.is_whitespace() || ",;[]()*".contains(c));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// An answer as it is compared: without case, marks around it, and a trailing stop.
pub fn normal(answer: &str) -> String {
    let folded = answer.to_lowercase();
    let words: Vec<&str> = folded.split_whitespace().collect();
    words
        .join(" ")
        .trim_matches(['.', '"', '\'', '`', '*', ' '])
        .to_owned()
}

fn unquoted(text: &str) -> String {
    let bare = text
        .strip_prefix('`')
        .and_then(|rest| rest.strip_suffix('`'));
    bare.filter(|bare| !bare.contains('`'))
        .unwrap_or(text)
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_found_in_what_models_write() {
        for (text, answer) in [
            ("12 * 5 is 60.\nAnswer: 60", "60"),
            ("**Final answer:** 60", "60"),
            ("answer:\n\n`60`", "60"),
            ("{\"reasoning\": \"r\", \"final_answer\": \"60\"}", "60"),
            ("```json\n{\"answer\": 60}\n```", "60"),
            ("Answer: 1\nNo, wait.\nAnswer: 2", "2"),
            ("60", "60"),
            ("Übung: ä\nAnswer: ja", "ja"),
        ] {
            assert_eq!(answer_in(text), answer, "{text}");
        }
        assert_eq!(
            used_in("x\nUsed: [b_12], b_34\nAnswer: 1"),
            ["b_12", "b_34"]
        );
        assert_eq!(normal(" \"Sixty Five.\" "), "sixty five");
    }
}
