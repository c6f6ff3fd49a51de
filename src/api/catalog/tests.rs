//! Every verb is documented, bounded, and closed where it names another learner or principal.

use serde_json::json;

use super::*;
use crate::check::tests::unknown_keywords;

#[test]
fn every_verb_is_documented_and_every_bound_is_enforced() {
    for verb in all() {
        let request = verb.request();
        assert!(
            verb.about().len() > 10 && verb.about().ends_with('.'),
            "{}",
            verb.name
        );
        let properties = request["properties"]
            .as_object()
            .cloned()
            .unwrap_or_default();
        for (name, schema) in properties {
            let about = schema["description"].as_str().unwrap_or_default();
            assert!(
                about.len() > 10 && about.ends_with('.'),
                "{}: `{name}`",
                verb.name
            );
        }
        assert_eq!(
            request["additionalProperties"],
            json!(false),
            "{}",
            verb.name
        );
        assert_eq!(unknown_keywords(request), [""; 0], "{}", verb.name);
        assert!(verb.answer()["description"].is_string(), "{}", verb.name);
    }
}

#[test]
fn a_field_that_names_somebody_is_closed_until_the_gate_opens_it() {
    // A scope of playbooks is a word for who is meant, and an author is signed by the credential.
    const WORDS: [&str; 15] = [
        "learner",
        "only_learner",
        "into",
        "owner",
        "tenant",
        "scope",
        "by",
        "as",
        "subject",
        "member",
        "leader",
        "principal",
        "caller",
        "grantee",
        "on_behalf_of",
    ];
    for verb in all() {
        let fields = verb.request()["properties"].as_object().cloned();
        let named: Vec<String> = verb.named().into_iter().map(|(field, _)| field).collect();
        for (name, field) in fields.unwrap_or_default() {
            let is_word = field.to_string().contains("\"const\"") || !field["enum"].is_null();
            let names = WORDS.contains(&name.as_str()) && !is_word;
            assert!(!names || named.contains(&name), "{}: `{name}`", verb.name);
        }
    }
    assert_eq!(
        find("share.promote").unwrap().named(),
        [("into".to_owned(), "learner".to_owned())]
    );
    assert!(
        !find("share.promote")
            .unwrap()
            .request()
            .to_string()
            .contains("x-names")
    );
}

#[test]
fn names_and_routes_are_unique_and_a_mistyped_one_finds_its_verb() {
    let mut names: Vec<&str> = all().iter().map(|verb| verb.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all().len());
    let problem = find("bullet.pin").unwrap_err();
    assert_eq!(problem.hint.as_deref(), Some("did you mean `bullets.pin`"));
    let pin = find("bullets.pin").unwrap();
    assert_eq!((pin.method(), pin.path().as_str()), ("POST", "bullets/pin"));
}
