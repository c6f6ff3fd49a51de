//! The nine tools of the reference memory server, for clients and prompts that were made for it.
//!
//! They are two verbs under other names: each tool maps its arguments to a request of one of them, and selects a part
//! of the answer. Names and shapes are those of that server; the stored objects are ordinary bullets.

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use hindlore_api::problem::Problem;

/// A tool of that server.
pub(super) struct GraphTool {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// The verb of the tool.
    pub(super) verb: &'static str,
    /// It deletes, which can be undone.
    pub(super) deletes: bool,
    /// The argument, and the field of the request that it becomes.
    argument: Option<(&'static str, &'static str, Shape)>,
    told: Told,
}

/// The shape of an argument.
#[derive(Clone, Copy)]
enum Shape {
    Names,
    Words,
    Entities,
    Relations,
    Observations(&'static str),
}

/// The selected part of the answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Graph,
    Entities,
    Relations,
    Added,
    Success(&'static str),
}

const CHANGE: &str = "graph.change";
const READ: &str = "graph.read";

/// The tools, in the order of that server.
pub(super) const GRAPH_TOOLS: &[GraphTool] = &[
    GraphTool {
        name: "create_entities",
        about: "Create several new entities in the knowledge graph. One whose name exists is left as it is.",
        verb: CHANGE,
        deletes: false,
        argument: Some(("entities", "create_entities", Shape::Entities)),
        told: Told::Entities,
    },
    GraphTool {
        name: "create_relations",
        about: "Create several new relations between entities of the knowledge graph. Use the active voice.",
        verb: CHANGE,
        deletes: false,
        argument: Some(("relations", "create_relations", Shape::Relations)),
        told: Told::Relations,
    },
    GraphTool {
        name: "add_observations",
        about: "Add new observations to entities that exist in the knowledge graph.",
        verb: CHANGE,
        deletes: false,
        argument: Some((
            "observations",
            "add_observations",
            Shape::Observations("contents"),
        )),
        told: Told::Added,
    },
    GraphTool {
        name: "delete_entities",
        about: "Delete entities, their observations and their relations from the knowledge graph.",
        verb: CHANGE,
        deletes: true,
        argument: Some(("entityNames", "delete_entities", Shape::Names)),
        told: Told::Success("Entities deleted"),
    },
    GraphTool {
        name: "delete_observations",
        about: "Delete observations of entities from the knowledge graph.",
        verb: CHANGE,
        deletes: true,
        argument: Some((
            "deletions",
            "delete_observations",
            Shape::Observations("observations"),
        )),
        told: Told::Success("Observations deleted"),
    },
    GraphTool {
        name: "delete_relations",
        about: "Delete relations from the knowledge graph.",
        verb: CHANGE,
        deletes: true,
        argument: Some(("relations", "delete_relations", Shape::Relations)),
        told: Told::Success("Relations deleted"),
    },
    GraphTool {
        name: "read_graph",
        about: "Read the whole knowledge graph.",
        verb: READ,
        deletes: false,
        argument: None,
        told: Told::Graph,
    },
    GraphTool {
        name: "search_nodes",
        about: "Search entities of the knowledge graph by words in their names, types and observations, the best first.",
        verb: READ,
        deletes: false,
        argument: Some(("query", "query", Shape::Words)),
        told: Told::Graph,
    },
    GraphTool {
        name: "open_nodes",
        about: "Open entities of the knowledge graph by their names, with the relations that touch them.",
        verb: READ,
        deletes: false,
        argument: Some(("names", "names", Shape::Names)),
        told: Told::Graph,
    },
];

/// Our names of fields, and theirs.
const RENAMED: [(&str, &str); 3] = [
    ("entity_type", "entityType"),
    ("relation_type", "relationType"),
    ("entity", "entityName"),
];

impl GraphTool {
    /// The schema of its arguments.
    pub(super) fn input(&self) -> JsonObject {
        let fields = match self.argument {
            None => json!({}),
            Some((name, _, shape)) => json!({ name: schema(shape) }),
        };
        let required: Vec<&str> = self.argument.iter().map(|(name, ..)| *name).collect();
        object(json!({
            "type": "object",
            "properties": fields,
            "required": required,
            "additionalProperties": false,
        }))
    }

    /// The schema of its answer.
    pub(super) fn output(&self) -> JsonObject {
        let fields = match self.told {
            Told::Graph => json!({
                "entities": schema(Shape::Entities),
                "relations": schema(Shape::Relations),
            }),
            Told::Entities => json!({ "entities": schema(Shape::Entities) }),
            Told::Relations => json!({ "relations": schema(Shape::Relations) }),
            Told::Added => json!({ "results": schema(Shape::Observations("addedObservations")) }),
            Told::Success(_) => json!({
                "success": { "type": "boolean" },
                "message": { "type": "string" },
            }),
        };
        let required: Vec<&String> = fields.as_object().into_iter().flat_map(Map::keys).collect();
        let schema = json!({ "type": "object", "properties": fields, "required": required });
        object(schema)
    }

    /// The request of its verb. Faults inside an argument are found there.
    ///
    /// # Errors
    /// `invalid_request` without the argument.
    pub(super) fn request(&self, mut arguments: JsonObject) -> Result<Value, Problem> {
        let mut request = Map::new();
        if let Some((name, field, shape)) = self.argument {
            let value = arguments.remove(name).filter(|value| !value.is_null());
            let mut value = value.ok_or_else(|| {
                let message = format!("the argument `{name}` is missing");
                Problem::new("invalid_request", message)
                    .with_hint("the schema of the tool has its shape; nothing was changed")
            })?;
            if let Shape::Observations(texts) = shape {
                rename(&mut value, &[(texts, "observations")]);
            }
            rename(&mut value, &RENAMED.map(|(ours, theirs)| (theirs, ours)));
            request.insert(field.to_owned(), value);
        }
        // Unknown ones are refused, not passed over.
        request.extend(arguments);
        Ok(Value::Object(request))
    }

    /// A problem of its verb in the words of its own arguments.
    pub(super) fn said(&self, problem: Problem) -> Problem {
        let mut message = problem.message;
        if let Some((name, field, _)) = self.argument {
            message = message.replace(field, name);
        }
        for (ours, theirs) in RENAMED.iter().filter(|(ours, _)| ours.contains('_')) {
            message = message.replace(ours, theirs);
        }
        Problem { message, ..problem }
    }

    /// The selected part of an answer of its verb, and the parts that have no place in the shape of that server.
    pub(super) fn answer(&self, mut answer: Value) -> (Value, Vec<String>) {
        let notes = answer["notes"].as_array().into_iter().flatten();
        let mut notes: Vec<String> = notes.filter_map(Value::as_str).map(str::to_owned).collect();
        let mut told = match self.told {
            Told::Graph => answer,
            Told::Entities => json!({ "entities": answer["entities"].take() }),
            Told::Relations => json!({ "relations": answer["relations"].take() }),
            Told::Added => {
                let mut results = answer["observations"].take();
                rename(&mut results, &[("observations", "addedObservations")]);
                json!({ "results": results })
            }
            Told::Success(said) => {
                let count = answer["deleted"].as_u64().unwrap_or_default();
                let done = match count {
                    0 => "nothing was deleted".to_owned(),
                    1 => format!("{said}: 1 bullet archived, which `delta undo` brings back"),
                    _ => {
                        format!("{said}: {count} bullets archived, which `delta undo` brings back")
                    }
                };
                let message = std::iter::once(done).chain(notes.drain(..));
                let message = message.collect::<Vec<_>>().join("; ");
                json!({ "success": count > 0, "message": message })
            }
        };
        rename(&mut told, &RENAMED);
        (told, notes)
    }
}

/// Renames fields, however deep.
fn rename(value: &mut Value, names: &[(&str, &str)]) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|one| rename(one, names)),
        Value::Object(fields) => {
            for (from, to) in names {
                if let Some(found) = fields.remove(*from) {
                    fields.insert((*to).to_owned(), found);
                }
            }
            fields.values_mut().for_each(|one| rename(one, names));
        }
        _ => {}
    }
}

fn schema(shape: Shape) -> Value {
    let texts = |about: &str| json!({ "type": "array", "items": { "type": "string" }, "description": about });
    let text = |about: &str| json!({ "type": "string", "description": about });
    let list = |fields: Value| {
        let required: Vec<&String> = fields.as_object().into_iter().flat_map(Map::keys).collect();
        json!({ "type": "array", "items": {
            "type": "object",
            "properties": fields,
            "required": required,
            "additionalProperties": false,
        } })
    };
    match shape {
        Shape::Names => texts("Names of entities"),
        Shape::Words => text("Words to look for in names, types and observations"),
        Shape::Entities => list(json!({
            "name": text("Name of the entity"),
            "entityType": text("Type of the entity"),
            "observations": texts("Known facts, one text each"),
        })),
        Shape::Relations => list(json!({
            "from": text("Name of the entity that it goes from"),
            "to": text("Name of the entity that it goes to"),
            "relationType": text("Type of the relation"),
        })),
        Shape::Observations(name) => list(json!({
            "entityName": text("Name of the entity"),
            name: texts("The observations"),
        })),
    }
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}
