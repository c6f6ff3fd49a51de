//! Asks a model for an answer of a certain form: extracts it from the reply, reports its fault, asks again, and gives
//! up after three rounds.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::ModelError;
use super::extract::values;
use super::language_model::Model;
use super::message::{Form, Message, Request};

/// How often a model may try to get the form right.
pub const ROUNDS_MAX: u32 = 3;

/// Characters of a refused reply that are kept.
const KEPT_CHARS: usize = 400;

/// The form of an answer.
pub trait Shape: Sized {
    /// Its name: letters and underscores.
    const NAME: &'static str;

    /// Its JSON Schema, in the part that every vendor accepts: objects with all fields required and no others.
    fn schema() -> Value;

    /// Reads it; `Err` names them field is wrong, for the model to mend.
    fn read(value: &Value) -> Result<Self, String>;
}

/// A reply that did not fit, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refused {
    /// The round, from 1.
    pub round: u32,
    /// Its fault.
    pub why: String,
    /// Its beginning.
    pub reply: String,
}

/// The result of asking.
#[derive(Debug)]
pub struct Asked<T> {
    /// The answer, or why there is none.
    pub answer: Result<T, Unanswered>,
    /// The replies that did not fit, in order.
    pub refused: Vec<Refused>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unanswered {
    /// The model did not answer.
    #[error(transparent)]
    Error(ModelError),
    /// No reply had the form, in any round.
    #[error("no reply had the form asked for, in {} rounds", ROUNDS_MAX)]
    Misshapen,
}

/// Asks for an answer of the form `T`.
pub async fn ask<T: Shape>(
    model: &dyn Model,
    messages: Vec<Message>,
    temperature: Option<f64>,
) -> Asked<T> {
    let mut request = Request {
        messages,
        temperature,
        form: Some(Form {
            name: T::NAME,
            schema: T::schema(),
        }),
    };
    let mut refused = Vec::new();
    for round in 1..=ROUNDS_MAX {
        let reply = match model.complete(&request).await {
            Ok(reply) => reply,
            Err(error) => {
                return Asked {
                    answer: Err(Unanswered::Error(error)),
                    refused,
                };
            }
        };
        let why = match first_fitting(&reply.text) {
            Ok(answer) => {
                return Asked {
                    answer: Ok(answer),
                    refused,
                };
            }
            Err(why) if reply.is_cut => format!("{why}; the reply was cut at the limit of tokens"),
            Err(why) => why,
        };
        request
            .messages
            .push(Message::assistant(reply.text.as_str()));
        request.messages.push(Message::user(correction(&why)));
        refused.push(Refused {
            round,
            why,
            reply: reply.text.chars().take(KEPT_CHARS).collect(),
        });
    }
    Asked {
        answer: Err(Unanswered::Misshapen),
        refused,
    }
}

/// The first value in a text that has the form; else the fault of the first one.
fn first_fitting<T: Shape>(text: &str) -> Result<T, String> {
    let mut wrong = None;
    for value in values(text) {
        match T::read(&value) {
            Ok(answer) => return Ok(answer),
            Err(why) => wrong = wrong.or(Some(why)),
        }
    }
    Err(wrong.unwrap_or_else(|| "there is no JSON object in the reply".to_owned()))
}

fn correction(why: &str) -> String {
    format!(
        "That was not the form asked for: {why}. Answer again with one JSON object of that form and nothing else."
    )
}
