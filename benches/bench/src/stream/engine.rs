//! The engine as a predictor: solved cases are bullets, the retrieval finds those that are like the question, and
//! they vote.
//!
//! A case is put into words that ranking can weigh: the sentence, the terms near the value once more under names
//! of their own, so that nearness counts, and the label, whose parts are words too. The kind of value is the
//! topic of the bullet, and retrieval asks for that topic.

use std::collections::BTreeMap;

use super::Predictor;
use super::case::{Case, Near};
use crate::error::EvalError;
use crate::learner::Learner;
use hindlore_domain::memory::bullet::MemoryType;
use hindlore_domain::memory::delta::NewBullet;
use hindlore_domain::memory::query::Query;
use hindlore_text::words::search_terms;

/// Neighbours that vote.
const NEIGHBOURS: usize = 10;
/// The exponent of a neighbour's score: near ones count for more.
const POWER: i32 = 4;
/// Tokens to the right of the value that are named by their side.
const SIDE: usize = 2;

/// Solved cases in a memory.
pub(super) struct Engine(Learner);

impl Engine {
    /// Knows nothing yet.
    pub(super) fn new() -> Result<Self, EvalError> {
        Learner::new("stream").map(Self)
    }
}

impl Predictor for Engine {
    fn predict(&mut self, case: &Case) -> Option<String> {
        let near = case.near();
        let mut query = Query::new(words(case, &near));
        query.top_k = NEIGHBOURS;
        query.topic = Some(kind(&near).to_owned());
        let hits = self.0.ask(&query);
        let mut votes: BTreeMap<String, (f64, usize)> = BTreeMap::new();
        for (rank, hit) in hits.iter().enumerate() {
            let label = self.0.get(hit.id)?.tags.into_iter().next()?;
            // Of equal votes the label of the nearer neighbour wins.
            votes.entry(label).or_insert((0.0, rank)).0 += hit.score.powi(POWER);
        }
        let better = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1));
        let best = votes.into_iter().max_by(|a, b| better(&a.1, &b.1))?;
        Some(best.0)
    }

    fn learn(&mut self, cases: &[Case]) -> Result<(), EvalError> {
        let bullet = |case: &Case| {
            let near = case.near();
            NewBullet {
                content: format!("{}\nLabel: {}", words(case, &near), case.label),
                memory_type: Some(MemoryType::Semantic),
                tags: vec![case.label.clone()],
                topic: Some(kind(&near).to_owned()),
                ..NewBullet::default()
            }
        };
        self.0.learn(cases.iter().map(bullet).collect())
    }
}

/// The sentence, after the text near the value.
fn words(case: &Case, near: &Near<'_>) -> String {
    let mut out = String::new();
    for token in near.left.iter().chain(&near.right) {
        for term in search_terms(&letters(token)) {
            out.push_str(&format!("near{term} "));
        }
    }
    let after = near.left.last().map(|token| ("after", token));
    let before = near.right.iter().take(SIDE).map(|token| ("before", token));
    for (side, token) in after.into_iter().chain(before) {
        out.push_str(&format!("{side}{} ", letters(token)));
    }
    out.push('\n');
    out.push_str(&case.sentence);
    out
}

/// The letters of a token, a sign of money or share by its name.
fn letters(token: &str) -> String {
    match token {
        "$" => "dollar".to_owned(),
        "€" => "euro".to_owned(),
        "£" => "pound".to_owned(),
        "%" => "percent".to_owned(),
        token => token
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphabetic())
            .collect(),
    }
}

/// The kind of value, by its neighbours.
fn kind(near: &Near<'_>) -> &'static str {
    match (near.left.last().copied(), near.right.first().copied()) {
        (Some("$" | "€" | "£"), _) => "money",
        (_, Some("%" | "percent")) => "percent",
        (_, Some("year" | "years" | "month" | "months" | "day" | "days")) => "time",
        _ => "other",
    }
}
