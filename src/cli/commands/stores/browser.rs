//! Command `browser`: serves style sheet, guide, and queries to the Neo4j Browser until interrupted.

use std::net::Ipv4Addr;

use tokio::net::TcpListener;

use crate::args::browser::BrowserArgs;
use crate::browser::pack::{GUIDE_PATH, PACK_PATH, STYLE_PATH};
use crate::browser::server;
use crate::commands::CommandResult;
use crate::output::{Outcome, Tone};
use crate::session::Session;
use hindlore_api::problem::Problem;
use hindlore_api::responses::browser::BrowserResponse;

/// Listens, prints the lines to type, and serves; an interrupt is the normal end.
pub(crate) async fn run(session: &Session, args: BrowserArgs) -> CommandResult {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).await;
    let bound = listener.and_then(|listener| Ok((listener.local_addr()?.port(), listener)));
    let (port, listener) = bound.map_err(|error| unbound(args.port, &error))?;
    let url = |path: &str| format!("http://localhost:{port}{path}");
    let (style, guide, pack) = (url(STYLE_PATH), url(GUIDE_PATH), url(PACK_PATH));
    let shape = BrowserResponse {
        port,
        commands: vec![format!(":style {style}"), format!(":guide {guide}")],
        style,
        guide,
        pack,
    };
    let told_and_served = async {
        session.output.show(&shape, |page| {
            page.line(
                Tone::Plain,
                "In the editor of the Neo4j Browser, one after the other:",
            );
            for command in &shape.commands {
                page.line(Tone::Heading, format!("  {command}"));
            }
            let pack = &shape.pack;
            let questions =
                format!("The questions as saved scripts, to be dropped on its page: {pack}");
            page.line(Tone::Plain, questions);
            page.line(Tone::Faint, "Ctrl-C ends.");
        })?;
        server::serve(listener).await;
        Ok(())
    };
    // `biased` polls the handler first, which installs it: a user may interrupt as soon as the address is
    // printed.
    tokio::select! {
        biased;
        _ = tokio::signal::ctrl_c() => Ok(()),
        ended = told_and_served => ended,
    }
    .map(|()| Outcome::Done)
}

fn unbound(port: u16, error: &std::io::Error) -> Problem {
    let message = format!("localhost cannot be served on port {port}: {error}");
    Problem::new("port_unavailable", message)
        .with_hint("name another port with --port, or --port 0 for one that is free")
}
