//! The memory of an agent without a memory: its last messages.
//!
//! The other memories learn from the conversation, so added texts count as messages of the assistant. The
//! query itself is in every prompt, and in none of the memories.

use std::time::Instant;

use super::result::{means, near_duplicates};
use super::trace::{Step, Trace};
use hindlore_api::responses::compared::{ComparedAnswer, ComparedMemory, ComparedText};
use hindlore_domain::memory::delta::Operation;

/// The last messages.
pub(super) struct Transcript {
    last: usize,
    said: Vec<(String, String)>,
    answers: Vec<ComparedAnswer>,
}

impl Transcript {
    /// A transcript of at most `last` messages.
    pub(super) fn new(last: usize) -> Self {
        Self {
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
                Step::Ask { query, .. } => self.ask(query),
            }
        }
        let (prompt_chars, prompt_tokens, retrieve_ms) = means(&self.answers);
        let kept = &self.said[self.first()..];
        ComparedMemory {
            memory: "transcript",
            about: "the last messages, unselected",
            size: kept.len(),
            put_away: self.first(),
            near_duplicates: near_duplicates(kept.iter().map(|(_, text)| text.as_str())),
            kept_apart: 0,
            prompt_chars,
            prompt_tokens,
            learn_ms: 0.0,
            retrieve_ms,
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

    fn ask(&mut self, query: &str) {
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
        self.answers.push(answer);
    }
}
