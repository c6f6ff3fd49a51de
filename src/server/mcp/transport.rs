//! Door: the two ways in, standard input and output of this process, and a route of the server.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use rmcp::service::ServerInitializeError;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService, stdio};
use rmcp::{ServerHandler, ServiceExt};

use super::handler::Handler;
use super::lines::Lines;
use hindlore_api::problem::Problem;
use hindlore_api::server::{Serving, Stop, Tools};

/// Time for the last answers to be written after the input closed.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// Answers requests to a route.
pub type Endpoint<H = Handler> = StreamableHttpService<H, NeverSessionManager>;

/// Makes the endpoint of a server that takes bodies up to this many bytes. The caller has checked host and origin.
pub fn endpoint<H: ServerHandler + Clone>(handler: H, body_bytes: usize) -> Endpoint<H> {
    let mut config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts();
    config.max_request_body_bytes = body_bytes;
    StreamableHttpService::new(
        move || Ok(handler.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    )
}

/// Prepares the tools of one agent; see [`serve_stdio`].
///
/// # Errors
///
/// Those of [`Handler::new`].
pub fn serve(tools: Tools, stop: Stop) -> Result<Serving, Problem> {
    let handler = Handler::new(tools.access, tools.profile, tools.limits)?;
    let line_bytes = tools.limits.body_bytes;
    Ok(Box::pin(serve_stdio(handler, line_bytes, stop)))
}

/// Answers requests on standard input until it closes, or until `stop`: lines of up to `line_bytes`. Running calls are
/// finished first.
///
/// # Errors
///
/// `invalid_protocol` where the first request is none of the protocol.
pub async fn serve_stdio(
    handler: Handler,
    line_bytes: usize,
    stop: impl Future<Output = ()>,
) -> Result<(), Problem> {
    let (input, output) = stdio();
    let (lines, writer) = Lines::new(input, output, line_bytes);
    let serving = async {
        let running = match handler.serve(lines).await {
            Ok(running) => running,
            // The input was closed before any request.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => {
                let message = format!("no session of the protocol began: {error}");
                return Err(Problem::new("invalid_protocol", message).with_hint(
                    "send JSON-RPC, a message a line, beginning with `initialize` or `server/discover`",
                ));
            }
        };
        match running.waiting().await {
            Ok(_) => Ok(()),
            Err(error) => Err(Problem::new(
                "internal_error",
                format!("the session ended early: {error}"),
            )),
        }
    };
    let ended = tokio::select! {
        ended = serving => ended,
        () = stop => Ok(()),
    };
    // A client that reads no more does not keep the process.
    let _ = tokio::time::timeout(LAST_ANSWERS, writer).await;
    ended
}
