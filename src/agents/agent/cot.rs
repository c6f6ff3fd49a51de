//! One line of thought, or several: the answer that most of them end with.

use super::critic;
use super::events::TurnLog;
use super::plan::AnswerForm;
use super::turn::Turn;
use crate::model::{Message, Model, ModelError, Request};

/// Makes the drafts that are missing, and takes the majority's.
pub(super) async fn solve(
    model: &dyn Model,
    turn: &mut Turn,
    prompt: &[Message],
    log: TurnLog<'_>,
) -> Result<(), ModelError> {
    let Some(plan) = turn.plan else { return Ok(()) };
    let wanted = usize::try_from(plan.drafts.max(1)).unwrap_or(1);
    while turn.drafts.len() < wanted {
        let request = Request {
            temperature: Some(plan.temperature),
            ..Request::new(asked(prompt, plan.form))
        };
        match model.complete(&request).await {
            Ok(reply) => {
                log.thought("cot", &reply.text);
                turn.drafts.push(reply.text);
            }
            // Some drafts are better than none.
            Err(error) if !turn.drafts.is_empty() => {
                turn.notes.push(format!(
                    "{} of {wanted} drafts were made: {error}",
                    turn.drafts.len()
                ));
                break;
            }
            Err(error) => return Err(error),
        }
    }
    turn.raw = majority(&turn.drafts).unwrap_or_default().to_owned();
    Ok(())
}

fn asked(prompt: &[Message], form: AnswerForm) -> Vec<Message> {
    let mut messages = prompt.to_vec();
    if form == AnswerForm::Whole {
        return messages;
    }
    messages.push(Message::system(
        "Think step by step, then give the answer alone on a last line that begins with `Answer:`. If you used notes of the \
         memory, name their ids on a line before it that begins with `Used:`.",
    ));
    messages
}

/// The first draft of the answer that most drafts end with; of answers with equal numbers, the one given first.
pub fn majority(drafts: &[String]) -> Option<&str> {
    let answers: Vec<String> = drafts
        .iter()
        .map(|draft| critic::normal(&critic::answer_in(draft)))
        .collect();
    let votes = |answer: &String| answers.iter().filter(|other| *other == answer).count();
    let best = answers.iter().map(votes).max()?;
    let winner = answers.iter().position(|answer| votes(answer) == best)?;
    drafts.get(winner).map(String::as_str)
}
