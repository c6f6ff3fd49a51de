//! Guard.
use std::fmt;
/// Guard.
#[derive(Debug)]
pub struct MergeGuard;
/// Features.
#[derive(Debug)]
pub struct GuardFeatures;
/// Reason.
#[derive(Debug)]
pub struct GuardReason;
impl GuardReason {
    /// Conflict.
    pub fn is_conflict(&self) -> bool {
        false
    }
}
impl fmt::Display for GuardReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("")
    }
}
impl MergeGuard {
    /// Standard.
    pub fn standard() -> Self {
        Self
    }
    /// Digest.
    pub fn digest(&self) -> String {
        String::new()
    }
    /// Features.
    pub fn features(_text: &str) -> GuardFeatures {
        GuardFeatures
    }
    /// Check.
    pub fn check(&self, _a: &GuardFeatures, _b: &GuardFeatures) -> Option<GuardReason> {
        None
    }
}
