//! The memories that the bullets of one file name: a classic file may hold those of many learners and scopes.
//!
//! A memory belongs to one learner and one scope. A file that names several is split, or put together on request, and
//! refused otherwise, because nothing separates the bullets of two learners in one memory again.

use std::collections::{BTreeMap, BTreeSet};

use super::Import;
use crate::problem::Problem;
use hindlore_domain::memory::delta::Operation;
use hindlore_domain::memory::key::MemoryKey;

/// Maximum memories named in a refusal.
const NAMED_MAX: usize = 10;

impl Import {
    /// The memories that the bullets of a classic file name, with the number of their bullets. A bullet that names no
    /// learner or no scope belongs to that of `base`.
    ///
    /// # Errors
    ///
    /// `invalid_key` for a name that no memory can have.
    pub(crate) fn memories(&self, base: &MemoryKey) -> Result<BTreeMap<MemoryKey, u64>, Problem> {
        let mut memories = BTreeMap::new();
        for record in &self.records {
            *memories.entry(home(&record.operation, base)?).or_default() += 1;
        }
        Ok(memories)
    }

    /// Keeps the bullets of the memory `key`.
    pub(crate) fn keep_memory(&mut self, key: &MemoryKey, base: &MemoryKey) {
        let is_own = |operation: &Operation| home(operation, base).is_ok_and(|home| home == *key);
        self.records.retain(|record| is_own(&record.operation));
        let left = self.records.len() + self.bad.len() + self.left_out.len();
        self.read = u64::try_from(left).unwrap_or(u64::MAX);
        self.foreign_learners = 0;
    }

    /// Refuses a file whose bullets name several learners or several scopes.
    ///
    /// # Errors
    ///
    /// `several_memories`, with the memories and their counts.
    pub(crate) fn refuse_several(&self, base: &MemoryKey) -> Result<(), Problem> {
        let named = self.records.iter().map(|one| names(&one.operation));
        let (learners, scopes): (Vec<_>, Vec<_>) = named.unzip();
        if distinct(learners) < 2 && distinct(scopes) < 2 {
            return Ok(());
        }
        let memories = self.memories(base)?;
        let mut list: Vec<String> = memories
            .iter()
            .take(NAMED_MAX)
            .map(|(key, count)| format!("`{}/{}` {count}", key.learner(), key.scope()))
            .collect();
        let beyond = memories.len().saturating_sub(NAMED_MAX);
        if beyond > 0 {
            list.push(format!("and {beyond} more"));
        }
        let message = format!(
            "the file holds the bullets of {} memories (learner/scope and bullets): {}",
            memories.len(),
            list.join(", ")
        );
        Err(Problem::new("several_memories", message).with_hint(
            "<field:split> puts each bullet into the memory of its own learner and scope, <field:together> puts all into \
             this one; nothing was imported",
        ))
    }
}

fn distinct(names: Vec<Option<&str>>) -> usize {
    names.into_iter().flatten().collect::<BTreeSet<_>>().len()
}

/// The learner and the scope that a bullet names.
fn names(operation: &Operation) -> (Option<&str>, Option<&str>) {
    match operation {
        Operation::Insert(insertion) => (
            insertion.bullet.learner_id.as_deref(),
            insertion.bullet.context_scope_id.as_deref(),
        ),
        _ => (None, None),
    }
}

fn home(operation: &Operation, base: &MemoryKey) -> Result<MemoryKey, Problem> {
    let (learner, scope) = names(operation);
    let learner = learner.unwrap_or(base.learner());
    Ok(MemoryKey::new(
        base.tenant(),
        learner,
        scope.unwrap_or(base.scope()),
    )?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::export::samples;
    use crate::import::{Format, parse_text};
    use hindlore_domain::memory::delta::DeltaId;

    fn import(bullets: &[(&str, Option<&str>, Option<&str>)]) -> Import {
        let bullets: Vec<_> = bullets
            .iter()
            .map(|(content, learner, scope)| {
                json!({"content": content, "learner_id": learner, "context_scope_id": scope})
            })
            .collect();
        let text = json!({"bullets": bullets, "access_clock": 3}).to_string();
        let delta = DeltaId::parse("d").unwrap();
        parse_text(Format::Classic, &text, &samples::key(), &delta).unwrap()
    }

    #[test]
    fn a_file_of_one_learner_and_scope_passes_and_one_of_several_is_refused_with_counts() {
        let base = samples::key();
        for bullets in [
            &[("a", None, None), ("b", None, None)][..],
            &[("a", Some("bob"), None), ("b", None, Some("law"))][..],
        ] {
            import(bullets).refuse_several(&base).unwrap();
        }
        let several = import(&[
            ("a", Some("bob"), Some("law")),
            ("b", Some("eve"), Some("law")),
            ("c", Some("bob"), Some("law")),
            ("d", None, None),
        ]);
        let problem = several.refuse_several(&base).unwrap_err();
        assert_eq!(problem.code, "several_memories");
        let said = problem.message;
        assert!(
            said.contains("3 memories") && said.contains("`ann/s` 1, `bob/law` 2, `eve/law` 1"),
            "{said}"
        );
        let scopes = import(&[("a", None, Some("law")), ("b", None, Some("chess"))]);
        assert!(scopes.refuse_several(&base).is_err());
    }

    #[test]
    fn each_bullet_is_kept_for_the_memory_that_it_names() {
        let base = samples::key();
        let whole = import(&[
            ("a", Some("bob"), None),
            ("b", None, Some("law")),
            ("c", None, None),
        ]);
        let memories = whole.memories(&base).unwrap();
        assert_eq!(memories.len(), 3);
        for (key, count) in memories {
            let mut part = whole.clone();
            part.keep_memory(&key, &base);
            assert_eq!((part.read, count), (1, 1), "{key}");
        }
    }
}
