//! One command gives a coding agent the memory, one takes it out again, and nothing else changes: no byte of a file, and no
//! file or folder more than before.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::world::World;

const RUNTIMES: [&str; 5] = ["claude-code", "codex", "cursor", "opencode", "copilot"];

#[test]
fn installed_and_uninstalled_everything_is_as_it_was() {
    for (runtime, level) in every_runtime_and_level() {
        let world = World::new();
        let before = listing(&world);
        let installed = in_project(&world, &format!("install {runtime} {level}"));
        let files = paths(&installed);
        assert!(
            !files.is_empty() && files.iter().all(|file| Path::new(file).is_file()),
            "{installed}"
        );
        let texts: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
        let again = in_project(&world, &format!("install {runtime} {level}"));
        let is_unchanged = |file: &Value| file["change"] == "unchanged" && file["backup"].is_null();
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
        assert_eq!(listing(&world), before, "{runtime} {level}");
    }
}

#[test]
fn what_a_person_changed_since_the_install_stays() {
    let world = World::new();
    fs::create_dir(world.path(".claude")).unwrap();
    let file = world.path(".claude/settings.json");
    fs::write(&file, "{\n  \"model\": \"x\"\n}\n").unwrap();
    world.json("install claude-code");
    let edited = |from: &str, to: &str| {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&file, text.replace(from, to)).unwrap();
    };
    edited("\"timeout\": 10", "\"timeout\": 60");
    world.json("install claude-code");
    edited("\"model\": \"x\"", "\"model\": \"y\"");
    world.json("install claude-code");
    let now = fs::read_to_string(&file).unwrap();
    assert!(now.contains("\"timeout\": 60") && !now.contains("\"timeout\": 10"));
    let skill = world.path(".claude/skills/hindlore/SKILL.md");
    fs::write(&skill, "Call hindlore often.").unwrap();
    let again = world.json("install claude-code");
    assert_eq!(again["files"][2]["change"], "kept", "{again}");
    assert_eq!(fs::read_to_string(&skill).unwrap(), "Call hindlore often.");
    let seen = world.json("doctor agents");
    assert_eq!(seen["installed"][0]["files"][2]["state"], "edited");
    world.json("uninstall claude-code");
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        "{\n  \"model\": \"y\"\n}\n"
    );
    // The settings that the agent itself wrote in the meantime are no file of ours.
    world.json("install claude-code");
    let servers = world.path(".claude.json");
    let text = fs::read_to_string(&servers).unwrap();
    fs::write(&servers, text.replacen('{', "{\n  \"numStartups\": 3,", 1)).unwrap();
    world.json("uninstall claude-code");
    let left = fs::read_to_string(&servers).unwrap();
    assert_eq!(
        left.split_whitespace().collect::<String>(),
        "{\"numStartups\":3}"
    );
    assert!(!world.path(".claude/skills").exists() && !data(&world).exists());
}

#[test]
fn a_first_copy_outlives_later_installs_and_the_last_uninstall_removes_shared_folders() {
    let world = World::new();
    let before = listing(&world);
    world.json("install claude-code");
    world.json("install codex");
    world.json("uninstall claude-code");
    assert!(data(&world).exists());
    world.json("uninstall codex");
    assert_eq!(listing(&world), before);
    // A file that a person restored is the original of the next install.
    let file = world.path("own.json");
    fs::write(&file, "{\"a\": 1}").unwrap();
    let opencode = |words: &str| {
        let mut command = world.command();
        command.env("OPENCODE_CONFIG", &file).args(words.split(' '));
        let ran = world.feed(command.arg("--json"), b"");
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.document()["files"][1].clone()
    };
    let first = opencode("install opencode");
    fs::write(&file, "{\"a\": 2}").unwrap();
    let second = opencode("install opencode");
    let copy = |file: &Value| fs::read_to_string(file["backup"].as_str().unwrap()).unwrap();
    assert_eq!(
        (copy(&first).as_str(), copy(&second).as_str()),
        ("{\"a\": 1}", "{\"a\": 2}")
    );
    opencode("uninstall opencode");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"a\": 2}");
    fs::remove_file(&file).unwrap();
    assert_eq!(listing(&world), before);
}

#[test]
fn variables_that_move_the_settings_are_followed() {
    for (runtime, variable, expected) in [
        ("claude-code", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("codex", "CODEX_HOME", "config.toml"),
        ("opencode", "XDG_CONFIG_HOME", "opencode/opencode.json"),
        ("opencode", "OPENCODE_CONFIG_DIR", "plugin/hindlore.js"),
        ("copilot", "COPILOT_HOME", "mcp-config.json"),
    ] {
        let mut world = World::new();
        let before = listing(&world);
        world.set(variable, world.path("moved").to_str().unwrap());
        let files = paths(&world.json(&format!("install {runtime}")));
        let moved = world.path("moved");
        assert!(
            files.iter().all(|file| Path::new(file).starts_with(&moved)),
            "{files:?}"
        );
        assert!(moved.join(expected).is_file());
        let seen = world.json("doctor agents");
        assert_eq!(seen["installed"][0]["runtime"], runtime, "{seen}");
        world.json(&format!("uninstall {runtime}"));
        assert_eq!(listing(&world), before, "{variable}");
    }
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_lead_no_project_out_of_its_folder() {
    use std::os::unix::fs::symlink;
    let world = World::new();
    fs::create_dir_all(world.path(".claude")).unwrap();
    symlink(
        "../dotfiles/settings.json",
        world.path(".claude/settings.json"),
    )
    .unwrap();
    let before = listing(&world);
    let installed = world.json("install claude-code");
    let target = world.path("dotfiles/settings.json");
    assert_eq!(
        installed["files"][0]["file"],
        fs::canonicalize(&target).unwrap().to_str().unwrap()
    );
    assert!(world.path(".claude/settings.json").is_symlink());
    assert!(
        fs::read_to_string(&target)
            .unwrap()
            .contains("hook PreToolUse")
    );
    world.json("uninstall claude-code");
    assert_eq!(listing(&world), before);

    fs::create_dir_all(world.path("project")).unwrap();
    fs::create_dir_all(world.path("elsewhere")).unwrap();
    symlink(world.path("elsewhere"), world.path("project/.claude")).unwrap();
    let before = listing(&world);
    for words in [
        "install claude-code --project",
        "uninstall claude-code --project",
    ] {
        let mut command = world.command();
        let command = command.args(words.split(' ')).arg("--json");
        let ran = world.feed(command.current_dir(world.path("project")), b"");
        let said = ran.problem("uneditable_file");
        assert!(
            said.contains("leads it out of the folder") && said.contains("elsewhere"),
            "{said}"
        );
    }
    assert_eq!(listing(&world), before);
    symlink("b", world.path("a")).unwrap();
    symlink("a", world.path("b")).unwrap();
    fs::create_dir_all(world.path(".codex")).unwrap();
    symlink("../a", world.path(".codex/hooks.json")).unwrap();
    let ran = world.run(&["install", "codex", "--json"]);
    assert!(ran.problem("uneditable_file").contains("circle"));
}

#[cfg(unix)]
#[test]
fn a_read_only_file_is_refused_with_the_remedy() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    fs::create_dir_all(world.path(".codex")).unwrap();
    let file = world.path(".codex/config.toml");
    fs::write(&file, "a = 1\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let before = listing(&world);
    let said = world
        .run(&["install", "codex", "--json"])
        .problem("read_only_file");
    assert!(
        said.contains("chmod u+w") && said.contains("nothing was changed"),
        "{said}"
    );
    assert_eq!(listing(&world), before);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    world.json("install codex");
    let mode = fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
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

/// A file that `installing` must refuse: a pipe would be read for ever.
#[cfg(unix)]
#[test]
fn a_file_that_is_no_regular_file_is_refused() {
    let world = World::new();
    fs::create_dir_all(world.path(".claude/settings.json")).unwrap();
    let said = world
        .run(&["install", "claude-code", "--json"])
        .problem("uneditable_file");
    assert!(said.contains("no regular file"), "{said}");
    fs::create_dir_all(world.path(".cursor")).unwrap();
    fs::write(world.path(".cursor/mcp.json"), b"{\"a\": \"\xff\"}").unwrap();
    let said = world
        .run(&["install", "cursor", "--json"])
        .problem("uneditable_file");
    assert!(
        said.contains("UTF-8") && !world.path(".cursor/hooks.json").exists(),
        "{said}"
    );
}

fn every_runtime_and_level() -> impl Iterator<Item = (&'static str, &'static str)> {
    let levels = |runtime| ["--user", "--project"].map(|level| (runtime, level));
    RUNTIMES.into_iter().flat_map(levels)
}

/// Everything in the world's folder but the memory: folders, links as their targets, files as their bytes.
fn listing(world: &World) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut ahead = vec![fs::canonicalize(world.path("")).unwrap()];
    while let Some(folder) = ahead.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if name.starts_with("memory.db")
                || name == "project" && path.is_dir() && is_empty(&path)
            {
                continue;
            }
            if path.is_symlink() {
                let target = fs::read_link(&path).unwrap();
                found.push((path, target.to_str().unwrap().as_bytes().to_vec()));
            } else if path.is_dir() {
                ahead.push(path.clone());
                found.push((path, Vec::new()));
            } else {
                let bytes = fs::read(&path).unwrap();
                found.push((path, bytes));
            }
        }
    }
    found.sort();
    found
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

fn data(world: &World) -> PathBuf {
    world.path(".local/share/hindlore/installed")
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
