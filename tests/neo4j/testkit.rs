//! The testkit on a real server: memories that share it without meeting, and leave nothing on it.

use hindlore_store::MaintenanceStore;
use hindlore_testkit::{TestMemory, assert_same, neo4j::ThrowAway};

use crate::server::Server;

pub(crate) async fn memories(server: Server) {
    let one = TestMemory::on(&server).await.unwrap().erased_at_end();
    let two = TestMemory::on(&server).await.unwrap().erased_at_end();
    let tenants = [&one, &two].map(|memory| memory.key.tenant().to_owned());
    one.seed(&["close the valve after every run"])
        .await
        .unwrap();
    two.seed(&["open the file last"]).await.unwrap();
    let found = one.retrieve("which valve?").await.unwrap();
    assert_eq!(found.bullets.len(), 1);
    let again = one.second_engine().view(&one.key).await.unwrap().unwrap();
    assert_same(&again, &one.view().await.unwrap());

    let store = hindlore_neo4j::Neo4jStore::connect(server.options());
    let store = store.await.unwrap();
    let there = |all: &[String], name: &String| all.contains(name);
    let before = store.tenants().await.unwrap();
    assert!(tenants.iter().all(|name| there(&before, name)));
    drop((one, two));
    let after = store.tenants().await.unwrap();
    assert!(tenants.iter().all(|name| !there(&after, name)));
}

/// The server that the environment names is used and left as it is.
pub(crate) async fn found(server: Server) {
    if Server::from_environment().is_some() {
        let throw_away = ThrowAway::start().unwrap();
        assert!(!throw_away.is_contained());
        assert_eq!(throw_away.server().uri, server.uri);
    }
    assert!(server.store().await.is_ok());
    assert!(!format!("{server:?}").contains(&server.password));
}
