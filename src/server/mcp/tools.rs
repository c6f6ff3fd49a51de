//! Tools: the verbs of a profile in the form for an MCP client, in an order that never changes.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as Told, ToolAnnotations};
use serde_json::Value;

use super::coerce;
use super::graph_tools::{GRAPH_TOOLS, GraphTool};
use super::names::{ByPrefix, NAMED, Named, tool_of};
use super::schema;
use hindlore_api::catalog::{self, Registered};
use hindlore_api::nearest::suggestion;
use hindlore_api::problem::Problem;
use hindlore_api::server::ToolProfile;
use hindlore_api::verb::Effect;
use hindlore_domain::sharing::api_key::Rights;

/// A tool: its published form and its verbs.
pub(super) struct Tool {
    /// The published form.
    pub(super) told: Told,
    verbs: Vec<Choice>,
    /// The schema by which its arguments are read.
    reads: Value,
    /// It may destroy or archive objects that an unknown field was meant to spare.
    is_strict: bool,
    /// How its arguments and its answer differ from those of its verb, if they do.
    graph: Option<&'static GraphTool>,
}

/// Beginnings of ids, and the verb that they lead to.
type Choice = (&'static [&'static str], &'static Registered);

impl Tool {
    /// Reads arguments as clients send them. Returns the fields that were passed over.
    pub(super) fn read(&self, arguments: &mut JsonObject) -> Vec<String> {
        coerce::read(&self.reads, self.is_strict, arguments)
    }

    /// The request of its verb.
    ///
    /// # Errors
    /// `invalid_request` where the tool has arguments of its own and they cannot be one.
    pub(super) fn request(&self, arguments: JsonObject) -> Result<Value, Problem> {
        match self.graph {
            None => Ok(Value::Object(arguments)),
            Some(graph) => graph.request(arguments),
        }
    }

    /// A problem of its verb in its own words.
    pub(super) fn said(&self, problem: Problem) -> Problem {
        match self.graph {
            None => problem,
            Some(graph) => graph.said(problem),
        }
    }

    /// The published part of an answer of its verb, and the parts that have no place in its shape.
    pub(super) fn answer(&self, answer: Value) -> (Value, Vec<String>) {
        match self.graph {
            None => (answer, Vec::new()),
            Some(graph) => graph.answer(answer),
        }
    }

    /// The verb for a request.
    pub(super) fn verb(&self, request: &JsonObject) -> &'static Registered {
        let id = request
            .get("id")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let meant = self
            .verbs
            .iter()
            .find(|(prefixes, _)| prefixes.iter().any(|prefix| id.starts_with(prefix)));
        let (_, verb) = meant.unwrap_or(&self.verbs[self.verbs.len() - 1]);
        verb
    }
}

/// The tools of a profile.
pub(super) struct Tools {
    list: Vec<Tool>,
}

impl Tools {
    /// Makes them from the catalogue.
    ///
    /// # Errors
    ///
    /// `unknown_verb` if a tool names a verb that the catalogue lacks, which a test rules out.
    pub(super) fn of(profile: ToolProfile) -> Result<Self, Problem> {
        if profile == ToolProfile::Graph {
            let list = GRAPH_TOOLS.iter().map(of_graph).collect::<Result<_, _>>()?;
            return Ok(Self { list });
        }
        let mut list = NAMED.iter().map(named).collect::<Result<Vec<_>, _>>()?;
        if profile == ToolProfile::Full {
            let is_alone = |verb: &&Registered| {
                let mut single = NAMED.iter().filter(|named| named.verbs.len() == 1);
                single.any(|named| named.verbs[0].verb == verb.name)
            };
            let others = catalog::all().iter().filter(|verb| !is_alone(verb));
            list.extend(
                others.map(|verb| tool(tool_of(verb.name), verb.about(), vec![(&[][..], verb)])),
            );
        }
        Ok(Self { list })
    }

    /// The published form of all of them.
    pub(super) fn told(&self) -> Vec<Told> {
        self.list.iter().map(|tool| tool.told.clone()).collect()
    }

    /// Finds a tool by its name, or suggests the one probably meant.
    pub(super) fn find(&self, name: &str) -> Result<&Tool, String> {
        let found = self.list.iter().find(|tool| tool.told.name == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.list.iter().map(|tool| &*tool.told.name).collect();
            let hint = suggestion(name, &names);
            format!("there is no tool `{}`; {hint}", name.escape_debug())
        })
    }
}

fn named(named: &Named) -> Result<Tool, Problem> {
    let verb = |one: &ByPrefix| catalog::find(one.verb).map(|verb| (one.prefixes, verb));
    let verbs = named
        .verbs
        .iter()
        .map(verb)
        .collect::<Result<Vec<_>, _>>()?;
    Ok(tool(named.name.to_owned(), named.about.to_owned(), verbs))
}

fn tool(name: String, about: String, verbs: Vec<Choice>) -> Tool {
    let all = |is: fn(&Registered) -> bool| verbs.iter().all(|(_, verb)| is(verb));
    let only_reads = all(|verb| verb.effect == Effect::Reads);
    let hints = ToolAnnotations::new()
        .read_only(only_reads)
        .destructive(!all(|verb| verb.effect != Effect::Destroys))
        .idempotent(all(|verb| verb.idempotent))
        .open_world(false);
    // Verbs of one tool have the same fields, and the text is the tool's own.
    let (_, last) = verbs[verbs.len() - 1];
    let reads = schema::read(last.request());
    let input = Arc::new(schema::told(&reads));
    let title = titled(&name);
    let told = Told::new(Cow::from(name), Cow::from(about), input)
        .with_title(title)
        .with_annotations(hints);
    let only_asks = all(|verb| verb.needs.rights() == Rights::Read);
    let own = NAMED.iter().find(|named| named.name == told.name);
    Tool {
        told,
        reads,
        is_strict: !only_asks && own.is_none_or(|named| named.takes_away),
        verbs,
        graph: None,
    }
}

fn of_graph(graph: &'static GraphTool) -> Result<Tool, Problem> {
    let verb = catalog::find(graph.verb)?;
    let hints = ToolAnnotations::new()
        .read_only(verb.effect == Effect::Reads)
        .destructive(graph.deletes)
        .idempotent(true)
        .open_world(false);
    let told = Told::new(graph.name, graph.about, Arc::new(graph.input()))
        .with_title(titled(graph.name))
        .with_raw_output_schema(Arc::new(graph.output()))
        .with_annotations(hints);
    Ok(Tool {
        told,
        reads: Value::Object(graph.input()),
        is_strict: graph.deletes,
        verbs: vec![(&[][..], verb)],
        graph: Some(graph),
    })
}

/// A name as a title.
fn titled(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests;
