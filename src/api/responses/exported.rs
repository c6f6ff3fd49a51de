//! The answer of an export: its text, and its contents in numbers.

use schemars::JsonSchema;
use serde::Serialize;

use crate::export::LearnedManifest;

/// An export as text, and its contents in numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ExportResponse {
    /// The export, in its format.
    pub text: String,
    /// Its contents in numbers.
    #[serde(flatten)]
    pub contents: ExportContents,
}

/// A file with an export, and its contents in numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ExportFileResponse {
    /// Path of the file.
    pub file: String,
    /// Its contents in numbers.
    #[serde(flatten)]
    pub contents: ExportContents,
}

/// The contents of an export in numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ExportContents {
    /// Size of the text in bytes.
    pub bytes: usize,
    /// Bullets of the memory, in any status.
    pub bullets: usize,
    /// Revision of the memory; null if there is none.
    pub revision: Option<u64>,
    /// Clock of the memory; null if there is none.
    pub clock: Option<u64>,
    /// State digest of the memory; null if there is none.
    pub digest: Option<String>,
    /// Number and digest of the rows of lessons, errors, and runs; null if it has none.
    pub learned: Option<LearnedManifest>,
    /// Scopes of the learner's memories that are not in it.
    pub other_scopes: Vec<String>,
    /// Bullets and lessons in it, for a format that holds proved ones only; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<usize>,
}
