//! Verb: what a learner's memories did since a moment, and what waits for a person.
//!
//! It reads the newest deltas and uses back to that moment, and nothing older.

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::lesson::evidence::evidence_row::RowKind;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::DeltaPage;
use hindlore_store::lessons::reading::{ActivationPage, ConflictPage};

/// Deltas of one page.
const DELTAS: usize = 100;
/// Uses of one lesson that are counted, the newest.
const USES_MAX: usize = 200;
/// Contradictions that are counted; more are not told apart.
const CONFLICTS_MAX: usize = 1_000;

/// Counts since a moment.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Activity {
    /// Notes that came in.
    pub remembered: usize,
    /// Lessons that were shown.
    pub shown: usize,
    /// Shown lessons whose advice was followed.
    pub followed: usize,
    /// Followed advice that worked.
    pub helped: usize,
    /// Mistakes that were not made after the lesson was shown.
    pub prevented: usize,
}

/// Things that wait for a person.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Waiting {
    /// Corrections that would become notes.
    pub proposals: usize,
    /// Pairs of notes or lessons that contradict each other.
    pub conflicts: usize,
}

impl Engine {
    /// Counts since each of the moments, which come in any order.
    pub async fn activity<const N: usize>(
        &self,
        owner: &LearnerId,
        moments: [Timestamp; N],
    ) -> EngineResult<[Activity; N]> {
        let mut counts = [Activity::default(); N];
        let first = moments.iter().min().copied().unwrap_or_default();
        for memory in self.memories(owner.tenant(), Some(owner.learner())).await? {
            self.count_deltas(&memory.key, first, |at, added| {
                for (count, _) in counts
                    .iter_mut()
                    .zip(moments)
                    .filter(|(_, moment)| at >= *moment)
                {
                    count.remembered += added;
                }
            })
            .await?;
        }
        for lesson in self.live_lessons(owner).await? {
            if lesson.used_at.is_none_or(|at| at < first) {
                continue;
            }
            let page = ActivationPage {
                lesson: lesson.id,
                after: None,
                limit: USES_MAX,
            };
            for row in self.store().activations(owner, page).await? {
                let kind = row.activation.outcome.map(|outcome| outcome.row.kind);
                let since =
                    |moment: &Timestamp| row.activation.at >= *moment && !row.activation.withheld;
                for (count, _) in counts
                    .iter_mut()
                    .zip(moments)
                    .filter(|(_, moment)| since(moment))
                {
                    count.take_in(kind);
                }
            }
        }
        Ok(counts)
    }

    /// Counts the decisions that a person has to make about a learner's memories and lessons.
    pub async fn waiting(&self, owner: &LearnerId) -> EngineResult<Waiting> {
        let mut waiting = Waiting::default();
        for memory in self.memories(owner.tenant(), Some(owner.learner())).await? {
            let (pairs, _) = self
                .bullet_conflicts(&memory.key, (None, CONFLICTS_MAX))
                .await?;
            waiting.conflicts += pairs.len();
            waiting.proposals += self.proposals(&memory.key).await?.len();
        }
        let page = ConflictPage {
            lesson: None,
            after: None,
            limit: CONFLICTS_MAX,
        };
        waiting.conflicts += self.open_conflicts(owner, page).await?.len();
        Ok(waiting)
    }

    async fn count_deltas(
        &self,
        key: &MemoryKey,
        first: Timestamp,
        mut count: impl FnMut(Timestamp, usize),
    ) -> EngineResult<()> {
        let mut below_revision = None;
        loop {
            let page = DeltaPage {
                below_revision,
                limit: DELTAS,
            };
            let deltas = match self.delta_log(key, page).await {
                // A memory may be erased meanwhile.
                Err(EngineError::NoMemory(_)) => return Ok(()),
                deltas => deltas?,
            };
            for delta in &deltas {
                if delta.record.at < first {
                    return Ok(());
                }
                // The general advice of a new memory is no note of its learner.
                if delta.record.tick > 0 {
                    count(delta.record.at, delta.record.receipt.added.len());
                }
            }
            match deltas.last() {
                Some(last) if deltas.len() == DELTAS => below_revision = Some(last.record.revision),
                _ => return Ok(()),
            }
        }
    }
}

impl Activity {
    fn take_in(&mut self, kind: Option<RowKind>) {
        self.shown += 1;
        let Some(kind) = kind else {
            return;
        };
        self.followed += usize::from(kind.sign() != 0);
        self.helped += usize::from(kind.sign() > 0);
        self.prevented += usize::from(kind == RowKind::Averted);
    }
}
