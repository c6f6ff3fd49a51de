//! What is told of the files for the Neo4j Browser.

use schemars::JsonSchema;
use serde::Serialize;

/// Where the files for the Neo4j Browser are served.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct BrowserResponse {
    /// Port on this machine.
    pub port: u16,
    /// Address of the style sheet.
    pub style: String,
    /// Address of the guide.
    pub guide: String,
    /// Address of the questions as saved scripts.
    pub pack: String,
    /// What to type into the editor of the Browser.
    pub commands: Vec<String>,
}
