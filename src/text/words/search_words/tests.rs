//! Kinds of forms that meet, each as a text and a query that should find it.

use std::collections::BTreeSet;

use super::*;

/// The terms of some texts.
struct Terms(BTreeSet<String>);

impl KnownTerms for Terms {
    fn knows(&self, term: &str) -> bool {
        self.0.contains(term)
    }

    fn containing(&self, c: char) -> Vec<String> {
        let terms = self.0.iter().filter(|term| term.contains(c));
        terms.cloned().collect()
    }
}

fn terms_of(text: &str) -> Terms {
    let mut terms = BTreeSet::new();
    for_each_token(text, |token| terms.extend(terms_of_token(token)));
    Terms(terms)
}

fn is_met(need: &Need, text: &Terms) -> bool {
    match need {
        Need::Any { terms, .. } => terms.iter().any(|term| text.knows(term)),
        Need::Best(needs) | Need::Sum(needs) => needs.iter().any(|need| is_met(need, text)),
        Need::Label { .. } => false,
        Need::All(needs) => needs.iter().all(|need| is_met(need, text)),
    }
}

/// Returns the words of a query that a text has.
fn found(query: &str, text: &str) -> Vec<String> {
    let text = terms_of(text);
    let asked = asked_of(query, 0, &text).into_iter();
    let words = asked.flat_map(|asked| asked.words);
    let words = words.filter(|word| is_met(&word.need, &text));
    words.map(|word| word.word).collect()
}

#[test]
fn forms_of_a_word_meet_in_both_directions() {
    for (one, other) in [
        ("e-mail", "email"),
        ("log file", "logfile"),
        ("sub-command", "subcommands"),
        ("type check", "type-check"),
        ("Wi-Fi", "wifi"),
        ("nodejs", "node.js"),
        ("time out", "timeouts"),
        ("dead lock", "Deadlocks"),
        ("maxRetries", "max_retries"),
        ("max retries", "maxRetries"),
        ("max-retries", "maxRetries"),
        ("utf-8", "utf8"),
        ("Zürich", "Zurich"),
        ("Straße", "STRASSE"),
        ("Müller", "Mueller"),
        ("Istanbul", "İstanbul"),
        ("שלום", "שָׁלוֹם"),
        ("تحديث", "تَحديث"),
        ("naïve", "naive"),
    ] {
        assert!(!found(one, other).is_empty(), "{one} in {other}");
        assert!(!found(other, one).is_empty(), "{other} in {one}");
    }
}

#[test]
fn inflected_words_meet_in_the_language_of_the_text() {
    for (query, text) in [
        (
            "Datenbank Migration",
            "Die Datenbankmigrationen laufen nachts",
        ),
        (
            "Datenbankmigration",
            "Die Datenbankmigrationen laufen nachts",
        ),
        (
            "Zeitueberschreitung",
            "Bei einer Zeitüberschreitung wird wiederholt",
        ),
        (
            "Schlüssel",
            "Der Schluessel liegt im Tresor und nicht im Code",
        ),
        ("миграция", "Запускать миграции ночью"),
        ("fichier", "Ne pas modifier les fichiers dans ce dossier"),
        ("migrations", "Run each migration once"),
        ("猫", "黒い猫は台所で眠る"),
        ("설", "어제설치를끝냈다"),
    ] {
        assert!(!found(query, text).is_empty(), "{query} in {text}");
    }
}

#[test]
fn other_words_do_not_meet() {
    for (query, text) in [
        ("together", "get to her"),
        ("carpet", "the car is clean"),
        ("file", "profile"),
        ("v1.12", "v11.2"),
    ] {
        let found = found(query, text);
        assert!(found.is_empty(), "{query} in {text}: {found:?}");
    }
}

#[test]
fn a_word_counts_once_whatever_its_forms() {
    let texts = terms_of("iPhone cards, log file");
    for query in [
        "iPhone",
        "maxRetries",
        "log file",
        "log-file",
        "logfile",
        "the the",
    ] {
        let asked = asked_of(query, 0, &texts);
        assert!(asked.len() <= 2, "{query}: {asked:?}");
    }
    assert_eq!(asked_of("iPhone iPhone iphone", 0, &texts).len(), 2);
}

#[test]
fn function_words_of_the_query_weigh_little() {
    let texts = terms_of("after a timeout");
    let weight = |query: &str, at: usize| match &asked_of(query, 0, &texts)[at].need {
        Need::Any { weight, .. } => *weight,
        need => panic!("{need:?}"),
    };
    assert_eq!(weight("what to do after a timeout", 0), LIGHT);
    assert_eq!(weight("what to do after a timeout", 1), 1.0);
    assert_eq!(weight("Was tun bei einer Zeitüberschreitung", 2), LIGHT);
    assert!(asked_of("the of and", 0, &texts).is_empty());
}

#[test]
fn tokens_of_other_languages_bear_their_mark() {
    let tokens = |text: &str| {
        let mut tokens = Vec::new();
        for_each_token(text, |token| tokens.push(token.to_owned()));
        tokens.join("|")
    };
    assert_eq!(tokens("Run the e-mail job"), "Run|the|e|mail|e-mail|job");
    assert_eq!(
        tokens("und nicht der Hund"),
        "\u{1}|\u{1}und|\u{1}nicht|\u{1}der|\u{1}Hund"
    );
    assert_eq!(terms_of_token("\u{1}Hunde"), ["\u{1}hund"]);
    assert_eq!(terms_of_token("\u{1}"), ["\u{1}"]);
    assert_eq!(terms_of_token("maxRetries"), ["maxretri", "max", "retri"]);
    assert!(terms_of_token("the").is_empty());
}
