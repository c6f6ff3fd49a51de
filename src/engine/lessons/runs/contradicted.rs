//! Looks for successes that contradict lessons: those of a run that ends, and those of earlier runs before a new lesson
//! is shown for the first time.
//!
//! A wrong form that works refutes its lesson. From its birth on each run reports such successes; the runs before it are
//! replayed once.

use std::collections::BTreeMap;

use super::record::trace_of;
use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::lesson::evidence::evidence_row::RowKind;
use hindlore_domain::lesson::evidence::proof_state::Counterexample;
use hindlore_domain::lesson::learning::candidate::Candidate;
use hindlore_domain::lesson::learning::contrast::learn;
use hindlore_domain::lesson::learning::watched_form::{WatchedForm, WorkedActions};
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_domain::lesson::rule::Rule;
use hindlore_domain::lesson::trace::TraceStep;
use hindlore_store::lessons::NAMES_MAX;
use hindlore_store::lessons::reading::RunPage;
use hindlore_store::lessons::rows::RunContents;

/// Keys of a run that are looked up.
const KEYS_MAX: usize = 4 * NAMES_MAX;
/// Lessons of one key that are compared with the actions of a run.
const LESSONS_PER_KEY: usize = 16;
/// Earlier runs that are looked at for those of the same scope, the newest ones.
const RUNS_LISTED: usize = 128;
/// Earlier runs of the scope that are replayed; each is read whole.
const RUNS_REPLAYED: usize = 24;

impl Engine {
    /// Reads the lessons whose wrong form worked in a run, or whose action needed no preparation there.
    pub(super) async fn lessons_contradicted(
        &self,
        owner: &LearnerId,
        actions: &WorkedActions,
    ) -> EngineResult<Vec<Lesson>> {
        let mut contradicted = Vec::new();
        for keys in actions.keys(KEYS_MAX).chunks(NAMES_MAX) {
            let found = self
                .store()
                .lessons_of_wrong_forms(owner, keys, LESSONS_PER_KEY);
            let is_contradicted = |lesson: &Lesson| {
                let form = WatchedForm::of(&lesson.rule);
                form.is_some_and(|form| {
                    actions.contradict(&form, &lesson.triggers)
                        || actions.needed_no_preparation(&form, &lesson.triggers)
                })
            };
            contradicted.extend(found.await?.lessons.into_iter().filter(is_contradicted));
        }
        Ok(contradicted)
    }

    /// Reads earlier runs of the same scope that speak against the new rules of a run, by rule.
    pub(super) async fn replayed(
        &self,
        owner: &LearnerId,
        (contents, trace): (&RunContents, &[TraceStep]),
        known: &[Lesson],
    ) -> EngineResult<BTreeMap<Rule, Vec<Counterexample>>> {
        let is_known = |rule: &Rule| known.iter().any(|lesson| lesson.rule == *rule);
        // As if every error had recurred: the rules of the end are among these.
        let mut new = learn(trace, |_| 1);
        new.retain(|candidate| !is_known(&candidate.rule));
        let forms: Vec<(Candidate, WatchedForm)> = new
            .into_iter()
            .filter_map(|new| WatchedForm::of(&new.rule).map(|form| (new, form)))
            .collect();
        let mut found: BTreeMap<Rule, Vec<Counterexample>> = BTreeMap::new();
        if forms.is_empty() {
            return Ok(found);
        }
        let page = RunPage {
            limit: RUNS_LISTED,
            ..RunPage::default()
        };
        let (own, scope) = (&contents.row.id, &contents.row.trajectory.scope);
        let runs = self.store().runs(owner, page).await?;
        let of_scope = runs
            .iter()
            .filter(|run| run.id != *own && run.trajectory.scope == *scope);
        for run in of_scope.take(RUNS_REPLAYED) {
            let Some(earlier) = self.store().run(owner, &run.id).await? else {
                continue;
            };
            let actions = WorkedActions::of(&trace_of(&earlier));
            for (new, form) in &forms {
                if actions.contradict(form, &new.triggers) {
                    found
                        .entry(new.rule.clone())
                        .or_default()
                        .push(Counterexample {
                            at: run.last_at,
                            run: run.id.clone(),
                            scope: scope.clone(),
                            kind: RowKind::Worked,
                        });
                }
            }
        }
        Ok(found)
    }
}
