//! How a call ended, by the fields in which runtimes and frameworks record it.
//!
//! A call that the person or a rule of the person's stopped did not fail: the tool was never run, or not to its end. A
//! status of success proves nothing, since several harnesses write it for a command that ended with an error.

use serde_json::Value;

use crate::exit_code;
use crate::json::value::exit_code as code_of;
use crate::step::Outcome;

/// Fields whose only purpose is to name how a call ended.
const KINDS: &[&str] = &["resultType", "result_type", "failure_type", "failureType"];
/// Fields that may also report something else, such as the state of a task in the background.
const STATES: &[&str] = &["status", "outcome", "state", "level", "type", "part_kind"];
const REFUSED: &[&str] = &[
    "rejected",
    "denied",
    "declined",
    "refused",
    "blocked",
    "disallowed",
    "notallowed",
    "permissiondenied",
    "userrejected",
    "userdenied",
    "outputdenied",
    "executiondenied",
];
const INTERRUPTED: &[&str] = &[
    "cancelled",
    "canceled",
    "interrupted",
    "aborted",
    "skipped",
    "usercancelled",
    "usercanceled",
];
#[rustfmt::skip]
const FAILED: &[&str] = &[
    "failure", "failed", "error", "errored", "timeout", "timedout",
    // Pydantic AI: the model has to try again.
    "retried", "retryprompt",
    // Vercel AI SDK: `state` of a part, `type` of an output.
    "outputerror", "errortext", "errorjson", "toolerror",
];
/// Switches of a call that was stopped before its end.
const IS_INTERRUPTED: &[&str] = &[
    "is_interrupt",
    "isInterrupt",
    "interrupted",
    "cancelled",
    "canceled",
    "aborted",
];
const IS_ERROR: &[&str] = &["is_error", "isError", "tool_call_error", "toolCallError"];
const IS_SUCCESS: &[&str] = &["success", "ok"];

/// The end of a call, read from its fields.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Ended {
    /// The call was stopped from outside.
    pub(crate) stopped: Option<Outcome>,
    /// Whether it failed; `None` where only its words show it.
    pub(crate) failed: Option<bool>,
    /// The exit code.
    pub(crate) exit_code: Option<i32>,
}

/// Reads how a call ended from the places that may record it, the most specific one first.
pub(crate) fn of(places: &[&Value]) -> Ended {
    let word = |fields: &[&str]| {
        let mut words = places
            .iter()
            .flat_map(|place| fields.iter().filter_map(|name| place.get(*name)?.as_str()));
        words.next().map(plain)
    };
    let kind = word(KINDS);
    let states = places.iter().flat_map(|place| {
        let states = STATES.iter().filter_map(|name| place.get(*name)?.as_str());
        states.map(plain)
    });
    let words: Vec<String> = kind.clone().into_iter().chain(states).collect();
    let is_one_of = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let is_on = |names: &[&str]| switch(places, names);
    let stopped = if is_one_of(REFUSED) {
        Some(Outcome::Refused)
    } else if is_on(IS_INTERRUPTED) == Some(true) || is_one_of(INTERRUPTED) {
        Some(Outcome::Interrupted)
    } else {
        None
    };
    let failed = match kind {
        Some(kind) => Some(kind != "success"),
        None if is_one_of(FAILED) => Some(true),
        None => is_on(IS_ERROR).or_else(|| is_on(IS_SUCCESS).map(|good| !good)),
    };
    Ended {
        stopped,
        failed,
        exit_code: places.iter().find_map(|place| exit_code_of(place)),
    }
}

/// The exit code in a field of an object.
pub(crate) fn exit_code_of(place: &Value) -> Option<i32> {
    let mut fields = place.as_object()?.iter();
    fields.find_map(|(name, value)| {
        let is_code = exit_code::is_field(name);
        is_code.then(|| code_of(value)).flatten()
    })
}

/// A word without marks and case: `Permission-Denied` and `permissionDenied` are one.
pub(crate) fn plain(word: &str) -> String {
    let letters = word.chars().filter(|c| c.is_alphanumeric());
    letters.collect::<String>().to_lowercase()
}

/// A switch that is on in any place, or off in all that have it.
fn switch(places: &[&Value], names: &[&str]) -> Option<bool> {
    let all = places
        .iter()
        .flat_map(|place| names.iter().filter_map(|name| place.get(*name)?.as_bool()));
    all.reduce(|one, other| one || other)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_stopped_is_neither_a_success_nor_a_failure() {
        for (result, outcome) in [
            (json!({"resultType": "denied"}), Outcome::Refused),
            (json!({"resultType": "rejected"}), Outcome::Refused),
            (
                json!({"result_type": "Permission-Denied"}),
                Outcome::Refused,
            ),
            (json!({"status": "declined"}), Outcome::Refused),
            (json!({"state": "output-denied"}), Outcome::Refused),
            (json!({"outcome": "denied"}), Outcome::Refused),
            (json!({"status": "cancelled"}), Outcome::Interrupted),
            (
                json!({"interrupted": true, "stdout": ""}),
                Outcome::Interrupted,
            ),
        ] {
            assert_eq!(of(&[&result]).stopped, Some(outcome), "{result}");
            assert_eq!(
                of(&[&json!({}), &result]).stopped,
                Some(outcome),
                "{result}"
            );
        }
    }

    #[test]
    fn every_mark_of_a_failure_is_known() {
        for (result, failed) in [
            (json!({"success": false}), Some(true)),
            (json!({"ok": false}), Some(true)),
            (json!({"isError": true}), Some(true)),
            (json!({"tool_call_error": true}), Some(true)),
            (json!({"tool_call_error": false}), Some(false)),
            (json!({"status": "failed"}), Some(true)),
            (json!({"outcome": "retried"}), Some(true)),
            (json!({"state": "output-error"}), Some(true)),
            (json!({"type": "error-text", "value": "x"}), Some(true)),
            (json!({"level": "ERROR"}), Some(true)),
            (json!({"resultType": "failure"}), Some(true)),
            (json!({"resultType": "timeout"}), Some(true)),
            (json!({"resultType": "success"}), Some(false)),
            (json!({"success": true}), Some(false)),
            (json!({"status": "completed"}), None),
            (json!({"status": "success"}), None),
            (json!({"type": "text", "value": "x"}), None),
            (json!("error: in a text"), None),
            (json!({}), None),
        ] {
            let ended = of(&[&result]);
            assert_eq!((ended.failed, ended.stopped), (failed, None), "{result}");
        }
    }

    #[test]
    fn exit_codes_are_found_under_any_name() {
        for (place, code) in [
            (json!({"exit": 2}), Some(2)),
            (json!({"returncode": 2}), Some(2)),
            (json!({"exitCode": "2"}), Some(2)),
            (json!({"code": 2}), None),
            (json!({"exit": "soon"}), None),
        ] {
            assert_eq!(of(&[&json!(null), &place]).exit_code, code, "{place}");
        }
    }
}
