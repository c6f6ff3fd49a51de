//! Answer of `status`: counts of the last day and week, and what waits.

use schemars::JsonSchema;
use serde::Serialize;

use hindlore::lessons::Activity;

/// What the memories of a learner did of late.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct StatusResponse {
    /// The last 24 hours.
    pub day: ActivityResponse,
    /// The last seven days.
    pub week: ActivityResponse,
    /// Corrections by a person that wait for their release.
    pub proposals: usize,
    /// Contradictions that nobody has decided.
    pub conflicts: usize,
}

/// Counts of a span of time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ActivityResponse {
    /// Notes that came in.
    pub remembered: usize,
    /// Lessons that were shown.
    pub shown: usize,
    /// Shown lessons whose advice was followed.
    pub followed: usize,
    /// Followed advice that worked.
    pub helped: usize,
    /// Mistakes that were not made after the lesson was shown.
    pub prevented: usize,
}

impl From<Activity> for ActivityResponse {
    fn from(counts: Activity) -> Self {
        Self {
            remembered: counts.remembered,
            shown: counts.shown,
            followed: counts.followed,
            helped: counts.helped,
            prevented: counts.prevented,
        }
    }
}
