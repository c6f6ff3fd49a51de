//! A question that an intact file answers with no row.

/// A query whose rows are (subject, what was found), and what to do about them.
pub(crate) struct Question {
    pub(crate) query: &'static str,
    pub(crate) advice: &'static str,
}
