//! Verb: gather the data for the page of a memory.

use super::memory_figures::MemoryFigures;
use crate::error::EngineResult;
use crate::handle::Engine;
use crate::playbooks::Which;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::playbook::{Playbook, Strategy, Version};
use hindlore_domain::trajectory::{Trajectory, TrajectoryFilter};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::reading::RunPage;
use hindlore_store::lessons::trajectory::RunFilter;

/// Playbooks on the page, and versions of each.
const PLAYBOOKS_MAX: usize = 20;
const VERSIONS_MAX: usize = 6;
/// Newest trajectories of the learner on the page.
const TRAJECTORIES_MAX: usize = 10;

/// The data for the page of a memory.
#[derive(Clone, PartialEq, Debug)]
pub struct MemoryPicture {
    /// The data for its figures.
    pub figures: MemoryFigures,
    /// The newest trajectories of its learner, at most 10, with their steps; newest first.
    pub trajectories: Vec<Trajectory>,
    /// Its active playbooks by name, at most 20.
    pub playbooks: Vec<PlaybookHistory>,
    /// When it was gathered.
    pub now: Timestamp,
}

/// A playbook with its newest versions.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaybookHistory {
    /// The playbook.
    pub playbook: Playbook,
    /// The newest versions that keep their strategies, at most 6, newest first.
    pub versions: Vec<(Version, Vec<Strategy>)>,
}

impl Engine {
    /// Gathers a memory, and the newest trajectories and the playbooks of its learner, the owner.
    ///
    /// # Errors
    /// `NoMemory` when there is no such memory.
    pub async fn memory_picture(
        &self,
        key: &MemoryKey,
        owner: &LearnerId,
    ) -> EngineResult<MemoryPicture> {
        Ok(MemoryPicture {
            figures: self.memory_figures(key).await?,
            trajectories: self.newest_trajectories(owner).await?,
            playbooks: self.playbook_histories(owner).await?,
            now: self.now(),
        })
    }

    async fn playbook_histories(&self, owner: &LearnerId) -> EngineResult<Vec<PlaybookHistory>> {
        let mut histories = Vec::new();
        for playbook in self
            .playbooks(owner, false, None)
            .await?
            .into_iter()
            .take(PLAYBOOKS_MAX)
        {
            let listed = self.playbook_versions(owner, &playbook.name).await?;
            let whole = listed
                .into_iter()
                .filter(|version| !version.retired)
                .take(VERSIONS_MAX);
            let mut versions = Vec::new();
            for version in whole {
                let view = self
                    .playbook(owner, &playbook.name, Which::Number(version.number))
                    .await?;
                versions.push((version, view.strategies));
            }
            histories.push(PlaybookHistory { playbook, versions });
        }
        Ok(histories)
    }

    async fn newest_trajectories(&self, owner: &LearnerId) -> EngineResult<Vec<Trajectory>> {
        let page = RunPage {
            filter: RunFilter::default(),
            after: None,
            limit: TRAJECTORIES_MAX,
        };
        let listed = self
            .trajectories(owner, &TrajectoryFilter::default(), page)
            .await?;
        let mut whole = Vec::with_capacity(listed.rows.len());
        for one in listed.rows {
            whole.push(self.trajectory(owner, &one.id).await?);
        }
        Ok(whole)
    }
}
