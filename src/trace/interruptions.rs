//! Calls that did not run to their end: a person stopped them, or they still run. Harnesses note it in place of a
//! result, and it is no failure of the tool.
//!
//! The wordings are those of the harnesses, matched at the beginning of the answer only: a tool that prints a
//! file which holds one of them was not stopped.

use crate::step::Outcome;

/// The beginning of a refusal by this program's own hook: a runtime reports it as a failed call, and nothing is learned
/// from that.
pub const REFUSAL: &str = "hindlore refused this call once:";

/// Beginnings of answers to calls that the person, or a rule of the person's, did not allow.
const REFUSED: &[&str] = &[
    REFUSAL,
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
    "User declined",
    "The user declined",
    "User refused",
    "The user refused",
    "User did not approve",
    "The user did not approve",
    "User chose not to ",
    "The user chose not to ",
    "User skipped",
    "The user skipped",
    "Denied by user",
    "Denied by the user",
    "Declined by user",
    "Declined by the user",
    "Rejected by the user",
    "Command rejected by",
    "Command was rejected by",
    "Command not approved",
    "Permission denied by user",
    "Permission denied by the user",
    "Tool call denied",
    "Tool use denied",
    "Tool execution denied",
    "Tool execution was denied",
    // Rules of the person's: hooks, approval and sandbox policies.
    "PreToolUse:",
    "PermissionRequest:",
    "Hook PreToolUse",
    "Blocked by PreToolUse",
    "Blocked by hook",
    "Blocked by a hook",
    "Blocked by the hook",
    "Blocked by policy",
    "Blocked by a policy",
    "Denied by PreToolUse",
    "Denied by hook",
    "Denied by a hook",
    "Denied by policy",
    "Denied by a policy",
    "Tool call blocked by",
    "Tool use blocked by",
    "Command blocked by",
    "Command denied by",
    "Execution stopped by PreToolUse",
    "Execution stopped by hook",
    "Execution denied by",
    "exec denied",
    "exec command denied",
    "sandbox denied",
    "sandbox: network access denied",
    "sandbox: access denied",
    "sandbox: denied",
    "sandbox: blocked",
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
    "The user canceled",
    "User cancelled",
    "User canceled",
    "User aborted",
    "Cancelled by user",
    "Cancelled by the user",
    "Canceled by user",
    "Canceled by the user",
    "Operation cancelled by user",
    "Operation canceled by user",
    "Operation was cancelled by",
    "Tool execution was cancelled",
];

/// Beginnings of answers to calls that only began: their end is not in the answer.
const GOES_ON: &[&str] = &[
    "Command running in background",
    "Command is running in the background",
    "Command is still running",
    "Process is still running",
    "Background process started",
    "Started in background",
    "Async agent launched",
];

/// How a call ended that was not run to its end; absent when it was.
pub(crate) fn stopped(answer: &str) -> Option<Outcome> {
    let answer = answer.trim_start();
    let answer = answer.strip_prefix("Error: ").unwrap_or(answer);
    let begins = |beginning: &&str| {
        let head = answer.as_bytes().get(..beginning.len());
        let is_equal = head.is_some_and(|head| head.eq_ignore_ascii_case(beginning.as_bytes()));
        // `aborted` is a whole word of theirs and the beginning of other tools' sentences.
        is_equal && (answer.len() == beginning.len() || beginning.contains([' ', ':']))
    };
    if REFUSED.iter().any(&begins) {
        return Some(Outcome::Refused);
    }
    if INTERRUPTED.iter().any(&begins) {
        return Some(Outcome::Interrupted);
    }
    GOES_ON.iter().any(begins).then_some(Outcome::Unknown)
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
            (
                "PreToolUse:Bash hook error: [guard]: force push is forbidden",
                Some(Outcome::Refused),
            ),
            (
                "Blocked by PreToolUse hook: deploys are made by people",
                Some(Outcome::Refused),
            ),
            (
                "exec denied: approval policy is never",
                Some(Outcome::Refused),
            ),
            ("Error: User declined the command", Some(Outcome::Refused)),
            ("Canceled by user", Some(Outcome::Interrupted)),
            (
                "Command running in background with ID: b1",
                Some(Outcome::Unknown),
            ),
            (
                "Command is still running in the terminal.",
                Some(Outcome::Unknown),
            ),
            ("3: Command is still running", None),
            ("remote: Denied by policy of the server", None),
            ("aborted: the disk is full", None),
            ("push rejected by user hook", None),
            ("12: The user doesn't want to proceed", None),
            ("", None),
        ] {
            assert_eq!(stopped(answer), outcome, "{answer}");
        }
    }
}
