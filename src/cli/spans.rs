//! Spans to an OpenTelemetry collector, in a program that was built with the feature `otel`.
//!
//! The environment that OpenTelemetry defines decides: OTEL_EXPORTER_OTLP_ENDPOINT names the collector (OTLP over HTTP, such as
//! http://localhost:4318), OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES this service. Without an endpoint nothing is sent.
//! A collector that does not answer costs nothing but its spans.

use std::ffi::OsString;
use std::sync::OnceLock;

use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

use hindlore_api::problem::Problem;

const ENDPOINTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
];
const SERVICE: &str = "OTEL_SERVICE_NAME";
const DISABLED: &str = "OTEL_SDK_DISABLED";
const NAME: &str = "hindlore";

/// The provider of this process, until its end.
static PROVIDER: OnceLock<SdkTracerProvider> = OnceLock::new();

/// Sends the spans of requests and verbs, where the environment names a collector.
pub(super) fn layer<S>(
    environment: &[(OsString, OsString)],
) -> Result<Option<impl Layer<S> + use<S>>, Problem>
where
    S: Subscriber + for<'s> LookupSpan<'s>,
{
    let given = |name: &str| {
        let found = environment.iter().find(|(other, _)| other == name);
        found
            .and_then(|(_, value)| value.to_str())
            .filter(|value| !value.is_empty())
    };
    let is_off = given(DISABLED).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    if is_off || !ENDPOINTS.iter().any(|name| given(name).is_some()) {
        return Ok(None);
    }
    // Fails only where one is installed already, which is the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let exporter = SpanExporter::builder().with_http().build().map_err(|error| {
        let message = format!("spans cannot be sent to a collector: {error}");
        Problem::new("invalid_config", message)
            .with_hint("set OTEL_EXPORTER_OTLP_ENDPOINT to an address such as http://localhost:4318, or unset it")
    })?;
    let resource = Resource::builder();
    let resource = match given(SERVICE) {
        Some(_) => resource,
        None => resource.with_service_name(NAME),
    };
    let made = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource.build())
        .build();
    let provider = PROVIDER.get_or_init(|| made);
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer(NAME));
    // Spans of our own alone: the exporter speaks HTTP, too.
    let is_ours = filter_fn(|metadata| {
        metadata.target().starts_with(NAME)
            && *metadata.level() <= Level::INFO
            && metadata.is_span()
    });
    Ok(Some(layer.with_filter(is_ours)))
}

/// Sends the remaining spans. It blocks, so it comes after the runtime.
pub(super) fn end() {
    if let Some(provider) = PROVIDER.get() {
        // No log is left for a collector that does not answer.
        let _ = provider.shutdown();
    }
}
