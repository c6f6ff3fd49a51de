//! Serves a memory over HTTP inside this process, calls it as a client, and stops it.
//!
//! Run it with `cargo run --example serve`.

use std::error::Error;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use hindlore::prelude::*;
use hindlore_api::agents::Agents;
use hindlore_api::server::{Entry, Server, ServerLimits, ToolProfile};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let store = EmbeddedStore::open(folder.path().join("memory.db"), EmbeddedOptions::default())?;
    let engine = Engine::new(
        Arc::new(store),
        Arc::new(SystemClock),
        EngineOptions::default(),
    );
    // The caller binds the socket and decides when the server stops.
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let server = Server {
        engine,
        key: MemoryKey::new("default", "agent-7", "default")?,
        author: None,
        listener,
        tools: ToolProfile::Default,
        agents: Arc::new(Agents::default()),
        limits: ServerLimits::default(),
        entry: Entry::default(),
        audit: None,
    };
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = hindlore_server::http::serve(
        server,
        Box::pin(async move {
            let _ = stopped.await;
        }),
    )?;
    let serving = tokio::spawn(serving);

    let added = post(
        address,
        "/v1/bullets/add",
        r#"{"text": "Quote every path."}"#,
    )
    .await?;
    assert!(added.starts_with("HTTP/1.1 200"), "{added}");
    let found = post(
        address,
        "/v1/retrieve",
        r#"{"query": "how do I write a path?"}"#,
    )
    .await?;
    println!("{found}");
    assert!(found.contains("Quote every path."), "{found}");

    let _ = stop.send(());
    serving.await??;
    Ok(())
}

async fn post(address: SocketAddr, path: &str, body: &str) -> Result<String, std::io::Error> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}
