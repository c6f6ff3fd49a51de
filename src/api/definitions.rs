//! The named schemas of all verbs: one for each type, to which the others refer.
//!
//! Generators of clients make one class of each named schema. The schemas of single verbs have no references, so that a
//! checker or an agent needs no second document; in a document of the whole API they would repeat the same types many times.

mod plain;

use std::collections::{BTreeMap, BTreeSet};

use schemars::generate::{Contract, SchemaSettings};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

use super::entry;
use super::schema::{NAMED, published};
use super::verb::Verb;
use plain::Plain;

/// The types of the verbs so far.
#[derive(Debug)]
pub struct Definitions {
    requests: SchemaGenerator,
    answers: SchemaGenerator,
    verbs: BTreeMap<&'static str, Shapes>,
}

/// The schemas of a verb, which refer to named ones.
#[derive(Clone, Debug)]
pub struct Shapes {
    /// The schema of its request.
    pub request: Value,
    /// The schema of its answer.
    pub answer: Value,
}

/// All named schemas, and the verbs that refer to them.
#[derive(Clone, Debug)]
pub struct Named {
    /// The schemas by name.
    pub schemas: Map<String, Value>,
    /// The verbs by name.
    pub verbs: BTreeMap<&'static str, Shapes>,
}

impl Named {
    /// The schema that a reference means; another schema is returned as it is.
    pub fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let known = target(schema).and_then(|name| self.schemas.get(name));
        known.unwrap_or(schema)
    }
}

impl Default for Definitions {
    fn default() -> Self {
        let generator = |contract| {
            let settings = SchemaSettings::draft2020_12().with(|settings| {
                settings.meta_schema = None;
                settings.definitions_path = NAMED.trim_start_matches('#').into();
                settings.contract = contract;
            });
            published(settings).with_transform(Plain).into_generator()
        };
        Self {
            requests: generator(Contract::Deserialize),
            answers: generator(Contract::Serialize),
            verbs: BTreeMap::new(),
        }
    }
}

impl Definitions {
    /// Adds the types of a verb.
    pub fn add<V: Verb>(&mut self) {
        let shapes = Shapes {
            request: self.requests.subschema_for::<V>().to_value(),
            answer: shape::<V::Answer>(&mut self.answers),
        };
        self.verbs.insert(V::NAME, shapes);
    }

    /// The named schemas. A type that a request and an answer write differently has two: that of the request ends in
    /// `Input`. `is_query` is true for the name of a verb whose request is a query, where every field may be left out.
    pub fn named(mut self, is_query: impl Fn(&str) -> bool) -> Named {
        let mut requests = self.requests.take_definitions(true);
        let mut schemas = self.answers.take_definitions(true);
        for shapes in self.verbs.values() {
            if let Some(request) = target(&shapes.request).and_then(|name| requests.get_mut(name)) {
                entry::refer(request);
            }
        }
        let entries = entry::named().into_iter();
        requests.extend(entries.map(|(name, entry)| (name, plain::plain(entry))));
        let queries = self.verbs.iter().filter(|(verb, _)| is_query(verb));
        let queries: BTreeSet<&str> = queries
            .filter_map(|(_, shapes)| target(&shapes.request))
            .collect();
        let bodies = requests
            .iter_mut()
            .filter(|(name, _)| !queries.contains(name.as_str()));
        bodies.for_each(|(_, schema)| plain::describe_defaults(schema));
        let renamed = renamed(&requests, &schemas);
        for (name, mut schema) in requests {
            rename(&mut schema, &renamed);
            let name = renamed.get(&name).cloned().unwrap_or(name);
            schemas.insert(name, schema);
        }
        for shapes in self.verbs.values_mut() {
            rename(&mut shapes.request, &renamed);
        }
        plain::name_choices(&mut schemas);
        plain::name_words(&mut schemas);
        Named {
            schemas,
            verbs: self.verbs,
        }
    }
}

/// The name to which a schema refers.
fn target(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix(NAMED)
}

fn shape<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}

/// The names of requests that mean something else in answers, or that refer to such a name.
fn renamed(
    requests: &Map<String, Value>,
    answers: &Map<String, Value>,
) -> BTreeMap<String, String> {
    let mut renamed = BTreeMap::new();
    loop {
        let other = requests.iter().find(|(name, schema)| {
            let mut own = (*schema).clone();
            rename(&mut own, &renamed);
            !renamed.contains_key(*name) && answers.get(*name).is_some_and(|it| *it != own)
        });
        match other {
            Some((name, _)) => drop(renamed.insert(name.clone(), format!("{name}Input"))),
            None => return renamed,
        }
    }
}

/// Replaces the names in the references of a schema.
fn rename(schema: &mut Value, names: &BTreeMap<String, String>) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::String(target)) = fields.get_mut("$ref")
                && let Some(new) = names.get(target.trim_start_matches(NAMED))
            {
                *target = format!("{NAMED}{new}");
            }
            fields.values_mut().for_each(|it| rename(it, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|it| rename(it, names)),
        _ => {}
    }
}
