//! Commands `remember`, `recall` and `forget`: notes in three words.

use crate::form::{Form, Typed};

/// Keeps one sentence.
pub(super) const REMEMBER: Form = Form::new(
    "remember",
    &[
        ("text", Typed::Words("TEXT")),
        ("tags", Typed::Named("tag")),
    ],
);

/// Answers a question.
pub(super) const RECALL: Form = Form::new("recall", &[("question", Typed::Words("QUESTION"))]);

/// Archives a note.
pub(super) const FORGET: Form = Form::new("forget", &[("text", Typed::Words("TEXT"))]);
