//! Verb: find the lessons that help, before a run or after a failed step.
//!
//! Two reads at most: the ids around the question, and the lessons that the walk reached. A retrieval
//! for a run is written down as activations, whose outcome the end of the run settles; for a control
//! run the same is written down as withheld, and nothing is returned.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::retrieved_lesson::RetrievedLesson;
use super::view::Fetched;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::answer::PutAway;
use crate::lessons::redact;
use crate::lessons::requests::{LessonCall, LessonRequest};
use crate::lessons::steps::names::{checked_place, filled, run_name};
use crate::lessons::steps::reported::{cut_evidence, cut_text, cut_value};
use crate::memory::retrieval::injection::keep_places;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, Place};
use hindlore_domain::lesson::retrieval::by_text::by_text;
use hindlore_domain::lesson::retrieval::choose::{Chosen, LeftOut, LessonHit, choose};
use hindlore_domain::lesson::retrieval::query::{Call, LessonQuery};
use hindlore_domain::lesson::retrieval::walk::{Walked, walk};
use hindlore_errors::action::plain;
use hindlore_errors::fingerprint::{Fingerprinter, Fingerprints, is_hub};
use hindlore_errors::tag::{Circumstances, UNCATEGORIZED};
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_redact::Redactions;
use hindlore_store::lessons::reading::{
    ErrorFilter, ErrorPage, LessonsFound, Neighbourhood, NeighbourhoodAsk, Start,
};

/// The last failures that are the context of a run.
const RECENT_MAX: usize = 64;
/// Lessons that one retrieval may ask for.
pub(crate) const RESULTS_MAX: usize = 50;

/// The answer.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LessonsRetrieved {
    /// The run.
    pub run: Option<String>,
    /// Whether it is a control run, from which lessons are withheld.
    pub control: bool,
    /// The best first.
    pub lessons: Vec<RetrievedLesson>,
    /// Lessons that the choice of [`LessonRequest::fit`] left out.
    pub beyond_budget: usize,
    /// How many lessons were withheld.
    pub withheld: usize,
    /// Lessons of this very error that the rules have suppressed; each is reported once, to one run.
    pub put_away: Vec<PutAway>,
    /// The fingerprints of the error; absent before a run.
    pub fingerprints: Option<Fingerprints>,
    /// The tags that the question had.
    pub asked_tags: Vec<String>,
    /// Lessons that were reached and not returned, with the reason.
    pub left_out: Vec<(LessonId, LeftOut)>,
    /// The tags that were followed, the rarest first, with their weights.
    pub tags: Vec<(String, f64)>,
    /// Rows that the walk read.
    pub rows: usize,
    /// The work limit ended the walk.
    pub cut: bool,
    /// The parts of the question that were cut.
    pub notes: Vec<String>,
    /// The secrets that were taken out of the question.
    pub redacted: Redactions,
}

impl Engine {
    /// Finds the lessons that help.
    ///
    /// # Errors
    /// `RunEnded`; `Invalid` for a step 0, a name that cannot be, or a run that is not named for an error
    /// that shall be written down.
    pub async fn retrieve_lessons(
        &self,
        owner: &LearnerId,
        mut request: LessonRequest,
    ) -> EngineResult<LessonsRetrieved> {
        let spoken: Vec<&str> = request.run.iter().map(String::as_str).collect();
        // Ended first, because the lessons and verdicts that they leave bear on the answer.
        self.end_idle_runs_but(owner, &spoken).await?;
        // Redacted before the texts are cut: half a secret has no shape that could be recognised.
        let redacted = redact::lesson_request(self.redactor(), &mut request);
        request.place = checked_place(request.place)?;
        if let Some(run) = &mut request.run {
            *run = run_name(self.redactor(), run)?;
        }
        let mut notes: Vec<String> = cut_text("text", &mut request.text).into_iter().collect();
        if let LessonCall::OnError { step, evidence, .. } = &mut request.call {
            if *step == 0 {
                return Err(EngineError::Invalid(
                    "the step is 0; steps are numbered from 1".to_owned(),
                ));
            }
            notes.extend(cut_evidence(evidence));
        }
        if let LessonCall::BeforeAction { action, .. } = &mut request.call {
            notes.extend(cut_value("action", action));
        }
        self.complete(owner, &mut request).await?;
        let mut answer = match &request.call {
            LessonCall::BeforeAction { action, known } => {
                self.known_of_action(owner, &request, (action, known))
                    .await?
            }
            LessonCall::SessionStart => self.known_of_session(owner, &request).await?,
            _ => self.found(owner, &request).await?,
        };
        // Before the uses are written down: a lesson that is not shown is not used.
        if let Some(fit) = &request.fit {
            let places = fit.choose()(&answer.lessons);
            answer.beyond_budget = answer.lessons.len() - places.len();
            keep_places(&mut answer.lessons, &places);
        }
        answer.notes = notes;
        answer.redacted = redacted;
        self.activate(owner, request, answer).await
    }

    /// Walks from the error or the task, and chooses.
    async fn found(
        &self,
        owner: &LearnerId,
        request: &LessonRequest,
    ) -> EngineResult<LessonsRetrieved> {
        let query = self.query(owner, request).await?;
        let (walked, mut found) = self.reach(owner, &query, request.exact_only).await?;
        request.confine(&mut found.lessons);
        let pairs = found.contradictions();
        let numbers = &self.rules().numbers.retrieval;
        let chosen = choose(&query, &walked, &found.lessons, &pairs, numbers);
        Ok(answer(&query, &walked, chosen, found.lessons))
    }

    /// Fills the missing parts of the question from its run.
    async fn complete(&self, owner: &LearnerId, request: &mut LessonRequest) -> EngineResult<()> {
        let lacks_intent = request.text.is_empty() && request.call == LessonCall::PreRun;
        let lacks = request.place.domain.is_none() || lacks_intent;
        let Some(run) = request.run.as_ref().filter(|_| lacks) else {
            return Ok(());
        };
        if let Some(run) = self.store().run(owner, run).await? {
            let mut place = run.row.place;
            if request.call == LessonCall::SessionStart {
                // The first calls of a session do not tell which tools it will use.
                place.tool = None;
            }
            request.place = filled(&request.place, &place);
            if lacks_intent {
                request.text = run.row.intent;
            }
        }
        Ok(())
    }

    async fn query(&self, owner: &LearnerId, request: &LessonRequest) -> EngineResult<LessonQuery> {
        let rules = self.rules();
        let given = request.tags.iter().map(|tag| rules.tags.canonical(tag));
        let mut tags: BTreeSet<String> = given.filter(|tag| !tag.is_empty()).collect();
        let mut text = request.text.clone();
        let call = match &request.call {
            LessonCall::PreRun | LessonCall::SessionStart | LessonCall::BeforeAction { .. } => {
                let recent = self.recent_failures(owner, &request.place).await?;
                if request.place != Place::default() {
                    tags.extend(recent.iter().flat_map(|(_, tags)| tags.iter().cloned()));
                }
                let recent = recent.into_iter().map(|(fingerprints, _)| fingerprints);
                Call::PreRun {
                    recent: recent.collect(),
                }
            }
            LessonCall::OnError {
                evidence,
                exit_code,
                ..
            } => {
                let error = said(&evidence.error);
                let circumstances = Circumstances {
                    nonzero_exit: exit_code.is_some_and(|code| code != 0),
                    ..Circumstances::default()
                };
                let words = format!("{error}\n{}", evidence.reason);
                tags.extend(rules.tags.of_step(&words, &evidence.action, circumstances));
                text = format!("{error} {} {text}", said(&evidence.action));
                Call::OnError {
                    fingerprints: Fingerprinter::default().of(evidence),
                    action: Some(&evidence.action)
                        .filter(|action| !action.is_null())
                        .cloned(),
                    is_hub: is_hub(&error),
                }
            }
        };
        Ok(LessonQuery {
            owner: owner.clone(),
            call,
            text,
            tags: tags.into_iter().collect(),
            place: request.place.clone(),
            max_results: request.max_results.map(|most| most.min(RESULTS_MAX)),
            mode: request.mode,
            at: self.now(),
        })
    }

    /// The last failures of this task, else of this domain with this tool, else of a learner of whose place nothing is
    /// known: each fingerprint once, the newest first.
    async fn recent_failures(
        &self,
        owner: &LearnerId,
        place: &Place,
    ) -> EngineResult<Vec<(Fingerprints, Vec<String>)>> {
        let of_task = place.task.clone().map(ErrorFilter::Task);
        let of_domain = place
            .domain
            .clone()
            .map(|domain| ErrorFilter::Domain(domain, place.tool.clone()));
        let of_all = (*place == Place::default()).then_some(ErrorFilter::All);
        for filter in [of_task, of_domain, of_all].into_iter().flatten() {
            let page = ErrorPage {
                filter,
                limit: RECENT_MAX,
                ..ErrorPage::default()
            };
            let errors = self.store().errors(owner, page).await?;
            let mut seen = BTreeSet::new();
            let mut recent = Vec::new();
            for error in errors {
                if seen.insert(error.fingerprints.fine.id) {
                    recent.push((error.fingerprints, error.tags));
                }
            }
            // A walk starts from a bounded number of fingerprints, two of each error.
            recent.truncate(self.rules().numbers.retrieval.walk.starts.div_ceil(2));
            if !recent.is_empty() {
                return Ok(recent);
            }
        }
        Ok(Vec::new())
    }

    /// Walks the neighbourhood and reads the lessons that it reaches, in the order of the walk.
    async fn reach(
        &self,
        owner: &LearnerId,
        query: &LessonQuery,
        exact_only: bool,
    ) -> EngineResult<(Walked, LessonsFound)> {
        let limits = self.rules().numbers.retrieval.walk;
        let mut starts: Vec<FingerprintId> = query.starts().iter().map(|(id, _)| *id).collect();
        // The store takes no more starts in one question.
        starts.truncate(limits.starts);
        if exact_only {
            let per = limits.lessons_per_start;
            let found = self
                .store()
                .lessons_triggered_by(owner, &starts, per)
                .await?;
            let mut view = Fetched::new(exact(&starts, &found.lessons));
            return Ok((walk(&mut view, query, &limits), found));
        }
        let ask = NeighbourhoodAsk {
            starts,
            tags: query.tags.clone(),
            without: vec![UNCATEGORIZED.to_owned()],
            place: query.place.clone(),
            limits,
        };
        let around = self.store().neighbourhood(owner, ask).await?;
        let mut walked = walk(&mut Fetched::new(around), query, &limits);
        if query.is_anywhere() && !query.text.is_empty() {
            let live = self.live_lessons(owner).await?;
            walked.reach_by_text(&by_text(&query.text, &live, limits.lessons));
        }
        let mut ids: Vec<LessonId> = Vec::new();
        let mut seen = BTreeSet::new();
        for (id, ..) in &walked.ways {
            if ids.len() < limits.lessons && seen.insert(*id) {
                ids.push(*id);
            }
        }
        ids.extend(walked.by_text());
        if ids.is_empty() {
            return Ok((walked, LessonsFound::default()));
        }
        let found = self.store().lessons_by_id(owner, &ids).await?;
        Ok((walked, found))
    }
}

/// A part of the evidence as a text; nothing for one that is absent.
fn said(part: &Value) -> String {
    match part {
        Value::Null => String::new(),
        part => plain(part),
    }
}

/// The exact hits in the form that the walk expects.
fn exact(starts: &[FingerprintId], lessons: &[Lesson]) -> Neighbourhood {
    let of = |id: FingerprintId| Start {
        id,
        tags: Vec::new(),
        lessons: lessons
            .iter()
            .filter(|lesson| lesson.triggers.binary_search(&id).is_ok())
            .map(|lesson| lesson.id)
            .collect(),
    };
    Neighbourhood {
        starts: starts.iter().map(|id| of(*id)).collect(),
        ..Neighbourhood::default()
    }
}

fn answer(
    query: &LessonQuery,
    walked: &Walked,
    chosen: Chosen,
    lessons: Vec<Lesson>,
) -> LessonsRetrieved {
    let mut lessons: BTreeMap<LessonId, Lesson> = lessons
        .into_iter()
        .map(|lesson| (lesson.id, lesson))
        .collect();
    // A choice holds each lesson once, so a hit can take it out of the map.
    let hit = |hit: LessonHit| {
        Some(RetrievedLesson {
            lesson: lessons.remove(&hit.lesson)?,
            score: hit.score,
            parts: hit.parts,
            lane: hit.lane,
            path: hit.path,
            beat: hit.beat,
            activation: None,
            may_refuse: false,
            change: None,
        })
    };
    LessonsRetrieved {
        beyond_budget: 0,
        run: None,
        control: false,
        lessons: chosen.hits.into_iter().filter_map(hit).collect(),
        withheld: 0,
        put_away: Vec::new(),
        fingerprints: match &query.call {
            Call::OnError { fingerprints, .. } => Some(fingerprints.clone()),
            Call::PreRun { .. } => None,
        },
        asked_tags: query.tags.clone(),
        left_out: chosen.left_out.into_iter().collect(),
        tags: walked.tags.clone(),
        rows: walked.rows,
        cut: walked.cut,
        notes: Vec::new(),
        redacted: Redactions::default(),
    }
}
