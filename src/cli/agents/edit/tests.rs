//! All contents of a person in a file stay, byte for byte.

use super::*;
use crate::agents::pieces::{HookForm, pieces};
use crate::agents::places::Places;
use crate::agents::{Level, Runtime};

fn hooks(form: HookForm) -> Part {
    let commands = ["PreToolUse", "Stop"];
    let commands = commands.map(|event| (event.to_owned(), format!("/opt/hindlore hook {event}")));
    Part::Hooks {
        form,
        commands: commands.to_vec(),
    }
}

fn tools() -> Part {
    Part::Server {
        servers: "mcpServers",
        entry: serde_json::json!({"command": "/opt/hindlore", "args": ["mcp"], "enabled": true}),
    }
}

fn parts() -> [Part; 4] {
    [
        hooks(HookForm::Grouped),
        hooks(HookForm::Plain),
        hooks(HookForm::Shells),
        tools(),
    ]
}

/// Files as people have them: empty, commented, with hooks and servers of their own, in several layouts.
const JSON: &[&str] = &[
    "",
    "{}",
    "{}\n",
    "{ }\r\n",
    "{\"hooks\":{}}",
    "{\"version\":1,\"hooks\":{}}\n",
    "{\"mcpServers\":{}}\n",
    "{\n  \"plugin\": [\"x\"],\n  \"mcpServers\": {}\n}\n",
    "\u{feff}{\"model\":\"x\"}\n",
    "{\"model\":\"x\"}",
    "{\r\n  \"model\": \"x\"\r\n}\r\n",
    "\n\n{\n\n  \"a\": 1,\n\n  \"b\": {}\n\n}\n\n",
    "{\n  // mine\n  \"model\": \"x\", /* and this */\n  \"z\": [1,2],\n  \"a\": {\"b\": null}\n}\n",
    "{\n  \"model\": \"x\", // last\n}\n// end\n",
    "{\"cut\": \"\\ud83d\", \"\\udE00\": \"\\ud83d\\ud83d\\ude00 \\ufffd \\\\ud83d\", \"hooks\": {}}",
    "{\"hooks\":{\"Stop\":[]}}",
    "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"./check.sh\"}]}]}}",
    "{\"version\":1,\"hooks\":{\"stop\":[{\"command\":\"mine\"}]}}\n",
    "{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{ \"command\": \"say done\" }\n\t\t]\n\t},\n\t\"mcpServers\": {\n\t\t\"other\": { \"command\": \"o\" }\n\t}\n}\n",
    "{\"z\": 1.0, \"a\": 1e2, \"u\": \"\\u00e4\", \"mcpServers\": {\"b\": {}, \"a\": {}}}",
];

#[test]
fn put_in_and_taken_out_leaves_each_byte_of_the_file() {
    for part in parts() {
        for text in JSON {
            let original = Original::Text((*text).to_owned());
            let once = part.put_into(Some(text)).unwrap();
            assert!(part.is_in(&once) && !part.is_in(text), "{once}");
            assert_eq!(
                part.put_into(Some(&once)).unwrap(),
                once,
                "installed twice is installed once"
            );
            assert_eq!(
                part.taken_out_of(text, &original).unwrap().as_deref(),
                Some(*text),
                "nothing to take out"
            );
            let out = part.taken_out_of(&once, &original).unwrap();
            if !text.trim().is_empty() {
                assert_eq!(out.as_deref(), Some(*text), "{part:?}\n{once}");
            }
        }
        let made = part.put_into(None).unwrap();
        assert!(serde_json::from_str::<serde_json::Value>(&made).is_ok());
        for original in [Original::Absent, Original::Unknown] {
            assert_eq!(part.taken_out_of(&made, &original).unwrap(), None);
        }
    }
}

#[test]
fn what_others_changed_since_the_install_stays_and_ours_goes() {
    for part in parts() {
        for text in JSON.iter().filter(|text| !text.trim().is_empty()) {
            let plain = text.trim_start_matches(BYTE_ORDER_MARK);
            let (head, tail) = plain.split_once('{').unwrap();
            let comma = if tail.trim_start().starts_with('}') {
                ""
            } else {
                ","
            };
            let added = |text: &str| text.replacen('{', &format!("{{\"theirs\": 1{comma}"), 1);
            let once = part.put_into(Some(plain)).unwrap();
            let theirs = once.replacen('{', "{\"theirs\": 1,", 1);
            let original = Original::Text(plain.to_owned());
            let out = part.taken_out_of(&theirs, &original).unwrap().unwrap();
            assert!(!part.is_in(&out) && out.starts_with(head), "{out}");
            let comments = |text: &str| text.matches("mine").count() + text.matches("last").count();
            assert_eq!(comments(&out), comments(plain), "{out}");
            let value = |text: &str| {
                let options = jsonc_parser::ParseOptions::default();
                jsonc_parser::cst::CstRootNode::parse(&replace_halves(text), &options)
                    .unwrap()
                    .to_serde_value()
            };
            assert_eq!(value(&out), value(&added(plain)), "{part:?}\n{theirs}");
        }
    }
}

#[test]
fn what_a_person_changed_in_our_part_survives_the_next_install() {
    let later = |part: &Part| match part.clone() {
        Part::Hooks { form, commands } => Part::Hooks {
            form,
            commands: commands
                .into_iter()
                .map(|(event, line)| (event, line.replace("/opt/", "/new/")))
                .collect(),
        },
        _ => Part::Server {
            servers: "mcpServers",
            entry: serde_json::json!({"command": "/new/hindlore", "args": ["mcp"], "enabled": true}),
        },
    };
    for (part, from, to) in [
        (
            hooks(HookForm::Grouped),
            "\"timeout\": 10",
            "\"timeout\": 60",
        ),
        (
            hooks(HookForm::Grouped),
            "\"hooks\": [",
            "\"matcher\": \"Bash\", \"hooks\": [",
        ),
        (
            hooks(HookForm::Grouped),
            "hook Stop",
            "hook Stop --timeout-ms 9000",
        ),
        (
            hooks(HookForm::Plain),
            "/opt/hindlore hook",
            "nice /opt/hindlore hook",
        ),
        (
            hooks(HookForm::Shells),
            "\"timeoutSec\": 10",
            "\"timeoutSec\": 60",
        ),
        (
            tools(),
            "\"enabled\": true",
            "\"enabled\": false, \"env\": {\"A\": \"b\"}",
        ),
        (tools(), "[\"mcp\"]", "[\"mcp\", \"--profile\", \"full\"]"),
    ] {
        let installed = part.put_into(Some("{\"model\": \"x\"}")).unwrap();
        let changed = installed.replace(from, to);
        assert_ne!(installed, changed, "{from}");
        assert_eq!(part.put_into(Some(&changed)).unwrap(), changed);
        let moved = later(&part).put_into(Some(&changed)).unwrap();
        assert_eq!(moved, changed.replace("/opt/", "/new/"));
    }
}

const PERSONS_HOOKS: &str = "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"./check.sh\"}]}]}}";
const COMMENTED: &str = "{\n  // mine\n  \"model\": \"x\", /* and this */\n  \"z\": [1,2],\n  \"a\": {\"b\": null}\n}\n";

#[test]
fn comments_and_hooks_of_others_stay_beside_ours() {
    let once = hooks(HookForm::Grouped)
        .put_into(Some(PERSONS_HOOKS))
        .unwrap();
    let value: serde_json::Value = serde_json::from_str(&once).unwrap();
    let before = &value["hooks"]["PreToolUse"];
    assert_eq!(
        (before.as_array().unwrap().len(), &before[0]["matcher"]),
        (2, &"Bash".into())
    );
    assert_eq!(
        before[1]["hooks"][0]["command"],
        "/opt/hindlore hook PreToolUse"
    );
    let once = hooks(HookForm::Grouped).put_into(Some(COMMENTED)).unwrap();
    assert!(
        once.contains("// mine")
            && once.contains("/* and this */")
            && once.contains("\"z\": [1,2]"),
        "{once}"
    );
}

#[test]
fn an_older_program_in_another_place_is_replaced() {
    let old = "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"'/home/x/old hindlore' hook Stop\"}]}]}}";
    let now = hooks(HookForm::Grouped).put_into(Some(old)).unwrap();
    assert!(!now.contains("/home/x"), "{now}");
    assert_eq!(now.matches("hook Stop").count(), 1);
}

#[test]
fn a_file_that_is_not_what_it_should_be_is_refused_with_the_reason() {
    for (part, text, word) in [
        (hooks(HookForm::Grouped), "{\"hooks\": [", "JSON"),
        (hooks(HookForm::Grouped), "[]", "object"),
        (hooks(HookForm::Grouped), "{\"hooks\": []}", "`hooks`"),
        (
            hooks(HookForm::Grouped),
            "{\"hooks\": {\"Stop\": {}}}",
            "`hooks.Stop`",
        ),
        (
            hooks(HookForm::Grouped),
            "{\"hooks\":{},\n\"a\":1,\n\"hooks\":{}}",
            "`hooks` twice, in lines 1 and 3",
        ),
        (
            hooks(HookForm::Plain),
            "{\"hooks\":{\"Stop\":[],\n\"Stop\":[]}}",
            "`Stop` twice, in lines 1 and 2",
        ),
        (
            tools(),
            "{\"mcpServers\":{},\n\"mcpServers\":{}}",
            "`mcpServers` twice",
        ),
        (tools(), "{\"a\": 1 \"b\": 2}", "JSON"),
        (tools(), "{'a': 1}", "JSON"),
    ] {
        let fault = part.put_into(Some(text)).unwrap_err();
        assert!(fault.contains(word), "{fault}");
    }
}

fn places() -> Places {
    Places::new("/h".into(), "/p".into(), [])
}

#[test]
fn every_runtime_is_given_hooks_and_tools_at_both_levels() {
    for runtime in Runtime::ALL {
        for (level, root) in [(Level::User, "/h"), (Level::Project, "/p")] {
            let all = pieces(runtime, level, &places(), "/opt/my tools/hindlore");
            assert!(all.iter().all(|piece| piece.file.starts_with(root)));
            let texts: Vec<String> = all
                .iter()
                .map(|piece| piece.part.put_into(None).unwrap())
                .collect();
            let has = |word: &str| texts.iter().any(|text| text.contains(word));
            assert!(has("hook") && has("mcp"), "{texts:?}");
            // The path is whole where it is run by a shell.
            assert!(
                has("'/opt/my tools/hindlore' hook") || runtime == Runtime::Opencode,
                "{texts:?}"
            );
            for (piece, text) in all.iter().zip(&texts) {
                let out = piece.part.taken_out_of(text, &Original::Absent).unwrap();
                assert_eq!(out, None, "{}", piece.file.display());
            }
        }
    }
}

/// The plugin folder is the one that `install` would write, so that both ways give the same.
#[test]
fn the_plugin_of_claude_code_has_the_hooks_and_tools_that_install_writes() {
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let made = |runtime, at: usize| {
        let all = pieces(runtime, Level::Project, &places(), "hindlore");
        value(&all[at].part.put_into(None).unwrap())
    };
    let hooks = include_str!("../../../../scripts/agents/claude-code/hooks/hooks.json");
    assert_eq!(made(Runtime::ClaudeCode, 0), value(hooks));
    let tools = include_str!("../../../../scripts/agents/claude-code/.mcp.json");
    assert_eq!(made(Runtime::ClaudeCode, 1), value(tools));
    let hooks = include_str!("../../../../scripts/agents/codex/hooks/hooks.json");
    assert_eq!(made(Runtime::Codex, 0), value(hooks));
}
