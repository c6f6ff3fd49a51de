//! How a call ended, by the fields with which runtimes report it.
//!
//! A call that the person or a rule of the person's stopped did not fail: the tool was never run, or not to its end.

use serde_json::Value;

use super::{any, plain};
use crate::step::Outcome;

/// Fields whose only purpose is to name how a call ended.
const KINDS: &[&str] = &["resultType", "result_type", "failure_type", "failureType"];
/// Fields that may also report something else, such as the state of a task in the background.
const STATES: &[&str] = &["status", "outcome"];
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
const FAILED: &[&str] = &[
    "failure", "failed", "error", "errored", "timeout", "timedout",
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
const IS_ERROR: &[&str] = &["is_error", "isError"];
const IS_SUCCESS: &[&str] = &["success", "ok"];

/// The end of a call, read from its fields.
pub(crate) struct Ended {
    /// The call was stopped from outside.
    pub(crate) stopped: Option<Outcome>,
    /// Whether it failed; `None` where only its words show it.
    pub(crate) failed: Option<bool>,
}

/// Reads how a call ended. An event for failures alone needs no further sign that it is one.
pub(super) fn of(event: &Value, result: &Value, is_failure: bool) -> Ended {
    let words = |fields: &[&str]| {
        let word = any(result, fields).or_else(|| any(event, fields));
        word.and_then(Value::as_str).map(plain)
    };
    let (kind, state) = (words(KINDS), words(STATES));
    let is_one_of = |list: &[&str]| {
        let mut named = [&kind, &state].into_iter().flatten();
        named.any(|word| list.contains(&word.as_str()))
    };
    let is_interrupted = IS_INTERRUPTED
        .iter()
        .any(|name| switch(event, &[name]) == Some(true) || switch(result, &[name]) == Some(true));
    let stopped = if is_one_of(REFUSED) {
        Some(Outcome::Refused)
    } else if is_interrupted || is_one_of(INTERRUPTED) {
        Some(Outcome::Interrupted)
    } else {
        None
    };
    let failed = if is_failure {
        Some(true)
    } else if let Some(kind) = kind {
        Some(kind != "success")
    } else if is_one_of(FAILED) {
        Some(true)
    } else {
        switch(result, IS_ERROR)
            .or_else(|| switch(result, IS_SUCCESS).map(|good| !good))
            // Codex, known by its turns, has one event for both; elsewhere a failure has an event of its own.
            .or_else(|| event.get("turn_id").is_none().then_some(false))
    };
    Ended { stopped, failed }
}

fn switch(value: &Value, names: &[&str]) -> Option<bool> {
    any(value, names).and_then(Value::as_bool)
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
            (json!({"status": "cancelled"}), Outcome::Interrupted),
            (
                json!({"interrupted": true, "stdout": ""}),
                Outcome::Interrupted,
            ),
        ] {
            for is_failure in [false, true] {
                let ended = of(&json!({}), &result, is_failure);
                assert_eq!(ended.stopped, Some(outcome), "{result}");
            }
        }
        let cursor = of(
            &json!({"failure_type": "permission_denied"}),
            &Value::Null,
            true,
        );
        assert_eq!(cursor.stopped, Some(Outcome::Refused));
    }

    #[test]
    fn a_failure_is_known_by_its_field() {
        for (result, failed) in [
            (json!({"success": false}), true),
            (json!({"ok": false}), true),
            (json!({"isError": true}), true),
            (json!({"status": "failed"}), true),
            (json!({"resultType": "failure"}), true),
            (json!({"resultType": "timeout"}), true),
            (json!({"resultType": "success"}), false),
            (json!({"success": true}), false),
            (json!({"status": "completed"}), false),
            (json!("error: in a text"), false),
            (json!({}), false),
        ] {
            let ended = of(&json!({}), &result, false);
            assert_eq!(
                (ended.failed, ended.stopped),
                (Some(failed), None),
                "{result}"
            );
        }
        let codex = json!({"turn_id": "1"});
        assert_eq!(of(&codex, &json!("words"), false).failed, None);
        assert_eq!(
            of(&codex, &json!({"status": "failed"}), false).failed,
            Some(true)
        );
    }
}
