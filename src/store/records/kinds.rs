//! The list of all kinds; no other kind can be stored.

use super::api_key::API_KEY;
use super::conversation::CONVERSATION;
use super::embedding::{EMBEDDING, EMBEDDING_MODEL};
use super::kind::Kind;
use super::playbook::{PLAYBOOK, PLAYBOOK_VERSION, STRATEGY};
use super::proposal::PROPOSAL;
use super::receipt::RECEIPT;
use super::reflection::REFLECTION;
use super::sharing::{GROUP, PRINCIPAL, SHARE_NOTE, SHARED_OBJECT};
use super::testimony::TESTIMONY;
use super::trace_archive::TRACE_ARCHIVE;

/// All kinds.
pub const KINDS: &[&Kind] = &[
    &API_KEY,
    &CONVERSATION,
    &EMBEDDING,
    &EMBEDDING_MODEL,
    &GROUP,
    &PLAYBOOK,
    &PLAYBOOK_VERSION,
    &PRINCIPAL,
    &PROPOSAL,
    &RECEIPT,
    &REFLECTION,
    &SHARED_OBJECT,
    &SHARE_NOTE,
    &STRATEGY,
    &TESTIMONY,
    &TRACE_ARCHIVE,
];

/// The kind with a label.
pub fn kind_with_label(label: &str) -> Option<&'static Kind> {
    KINDS.iter().copied().find(|kind| kind.label == label)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::records::kind::{Direction, EdgeKind, ORDERS_MAX};
    use crate::records::learners::Names;

    #[test]
    fn what_is_declared_can_be_kept() {
        let labels: BTreeSet<&str> = KINDS.iter().map(|kind| kind.label).collect();
        assert_eq!(labels.len(), KINDS.len());
        for kind in KINDS {
            let orders: BTreeSet<&&str> = kind.orders.iter().collect();
            assert_eq!(orders.len(), kind.orders.len(), "{}", kind.label);
            assert!(kind.orders.len() <= ORDERS_MAX, "{}", kind.label);
            let edges: BTreeSet<&str> = kind.edges.iter().map(|edge| edge.name).collect();
            assert_eq!(edges.len(), kind.edges.len(), "{}", kind.label);
            for edge in kind.edges {
                assert!(labels.contains(edge.other), "{}: {}", kind.label, edge.name);
            }
        }
    }

    #[test]
    fn a_kind_that_names_other_learners_can_be_searched_for_them() {
        for kind in KINDS {
            let learners = &kind.learners;
            let names_others = learners.names.iter().any(|place| *place != Names::Owner);
            assert_eq!(names_others, learners.listed_in.is_some(), "{}", kind.label);
            if let Some(order) = learners.listed_in {
                assert!(kind.order_number(order).is_some(), "{}", kind.label);
            }
        }
    }

    #[test]
    fn every_record_can_be_reached_from_its_learner() {
        for kind in KINDS.iter().filter(|kind| kind.held_as.is_none()) {
            let hangs = |edge: &EdgeKind| edge.direction == Direction::Incoming;
            assert!(kind.edges.iter().any(hangs), "{}", kind.label);
        }
    }
}
