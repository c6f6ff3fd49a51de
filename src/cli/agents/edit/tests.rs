//! Whatever a person has in a file stays, byte for byte.

use super::*;
use crate::cli::agents::pieces::{Roots, pieces};
use crate::cli::agents::{Level, Runtime};

fn hooks(grouped: bool) -> Part {
    let commands = ["PreToolUse", "Stop"];
    let commands =
        commands.map(|event| (event.to_owned(), format!("/opt/mnemograph hook {event}")));
    Part::Hooks {
        grouped,
        commands: commands.to_vec(),
    }
}

/// Files as people have them: empty, commented, with hooks and servers of their own, in several layouts.
const JSON: &[&str] = &[
    "{}\n",
    "{\n  // mine\n  \"model\": \"x\", /* and this */\n  \"z\": [1,2],\n  \"a\": {\"b\": null}\n}\n",
    "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"./check.sh\"}]}]}}",
    "{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{ \"command\": \"say done\" }\n\t\t]\n\t},\n\t\"mcpServers\": {\n\t\t\"other\": { \"command\": \"o\" }\n\t}\n}\n",
];

#[test]
fn put_in_and_taken_out_leaves_the_file_as_it_was() {
    let tools = Part::Server {
        servers: "mcpServers",
        entry: serde_json::json!({"command": "/opt/mnemograph", "args": ["mcp"], "enabled": true}),
    };
    for part in [hooks(true), hooks(false), tools] {
        for text in JSON {
            let once = part.put_into(Some(text)).unwrap();
            assert!(part.is_in(&once) && !part.is_in(text), "{once}");
            assert_eq!(
                part.put_into(Some(&once)).unwrap(),
                once,
                "installed twice is installed once"
            );
            let out = part.taken_out_of(&once).unwrap();
            if *text == "{}\n" {
                assert_eq!(out, None);
                continue;
            }
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            let plain_version = out
                .unwrap()
                .replace("\"version\": 1", "")
                .replace(",}", "}");
            assert_eq!(
                squeezed(&plain_version).replace(",}", "}"),
                squeezed(text),
                "{part:?}"
            );
        }
        let made = part.put_into(None).unwrap();
        assert!(
            serde_json::from_str::<serde_json::Value>(&made).is_ok(),
            "{made}"
        );
        assert_eq!(part.taken_out_of(&made).unwrap(), None);
    }
}

#[test]
fn comments_and_hooks_of_others_stay_beside_ours() {
    let once = hooks(true).put_into(Some(JSON[2])).unwrap();
    let value: serde_json::Value = serde_json::from_str(&once).unwrap();
    let before = &value["hooks"]["PreToolUse"];
    assert_eq!(
        (before.as_array().unwrap().len(), &before[0]["matcher"]),
        (2, &"Bash".into())
    );
    assert_eq!(
        before[1]["hooks"][0]["command"],
        "/opt/mnemograph hook PreToolUse"
    );
    let once = hooks(true).put_into(Some(JSON[1])).unwrap();
    assert!(
        once.contains("// mine")
            && once.contains("/* and this */")
            && once.contains("\"z\": [1,2]"),
        "{once}"
    );
}

#[test]
fn an_older_program_in_another_place_is_replaced() {
    let old = "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"'/home/x/old mnemograph' hook Stop\"}]}]}}";
    let now = hooks(true).put_into(Some(old)).unwrap();
    assert!(!now.contains("/home/x"), "{now}");
    assert_eq!(now.matches("hook Stop").count(), 1);
}

#[test]
fn a_file_that_is_not_what_it_should_be_is_refused_with_the_reason() {
    for (part, text, word) in [
        (hooks(true), "{\"hooks\": [", "JSON"),
        (hooks(true), "[]", "object"),
        (hooks(true), "{\"hooks\": []}", "`hooks`"),
        (hooks(true), "{\"hooks\": {\"Stop\": {}}}", "`hooks.Stop`"),
    ] {
        let fault = part.put_into(Some(text)).unwrap_err();
        assert!(fault.contains(word), "{fault}");
    }
}

#[test]
fn every_runtime_is_given_hooks_and_tools_at_both_levels() {
    let roots = Roots {
        home: "/h".into(),
        project: "/p".into(),
    };
    for runtime in Runtime::ALL {
        for (level, root) in [(Level::User, "/h"), (Level::Project, "/p")] {
            let all = pieces(runtime, level, &roots, "/opt/my tools/mnemograph");
            assert!(all.iter().all(|piece| piece.file.starts_with(root)));
            let texts: Vec<String> = all
                .iter()
                .map(|piece| piece.part.put_into(None).unwrap())
                .collect();
            let has = |word: &str| texts.iter().any(|text| text.contains(word));
            assert!(has("hook") && has("--repository"), "{texts:?}");
            // The path stands whole wherever it is run by a shell.
            assert!(
                has("'/opt/my tools/mnemograph' hook") || runtime == Runtime::Opencode,
                "{texts:?}"
            );
            for (piece, text) in all.iter().zip(&texts) {
                assert_eq!(
                    piece.part.taken_out_of(text).unwrap(),
                    None,
                    "{}",
                    piece.file.display()
                );
            }
        }
    }
}

/// The plugin folder is what `install` would write, so that both ways give the same.
#[test]
fn the_plugin_of_claude_code_has_the_hooks_and_tools_that_install_writes() {
    let roots = Roots {
        home: "/h".into(),
        project: "/p".into(),
    };
    let all = pieces(Runtime::ClaudeCode, Level::Project, &roots, "mnemograph");
    let hooks = include_str!("../../../../scripts/agents/claude-code/hooks/hooks.json");
    let tools = include_str!("../../../../scripts/agents/claude-code/.mcp.json");
    for (piece, file) in all.iter().zip([hooks, tools]) {
        let made: serde_json::Value =
            serde_json::from_str(&piece.part.put_into(None).unwrap()).unwrap();
        let kept: serde_json::Value = serde_json::from_str(file).unwrap();
        assert_eq!(made, kept, "{made:#}");
    }
    let codex = pieces(Runtime::Codex, Level::Project, &roots, "mnemograph");
    let made: serde_json::Value =
        serde_json::from_str(&codex[0].part.put_into(None).unwrap()).unwrap();
    let kept = include_str!("../../../../scripts/agents/codex/hooks/hooks.json");
    assert_eq!(
        made,
        serde_json::from_str::<serde_json::Value>(kept).unwrap(),
        "{made:#}"
    );
}
