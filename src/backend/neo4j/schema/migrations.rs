//! The migrations of the graph, in order. A released migration never changes.
//!
//! A migration changes the schema or data, never both. One that only creates constraints and indexes expands: engines
//! that do not know it keep working. The statements of any other are sent in order; each must be repeatable, because an
//! interrupted migration is applied again from its beginning.

use crate::statements::Statement;
use hindlore_primitives::identity::{derived_hash, hex};

/// Marks our migrations among those of other programs.
pub(crate) const TARGET: &str = "hindlore";

/// One migration: a file of statements, each ended by a semicolon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Migration {
    /// Its name: `V`, a number of three digits, two underscores, and a description.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

/// All migrations, in order.
pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
        name: "V001__schema",
        text: include_str!("../../../../cypher/migrations/V001__schema.cypher"),
    },
    Migration {
        name: "V002__retention",
        text: include_str!("../../../../cypher/migrations/V002__retention.cypher"),
    },
];

impl Migration {
    /// Its number.
    pub(super) fn version(&self) -> &'static str {
        self.name.get(1..4).unwrap_or(self.name)
    }

    /// Its description.
    pub(super) fn description(&self) -> &'static str {
        self.name.get(6..).unwrap_or_default()
    }

    /// A hash of its name and text, which reveals a changed migration.
    pub(super) fn checksum(&self) -> String {
        hex(&derived_hash(&[self.name, self.text]))
    }

    /// Its statements, in order.
    pub(super) fn statements(&self) -> impl Iterator<Item = Statement> {
        let name = self.name;
        let all = self.text.split(';').map(str::trim);
        all.filter(|text| !text.is_empty())
            .map(move |text| Statement { name, text })
    }
}
