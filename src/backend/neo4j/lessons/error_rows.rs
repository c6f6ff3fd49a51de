//! Errors and fingerprints as nodes: every field is a property of its own and comes back bit for bit.

use neo4rs::Row;
use serde::Deserialize;

use super::keys::{Keys, read_id};
use super::run_rows::read_all;
use crate::bolt::times::{Moment, date};
use crate::bolt::values::Map;
use crate::error::Result;
use crate::upkeep::by_hand::Node;
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::{LearnerId, Place};
use hindlore_errors::fingerprint::{Fingerprint, Fingerprints};
use hindlore_primitives::ids::EventId;
use hindlore_store::lessons::rows::FingerprintRow;
use hindlore_store::order_key::falling;

/// The properties of an error's node that are its fields.
#[derive(Deserialize)]
pub(super) struct EventProperties {
    id: String,
    run: String,
    step: u32,
    pub(super) fine: String,
    pub(super) coarse: String,
    task: Option<String>,
    domain: Option<String>,
    tool: Option<String>,
    at: Moment,
    channels: Vec<String>,
    tags: Vec<String>,
    progress: Option<f64>,
    efficiency: Option<f64>,
    failed_constraints: Vec<String>,
    reason: String,
    error: String,
    state: String,
    action: String,
    state_after: String,
}

/// An error with the texts of its fingerprints.
#[derive(Deserialize)]
pub(super) struct EventWithTexts {
    event: Node<EventProperties>,
    fine: String,
    coarse: String,
}

impl EventWithTexts {
    /// Reads an error from a row with the columns `event`, `fine` and `coarse`.
    pub(super) fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            event: row.get("event")?,
            fine: row.get("fine")?,
            coarse: row.get("coarse")?,
        })
    }

    pub(super) fn into_event(self, owner: &LearnerId) -> Result<ErrorEvent> {
        let Node(event) = self.event;
        event.into_event(owner, self.fine, self.coarse)
    }
}

impl EventProperties {
    pub(super) fn into_event(
        self,
        owner: &LearnerId,
        fine: String,
        coarse: String,
    ) -> Result<ErrorEvent> {
        let print = |id: &str, normalised: String| -> Result<Fingerprint> {
            Ok(Fingerprint {
                id: read_id(id)?,
                normalised,
            })
        };
        Ok(ErrorEvent {
            id: read_id::<EventId>(&self.id)?,
            owner: owner.clone(),
            channels: read_all(&self.channels)?,
            fingerprints: Fingerprints {
                fine: print(&self.fine, fine)?,
                coarse: print(&self.coarse, coarse)?,
            },
            place: Place {
                task: self.task,
                domain: self.domain,
                tool: self.tool,
            },
            run: self.run,
            step: self.step,
            error: self.error,
            state: self.state,
            action: self.action,
            state_after: self.state_after,
            reason: self.reason,
            tags: self.tags,
            progress: self.progress,
            efficiency: self.efficiency,
            failed_constraints: self.failed_constraints,
            at: self.at.0,
        })
    }
}

/// The properties of an error.
pub(super) fn event_properties(keys: &Keys, event: &ErrorEvent) -> Map {
    let place = &event.place;
    let place_in = |start: String| format!("{start}{}{}", falling(event.at), event.id);
    let of_task = place.task.as_deref().map(|task| keys.of_task(task));
    let of_domain = place.domain.as_deref();
    let of_domain = of_domain.map(|domain| keys.of_domain(domain, place.tool.as_deref()));
    let said = [&event.error, &event.reason, &event.action];
    let caption = said.into_iter().find(|text| !text.trim().is_empty());
    let words = event.channels.iter().map(ToString::to_string);
    keys.node(
        keys.id(event.id),
        caption.map_or("an error", String::as_str),
    )
    .with("id", event.id.to_string())
    .with("run", event.run.as_str())
    .with("step", i64::from(event.step))
    .with("fine", event.fingerprints.fine.id.to_string())
    .with("coarse", event.fingerprints.coarse.id.to_string())
    .with("task", place.task.clone())
    .with("domain", place.domain.clone())
    .with("tool", place.tool.clone())
    .with("at", date(event.at))
    .texts("channels", words)
    .texts("tags", event.tags.iter().cloned())
    .with("progress", event.progress)
    .with("efficiency", event.efficiency)
    .texts(
        "failed_constraints",
        event.failed_constraints.iter().cloned(),
    )
    .with("reason", event.reason.as_str())
    .with("error", event.error.as_str())
    .with("state", event.state.as_str())
    .with("action", event.action.as_str())
    .with("state_after", event.state_after.as_str())
    .with("hindlore_by_time", place_in(keys.key.clone()))
    .with("hindlore_by_run", place_in(keys.run(&event.run)))
    .with("hindlore_by_task", of_task.map(place_in))
    .with("hindlore_by_domain", of_domain.map(place_in))
    .with(
        "hindlore_by_step",
        format!("{}{}", keys.step(&event.run, event.step), event.id),
    )
}

/// The properties of a fingerprint's node that are its fields.
#[derive(Deserialize)]
pub(super) struct FingerprintProperties {
    id: String,
    normalised: String,
    tags: Vec<String>,
    events: u64,
    runs: u64,
    first_at: Option<Moment>,
    last_at: Option<Moment>,
}

impl FingerprintProperties {
    pub(super) fn into_row(self) -> Result<FingerprintRow> {
        Ok(FingerprintRow {
            fingerprint: Fingerprint {
                id: read_id(&self.id)?,
                normalised: self.normalised,
            },
            tags: self.tags,
            events: self.events,
            runs: self.runs,
            first_at: self.first_at.map(|Moment(at)| at),
            last_at: self.last_at.map(|Moment(at)| at),
        })
    }
}

/// The properties of a fingerprint.
pub(super) fn fingerprint_properties(keys: &Keys, row: &FingerprintRow) -> Result<Map> {
    let print = &row.fingerprint;
    let id = print.id.to_string();
    let caption = match print.normalised.as_str() {
        "" => id.as_str(),
        text => text,
    };
    keys.node(keys.id(print.id), caption)
        .with("id", id.as_str())
        .with("normalised", print.normalised.as_str())
        .texts("tags", row.tags.iter().cloned())
        .texts("tag_keys", row.tags.iter().map(|tag| keys.tag(tag)))
        .with("first_at", row.first_at.map(date))
        .with("last_at", row.last_at.map(date))
        .whole("events", row.events)?
        .whole("runs", row.runs)
}
