//! The prompt of an agent without an engine: nothing, its last messages, or all notes that it ever took.
//!
//! The other memories learn from the conversation, so added texts count as messages of the assistant. The
//! query itself is in every prompt, and in none of the memories.

use std::time::Instant;

use super::result::{Held, judged, means, near_duplicates};
use super::trace::{Step, Trace};
use hindlore_api::responses::compared::{ComparedAnswer, ComparedMemory, ComparedText};
use hindlore_domain::memory::delta::Operation;

/// The last messages.
pub(super) struct Transcript {
    name: &'static str,
    about: &'static str,
    last: usize,
    said: Vec<(String, String)>,
    answers: Vec<ComparedAnswer>,
}

impl Transcript {
    /// A memory that is switched off.
    pub(super) fn off() -> Self {
        Self::new("off", "no memory: the prompt is the task alone", 0)
    }

    /// A transcript of at most `last` messages.
    pub(super) fn of_last(last: usize) -> Self {
        Self::new("transcript", "the last messages, unselected", last)
    }

    /// A file of notes to which everything is appended, and which is in every prompt.
    pub(super) fn notes() -> Self {
        Self::new(
            "notes",
            "everything appended, and all of it shown",
            usize::MAX,
        )
    }

    fn new(name: &'static str, about: &'static str, last: usize) -> Self {
        Self {
            name,
            about,
            last,
            said: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// Runs a whole trace.
    pub(super) fn run(mut self, trace: &Trace) -> ComparedMemory {
        for step in &trace.steps {
            match step {
                Step::Say { role, content } => self.said.push((role.clone(), content.clone())),
                Step::Learn(delta) => self.learned(&delta.operations),
                Step::Ask { query, right, .. } => self.ask(query, right),
            }
        }
        let (prompt_chars, prompt_tokens, retrieve_ms) = means(&self.answers);
        let kept = &self.said[self.first()..];
        let held = Held {
            texts: kept.iter().map(|(_, text)| text.as_str()).collect(),
            ..Held::default()
        };
        ComparedMemory {
            memory: self.name,
            about: self.about,
            size: kept.len(),
            put_away: self.first(),
            near_duplicates: near_duplicates(kept.iter().map(|(_, text)| text.as_str())),
            kept_apart: 0,
            prompt_chars,
            prompt_tokens,
            learn_ms: 0.0,
            retrieve_ms,
            judged: judged(&trace.pairs, &self.answers, &held),
            answers: self.answers,
        }
    }

    fn learned(&mut self, operations: &[Operation]) {
        for operation in operations {
            if let Operation::Add(new) = operation {
                let content = new.content.clone();
                self.said.push(("assistant".to_owned(), content));
            }
        }
    }

    /// Index of the first message kept.
    fn first(&self) -> usize {
        self.said.len().saturating_sub(self.last)
    }

    fn ask(&mut self, query: &str, right: &[String]) {
        let began = Instant::now();
        let first = self.first();
        let kept = &self.said[first..];
        let lines: Vec<String> = kept
            .iter()
            .map(|(role, text)| format!("{role}: {text}\n"))
            .collect();
        let prompt = lines.concat();
        let ms = began.elapsed().as_secs_f64() * 1000.0;
        let places = kept.iter().enumerate().map(|(at, (_, text))| ComparedText {
            rank: at + 1,
            id: format!("message-{}", first + at + 1),
            content: text.clone(),
            score: None,
        });
        let answer = ComparedAnswer::new(query, places.collect(), &prompt, ms);
        self.answers.push(answer.judged_by(right));
    }
}
