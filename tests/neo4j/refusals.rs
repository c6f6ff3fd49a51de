//! Unusable servers are refused, with a kind for callers to act on and a message for people.

use std::io::Write;
use std::net::TcpListener;

use hindlore::RetrieveRequest;
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_neo4j::{Neo4jOptions, Neo4jStore};
use hindlore_store::{DeltaPage, ErrorKind};

use crate::children::engine;
use crate::outage::{note, store_error};
use crate::proxy::{Fate, Proxy};
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

    // A server that accepts and never answers must not hang its clients.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let frozen = with(&|o| o.uri = format!("bolt://127.0.0.1:{port}"));
    refused(frozen, ErrorKind::Unavailable, "in time").await;
}

/// An account that may only read, as editions with roles have: it reads a memory and writes nothing.
pub(crate) async fn a_reader(server: Server) {
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let writer = engine(&server, "writer").await;
    let first = note("d_1", "what everybody may read");
    writer.apply_delta(&key, first).await.unwrap();
    let proxy = Proxy::start(&server, |message| {
        if message.is_write() {
            Fate::Refuse("Neo.ClientError.Security.Forbidden")
        } else {
            Fate::Pass
        }
    })
    .await;
    let reader = engine(&proxy.seen(&server), "reader").await;
    let seen = reader.view(&key).await.unwrap().unwrap();
    assert_eq!((seen.revision, seen.bullets.len()), (1, 1));
    let peek = RetrieveRequest {
        peek: true,
        ..RetrieveRequest::new(Query::new("read"))
    };
    assert_eq!(reader.retrieve(&key, peek).await.unwrap().bullets.len(), 1);
    assert_eq!(
        reader
            .deltas(
                &key,
                DeltaPage {
                    below_revision: None,
                    limit: 9
                }
            )
            .await
            .unwrap()
            .len(),
        2
    );
    assert!(reader.verify(&key).await.unwrap().is_sound);
    let refused = reader
        .apply_delta(&key, note("d_2", "what nobody writes"))
        .await;
    let error = store_error(refused.unwrap_err());
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    assert!(error.to_string().contains("rights"), "{error}");
    assert_eq!(writer.view(&key).await.unwrap().unwrap().revision, 1);
}
