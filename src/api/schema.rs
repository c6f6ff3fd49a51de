//! The one schema of a wire type: command line help, OpenAPI text, and tool description at once.
//!
//! Schemas are JSON Schema 2020-12, derived from the types themselves, so that documentation and parser
//! cannot differ. Each is self-contained, without references: a checker, a command line, or an agent needs no
//! second document. Inner types stay free of the derive and appear as their words.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::generate::{Contract, SchemaSettings};
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use hindlore::Level as ConsolidationLevel;
use hindlore_agents::agent::Mode as AgentMode;
use hindlore_domain::lesson::activation::{RetrievalChannel, Trigger};
use hindlore_domain::lesson::evidence::evidence_row::{RowKind, Witness};
use hindlore_domain::lesson::evidence::evidence_rows::Arm;
use hindlore_domain::lesson::feedback::Channel;
use hindlore_domain::lesson::learning::candidate::Origin;
use hindlore_domain::lesson::lesson::{Cause, Reach, Status as LessonStatus};
use hindlore_domain::lesson::promotion::Reason;
use hindlore_domain::memory::bullet::{Kind, MemoryType, Source, Status};
use hindlore_domain::memory::consolidation::{DetailKind, Kept};
use hindlore_domain::memory::link::LinkKind;
use hindlore_domain::memory::policy::Profile;
use hindlore_domain::memory::query::Speaker;
use hindlore_domain::memory::receipt::ChangeKind;
use hindlore_domain::playbook::{Category as StrategyCategory, Scope as PlaybookScope, Visibility};
use hindlore_domain::sharing::api_key::Rights;
use hindlore_domain::sharing::evidence::ViewerVerdict;
use hindlore_domain::sharing::relation::Relation;
use hindlore_domain::trajectory::{
    ScoreMode, State as TrajectoryState, Status as TrajectoryStatus, StepKind, TraceState,
};
use hindlore_errors::fingerprint::Level;
use hindlore_store::lessons::rows::Settled;

/// The place of the named schemas in a document.
pub(crate) const NAMED: &str = "#/components/schemas/";

/// The reference to a named schema.
pub(crate) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("{NAMED}{name}") })
}

/// The schema of a request.
pub(crate) fn of_request<T: JsonSchema>() -> Value {
    generated::<T>(Contract::Deserialize)
}

/// The schema of an answer.
pub(crate) fn of_answer<T: JsonSchema>() -> Value {
    generated::<T>(Contract::Serialize)
}

/// The fields of a request that name a learner, a scope or a principal, and which of them each names.
pub(crate) fn names_in<T: JsonSchema>() -> Vec<(String, String)> {
    let schema = inline(Contract::Deserialize)
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    let fields = schema["properties"].as_object();
    let name = |(field, schema): (&String, &Value)| {
        let names = schema[NAMES].as_str()?;
        Some((field.clone(), names.to_owned()))
    };
    fields.into_iter().flatten().filter_map(name).collect()
}

fn inline(contract: Contract) -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
        settings.contract = contract;
    })
}

/// The settings of a schema that is published.
pub(crate) fn published(settings: SchemaSettings) -> SchemaSettings {
    settings
        .with_transform(NoInnerMarks)
        .with_transform(NoRustFormats)
        .with_transform(OneLineParagraphs)
        .with_transform(PairsAsLists)
}

fn generated<T: JsonSchema>(contract: Contract) -> Value {
    published(inline(contract))
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

/// Marks a field with a name of another learner or principal in schemas that are not published.
pub(super) const NAMES: &str = "x-names";

/// Removes marks that are ours alone; some clients refuse keywords that they do not know.
#[derive(Clone, Debug)]
struct NoInnerMarks;

impl Transform for NoInnerMarks {
    fn transform(&mut self, schema: &mut Schema) {
        schema.remove(NAMES);
        transform_subschemas(self, schema);
    }
}

/// Largest numbers of the widths that a schema does not bound by itself.
const WIDTHS: [(&str, i64, i64); 2] = [
    ("int32", i32::MIN as i64, i32::MAX as i64),
    ("uint32", 0, u32::MAX as i64),
];

/// Replaces integer formats that only Rust knows, of which clients warn, by bounds.
#[derive(Clone, Debug)]
struct NoRustFormats;

impl Transform for NoRustFormats {
    fn transform(&mut self, schema: &mut Schema) {
        let format = schema.get("format").and_then(Value::as_str);
        if format.is_some_and(|format| format.trim_start_matches('u').starts_with("int")) {
            let width = WIDTHS.iter().find(|(name, _, _)| format == Some(*name));
            let bounds = width.map(|(_, least, most)| [("minimum", *least), ("maximum", *most)]);
            schema.remove("format");
            let fields = schema.ensure_object();
            for (bound, number) in bounds.into_iter().flatten() {
                fields.entry(bound).or_insert(number.into());
            }
        }
        transform_subschemas(self, schema);
    }
}

/// Joins the lines of each paragraph, which the source breaks at its own width.
#[derive(Clone, Debug)]
struct OneLineParagraphs;

impl Transform for OneLineParagraphs {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(Value::String(about)) = schema.get_mut("description") {
            let paragraphs = about.split("\n\n").map(|one| one.replace('\n', " "));
            *about = paragraphs.collect::<Vec<_>>().join("\n\n");
        }
        transform_subschemas(self, schema);
    }
}

/// Describes pairs as lists of two: many readers of schemas, and of OpenAPI, do not know `prefixItems`.
#[derive(Clone, Debug)]
struct PairsAsLists;

impl Transform for PairsAsLists {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(Value::Array(mut places)) = schema.remove("prefixItems") {
            places.dedup();
            let items = match places.as_slice() {
                [same] => same.clone(),
                _ => json!({ "anyOf": places }),
            };
            schema.insert("items".to_owned(), items);
        }
        transform_subschemas(self, schema);
    }
}

/// An inner enum with one fixed word per value.
pub(crate) trait Worded: Copy + 'static {
    /// Its name among all schemas.
    const NAME: &'static str;
    /// All values, in order.
    const VALUES: &'static [Self];

    /// The word for a value.
    fn as_word(self) -> &'static str;
}

macro_rules! worded {
    ($($name:ident),+ $(,)?) => {
        $(impl Worded for $name {
            const NAME: &'static str = stringify!($name);
            const VALUES: &'static [Self] = Self::ALL;

            fn as_word(self) -> &'static str {
                self.word()
            }
        })+
    };
}

worded!(
    AgentMode,
    Arm,
    Cause,
    ChangeKind,
    Channel,
    Relation,
    ViewerVerdict,
    PlaybookScope,
    StrategyCategory,
    Visibility,
    ConsolidationLevel,
    DetailKind,
    Kept,
    Kind,
    RetrievalChannel,
    LessonStatus,
    Level,
    LinkKind,
    MemoryType,
    Trigger,
    Origin,
    Profile,
    Reach,
    Reason,
    Rights,
    RowKind,
    Settled,
    Source,
    Status,
    Witness,
    ScoreMode,
    StepKind,
    TraceState,
    Speaker,
    TrajectoryState,
    TrajectoryStatus
);

/// Schema of an inner enum, used as `#[schemars(with = "Word<…>")]`.
pub(crate) struct Word<T>(PhantomData<T>);

impl<T: Worded> JsonSchema for Word<T> {
    fn schema_name() -> Cow<'static, str> {
        T::NAME.into()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("word {}", T::NAME).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> = T::VALUES.iter().map(|value| value.as_word()).collect();
        json_schema!({"type": "string", "enum": words})
    }
}

/// Schema of an id, used as `#[schemars(with = "Id")]`.
pub(crate) struct Id;

impl JsonSchema for Id {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Id".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string"})
    }
}

/// Schema of an action in any form in which a harness reports it, used as `#[schemars(with = "Option<AnyAction>")]`.
pub(crate) struct AnyAction;

impl JsonSchema for AnyAction {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "AnyAction".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["string", "object", "array"]})
    }
}

/// Schema of a time, used as `#[schemars(with = "Time")]`.
pub(crate) struct Time;

impl JsonSchema for Time {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "format": "date-time"})
    }
}
