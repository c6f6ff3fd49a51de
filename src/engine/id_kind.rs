//! What an id names, as its first letters tell, so that an id of one kind is never taken for another.

/// What an id names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdKind {
    /// A lesson.
    Lesson,
    /// One use of a lesson.
    Use,
    /// The fingerprint of an error.
    Fingerprint,
    /// A run without a name of its own.
    Run,
}

impl IdKind {
    /// What such an id begins with.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Lesson => "l_",
            Self::Use => "a_",
            Self::Fingerprint => "fp_",
            Self::Run => "run_",
        }
    }

    /// The noun for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Lesson => "lesson",
            Self::Use => "use",
            Self::Fingerprint => "fingerprint",
            Self::Run => "run",
        }
    }
}
