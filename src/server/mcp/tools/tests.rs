//! The published tools, compared with the catalogue.

use std::collections::BTreeSet;

use serde_json::json;

use super::*;

fn told(profile: ToolProfile) -> Vec<Told> {
    Tools::of(profile).unwrap().told()
}

fn is_fit_for_all_clients(name: &str) -> bool {
    let mut letters = name.chars();
    name.len() <= 64 && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[test]
fn the_default_profile_is_small_and_told_for_a_model() {
    let tools = told(ToolProfile::Default);
    assert_eq!(tools.len(), 8);
    for tool in &tools {
        let about = tool.description.as_deref().unwrap_or_default();
        assert!(about.len() > 150 && about.ends_with('.'), "{}", tool.name);
        assert!(tool.title.is_some(), "{}", tool.name);
    }
}

#[test]
fn the_full_profile_has_each_verb_once() {
    let tools = Tools::of(ToolProfile::Full).unwrap();
    let single = tools.list.iter().filter(|tool| tool.verbs.len() == 1);
    let mut verbs: Vec<&str> = single.map(|tool| tool.verbs[0].1.name).collect();
    verbs.sort_unstable();
    let mut all: Vec<&str> = catalog::all().iter().map(|verb| verb.name).collect();
    all.sort_unstable();
    assert_eq!(verbs, all);
    let names: BTreeSet<String> = tools
        .told()
        .iter()
        .map(|tool| tool.name.to_string())
        .collect();
    assert_eq!(names.len(), tools.list.len());
    for name in &names {
        assert!(is_fit_for_all_clients(name), "{name}");
    }
}

#[test]
fn every_tool_says_what_it_takes_and_what_it_does() {
    for tool in told(ToolProfile::Full) {
        let name = &tool.name;
        assert_eq!(tool.input_schema["type"], "object", "{name}");
        // Half of the text that a client would read; the answers describe their own fields.
        assert!(tool.output_schema.is_none(), "{name}");
        let hints = tool.annotations.unwrap();
        assert_eq!(hints.open_world_hint, Some(false), "{name}");
        let (reads, destroys) = (hints.read_only_hint, hints.destructive_hint);
        assert!(reads.is_some() && destroys.is_some(), "{name}");
        assert!(reads != Some(true) || destroys == Some(false), "{name}");
    }
}

#[test]
fn the_lists_of_tools_leave_a_model_its_room() {
    for (profile, most) in [(ToolProfile::Default, 20_000), (ToolProfile::Full, 120_000)] {
        let bytes = serde_json::to_string(&told(profile)).unwrap().len();
        assert!(bytes <= most, "{profile:?}: {bytes}");
    }
}

#[test]
fn no_object_of_the_default_profile_is_open() {
    fn walk(place: &str, schema: &Value) {
        if schema["type"] == "object" {
            let fields = schema["properties"].as_object();
            let fields = fields.unwrap_or_else(|| panic!("{place} is open"));
            for (name, field) in fields {
                walk(&format!("{place}.{name}"), field);
            }
        }
        if schema["type"] == "array" {
            walk(place, &schema["items"]);
        }
    }
    // A strict client closes every object, and a model could then put nothing into an open one.
    for tool in told(ToolProfile::Default) {
        walk(&tool.name, &json!(tool.input_schema));
    }
}

#[test]
fn hints_are_those_of_the_verbs() {
    let tools = Tools::of(ToolProfile::Full).unwrap();
    let hints = |name: &str| {
        let hints = tools.find(name).ok().unwrap().told.annotations.clone();
        let hints = hints.unwrap();
        (
            hints.read_only_hint,
            hints.destructive_hint,
            hints.idempotent_hint,
        )
    };
    let (yes, no) = (Some(true), Some(false));
    assert_eq!(hints("bullets_list"), (yes, no, yes));
    assert_eq!(hints("delta_apply"), (no, no, yes));
    assert_eq!(hints("recall"), (no, no, no));
    assert_eq!(hints("explain"), (yes, no, yes));
    assert_eq!(hints("learner_erase").1, yes);
}

#[test]
fn verbs_behind_one_tool_take_the_same_fields_and_are_chosen_by_the_id() {
    let tools = Tools::of(ToolProfile::Default).unwrap();
    for tool in &tools.list {
        let fields = |verb: &Registered| {
            let fields = verb.request()["properties"].as_object().cloned();
            let names = fields.unwrap_or_default();
            names.keys().cloned().collect::<Vec<_>>()
        };
        for (_, verb) in &tool.verbs {
            assert_eq!(fields(verb), fields(tool.verbs[0].1), "{}", tool.told.name);
        }
    }
    let explain = tools.find("explain").ok().unwrap();
    for (id, verb) in [
        ("l_1", "lessons.explain"),
        ("a_1", "lessons.explain"),
        ("b_1", "bullets.show"),
        ("ctx-00001", "bullets.show"),
    ] {
        let request = JsonObject::from_iter([("id".to_owned(), json!(id))]);
        assert_eq!(explain.verb(&request).name, verb, "{id}");
    }
    let unknown = tools.find("recal").err().unwrap();
    assert!(unknown.contains("`recall`"), "{unknown}");
}
