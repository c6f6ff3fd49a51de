//! Lessons edited by hand in the Browser: the engine sees the analyst's view, the doctor names the edit, and `adopt`
//! accepts it.

use hindlore::Engine;
use hindlore::lessons::{LessonCall, LessonRequest};
use hindlore_contract::subject::fresh;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, Status};
use hindlore_domain::lesson::retrieval::query::RankingMode;
use hindlore_neo4j::Neo4jStore;
use hindlore_store::lessons::reading::LessonPage;
use hindlore_store::{LessonStore, MaintenanceStore};
use serde_json::{Value, json};

use crate::children::engine;
use crate::http::ask;
use crate::lessons::{evidence, failing, place, teach};
use crate::server::Server;

struct Hand {
    server: Server,
    owner: LearnerId,
    engine: Engine,
    store: Neo4jStore,
}

impl Hand {
    /// A learner with three lessons for one error.
    async fn with_lessons(server: &Server) -> Self {
        let owner = LearnerId::new(&fresh("tenant"), "learner").unwrap();
        let engine = engine(server, "writer").await;
        let first = engine.capture_error(&owner, failing("first", 1)).await;
        let prints = first.unwrap().error.unwrap().fingerprints;
        let mut triggers = vec![prints.fine.id, prints.coarse.id];
        triggers.dedup();
        teach(&engine, &owner, &triggers, "a test").await;
        let store = Neo4jStore::connect(server.options()).await.unwrap();
        let server = server.clone();
        Self {
            server,
            owner,
            engine,
            store,
        }
    }

    fn write(&self, statement: &str) -> Value {
        let answer = ask(
            &self.server,
            statement,
            json!({"tenant": self.owner.tenant()}),
        );
        assert!(answer["errors"].is_null(), "{answer}");
        answer["data"]["values"].clone()
    }

    /// The rules that are given when the error comes again.
    async fn given(&self) -> Vec<String> {
        let request = LessonRequest {
            run: None,
            call: LessonCall::OnError {
                step: 2,
                evidence: evidence(),
                exit_code: Some(1),
            },
            text: String::new(),
            tags: Vec::new(),
            place: place(),
            max_results: None,
            mode: RankingMode::Direct,
            exact_only: false,
            fit: None,
            scope: None,
        };
        let found = self.engine.retrieve_lessons(&self.owner, request).await;
        let found = found.unwrap().lessons.into_iter();
        found
            .map(|one| one.lesson.rule.as_str().to_owned())
            .collect()
    }

    async fn listed(&self, status: Status) -> Vec<Lesson> {
        let page = LessonPage {
            status: Some(status),
            after: None,
            limit: 10,
        };
        self.store.lessons(&self.owner, page).await.unwrap()
    }

    /// The doctor's messages about this learner.
    async fn named(&self) -> Vec<String> {
        let found = self.store.check().await.unwrap().into_iter();
        let ours = found.filter(|one| one.subject.contains(self.owner.tenant()));
        ours.map(|one| one.message).collect()
    }

    async fn assert_adopted(&self) {
        let named = self.named().await;
        assert!(named.is_empty(), "{named:?}");
        assert!(
            self.engine
                .adopt_lessons(&self.owner)
                .await
                .unwrap()
                .is_empty()
        );
    }
}

const SUM: &str = "MATCH (l:Lesson {tenant: $tenant}) WHERE l.rule STARTS WITH 'Use'";

/// A lesson suppressed by an analyst is not given any more, and an edited rule is given as edited.
pub(crate) async fn status_and_rule(server: Server) {
    let hand = Hand::with_lessons(&server).await;
    hand.assert_adopted().await;
    let before = hand.given().await;
    assert!(
        before.iter().any(|rule| rule.starts_with("Use")),
        "{before:?}"
    );
    hand.write(&format!("{SUM} SET l.status = 'suppressed'"));
    let given = hand.given().await;
    assert!(
        !given.is_empty() && !given.iter().any(|rule| rule.starts_with("Use")),
        "{given:?}"
    );
    let suppressed = hand.listed(Status::Suppressed).await;
    assert_eq!(suppressed.len(), 1);
    assert_eq!(hand.listed(Status::Candidate).await.len(), 2);
    let totals = hand.store.lesson_totals(&hand.owner).await.unwrap();
    assert_eq!((totals.candidates, totals.suppressed), (2, 1));
    let named = hand.named().await;
    let id = suppressed[0].id.to_string();
    assert!(
        named
            .iter()
            .any(|one| one.contains(&id) && one.contains("by hand")),
        "{named:?}"
    );
    assert_eq!(
        hand.engine.adopt_lessons(&hand.owner).await.unwrap(),
        [suppressed[0].id]
    );
    hand.assert_adopted().await;

    // Back into use, and with other numbers, as Cypher writes them.
    let again = "MATCH (l:Lesson {tenant: $tenant, status: 'suppressed'})
        SET l.status = 'promoted', l.reliability = 1, l.helpful = 3.0";
    hand.write(again);
    let promoted = &hand.listed(Status::Promoted).await[0];
    assert_eq!((promoted.reliability, promoted.counts.helpful), (1.0, 3));
    hand.engine.adopt_lessons(&hand.owner).await.unwrap();
    hand.assert_adopted().await;
    let given = hand.given().await;
    assert!(
        given.iter().any(|rule| rule.starts_with("Use")),
        "{given:?}"
    );
    hand.write(&format!("{SUM} SET l.rule = 'Call the file by its number'"));
    let given = hand.given().await;
    assert!(
        given.iter().any(|rule| rule.starts_with("Call the file")),
        "{given:?}"
    );
    hand.engine.adopt_lessons(&hand.owner).await.unwrap();
    hand.assert_adopted().await;
}

/// An unreadable lesson is named with its property, and the others are given.
pub(crate) async fn unreadable(server: Server) {
    let hand = Hand::with_lessons(&server).await;
    let id = hand.write(&format!("{SUM} RETURN l.id"))[0][0]
        .as_str()
        .unwrap()
        .to_owned();
    for (property, wrong) in [
        ("status", "'supressed'"),
        ("history", "'none'"),
        ("reliability", "'high'"),
    ] {
        let spoil =
            format!("{SUM} WITH l, l.{property} AS was SET l.was = was, l.{property} = {wrong}");
        hand.write(&spoil);
        let named = hand.named().await;
        let is_named = |one: &String| one.contains(&id) && one.contains(&format!("`{property}`"));
        assert!(named.iter().any(is_named), "{named:?}");
        let given = hand.given().await;
        assert!(
            !given.is_empty() && !given.iter().any(|rule| rule.starts_with("Use")),
            "{given:?}"
        );
        hand.write(&format!("{SUM} SET l.{property} = l.was REMOVE l.was"));
    }
    hand.assert_adopted().await;
}

/// A trigger that is gone, a lesson that is gone: both are named, and adopted.
pub(crate) async fn gone(server: Server) {
    let hand = Hand::with_lessons(&server).await;
    hand.write(&format!("{SUM} MATCH (l)-[t:TRIGGERED_BY]->() DELETE t"));
    let named = hand.named().await;
    assert!(
        named.iter().any(|one| one.contains("is tied to other")),
        "{named:?}"
    );
    assert_eq!(
        hand.engine.adopt_lessons(&hand.owner).await.unwrap().len(),
        1
    );
    hand.assert_adopted().await;
    let given = hand.given().await;
    assert!(
        given.iter().any(|rule| rule.starts_with("Use")),
        "{given:?}"
    );
    hand.write(&format!("{SUM} DETACH DELETE l"));
    let named = hand.named().await;
    assert!(
        named
            .iter()
            .any(|one| one.contains("3 lessons are kept in number and 2")),
        "{named:?}"
    );
    hand.engine.adopt_lessons(&hand.owner).await.unwrap();
    hand.assert_adopted().await;
}
