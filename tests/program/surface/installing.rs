//! One command gives a coding agent the memory, one takes it out again, and nothing else of its settings changes.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::world::World;

const RUNTIMES: [&str; 5] = ["claude-code", "codex", "cursor", "opencode", "copilot"];

#[test]
fn installed_and_uninstalled_everything_is_as_it_was() {
    for runtime in RUNTIMES {
        for level in ["--user", "--project"] {
            let world = World::new();
            let installed = in_project(&world, &format!("install {runtime} {level}"));
            let files = paths(&installed);
            assert!(
                !files.is_empty() && files.iter().all(|file| Path::new(file).is_file()),
                "{installed}"
            );
            let texts: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
            let again = in_project(&world, &format!("install {runtime} {level}"));
            let is_unchanged =
                |file: &Value| file["change"] == "unchanged" && file["backup"].is_null();
            assert!(
                again["files"].as_array().unwrap().iter().all(is_unchanged),
                "{again}"
            );
            assert_eq!(
                texts,
                files
                    .iter()
                    .map(|file| fs::read(file).unwrap())
                    .collect::<Vec<_>>()
            );
            let seen = in_project(&world, "doctor agents");
            assert_eq!(
                (
                    &seen["installed"][0]["runtime"],
                    seen["installed"].as_array().unwrap().len()
                ),
                (&runtime.into(), 1),
                "{seen}"
            );
            in_project(&world, &format!("uninstall {runtime} {level}"));
            assert!(
                files.iter().all(|file| !Path::new(file).exists()),
                "{files:?}"
            );
            assert_eq!(
                in_project(&world, "doctor agents")["installed"]
                    .as_array()
                    .unwrap()
                    .len(),
                0
            );
        }
    }
}

#[test]
fn the_settings_of_a_person_stay_with_a_backup() {
    let world = World::new();
    fs::create_dir_all(world.path(".claude")).unwrap();
    let file = world.path(".claude/settings.json");
    let own = "{\n  // my model\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }]\n      }\n    ]\n  }\n}\n";
    fs::write(&file, own).unwrap();
    let installed = world.json("install claude-code");
    let backup = installed["files"][0]["backup"].as_str().unwrap();
    assert_eq!(fs::read_to_string(backup).unwrap(), own);
    let now = fs::read_to_string(&file).unwrap();
    assert!(
        now.contains("// my model") && now.contains("say done") && now.contains("hook PreToolUse"),
        "{now}"
    );
    world.json("uninstall claude-code");
    let after = fs::read_to_string(&file).unwrap();
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(squeezed(&after), squeezed(own));
}

#[test]
fn a_file_that_cannot_be_edited_leaves_everything_as_it_was() {
    let world = World::new();
    fs::create_dir_all(world.path(".claude")).unwrap();
    fs::write(world.path(".claude/settings.json"), "{ not json").unwrap();
    let ran = world.run(&["install", "claude-code", "--json"]);
    let said = ran.problem("uneditable_file");
    assert!(
        said.contains("settings.json") && said.contains("nothing was changed"),
        "{said}"
    );
    assert!(
        !world.path(".claude/skills").exists(),
        "the other file was not written either"
    );
    let unknown = world.run(&["install", "emacs", "--json"]);
    assert!(unknown.problem("invalid_usage").contains("claude-code"));
}

/// The answer of a command in a folder below the home.
fn in_project(world: &World, words: &str) -> Value {
    let project = world.path("project");
    fs::create_dir_all(&project).unwrap();
    let mut command = world.command();
    let ran = world.feed(
        command
            .args(words.split(' '))
            .arg("--json")
            .current_dir(project),
        b"",
    );
    assert_eq!(ran.code, 0, "{words}: {ran:?}");
    ran.document()
}

fn paths(installed: &Value) -> Vec<String> {
    let files = installed["files"].as_array().unwrap().iter();
    files
        .map(|file| file["file"].as_str().unwrap().to_owned())
        .collect()
}
