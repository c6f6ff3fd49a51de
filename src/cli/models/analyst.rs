//! The analysts' queries as a tool: a model picks one by its name and gives parameters. It never sends Cypher.
//!
//! Only queries about one memory are offered, and the memory is always that of the turn: a model cannot read another
//! one, whatever it asks for.

use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio::sync::OnceCell;

use crate::browser::analyst_queries;
use hindlore_agents::agent::tools::{Source, Tool, arguments};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_neo4j::{Neo4jOptions, Neo4jStore};

/// Rows of an answer.
const ROWS_MAX: usize = 25;

/// A query.
struct Question {
    name: &'static str,
    text: &'static str,
    /// The first line of its header.
    asks: &'static str,
    /// Names of its parameters with the values of the header.
    parameters: Vec<(&'static str, Value)>,
}

/// The queries about one memory.
static QUESTIONS: LazyLock<Vec<Question>> = LazyLock::new(|| {
    let all = analyst_queries().map(|(name, text)| Question::read(name, text));
    all.filter(|one| one.parameters.iter().any(|(name, _)| *name == "scope"))
        .collect()
});

impl Question {
    fn read(name: &'static str, text: &'static str) -> Self {
        let parameters = text
            .lines()
            .filter_map(|line| line.strip_prefix("//   :param ")?.split_once(" => "));
        let value = |example: &str| serde_json::from_str(&example.replace('\'', "\""));
        Self {
            name,
            text,
            asks: text
                .lines()
                .next()
                .unwrap_or_default()
                .trim_start_matches("// "),
            parameters: parameters
                .map(|(name, example)| (name, value(example).unwrap_or_default()))
                .collect(),
        }
    }

    /// The parameters that a model may give.
    fn free(&self) -> impl Iterator<Item = &str> {
        let names = self.parameters.iter().map(|(name, _)| *name);
        names.filter(|name| !matches!(*name, "tenant" | "learner" | "scope"))
    }

    fn about(&self) -> String {
        let free: Vec<&str> = self.free().collect();
        format!("{} ({}): {}", self.name, free.join(", "), self.asks)
    }

    fn parameters(&self, key: &MemoryKey, given: &Value) -> Map<String, Value> {
        let value = |(name, example): &(&str, Value)| {
            let value = match *name {
                "tenant" => key.tenant().into(),
                "learner" => key.learner().into(),
                "scope" => key.scope().into(),
                other => given.get(other).unwrap_or(example).clone(),
            };
            ((*name).to_owned(), value)
        };
        self.parameters.iter().map(value).collect()
    }
}

/// The queries on a server, as a source of tools. It connects when a model first asks.
pub(crate) fn analyst(options: Neo4jOptions) -> Source {
    let questions: Vec<String> = QUESTIONS.iter().map(Question::about).collect();
    let about: Arc<str> = format!(
        "rows about this memory by a named query; its input is a JSON object with `query` and any of the parameters in \
         brackets; the queries: {}",
        questions.join(" ")
    )
    .into();
    let server = Arc::new(Server {
        options,
        store: OnceCell::new(),
    });
    Source::OfMemory(Arc::new(move |key| {
        Arc::new(Analyst {
            server: server.clone(),
            about: about.clone(),
            key: key.clone(),
        })
    }))
}

struct Server {
    options: Neo4jOptions,
    store: OnceCell<Neo4jStore>,
}

struct Analyst {
    server: Arc<Server>,
    about: Arc<str>,
    key: MemoryKey,
}

#[async_trait]
impl Tool for Analyst {
    fn name(&self) -> &str {
        "memory_query"
    }

    fn about(&self) -> &str {
        &self.about
    }

    async fn call(&self, input: &str) -> Result<String, String> {
        let given = arguments(input, "query");
        let name = given["query"].as_str().unwrap_or_default().trim();
        let question = QUESTIONS.iter().find(|one| one.name == name);
        let question = question.ok_or_else(|| {
            let names: Vec<&str> = QUESTIONS.iter().map(|one| one.name).collect();
            format!(
                "there is no query `{}`; there are {}",
                name.escape_debug(),
                names.join(", ")
            )
        })?;
        let options = Neo4jOptions {
            migrate: false,
            ..self.server.options.clone()
        };
        let connect = || Neo4jStore::connect(options);
        let store = self.server.store.get_or_try_init(connect).await;
        let store = store.map_err(|error| error.to_string())?;
        let parameters = question.parameters(&self.key, &given);
        let rows = store
            .ask((question.name, question.text), &parameters, ROWS_MAX)
            .await;
        let rows = rows.map_err(|error| error.to_string())?;
        if rows.is_empty() {
            return Ok("no rows".to_owned());
        }
        let lines: Vec<String> = rows
            .into_iter()
            .map(|row| Value::Object(row).to_string())
            .collect();
        Ok(lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_reads_the_memory_of_the_turn_whatever_a_model_gives() {
        let key = MemoryKey::new("t", "ann", "work").unwrap();
        let find = QUESTIONS.iter().find(|one| one.name == "start/find");
        let given = serde_json::json!({"learner": "eve", "scope": "x", "words": "red gate"});
        let parameters = find
            .map(|one| one.parameters(&key, &given))
            .unwrap_or_default();
        let expected = serde_json::json!({
            "tenant": "t", "learner": "ann", "scope": "work", "words": "red gate", "limit": 25,
        });
        assert_eq!(Value::Object(parameters), expected);
        assert!(QUESTIONS.len() > 20, "{}", QUESTIONS.len());
        for one in QUESTIONS.iter() {
            assert!(
                !one.text.to_lowercase().contains("create ("),
                "{}",
                one.name
            );
            assert!(one.asks.ends_with('?'), "{}: {}", one.name, one.asks);
        }
    }
}
