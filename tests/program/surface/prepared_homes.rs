//! Homes as people have them, in a table: `install` and then `uninstall` give back each name, byte, link and mode below
//! them. A settings file is written by hand, by other programs and by the runtimes themselves, so that each row has
//! another layout, another format or another way in which the file lies in its folder.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use serde_json::Value;

use crate::executable::copy_program;
use crate::world::{Ran, World};

/// Runtime, its event after a call, the object that holds its servers, and a hook of another program.
const RUNTIMES: [(&str, &str, &str, &str); 5] = [
    ("claude-code", "PostToolUse", "mcpServers", GROUPED),
    ("codex", "PostToolUse", "mcpServers", GROUPED),
    (
        "cursor",
        "postToolUse",
        "mcpServers",
        "{\"command\": \"NAME\"}",
    ),
    ("opencode", "PostToolUse", "mcp", GROUPED),
    (
        "copilot",
        "postToolUse",
        "mcpServers",
        "{\"type\": \"command\", \"bash\": \"NAME\", \"powershell\": \"NAME\"}",
    ),
];
const GROUPED: &str =
    "{\"matcher\": \"*\", \"hooks\": [{\"type\": \"command\", \"command\": \"NAME\"}]}";

/// How the settings files of a home lie in their folders.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Lies {
    /// They do not.
    Nowhere,
    /// As regular files with these rights.
    With(u32),
    /// As relative links to a folder of settings.
    Linked,
    /// As links to links, the first of them absolute.
    LinkedTwice,
    /// As links to files that do not exist.
    Dangling,
    /// In a folder that is a link.
    InLinkedFolder,
}
use Lies::{Dangling, InLinkedFolder, Linked, LinkedTwice, Nowhere, With};

const PLAIN: Lies = With(0o644);
const USER: &str = "--user";
const PROJECT: &str = "--project";
const OTHERS: &str = "{\n  \"hooks\": {\n    \"EVENT\": [\n      HOOK(one),\n      HOOK(two)\n    ],\n    \"Other\": [\n      HOOK(three)\n    ]\n  },\n  \"SERVERS\": {\n    \"docs\": {\n      \"command\": \"docs\"\n    }\n  },\n  \"z\": 1\n}\n";
const OTHERS_TOML: &str = "[mcp_servers.docs]\ncommand = \"docs\"\n\n[mcp_servers.more]\ncommand = \"m\"\n\n[tui]\na = 1\n";

/// What the home is, the level, how its files lie, and their text as JSON and as TOML.
type Home = (&'static str, &'static str, Lies, &'static str, &'static str);
const HOMES: &[Home] = &[
    ("no settings", USER, Nowhere, "", ""),
    ("no settings in the project", PROJECT, Nowhere, "", ""),
    ("empty files", USER, PLAIN, "", ""),
    ("white space only", USER, PLAIN, " \n\n", "\n\n"),
    ("no final newline", USER, PLAIN, "{}", "model = \"x\""),
    ("a final newline", USER, PLAIN, "{}\n", "model = \"x\"\n"),
    (
        "line ends of Windows",
        USER,
        PLAIN,
        "{\r\n  \"model\": \"x\"\r\n}\r\n",
        "model = \"x\"\r\n[tui]\r\na = 1\r\n",
    ),
    (
        "line ends of Windows but the last",
        USER,
        PLAIN,
        "{\r\n  \"SERVERS\": {},\r\n  \"a\": 1\r\n}",
        "model = \"x\"\r\n# end",
    ),
    (
        "tabs",
        USER,
        PLAIN,
        "{\n\t\"model\": \"x\",\n\t\"a\": {\n\t\t\"b\": [\n\t\t\t1\n\t\t]\n\t}\n}\n",
        "[tui]\n\ta = 1\n",
    ),
    (
        "four spaces",
        USER,
        PLAIN,
        "{\n    \"a\": \"x\",\n    \"hooks\": {},\n    \"SERVERS\": {}\n}\n",
        "[tui]\n    a = 1\n",
    ),
    (
        "one line",
        USER,
        PLAIN,
        "{\"a\":\"x\",\"hooks\":{\"EVENT\":[HOOK(mine)]},\"SERVERS\":{\"docs\":{\"command\":\"docs\"}}}",
        "mcp_servers = { docs = { command = \"docs\" } }",
    ),
    (
        "comments and last commas",
        USER,
        PLAIN,
        "// top\n{\n  // mine\n  \"a\": \"x\", /* two */\n  \"l\": [1, 2,],\n  \"hooks\": {\n    // none yet\n  },\n  \"SERVERS\": {\n    \"docs\": {\"command\": \"docs\",}, // docs\n  },\n}\n// end\n",
        "# top\na = \"x\" # fast\n\n[mcp_servers.docs] # docs\nargs = [\n  \"a\", # one\n]\n# end\n",
    ),
    (
        "a byte order mark",
        USER,
        PLAIN,
        "\u{feff}{\"a\":\"x\"}\n",
        "\u{feff}a = \"x\"\n",
    ),
    (
        "hooks and servers of others",
        USER,
        PLAIN,
        OTHERS,
        OTHERS_TOML,
    ),
    ("the same in a project", PROJECT, PLAIN, OTHERS, OTHERS_TOML),
    (
        "empty containers",
        USER,
        PLAIN,
        "{\"hooks\": {\"EVENT\": []}, \"SERVERS\": { } }\n",
        "[mcp_servers]\n",
    ),
    (
        "a version of the format and a hook",
        USER,
        PLAIN,
        "{\"version\":1,\"hooks\":{\"stop\":[HOOK(mine)]}}\n",
        "mcp_servers = { docs = { command = \"d\" } }\nz = 1\na = 2\n",
    ),
    (
        "a version of the format",
        USER,
        PLAIN,
        "{\"version\": 1, \"hooks\": {}}",
        "mcp_servers.docs.command = \"docs\"\n",
    ),
    (
        "blank lines",
        USER,
        PLAIN,
        "\n\n{\n\n  \"a\": 1,\n\n\n  \"hooks\": {\n\n  }\n\n}\n\n\n",
        "\n\na = \"x\"\n\n\n[tui]\n\na = 1\n\n\n",
    ),
    (
        "numbers, escapes and half an emoji",
        USER,
        PLAIN,
        "{\"n\": 1.0, \"e\": 1e400, \"b\": 123456789012345678901234567890, \"u\": \"\\u00e4\\/ \\ud83d\"}\n",
        "n = 1.0\nb = 0x10\nd = 1979-05-27T07:32:00Z\n",
    ),
    (
        "rights of the owner alone",
        USER,
        With(0o600),
        OTHERS,
        OTHERS_TOML,
    ),
    ("rights of a group", USER, With(0o664), "{}\n", "a = 1\n"),
    ("read-only files", USER, With(0o444), OTHERS, OTHERS_TOML),
    (
        "read-only files in a project",
        PROJECT,
        With(0o400),
        "{}\n",
        "a = 1\n",
    ),
    ("links", USER, Linked, OTHERS, OTHERS_TOML),
    ("links to links", USER, LinkedTwice, "{}", "a = 1"),
    ("links to nothing", USER, Dangling, "", ""),
    ("a linked folder", USER, InLinkedFolder, OTHERS, OTHERS_TOML),
];

#[test]
fn every_home_is_as_it_was_after_an_uninstall() {
    thread::scope(|scope| {
        for runtime in RUNTIMES {
            scope.spawn(move || {
                let world = in_folders();
                let root = world.path("").canonicalize().unwrap();
                let below = |level| {
                    let files = files_of(&world, runtime.0, level).into_iter();
                    let below = files.map(|file| file.strip_prefix(&root).unwrap().to_owned());
                    (level, below.collect())
                };
                let files = [USER, PROJECT].map(below).into();
                HOMES
                    .iter()
                    .for_each(|home| is_as_it_was(runtime, home, &files));
            });
        }
    });
}

/// Checks a home; `files` are those of the runtime at each level, below the home.
fn is_as_it_was(
    runtime: (&str, &str, &str, &str),
    home: &Home,
    files: &BTreeMap<&str, Vec<PathBuf>>,
) {
    let (name, level, lies, json, toml) = home;
    let world = in_folders();
    let root = world.path("").canonicalize().unwrap();
    let files: Vec<PathBuf> = files[level].iter().map(|file| root.join(file)).collect();
    for file in files.iter().filter(|file| !is_whole(file)) {
        let text = filled(if is_toml(file) { toml } else { json }, runtime);
        lay(&world, file, &text, *lies);
    }
    let before = tree(&world);
    let what = format!("{name}: {} {level}", runtime.0);
    if matches!(lies, With(mode) if mode & 0o200 == 0) {
        let refused = run(&world, &format!("install {} {level} --json", runtime.0));
        assert!(
            refused.problem("read_only_file").contains("chmod u+w"),
            "{what}"
        );
        assert_eq!(tree(&world), before, "{what}");
        return;
    }
    foresees(&world, "install", runtime.0, level, &files);
    assert_eq!(tree(&world), before, "{what}, dry run");
    let installed = answer(&world, "install", runtime.0, level);
    keeps_originals(&installed, &before, &what);
    let once = tree(&world);
    has_layout_of(&before, &once, &what);
    // A second install changes nothing below the home, so that one uninstall undoes one install and two.
    answer(&world, "install", runtime.0, level);
    assert_eq!(tree(&world), once, "{what}, installed twice");
    foresees(&world, "uninstall", runtime.0, level, &files);
    assert_eq!(tree(&world), once, "{what}, dry run of the uninstall");
    answer(&world, "uninstall", runtime.0, level);
    assert_eq!(tree(&world), before, "{what}, uninstalled");
}

/// Demands that a dry run names each file and shows its change.
fn foresees(world: &World, verb: &str, runtime: &str, level: &str, files: &[PathBuf]) {
    let shown = run(world, &format!("{verb} --dry-run {runtime} {level}"));
    let sign = if verb == "install" { '+' } else { '-' };
    let changes = shown.out.split("changes   ").skip(1);
    let changes: Vec<(&str, &str)> = changes.filter_map(|one| one.split_once('\n')).collect();
    for file in files {
        let change = changes
            .iter()
            .find(|(name, _)| Path::new(name).file_name() == file.file_name());
        let is_shown = change.is_some_and(|(_, diff)| {
            diff.lines()
                .any(|line| line.starts_with(sign) && line.contains("hindlore"))
        });
        assert!(is_shown, "{}: {shown:?}", file.display());
    }
}

/// Demands a copy with the original bytes for each file that was there.
fn keeps_originals(installed: &Value, before: &Tree, what: &str) {
    for one in installed["files"].as_array().unwrap() {
        let original = before.get(Path::new(one["file"].as_str().unwrap()));
        let copy = one["backup"].as_str().map(|copy| fs::read(copy).unwrap());
        assert_eq!(
            copy.as_deref(),
            original.map(|entry| entry.1.as_slice()),
            "{what}: {one}"
        );
    }
}

/// Demands that our part has the line ends and the indentation of the file, and that links and rights stay.
fn has_layout_of(before: &Tree, now: &Tree, what: &str) {
    for (file, (mode, bytes)) in before {
        let (new_mode, new) = &now[file];
        assert_eq!(mode, new_mode, "{what}: {}", file.display());
        let (old, new) = (String::from_utf8_lossy(bytes), String::from_utf8_lossy(new));
        let plain_ends = |text: &str| text.replace("\r\n", "").matches('\n').count();
        if old.contains("\r\n") {
            assert_eq!(plain_ends(&new), plain_ends(&old), "{what}: {new}");
        }
        if old.contains("\n\t\t") {
            assert!(!new.contains("\n  "), "{what}: {new}");
        }
    }
}

#[test]
fn an_older_program_in_another_place_gives_way_and_leaves_nothing() {
    let store = World::new();
    let old = store.path("old programs/hindlore");
    fs::create_dir(old.parent().unwrap()).unwrap();
    copy_program(&old);
    let place = old.to_str().unwrap();
    for runtime in RUNTIMES {
        let world = with_settings_of_others(runtime, USER);
        let before = tree(&world);
        for is_recorded in [true, false] {
            let mut older = called(&world, &old, &format!("install {}", runtime.0));
            assert_eq!(world.feed(&mut older, b"").code, 0);
            assert!(holds(&tree(&world), place), "{}", runtime.0);
            if !is_recorded {
                fs::remove_dir_all(world.path(".local")).unwrap();
            }
            for _ in [1, 2] {
                answer(&world, "install", runtime.0, USER);
                let now = tree(&world);
                let settings = now
                    .into_iter()
                    .filter(|(file, _)| !file.starts_with(data(&world)));
                assert!(!holds(&settings.collect(), place), "{}", runtime.0);
            }
            answer(&world, "uninstall", runtime.0, USER);
            let mut after = tree(&world);
            if !is_recorded {
                // Only a record tells the number of the format and these folders from a person's own.
                after.retain(|path, _| {
                    !path.ends_with(".claude/skills") && !path.ends_with("opencode/plugin")
                });
                for (_, bytes) in after.values_mut() {
                    let text = String::from_utf8_lossy(bytes).replace(",\n  \"version\": 1", "");
                    *bytes = text.into_bytes();
                }
            }
            assert_eq!(after, before, "{} {is_recorded}", runtime.0);
        }
    }
}

#[test]
fn settings_that_others_add_after_ours_stay() {
    for runtime in RUNTIMES {
        for level in [USER, PROJECT] {
            let world = with_settings_of_others(runtime, level);
            let hook = filled(",\n      HOOK(later)", runtime);
            let added = |text: String, file: &Path| {
                if is_toml(file) {
                    return format!("{text}\n[mcp_servers.later]\ncommand = \"l\"\n");
                }
                let text = with_before(&text, "two", "\n    ]", &hook);
                let server = ",\n    \"later\": {\"command\": \"l\"}";
                with_before(&text, "\"docs\": {", "\n  }", server)
            };
            let files = files_of(&world, runtime.0, level);
            let settings = || files.iter().filter(|file| !is_whole(file));
            let mut expected = tree(&world);
            for file in settings() {
                let (_, bytes) = expected.get_mut(file).unwrap();
                *bytes = added(String::from_utf8(bytes.clone()).unwrap(), file).into_bytes();
            }
            answer(&world, "install", runtime.0, level);
            for file in settings() {
                let text = added(fs::read_to_string(file).unwrap(), file);
                fs::write(file, text).unwrap();
            }
            answer(&world, "uninstall", runtime.0, level);
            assert_eq!(tree(&world), expected, "{} {level}", runtime.0);
        }
    }
}

#[test]
fn the_settings_of_a_person_and_of_a_project_are_taken_out_apart() {
    for runtime in RUNTIMES {
        let world = with_settings_of_others(runtime, PROJECT);
        let before = tree(&world);
        for [first, second] in [[USER, PROJECT], [PROJECT, USER]] {
            answer(&world, "install", runtime.0, first);
            let alone = tree(&world);
            answer(&world, "install", runtime.0, second);
            answer(&world, "uninstall", runtime.0, second);
            assert_eq!(tree(&world), alone, "{} {first}", runtime.0);
            answer(&world, "uninstall", runtime.0, first);
            assert_eq!(tree(&world), before, "{} {first}", runtime.0);
        }
    }
}

/// A desktop starts an agent without the search path of a shell; a link in that path outlives an update.
#[test]
fn a_person_gets_the_absolute_path_of_the_program_and_a_project_its_name() {
    let program = Path::new(crate::PROGRAM).canonicalize().unwrap();
    for (runtime, ..) in RUNTIMES {
        let world = in_folders();
        fs::create_dir(world.path("bin")).unwrap();
        let link = world.path("bin").canonicalize().unwrap().join("hindlore");
        symlink(&program, &link).unwrap();
        let folder = link.parent().unwrap().to_str().unwrap();
        for (search_path, level, expected) in [
            (folder, USER, link.to_str().unwrap()),
            ("../bin", USER, program.to_str().unwrap()),
            ("/nowhere", USER, program.to_str().unwrap()),
            (folder, PROJECT, "hindlore"),
            ("/nowhere", PROJECT, "hindlore"),
        ] {
            let words = format!("install {runtime} {level}");
            let mut command = called(&world, Path::new(crate::PROGRAM), &words);
            command.env("PATH", search_path);
            let ran = world.feed(&mut command, b"");
            assert_eq!(ran.code, 0);
            let is_warned = ran.err.contains("no folder of the PATH has it");
            assert_eq!(
                is_warned,
                level == PROJECT && search_path == "/nowhere",
                "{ran:?}"
            );
            let written = files_of(&world, runtime, level);
            for file in written.iter().filter(|file| !file.ends_with("SKILL.md")) {
                let text = fs::read_to_string(file).unwrap();
                let quoted = format!("\"{expected}");
                assert!(
                    text.contains(&quoted),
                    "{words}, PATH={search_path}: {text}"
                );
            }
            answer(&world, "uninstall", runtime, level);
        }
    }
}

/// A home with a project in it.
fn in_folders() -> World {
    let world = World::new();
    fs::create_dir(world.path("project")).unwrap();
    world
}

fn with_settings_of_others(runtime: (&str, &str, &str, &str), level: &str) -> World {
    let world = in_folders();
    for file in files_of(&world, runtime.0, level)
        .iter()
        .filter(|file| !is_whole(file))
    {
        let text = if is_toml(file) { OTHERS_TOML } else { OTHERS };
        lay(&world, file, &filled(text, runtime), PLAIN);
    }
    world
}

/// The text with `addition` before the first `end` after `begin`.
fn with_before(text: &str, begin: &str, end: &str, addition: &str) -> String {
    let begin = text.rfind(begin).unwrap();
    let at = begin + text[begin..].find(end).unwrap();
    format!("{}{addition}{}", &text[..at], &text[at..])
}

/// A text of the table for a runtime.
fn filled(text: &str, (_, event, servers, hook): (&str, &str, &str, &str)) -> String {
    let mut text = text.replace("EVENT", event).replace("SERVERS", servers);
    for name in ["one", "two", "three", "mine", "later"] {
        text = text.replace(&format!("HOOK({name})"), &hook.replace("NAME", name));
    }
    text
}

/// Lays a file into a home.
fn lay(world: &World, file: &Path, text: &str, lies: Lies) {
    let settings = world
        .path("settings of mine")
        .join(file.file_name().unwrap());
    let make = |file: &Path| {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    let root = world.path("").canonicalize().unwrap();
    let inside = file.strip_prefix(&root).unwrap();
    let up = "../".repeat(inside.components().count() - 1);
    let link = |target: PathBuf| {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        symlink(target, file).unwrap();
    };
    let relative = || Path::new(&up).join(settings.strip_prefix(world.path("")).unwrap());
    match lies {
        Nowhere => {}
        With(mode) => {
            make(file);
            fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
        }
        Linked => {
            make(&settings);
            link(relative());
        }
        LinkedTwice => {
            make(&settings);
            let second = settings.with_extension("second");
            symlink(settings.file_name().unwrap(), &second).unwrap();
            link(second);
        }
        Dangling => link(relative()),
        InLinkedFolder => {
            let first = inside.components().next().unwrap();
            let folder = root.join(first);
            if folder != file && !folder.exists() {
                let target = world.path("settings of mine").join(first);
                fs::create_dir_all(&target).unwrap();
                symlink(target, folder).unwrap();
            }
            make(file);
        }
    }
}

/// Each path below a home but the home itself, with its kind and rights, and its bytes or the target of a link.
type Tree = BTreeMap<PathBuf, (u32, Vec<u8>)>;

fn tree(world: &World) -> Tree {
    let mut found = Tree::new();
    let mut ahead = vec![world.path("").canonicalize().unwrap()];
    while let Some(folder) = ahead.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let about = fs::symlink_metadata(&path).unwrap();
            let bytes = if about.is_symlink() {
                fs::read_link(&path)
                    .unwrap()
                    .into_os_string()
                    .into_encoded_bytes()
            } else if about.is_dir() {
                ahead.push(path.clone());
                Vec::new()
            } else {
                fs::read(&path).unwrap()
            };
            found.insert(path, (about.mode(), bytes));
        }
    }
    found
}

fn holds(tree: &Tree, text: &str) -> bool {
    let mut texts = tree
        .values()
        .map(|(_, bytes)| String::from_utf8_lossy(bytes));
    texts.any(|found| found.contains(text))
}

fn data(world: &World) -> PathBuf {
    world.path(".local").canonicalize().unwrap()
}

/// The files that an install would write.
fn files_of(world: &World, runtime: &str, level: &str) -> Vec<PathBuf> {
    let foreseen = answer(world, "install --dry-run", runtime, level);
    let files = foreseen["files"].as_array().unwrap().iter();
    files
        .map(|one| one["file"].as_str().unwrap().into())
        .collect()
}

fn is_whole(file: &Path) -> bool {
    file.extension()
        .is_some_and(|ending| ending == "md" || ending == "js")
}

fn is_toml(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "toml")
}

fn answer(world: &World, verb: &str, runtime: &str, level: &str) -> Value {
    let ran = run(world, &format!("{verb} {runtime} {level} --json"));
    assert_eq!(ran.code, 0, "{verb} {runtime} {level}: {ran:?}");
    ran.document()
}

fn run(world: &World, words: &str) -> Ran {
    world.feed(&mut called(world, Path::new(crate::PROGRAM), words), b"")
}

/// A call of a program in the project of a home.
fn called(world: &World, program: &Path, words: &str) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("HOME", world.path(""))
        .env("HINDLORE_STORE", world.store());
    command
        .current_dir(world.path("project"))
        .args(words.split(' '));
    command
}
