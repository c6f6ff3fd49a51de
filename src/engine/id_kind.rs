//! Kinds of ids, distinguished by their prefix, so that an id of one kind is never taken for another.

/// The kind of thing that an id names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdKind {
    /// A lesson.
    Lesson,
    /// A use of a lesson.
    Use,
    /// The fingerprint of an error.
    Fingerprint,
    /// A run without a chosen name.
    Run,
}

impl IdKind {
    /// Prefix of its ids.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Lesson => "l_",
            Self::Use => "a_",
            Self::Fingerprint => "fp_",
            Self::Run => "run_",
        }
    }

    /// Noun for it in messages.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Lesson => "lesson",
            Self::Use => "use",
            Self::Fingerprint => "fingerprint",
            Self::Run => "run",
        }
    }
}
