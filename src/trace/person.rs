//! What a person stopped: harnesses write it where a result would stand, and it is no failure of the tool.
//!
//! The wordings are those of the harnesses, matched at the beginning of the answer only: a tool that prints a
//! file which holds one of them was not stopped.

use crate::step::Outcome;

/// Beginnings of answers to calls that the person, or a rule of the person's, did not allow.
const REFUSED: &[&str] = &[
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action",
    "The user does not want to proceed with this tool use",
    "The tool use was rejected",
    "User rejected",
    "User denied",
    "The user rejected",
    "The user denied",
    "Permission to use ",
    "Claude requested permissions to",
    "This command requires approval",
    "This Bash command contains multiple operations",
    "The agent proposed a plan that was rejected by the user",
    "exec command rejected by user",
    "patch rejected by user",
    "rejected by user",
    "Tool call rejected by user",
    "Action rejected by user",
    "Action has been rejected by the user",
];

/// Beginnings of answers to calls that were stopped before their end.
const INTERRUPTED: &[&str] = &[
    "[Request interrupted by user",
    "Request interrupted by user",
    "Interrupted by user",
    "Command was aborted by user",
    "Command was aborted before completion",
    "aborted by user",
    "aborted",
    "User interrupted",
    "Sibling tool call errored",
    "Cancelled: parallel tool call",
    "The user cancelled",
    "Tool execution was cancelled",
];

/// How a call ended that was stopped from outside; absent when it was not.
pub(crate) fn stopped(answer: &str) -> Option<Outcome> {
    let answer = answer.trim_start();
    let answer = answer.strip_prefix("Error: ").unwrap_or(answer);
    let begins = |beginning: &&str| {
        let head = answer.as_bytes().get(..beginning.len());
        let is_equal = head.is_some_and(|head| head.eq_ignore_ascii_case(beginning.as_bytes()));
        // `aborted` is a whole word of theirs and the beginning of other tools' sentences.
        is_equal && (answer.len() == beginning.len() || beginning.contains(' '))
    };
    if REFUSED.iter().any(&begins) {
        return Some(Outcome::Refused);
    }
    INTERRUPTED
        .iter()
        .any(begins)
        .then_some(Outcome::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_words_of_a_harness_at_the_beginning_count() {
        for (answer, outcome) in [
            (
                "The user doesn't want to proceed with this tool use. The tool use was rejected.",
                Some(Outcome::Refused),
            ),
            ("exec command rejected by user", Some(Outcome::Refused)),
            ("aborted by user after 3.1s", Some(Outcome::Interrupted)),
            ("aborted", Some(Outcome::Interrupted)),
            (
                "[Request interrupted by user for tool use]",
                Some(Outcome::Interrupted),
            ),
            ("aborted: the disk is full", None),
            ("push rejected by user hook", None),
            ("12: The user doesn't want to proceed", None),
            ("", None),
        ] {
            assert_eq!(stopped(answer), outcome, "{answer}");
        }
    }
}
