//! One integrity check: a query that returns no row on a sound store.

/// A query whose rows are (subject, finding), and the advice that follows each finding.
pub(crate) struct IntegrityCheck {
    pub(crate) query: &'static str,
    pub(crate) advice: &'static str,
}
