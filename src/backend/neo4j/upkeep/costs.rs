//! Counting a learner's stored data.

use std::collections::BTreeMap;

use crate::bolt::values::{Map, owner_key};
use crate::bolt::work::send;
use crate::error::Result;
use crate::statements::COSTS;
use crate::store::Neo4jStore;
use hindlore_store::{Cost, CostKind, StoreResult};

/// Counts every kind, in the order of the kinds.
pub(super) async fn costs(
    store: &Neo4jStore,
    tenant: &str,
    learner: &str,
) -> StoreResult<Vec<Cost>> {
    let owner = owner_key(tenant, learner);
    let of = Map::new().with("owner", owner);
    let counted = async {
        let mut counted: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        for row in send(&store.executor, COSTS, of).await? {
            let numbers = (row.get("count")?, row.get("characters")?);
            counted.insert(row.get("kind")?, numbers);
        }
        Result::Ok(counted)
    };
    let counted = counted.await;
    let counted = counted.map_err(|failure| store.store_error("costs", failure))?;
    let cost = |kind: &CostKind| {
        let numbers = counted.get(kind.word()).copied();
        let (count, characters) = numbers.unwrap_or_default();
        Cost {
            kind: *kind,
            count,
            characters,
        }
    };
    Ok(CostKind::ALL.iter().map(cost).collect())
}
