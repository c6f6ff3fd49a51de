//! Before an action: the live lessons whose wrong form it has.
//!
//! It warns and never blocks, so it has to be right nearly always: a lesson is shown only when it names the form that
//! works for this very action. A rule that knows no right form would warn of every action that failed once.

use crate::lesson::learning::wrong_form::{Proposed, WrongForm};
use crate::lesson::lesson::Lesson;
use hindlore_primitives::timestamp::Timestamp;

/// Days after which a success of the wrong form in the same scope is forgotten.
const WORKED_DAYS: u32 = 30;

/// The occasion of a warning: the scope in which the action is about to be taken, and the moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occasion<'s> {
    /// The scope; absent if unknown.
    pub scope: Option<&'s str>,
    /// Now.
    pub at: Timestamp,
}

impl Occasion<'_> {
    /// Returns true if a lesson may refuse an action of its wrong form: it is proved, that form failed in this very scope,
    /// and it has never worked here.
    pub fn may_refuse(&self, lesson: &Lesson) -> bool {
        let Some(scope) = self.scope else {
            return false;
        };
        lesson.is_proved()
            && lesson.rule.correct().is_some()
            && lesson.proof.scopes.iter().any(|known| known == scope)
            && !lesson
                .proof
                .has_worked_in(self.scope, Timestamp::from_millis(i64::MIN))
    }

    /// Returns true if the wrong form of a lesson worked here of late.
    pub fn knows_it_to_work(&self, lesson: &Lesson) -> bool {
        let since = self.at.minus_days(WORKED_DAYS);
        lesson.proof.has_worked_in(self.scope, since)
    }
}

/// Lessons that the action goes against, the surest first: promoted before candidate, then by reliability, newer
/// evidence and id. Of an action of several commands each is compared. A form that worked here within 30 days is no
/// reason for a warning.
pub fn warnings<'l>(
    action: &Proposed,
    lessons: &'l [Lesson],
    occasion: Occasion<'_>,
) -> Vec<&'l Lesson> {
    let speaks = |lesson: &&Lesson| {
        let form = WrongForm::of(&lesson.rule);
        lesson.status.is_live()
            && form.is_some_and(|form| form.is_of(action))
            && !occasion.knows_it_to_work(lesson)
    };
    let mut found: Vec<&Lesson> = lessons.iter().filter(speaks).collect();
    found.sort_by(|a, b| {
        b.is_proved()
            .cmp(&a.is_proved())
            .then_with(|| b.reliability.total_cmp(&a.reliability))
            .then_with(|| b.evidence_at.cmp(&a.evidence_at))
            .then_with(|| a.id.cmp(&b.id))
    });
    found.dedup_by_key(|lesson| lesson.id);
    found
}

/// Returns true if a run has applied a lesson and its effect may last, as the upstream of a branch does. A missing program
/// stays missing.
pub fn is_applied(lesson: &Lesson, worked: &[Proposed]) -> bool {
    let form = WrongForm::of(&lesson.rule).filter(|_| !WrongForm::is_of_program(&lesson.rule));
    form.is_some_and(|form| worked.iter().any(|action| form.is_right_in(action)))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::lesson::evidence::evidence_row::RowKind;
    use crate::lesson::evidence::proof_state::Counterexample;
    use crate::lesson::lesson::{Status, plain_lesson};

    fn lesson(rule: &str, status: Status) -> Lesson {
        let mut lesson = plain_lesson(rule);
        lesson.status = status;
        lesson
    }

    fn warned<'l>(action: &Value, lessons: &'l [Lesson]) -> Vec<&'l Lesson> {
        let occasion = Occasion {
            scope: Some("here"),
            at: Timestamp::from_millis(0).plus_days(40),
        };
        warnings(&Proposed::of(action), lessons, occasion)
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
            let found = warned(&action, &known);
            let expected = if is_warned { &known[..1] } else { &[] };
            assert!(found.into_iter().eq(expected), "{action}");
        }
        let call = "WRONG search(q=<1>) → CORRECT search(query=<1>)";
        let known = [lesson(call, Status::Candidate)];
        let action = json!({"tool": "search", "arguments": {"q": "rust"}});
        assert_eq!(warned(&action, &known).len(), 1);
    }

    #[test]
    fn what_is_out_of_use_is_silent_and_the_surest_comes_first() {
        let other = "WRONG git push <1> main → CORRECT git push -n <1> main";
        for status in [
            Status::Observed,
            Status::Refuted,
            Status::Suppressed,
            Status::Archived,
        ] {
            let known = [lesson(PUSH, status), lesson(other, Status::Promoted)];
            let found = warned(&push(), &known);
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
        let found = warned(&push(), &known);
        assert_eq!(found, [&known[2], &known[1], &known[0]]);
    }

    #[test]
    fn a_form_that_worked_here_of_late_is_not_warned_of() {
        for (scope, day, is_warned) in [
            (Some("here"), 20, false),
            (None, 20, false),
            (Some("here"), 5, true),
            (Some("elsewhere"), 20, true),
        ] {
            let mut known = lesson(PUSH, Status::Promoted);
            known.proof.take_counterexample(Counterexample {
                at: Timestamp::from_millis(0).plus_days(day),
                run: "r".to_owned(),
                scope: scope.map(str::to_owned),
                kind: RowKind::Worked,
            });
            let known = [known];
            assert_eq!(
                !warned(&push(), &known).is_empty(),
                is_warned,
                "{scope:?} {day}"
            );
        }
    }

    #[test]
    fn only_a_proved_form_that_failed_here_and_never_worked_here_is_refused() {
        let occasion = Occasion {
            scope: Some("here"),
            at: Timestamp::default(),
        };
        let mut proved = lesson(PUSH, Status::Promoted);
        proved.proof.take_scope("here");
        assert!(occasion.may_refuse(&proved));
        let mut candidate = proved.clone();
        candidate.status = Status::Candidate;
        let mut elsewhere = lesson(PUSH, Status::Promoted);
        elsewhere.proof.take_scope("elsewhere");
        let mut worked = proved.clone();
        worked.proof.take_counterexample(Counterexample {
            at: Timestamp::default(),
            run: "r".to_owned(),
            scope: Some("here".to_owned()),
            kind: RowKind::Worked,
        });
        for lesson in [candidate, elsewhere, worked] {
            assert!(!occasion.may_refuse(&lesson), "{:?}", lesson.proof);
        }
        let nowhere = Occasion {
            scope: None,
            ..occasion
        };
        assert!(!nowhere.may_refuse(&proved));
    }
}
