//! Which lessons are returned: the domain walks and chooses, over a neighbourhood held in process.

use mnemograph::domain::lesson::fingerprint::{Fingerprints, Level};
use mnemograph::domain::lesson::ids::{FingerprintId, LessonId};
use mnemograph::domain::lesson::lesson::Lesson;
use mnemograph::domain::lesson::lesson_policy::RetrievalNumbers;
use mnemograph::domain::lesson::retrieval::choose::{LessonHit, choose};
use mnemograph::domain::lesson::retrieval::query::LessonQuery;
use mnemograph::domain::lesson::retrieval::view::LocalGraph;
use mnemograph::domain::lesson::retrieval::walk::{Path, walk};

use super::keeper::Keeper;

/// All lessons as they stand when a run begins; they do not change while it runs.
#[derive(Debug, Default)]
pub(super) struct Neighbourhood {
    graph: LocalGraph,
    lessons: Vec<Lesson>,
    conflicts: Vec<(LessonId, LessonId)>,
}

impl Neighbourhood {
    /// The neighbourhood of everything that is kept.
    pub(super) fn of(keeper: &Keeper) -> Self {
        let mut graph = LocalGraph::default();
        for (id, (normalised, tags)) in &keeper.fingerprints {
            graph.put_fingerprint(*id, normalised, tags);
        }
        let lessons: Vec<Lesson> = keeper.lessons.values().cloned().collect();
        for lesson in &lessons {
            graph.put_lesson(lesson.clone());
        }
        Self {
            graph,
            lessons,
            conflicts: keeper.conflicts.iter().copied().collect(),
        }
    }

    /// Takes in the fingerprints of an error.
    pub(super) fn saw(&mut self, fingerprints: &Fingerprints, tags: &[String]) {
        for one in [&fingerprints.fine, &fingerprints.coarse] {
            self.graph.put_fingerprint(one.id, &one.normalised, tags);
        }
    }

    /// The lessons that answer, the best first.
    pub(super) fn ask(
        &mut self,
        query: &LessonQuery,
        numbers: &RetrievalNumbers,
    ) -> Vec<LessonHit> {
        let walked = walk(&mut self.graph, query, &numbers.walk);
        choose(query, &walked, &self.lessons, &self.conflicts, numbers).hits
    }

    /// The fingerprint that called for a lesson, and what it is in force for, sorted.
    pub(super) fn trigger(
        &self,
        hit: &LessonHit,
    ) -> (Option<(FingerprintId, Level)>, Vec<FingerprintId>) {
        match &hit.path {
            Path::Exact { fingerprint, level } => {
                (Some((*fingerprint, *level)), vec![*fingerprint])
            }
            _ => {
                let lesson = self.graph.lesson(hit.lesson);
                (
                    None,
                    lesson.map_or_else(Vec::new, |lesson| lesson.triggers.clone()),
                )
            }
        }
    }
}
