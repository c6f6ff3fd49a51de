//! Steps and their bodies as nodes.

use serde::Deserialize;

use super::keys::{Keys, read_id};
use super::run_rows::read_all;
use crate::bolt::times::{Moment, date};
use crate::bolt::values::{Map, title};
use crate::error::Result;
use hindlore_primitives::identity::hex;
use hindlore_store::lessons::rows::StepRow;

/// The properties of a step's node that are its fields, with those of its body.
#[derive(Deserialize)]
pub(super) struct StepProperties {
    run: String,
    step: u32,
    plan_step: Option<String>,
    failed: bool,
    followed: Vec<String>,
    at: Moment,
    id: Option<String>,
    kind: String,
    said: Option<BodyProperties>,
}

/// The properties of a body that are its fields.
#[derive(Default, Deserialize)]
struct BodyProperties {
    action: String,
    description: String,
    metadata: Option<String>,
}

impl StepProperties {
    pub(super) fn into_step(self) -> Result<StepRow> {
        let said = self.said.unwrap_or_default();
        Ok(StepRow {
            followed: read_all(&self.followed)?,
            run: self.run,
            step: self.step,
            action: said.action,
            plan_step: self.plan_step,
            failed: self.failed,
            at: self.at.0,
            id: self.id,
            kind: read_id(&self.kind)?,
            description: said.description,
            metadata: said.metadata,
        })
    }
}

/// A step as a row of `lessons/add_steps`.
pub(super) fn step_row(keys: &Keys, step: &StepRow) -> Map {
    let said = match step.description.as_str() {
        "" => title(&step.action),
        description => title(description),
    };
    let caption = format!("step {}: {said}", step.step);
    let hash = hex(&step.body_hash());
    let by_id = step.id.as_deref().map(|id| keys.step_id(&step.run, id));
    let node = keys
        .node(keys.step(&step.run, step.step), &caption)
        .with("run", step.run.as_str())
        .with("step", i64::from(step.step))
        .with("plan_step", step.plan_step.clone())
        .with("failed", step.failed)
        .texts("followed", step.followed.iter().map(ToString::to_string))
        .with("at", date(step.at))
        .with("id", step.id.clone())
        .with("hindlore_by_id", by_id)
        .with("kind", step.kind.word())
        .with("body", hash.as_str());
    let body = keys
        .node(keys.step_body(&hash), &said)
        .with("hash", hash)
        .with("action", step.action.as_str())
        .with("description", step.description.as_str())
        .with("metadata", step.metadata.clone());
    Map::new()
        .with("run", keys.run(&step.run))
        .with("step", node)
        .with("body", body)
}
