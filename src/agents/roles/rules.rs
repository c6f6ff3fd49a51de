//! The Reflector and the Generator without a model. Nothing is invented: a takeaway quotes the input of the turn, and
//! an answer quotes the memory for the question.

use super::insight::{Kind, Reflection, Takeaway, Vote};
use super::shown::Shown;
use super::trace::Trace;
use hindlore_text::words::standard_words;

/// Characters of a question that a takeaway quotes.
const QUESTION_CHARS: usize = 200;
/// Characters of an answer or of feedback that a takeaway quotes.
const QUOTED_CHARS: usize = 400;

/// The words before the answer in a takeaway about a question.
const ANSWER_IS: &str = "the right answer is";

/// The insights of a judged turn by itself.
///
/// A failure with its right answer teaches that answer; one with feedback teaches the feedback; a requirement that was not
/// met teaches the requirement. A success votes for the bullets that its answer cites, and a failure against them.
pub fn reflect(trace: &Trace) -> Reflection {
    let mut reflection = Reflection::default();
    let mut add = |content: String, kind: Kind| {
        reflection.takeaways.push(Takeaway {
            content,
            kind,
            tags: Vec::new(),
        });
    };
    for rubric in trace.rubrics.iter().filter(|rubric| !rubric.passed) {
        add(
            format!("Make sure of this: {}", cut(&rubric.text, QUOTED_CHARS)),
            Kind::Failure,
        );
    }
    if trace.success == Some(false) {
        if let Some(truth) = trace
            .ground_truth
            .as_deref()
            .filter(|truth| !truth.trim().is_empty())
        {
            add(answer_to(&trace.question, truth), Kind::Domain);
        }
        if let Some(said) = trace.feedback.as_deref().filter(|said| teaches(said)) {
            add(cut(said, QUOTED_CHARS), Kind::Failure);
        }
    }
    let vote = match trace.success {
        Some(true) => Some(Vote::Helpful),
        Some(false) => Some(Vote::Harmful),
        None => None,
    };
    if let Some(vote) = vote {
        reflection.votes = trace.cited.iter().map(|id| (id.clone(), vote)).collect();
    }
    if trace.success == Some(false) {
        let said = trace.feedback.as_deref().unwrap_or_default();
        reflection.note = format!("`{}` was wrong. {said}", cut(&trace.answer, 80))
            .trim()
            .to_owned();
    }
    reflection
}

/// An answer from memory, with the bullet that it comes from; `None` where memory holds none.
///
/// Memory answers a question that it has the answer of, asked in the same words.
pub fn answer(question: &str, shown: &[Shown]) -> Option<(String, String)> {
    let asked = cut(question, QUESTION_CHARS);
    let words = standard_words(&asked);
    // Of two answers the one that was wrong less often; an answer that has become wrong was voted against.
    let mut by_trust: Vec<&Shown> = shown.iter().collect();
    by_trust.sort_by_key(|one| one.votes.1);
    by_trust.into_iter().find_map(|one| {
        let (about, answer) = one.content.rsplit_once(&format!("\", {ANSWER_IS} "))?;
        let about = about.strip_prefix("For \"")?;
        (standard_words(about) == words).then(|| {
            (
                answer.trim_end_matches('.').trim_matches('`').to_owned(),
                one.id.clone(),
            )
        })
    })
}

fn answer_to(question: &str, truth: &str) -> String {
    format!(
        "For \"{}\", {ANSWER_IS} `{}`.",
        cut(question, QUESTION_CHARS),
        cut(truth, QUOTED_CHARS)
    )
}

/// Feedback that is only right or wrong teaches nothing more.
fn teaches(said: &str) -> bool {
    said.split_whitespace().count() >= 4
}

fn cut(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    line.chars().take(most).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(content: &str) -> Shown {
        Shown {
            id: "b_1".to_owned(),
            content: content.to_owned(),
            section: None,
            votes: (0, 0),
        }
    }

    #[test]
    fn a_right_answer_is_learned_and_found_again() {
        let trace = Trace {
            question: "Which port does the proxy use?".to_owned(),
            answer: "80".to_owned(),
            ground_truth: Some("8443".to_owned()),
            success: Some(false),
            cited: vec!["b_9".to_owned()],
            ..Trace::default()
        };
        let reflection = reflect(&trace);
        let learned = &reflection.takeaways[0].content;
        assert_eq!(
            learned,
            "For \"Which port does the proxy use?\", the right answer is `8443`."
        );
        assert_eq!(reflection.votes, [("b_9".to_owned(), Vote::Harmful)]);
        let found = answer(
            "which port does the proxy use",
            &[shown("noise"), shown(learned)],
        );
        assert_eq!(found, Some(("8443".to_owned(), "b_1".to_owned())));
        assert_eq!(
            answer("Which port does the server use?", &[shown(learned)]),
            None
        );
    }

    #[test]
    fn what_nobody_judged_teaches_nothing() {
        let trace = Trace {
            question: "q".to_owned(),
            answer: "a".to_owned(),
            ground_truth: Some("b".to_owned()),
            cited: vec!["b_9".to_owned()],
            ..Trace::default()
        };
        assert_eq!(reflect(&trace), Reflection::default());
        let wrong = Trace {
            success: Some(false),
            ground_truth: None,
            feedback: Some("Wrong.".to_owned()),
            ..trace
        };
        assert!(reflect(&wrong).takeaways.is_empty());
    }
}
