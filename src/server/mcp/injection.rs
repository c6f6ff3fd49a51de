//! Injection: context for the start of a session or a task, as a resource and as prompts.
//!
//! The texts are those of the verbs, fenced as data. An empty memory answers with one line, so that the reader does not
//! take silence for a failure.

use rmcp::model::{
    CacheScope, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Prompt, PromptArgument,
    PromptMessage, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate, Role,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

use super::address;
use super::calls::Calls;
use hindlore_api::catalog;
use hindlore_api::problem::Problem;

/// Playbooks that are named; the others are read by the template.
const PLAYBOOKS_MAX: usize = 100;
const NOTHING: &str = "The memory has nothing to say about this yet.";
const START_PROMPT: &str = "start_session";
const TASK_PROMPT: &str = "before_task";
const TASK: &str = "task";

/// Lists the readable resources: the start of a session, then the playbooks by name.
pub(super) async fn resources(
    calls: &Calls,
    context: &RequestContext<RoleServer>,
) -> Result<Vec<Resource>, ErrorData> {
    let start = Resource::new(address::SESSION_START, "session-start")
        .with_title("Context for the start of a session")
        .with_description(
            "Proved lessons and supported rules, fenced as data. Reading it records nothing.",
        )
        .with_mime_type("text/plain");
    let found = answered(calls, "playbook.list", json!({}), context).await?;
    let found = found
        .as_ref()
        .and_then(|found| found["playbooks"].as_array());
    let playbooks = found.into_iter().flatten().filter_map(|playbook| {
        let name = playbook["name"].as_str()?;
        let about = playbook["description"].as_str().unwrap_or_default();
        let told = Resource::new(address::of_playbook(name), name)
            .with_title(format!("Playbook {name}"))
            .with_mime_type("text/plain");
        Some(if about.is_empty() {
            told
        } else {
            told.with_description(about)
        })
    });
    Ok(std::iter::once(start)
        .chain(playbooks.take(PLAYBOOKS_MAX))
        .collect())
}

/// Lists the resources that are read by a name.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(address::PLAYBOOKS, "playbook")
            .with_title("A playbook")
            .with_description("The strategies of a playbook, the surest first, fenced as data.")
            .with_mime_type("text/plain"),
    ]
}

/// Reads a resource.
pub(super) async fn read(
    calls: &Calls,
    uri: &str,
    context: &RequestContext<RoleServer>,
) -> Result<ReadResourceResponse, ErrorData> {
    let text = match address::playbook(uri) {
        None if uri == address::SESSION_START => session_start(calls, None, context).await?,
        None => return Err(unknown(uri)),
        Some(name) => {
            let fields = json!({"playbook": name, "prompt": true, "budget": 4_000});
            let found = answered(calls, "playbook.show", fields, context).await?;
            let found = found.ok_or_else(|| unknown(uri))?;
            joined([text_of(&found).to_owned(), String::new()])
        }
    };
    let contents = ResourceContents::text(text, uri).with_mime_type("text/plain");
    // It changes with every run, and is one learner's.
    let result = ReadResourceResult::new(vec![contents])
        .with_ttl_ms(0)
        .with_cache_scope(CacheScope::Private);
    Ok(result.into())
}

fn unknown(uri: &str) -> ErrorData {
    let message = format!(
        "there is no resource `{}`; `resources/list` names all of them",
        uri.escape_debug()
    );
    ErrorData::resource_not_found(message, Some(json!({ "uri": uri })))
}

/// The prompts.
pub(super) fn prompts() -> Vec<Prompt> {
    let task = |about: &str, required| {
        PromptArgument::new(TASK)
            .with_description(about)
            .with_required(required)
    };
    vec![
        Prompt::new(
            START_PROMPT,
            Some("What the memory knows that is worth having in mind in this session."),
            Some(vec![task("The subject of the session.", false)]),
        ),
        Prompt::new(
            TASK_PROMPT,
            Some("Advice and failures from earlier tasks like this one."),
            Some(vec![task("The task, in your own words.", true)]),
        ),
    ]
}

/// Writes a prompt.
pub(super) async fn prompt(
    calls: &Calls,
    request: GetPromptRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<GetPromptResponse, ErrorData> {
    let arguments = request.arguments.unwrap_or_default();
    let task = arguments.get(TASK).and_then(Value::as_str);
    let text = match (request.name.as_str(), task) {
        (START_PROMPT, task) => session_start(calls, task, context).await?,
        (TASK_PROMPT, Some(task)) => before_task(calls, task, context).await?,
        (TASK_PROMPT, None) => {
            let fault = "`before_task` needs `task`: what is to be done, in your own words";
            return Err(ErrorData::invalid_params(fault, None));
        }
        (other, _) => {
            let fault = format!(
                "there is no prompt `{}`; `prompts/list` names all of them",
                other.escape_debug()
            );
            return Err(ErrorData::invalid_params(fault, None));
        }
    };
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).into())
}

async fn session_start(
    calls: &Calls,
    task: Option<&str>,
    context: &RequestContext<RoleServer>,
) -> Result<String, ErrorData> {
    let lessons = said(calls, "lessons.brief", json!({ "task": task }), context).await?;
    let bullets = said(calls, "memory.brief", json!({}), context).await?;
    Ok(joined([lessons, bullets]))
}

async fn before_task(
    calls: &Calls,
    task: &str,
    context: &RequestContext<RoleServer>,
) -> Result<String, ErrorData> {
    let asked = json!({"query": task, "prompt": "numbered", "budget": 1_500});
    let bullets = said(calls, "retrieve", asked, context).await?;
    let asked = json!({"intent": task, "prompt": true, "budget": 800});
    let lessons = said(calls, "lessons.retrieve", asked, context).await?;
    Ok(joined([bullets, lessons]))
}

fn joined(texts: [String; 2]) -> String {
    let said: Vec<String> = texts
        .into_iter()
        .filter(|text| !text.trim().is_empty())
        .collect();
    match said.as_slice() {
        [] => NOTHING.to_owned(),
        said => said.join("\n\n"),
    }
}

/// The text for a prompt in a verb's answer; empty if there is none.
async fn said(
    calls: &Calls,
    verb: &str,
    fields: Value,
    context: &RequestContext<RoleServer>,
) -> Result<String, ErrorData> {
    let answer = answered(calls, verb, fields, context).await?;
    Ok(answer.map_or_else(String::new, |answer| text_of(&answer).to_owned()))
}

/// The answer of a verb; `None` if its object does not exist.
async fn answered(
    calls: &Calls,
    verb: &str,
    fields: Value,
    context: &RequestContext<RoleServer>,
) -> Result<Option<Value>, ErrorData> {
    let failed = |problem: &Problem| ErrorData::internal_error(calls.said(problem), None);
    let verb = catalog::find(verb).map_err(|problem| failed(&problem))?;
    match calls.ran(verb, fields, context).await {
        Ok(answer) if answer.is_empty => Ok(None),
        Ok(answer) => Ok(Some(answer.value())),
        Err(problem) if problem.code.starts_with("no_") => Ok(None),
        Err(problem) if matches!(problem.code, "invalid_request" | "not_allowed") => {
            Err(ErrorData::invalid_params(calls.said(&problem), None))
        }
        Err(problem) => Err(failed(&problem)),
    }
}

/// The text is the answer's own, or that of its field `prompt`.
fn text_of(answer: &Value) -> &str {
    let text = answer["prompt"].get("text").or(answer.get("text"));
    text.and_then(Value::as_str).unwrap_or_default()
}
