//! The message of a moment, and its form for each runtime.

use serde_json::{Value, json};

use hindlore_trace::ReplyForm;

/// The message of a moment.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Said {
    /// For the model; blocks that are already fenced.
    pub(crate) context: Vec<String>,
    /// One line for the person.
    pub(crate) notice: Option<String>,
    /// Why the action is refused; absent if it may run.
    pub(crate) refusal: Option<String>,
}

/// Events whose answer may carry a context in the nested form; in others the runtime refuses the field.
const WITH_CONTEXT: &[&str] = &[
    "SessionStart",
    "SubagentStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
];

/// The answer in the form of the runtime; `None` if there is none, or no form for it.
pub(super) fn written(said: &Said, event: &str, form: ReplyForm) -> Option<Value> {
    let context: Vec<&str> = said
        .context
        .iter()
        .map(|block| block.trim())
        .filter(|block| !block.is_empty())
        .collect();
    let context = Some(context.join("\n\n")).filter(|text| !text.is_empty());
    match form {
        ReplyForm::Nested => {
            let mut reply = serde_json::Map::new();
            if let Some(reason) = &said.refusal {
                // The field decides; an exit code of 2 would show the hook's command line to the model.
                let inner = json!({"hookEventName": event, "permissionDecision": "deny",
                    "permissionDecisionReason": reason});
                reply.insert("hookSpecificOutput".to_owned(), inner);
            } else if let Some(context) = context.filter(|_| WITH_CONTEXT.contains(&event)) {
                let inner = json!({"hookEventName": event, "additionalContext": context});
                reply.insert("hookSpecificOutput".to_owned(), inner);
            }
            if let Some(notice) = &said.notice {
                reply.insert("systemMessage".to_owned(), notice.as_str().into());
            }
            (!reply.is_empty()).then_some(Value::Object(reply))
        }
        ReplyForm::Snake => context.map(|text| json!({"additional_context": text})),
        ReplyForm::Camel => context.map(|text| json!({"additionalContext": text})),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_a_decision_and_no_context() {
        let said = Said {
            context: vec!["a".to_owned()],
            refusal: Some("use b".to_owned()),
            ..Said::default()
        };
        let reply = written(&said, "PreToolUse", ReplyForm::Nested).unwrap();
        let inner = &reply["hookSpecificOutput"];
        assert_eq!(inner["permissionDecision"], "deny");
        assert_eq!(inner["permissionDecisionReason"], "use b");
        assert_eq!(inner.get("additionalContext"), None);
    }

    #[test]
    fn every_form_says_the_same() {
        let said = Said {
            context: vec!["a\n".to_owned(), String::new(), "b".to_owned()],
            notice: Some("n".to_owned()),
            refusal: None,
        };
        let nested = written(&said, "PreToolUse", ReplyForm::Nested).unwrap();
        assert_eq!(nested["hookSpecificOutput"]["additionalContext"], "a\n\nb");
        assert_eq!(
            (
                &nested["hookSpecificOutput"]["hookEventName"],
                &nested["systemMessage"]
            ),
            (&"PreToolUse".into(), &"n".into())
        );
        assert_eq!(
            written(&said, "x", ReplyForm::Snake),
            Some(json!({"additional_context": "a\n\nb"}))
        );
        assert_eq!(
            written(&said, "x", ReplyForm::Camel),
            Some(json!({"additionalContext": "a\n\nb"}))
        );
        assert_eq!(
            written(&said, "Stop", ReplyForm::Nested),
            Some(json!({"systemMessage": "n"}))
        );
        assert_eq!(
            written(&Said::default(), "PreToolUse", ReplyForm::Nested),
            None
        );
    }
}
