//! The migrations of the graph, in their order. A released one never changes.

use super::lessons::audit_rows::DECISION_TURNS;
use super::lessons::lesson_rows::WRONG_FORM_TURNS;
use super::lessons::run_node::METRICS_TURN;
use super::lessons::run_rows::{KEY_TURN, TRAJECTORY_TURNS};
use super::lessons::seal::TURNS;
use super::naming::Naming;
use super::origins;
use super::policies;
use super::statements::{Statement, Turn};
use hindlore_domain::identity::{derived_hash, hex};

/// One migration.
pub(super) struct Migration {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    pub(super) work: Does,
}

/// The kind of a migration. The first three are of databases with plain names: in one that begins with prefixed names
/// they are recorded as applied, and do nothing.
#[derive(Clone, Copy)]
pub(super) enum Does {
    /// Retired: a later migration creates everything again under names of our own.
    Nothing,
    /// Creates constraints and indexes of plain names.
    PlainSchema,
    /// Changes data: of each pair of statements, the first reads rows and the second writes what the function makes of
    /// them.
    PlainData(&'static [Turn]),
    /// Creates constraints and indexes.
    Schema,
    /// Renames the plain names, which ends the sharing with older engines; applied on demand.
    Contract,
    /// Creates what can only be there after that.
    SchemaAfterContract,
    /// Turns the times of older engines into dates, which ends the sharing with engines that do not know them; applied on
    /// demand.
    Dates,
    /// Changes data as [`Self::PlainData`] does, after that; applied on demand.
    Data(&'static [Turn]),
}

/// All migrations, in their order.
pub(super) const MIGRATIONS: &[Migration] = &[
    Migration {
        name: "V001__identities",
        text: include_str!("../../../cypher/migrations/V001__identities.cypher"),
        work: Does::Nothing,
    },
    Migration {
        name: "V002__ways_in",
        text: include_str!("../../../cypher/migrations/V002__ways_in.cypher"),
        work: Does::Nothing,
    },
    Migration {
        name: "V003__lesson_identities",
        text: include_str!("../../../cypher/migrations/V003__lesson_identities.cypher"),
        work: Does::Nothing,
    },
    Migration {
        name: "V004__lesson_orders",
        text: include_str!("../../../cypher/migrations/V004__lesson_orders.cypher"),
        work: Does::Nothing,
    },
    Migration {
        name: "V005__own_names",
        text: include_str!("../../../cypher/migrations/V005__own_names.cypher"),
        work: Does::PlainSchema,
    },
    Migration {
        name: "V006__one_truth",
        text: include_str!("../../../cypher/migrations/V006__one_truth.cypher"),
        work: Does::PlainData(TURNS),
    },
    Migration {
        name: "V007__erasures",
        text: include_str!("../../../cypher/migrations/V007__erasures.cypher"),
        work: Does::PlainSchema,
    },
    Migration {
        name: "V008__records",
        text: include_str!("../../../cypher/migrations/V008__records.cypher"),
        work: Does::Schema,
    },
    Migration {
        name: "V009__wrong_form_order",
        text: include_str!("../../../cypher/migrations/V009__wrong_form_order.cypher"),
        work: Does::PlainSchema,
    },
    Migration {
        name: "V010__wrong_forms",
        text: include_str!("../../../cypher/migrations/V010__wrong_forms.cypher"),
        work: Does::PlainData(WRONG_FORM_TURNS),
    },
    Migration {
        name: "V011__newer_values",
        text: include_str!("../../../cypher/migrations/V011__newer_values.cypher"),
        work: Does::PlainSchema,
    },
    Migration {
        name: "V012__decision_order",
        text: include_str!("../../../cypher/migrations/V012__decision_order.cypher"),
        work: Does::PlainSchema,
    },
    Migration {
        name: "V013__decisions_in_time",
        text: include_str!("../../../cypher/migrations/V013__decisions_in_time.cypher"),
        work: Does::PlainData(DECISION_TURNS),
    },
    Migration {
        name: "V014__trajectories",
        text: include_str!("../../../cypher/migrations/V014__trajectories.cypher"),
        work: Does::PlainSchema,
    },
    Migration {
        name: "V015__consolidations",
        text: include_str!("../../../cypher/migrations/V015__consolidations.cypher"),
        work: Does::PlainSchema,
    },
    Migration {
        name: "V017__runs_are_trajectories",
        text: include_str!("../../../cypher/migrations/V017__runs_are_trajectories.cypher"),
        work: Does::PlainData(TRAJECTORY_TURNS),
    },
    Migration {
        name: "V018__prefixed_names",
        text: include_str!("../../../cypher/migrations/V018__prefixed_names.cypher"),
        work: Does::Schema,
    },
    Migration {
        name: "V019__plain_names_go",
        text: include_str!("../../../cypher/migrations/V019__plain_names_go.cypher"),
        work: Does::Contract,
    },
    Migration {
        name: "V020__hash_identity",
        text: include_str!("../../../cypher/migrations/V020__hash_identity.cypher"),
        work: Does::SchemaAfterContract,
    },
    Migration {
        name: "V021__times_are_dates",
        text: include_str!("../../../cypher/migrations/V021__times_are_dates.cypher"),
        work: Does::Dates,
    },
    Migration {
        name: "V022__policy_identity",
        text: include_str!("../../../cypher/migrations/V022__policy_identity.cypher"),
        work: Does::Schema,
    },
    Migration {
        name: "V023__properties_and_seals",
        text: include_str!("../../../cypher/migrations/V023__properties_and_seals.cypher"),
        work: Does::Data(PROPERTY_TURNS),
    },
];

/// What older engines wrote as JSON: policies and metrics; then what they told once.
const PROPERTY_TURNS: &[Turn] = &[policies::TURN, METRICS_TURN, KEY_TURN, origins::TURN];

impl Migration {
    /// Its number.
    pub(super) fn version(&self) -> &'static str {
        self.name.get(1..4).unwrap_or(self.name)
    }

    /// What tells whether it was applied in this form.
    pub(super) fn checksum(&self) -> String {
        hex(&derived_hash(&[self.name, self.text]))
    }

    /// True if engines that do not know it may still read and write.
    pub(super) fn expands(&self) -> bool {
        matches!(self.work, Does::Schema | Does::PlainSchema | Does::Nothing)
    }

    /// True if it waits until somebody asks for it.
    pub(super) fn is_on_demand(&self) -> bool {
        match self.work {
            Does::Contract | Does::SchemaAfterContract | Does::Dates | Does::Data(_) => true,
            Does::Nothing | Does::PlainSchema | Does::PlainData(_) | Does::Schema => false,
        }
    }

    /// True if it changes what engines share in a database that has this naming, so that somebody must ask for it.
    pub(super) fn waits_in(&self, naming: Naming) -> bool {
        match self.work {
            Does::Contract | Does::SchemaAfterContract => naming == Naming::Plain,
            Does::Dates | Does::Data(_) => naming != Naming::Dated,
            Does::Nothing | Does::PlainSchema | Does::PlainData(_) | Does::Schema => false,
        }
    }

    /// Its statements, in their order.
    pub(super) fn statements(&self) -> impl Iterator<Item = Statement> {
        let name = self.name;
        let all = self.text.split(';').map(str::trim);
        all.filter(|text| !text.is_empty())
            .map(move |text| Statement { name, text })
    }
}
