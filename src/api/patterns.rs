//! The patterns of texts in requests, as schemas show them.
//!
//! The check of a request enforces that a text is not blank. The rest of each pattern is enforced by the reader of the text,
//! whose problems have codes of their own.

/// The pattern of a text that is not blank, the only one that is enforced here.
pub(crate) const NOT_BLANK: &str = r"\S";
/// The pattern of the text of a bullet. That it is not blank is enforced here, the rest by its reader.
pub(crate) const TEXT: &str = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\xa0][^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$";
/// The pattern of a name. The readers of names enforce this one and those below, with codes of their own.
pub(crate) const NAME: &str =
    r"^[^\x00-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\xa0][^\x00-\x1f\x7f-\x9f]*$";
/// The pattern of a text without control characters, which may be empty.
pub(crate) const LINE: &str = r"^[^\x00-\x1f\x7f-\x9f]*$";
/// The pattern of a subject of a grant.
pub(crate) const SUBJECT: &str = r"^(tenant(#member)?|(agent|user): *[^\x00-\x20\x7f-\xa0][^\x00-\x1f\x7f-\x9f]{0,255}|group: *[^#\x00-\x20\x7f-\xa0][^#\x00-\x1f\x7f-\x9f]{0,255}(#member)?)$";
/// The pattern of an object of a grant.
pub(crate) const OBJECT: &str =
    r"^(memory|learner|(memory|playbook): *[^\x00-\x20\x7f-\xa0][^\x00-\x1f\x7f-\x9f]{0,255})$";
/// The pattern of a moment of a memory: a revision, a clock or a time.
pub(crate) const MOMENT: &str = concat!(
    r"^((revision:|clock:)?[0-9]{1,15}|[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
    r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))$",
);
