//! Checkpoints as nodes, in the form that the contract keeps for all backends.

use super::error::Work;
use super::events::Place;
use super::values::{Map, memory_names, part_key};
use crate::store::{Checkpoint, CheckpointForm};

/// The properties of a checkpoint.
pub(super) fn properties(place: Place<'_>, checkpoint: &Checkpoint) -> Work<Map> {
    let clock = checkpoint.state.head.position.clock;
    let form = CheckpointForm::of(checkpoint)?;
    memory_names(place.key)
        .with(
            "key",
            part_key(place.memory, &format!("checkpoint:{clock}")),
        )
        .with("memory", place.memory)
        .with("title", format!("checkpoint at {clock}"))
        .with("digest", form.digest)
        .with("head", form.head)
        .with("links", form.links)
        .with("bullets", form.bullets)
        .whole("clock", clock)
}
