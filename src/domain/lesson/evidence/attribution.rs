//! Attribution: the evidence of a run about the advice that was offered in it, one row for each activation.
//!
//! A row is decided by the actions taken, not by the advice shown: the next attempt at the same thing either took the
//! advised form or another, and worked or failed. An agent that ignored the advice, or gave up, is no evidence; to
//! count either would let a placebo be cured by giving up, and a right cure be sunk by agents that never read it. An
//! action may have two faults, and advice fixes one; many tools print the same message for both. So where the advised
//! form fails, the action of the same intent that works in the end shows whether it was right. A rule that only forbids
//! names no form that could be followed and fail; it is contradicted when the forbidden action works.
//! The rows are a pure function of the run's steps, so that laboratory and engine share them and a resent run end
//! gives the same row.

use super::assertion::Assertion;
use super::evidence_row::{EvidenceRow, RowKind, Witness};
use crate::lesson::activation::{Activation, Trigger};
use crate::lesson::learning::attempt::Attempt;
use crate::lesson::learning::pattern::Reading;
use crate::lesson::lesson::Lesson;
use crate::lesson::run::Followed;
use hindlore_primitives::ids::{FingerprintId, LessonId};

/// The advice of a lesson, read once for all activations of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    lesson: LessonId,
    /// Its two forms; absent in free text.
    whole: Option<Assertion>,
    /// The advice as a piece of an action: people write the important part of a command and leave the rest out.
    piece: Option<Assertion>,
    triggers: Vec<FingerprintId>,
}

impl Advice {
    /// Reads the rule of a lesson.
    pub fn new(lesson: &Lesson) -> Self {
        let rule = &lesson.rule;
        // One word may occur in any action.
        let is_long = |text: &str| text.split_whitespace().nth(1).is_some();
        let inside = |text: &str| Reading::of(&format!("… {text} …"));
        let sides = rule.wrong().zip(rule.correct());
        let sides = sides.filter(|(wrong, correct)| is_long(wrong) && is_long(correct));
        Self {
            lesson: lesson.id,
            whole: Assertion::of(rule),
            piece: sides.map(|(wrong, correct)| Assertion {
                wrong: inside(wrong),
                correct: Some(inside(correct)),
            }),
            triggers: lesson.triggers.clone(),
        }
    }
}

/// The steps of a run and the reports of its adapter about them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RunSteps<'r> {
    /// Its attempts, by step.
    pub attempts: &'r [Attempt],
    /// The steps taken on the advice of lessons, as the adapter reports them.
    pub followed: &'r [Followed],
}

/// The form that an attempt took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// The advised one.
    Advised,
    /// The one that the rule calls wrong.
    Wrong,
    /// Neither.
    Other,
}

/// The row of an activation in a run that has ended.
pub fn attribute(activation: &Activation, advice: &Advice, run: RunSteps<'_>) -> EvidenceRow {
    let later = run
        .attempts
        .iter()
        .filter(|attempt| attempt.step > activation.step);
    let later: Vec<&Attempt> = later.collect();
    // If the adapter reports which step followed the advice, no guess is better.
    let named = run
        .followed
        .iter()
        .filter(|row| row.lesson == advice.lesson && row.step > activation.step)
        .map(|row| row.step)
        .min();
    let named = named.and_then(|step| later.iter().find(|one| one.step == step).copied());
    let judgement = Judgement {
        advice,
        later: &later,
        origin: run.attempts.iter().find(|one| one.step == activation.step),
    };
    let (attempt, kind) = match (named, activation.moment) {
        (named, _) if judgement.is_refuted() => (named, RowKind::Refuted),
        (Some(attempt), moment) => (Some(attempt), judgement.followed(attempt, moment)),
        (None, Trigger::OnError) => judgement.on_error(),
        (None, Trigger::PreRun) => judgement.before(),
        (None, Trigger::BeforeAction) => judgement.warned(),
    };
    let is_followed = kind.sign() != 0;
    EvidenceRow {
        kind,
        witness: match named {
            Some(_) => Witness::Adapter,
            None => Witness::Steps,
        },
        followed_step: attempt.filter(|_| is_followed).map(|attempt| attempt.step),
        needed: judgement.is_needed(run.attempts),
    }
}

/// The attempts of a run as one lesson judges them.
#[derive(Clone, Copy)]
struct Judgement<'r> {
    advice: &'r Advice,
    later: &'r [&'r Attempt],
    /// The attempt that failed and called for the advice.
    origin: Option<&'r Attempt>,
}

impl<'r> Judgement<'r> {
    /// Decides by the next attempt at the failed action. An attempt that already takes the advised form counts even
    /// under another program, as `python3` after `python`.
    fn on_error(&self) -> (Option<&'r Attempt>, RowKind) {
        if self.advice.whole.is_none() {
            // Free text has no form: only an adapter knows whether it was followed.
            return (None, RowKind::Unknown);
        }
        let is_next = |attempt: &&&Attempt| {
            let is_same = self
                .origin
                .is_some_and(|origin| attempt.shares_intent(origin));
            is_same || self.form_by(self.advice.whole.as_ref(), attempt) != Form::Other
        };
        let Some(next) = self.later.iter().find(is_next).copied() else {
            return (None, RowKind::Unknown);
        };
        match self.form_of(next) {
            Form::Advised => (Some(next), self.followed(next, Trigger::OnError)),
            Form::Wrong | Form::Other => (Some(next), RowKind::NotFollowed),
        }
    }

    /// Decides by the first attempt that the rule is about, or that raised its error. An attempt of another form that
    /// worked is no attempt at the subject of the rule.
    fn before(&self) -> (Option<&'r Attempt>, RowKind) {
        let is_spoken_of = |attempt: &&&Attempt| {
            self.form_of(attempt) != Form::Other || attempt.raised(&self.advice.triggers)
        };
        let first = self.later.iter().find(is_spoken_of).copied();
        let Some(first) = first.filter(|_| self.advice.whole.is_some()) else {
            return (None, RowKind::Unknown);
        };
        match self.form_of(first) {
            Form::Advised => (Some(first), self.followed(first, Trigger::PreRun)),
            Form::Wrong | Form::Other => (Some(first), RowKind::NotFollowed),
        }
    }

    /// Decides like [`Self::before`], unless the attempt that was warned of failed: an agent reads a warning together
    /// with the result of that call, so that its next attempt at the same thing shows whether it took the advice.
    fn warned(&self) -> (Option<&'r Attempt>, RowKind) {
        let (first, kind) = self.before();
        let ignored = first.filter(|one| kind == RowKind::NotFollowed && one.failed());
        let Some(origin) = ignored.filter(|one| self.form_of(one) == Form::Wrong) else {
            return (first, kind);
        };
        let after = Self {
            origin: Some(origin),
            ..*self
        };
        let mut later = self.later.iter().filter(|one| one.step > origin.step);
        let next =
            later.find(|one| one.shares_intent(origin) || after.form_of(one) == Form::Advised);
        match next.filter(|one| after.form_of(one) == Form::Advised) {
            Some(next) => (Some(next), after.followed(next, Trigger::OnError)),
            None => (first, kind),
        }
    }

    /// Returns true if the forbidden action worked, for a rule that names nothing better.
    fn is_refuted(&self) -> bool {
        let whole = self.advice.whole.as_ref();
        let Some(claim) = whole.filter(|claim| claim.correct.is_none()) else {
            return false;
        };
        let mut later = self.later.iter();
        later.any(|attempt| !attempt.failed() && attempt.has(&claim.wrong))
    }

    fn followed(&self, attempt: &Attempt, moment: Trigger) -> RowKind {
        let (helped, came) = match moment {
            Trigger::OnError => (RowKind::Cured, RowKind::Failed),
            Trigger::PreRun | Trigger::BeforeAction => (RowKind::Averted, RowKind::CameAnyway),
        };
        if attempt.failed() {
            let raised = attempt.raised(&self.advice.triggers);
            let failed = if raised { came } else { RowKind::Failed };
            return self.in_the_end(attempt, helped).unwrap_or(failed);
        }
        if came == RowKind::CameAnyway && self.comes_later(attempt.step) {
            return came;
        }
        helped
    }

    /// The evidence of the action that worked in the end about advice whose form failed; absent where the advice has
    /// traded one error for another. An action that failed and then worked unchanged shows only a passing fault.
    fn in_the_end(&self, attempt: &Attempt, helped: RowKind) -> Option<RowKind> {
        let mut later = self.later.iter().filter(|one| one.step > attempt.step);
        let worked = later.find(|one| !one.failed() && one.shares_intent(attempt))?;
        match (self.form_of(worked), self.form_of(attempt)) {
            (Form::Advised, _) if worked.forms == attempt.forms => None,
            (Form::Advised, _) => Some(helped),
            (_, Form::Advised) => None,
            // The adapter followed it by likeness, and its form is in neither.
            _ => Some(RowKind::Unknown),
        }
    }

    /// Returns true if a later attempt in the advised form raised the error.
    fn comes_later(&self, after: u32) -> bool {
        let mut later = self.later.iter().filter(|one| one.step > after);
        later.any(|one| one.raised(&self.advice.triggers) && self.form_of(one) == Form::Advised)
    }

    fn is_needed(&self, attempts: &[Attempt]) -> bool {
        attempts.iter().any(|attempt| {
            attempt.raised(&self.advice.triggers) && self.form_of(attempt) != Form::Advised
        })
    }

    /// The verdict of the rule on an attempt as a whole, else on a piece of it.
    fn form_of(&self, attempt: &Attempt) -> Form {
        match self.form_by(self.advice.whole.as_ref(), attempt) {
            Form::Other => self.form_by(self.advice.piece.as_ref(), attempt),
            form => form,
        }
    }

    fn form_by(&self, claim: Option<&Assertion>, attempt: &Attempt) -> Form {
        let Some(claim) = claim else {
            return Form::Other;
        };
        let is_wrong = attempt.has(&claim.wrong);
        let is_advised = match &claim.correct {
            Some(correct) if is_wrong => self.tells(claim, correct) && attempt.has(correct),
            Some(correct) => attempt.has(correct),
            None => !is_wrong && self.is_another_try(attempt),
        };
        match (is_advised, is_wrong) {
            (true, _) => Form::Advised,
            (false, true) => Form::Wrong,
            (false, false) => Form::Other,
        }
    }

    /// Either pattern may be the wider one. Returns true if the advised one distinguishes an attempt that fits both:
    /// the failed action does not match it, or else the wrong form does not.
    fn tells(&self, claim: &Assertion, correct: &Reading) -> bool {
        match self.origin {
            Some(origin) => !origin.has(correct),
            None => !correct.fits(&claim.wrong),
        }
    }

    /// A rule that only forbids advises every form but the wrong one, in attempts at the failed action alone.
    fn is_another_try(&self, attempt: &Attempt) -> bool {
        let is_same =
            |origin: &Attempt| origin.step < attempt.step && attempt.shares_intent(origin);
        self.origin.is_some_and(is_same)
    }
}

#[cfg(test)]
mod tests;
