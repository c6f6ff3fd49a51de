//! Command `serve`: opens the store, listens, and hands both to the server until an interrupt.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::time::Duration;

use crate::args::serve::ServeArgs;
use crate::commands::CommandResult;
use crate::output::{Outcome, Tone};
use crate::session::Session;
use crate::session::model_use::ModelUse;
use hindlore_api::problem::Problem;
use hindlore_api::responses::serve::ServeResponse;
use hindlore_api::server::{Entry, Issuer, Server, ServerLimits, Stop};

/// Serves; an interrupt or a request to terminate is the normal end.
pub(crate) async fn run(session: &Session, args: ServeArgs) -> CommandResult {
    if args.probe {
        return probed(&args.listen).map(|()| Outcome::Done);
    }
    let Some(serve) = session.surfaces().http else {
        return Err(
            Problem::new("no_server", "this program was built without its server")
                .with_hint("build it with the feature `http`, which is on by default"),
        );
    };
    let issuer = args.oidc_issuer.zip(args.oidc_audience);
    let entry = Entry {
        needs_keys: args.require_keys,
        hosts: args.hosts,
        origins: args.origins,
        rate: args.rate,
        issuer: issuer.map(|(url, audience)| Issuer {
            url,
            audience,
            tenant_claim: args.oidc_tenant_claim,
            learner_claim: args.oidc_learner_claim,
        }),
        public_url: args.public_url,
    };
    let is_closed = entry.is_closed();
    let (listener, address) = bound(&args.listen, is_closed)?;
    session.use_model(ModelUse::Follow);
    let opened = session.open()?;
    let server = Server {
        engine: opened.engine,
        key: opened.key,
        author: session.typed_author(),
        listener,
        tools: args.tools,
        agents: session.agents(),
        limits: ServerLimits {
            body_bytes: usize::from(args.max_body) << 20,
            concurrent: args.max_requests.into(),
            time: Duration::from_secs(args.timeout.into()),
            ..ServerLimits::default()
        },
        entry,
        audit: args.audit,
    };
    // Installed before the address is printed: a caller may end it as soon as it knows that it runs.
    let stop = stop()?;
    let serving = serve(server, stop)?;
    let shown = ServeResponse::new(address);
    session.output.show(&shown, |page| {
        page.line(Tone::Good, format_args!("listening on {}", shown.url));
        page.field("description", &shown.description);
        page.line(
            Tone::Faint,
            if is_closed {
                "with credentials only (`hindlore key create` makes an API key); Ctrl-C ends"
            } else {
                "without credentials: every program on this machine may read and write all of the store; Ctrl-C ends"
            },
        );
    })?;
    serving.await?;
    Ok(Outcome::Done)
}

/// Asks a server whether it is ready.
fn probed(address: &str) -> Result<(), Problem> {
    const WAIT: Duration = Duration::from_secs(4);
    let asked = || -> std::io::Result<String> {
        let at = address.to_socket_addrs()?.next();
        let at = at.ok_or(std::io::ErrorKind::AddrNotAvailable)?;
        let mut stream = TcpStream::connect_timeout(&at, WAIT)?;
        stream.set_read_timeout(Some(WAIT))?;
        stream.write_all(b"GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n")?;
        let mut said = String::new();
        stream.take(1 << 16).read_to_string(&mut said)?;
        Ok(said)
    };
    let said = asked().map_err(|error| {
        let message = format!("no server answers at `{address}`: {error}");
        Problem::new("not_ready", message).with_hint("start one, or name its address by --listen")
    })?;
    let status = said.split_whitespace().nth(1).unwrap_or_default();
    if status == "200" {
        return Ok(());
    }
    let message = format!("the server at `{address}` is not ready: it answers {status}");
    Err(Problem::new("not_ready", message).with_hint("its log, and GET /readyz, have the reason"))
}

/// Binds the first address that a text means.
fn bound(text: &str, has_keys: bool) -> Result<(TcpListener, SocketAddr), Problem> {
    let unusable = |what: &dyn std::fmt::Display| {
        Problem::new(
            "port_unavailable",
            format!("cannot listen on `{text}`: {what}"),
        )
        .with_hint("give an address and a free port, such as --listen 127.0.0.1:7172")
    };
    let mut addresses = text.to_socket_addrs().map_err(|error| unusable(&error))?;
    let address = addresses
        .next()
        .ok_or_else(|| unusable(&"it names no address"))?;
    if !address.ip().is_loopback() && !has_keys {
        let message =
            format!("`{text}` can be reached from other machines, and there are no credentials");
        return Err(Problem::new("needs_credentials", message).with_hint(
            "add --require-keys or --oidc-issuer, or listen on loopback, such as 127.0.0.1:7171; nothing was opened",
        ));
    }
    let listener = TcpListener::bind(address).map_err(|error| unusable(&error))?;
    let address = listener.local_addr().map_err(|error| unusable(&error))?;
    Ok((listener, address))
}

/// Completes at an interrupt, or when the process is ended by a signal.
pub(crate) fn stop() -> Result<Stop, Problem> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{Signal, SignalKind, signal};
        let heard = |kind: SignalKind| -> Result<Signal, Problem> {
            signal(kind).map_err(|error| {
                Problem::new(
                    "internal_error",
                    format!("signals cannot be heard: {error}"),
                )
            })
        };
        let (mut interrupt, mut terminate) = (
            heard(SignalKind::interrupt())?,
            heard(SignalKind::terminate())?,
        );
        Ok(Box::pin(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        }))
    }
    #[cfg(not(unix))]
    Ok(Box::pin(async {
        // Without a handler the process ends at once, which is the purpose of an interrupt.
        let _ = tokio::signal::ctrl_c().await;
    }))
}
