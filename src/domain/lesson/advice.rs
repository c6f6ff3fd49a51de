//! A lesson as one sentence for an agent: what failed, why, what works, and how sure that is.
//!
//! A rule is written to be compared and stored; an agent reads it once, in the middle of its work. The sentence is made
//! from the lesson alone, so that every surface shows the same words.

use std::collections::BTreeSet;

use super::lesson::Lesson;
use super::rule::clipped;

/// Characters of the tool's own words.
const REASON_MAX_CHARS: usize = 120;

impl Lesson {
    /// The advice of this lesson in one sentence.
    pub fn advice(&self) -> String {
        let rule = &self.rule;
        let reason = rule.explanation().or(self.proof.tool_words.as_deref());
        let reason = reason.map(|words| clipped(words, REASON_MAX_CHARS));
        let because = |mark: &str| match &reason {
            Some(words) => format!("{mark}{}", words.trim_end_matches(['.', ';', ','])),
            None => String::new(),
        };
        if let Some((action, preparation)) = rule.preparation() {
            return format!(
                "Before `{action}`, run `{preparation}`{} ({}).",
                because("; without it: "),
                self.record()
            );
        }
        match (rule.wrong(), rule.correct()) {
            (Some(wrong), Some(correct)) => format!(
                "`{wrong}` failed{}; use `{correct}` ({}).",
                because(": "),
                self.record()
            ),
            (Some(wrong), None) => format!("`{wrong}` failed{}.", because(": ")),
            (None, _) => rule.as_str().to_owned(),
        }
    }

    /// In how many runs the advice held, in words.
    fn record(&self) -> String {
        let proof = &self.proof;
        let supports = proof.supports.iter().map(|support| &support.run);
        let taught: BTreeSet<&String> = self.source_runs.iter().chain(supports).collect();
        // The first run that taught it followed nothing, and is none of the runs that worked by it.
        let first = usize::from(!self.source_runs.is_empty());
        let worked = taught.len().max(first + proof.worked_runs as usize);
        let failed = proof.counterexamples.len().max(proof.failed_runs as usize);
        let all = worked + failed;
        match (worked, all) {
            (0 | 1, 0 | 1) => "seen once".to_owned(),
            _ => format!("worked in {worked} of {all} runs"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lesson::lesson::plain_lesson;

    #[test]
    fn a_sentence_says_what_failed_why_what_works_and_how_sure_that_is() {
        let words = "npm error Missing script: \"test\"";
        for (rule, tool_words, runs, expected) in [
            (
                "WRONG npm test → CORRECT npm run unit",
                Some(words),
                2,
                "`npm test` failed: npm error Missing script: \"test\"; use `npm run unit` (worked in 2 of 2 runs).",
            ),
            (
                "WRONG a <1> → CORRECT b <1> — it is old",
                None,
                1,
                "`a <1>` failed: it is old; use `b <1>` (seen once).",
            ),
            (
                "Before `Edit`, run `Read` — read it first",
                None,
                4,
                "Before `Edit`, run `Read`; without it: read it first (worked in 4 of 4 runs).",
            ),
            (
                "WRONG rm <path> — denied",
                None,
                1,
                "`rm <path>` failed: denied.",
            ),
            ("Quote file names.", None, 1, "Quote file names."),
        ] {
            let mut lesson = plain_lesson(rule);
            lesson.proof.tool_words = tool_words.map(str::to_owned);
            lesson.source_runs = (0..runs).map(|n: u32| n.to_string()).collect();
            assert_eq!(lesson.advice(), expected);
        }
    }
}
