//! Names of runs and places as they are kept.

use crate::error::{EngineError, EngineResult};
use crate::lessons::requests::About;
use hindlore_domain::lesson::lesson::Place;
use hindlore_primitives::identity::parse_name;
use hindlore_redact::Redactor;

/// The name of a run as it is kept: a secret in it is always the same mark.
pub(crate) fn run_name(redactor: &Redactor, raw: &str) -> EngineResult<String> {
    let mut name = raw.to_owned();
    redactor.sweep().name(&mut name);
    parse_name("run", &name).map_err(|error| EngineError::Invalid(error.to_string()))
}

/// Task, domain and tool as they are kept: an empty one is none.
pub(crate) fn checked_place(place: Place) -> EngineResult<Place> {
    Ok(Place {
        task: optional_name("task", place.task)?,
        domain: optional_name("domain", place.domain)?,
        tool: optional_name("tool", place.tool)?,
    })
}

/// Normalises the description of a run for storage: an empty name is none.
pub(crate) fn checked_about(about: About) -> EngineResult<About> {
    Ok(About {
        task_type: optional_name("task_type", about.task_type)?,
        agent: optional_name("agent", about.agent)?,
        user: optional_name("user", about.user)?,
        parent: optional_name("parent", about.parent)?,
        scope: optional_name("scope", about.scope)?,
    })
}

/// A name as it is kept; an empty one is none.
pub(crate) fn optional_name(
    what: &'static str,
    name: Option<String>,
) -> EngineResult<Option<String>> {
    match name {
        Some(text) if text.trim().is_empty() => Ok(None),
        Some(text) => parse_name(what, &text)
            .map(Some)
            .map_err(|error| EngineError::Invalid(error.to_string())),
        None => Ok(None),
    }
}

/// Fills the missing parts of a place from another.
pub(crate) fn filled(place: &Place, from: &Place) -> Place {
    let part = |own: &Option<String>, other: &Option<String>| own.clone().or_else(|| other.clone());
    Place {
        task: part(&place.task, &from.task),
        domain: part(&place.domain, &from.domain),
        tool: part(&place.tool, &from.tool),
    }
}
