//! Verb: list learners with memories, and learners with lessons only.

use std::collections::BTreeSet;

use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_store::MemorySummary;

/// The memories of a tenant, or those of one learner.
#[derive(Clone, PartialEq, Debug)]
pub struct ListedMemories {
    /// The memories.
    pub memories: Vec<MemorySummary>,
    /// Learners with lessons but no memory.
    pub lessons_only: Vec<String>,
}

impl Engine {
    /// Lists the memories of a tenant, or those of one learner, and learners with lessons only.
    pub async fn list_memories(
        &self,
        tenant: &str,
        learner: Option<&str>,
    ) -> EngineResult<ListedMemories> {
        let memories = self.memories(tenant, learner).await?;
        let with_memory: BTreeSet<&str> = memories.iter().map(|one| one.key.learner()).collect();
        let learners = self.lesson_learners(tenant).await?.into_iter();
        let lessons_only = learners
            .filter(|name| learner.is_none_or(|asked| asked == name))
            .filter(|name| !with_memory.contains(name.as_str()))
            .collect();
        Ok(ListedMemories {
            memories,
            lessons_only,
        })
    }
}
