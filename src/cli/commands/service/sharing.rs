//! How commands about sharing are typed; their answers need no pages of their own.

use crate::form::{Form, Typed};

const SUBJECT: (&str, Typed) = ("subject", Typed::Word("SUBJECT"));
const OBJECT: (&str, Typed) = ("object", Typed::Named("of"));

pub(crate) const PROMOTE: Form = Form::new("share.promote", &[("bullet", Typed::Word("BULLET"))]);

pub(crate) const FORMS: &[Form] = &[
    Form::new(
        "share.grant",
        &[SUBJECT, ("relation", Typed::Word("RELATION")), OBJECT],
    ),
    Form::new("share.revoke", &[SUBJECT, OBJECT]),
    Form::new("share.check", &[SUBJECT, OBJECT]),
    Form::new("share.subjects", &[OBJECT]),
    Form::new("share.objects", &[]),
    Form::new(
        "share.testify",
        &[
            ("bullet", Typed::Word("BULLET")),
            ("verdict", Typed::Word("VERDICT")),
        ],
    ),
    Form::new(
        "groups.member",
        &[
            ("group", Typed::Word("GROUP")),
            ("member", Typed::Word("SUBJECT")),
        ],
    ),
    Form::new(
        "groups.leader",
        &[
            ("group", Typed::Word("GROUP")),
            ("leader", Typed::Word("PRINCIPAL")),
        ],
    ),
    Form::new("groups.show", &[("group", Typed::Word("GROUP"))]),
];
