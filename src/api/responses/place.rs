//! Task, domain, and tool, flattened into every shape with a place.

use schemars::JsonSchema;
use serde::Serialize;

use hindlore_domain::lesson::lesson::Place;

/// The place of a run or lesson; absent parts are unknown.
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
