//! Lessons as nodes and activations as relationships: every field is a property of its own and comes back
//! bit for bit; histories are JSON.

use serde::{Deserialize, Serialize};

use super::keys::{Keys, OF_LESSON, falling, posting, read_id, rising};
use super::rows::{moment, read_all, run_name};
use crate::backend::neo4j::error::{Failure, Work};
use crate::backend::neo4j::values::Map;
use crate::domain::lesson::activation::Activation;
use crate::domain::lesson::ids::{ActivationId, FingerprintId, LessonId};
use crate::domain::lesson::lesson::{
    Contest, Counts, Lesson, Owner, Place, Reach, Status, UtilityPoint,
};
use crate::domain::lesson::rule::Rule;
use crate::domain::lesson::utility::Outcome;
use crate::domain::memory::key::{derived_hash, hex};
use crate::domain::timestamp::Timestamp;
use crate::store::lessons::rows::ActivationRow;

/// What a lesson is, as one text: a walk reads dozens of them, and each property read by itself would be
/// a look at the store. The properties beside it are for those who ask the graph.
#[derive(Serialize, Deserialize)]
struct LessonText {
    id: LessonId,
    rule: String,
    reach: Reach,
    place: Place,
    status: Status,
    reliability: f64,
    impact: f64,
    counts: Counts,
    created_at: Timestamp,
    evidence_at: Timestamp,
    used_at: Option<Timestamp>,
    unused_opportunities: u32,
    restates: Option<LessonId>,
    triggers: Vec<FingerprintId>,
    tags: Vec<String>,
    source_runs: Vec<String>,
    history: Vec<UtilityPoint>,
    contests: Vec<Contest>,
}

/// Reads a lesson from its body.
pub(super) fn into_lesson(body: &str, owner: &Owner) -> Work<Lesson> {
    let text: LessonText = serde_json::from_str(body)?;
    let rule = Rule::parse(&text.rule);
    Ok(Lesson {
        id: text.id,
        owner: owner.clone(),
        rule: rule.map_err(|error| Failure::Damaged(format!("a lesson whose {error}")))?,
        triggers: text.triggers,
        tags: text.tags,
        reach: text.reach,
        place: text.place,
        status: text.status,
        reliability: text.reliability,
        impact: text.impact,
        counts: text.counts,
        history: text.history,
        contests: text.contests,
        source_runs: text.source_runs,
        restates: text.restates,
        created_at: text.created_at,
        evidence_at: text.evidence_at,
        used_at: text.used_at,
        unused_opportunities: text.unused_opportunities,
    })
}

fn body_of(lesson: &Lesson) -> Work<String> {
    let lesson = lesson.clone();
    Ok(serde_json::to_string(&LessonText {
        id: lesson.id,
        rule: lesson.rule.as_str().to_owned(),
        reach: lesson.reach,
        place: lesson.place,
        status: lesson.status,
        reliability: lesson.reliability,
        impact: lesson.impact,
        counts: lesson.counts,
        created_at: lesson.created_at,
        evidence_at: lesson.evidence_at,
        used_at: lesson.used_at,
        unused_opportunities: lesson.unused_opportunities,
        restates: lesson.restates,
        triggers: lesson.triggers,
        tags: lesson.tags,
        source_runs: lesson.source_runs,
        history: lesson.history,
        contests: lesson.contests,
    })?)
}

/// The properties of a lesson.
pub(super) fn lesson_properties(keys: &Keys, lesson: &Lesson) -> Work<Map> {
    let born = format!("{}{}", falling(lesson.created_at), lesson.id);
    let of_status = keys.word(lesson.status.word());
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
        .with("created_at", lesson.created_at.millis())
        .with("evidence_at", lesson.evidence_at.millis())
        .with("used_at", lesson.used_at.map(|at| at.millis()))
        .with(
            "unused_opportunities",
            i64::from(lesson.unused_opportunities),
        )
        .with("restates", lesson.restates.map(|id| id.to_string()))
        .texts("triggers", lesson.triggers.iter().map(ToString::to_string))
        .texts("tags", lesson.tags.iter().cloned())
        .texts("source_runs", lesson.source_runs.iter().cloned())
        .with("body", body_of(lesson)?)
        .with("by_birth", format!("{}{born}", keys.key))
        .with("by_status", format!("{of_status}{born}"))
        .with("placed", placed(lesson))
        .whole("retrieved", lesson.counts.retrieved)?
        .whole("helpful", lesson.counts.helpful)?
        .whole("harmful", lesson.counts.harmful)
}

/// A hash of all that the relationships of a lesson are made from: while it is the same, they are.
pub(super) fn placed(lesson: &Lesson) -> String {
    let (posting, place) = (posting(lesson), &lesson.place);
    let triggers: Vec<String> = lesson.triggers.iter().map(ToString::to_string).collect();
    let mut parts = vec![posting.as_str()];
    parts.extend(triggers.iter().map(String::as_str));
    // No tag and no name holds this, so that the lists cannot run into each other.
    parts.push("\u{1}tags");
    parts.extend(lesson.tags.iter().map(String::as_str));
    for part in [&place.task, &place.domain, &place.tool] {
        parts.push(part.as_deref().unwrap_or("\u{1}none"));
    }
    hex(&derived_hash(&parts)[..16])
}

/// What a lesson is tied to, each with its posting.
pub(super) fn placements(keys: &Keys, lesson: &Lesson) -> Map {
    let posting = posting(lesson);
    let triggers = lesson.triggers.iter().map(|id| {
        let key = keys.id(id);
        Map::new()
            .with("posting", format!("{key}{posting}"))
            .with("key", key)
    });
    let tags = lesson.tags.iter().map(|tag| {
        let at = format!("{}{OF_LESSON}{posting}", keys.tag(tag));
        Map::new()
            .with("node", keys.tag_node(tag))
            .with("posting", at)
    });
    let mut map = Map::new()
        .with("lesson", keys.id(lesson.id))
        .list("triggers", triggers.collect())
        .list("tags", tags.collect());
    let places = keys.places(&lesson.place);
    for (sort, list) in [("task", "tasks"), ("domain", "domains"), ("tool", "tools")] {
        let own = places.iter().filter(|(of, ..)| *of == sort);
        let own = own.map(|(_, name, start)| {
            Map::new()
                .with("node", keys.place_node(sort, name))
                .with("posting", format!("{start}{posting}"))
        });
        map = map.list(list, own.collect());
    }
    map
}

/// The properties of an activation that are fields of it.
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
    at: i64,
    outcome: Option<String>,
    beat: Vec<String>,
    triggers: Vec<String>,
    explanation: String,
}

impl ActivationProperties {
    pub(super) fn into_activation(self) -> Work<ActivationRow> {
        let trigger = self.trigger.as_deref().map(read_id).transpose()?;
        let level = self.level.as_deref().map(read_id).transpose()?;
        let outcome = self.outcome.as_deref().map(serde_json::from_str);
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
                at: moment(self.at),
                outcome: outcome.transpose()?,
            },
            triggers: read_all(&self.triggers)?,
            explanation: self.explanation,
        })
    }
}

/// The words for activations: withheld ones, open ones, and those that were settled.
pub(super) const VERDICTS: [&str; 5] = ["withheld", "open", "helped", "neutral", "harmed"];

fn verdict(activation: &Activation) -> &'static str {
    let utility = activation.outcome.map(|outcome| outcome.utility);
    match utility {
        _ if activation.withheld => VERDICTS[0],
        None => VERDICTS[1],
        Some(utility) if utility > 0.0 => VERDICTS[2],
        Some(utility) if utility < 0.0 => VERDICTS[4],
        Some(_) => VERDICTS[3],
    }
}

/// The properties of an activation that its outcome sets.
pub(super) fn outcome_properties(keys: &Keys, activation: &Activation) -> Work<Map> {
    let word = verdict(activation);
    let outcome: Option<&Outcome> = activation.outcome.as_ref();
    Ok(Map::new()
        .with("outcome", outcome.map(serde_json::to_string).transpose()?)
        .with("utility", outcome.map(|outcome| outcome.utility))
        .with("verdict", word)
        .with("by_verdict", keys.word(word)))
}

/// An activation as a row of the statement that writes it.
pub(super) fn activation_row(keys: &Keys, row: &ActivationRow) -> Work<Map> {
    let activation = &row.activation;
    let (id, lesson) = (activation.id, keys.id(activation.lesson));
    let mut map = outcome_properties(keys, activation)?;
    let outcome = activation.outcome.is_some().then(|| map.clone());
    map = map
        .with("key", keys.id(id))
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
        .with("at", activation.at.millis())
        .texts("beat", activation.beat.iter().map(ToString::to_string))
        .texts("triggers", row.triggers.iter().map(ToString::to_string))
        .with("explanation", row.explanation.as_str())
        .with("by_time", format!("{lesson}{}{id}", falling(activation.at)))
        .with("by_age", format!("{lesson}{}{id}", rising(activation.at)))
        .with(
            "by_step",
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
