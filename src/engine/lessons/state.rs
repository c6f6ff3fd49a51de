//! Verb: take in the lessons that an agent states in its reply. Its word is no evidence: they start as observed, tied to
//! the failing step of the run where there is one, and a run that shows the contrast confirms them.

use std::collections::BTreeSet;

use super::runs::working_set::{LessonWorkingSet, drop_known};
use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::correction::{StatedLesson, stated_lessons};
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::learning::candidate::Origin;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, NewLesson, Place, Reach, Status};
use hindlore_domain::lesson::rule::Rule;
use hindlore_errors::fingerprint::{Evidence, Fingerprinter};
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_store::lessons::rows::LessonSource;
use hindlore_store::lessons::transaction::{Ask, LessonCommit};
use serde_json::Value;

/// The reply of an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentReply {
    /// The whole reply.
    pub text: String,
    /// The run in which it was given; absent if there is none.
    pub run: Option<String>,
    /// The scope in which it was given; absent if unknown.
    pub scope: Option<String>,
}

impl Engine {
    /// Takes in the lessons that a reply states; gives them as they are stored, in the order of the reply.
    pub async fn state_lessons(
        &self,
        owner: &LearnerId,
        reply: AgentReply,
    ) -> EngineResult<Vec<Lesson>> {
        let stated = stated_lessons(&self.redacted(&reply.text).0);
        if stated.is_empty() {
            return Ok(Vec::new());
        }
        let contents = match &reply.run {
            Some(run) => self.store().run(owner, run).await?,
            None => None,
        };
        let errors = contents.map(|contents| contents.errors).unwrap_or_default();
        let (rules, now) = (self.rules().clone(), self.now());
        let new: Vec<(Lesson, Option<ErrorEvent>)> = stated
            .iter()
            .filter_map(|one| {
                let failed = errors.iter().rev().find(|error| is_of(error, one));
                let lesson = self.lesson_of(owner, one, (&reply, failed))?;
                Some((lesson, failed.cloned()))
            })
            .collect();
        let triggers: BTreeSet<FingerprintId> = new
            .iter()
            .flat_map(|(lesson, _)| lesson.triggers.iter().copied())
            .collect();
        let ask = Ask {
            lessons: new.iter().map(|(lesson, _)| lesson.id).collect(),
            triggered_by: triggers.into_iter().collect(),
            ..Ask::default()
        };
        let run = reply.run;
        self.decide(owner, ask, move |gathered| {
            let known = gathered.conflicts;
            let mut working_set = LessonWorkingSet::new(gathered.lessons);
            let mut commit = LessonCommit::default();
            let mut ids: Vec<LessonId> = Vec::new();
            for (new, failed) in &new {
                let (lesson, _) = working_set.place(new.clone(), &rules);
                let found = working_set.conflicts_of(&lesson, &rules, now);
                commit.conflicts.extend(found);
                commit.sources.push(LessonSource {
                    lesson: lesson.id,
                    run: run.clone().unwrap_or_default(),
                    origin: Origin::Model,
                    steps: failed.iter().map(|error| error.step).collect(),
                    events: failed.iter().map(|error| error.id).collect(),
                    at: now,
                });
                ids.push(lesson.id);
            }
            commit.conflicts.sort_by_key(|row| (row.first, row.second));
            commit.conflicts.dedup_by_key(|row| (row.first, row.second));
            drop_known(&mut commit.conflicts, &known);
            commit.lessons = working_set.changed();
            let stored = ids.iter().filter_map(|id| working_set.get(*id).cloned());
            Ok((commit, stored.collect()))
        })
        .await
    }

    /// The lesson of a statement; absent for one that is too long or too general to be kept.
    fn lesson_of(
        &self,
        owner: &LearnerId,
        stated: &StatedLesson,
        (reply, failed): (&AgentReply, Option<&ErrorEvent>),
    ) -> Option<Lesson> {
        let rules = self.rules();
        let rule = Rule::contrast(&stated.wrong, &stated.correct)?;
        if rules.quality.objection(&rule).is_some() {
            return None;
        }
        let mut lesson = Lesson::new(NewLesson {
            owner: owner.clone(),
            tags: rules.tags.of_text(rule.as_str()),
            rule,
            triggers: triggers_of(stated, failed),
            reach: Reach::Domain,
            place: failed.map_or_else(|| place_of(stated), |error| error.place.clone()),
            // The run has shown the failure at most, and not that the cure works.
            source_run: None,
            status: Status::Observed,
            at: self.now(),
        });
        if let Some(scope) = &reply.scope {
            lesson.proof.take_scope(scope);
        }
        lesson.proof.tool_words.clone_from(&stated.because);
        Some(lesson)
    }
}

/// Returns true if a failed step has the wrong form of a statement.
fn is_of(error: &ErrorEvent, stated: &StatedLesson) -> bool {
    error.action.contains(&stated.wrong)
}

/// The fingerprints of the failed step, else those of the problem as the agent states it.
fn triggers_of(stated: &StatedLesson, failed: Option<&ErrorEvent>) -> Vec<FingerprintId> {
    if let Some(error) = failed {
        return error.fingerprints.ids();
    }
    let Some(problem) = &stated.because else {
        return Vec::new();
    };
    let evidence = Evidence {
        error: Value::from(problem.as_str()),
        action: Value::from(stated.wrong.as_str()),
        ..Evidence::default()
    };
    Fingerprinter::default().of(&evidence).ids()
}

fn place_of(stated: &StatedLesson) -> Place {
    Place {
        tool: Some(stated.tool.clone()),
        ..Place::default()
    }
}
