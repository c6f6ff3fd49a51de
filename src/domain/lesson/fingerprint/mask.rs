//! The masks: what stands in a normalised text for a volatile piece.
//!
//! What is hashed and what is shown differ, because which kind a value is of is chance and must not split an
//! error, while a reader wants to know it.

/// What stands in a normalised text for a volatile piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mask {
    Uuid,
    Hex,
    Quoted,
    Url,
    Path,
    Time,
    Address,
    Number,
    Name,
    Mixed,
}

impl Mask {
    pub(super) fn text(self, form: Form) -> &'static str {
        match self {
            // These say what kind of thing was meant.
            Self::Quoted => "<str>",
            Self::Path => "<path>",
            Self::Url => "<url>",
            _ if form == Form::Identity => "<*>",
            Self::Uuid => "<uuid>",
            Self::Hex => "<hex>",
            Self::Time => "<time>",
            Self::Address => "<addr>",
            Self::Number => "<num>",
            Self::Name => "<name>",
            Self::Mixed => "<*>",
        }
    }
}

/// Which masks are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// One sign for every volatile value: what is hashed. Which kind a value is of is chance (`10` or
    /// `10.5.1`, a session number with a letter in it or without), and must not split an error.
    Identity,
    /// The typed masks: what is shown.
    Shown,
}
