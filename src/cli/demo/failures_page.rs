//! The second act for people.

use super::failures::{Failures, Run};
use crate::output::{Page, Tone, lessons};
use hindlore_domain::lesson::lesson_policy::RetrievalNumbers;

/// Writes the act.
pub(crate) fn write(page: &mut Page, told: &Failures) {
    page.gap();
    page.line(
        Tone::Heading,
        "7  A task fails, and the failure becomes a lesson",
    );
    page.prose(
        Tone::Faint,
        3,
        &format!(
            "An agent uses a table tool that it does not know. The task: {}. It tries what it is used to, \
             reads the error, and tries again.",
            told.first.intent
        ),
    );
    tries(page, &told.first);
    page.prose(
        Tone::Faint,
        3,
        "What failed is laid beside what worked for the same purpose. No model is asked.",
    );
    for learned in &told.first.ended.learned {
        page.hanging(Tone::Good, "   + ", &learned.rule);
    }
    page.gap();
    page.line(Tone::Heading, "8  The next run avoids it");
    page.prose(
        Tone::Faint,
        3,
        &format!(
            "Another task with the same tool: {}. Before it begins, the agent asks what is known.",
            told.second.intent
        ),
    );
    let weights = RetrievalNumbers::default();
    for hit in &told.found.lessons {
        page.hanging(
            Tone::Plain,
            &format!("   {:.2}  ", hit.score),
            &hit.lesson.rule,
        );
        page.prose(
            Tone::Faint,
            9,
            &format!("= {}; {}", lessons::parts(&hit.parts, &weights), hit.path),
        );
    }
    tries(page, &told.second);
    result(page, told);
}

/// Writes the act without its explanations.
pub(crate) fn short(page: &mut Page, told: &Failures) {
    page.gap();
    page.line(
        Tone::Heading,
        format_args!("First run: {}", told.first.intent),
    );
    attempts(page, &told.first);
    page.gap();
    page.line(Tone::Heading, "Learned");
    for learned in &told.first.ended.learned {
        page.hanging(Tone::Good, "   + ", &learned.rule);
    }
    page.gap();
    page.line(
        Tone::Heading,
        format_args!("Second run: {}", told.second.intent),
    );
    attempts(page, &told.second);
    page.gap();
    errors(page, 0, told);
}

fn errors(page: &mut Page, indent: usize, told: &Failures) {
    let (before, after) = (told.first.errors(), told.second.errors());
    let tone = if after < before {
        Tone::Good
    } else {
        Tone::Bad
    };
    let said = format!("{before} errors in the first run, {after} in the second");
    page.prose(tone, indent, &said);
}

fn result(page: &mut Page, told: &Failures) {
    errors(page, 3, told);
    for settled in &told.second.ended.settled {
        let word = lessons::spaced(settled.row.word());
        page.line(
            Tone::Faint,
            format_args!(
                "   {} {word}, utility {:+.2}",
                settled.lesson, settled.utility
            ),
        );
    }
}

fn tries(page: &mut Page, run: &Run) {
    page.gap();
    attempts(page, run);
    page.gap();
}

fn attempts(page: &mut Page, run: &Run) {
    for one in &run.tries {
        let tone = match (&one.error, one.instead_of) {
            (Some(_), _) => Tone::Bad,
            (None, Some(_)) => Tone::Good,
            (None, None) => Tone::Plain,
        };
        page.line(tone, format_args!("   > {}", page.beginning(&one.line, 5)));
        if let Some(error) = &one.error {
            page.hanging(Tone::Faint, "     ", error);
        }
        if let Some(habit) = one.instead_of {
            page.hanging(Tone::Faint, "     instead of ", habit);
        }
    }
}
