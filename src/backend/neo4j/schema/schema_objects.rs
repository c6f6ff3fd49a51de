//! The constraints and indexes of the migrations, compared with those of a database.
//!
//! Names do not matter: any equivalent item for the same labels and properties counts, even if another program made it.
//! One with our name that does something else does not.

use super::migrations::Migration;
use crate::bolt::executor::Executor;
use crate::bolt::values::Map;
use crate::bolt::work::send;
use crate::error::Result;
use crate::statements::{CONSTRAINTS, INDEXES, Statement};

/// The state of a constraint or an index in a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It exists, under this name and in this state: `ONLINE`, `POPULATING` or `FAILED`.
    There {
        /// Its name, which need not be ours.
        name: String,
        /// Its state.
        state: String,
    },
    /// It is missing.
    Missing,
    /// It is missing, and cannot be created while another item exists.
    Barred {
        /// The item in the way.
        by: String,
        /// The statement that takes it away.
        remedy: String,
    },
}

/// A constraint or an index of a migration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaItem {
    /// Its name.
    pub name: &'static str,
    /// The migration that creates it.
    pub migration: &'static str,
    /// True for a constraint, false for an index.
    pub is_constraint: bool,
    /// Its state.
    pub standing: Standing,
}

impl SchemaItem {
    /// True when it exists, in any state.
    pub fn is_there(&self) -> bool {
        matches!(self.standing, Standing::There { .. })
    }
}

/// The labels and properties of a constraint or an index.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Subject {
    is_of_nodes: bool,
    labels: Vec<String>,
    properties: Vec<String>,
}

impl Subject {
    fn shown(&self) -> String {
        let (labels, properties) = (self.labels.join("|"), self.properties.join(", "));
        if self.is_of_nodes {
            format!("(:{labels} {{{properties}}})")
        } else {
            format!("()-[:{labels} {{{properties}}}]-()")
        }
    }
}

/// A constraint or an index that a statement creates.
pub(crate) struct Wanted {
    pub(super) statement: Statement,
    name: &'static str,
    is_constraint: bool,
    subject: Subject,
}

impl Wanted {
    /// Parses a statement; `None` when it creates neither.
    pub(super) fn from_statement(statement: Statement) -> Option<Self> {
        let text = statement.body();
        let mut words = text.split_whitespace();
        let (first, kind, name) = (words.next()?, words.next()?, words.next()?);
        let is_one = first == "CREATE" && matches!(kind, "CONSTRAINT" | "INDEX");
        let (_, rest) = text.split_once("FOR ").filter(|_| is_one)?;
        let (pattern, on) = rest
            .split_once(" REQUIRE ")
            .or_else(|| rest.split_once(" ON "))?;
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let label = pattern.split_once(':')?.1.split(|c| !is_name(c)).next()?;
        let properties = on.split('.').skip(1);
        let properties = properties.filter_map(|part| part.split(|c| !is_name(c)).next());
        Some(Self {
            statement,
            name,
            is_constraint: kind == "CONSTRAINT",
            subject: Subject {
                is_of_nodes: !pattern.contains("-["),
                labels: vec![label.to_owned()],
                properties: properties.map(str::to_owned).collect(),
            },
        })
    }

    /// A description for people.
    pub(super) fn shown(&self) -> String {
        let kind = kind_of(self.is_constraint);
        format!("{kind} `{}` on {}", self.name, self.subject.shown())
    }

    fn standing(&self, found: &[Found]) -> Standing {
        let does_it = |one: &&Found| one.does(self.is_constraint) && one.subject == self.subject;
        if let Some(one) = found.iter().find(does_it) {
            return Standing::There {
                name: one.name.clone(),
                state: state_of(one, found),
            };
        }
        let has_name = |one: &&Found| one.name == self.name;
        // The server refuses a constraint where an index of the same subject exists.
        let is_in_the_way = |one: &&Found| {
            self.is_constraint && one.is_plain_index() && one.subject == self.subject
        };
        let barrier = found.iter().find(has_name);
        match barrier.or_else(|| found.iter().find(is_in_the_way)) {
            None => Standing::Missing,
            Some(one) => Standing::Barred {
                by: one.shown(),
                remedy: one.dropped(),
            },
        }
    }
}

/// The constraints and indexes that a migration creates.
pub(super) fn wanted(migration: &Migration) -> impl Iterator<Item = Wanted> {
    migration.statements().filter_map(Wanted::from_statement)
}

/// True if a migration only creates constraints and indexes: engines that do not know it may still read and write.
pub(super) fn expands(migration: &Migration) -> bool {
    let mut statements = migration.statements();
    statements.all(|one| Wanted::from_statement(one).is_some())
}

fn kind_of(is_constraint: bool) -> &'static str {
    if is_constraint { "constraint" } else { "index" }
}

/// A constraint or an index that a database has.
struct Found {
    name: String,
    is_constraint: bool,
    /// The server's word for its type.
    sort: String,
    subject: Subject,
    /// The state of an index; a constraint has the state of the index that it owns, under the same name.
    state: Option<String>,
    /// How much of an index is made, in percent.
    share: u64,
    is_owned: bool,
}

impl Found {
    /// True when it makes its subject unique (`unique`), or is a range index of it.
    fn does(&self, unique: bool) -> bool {
        if unique {
            self.is_constraint && (self.sort.ends_with("UNIQUENESS") || self.sort.ends_with("KEY"))
        } else {
            !self.is_constraint && self.sort == "RANGE"
        }
    }

    fn is_plain_index(&self) -> bool {
        !self.is_constraint && !self.is_owned && self.sort == "RANGE"
    }

    fn shown(&self) -> String {
        let kind = kind_of(self.is_constraint);
        format!("the {kind} `{}` on {}", self.name, self.subject.shown())
    }

    fn dropped(&self) -> String {
        let kind = kind_of(self.is_constraint).to_uppercase();
        let is_plain = self.name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_plain {
            format!("DROP {kind} {}", self.name)
        } else {
            format!("DROP {kind} `{}`", self.name.replace('`', "``"))
        }
    }
}

fn state_of(one: &Found, found: &[Found]) -> String {
    let of_index = found
        .iter()
        .find(|index| !index.is_constraint && index.name == one.name);
    let state = one
        .state
        .as_ref()
        .or(of_index.and_then(|index| index.state.as_ref()));
    state.map_or_else(|| "FAILED".to_owned(), Clone::clone)
}

async fn found(executor: &Executor) -> Result<Vec<Found>> {
    let mut found = Vec::new();
    for (statement, is_constraint) in [(CONSTRAINTS, true), (INDEXES, false)] {
        for row in send(executor, statement, Map::new()).await? {
            let state = if is_constraint {
                None
            } else {
                Some(row.get("state")?)
            };
            let share: f64 = if is_constraint {
                100.0
            } else {
                row.get("share")?
            };
            found.push(Found {
                share: share as u64,
                name: row.get("name")?,
                is_constraint,
                sort: row.get("sort")?,
                subject: Subject {
                    is_of_nodes: row.get::<String>("entity")? == "NODE",
                    labels: row.get("labels")?,
                    properties: row.get("properties")?,
                },
                state,
                is_owned: !is_constraint && row.get::<Option<String>>("owner")?.is_some(),
            });
        }
    }
    Ok(found)
}

/// Compares all constraints and indexes of the migrations with those of a database: their states, and the constraints of
/// other programs that may refuse nodes of ours, each with the statement that takes it away.
pub(super) async fn compared(
    executor: &Executor,
    wanted: impl Iterator<Item = (&'static str, Wanted)>,
) -> Result<(Vec<SchemaItem>, Vec<(String, String)>)> {
    let found = found(executor).await?;
    let wanted: Vec<_> = wanted.collect();
    let collisions = collisions(&found, &wanted);
    let items = wanted.into_iter().map(|(migration, wanted)| SchemaItem {
        name: wanted.name,
        migration,
        is_constraint: wanted.is_constraint,
        standing: wanted.standing(&found),
    });
    Ok((items.collect(), collisions))
}

/// Properties that nodes of ours have under names that other programs use as well.
const SHARED: [&str; 9] = [
    "id", "name", "title", "content", "rule", "status", "kind", "tenant", "learner",
];

/// Constraints on labels of ours, and on properties that ours have as well, or must have and have not.
fn collisions(found: &[Found], wanted: &[(&str, Wanted)]) -> Vec<(String, String)> {
    let ours = || wanted.iter().map(|(_, wanted)| &wanted.subject);
    let is_label = |one: &Found| {
        let is_same = |ours: &Subject| {
            ours.is_of_nodes == one.subject.is_of_nodes && ours.labels == one.subject.labels
        };
        ours().any(is_same)
    };
    let refuses = |one: &Found| {
        let mut names = one.subject.properties.iter();
        // A unique one refuses properties that we have, any other one properties that we lack.
        one.does(true) == names.all(|name| SHARED.contains(&name.as_str()))
    };
    let is_ours = |one: &Found| ours().any(|ours| *ours == one.subject);
    let foreign = found
        .iter()
        .filter(|one| one.is_constraint && is_label(one) && !is_ours(one) && refuses(one));
    foreign.map(|one| (one.shown(), one.dropped())).collect()
}

/// How much of an item is made, in percent; 0 before the server has begun.
pub(super) async fn share_of(executor: &Executor, wanted: &Wanted) -> Result<u64> {
    let found = found(executor).await?;
    let index = found
        .iter()
        .find(|one| !one.is_constraint && one.subject == wanted.subject);
    Ok(index.map_or(0, |one| one.share))
}

/// An index of these that is not made yet: its name, and how much of it is, in percent.
pub(super) async fn populating(
    executor: &Executor,
    wanted: &[Wanted],
) -> Result<Option<(String, u64)>> {
    let found = found(executor).await?;
    let mut left = found.iter().filter(|one| {
        one.state.as_deref() == Some("POPULATING")
            && wanted.iter().any(|wanted| wanted.subject == one.subject)
    });
    Ok(left.next().map(|one| (one.name.clone(), one.share)))
}

/// The state of one of them.
pub(super) async fn standing(executor: &Executor, wanted: &Wanted) -> Result<Standing> {
    Ok(wanted.standing(&found(executor).await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(text: &'static str) -> Wanted {
        Wanted::from_statement(Statement { name: "test", text }).unwrap()
    }

    fn there(name: &str, sort: &str, label: &str, properties: &[&str]) -> Found {
        Found {
            name: name.to_owned(),
            is_constraint: sort.ends_with("UNIQUENESS"),
            sort: sort.to_owned(),
            subject: Subject {
                is_of_nodes: !sort.starts_with("RELATIONSHIP"),
                labels: vec![label.to_owned()],
                properties: properties.iter().map(|one| (*one).to_owned()).collect(),
            },
            state: Some("ONLINE".to_owned()),
            share: 100,
            is_owned: false,
        }
    }

    #[test]
    fn statements_are_read_for_what_they_make() {
        let unique = wanted(
            "CREATE CONSTRAINT a IF NOT EXISTS\nFOR (n:Delta) REQUIRE (n.memory, n.revision) IS UNIQUE",
        );
        assert_eq!(
            unique.shown(),
            "constraint `a` on (:Delta {memory, revision})"
        );
        let index = wanted("CREATE INDEX b IF NOT EXISTS\nFOR ()-[r:FOLLOWS]-() ON (r.memory)");
        assert_eq!(index.shown(), "index `b` on ()-[:FOLLOWS {memory}]-()");
        let other = "MATCH (n) RETURN n";
        assert!(
            Wanted::from_statement(Statement {
                name: "test",
                text: other
            })
            .is_none()
        );
    }

    #[test]
    fn only_what_does_the_same_stands_for_it() {
        let bullet = wanted("CREATE CONSTRAINT a FOR (n:Bullet) REQUIRE n.key IS UNIQUE");
        let one = |found: Found| bullet.standing(&[found]);
        let is_there = |standing: Standing| matches!(standing, Standing::There { .. });
        assert!(is_there(one(there(
            "other",
            "UNIQUENESS",
            "Bullet",
            &["key"]
        ))));
        for (name, sort, subject) in [
            ("b", "UNIQUENESS", ("Slide", ["key"])),
            ("b", "UNIQUENESS", ("Bullet", ["id"])),
            ("b", "RELATIONSHIP_UNIQUENESS", ("Bullet", ["key"])),
            ("b", "TEXT", ("Bullet", ["key"])),
        ] {
            let (label, properties) = subject;
            let standing = one(there(name, sort, label, &properties));
            assert_eq!(standing, Standing::Missing, "{sort} {label}");
        }
        let taken = one(there("a", "UNIQUENESS", "Slide", &["key"]));
        let Standing::Barred { by, remedy } = taken else {
            panic!("{taken:?}");
        };
        assert_eq!(by, "the constraint `a` on (:Slide {key})");
        assert_eq!(remedy, "DROP CONSTRAINT a");
        let index = one(there("i", "RANGE", "Bullet", &["key"]));
        assert!(matches!(index, Standing::Barred { .. }), "{index:?}");
    }
}
