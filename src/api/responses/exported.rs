//! What an export answers: the text, and what is in it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::api::export::LearnedManifest;

/// An export as text, and what is in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ExportResponse {
    /// The export itself, in its format.
    pub text: String,
    /// What is in it.
    #[serde(flatten)]
    pub contents: ExportContents,
}

/// A file that an export was written to, and what is in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ExportFileResponse {
    /// Path of the file.
    pub file: String,
    /// What is in it.
    #[serde(flatten)]
    pub contents: ExportContents,
}

/// What is in an export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ExportContents {
    /// Size of the text in bytes.
    pub bytes: usize,
    /// Bullets of the memory, in any status.
    pub bullets: usize,
    /// Revision of the memory; null where there is none.
    pub revision: Option<u64>,
    /// Clock of the memory; null where there is none.
    pub clock: Option<u64>,
    /// State digest of the memory; null where there is none.
    pub digest: Option<String>,
    /// Rows of lessons, errors and runs, and their digest; null where none are in it.
    pub learned: Option<LearnedManifest>,
    /// Scopes of the learner whose memories are not in it.
    pub other_scopes: Vec<String>,
}
