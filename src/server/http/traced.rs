//! The trace of a request, from its head (W3C `traceparent`).

use axum::http::HeaderMap;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// Makes a span a part of the trace that the head names, if it names one.
pub(super) fn continued(span: &Span, headers: &HeaderMap) {
    let named = headers
        .get("traceparent")
        .and_then(|value| value.to_str().ok());
    if let Some(context) = named.and_then(parsed) {
        let parent = opentelemetry::Context::new().with_remote_span_context(context);
        // Fails only where no layer takes spans.
        let _ = span.set_parent(parent);
    }
}

/// `00-TRACE-SPAN-FLAGS`.
fn parsed(text: &str) -> Option<SpanContext> {
    let mut parts = text.trim().split('-');
    let version = parts.next()?;
    let (trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?);
    let has_lengths =
        version.len() == 2 && trace.len() == 32 && span.len() == 16 && flags.len() == 2;
    if !has_lengths || version == "ff" {
        return None;
    }
    let context = SpanContext::new(
        TraceId::from_hex(trace).ok()?,
        SpanId::from_hex(span).ok()?,
        TraceFlags::new(u8::from_str_radix(flags, 16).ok()?),
        true,
        TraceState::default(),
    );
    context.is_valid().then_some(context)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_that_names_no_trace_is_none() {
        let whole = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert!(parsed(whole).is_some_and(|context| context.is_sampled()));
        for text in [
            "",
            "00",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-zz",
        ] {
            assert!(parsed(text).is_none(), "{text}");
        }
    }
}
