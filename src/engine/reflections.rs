//! Reflections of a learner: insights from trajectories, stored and looked up.

mod learning_loop;

pub use learning_loop::{Execution, Learnt, Task};

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::playbook::{CurationRules, Proposal, Strategy, curate};
use hindlore_domain::reflection::across::{reflect_across, shared_insights};
use hindlore_domain::reflection::proposed::supported;
use hindlore_domain::reflection::reflect;
use hindlore_domain::trajectory::{Trajectory, TrajectoryFilter};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::PAGE_MAX;
use hindlore_store::lessons::reading::RunPage;
use hindlore_store::records::reflection::{
    BY_TIME, REFLECTION, ReflectionRow, all_reflections, reflection_key,
};
use hindlore_store::records::{Record, RecordCommit, RecordReads, Scan};

/// The reflector that needs no model.
const RULES: &str = "rules";

/// A reflection that was made.
#[derive(Clone, PartialEq, Debug)]
pub struct Reflected {
    /// Its id.
    pub id: String,
    /// The reflection.
    pub row: ReflectionRow,
    /// True if the same one was there already.
    pub repeated: bool,
}

/// Which trajectories a reflection over many is about.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct BatchRequest {
    /// Only those of this agent.
    pub agent: Option<String>,
    /// Only those of this type of task.
    pub task_type: Option<String>,
    /// Only those that began then or later.
    pub since: Option<Timestamp>,
    /// With fewer nothing is proposed.
    pub min_trajectories: usize,
    /// At most this many, the newest.
    pub limit: usize,
}

/// The result of a reflection over many trajectories.
#[derive(Clone, PartialEq, Debug)]
pub struct BatchReflected {
    /// Trajectories that were looked at.
    pub looked_at: usize,
    /// Those that were worth learning from.
    pub worth_learning: usize,
    /// False if there were fewer than asked for; then there is no reflection.
    pub is_enough: bool,
    /// The reflection; `None` if there was too little to reflect on, or it found nothing.
    pub reflected: Option<Reflected>,
}

impl Engine {
    /// Reflects on a trajectory and keeps the reflection; the trajectory is noted as reflected upon. A trajectory that is
    /// not worth learning from leaves no reflection.
    ///
    /// # Errors
    /// `NoRun` when there is no such trajectory.
    pub async fn reflect(
        &self,
        owner: &LearnerId,
        trajectory: &str,
    ) -> EngineResult<Option<Reflected>> {
        let trajectory = self.to_reflect(owner, trajectory).await?;
        let mut reflection = reflect(&trajectory);
        let mut reflector = RULES.to_owned();
        if reflection.is_worth_learning
            && let Some(model) = self.rules().reflector.clone()
            && let Ok(insights) = model.insights(&trajectory).await
        {
            reflector = model.name();
            reflection = reflection.with_insights(supported(insights, &trajectory));
        }
        let ids = vec![trajectory.id.clone()];
        let reflected = if reflection.is_worth_learning {
            let row = ReflectionRow {
                trajectories: ids.clone(),
                is_batch: false,
                proposals: reflection.proposals(),
                insights: reflection.insights,
                recommendations: reflection.recommendations,
                reflector,
                at: self.now(),
            };
            Some(self.keep_reflection(owner, row).await?)
        } else {
            None
        };
        // After the reflection is on disk, because the time of the steps runs from here.
        self.note_reflection(owner, &ids).await?;
        Ok(reflected)
    }

    /// The insights that only several trajectories give; nothing is kept, and a single one is not read.
    ///
    /// # Errors
    /// `NoRun` when there is no such trajectory.
    pub async fn shared_insights(
        &self,
        owner: &LearnerId,
        trajectories: &[String],
    ) -> EngineResult<Vec<Proposal>> {
        if trajectories.len() < 2 {
            return Ok(Vec::new());
        }
        let mut whole = Vec::with_capacity(trajectories.len());
        for id in trajectories {
            whole.push(self.to_reflect(owner, id).await?);
        }
        Ok(shared_insights(&whole.iter().collect::<Vec<_>>()))
    }

    /// Reflects on many trajectories that have ended, and returns the insights that several of them share.
    pub async fn reflect_batch(
        &self,
        owner: &LearnerId,
        request: BatchRequest,
    ) -> EngineResult<BatchReflected> {
        let trajectories = self.ended_trajectories(owner, &request).await?;
        let batch = reflect_across(&trajectories, request.min_trajectories);
        let mut ids: Vec<String> = trajectories.into_iter().map(|one| one.id).collect();
        ids.sort_unstable();
        let mut reflected = None;
        let proposals = self.merged(batch.proposals);
        if batch.is_enough && !proposals.is_empty() {
            let row = ReflectionRow {
                trajectories: ids.clone(),
                is_batch: true,
                insights: Vec::new(),
                recommendations: Vec::new(),
                proposals,
                reflector: RULES.to_owned(),
                at: self.now(),
            };
            reflected = Some(self.keep_reflection(owner, row).await?);
        }
        if batch.is_enough {
            self.note_reflection(owner, &ids).await?;
        }
        Ok(BatchReflected {
            looked_at: batch.looked_at,
            worth_learning: batch.worth_learning,
            is_enough: batch.is_enough,
            reflected,
        })
    }

    /// Merges nearly equal proposals into one, with the evidence of all; those with the most trajectories first.
    fn merged(&self, proposals: Vec<Proposal>) -> Vec<Proposal> {
        let with = (&self.options().lessons.guard, &CurationRules::default());
        let mut strategies = curate("", &[], proposals, with, self.now()).strategies;
        strategies.sort_by_key(|one| std::cmp::Reverse(one.evidence.len()));
        let proposal = |one: Strategy| Proposal {
            category: one.category,
            pattern: one.pattern,
            context: one.context,
            evidence: one.evidence,
            stated: one.stated,
        };
        strategies.into_iter().map(proposal).collect()
    }

    /// Reads a reflection.
    ///
    /// # Errors
    /// `NoReflection` when there is none of that id.
    pub async fn reflection(&self, owner: &LearnerId, id: &str) -> EngineResult<ReflectionRow> {
        let none = || EngineError::NoReflection(id.to_owned());
        // Skips texts that are no ids.
        if id.is_empty() || id.len() > 64 || id.contains(|c: char| c.is_control()) {
            return Err(none());
        }
        let found = self.store().records(owner, &[reflection_key(id)]).await?;
        found.first().map_or_else(|| Err(none()), read)
    }

    /// Lists reflections with their ids, newest first; at most `limit`, from the one after `after`.
    ///
    /// # Errors
    /// `NoReflection` when there is none of the id `after`.
    pub async fn reflections(
        &self,
        owner: &LearnerId,
        (after, limit): (Option<&str>, usize),
    ) -> EngineResult<Vec<(String, ReflectionRow)>> {
        let mut range = all_reflections();
        if let Some(id) = after {
            let found = self.store().records(owner, &[reflection_key(id)]).await?;
            let position = found.first().and_then(|last| last.position(BY_TIME));
            let position = position.ok_or_else(|| EngineError::NoReflection(id.to_owned()))?;
            range = range.after(&position);
        }
        let scan = Scan {
            kind: &REFLECTION,
            order: BY_TIME,
            range,
            limit,
        };
        let found = self.store().scan_records(owner, scan).await?;
        found
            .iter()
            .map(|record| Ok((record.key.id.clone(), read(record)?)))
            .collect()
    }

    async fn to_reflect(&self, owner: &LearnerId, id: &str) -> EngineResult<Trajectory> {
        Ok(self.trajectory(owner, id).await?.with_error_at_end())
    }

    /// The ended trajectories that a batch is about, with their steps.
    async fn ended_trajectories(
        &self,
        owner: &LearnerId,
        request: &BatchRequest,
    ) -> EngineResult<Vec<Trajectory>> {
        let filter = TrajectoryFilter {
            agent: request.agent.clone(),
            task_type: request.task_type.clone(),
            since: request.since,
            ..TrajectoryFilter::default()
        };
        let page = RunPage {
            limit: request.limit.min(PAGE_MAX),
            ..RunPage::default()
        };
        let listed = self.trajectories(owner, &filter, page).await?;
        let mut whole = Vec::new();
        for one in listed.rows.into_iter().filter(|one| one.ended_at.is_some()) {
            whole.push(self.to_reflect(owner, &one.id).await?);
        }
        Ok(whole)
    }

    async fn keep_reflection(
        &self,
        owner: &LearnerId,
        row: ReflectionRow,
    ) -> EngineResult<Reflected> {
        let id = row.id().map_err(EngineError::Invalid)?;
        let record = row.to_record().map_err(EngineError::Invalid)?;
        let reads = RecordReads {
            keys: vec![record.key.clone()],
            ..RecordReads::default()
        };
        let known = self.decide_records(owner, reads, move |read| {
            let known = read.records.into_iter().next();
            let puts = if known.is_some() {
                Vec::new()
            } else {
                vec![record.clone()]
            };
            Ok((
                known,
                RecordCommit {
                    puts,
                    deletes: Vec::new(),
                },
            ))
        });
        Ok(match known.await? {
            Some(known) => Reflected {
                id,
                row: read(&known)?,
                repeated: true,
            },
            None => Reflected {
                id,
                row,
                repeated: false,
            },
        })
    }
}

fn read(record: &Record) -> EngineResult<ReflectionRow> {
    ReflectionRow::from_record(record)
        .map_err(|reason| EngineError::damaged("read a reflection", reason))
}
