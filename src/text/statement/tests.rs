//! Tests of statements: pairs that change a value, and pairs that do not.

mod places;

use super::*;

fn changes(old: &str, new: &str) -> bool {
    let (old, new) = (Statement::read(old), Statement::read(new));
    old.zip(new).is_some_and(|(old, new)| new.changes(&old))
}

#[test]
fn the_same_words_but_one_value_change_it() {
    let missed = [
        (
            "The port of the staging database is 5433.",
            "The port of the staging database is 5434.",
        ),
        (
            "The staging database listens on port 5433",
            "The staging database listens on port 6000",
        ),
        (
            "The chief executive officer of Volvo is Jim Rowan.",
            "The chief executive officer of Volvo is Ada King.",
        ),
        ("Ada lives in Berlin.", "Ada now lives in Paris."),
        ("I live in Berlin", "I live in Lyon"),
        (
            "My favourite colour is blue",
            "My favourite colour is dark green",
        ),
        (
            "The default branch is `main`.",
            "The default branch is now `develop`.",
        ),
        ("The default branch is main", "The default branch is v2-dev"),
        ("Default branch: main", "Default branch: develop"),
        (
            "The API rate limit is 100 requests per minute",
            "The API rate limit is 250 requests per minute",
        ),
        (
            "The project uses Postgres 14.",
            "The project uses Postgres 16.",
        ),
        ("The worker retries 3 times", "The worker retries 5 times"),
        ("Deploys go out on Tuesdays", "Deploys go out on Thursdays"),
        ("The standup is at 9:30", "The standup is at 10:00"),
        (
            "The release manager is Bob.",
            "The release manager is Carol Danvers.",
        ),
        ("cache.mode is set to lazy", "cache.mode is set to eager"),
        ("Ada is a citizen of France", "Ada is a citizen of Spain"),
        (
            "Ada was born in the city of Paris, Texas",
            "Ada was born in the city of Washington, D.C.",
        ),
        (
            "Ada plays the position of goalkeeper",
            "Ada plays the position of midfielder",
        ),
        (
            "Ada is associated with the sport of rugby",
            "Ada is associated with the sport of Muay Thai",
        ),
        (
            "The company that produced Solaris is Mosfilm",
            "The company that produced Solaris is Pathé",
        ),
        (
            "The server's address is 10.0.0.1",
            "The server's address is 10.0.0.2",
        ),
        ("Der Standardport ist 5433", "Der Standardport ist 5434"),
        ("默认端口是 8080", "默认端口是 9090"),
    ]
    .into_iter()
    .filter(|(old, new)| !changes(old, new));
    assert_eq!(missed.collect::<Vec<_>>(), []);
}

#[test]
fn another_subject_relation_or_kind_of_text_changes_nothing() {
    let wrong = [
        // Another subject or relation.
        ("Ada works for Acme", "Bob works for Acme"),
        (
            "The port of staging is 5433",
            "The port of production is 5434",
        ),
        ("Ada is married to Bob", "Ada is employed by Acme"),
        ("Section 3 is 20 pages long", "Section 4 is 30 pages long"),
        // Attributes with several values.
        ("The user likes tea", "The user likes coffee"),
        ("Ada's child is Bob", "Ada's child is Carol"),
        ("The band was founded by Ada", "The band was founded by Bob"),
        (
            "An advantage of Rust is speed",
            "An advantage of Rust is safety",
        ),
        ("One of the ports is 80", "One of the ports is 443"),
        (
            "The client supports Python 3.11",
            "The client supports Python 3.12",
        ),
        ("The tests run on Linux", "The tests run on macOS"),
        ("The repo has issue 12", "The repo has issue 13"),
        ("The bug is in parser.rs", "The bug is in lexer.rs"),
        ("The port is also 80", "The port is also 443"),
        (
            "The server also listens on port 80",
            "The server also listens on port 443",
        ),
        // Statements without a value.
        ("The server is slow", "The server is remote"),
        ("The build is green", "The build is fast"),
        ("Ada went to Paris", "Ada went to Rome"),
        ("It is 5433", "It is 5434"),
        ("This is Bob", "This is Carol"),
        ("There are 3 ways", "There are 4 ways"),
        // Negations, questions, orders, lists, code.
        ("The port is not 5433", "The port is not 5434"),
        ("Is the port 5433?", "Is the port 5434?"),
        ("The port is 5433?", "The port is 5434?"),
        ("Use port 8080 for staging", "Use port 9090 for staging"),
        ("Retry on 429", "Retry on 503"),
        ("1. The port is 5433", "2. The port is 5434"),
        ("The ports are 80 and 443", "The ports are 80 and 8443"),
        ("The owners are Ada, Bob", "The owners are Ada, Carol"),
        ("The flag is `-d`", "The flag is `-D`"),
        ("Name: Ada", "Name: Bob"),
        ("The port is 80. Restart it.", "The port is 81. Restart it."),
        ("If it rains the port is 80", "The port is 81"),
        ("The price might be 5", "The price might be 6"),
        // The same value in other words.
        ("The port is 5433", "The port is now 5433."),
        ("The default branch is main", "The default branch is `main`"),
    ]
    .into_iter()
    .filter(|(old, new)| changes(old, new));
    assert_eq!(wrong.collect::<Vec<_>>(), []);
}
