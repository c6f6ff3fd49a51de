//! Verb: gather what the page of a memory shows.

use super::error::EngineResult;
use super::handle::Engine;
use super::memory_figures::MemoryFigures;
use crate::domain::lesson::lesson::Owner;
use crate::domain::memory::key::MemoryKey;
use crate::domain::trajectory::{Trajectory, TrajectoryFilter};
use crate::store::lessons::reading::RunPage;
use crate::store::lessons::trajectory::RunFilter;

/// Newest trajectories of the learner on the page.
const TRAJECTORIES_MAX: usize = 10;

/// What the page of a memory shows.
#[derive(Clone, PartialEq, Debug)]
pub struct MemoryPicture {
    /// The data for its figures.
    pub figures: MemoryFigures,
    /// The newest trajectories of its learner, at most 10, with their steps; newest first.
    pub trajectories: Vec<Trajectory>,
}

impl Engine {
    /// Gathers a memory, and the newest trajectories of its learner, the owner.
    ///
    /// # Errors
    /// `NoMemory` when there is no such memory.
    pub async fn memory_picture(
        &self,
        key: &MemoryKey,
        owner: &Owner,
    ) -> EngineResult<MemoryPicture> {
        Ok(MemoryPicture {
            figures: self.memory_figures(key).await?,
            trajectories: self.newest_trajectories(owner).await?,
        })
    }

    async fn newest_trajectories(&self, owner: &Owner) -> EngineResult<Vec<Trajectory>> {
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
