//! Counting a learner's stored data.

use rusqlite::{Transaction, params};

use crate::error::Result;
use crate::rows::Whole;
use hindlore_store::{Cost, CostKind};

/// The counted tables of each kind, joined to the learner, and the texts that are measured.
fn counted_by(kind: CostKind) -> (&'static str, &'static str) {
    match kind {
        CostKind::Bullets => ("bullets t JOIN mine USING (memory)", "length(t.content)"),
        CostKind::Deltas => (
            "deltas t JOIN mine USING (memory)",
            "length(t.body) + length(t.receipt)",
        ),
        CostKind::Retrievals => ("retrievals t JOIN mine USING (memory)", "length(t.query)"),
        CostKind::Checkpoints => (
            "checkpoints t JOIN mine USING (memory)",
            "(SELECT sum(length(body)) FROM checkpoint_pieces p WHERE p.checkpoint = t.checkpoint)",
        ),
        CostKind::Lessons => ("lessons t JOIN who USING (learner)", "length(t.rule)"),
        CostKind::Runs => ("runs t JOIN who USING (learner)", "length(t.intent)"),
        CostKind::Steps => ("steps t JOIN who USING (learner)", "length(t.action)"),
        CostKind::Errors => (
            "errors t JOIN who USING (learner)",
            "length(t.error_text) + length(t.state) + length(t.action) + length(t.state_after) + length(t.reason)",
        ),
        CostKind::Activations => ("activations t JOIN who USING (learner)", "0"),
        CostKind::Decisions => ("decisions t JOIN who USING (learner)", "length(t.body)"),
        CostKind::Receipts => ("operations t JOIN who USING (learner)", "length(t.answer)"),
    }
}

/// Counts every kind, in the order of the kinds.
pub(super) fn costs(tx: &Transaction<'_>, tenant: &str, learner: &str) -> Result<Vec<Cost>> {
    let cost = |kind: &CostKind| {
        let (of, characters) = counted_by(*kind);
        // Texts of steps are kept once, however many steps have them.
        let beside = match kind {
            CostKind::Steps => {
                "+ (SELECT coalesce(sum(length(action) + length(description)), 0)
                    FROM step_bodies JOIN who USING (learner))"
            }
            _ => "",
        };
        let mut statement = tx.prepare_cached(&format!(
            "WITH mine AS (SELECT memory FROM memories WHERE tenant = ?1 AND learner = ?2),
                who AS (SELECT learner FROM learners WHERE tenant = ?1 AND name = ?2)
             SELECT count(*), coalesce(sum({characters}), 0) {beside} FROM {of}"
        ))?;
        let counted = statement.query_row(params![tenant, learner], |row| {
            Ok(Cost {
                kind: *kind,
                count: row.get::<_, Whole>(0)?.0,
                characters: row.get::<_, Whole>(1)?.0,
            })
        })?;
        Ok(counted)
    };
    CostKind::ALL.iter().map(cost).collect()
}
