//! The fixtures by the names that the suite asks for.

use std::sync::Arc;

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities,
    ContentBlock, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation,
    JsonObject, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, Prompt, PromptArgument, PromptMessage,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource,
    ResourceTemplate, Role, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

use crate::content::{PICTURE_TYPE, binary, picture, resource, sound, text};

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const MADE: (&str, &str) = ("test://template/", "/data");
/// Tools without arguments.
const PLAIN: [&str; 7] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_missing_capability",
];

/// Answers with fixtures.
#[derive(Clone)]
pub(crate) struct Fixtures;

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("hindlore-conformance", "0"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let plain = PLAIN
            .iter()
            .map(|name| tool(name, json!({"type": "object"})));
        let all = plain.chain([custom_header(), own_schema()]).collect();
        Ok(ListToolsResult::with_all_items(all))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        // The transport checks the headers of a tool that has some.
        (name == "test_custom_header").then(custom_header)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let embedded = |uri, mime, words| ContentBlock::resource(resource(uri, mime, words));
        let content = match request.name.as_ref() {
            "test_simple_text" => vec![text("A sentence of a fixture.")],
            "test_image_content" => vec![picture()],
            "test_audio_content" => vec![sound()],
            "test_embedded_resource" => {
                vec![embedded(
                    "test://embedded-resource",
                    "text/plain",
                    "An embedded sentence.",
                )]
            }
            "test_multiple_content_types" => vec![
                text("Several kinds:"),
                picture(),
                embedded(
                    "test://mixed-content-resource",
                    "application/json",
                    "{\"kind\": \"mixed\"}",
                ),
            ],
            "test_error_handling" => {
                let failed = CallToolResult::error(vec![text("This tool always fails.")]);
                return Ok(failed.into());
            }
            "test_custom_header" => {
                let arguments = request.arguments.unwrap_or_default();
                let value = arguments.get("value").and_then(Value::as_str);
                let value =
                    value.ok_or_else(|| ErrorData::invalid_params("`value` is a text", None))?;
                vec![text(value)]
            }
            "test_missing_capability" => {
                let declared = context.meta.client_capabilities().unwrap_or_default();
                if declared.sampling.is_none() {
                    let needed = ClientCapabilities::builder().enable_sampling().build();
                    return Err(ErrorData::missing_required_client_capability(needed));
                }
                vec![text("The client has it.")]
            }
            "json_schema_2020_12_tool" => vec![text("Taken.")],
            other => {
                let message = format!("there is no tool `{other}`");
                return Err(ErrorData::invalid_params(message, None));
            }
        };
        Ok(CallToolResult::success(content).into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let all = vec![
            Resource::new(TEXT, "A text").with_mime_type("text/plain"),
            Resource::new(BINARY, "A picture").with_mime_type(PICTURE_TYPE),
        ];
        Ok(ListResourcesResult::with_all_items(all).with_cache_scope(CacheScope::Private))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let (begin, end) = MADE;
        let template = ResourceTemplate::new(format!("{begin}{{id}}{end}"), "Made for an id");
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.as_str();
        let id = uri
            .strip_prefix(MADE.0)
            .and_then(|rest| rest.strip_suffix(MADE.1));
        let contents = match (uri, id) {
            (TEXT, _) => resource(uri, "text/plain", "A sentence that never changes."),
            (BINARY, _) => binary(uri),
            (_, Some(id)) => resource(uri, "application/json", &json!({"id": id}).to_string()),
            (_, None) => {
                let message = format!("there is no resource `{uri}`");
                return Err(ErrorData::resource_not_found(
                    message,
                    Some(json!({"uri": uri})),
                ));
            }
        };
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let argument = |name: &str| PromptArgument::new(name).with_required(true);
        let prompt = |name: &str, arguments: &[&str]| {
            let arguments: Vec<_> = arguments.iter().map(|name| argument(name)).collect();
            let arguments = Some(arguments).filter(|arguments| !arguments.is_empty());
            Prompt::new(name, Some("A fixture"), arguments)
        };
        Ok(ListPromptsResult::with_all_items(vec![
            prompt("test_simple_prompt", &[]),
            prompt("test_prompt_with_arguments", &["arg1", "arg2"]),
            prompt("test_prompt_with_embedded_resource", &["resourceUri"]),
            prompt("test_prompt_with_image", &[]),
        ]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let given = |name: &str| {
            arguments
                .get(name)
                .and_then(|value| value.as_str())
                .unwrap_or_default()
        };
        let said = |content| PromptMessage::new(Role::User, content);
        let messages = match request.name.as_str() {
            "test_simple_prompt" => vec![said(text("A prompt of one sentence."))],
            "test_prompt_with_arguments" => {
                vec![said(text(&format!(
                    "Between {} and {}.",
                    given("arg1"),
                    given("arg2")
                )))]
            }
            "test_prompt_with_embedded_resource" => {
                let embedded =
                    resource(given("resourceUri"), "text/plain", "An embedded sentence.");
                vec![
                    said(ContentBlock::resource(embedded)),
                    said(text("Read it.")),
                ]
            }
            "test_prompt_with_image" => vec![said(picture()), said(text("Look at it."))],
            other => {
                let message = format!("there is no prompt `{other}`");
                return Err(ErrorData::invalid_params(message, None));
            }
        };
        Ok(GetPromptResult::new(messages).into())
    }
}

/// A tool that takes its argument from a header, too.
fn custom_header() -> Tool {
    let schema = json!({"type": "object", "required": ["value"],
        "properties": {"value": {"type": "string", "x-mcp-header": "Value"}}});
    tool("test_custom_header", schema)
}

/// A tool whose schema uses the features of JSON Schema 2020-12.
fn own_schema() -> Tool {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "address",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
        }},
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
        "allOf": [{"anyOf": [{"required": ["name"]}, {"required": ["address"]}]}],
        "if": {"required": ["address"]},
        "then": {"properties": {"address": {"required": ["street"]}}},
        "else": {"required": ["name"]},
        "additionalProperties": false
    });
    tool("json_schema_2020_12_tool", schema)
}

fn tool(name: &str, schema: Value) -> Tool {
    let schema: JsonObject = match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    };
    Tool::new(
        name.to_owned(),
        "A fixture of the conformance suite",
        Arc::new(schema),
    )
}
