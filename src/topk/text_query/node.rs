//! A need whose terms were looked up: the tree that a text is scored by.
//!
//! Terms without documents are left out when it is made. Its value never exceeds the sum of its terms, each as often as
//! it is named; bounds rely on that.

use super::Need;
use super::bm25::{idf, rarity};
use super::terms::Terms;

/// A need by the numbers of its terms.
#[derive(Debug)]
pub(super) enum Node {
    /// The best of some terms of one weight; never empty.
    Any {
        terms: Vec<usize>,
        weight: f64,
    },
    Best(Vec<Node>),
    Sum(Vec<Node>),
    /// Of known terms only; a need with an unknown one cannot be met.
    All(Vec<Node>),
}

/// A need after look-up.
#[derive(Debug)]
pub(super) struct Resolved {
    /// Absent if no document can meet it.
    pub(super) node: Option<Node>,
    /// The score of a document that has all of it, before saturation.
    pub(super) weight: f64,
}

/// Looks up a need. Its weight is that of its best known reading, or of its best reading if none is known.
pub(super) fn resolve(need: &Need, terms: &mut Terms<'_>) -> Resolved {
    match need {
        Need::Any {
            terms: names,
            weight,
        } => {
            let known = names.iter().filter_map(|name| terms.number(name)).collect();
            any(known, terms, |with| weight * idf(terms.documents(), with))
        }
        Need::Label { labels, weight } => {
            let known = labels
                .iter()
                .filter_map(|label| terms.number_of_label(*label));
            let known = known.collect();
            // A label that all documents have separates none of them.
            any(known, terms, |with| {
                weight * rarity(terms.documents(), with)
            })
        }
        Need::Best(needs) => {
            let all: Vec<Resolved> = needs.iter().map(|need| resolve(need, terms)).collect();
            let is_known = all.iter().any(|one| one.node.is_some());
            let counted = all.iter().filter(|one| one.node.is_some() == is_known);
            let weight = counted.map(|one| one.weight).fold(0.0, f64::max);
            let nodes: Vec<Node> = all.into_iter().filter_map(|one| one.node).collect();
            let node = is_known.then(|| single(nodes, Node::Best));
            Resolved { node, weight }
        }
        Need::Sum(needs) => {
            let all: Vec<Resolved> = needs.iter().map(|need| resolve(need, terms)).collect();
            let is_known = all.iter().any(|one| one.node.is_some());
            let counted = all.iter().filter(|one| one.node.is_some() == is_known);
            let weight = counted.fold(0.0, |sum, one| sum + one.weight);
            let nodes: Vec<Node> = all.into_iter().filter_map(|one| one.node).collect();
            let node = is_known.then(|| single(nodes, Node::Sum));
            Resolved { node, weight }
        }
        Need::All(needs) => {
            let all: Vec<Resolved> = needs.iter().map(|need| resolve(need, terms)).collect();
            let weight = all.iter().fold(0.0, |sum, one| sum + one.weight);
            let nodes: Option<Vec<Node>> = all.into_iter().map(|one| one.node).collect();
            let node = nodes.map(Node::All);
            Resolved { node, weight }
        }
    }
}

/// Resolves equivalent terms: a document with several has one of them.
fn any(known: Vec<usize>, terms: &Terms<'_>, weight: impl Fn(u64) -> f64) -> Resolved {
    let documents = known.iter().map(|term| terms.documents_with(*term)).sum();
    let weight = weight(terms.documents().min(documents));
    let node = (!known.is_empty()).then_some(Node::Any {
        terms: known,
        weight,
    });
    Resolved { node, weight }
}

/// Returns the only node, or the result of `several` for more.
fn single(mut nodes: Vec<Node>, several: impl Fn(Vec<Node>) -> Node) -> Node {
    match nodes.pop() {
        Some(only) if nodes.is_empty() => only,
        last => {
            nodes.extend(last);
            several(nodes)
        }
    }
}

impl Node {
    /// Returns the value in a text, from the scores of terms at weight 1; 0 for a term that it does not have.
    #[inline]
    pub(super) fn value(&self, score: &impl Fn(usize) -> f64) -> f64 {
        match self {
            Self::Any { terms, weight } => match terms.as_slice() {
                [term] => weight * score(*term),
                terms => weight * terms.iter().map(|term| score(*term)).fold(0.0, f64::max),
            },
            Self::Best(nodes) => nodes
                .iter()
                .map(|node| node.value(score))
                .fold(0.0, f64::max),
            Self::Sum(nodes) => nodes.iter().fold(0.0, |sum, node| sum + node.value(score)),
            Self::All(nodes) => {
                let mut sum = 0.0;
                for node in nodes {
                    let value = node.value(score);
                    if value <= 0.0 {
                        return 0.0;
                    }
                    sum += value;
                }
                sum
            }
        }
    }

    /// Returns true if a text meets the need, from the terms that it has.
    pub(super) fn is_met(&self, has: &impl Fn(usize) -> bool) -> bool {
        match self {
            Self::Any { terms, .. } => terms.iter().any(|term| has(*term)),
            Self::Best(nodes) | Self::Sum(nodes) => nodes.iter().any(|node| node.is_met(has)),
            Self::All(nodes) => nodes.iter().all(|node| node.is_met(has)),
        }
    }

    /// Visits each term as often as it is named, with its weight.
    pub(super) fn for_each_term(&self, visit: &mut impl FnMut(usize, f64)) {
        match self {
            Self::Any { terms, weight } => terms.iter().for_each(|term| visit(*term, *weight)),
            Self::Best(nodes) | Self::Sum(nodes) | Self::All(nodes) => {
                nodes.iter().for_each(|node| node.for_each_term(visit));
            }
        }
    }
}
