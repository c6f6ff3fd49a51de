//! Command `graph change`: the lists of a change as JSON.

use crate::form::{Form, Typed};

pub(super) const FORM: Form = Form::new(
    "graph.change",
    &[
        (
            "create_entities",
            Typed::Json(
                "Entities to create: [{\"name\": …, \"entity_type\": …, \"observations\": […]}]",
            ),
        ),
        (
            "create_relations",
            Typed::Json("Relations to create: [{\"from\": …, \"to\": …, \"relation_type\": …}]"),
        ),
        (
            "add_observations",
            Typed::Json("Observations to add: [{\"entity\": …, \"observations\": […]}]"),
        ),
        (
            "delete_observations",
            Typed::Json("Observations to delete, as those to add"),
        ),
        (
            "delete_relations",
            Typed::Json("Relations to delete, as those to create"),
        ),
        ("delete_entities", Typed::Named("delete-entity")),
    ],
);
