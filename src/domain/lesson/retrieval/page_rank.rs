//! Personalised PageRank over the nodes that a walk reached, as a way of ranking.
//!
//! The source of the idea is HippoRAG: a node at the end of many short ways matters more than one at the end of one.
//! The graph is the walked one: the error, its tags and siblings, and the lessons. Nodes are visited in
//! the order of their keys and the number of rounds is fixed, so that every machine gets the same.

use std::collections::BTreeMap;

use super::walk::{Path, Walked};
use hindlore_primitives::ids::{FingerprintId, LessonId};

/// The share that moves on from a node; the rest returns to the error.
const DAMPING: f64 = 0.85;
const ROUNDS: usize = 30;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Error,
    Fingerprint(FingerprintId),
    Tag(String),
    Lesson(LessonId),
}

/// The rank of every reached lesson.
pub(crate) fn page_rank(walked: &Walked) -> BTreeMap<LessonId, f64> {
    let mut edges: BTreeMap<Node, BTreeMap<Node, f64>> = BTreeMap::new();
    let mut link = |a: &Node, b: &Node, weight: f64| {
        for (from, to) in [(a, b), (b, a)] {
            let known = edges
                .entry(from.clone())
                .or_default()
                .entry(to.clone())
                .or_default();
            *known = known.max(weight);
        }
    };
    for (lesson, path, weight) in &walked.ways {
        let lesson = Node::Lesson(*lesson);
        match path {
            Path::Exact { fingerprint, .. } => {
                let fingerprint = Node::Fingerprint(*fingerprint);
                link(&Node::Error, &fingerprint, 1.0);
                link(&fingerprint, &lesson, 1.0);
            }
            Path::Sibling { tag, fingerprint } => {
                let (tag, fingerprint) = (Node::Tag(tag.clone()), Node::Fingerprint(*fingerprint));
                link(&Node::Error, &tag, *weight);
                link(&tag, &fingerprint, *weight);
                link(&fingerprint, &lesson, 1.0);
            }
            Path::Tag { tag } => {
                let tag = Node::Tag(tag.clone());
                link(&Node::Error, &tag, *weight);
                link(&tag, &lesson, *weight);
            }
            // To be at the same place, or to hold the same words, is no association.
            Path::Text | Path::Place | Path::WrongForm => {}
        }
    }
    let mut rank: BTreeMap<Node, f64> = BTreeMap::from([(Node::Error, 1.0)]);
    for _ in 0..ROUNDS {
        let mut next: BTreeMap<Node, f64> = BTreeMap::from([(Node::Error, 1.0 - DAMPING)]);
        for (node, share) in &rank {
            let Some(targets) = edges.get(node) else {
                continue;
            };
            let sum: f64 = targets.values().sum();
            for (target, weight) in targets {
                *next.entry(target.clone()).or_default() += DAMPING * share * weight / sum;
            }
        }
        rank = next;
    }
    let lessons = rank.into_iter().filter_map(|(node, rank)| match node {
        Node::Lesson(id) => Some((id, rank)),
        _ => None,
    });
    lessons.collect()
}
