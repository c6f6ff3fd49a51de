//! Task, domain and tool, as every shape with a place has them: beside its own fields.

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::lesson::lesson::Place;

/// Where something belongs; what is absent is not known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct PlaceResponse {
    /// The task.
    pub task: Option<String>,
    /// The domain.
    pub domain: Option<String>,
    /// The tool.
    pub tool: Option<String>,
}

impl From<Place> for PlaceResponse {
    fn from(place: Place) -> Self {
        Self {
            task: place.task,
            domain: place.domain,
            tool: place.tool,
        }
    }
}
