//! Reflections as records: the insights from one trajectory, or from several together.
//!
//! A reflection is addressed by its subject and its content, so that the same one made twice is one record.

use super::kind::{Kind, Reference};
use super::learners::OWNER_ALONE;
use super::record::{Fields, Record, RecordKey};
use crate::order_key::{OrderKey, Range};
use hindlore_domain::playbook::{Category, Proposal};
use hindlore_domain::reflection::Insight;
use hindlore_primitives::identity::{derived_hash, hex};
use hindlore_primitives::timestamp::Timestamp;

/// Reflections.
pub static REFLECTION: Kind = Kind {
    label: "Reflection",
    held_as: Some("HAS_REFLECTION"),
    caption: "summary",
    orders: &[BY_TIME],
    edges: &[],
    references: &[Reference {
        value: "trajectories",
        name: "REFLECTS_ON",
    }],
    learners: OWNER_ALONE,
};

/// All of them, newest first.
pub const BY_TIME: &str = "by_time";

/// Bytes of an id's hash.
const ID_BYTES: usize = 10;

/// A reflection.
#[derive(Clone, PartialEq, Debug)]
pub struct ReflectionRow {
    /// The trajectories that it is about, ascending; at most 1,000.
    pub trajectories: Vec<String>,
    /// True for one over several trajectories, of any number.
    pub is_batch: bool,
    /// The insights from its one trajectory; empty for several.
    pub insights: Vec<Insight>,
    /// Its proposals for a playbook.
    pub proposals: Vec<Proposal>,
    /// Advice for the next time.
    pub recommendations: Vec<String>,
    /// Its author: `rules`, or the name of a model.
    pub reflector: String,
    /// When it was made.
    pub at: Timestamp,
}

/// The key of a reflection.
pub fn reflection_key(id: &str) -> RecordKey {
    RecordKey::new(&REFLECTION, id)
}

/// All reflections, as a range of [`BY_TIME`].
pub fn all_reflections() -> Range {
    Range::starting_with(&OrderKey::new())
}

impl ReflectionRow {
    /// Its id, derived from all of it but the times.
    ///
    /// # Errors
    /// When a proposal has no JSON form.
    pub fn id(&self) -> Result<String, String> {
        let mut timeless = self.clone();
        let proposals = timeless.proposals.iter_mut();
        for one in proposals.flat_map(|proposal| &mut proposal.evidence) {
            one.at = Timestamp::from_millis(0);
        }
        let mut parts = vec![
            self.reflector.clone(),
            self.is_batch.to_string(),
            timeless.body()?,
        ];
        parts.extend(self.trajectories.iter().cloned());
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        Ok(format!("rf_{}", hex(&derived_hash(&parts)[..ID_BYTES])))
    }

    /// Insights and proposals as one text.
    fn body(&self) -> Result<String, String> {
        serde_json::to_string(&(&self.insights, &self.proposals)).map_err(|error| error.to_string())
    }

    fn patterns(&self, category: Category) -> Vec<String> {
        let from_insights = self.insights.iter().map(|one| (one.category, &one.pattern));
        let from_proposals = self
            .proposals
            .iter()
            .map(|one| (one.category, &one.pattern));
        let mut patterns: Vec<String> = Vec::new();
        for (of, pattern) in from_insights.chain(from_proposals) {
            if of == category && !patterns.contains(pattern) {
                patterns.push(pattern.clone());
            }
        }
        patterns
    }

    /// The reflection as a record, with its patterns as texts that an analyst can read.
    ///
    /// # Errors
    /// When a proposal has no JSON form.
    pub fn to_record(&self) -> Result<Record, String> {
        let [helpful, harmful, neutral] = [Category::Helpful, Category::Harmful, Category::Neutral]
            .map(|category| self.patterns(category));
        let summary = format!(
            "{} helpful, {} harmful, {} seen",
            helpful.len(),
            harmful.len(),
            neutral.len()
        );
        let fields = Fields::new()
            .with("summary", summary)
            .with("trajectories", self.trajectories.clone())
            .with("batch", self.is_batch)
            .with("helpful", helpful)
            .with("harmful", harmful)
            .with("neutral", neutral)
            .with("recommendations", self.recommendations.clone())
            .with("reflector", self.reflector.as_str())
            .with("body", self.body()?)
            .with("at", self.at);
        let by_time = OrderKey::new().newest(self.at);
        Ok(Record::new(reflection_key(&self.id()?), fields).in_order(BY_TIME, by_time))
    }

    /// Reads a reflection; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let fields = &record.fields;
        let body: &str = fields.read("body")?;
        let (insights, proposals) =
            serde_json::from_str(body).map_err(|error| format!("`body`: {error}"))?;
        Ok(Self {
            trajectories: fields.read("trajectories")?,
            is_batch: fields.read("batch")?,
            insights,
            proposals,
            recommendations: fields.read("recommendations")?,
            reflector: fields.read("reflector")?,
            at: fields.read("at")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindlore_domain::playbook::Evidence;

    #[test]
    fn a_reflection_comes_back_and_its_id_leaves_the_time_out() {
        let row = |at: i64| ReflectionRow {
            trajectories: vec!["a".to_owned(), "b".to_owned()],
            is_batch: true,
            insights: vec![Insight {
                category: Category::Neutral,
                pattern: "Tests ran after the change.".to_owned(),
                context: String::new(),
                steps: vec![1, 3],
            }],
            proposals: vec![Proposal {
                category: Category::Helpful,
                pattern: "Do `x`.".to_owned(),
                context: "c".to_owned(),
                evidence: vec![Evidence {
                    trajectory: "a".to_owned(),
                    worked: true,
                    at: Timestamp::from_millis(4),
                }],
                stated: None,
            }],
            recommendations: vec!["Next time: do `x`.".to_owned()],
            reflector: "rules".to_owned(),
            at: Timestamp::from_millis(at),
        };
        let record = row(5).to_record().unwrap();
        record.check().unwrap();
        assert_eq!(ReflectionRow::from_record(&record), Ok(row(5)));
        assert_eq!(row(5).id(), row(6).id());
        assert!(record.references().contains(&("REFLECTS_ON", "b")));
    }
}
