//! Tests of the settings: precedence, and refusals.

use std::fs;

use serde_json::json;

use super::*;

fn read(pairs: &[(&str, &str)]) -> Result<Settings, ConfigError> {
    Settings::read(
        pairs
            .iter()
            .map(|(name, value)| (name.into(), value.into())),
    )
}

#[test]
fn later_wins_and_the_origin_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c.toml");
    let text = "tenant = 'file'\nscope = 'file'\nlearner = 'file'\nstore = 'a.db'\n\
                [policy]\nfloor = 0.5\nmax_bullets = 7\nweights = {relevance = 0.5}\n";
    fs::write(&file, text).unwrap();
    let mut settings = read(&[
        ("HINDLORE_CONFIG", file.to_str().unwrap()),
        ("HINDLORE_SCOPE", "environment"),
        ("HINDLORE_LEARNER", "environment"),
        ("HINDLORE_AUTHOR", ""),
        ("ACE_MEMORY_MAX_BULLETS", "9"),
    ])
    .unwrap();
    settings.set_flag("learner", "--learner", json!("flag"));
    let names = ["tenant", "scope", "learner"].map(|name| settings.text_or_empty(name).to_owned());
    assert_eq!(names, ["file", "environment", "flag"]);
    assert_eq!(settings.text("author"), None);
    assert!(settings.is_flag("learner") && !settings.is_flag("scope"));
    assert!(settings.text_or_empty("store").ends_with("a.db"));
    assert!(Path::new(settings.text_or_empty("store")).is_absolute());
    assert_eq!(
        Value::Object(settings.policy()),
        json!({"floor": 0.5, "max_bullets": 9, "weights": {"relevance": 0.5}})
    );
    assert_eq!(settings.policy_origin("floor"), Origin::File);
    assert_eq!(settings.policy_origin("mode"), Origin::Default);
}

#[test]
fn unknown_names_and_wrong_kinds_are_refused_with_the_likely_name() {
    for (pairs, word) in [
        (&[("HINDLORE_LERNER", "x")][..], "HINDLORE_LEARNER"),
        (&[("HINDLORE_BUSY_TIMEOUT_MS", "soon")], "a whole number"),
        (&[("ACE_WEIGHT_TYPE", "inf")], "a number"),
        (&[("HINDLORE_CONFIG", "/nowhere/c.toml")], "cannot be read"),
    ] {
        let error = read(pairs).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c.toml");
    for (text, word) in [
        ("tenent = 'x'", "did you mean `tenant`"),
        ("tenant = 3", "a text"),
        ("seeds = 'yes'", "true or false"),
        ("tenant = ", "is not TOML"),
    ] {
        fs::write(&file, text).unwrap();
        let error = read(&[("HINDLORE_CONFIG", file.to_str().unwrap())]).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
    }
    assert!(read(&[("ACE_OTHER", "x"), ("PATH", "y")]).is_ok());
}

#[test]
fn secrets_are_hidden() {
    let settings = read(&[
        ("NEO4J_PASSWORD", "pass1"),
        ("NEO4J_URI", "bolt://ann:pass2@host:7687"),
    ])
    .unwrap();
    let shown: Vec<String> = settings
        .shown()
        .map(|(name, setting)| format!("{name} {} {}", setting.value, setting.origin))
        .collect();
    let shown = shown.join("\n");
    assert!(
        !shown.contains("pass1") && !shown.contains("pass2"),
        "{shown}"
    );
    assert!(shown.contains("(hidden)@host:7687") && shown.contains("NEO4J_PASSWORD"));
    assert_eq!(settings.text("neo4j.password"), Some("pass1"));
}

#[test]
fn a_fault_is_named_with_its_line_and_the_rest_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c.toml");
    let text = "tenant = 'x'\n\n[policy]\nmax_bullets = -1\nfloor = 0.3\n";
    fs::write(&file, text).unwrap();
    let environment = [
        ("HINDLORE_CONFIG", file.to_str().unwrap()),
        ("ACE_MEMORY_FLOOR", "9"),
        ("ACE_MEMORY_MAX_BULETS", "9"),
        ("ACE_OTHER", "x"),
    ];
    let pairs = environment.map(|(name, value)| (name.into(), value.into()));
    let (settings, faults) = Settings::read_with_faults(pairs);
    let said: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(said[0].contains("ACE_MEMORY_FLOOR") && said[0].contains("known are"));
    assert!(
        said[1].contains("did you mean `ACE_MEMORY_MAX_BULLETS`"),
        "{said:?}"
    );
    assert!(said[2].contains("c.toml`, line 4 is -1"), "{said:?}");
    assert_eq!(settings.text_or_empty("tenant"), "x");
    assert!(
        settings
            .place_of("policy.floor")
            .ends_with("c.toml`, line 5")
    );
}

#[test]
fn what_is_no_number_is_no_limit_either() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c.toml");
    for text in [
        "[policy]\nmax_bullets = nan",
        "[policy.rates]\nsemantic = inf",
        "[policy]\nweights = {type = -inf}",
    ] {
        fs::write(&file, text).unwrap();
        let error = read(&[("HINDLORE_CONFIG", file.to_str().unwrap())]).unwrap_err();
        assert!(
            error.message.contains("line 2 is not a finite number"),
            "{error}"
        );
    }
}

#[test]
fn variables_of_the_originals_are_read_or_named_with_their_substitute() {
    let settings = read(&[
        ("AUTO_CONSOLIDATE_THRESHOLD", "50"),
        ("CONSOLIDATION_BATCH_SIZE", "100"),
        ("RUN_CONSOLIDATION_ASYNC", ""),
        (
            "PLAYBOOK_VERSION_RETENTION",
            r#"{"keep_latest": 3, "keep_all_major": true}"#,
        ),
    ])
    .unwrap();
    assert_eq!(settings.whole("consolidate_above"), Some(50));
    let named: Vec<&str> = settings.without_effect().iter().map(|one| one.0).collect();
    assert_eq!(named, ["CONSOLIDATION_BATCH_SIZE"]);
    let retention = settings.value("playbook.version_retention").unwrap();
    assert_eq!(retention["keep_latest"], 3);
    for wrong in [r#"{"keep_all_major": false}"#, r#"{"keep": 3}"#, "soon"] {
        let error = read(&[("PLAYBOOK_VERSION_RETENTION", wrong)]).unwrap_err();
        assert!(error.to_string().contains("keep_latest"), "{error}");
    }
}
