//! Answers of an analysis: search results, and a report.

use schemars::JsonSchema;
use serde::Serialize;

use super::BulletResponse;
use super::figures::FiguresResponse;

/// Bullets of any status that contain all words.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct FoundResponse {
    /// The words.
    pub words: Vec<String>,
    /// Number of matches, beyond the limit as well.
    pub total: usize,
    /// The first matches, active ones first.
    pub bullets: Vec<BulletResponse>,
}

/// The figures of a memory, and all its bullets.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReportResponse {
    /// The figures.
    pub summary: FiguresResponse,
    /// All bullets, of any status, in order of insertion.
    pub bullets: Vec<BulletResponse>,
}

/// A memory as a page to look at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct PageResponse {
    /// The page, from doctype to end; it asks for nothing outside itself.
    pub html: String,
    /// Bullets in it, of any status.
    pub bullets: usize,
}

/// A file with a written report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ReportFileResponse {
    /// Path of the file.
    pub file: String,
    /// Bullets in it.
    pub bullets: usize,
}
