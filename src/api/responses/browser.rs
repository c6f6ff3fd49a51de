//! Where the files for the Neo4j Browser are served.

use schemars::JsonSchema;
use serde::Serialize;

/// Addresses of the files for the Neo4j Browser.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct BrowserResponse {
    /// Port on this machine.
    pub port: u16,
    /// Address of the style sheet.
    pub style: String,
    /// Address of the guide.
    pub guide: String,
    /// Address of the queries as saved scripts.
    pub pack: String,
    /// Commands to type into the Browser's editor.
    pub commands: Vec<String>,
}
