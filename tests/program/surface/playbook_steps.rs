//! Forty runs become a playbook of six versions that is compared, restored, shared and revoked; a memory is
//! consolidated and rolled back. Written as calls of verbs, so that every surface and every store can run it.

use serde_json::{Value, json};

/// One call.
pub(crate) struct Said {
    pub(crate) verb: &'static str,
    pub(crate) request: Value,
    /// The caller; absent: the operator.
    pub(crate) caller: Option<&'static str>,
    /// The code that it is refused with.
    pub(crate) refused: Option<&'static str>,
}

/// The failing form, its error, and the working form.
const FORMS: [(&str, &str, &str); 6] = [
    (
        "cargo biuld --release",
        "error: no such command: `biuld`",
        "cargo build --release",
    ),
    ("npm tset", "npm error Missing script: \"tset\"", "npm test"),
    (
        "ls --colour",
        "ls: unrecognized option '--colour'",
        "ls --color",
    ),
    (
        "python -m pytets tests",
        "No module named pytets",
        "python -m pytest tests",
    ),
    (
        "kubectl get pods --contxt prod",
        "error: unknown flag: --contxt",
        "kubectl get pods --context prod",
    ),
    (
        "curl --hed https://host.example",
        "curl: option --hed: is unknown",
        "curl --head https://host.example",
    ),
];
/// Runs; every second one comes by `trajectory`, the others by `learn`.
const RUNS: usize = 40;

fn said(verb: &'static str, request: Value) -> Said {
    Said {
        verb,
        request,
        caller: None,
        refused: None,
    }
}

fn as_second(verb: &'static str, request: Value, refused: Option<&'static str>) -> Said {
    Said {
        verb,
        request,
        caller: Some("agent:second"),
        refused,
    }
}

pub(crate) fn steps() -> Vec<Said> {
    let mut story = Vec::new();
    for run in 0..RUNS {
        story.extend(recorded(run));
    }
    for form in 0..FORMS.len() {
        let ids: Vec<String> = (0..RUNS)
            .filter(|run| run % FORMS.len() == form)
            .map(name)
            .collect();
        story.push(said(
            "playbook.curate",
            json!({"playbook": "ops", "trajectories": ids}),
        ));
        // The same evidence again changes nothing.
        story.push(said(
            "playbook.curate",
            json!({"playbook": "ops", "trajectories": ids}),
        ));
    }
    story.extend([
        said("playbook.versions", json!({"playbook": "ops"})),
        said(
            "playbook.diff",
            json!({"playbook": "ops", "from": 1, "to": 6}),
        ),
        said("playbook.restore", json!({"playbook": "ops", "version": 2})),
        said("playbook.show", json!({"playbook": "ops"})),
        said(
            "playbook.strategies",
            json!({"task": "build a release with cargo"}),
        ),
        as_second(
            "playbook.show",
            json!({"playbook": "ops"}),
            Some("not_allowed"),
        ),
        said(
            "share.grant",
            json!({"subject": "agent:second", "relation": "viewer", "object": "playbook:ops"}),
        ),
        as_second("playbook.show", json!({"playbook": "ops"}), None),
        as_second(
            "playbook.delete",
            json!({"playbook": "ops"}),
            Some("not_allowed"),
        ),
        said(
            "share.revoke",
            json!({"subject": "agent:second", "object": "playbook:ops"}),
        ),
        said(
            "playbook.update",
            json!({"playbook": "ops", "strategies": [{"pattern": "Say it after the revocation."}]}),
        ),
        as_second(
            "playbook.show",
            json!({"playbook": "ops"}),
            Some("not_allowed"),
        ),
    ]);
    story.extend(consolidated());
    story
}

fn name(run: usize) -> String {
    format!("run-{run:02}")
}

fn recorded(run: usize) -> Vec<Said> {
    let (wrong, error, right) = FORMS[run % FORMS.len()];
    let id = name(run);
    if run.is_multiple_of(2) {
        let steps = json!([{"action": wrong, "error": error, "exit_code": 1}, {"action": right, "exit_code": 0}]);
        return vec![said(
            "runs.learn",
            json!({"run": id, "steps": steps, "passed": true}),
        )];
    }
    let log = |number: u32, fields: Value| {
        let mut request = json!({"trajectory": id, "id": format!("s{number}")});
        for (name, value) in fields.as_object().unwrap() {
            request[name] = value.clone();
        }
        said("trajectory.log", request)
    };
    vec![
        said(
            "trajectory.start",
            json!({"description": format!("task {run}"), "id": id, "agent": "scout"}),
        ),
        log(1, json!({"description": wrong, "error": error})),
        log(2, json!({"description": right})),
        said(
            "trajectory.complete",
            json!({"trajectory": id, "status": "success"}),
        ),
    ]
}

fn consolidated() -> Vec<Said> {
    let ends = [
        "Push to the `main` branch.",
        "Tag it `v2` on Monday.",
        "Wait 30 s for the mirror.",
    ];
    let operations: Vec<Value> = ["deploy", "backup", "billing", "search"]
        .iter()
        .flat_map(|subject| {
            ends.iter().map(move |end| {
                let content = format!(
                    "Run the whole test suite of the {subject} service before each commit, and read what it says. Ask Maria for \
                     the key of the {subject} service. Write one line about every change into the log of the {subject} team. {end}"
                );
                json!({"op": "ADD", "content": content})
            })
        })
        .collect();
    vec![
        said(
            "delta.apply",
            json!({"id": "all", "operations": operations}),
        ),
        said("digest", json!({})),
        said(
            "memory.consolidate",
            json!({"id": "c_story", "dry_run": true}),
        ),
        said("memory.consolidate", json!({"id": "c_story"})),
        said("digest", json!({})),
        said("memory.rollback", json!({"id": "c_story"})),
        said("digest", json!({})),
    ]
}

/// The invariants of the answers of every surface.
pub(crate) fn check(answers: &[(&'static str, Value)]) {
    let of = |verb: &str| -> Vec<&Value> {
        answers
            .iter()
            .filter(|(name, _)| *name == verb)
            .map(|(_, answer)| answer)
            .collect()
    };
    for (number, pair) in (1..).zip(of("playbook.curate").chunks(2)) {
        assert_eq!(
            (&pair[0]["version"], &pair[0]["new_version"]),
            (&json!(number), &json!(true)),
            "{}",
            pair[0]
        );
        assert_eq!(
            (&pair[1]["version"], &pair[1]["new_version"]),
            (&json!(number), &json!(false)),
            "{}",
            pair[1]
        );
    }
    let versions = of("playbook.versions")[0]["versions"].as_array().unwrap();
    assert_eq!(versions.len(), 6);
    let diff = of("playbook.diff")[0];
    assert!(
        diff["added"].as_array().unwrap().len() >= 5
            && diff["removed"].as_array().unwrap().is_empty(),
        "{diff}"
    );
    let restored = of("playbook.restore")[0];
    assert_eq!(
        (&restored["version"], &restored["digest"]),
        (&json!(7), &versions[4]["digest"]),
        "{restored}"
    );
    let best = &of("playbook.strategies")[0]["strategies"][0];
    assert!(
        best["pattern"].as_str().unwrap().contains("cargo build"),
        "{best}"
    );
    let shown = of("playbook.show");
    let strategies = shown[0]["strategies"].as_array().unwrap();
    // Seven runs of the first form, each counted once.
    let most = strategies
        .iter()
        .map(|one| one["evidence"].as_u64().unwrap())
        .max();
    assert_eq!(most, Some(7), "{strategies:?}");
    let digests: Vec<&Value> = of("digest")
        .iter()
        .map(|one| &one["content_digest"])
        .collect();
    assert!(
        digests[0] == digests[2] && digests[0] != digests[1],
        "{digests:?}"
    );
    let merged = of("memory.consolidate");
    assert!(
        merged[0]["merged"] == merged[1]["merged"] && merged[1]["merged"].as_u64().unwrap() >= 12,
        "{}",
        merged[1]
    );
}

/// An answer without the parts that differ from run to run: moments, and values derived from them.
pub(crate) fn settled(value: &Value) -> Value {
    const FRESH: [&str; 14] = [
        "at",
        "digest",
        "created_at",
        "updated_at",
        "curated_at",
        "started_at",
        "ended_at",
        "reflected_at",
        "confidence",
        "delta",
        "since",
        "last_at",
        "trace_hash",
        "decision",
    ];
    match value {
        Value::Object(fields) => {
            let kept = fields
                .iter()
                .filter(|(name, _)| !FRESH.contains(&name.as_str()));
            Value::Object(
                kept.map(|(name, value)| (name.clone(), settled(value)))
                    .collect(),
            )
        }
        Value::Array(list) => list.iter().map(settled).collect(),
        other => other.clone(),
    }
}
