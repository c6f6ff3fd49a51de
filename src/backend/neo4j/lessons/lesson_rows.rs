//! Lessons as nodes and activations as relationships: every field is a property of its own and comes back bit for bit;
//! histories are JSON. No field is stored twice, so the engine reads an edit by hand.

use std::collections::BTreeSet;

use neo4rs::Row;
use serde::{Deserialize, Serialize};

use super::fields::{Fields, Properties};
use super::keys::{Keys, LESSON_CHARS, keys_of, read_id};
use super::run_rows::{listed, read_all, run_name};
use super::seal::seal;
use crate::bolt::times::{Moment, date};
use crate::bolt::values::{Map, count};
use crate::error::{Failure, Result};
use hindlore_domain::lesson::activation::Activation;
use hindlore_domain::lesson::evidence::evidence_row::EvidenceRow;
use hindlore_domain::lesson::evidence::outcome::{Baseline, Outcome};
use hindlore_domain::lesson::lesson::{Counts, LearnerId, Lesson, Place};
use hindlore_domain::lesson::rule::Rule;
use hindlore_primitives::ids::{ActivationId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::postings::{
    PostingList, placement, posting_order, postings, wrong_form, wrong_form_order,
};
use hindlore_store::lessons::projection::PostingChange;
use hindlore_store::lessons::rows::ActivationRow;
use hindlore_store::order_key::{falling, rising};

/// Reads a lesson from its properties alone; the error names the lesson and the property that cannot be read.
pub(super) fn into_lesson(properties: &Properties, owner: &LearnerId) -> Result<Lesson> {
    let fields = Fields {
        of: properties,
        what: "lesson",
        whose: owner,
    };
    let rule = fields.text("rule")?;
    Ok(Lesson {
        id: fields.word("id")?,
        owner: owner.clone(),
        rule: Rule::parse(&rule).map_err(|error| fields.damaged("rule", error))?,
        triggers: fields.words("triggers")?,
        tags: fields.list("tags")?,
        reach: fields.word("reach")?,
        place: Place {
            task: fields.optional("task")?,
            domain: fields.optional("domain")?,
            tool: fields.optional("tool")?,
        },
        status: fields.word("status")?,
        reliability: fields.fraction("reliability")?,
        impact: fields.fraction("impact")?,
        counts: Counts {
            retrieved: fields.count("retrieved")?,
            helpful: fields.count("helpful")?,
            harmful: fields.count("harmful")?,
        },
        history: fields.json("history")?,
        contests: fields.json("contests")?,
        source_runs: fields.list("source_runs")?,
        restates: fields.if_any("restates", Fields::word)?,
        created_at: fields.moment("created_at")?,
        evidence_at: fields.moment("evidence_at")?,
        used_at: fields.if_any("used_at", Fields::moment)?,
        unused_opportunities: fields.small("unused_opportunities")?,
        proof: fields.json("proof")?,
    })
}

/// The properties of a lesson.
pub(super) fn lesson_properties(keys: &Keys, lesson: &Lesson) -> Result<Map> {
    let born = format!("{}{}", falling(lesson.created_at), lesson.id);
    keys.node(keys.id(lesson.id), lesson.rule.as_str())
        .with("id", lesson.id.to_string())
        .with("rule", lesson.rule.as_str())
        .with("reach", lesson.reach.word())
        .with("task", lesson.place.task.clone())
        .with("domain", lesson.place.domain.clone())
        .with("tool", lesson.place.tool.clone())
        .with("status", lesson.status.word())
        .with("reliability", lesson.reliability)
        .with("impact", lesson.impact)
        .with("created_at", date(lesson.created_at))
        .with("evidence_at", date(lesson.evidence_at))
        .with("used_at", lesson.used_at.map(date))
        .with(
            "unused_opportunities",
            i64::from(lesson.unused_opportunities),
        )
        .with("restates", lesson.restates.map(|id| id.to_string()))
        .texts("triggers", lesson.triggers.iter().map(ToString::to_string))
        .texts("tags", lesson.tags.iter().cloned())
        .texts("source_runs", lesson.source_runs.iter().cloned())
        .with("history", serde_json::to_string(&lesson.history)?)
        .with("contests", serde_json::to_string(&lesson.contests)?)
        .with("proof", serde_json::to_string(&lesson.proof)?)
        .with("hindlore_by_birth", format!("{}{born}", keys.key))
        .with("hindlore_by_wrong_form", by_wrong_form(keys, lesson))
        .with("placed", placement(lesson))
        .with("seal", seal(lesson)?)
        .whole("retrieved", lesson.counts.retrieved)?
        .whole("helpful", lesson.counts.helpful)?
        .whole("harmful", lesson.counts.harmful)
}

/// The place of a lesson among those of its wrong form.
fn by_wrong_form(keys: &Keys, lesson: &Lesson) -> Option<String> {
    let key = wrong_form(&lesson.rule, lesson.status)?;
    let order = wrong_form_order(lesson.status, lesson.evidence_at, lesson.id);
    Some(format!("{}{order}", keys.of_wrong_form(&key)))
}

/// The postings of a lesson, as its relationships hold them.
pub(super) fn posting_texts(keys: &Keys, lesson: &Lesson) -> BTreeSet<String> {
    let order = posting_order(lesson);
    let postings = postings(lesson).into_iter();
    postings
        .map(|one| format!("{}{order}", keys.list(&one.list)))
        .collect()
}

/// The triggers, tags and places of a lesson, each with its posting.
pub(super) fn posting_row(keys: &Keys, change: &PostingChange<'_>) -> Map {
    let order = posting_order(change.lesson);
    let (mut triggers, mut tags) = (Vec::new(), Vec::new());
    let (mut tasks, mut domains, mut tools) = (Vec::new(), Vec::new(), Vec::new());
    for posting in &change.added {
        let start = keys.list(&posting.list);
        let row = Map::new().with("hindlore_posting", format!("{start}{order}"));
        match &posting.list {
            PostingList::Trigger(_) => triggers.push(row.with("hindlore_key", start)),
            PostingList::Tag(tag) => tags.push(row.with("node", keys.tag_node(tag))),
            PostingList::Task(name) => tasks.push(row.with("node", keys.place_node(start, name))),
            PostingList::Domain(name) => {
                domains.push(row.with("node", keys.place_node(start, name)));
            }
            PostingList::Tool(name) => tools.push(row.with("node", keys.place_node(start, name))),
        }
    }
    Map::new()
        .with("lesson", keys.id(change.lesson.id))
        .list("triggers", triggers)
        .list("tags", tags)
        .list("tasks", tasks)
        .list("domains", domains)
        .list("tools", tools)
}

/// The properties of an activation that are its fields.
#[derive(Deserialize)]
pub(super) struct ActivationProperties {
    id: String,
    run: String,
    lesson: String,
    moment: String,
    step: u32,
    trigger: Option<String>,
    level: Option<String>,
    lane: String,
    score: f64,
    withheld: bool,
    at: Moment,
    outcome: Option<String>,
    utility: Option<f64>,
    beat: Vec<String>,
    triggers: Vec<String>,
    explanation: String,
}

/// The parts of an outcome that no property holds.
#[derive(Serialize, Deserialize)]
struct OutcomeText {
    recurred: bool,
    failures_after: u32,
    baseline: Baseline,
    error_reduction: f64,
    step_efficiency_gain: f64,
    referee_score_gain: Option<f64>,
    row: EvidenceRow,
    at: Timestamp,
}

impl OutcomeText {
    fn new(outcome: &Outcome) -> Self {
        Self {
            recurred: outcome.recurred,
            failures_after: outcome.failures_after,
            baseline: outcome.baseline,
            error_reduction: outcome.error_reduction,
            step_efficiency_gain: outcome.step_efficiency_gain,
            referee_score_gain: outcome.referee_score_gain,
            row: outcome.row,
            at: outcome.at,
        }
    }

    fn into_outcome(self, utility: f64) -> Outcome {
        Outcome {
            recurred: self.recurred,
            failures_after: self.failures_after,
            baseline: self.baseline,
            error_reduction: self.error_reduction,
            step_efficiency_gain: self.step_efficiency_gain,
            referee_score_gain: self.referee_score_gain,
            utility,
            row: self.row,
            at: self.at,
        }
    }
}

impl ActivationProperties {
    pub(super) fn into_activation(self) -> Result<ActivationRow> {
        let trigger = self.trigger.as_deref().map(read_id).transpose()?;
        let level = self.level.as_deref().map(read_id).transpose()?;
        let outcome = self.outcome.as_deref().map(serde_json::from_str);
        let outcome: Option<OutcomeText> = outcome.transpose()?;
        let lacking = || Failure::Damaged(format!("an activation `{}` without `utility`", self.id));
        let utility = || self.utility.ok_or_else(lacking);
        let outcome = outcome.map(|text| Ok::<_, Failure>(text.into_outcome(utility()?)));
        Ok(ActivationRow {
            activation: Activation {
                id: read_id::<ActivationId>(&self.id)?,
                run: self.run,
                lesson: read_id(&self.lesson)?,
                moment: read_id(&self.moment)?,
                step: self.step,
                trigger: trigger.zip(level),
                lane: read_id(&self.lane)?,
                score: self.score,
                withheld: self.withheld,
                beat: read_all(&self.beat)?,
                at: self.at.0,
                outcome: outcome.transpose()?,
            },
            triggers: read_all(&self.triggers)?,
            explanation: self.explanation,
        })
    }
}

/// The words for withheld, open and settled activations.
pub(super) const VERDICTS: [&str; 5] = ["withheld", "open", "helped", "neutral", "harmed"];

fn verdict(activation: &Activation) -> &'static str {
    let sign = activation.outcome.map(|outcome| outcome.sign());
    match sign {
        _ if activation.withheld => VERDICTS[0],
        None => VERDICTS[1],
        Some(1..) => VERDICTS[2],
        Some(0) => VERDICTS[3],
        Some(_) => VERDICTS[4],
    }
}

/// The properties that an outcome sets on an activation.
pub(super) fn outcome_properties(keys: &Keys, activation: &Activation) -> Result<Map> {
    let word = verdict(activation);
    let outcome: Option<&Outcome> = activation.outcome.as_ref();
    let text = outcome.map(|outcome| serde_json::to_string(&OutcomeText::new(outcome)));
    Ok(Map::new()
        .with("outcome", text.transpose()?)
        .with("utility", outcome.map(|outcome| outcome.utility))
        .with("verdict", word)
        .with("hindlore_by_verdict", keys.word(word)))
}

/// An activation as a row of `lessons/add_activations`.
pub(super) fn activation_row(keys: &Keys, row: &ActivationRow) -> Result<Map> {
    let activation = &row.activation;
    let (id, lesson) = (activation.id, keys.id(activation.lesson));
    let mut map = outcome_properties(keys, activation)?;
    // Sent twice: as part of a new activation, and for one that exists and lacks its outcome.
    let outcome = activation.outcome.is_some().then(|| map.clone());
    map = map
        .with("hindlore_key", keys.id(id))
        .with("tenant", keys.owner.tenant())
        .with("learner", keys.owner.learner())
        .with(
            "title",
            format!("{} · {}", activation.moment, verdict(activation)),
        )
        .with("id", id.to_string())
        .with("run", activation.run.as_str())
        .with("lesson", activation.lesson.to_string())
        .with("moment", activation.moment.word())
        .with("step", i64::from(activation.step))
        .with("trigger", activation.trigger.map(|(id, _)| id.to_string()))
        .with("level", activation.trigger.map(|(_, level)| level.word()))
        .with("lane", activation.lane.word())
        .with("score", activation.score)
        .with("withheld", activation.withheld)
        .with("at", date(activation.at))
        .texts("beat", activation.beat.iter().map(ToString::to_string))
        .texts("triggers", row.triggers.iter().map(ToString::to_string))
        .with("explanation", row.explanation.as_str())
        .with(
            "hindlore_by_time",
            format!("{lesson}{}{id}", falling(activation.at)),
        )
        .with(
            "hindlore_by_age",
            format!("{lesson}{}{id}", rising(activation.at)),
        )
        .with(
            "hindlore_by_step",
            format!("{}{id}", keys.step(&activation.run, activation.step)),
        );
    let row = Map::new()
        .with("lesson", lesson)
        .with("run", run_name(keys, &activation.run))
        .with("activation", map);
    Ok(match outcome {
        Some(outcome) => row.with("outcome", outcome),
        None => row,
    })
}

/// The parameters for reading lessons by id.
pub(super) fn by_id(keys: &Keys, ids: &[LessonId]) -> Map {
    keys.owned()
        .texts("lessons", keys_of(ids, |id| keys.id(id)))
        .with("id_length", count(LESSON_CHARS))
}

/// Reads the lessons in the first row.
pub(super) fn lessons_in(rows: &[Row], keys: &Keys) -> Result<Vec<Lesson>> {
    listed(rows, "lessons", |properties: Properties| {
        into_lesson(&properties, &keys.owner)
    })
}

/// Reads the lessons of a column, skipping unreadable ones: one damaged lesson must not hide all other advice.
pub(super) fn readable(rows: &[Row], keys: &Keys) -> Result<Vec<Lesson>> {
    let read = |properties: Properties| match into_lesson(&properties, &keys.owner) {
        Ok(lesson) => Ok(Some(lesson)),
        Err(Failure::Damaged(what)) => {
            tracing::warn!(what, "a lesson is left out; `hindlore doctor` names it");
            Ok(None)
        }
        Err(failure) => Err(failure),
    };
    Ok(listed(rows, "lessons", read)?
        .into_iter()
        .flatten()
        .collect())
}
