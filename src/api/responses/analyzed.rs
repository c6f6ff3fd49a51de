//! What an analysis answers: bullets that were searched for, and a report.

use schemars::JsonSchema;
use serde::Serialize;

use super::BulletResponse;
use super::figures::FiguresResponse;

/// Bullets of every status that contain all the words.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct FoundResponse {
    /// The words.
    pub words: Vec<String>,
    /// How many there are, also beyond the limit of this listing.
    pub total: usize,
    /// The first of them, active ones before others.
    pub bullets: Vec<BulletResponse>,
}

/// A memory in figures, and all its bullets.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReportResponse {
    /// The figures.
    pub summary: FiguresResponse,
    /// The bullets in any status, in insertion order.
    pub bullets: Vec<BulletResponse>,
}

/// A file that a report was written to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ReportFileResponse {
    /// Path of the file.
    pub file: String,
    /// Bullets in it.
    pub bullets: usize,
}
