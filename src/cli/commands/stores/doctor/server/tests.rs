//! Tables of reports and the doctor's findings.

use std::time::Duration;

use super::*;
use hindlore_neo4j::SchemaItem;
use hindlore_store::SchemaStatus;

fn item(name: &'static str, migration: &'static str, state: Option<&str>) -> SchemaItem {
    SchemaItem {
        name,
        migration,
        is_constraint: true,
        standing: state.map_or(Standing::Missing, |state| Standing::There {
            name: name.to_owned(),
            state: state.to_owned(),
        }),
    }
}

/// A faultless server on its own machine.
fn sound() -> (ServerReport, Neo4jOptions) {
    let settings = [
        ("db.lock.acquisition.timeout", "10s"),
        ("db.transaction.timeout", "1m"),
        ("dbms.security.auth_enabled", "true"),
        ("server.memory.pagecache.size", "512.00MiB"),
    ];
    let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let report = ServerReport {
        server: "bolt://localhost:7687".to_owned(),
        version: "5.26.26".to_owned(),
        edition: "community".to_owned(),
        database: "neo4j".to_owned(),
        is_read_only: false,
        status: "online".to_owned(),
        schema: SchemaStatus {
            stored: 2,
            engine: 2,
            applied: vec!["V001__a".to_owned(), "V002__b".to_owned()],
            pending: Vec::new(),
        },
        collisions: Ok(Vec::new()),
        refusal: None,
        is_migrating: false,
        items: Ok(vec![
            item("one", "V001__a", Some("ONLINE")),
            item("two", "V002__b", Some("ONLINE")),
        ]),
        settings: Ok(settings.into()),
        heap: Ok((200 * MIB, 1024 * MIB)),
        clock_ahead_ms: -3,
        round_trip: Duration::from_micros(400),
    };
    let options = Neo4jOptions {
        password: "a long one of our own".to_owned(),
        ..Neo4jOptions::default()
    };
    (report, options)
}

type Change = fn(&mut ServerReport, &mut Neo4jOptions);

/// Asserts that a change leads to one finding that is not ok.
fn finds(change: Change, (subject, state, word): (&str, &str, &str)) {
    let (mut report, mut options) = sound();
    change(&mut report, &mut options);
    let looked = judge(&report, &options);
    let strange: Vec<&Looked> = looked.iter().filter(|one| one.state != "ok").collect();
    assert_eq!(strange.len(), 1, "{word}: {strange:?}");
    assert_eq!(
        (strange[0].subject.as_str(), strange[0].state),
        (subject, state)
    );
    assert!(strange[0].message.contains(word), "`{word}` in {strange:?}");
}

#[test]
fn nothing_is_said_against_a_sound_server() {
    let (report, options) = sound();
    let looked = judge(&report, &options);
    assert!(
        looked.len() >= 9 && looked.iter().all(|one| one.state == "ok"),
        "{looked:?}"
    );
    assert!(is_ready(&report));
}

#[test]
fn servers_that_do_not_serve() {
    finds(
        |r, _| r.version = "4.4.38".to_owned(),
        ("server", "error", "5.23"),
    );
    finds(
        |r, _| r.version = "5.24.2".to_owned(),
        ("server", "note", "5.26"),
    );
    finds(
        |r, _| r.version = "dev".to_owned(),
        ("server", "note", "cannot be compared"),
    );
    finds(
        |r, _| r.status = "offline".to_owned(),
        ("database", "error", "START DATABASE"),
    );
    finds(
        |r, _| r.is_read_only = true,
        ("database", "note", "only be read"),
    );
    let (mut report, options) = sound();
    report.version = "2026.09.0".to_owned();
    assert_eq!(judge(&report, &options)[0].state, "ok");
}

#[test]
fn schemas_that_are_not_whole() {
    let missing: Change = |r, _| r.items = Ok(vec![item("one", "V001__a", None)]);
    finds(
        missing,
        ("constraints and indexes", "error", "missing: one"),
    );
    finds(
        missing,
        (
            "constraints and indexes",
            "error",
            "`hindlore migrate apply`",
        ),
    );
    let barred: Change = |r, _| {
        let standing = Standing::Barred {
            by: "the constraint `one` on (:Slide {key})".to_owned(),
            remedy: "DROP CONSTRAINT one".to_owned(),
        };
        r.items = Ok(vec![SchemaItem {
            standing,
            ..item("one", "V001__a", None)
        }]);
    };
    for word in ["(:Slide {key}) stands", "`DROP CONSTRAINT one`"] {
        finds(barred, ("constraints and indexes", "error", word));
    }
    // An index made by someone else does the work.
    let (mut report, options) = sound();
    report.items = Ok(vec![SchemaItem {
        name: "another",
        ..item("one", "V001__a", Some("ONLINE"))
    }]);
    assert!(judge(&report, &options).iter().all(|one| one.state == "ok"));
    let failed: Change = |r, _| r.items = Ok(vec![item("one", "V001__a", Some("FAILED"))]);
    finds(
        failed,
        ("constraints and indexes", "error", "not usable: one"),
    );
    let filling: Change = |r, _| r.items = Ok(vec![item("one", "V001__a", Some("POPULATING"))]);
    finds(filling, ("constraints and indexes", "note", "wait"));
    finds(
        |r, _| r.items = Err("no right".to_owned()),
        ("constraints and indexes", "note", "no right"),
    );
    finds(
        |r, _| r.refusal = Some("a newer schema".to_owned()),
        ("schema", "error", "newer"),
    );
    finds(
        |r, _| r.is_migrating = true,
        ("schema", "note", "another instance"),
    );
    let begun: Change = |r, _| r.schema.pending = vec!["V002__b".to_owned()];
    finds(begun, ("schema", "error", "V002__b was begun"));
    let pending: Change = |r, _| {
        r.schema.pending = vec!["V002__b".to_owned()];
        r.items = Ok(vec![
            item("one", "V001__a", Some("ONLINE")),
            item("two", "V002__b", None),
        ]);
    };
    finds(pending, ("schema", "note", "migrate apply"));
    let (mut report, _) = sound();
    report.schema.pending = vec!["V002__b".to_owned()];
    assert!(!is_ready(&report));
}

#[test]
fn settings_that_invite_trouble() {
    fn set(report: &mut ServerReport, name: &str, value: &str) {
        if let Ok(settings) = &mut report.settings {
            settings.insert(name.to_owned(), value.to_owned());
        }
    }
    finds(
        |r, _| set(r, "db.transaction.timeout", "0s"),
        ("transaction timeout", "note", "60s"),
    );
    finds(
        |r, _| set(r, "db.lock.acquisition.timeout", "0s"),
        ("lock timeout", "note", "10s"),
    );
    finds(
        |r, _| set(r, "dbms.security.auth_enabled", "false"),
        ("password", "note", "not asked for"),
    );
    finds(
        |r, _| r.heap = Ok((1000 * MIB, 1024 * MIB)),
        ("memory of the server", "note", "heap"),
    );
    finds(
        |r, _| r.heap = Ok((9, 256 * MIB)),
        ("memory of the server", "note", "raise"),
    );
    finds(
        |r, _| r.heap = Err("no JMX".to_owned()),
        ("memory of the server", "note", "no JMX"),
    );
    finds(
        |r, _| r.settings = Err("no right".to_owned()),
        ("server settings", "note", "no right"),
    );
    finds(
        |r, _| r.clock_ahead_ms = -5_000,
        ("clock", "note", "5000 ms behind"),
    );
    finds(
        |r, _| r.round_trip = Duration::from_millis(80),
        ("round trip", "note", "closer together"),
    );
}

#[test]
fn ways_to_a_server_that_invite_others() {
    for known in ["hindlore", "neo4j", "Password"] {
        let (report, mut options) = sound();
        options.password = known.to_owned();
        let looked = judge(&report, &options);
        let said = looked.iter().find(|one| one.subject == "password").unwrap();
        assert!(
            said.state == "note" && said.message.contains("everybody knows"),
            "{said:?}"
        );
    }
    finds(
        |_, o| o.password = "x7-Qa".to_owned(),
        ("password", "note", "shorter than 8"),
    );
    finds(
        |_, o| o.uri = "bolt+ssc://a.example".to_owned(),
        ("encryption", "note", "ca_file"),
    );
    finds(
        |_, o| o.uri = "neo4j://a.example".to_owned(),
        ("encryption", "note", "in the clear"),
    );
    finds(
        |_, o| o.uri = "neo4j://localhost:1,neo4j://a.example:2".to_owned(),
        ("encryption", "note", "in the clear"),
    );
    for uri in [
        "bolt://127.0.0.1:1",
        "neo4j://[::1]:1",
        "neo4j://localhost:1,neo4j://u@127.0.0.1:2,[::1]:3",
        "bolt+s://a.example",
        "bolt://u@localhost",
    ] {
        let (report, mut options) = sound();
        options.uri = uri.to_owned();
        assert!(
            judge(&report, &options).iter().all(|one| one.state == "ok"),
            "{uri}"
        );
    }
}
