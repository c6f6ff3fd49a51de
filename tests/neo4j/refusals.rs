//! What cannot be used says so, with a kind that callers can act on and a message for people.

use std::io::Write;
use std::net::TcpListener;

use mnemograph::backend::neo4j::{Neo4jOptions, Neo4jStore};
use mnemograph::store::ErrorKind;

use crate::server::Server;

async fn refused(options: Neo4jOptions, kind: ErrorKind, word: &str) {
    let error = Neo4jStore::connect(options).await.map(|_| ()).unwrap_err();
    let message = error.to_string();
    assert_eq!(error.kind(), kind, "{message}");
    assert!(message.contains(word), "{word} in {message}");
}

pub(crate) async fn kinds(server: Server) {
    let with = |change: &dyn Fn(&mut Neo4jOptions)| {
        let mut options = server.options();
        options.connect_timeout_ms = 2_000;
        change(&mut options);
        options
    };
    let wrong = with(&|o| o.password = "not the password".to_owned());
    refused(wrong, ErrorKind::Unavailable, "password").await;
    let nowhere = with(&|o| o.uri = "bolt://127.0.0.1:1".to_owned());
    refused(nowhere, ErrorKind::Unavailable, "cannot be reached").await;
    let no_uri = with(&|o| o.uri = "gopher://localhost".to_owned());
    refused(no_uri, ErrorKind::Invalid, "bolt://").await;
    let http = server.http.replace("http://", "bolt://");
    let http = with(&|o| o.uri.clone_from(&http));
    refused(http, ErrorKind::Foreign, "Bolt").await;
    let no_database = with(&|o| o.database = "nothere".to_owned());
    refused(no_database, ErrorKind::Unavailable, "database").await;

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten().take(2) {
            let mut stream = stream;
            let _ = stream.write_all(b"220 mail.example.org ESMTP\r\n");
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
    });
    let mail = with(&|o| o.uri = format!("bolt://127.0.0.1:{port}"));
    refused(mail, ErrorKind::Foreign, "not the Bolt port").await;

    // A server that accepts and never answers must not hang anybody.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let frozen = with(&|o| o.uri = format!("bolt://127.0.0.1:{port}"));
    refused(frozen, ErrorKind::Unavailable, "in time").await;
}
