//! The masks that replace volatile pieces in a normalised text.
//!
//! The hashed and the shown masks differ, because the kind of a value is chance and must not split an error, while a
//! reader wants to know it.

/// The replacement of a volatile piece in a normalised text.
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
            // These masks name the kind of thing in both forms.
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
    /// One sign for every volatile value, for hashing. The kind of a value is chance (`10` or `10.5.1`, a session
    /// number with or without a letter) and must not split an error.
    Identity,
    /// The typed masks, for display.
    Shown,
}
