//! A beam of rated thoughts: at each depth every kept thought is carried on a few ways, all are rated, the best are kept.

use serde_json::{Value, json};

use super::events::TurnLog;
use super::plan::AnswerForm;
use super::turn::Turn;
use super::work::Thought;
use crate::model::ask::Unanswered;
use crate::model::fence::fenced;
use crate::model::{Message, Model, Shape, ask};

/// The context for continuing a thought.
#[derive(Debug)]
struct Branches(Vec<(String, f64)>);

impl Shape for Branches {
    const NAME: &'static str = "rated_thoughts";

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {"thoughts": {"type": "array", "items": {
                "type": "object",
                "properties": {"thought": {"type": "string"}, "rating": {"type": "number"}},
                "required": ["thought", "rating"],
                "additionalProperties": false,
            }}},
            "required": ["thoughts"],
            "additionalProperties": false,
        })
    }

    fn read(value: &Value) -> Result<Self, String> {
        let list = value
            .get("thoughts")
            .and_then(Value::as_array)
            .ok_or("`thoughts` is no list")?;
        let mut all = Vec::new();
        for (place, item) in list.iter().enumerate() {
            let thought = item.get("thought").and_then(Value::as_str);
            let thought =
                thought.ok_or_else(|| format!("`thoughts[{place}].thought` is no text"))?;
            let rating = item
                .get("rating")
                .and_then(Value::as_f64)
                .filter(|rating| rating.is_finite());
            let rating =
                rating.ok_or_else(|| format!("`thoughts[{place}].rating` is no number"))?;
            // Models rate out of 10 and of 100 as well.
            let rating = if rating > 10.0 {
                rating / 100.0
            } else if rating > 1.0 {
                rating / 10.0
            } else {
                rating
            };
            all.push((thought.trim().to_owned(), rating.clamp(0.0, 1.0)));
        }
        all.retain(|(thought, _)| !thought.is_empty());
        if all.is_empty() {
            Err("`thoughts` is empty".to_owned())
        } else {
            Ok(Self(all))
        }
    }
}

/// Searches, and leaves the best chain's end as the answer.
pub(super) async fn solve(
    model: &dyn Model,
    turn: &mut Turn,
    prompt: &[Message],
    log: TurnLog<'_>,
) -> Result<(), Unanswered> {
    let Some(plan) = turn.plan else { return Ok(()) };
    let breadth = usize::try_from(plan.breadth.max(1)).unwrap_or(1);
    let done = turn.beam.first().map_or(0, |thought| thought.depth);
    for depth in done + 1..=plan.depth {
        let open: Vec<Thought> = if turn.beam.is_empty() {
            vec![Thought {
                chain: Vec::new(),
                rating: 1.0,
                depth: 0,
            }]
        } else {
            turn.beam.clone()
        };
        let end = (depth == plan.depth).then_some(plan.form);
        let mut next = Vec::new();
        let mut failed = None;
        for thought in &open {
            let messages = asked(prompt, &thought.chain, (breadth, end));
            let asked = ask::<Branches>(model, messages, Some(plan.temperature)).await;
            turn.refused.extend(asked.refused);
            match asked.answer {
                Ok(branches) => {
                    for (text, rating) in &branches.0 {
                        log.branch(depth, *rating, text);
                    }
                    next.push((thought.clone(), branches.0));
                }
                Err(why) => failed = Some(why),
            }
        }
        let kept = best(&next, breadth, depth);
        if kept.is_empty() {
            match failed {
                // The thoughts so far are kept.
                Some(why) if !turn.beam.is_empty() => {
                    turn.notes
                        .push(format!("the search ended at depth {}: {why}", depth - 1));
                    break;
                }
                Some(why) => return Err(why),
                None => break,
            }
        }
        for one in &kept {
            log.thought("tot", one.chain.last().map_or("", String::as_str));
        }
        turn.beam = kept;
    }
    let first = turn.beam.first().and_then(|thought| thought.chain.last());
    turn.raw = first.cloned().unwrap_or_default();
    Ok(())
}

fn asked(
    prompt: &[Message],
    chain: &[String],
    (breadth, end): (usize, Option<AnswerForm>),
) -> Vec<Message> {
    let mut messages = prompt.to_vec();
    let so_far = if chain.is_empty() {
        String::new()
    } else {
        format!("\n{}", fenced("thoughts", &chain.join("\n")))
    };
    let what = match end {
        Some(AnswerForm::LastLine) => {
            "End each with the answer alone on a line that begins with `Answer:`."
        }
        Some(AnswerForm::Whole) => {
            "Each is now a complete answer in the form that was asked for, with nothing else."
        }
        None => "Do not answer yet.",
    };
    messages.push(Message::system(format!(
        "Give {breadth} different next thoughts on the question, each rated from 0 (leads nowhere) to 1 (leads to the \
         answer). {what} Answer with one JSON object: {{\"thoughts\": [{{\"thought\": text, \"rating\": number}}]}}.{so_far}"
    )));
    messages
}

/// The best thoughts among those that others were carried on with: by rating, then in the order in which they came.
pub fn best(carried: &[(Thought, Vec<(String, f64)>)], breadth: usize, depth: u32) -> Vec<Thought> {
    let mut all: Vec<Thought> = Vec::new();
    for (parent, branches) in carried {
        for (text, rating) in branches.iter().take(breadth) {
            let mut chain = parent.chain.clone();
            chain.push(text.clone());
            all.push(Thought {
                chain,
                rating: *rating,
                depth,
            });
        }
    }
    // A stable sort keeps the order in which equal ones came.
    all.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    all.truncate(breadth);
    all
}
