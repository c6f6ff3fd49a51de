//! Before an action: the live lessons whose wrong form it has.
//!
//! It warns and never blocks, so it has to be right nearly always: a lesson is shown only when it names the form that
//! works for this very action. A rule that knows no right form would warn of every action that failed once.

use crate::lesson::learning::wrong_form::{Proposed, WrongForm};
use crate::lesson::lesson::{Lesson, Status};

/// Lessons that the action goes against, the surest first: promoted before candidate, then by reliability, newer
/// evidence and id. Of an action of several commands each is compared.
pub fn warnings<'l>(action: &Proposed, lessons: &'l [Lesson]) -> Vec<&'l Lesson> {
    let speaks = |lesson: &&Lesson| {
        let form = WrongForm::of(&lesson.rule);
        lesson.status.is_live() && form.is_some_and(|form| form.is_of(action))
    };
    let mut found: Vec<&Lesson> = lessons.iter().filter(speaks).collect();
    found.sort_by(|a, b| {
        let is_candidate = |lesson: &Lesson| lesson.status != Status::Promoted;
        is_candidate(a)
            .cmp(&is_candidate(b))
            .then_with(|| b.reliability.total_cmp(&a.reliability))
            .then_with(|| b.evidence_at.cmp(&a.evidence_at))
            .then_with(|| a.id.cmp(&b.id))
    });
    found.dedup_by_key(|lesson| lesson.id);
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::lesson::lesson::plain_lesson;

    fn lesson(rule: &str, status: Status) -> Lesson {
        let mut lesson = plain_lesson(rule);
        lesson.status = status;
        lesson
    }

    fn push() -> Value {
        json!("git push origin main")
    }

    const PUSH: &str = "WRONG git push <1> main → CORRECT git push <1> HEAD:feature/x";

    #[test]
    fn an_action_of_the_wrong_form_is_warned_of() {
        let known = [
            lesson(PUSH, Status::Candidate),
            lesson("WRONG npm test — Missing script", Status::Promoted),
            lesson("Use lower case names", Status::Promoted),
        ];
        for (action, is_warned) in [
            (json!("git push origin main"), true),
            (json!(["git", "push", "upstream", "main"]), true),
            (json!("make\ngit push origin main"), true),
            (json!("git push origin HEAD:feature/x"), false),
            (json!("git pull origin main"), false),
            (json!("npm test"), false),
            (json!(null), false),
        ] {
            let found = warnings(&Proposed::of(&action), &known);
            let expected = if is_warned { &known[..1] } else { &[] };
            assert!(found.into_iter().eq(expected), "{action}");
        }
        let call = "WRONG search(q=<1>) → CORRECT search(query=<1>)";
        let known = [lesson(call, Status::Candidate)];
        let action = json!({"tool": "search", "arguments": {"q": "rust"}});
        assert_eq!(warnings(&Proposed::of(&action), &known).len(), 1);
    }

    #[test]
    fn what_is_out_of_use_is_silent_and_the_surest_comes_first() {
        let other = "WRONG git push <1> main → CORRECT git push -n <1> main";
        for status in [Status::Suppressed, Status::Archived] {
            let known = [lesson(PUSH, status), lesson(other, Status::Promoted)];
            let found = warnings(&Proposed::of(&push()), &known);
            assert_eq!(found, [&known[1]]);
        }
        let mut sure = lesson(PUSH, Status::Candidate);
        sure.reliability = 0.9;
        let known = [
            lesson(
                "WRONG git push <1> main → CORRECT git push <1> dev",
                Status::Candidate,
            ),
            sure,
            lesson(other, Status::Promoted),
        ];
        let found = warnings(&Proposed::of(&push()), &known);
        assert_eq!(found, [&known[2], &known[1], &known[0]]);
    }
}
