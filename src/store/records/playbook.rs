//! Playbooks as records: one for each playbook, one for each version, and one for each state of a strategy.
//!
//! A version holds its strategies by edges with their positions. The state of a strategy is addressed by its content,
//! so versions that have it in common share one record; a state without versions is deleted with the last of them.
//!
//! ```text
//! (Learner)-[HAS_PLAYBOOK]->(Playbook)-[HAS_VERSION]->(PlaybookVersion {number})-[CONTAINS {position}]->(Strategy)
//! (Strategy)-[SUPPORTED_BY|OPPOSED_BY]->(Run)
//! ```

use super::kind::{Direction, EdgeKind, Kind, Reference};
use super::learners::OWNER_ALONE;
use super::record::{Fields, Record, RecordKey};
use crate::order_key::{OrderKey, Range};
use hindlore_domain::playbook::{
    Category, Evidence, Playbook, Scope, Stated, Strategy, Usage, Version, Visibility, playbook_id,
};
use hindlore_primitives::identity::{derived_hash, hex};
use hindlore_primitives::timestamp::Timestamp;

/// Playbooks.
pub static PLAYBOOK: Kind = Kind {
    label: "Playbook",
    held_as: Some("HAS_PLAYBOOK"),
    caption: "name",
    orders: &[BY_NAME],
    edges: &[],
    references: &[],
    learners: OWNER_ALONE,
};

/// Versions of playbooks.
pub static PLAYBOOK_VERSION: Kind = Kind {
    label: "PlaybookVersion",
    held_as: None,
    caption: "name",
    orders: &[BY_NUMBER],
    edges: &[
        EdgeKind {
            name: HAS_VERSION,
            other: "Playbook",
            direction: Direction::Incoming,
        },
        EdgeKind {
            name: CONTAINS,
            other: "Strategy",
            direction: Direction::Outgoing,
        },
    ],
    references: &[],
    learners: OWNER_ALONE,
};

/// States of strategies.
pub static STRATEGY: Kind = Kind {
    label: "Strategy",
    held_as: Some("HAS_STRATEGY"),
    caption: "pattern",
    orders: &[],
    edges: &[],
    references: &[
        Reference {
            value: SUPPORTING,
            name: "SUPPORTED_BY",
        },
        Reference {
            value: OPPOSING,
            name: "OPPOSED_BY",
        },
    ],
    learners: OWNER_ALONE,
};

/// All playbooks that are not archived before those that are, each by name.
pub const BY_NAME: &str = "by_name";
/// The versions of a playbook, newest first.
pub const BY_NUMBER: &str = "by_number";

const HAS_VERSION: &str = "HAS_VERSION";
const CONTAINS: &str = "CONTAINS";
const SUPPORTING: &str = "supporting";
const OPPOSING: &str = "opposing";

/// The key of a playbook.
pub fn playbook_key(name: &str) -> RecordKey {
    RecordKey::new(&PLAYBOOK, playbook_id(name))
}

/// The key of a version.
pub fn version_key(name: &str, number: u32) -> RecordKey {
    RecordKey::new(&PLAYBOOK_VERSION, format!("{}/{number}", playbook_id(name)))
}

/// The key of the state of a strategy: its content and its times.
pub fn strategy_key(strategy: &Strategy) -> RecordKey {
    let times = [strategy.created, strategy.updated].map(|at| at.millis().to_string());
    let hash = derived_hash(&[&strategy.canonical(), &times[0], &times[1]]);
    RecordKey::new(&STRATEGY, hex(&hash))
}

/// The playbooks of a learner, archived ones or the others, as a range of [`BY_NAME`].
pub fn playbooks(archived: bool) -> Range {
    Range::starting_with(&state_of(archived))
}

/// The versions of a playbook, newest first, from `below` on (exclusive), as a range of [`BY_NUMBER`].
pub fn versions(name: &str, below: Option<u32>) -> Range {
    let of_playbook = OrderKey::new().exact(&playbook_id(name));
    let range = Range::starting_with(&of_playbook);
    match below {
        Some(below) => {
            let last = of_playbook.greatest(below.into());
            range.after(&last.position(&version_key(name, below).id))
        }
        None => range,
    }
}

fn state_of(archived: bool) -> OrderKey {
    OrderKey::new().exact(if archived { "archived" } else { "active" })
}

/// The playbook as a record.
pub fn playbook_to_record(playbook: &Playbook) -> Record {
    let usage = playbook.usage;
    let fields = Fields::new()
        .with("name", playbook.name.as_str())
        .with("description", playbook.description.as_str())
        .with("scope", playbook.scope.word())
        .with("visibility", playbook.visibility.word())
        .with("archived", playbook.archived)
        .with("usage_count", usage.count)
        .with("worked", usage.worked)
        .with("measured", usage.measured)
        .with("improvement", usage.improvement)
        .with_optional("used_at", playbook.used_at)
        .with("curations", playbook.curations)
        .with("analysed", playbook.analysed)
        .with_optional("curated_at", playbook.curated_at)
        .with("version", playbook.version)
        .with("revision", playbook.revision)
        .with("created_at", playbook.created)
        .with("updated_at", playbook.updated);
    let by_name = state_of(playbook.archived).name(&playbook.name);
    Record::new(playbook_key(&playbook.name), fields).in_order(BY_NAME, by_name)
}

/// Reads a playbook; `Err` names the unreadable part.
pub fn playbook_from_record(record: &Record) -> Result<Playbook, String> {
    let fields = &record.fields;
    Ok(Playbook {
        name: fields.read("name")?,
        description: fields.read("description")?,
        scope: word(fields, "scope", Scope::from_word)?,
        visibility: word(fields, "visibility", Visibility::from_word)?,
        archived: fields.read("archived")?,
        usage: Usage {
            count: fields.read("usage_count")?,
            worked: fields.read("worked")?,
            measured: fields.read("measured")?,
            improvement: fields.read("improvement")?,
        },
        used_at: fields.read_optional("used_at")?,
        curations: fields.read("curations")?,
        analysed: fields.read("analysed")?,
        curated_at: fields.read_optional("curated_at")?,
        version: fields.read("version")?,
        revision: fields.read("revision")?,
        created: fields.read("created_at")?,
        updated: fields.read("updated_at")?,
    })
}

/// A version as stored: its description, and the keys of its strategies in their order.
#[derive(Clone, PartialEq, Debug)]
pub struct VersionRow {
    /// The name of its playbook.
    pub playbook: String,
    /// The version.
    pub version: Version,
    /// The keys of its strategies, in their order; none once it is retired.
    pub strategies: Vec<RecordKey>,
}

impl VersionRow {
    /// The version as a record.
    pub fn to_record(&self) -> Record {
        let version = &self.version;
        let number = version.number;
        let fields = Fields::new()
            .with("name", format!("{} {number}", self.playbook))
            .with("playbook", self.playbook.as_str())
            .with("number", number)
            .with("digest", version.digest.as_str())
            .with("strategies", version.strategies)
            .with("reason", version.reason.as_str())
            .with_optional("author", version.author.as_deref())
            .with("major", version.major)
            .with_optional("restores", version.restores)
            .with("retired", version.retired)
            .with("created_at", version.at);
        let by_number = OrderKey::new()
            .exact(&playbook_id(&self.playbook))
            .greatest(number.into());
        let mut record = Record::new(version_key(&self.playbook, number), fields)
            .in_order(BY_NUMBER, by_number)
            .with_edge(HAS_VERSION, playbook_key(&self.playbook), Fields::new());
        for (position, key) in (1_u32..).zip(&self.strategies) {
            let place = Fields::new().with("position", position);
            record = record.with_edge(CONTAINS, key.clone(), place);
        }
        record
    }

    /// Reads a version; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let fields = &record.fields;
        let mut strategies: Vec<(u32, RecordKey)> = Vec::new();
        for (edge, place) in record
            .edges
            .iter()
            .filter(|(edge, _)| edge.name == CONTAINS)
        {
            strategies.push((place.read("position")?, edge.other.clone()));
        }
        strategies.sort();
        Ok(Self {
            playbook: fields.read("playbook")?,
            version: Version {
                number: fields.read("number")?,
                digest: fields.read("digest")?,
                strategies: fields.read("strategies")?,
                reason: fields.read("reason")?,
                author: fields.read_optional("author")?,
                major: fields.read("major")?,
                restores: fields.read_optional("restores")?,
                retired: fields.read("retired")?,
                at: fields.read("created_at")?,
            },
            strategies: strategies.into_iter().map(|(_, key)| key).collect(),
        })
    }
}

/// The state of a strategy as a record.
pub fn strategy_to_record(strategy: &Strategy) -> Record {
    let (worked, failed) = strategy.votes();
    // A trajectory that failed supports a strategy to avoid.
    let wanted = strategy.category != Category::Harmful;
    let of = |supports: bool| {
        strategy
            .evidence
            .iter()
            .filter(move |one| (one.worked == wanted) == supports)
    };
    let names =
        |supports| -> Vec<String> { of(supports).map(|one| one.trajectory.clone()).collect() };
    let times = |supports| -> Vec<String> { of(supports).map(|one| one.at.to_string()).collect() };
    let stated = strategy.stated;
    let fields = Fields::new()
        .with("strategy", strategy.id.as_str())
        .with("category", strategy.category.word())
        .with("pattern", strategy.pattern.as_str())
        .with("context", strategy.context.as_str())
        .with("worked", u32::try_from(worked).unwrap_or(u32::MAX))
        .with("failed", u32::try_from(failed).unwrap_or(u32::MAX))
        .with(SUPPORTING, names(true))
        .with("supporting_at", times(true))
        .with(OPPOSING, names(false))
        .with("opposing_at", times(false))
        .with_optional("stated_confidence", stated.map(|stated| stated.confidence))
        .with_optional("stated_evidence", stated.map(|stated| stated.evidence))
        .with("created_at", strategy.created)
        .with("updated_at", strategy.updated);
    Record::new(strategy_key(strategy), fields)
}

/// Reads the state of a strategy; `Err` names the unreadable part.
pub fn strategy_from_record(record: &Record) -> Result<Strategy, String> {
    let fields = &record.fields;
    let category = word(fields, "category", Category::from_word)?;
    let mut evidence = Vec::new();
    for (names, times, supports) in [
        (SUPPORTING, "supporting_at", true),
        (OPPOSING, "opposing_at", false),
    ] {
        let (names, times): (Vec<String>, Vec<String>) = (fields.read(names)?, fields.read(times)?);
        // The lists are parallel, and a manual edit may have changed only one.
        if names.len() != times.len() {
            return Err(format!(
                "`{}` does not have a time for each trajectory",
                record.key.id
            ));
        }
        for (trajectory, at) in names.into_iter().zip(times) {
            let at = Timestamp::parse(&at).ok_or_else(|| format!("`{at}` is no time"))?;
            let worked = supports == (category != Category::Harmful);
            evidence.push(Evidence {
                trajectory,
                worked,
                at,
            });
        }
    }
    evidence.sort();
    let confidence: Option<f64> = fields.read_optional("stated_confidence")?;
    let count: Option<u32> = fields.read_optional("stated_evidence")?;
    Ok(Strategy {
        id: fields.read("strategy")?,
        category,
        pattern: fields.read("pattern")?,
        context: fields.read("context")?,
        evidence,
        stated: confidence.zip(count).map(|(confidence, evidence)| Stated {
            confidence,
            evidence,
        }),
        created: fields.read("created_at")?,
        updated: fields.read("updated_at")?,
    })
}

fn word<T>(fields: &Fields, name: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T, String> {
    let text: &str = fields.read(name)?;
    parse(text).ok_or_else(|| format!("`{text}` is no {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strategy(category: Category) -> Strategy {
        let evidence = |trajectory: &str, worked, at| Evidence {
            trajectory: trajectory.to_owned(),
            worked,
            at: Timestamp::from_millis(at),
        };
        Strategy {
            id: "s_1".to_owned(),
            category,
            pattern: "Run `make` first.".to_owned(),
            context: String::new(),
            evidence: vec![
                evidence("a", true, 1),
                evidence("b", false, 1_700_000_000_123),
                evidence("c", true, 3),
            ],
            stated: Some(Stated {
                confidence: 0.1 + 0.2,
                evidence: 7,
            }),
            created: Timestamp::from_millis(5),
            updated: Timestamp::from_millis(6),
        }
    }

    #[test]
    fn every_row_comes_back_as_it_was_written() {
        for category in Category::ALL {
            let strategy = strategy(*category);
            let record = strategy_to_record(&strategy);
            record.check().unwrap();
            assert_eq!(strategy_from_record(&record), Ok(strategy));
        }
        let mut playbook = Playbook::new("p".to_owned(), Timestamp::from_millis(9));
        playbook.usage.worked = 1.0 / 3.0;
        playbook.curated_at = Some(Timestamp::from_millis(10));
        let record = playbook_to_record(&playbook);
        record.check().unwrap();
        assert_eq!(playbook_from_record(&record), Ok(playbook));
        let keys = Category::ALL
            .iter()
            .map(|category| strategy_key(&strategy(*category)));
        let row = VersionRow {
            playbook: "p".to_owned(),
            version: Version {
                number: 3,
                digest: "d".to_owned(),
                strategies: 3,
                reason: "r".to_owned(),
                author: None,
                major: true,
                restores: Some(1),
                retired: false,
                at: Timestamp::from_millis(1),
            },
            strategies: keys.collect(),
        };
        let record = row.to_record();
        record.check().unwrap();
        assert_eq!(VersionRow::from_record(&record), Ok(row));
    }
}
