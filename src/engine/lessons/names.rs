//! Names of runs and places as they are kept.

use crate::domain::identity::parse_name;
use crate::domain::lesson::lesson::Place;
use crate::engine::error::{EngineError, EngineResult};

/// The name of a run as it is kept.
pub(super) fn run_name(raw: &str) -> EngineResult<String> {
    parse_name("run", raw).map_err(|error| EngineError::Invalid(error.to_string()))
}

/// Task, domain and tool as they are kept: an empty one is none.
pub(super) fn checked_place(place: Place) -> EngineResult<Place> {
    let part = |name: &'static str, value: Option<String>| match value {
        Some(text) if text.trim().is_empty() => Ok(None),
        Some(text) => parse_name(name, &text)
            .map(Some)
            .map_err(|error| EngineError::Invalid(error.to_string())),
        None => Ok(None),
    };
    Ok(Place {
        task: part("task", place.task)?,
        domain: part("domain", place.domain)?,
        tool: part("tool", place.tool)?,
    })
}

/// A place with what it lacks from another.
pub(super) fn filled(place: &Place, from: &Place) -> Place {
    let part = |own: &Option<String>, other: &Option<String>| own.clone().or_else(|| other.clone());
    Place {
        task: part(&place.task, &from.task),
        domain: part(&place.domain, &from.domain),
        tool: part(&place.tool, &from.tool),
    }
}
