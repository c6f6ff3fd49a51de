//! Lists the properties of bullets to which a hand has given another type.

use std::collections::{HashMap, HashSet};

use neo4rs::{BoltType, Row};

use super::bullets_by_hand::{id_of, read};
use super::by_hand::{Properties, WrongType, found, kind};
use crate::bolt::values::{Map, bullet_key, memory_key};
use crate::bolt::work::send;
use crate::error::Failure;
use crate::memory::bullets::{BulletProperties, properties as right_properties};
use crate::statements::{BULLET_VALUES, VALUES_OF_BULLET};
use crate::store::Neo4jStore;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{ShapeFault, ShapeRemedy, StoreResult, WrongValue};

/// The types of the properties of bullets in which nothing was wrong, by name.
#[derive(Default)]
struct RightTypes(HashMap<String, HashSet<&'static str>>);

impl RightTypes {
    /// True if a bullet can be read as it is and each of its properties has a known right type. To compare each property
    /// of each bullet with the one that the engine would write costs several times as much.
    fn fit(&self, row: &Row, properties: &Properties) -> bool {
        let is_right = |(name, value): (&String, &BoltType)| {
            let known = self.0.get(name);
            known.is_some_and(|types| types.contains(kind(value)))
        };
        properties.iter().all(is_right)
            && row
                .get::<BulletProperties>("bullet")
                .is_ok_and(|read| read.into_bullet().is_ok())
    }

    fn learn(&mut self, properties: &Properties) {
        for (name, value) in properties {
            let types = self.0.entry(name.clone()).or_default();
            types.insert(kind(value));
        }
    }
}

/// Everything that is of another type in a bullet's node, the values that are read all the same among it.
fn wrong_in(key: &MemoryKey, properties: &Properties) -> (Option<BulletId>, Vec<WrongType>) {
    let id = id_of(properties);
    let (bullet, mut wrong) = read(properties.clone());
    let memory = memory_key(key);
    let right = bullet.and_then(|bullet| right_properties(key, &memory, &bullet).ok());
    let Some(right) = right else {
        return (id, wrong);
    };
    for (name, right) in right.iter() {
        let stored = properties.get(name);
        let is_known = wrong.iter().any(|one| one.property == name);
        if is_known || stored.is_none_or(|stored| is_of_kind(stored, right)) {
            continue;
        }
        wrong.push(WrongType {
            property: name.to_owned(),
            expected: kind(right).to_owned(),
            found: stored.map(found).unwrap_or_default(),
            is_converted: true,
        });
    }
    (id, wrong)
}

/// True if a value is of the kind of another. Whole numbers and others differ by value alone.
fn is_of_kind(stored: &BoltType, right: &BoltType) -> bool {
    let is_number = |value: &BoltType| matches!(value, BoltType::Integer(_) | BoltType::Float(_));
    kind(stored) == kind(right) || (is_number(stored) && is_number(right))
}

fn fault(id: BulletId, wrong: &WrongType) -> ShapeFault {
    let WrongType {
        property,
        expected,
        found,
        is_converted,
    } = wrong;
    let todo = if *is_converted {
        "`doctor adopt` takes the value, `doctor repair` puts the recorded one back"
    } else {
        "it cannot be converted, and `doctor repair` puts the recorded value back"
    };
    ShapeFault {
        message: format!(
            "the property `{property}` of the bullet {id} is {found}, and {expected} belongs there; {todo}"
        ),
        remedy: ShapeRemedy::Repair,
        value: Some(WrongValue {
            bullet: id,
            is_converted: *is_converted,
        }),
    }
}

/// Lists the properties of another type in the bullets of a memory, or in one of them.
pub(super) async fn faults(
    store: &Neo4jStore,
    key: &MemoryKey,
    bullet: Option<BulletId>,
) -> StoreResult<Vec<ShapeFault>> {
    let memory = memory_key(key);
    let (statement, asked) = match bullet {
        None => (BULLET_VALUES, Map::new().with("memory", memory)),
        Some(id) => (
            VALUES_OF_BULLET,
            Map::new().with("bullet", bullet_key(&memory, id)),
        ),
    };
    let rows = send(&store.executor, statement, asked).await;
    let faults = rows.and_then(|rows| {
        let mut faults = Vec::new();
        let mut right = RightTypes::default();
        for row in &rows {
            let properties: Properties = row.get("bullet")?;
            // A node that is deleted while it is read has no properties.
            if properties.is_empty() {
                continue;
            }
            if right.fit(row, &properties) {
                continue;
            }
            let (id, wrong) = wrong_in(key, &properties);
            if wrong.is_empty() {
                right.learn(&properties);
            }
            let id = id.ok_or_else(|| Failure::Damaged("a bullet without an id".to_owned()))?;
            faults.extend(wrong.iter().map(|one| fault(id, one)));
        }
        Ok(faults)
    });
    faults.map_err(|failure| store.store_error("shape", failure))
}
