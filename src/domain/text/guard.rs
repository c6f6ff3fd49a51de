//! Guard.
/// Guard.
#[derive(Debug)]
pub struct MergeGuard;
impl MergeGuard {
    /// Standard.
    pub fn standard() -> Self {
        Self
    }
    /// Digest.
    pub fn digest(&self) -> String {
        String::new()
    }
}
