//! Lists in pages: the pages hold the same rows as one long page, despite concurrent writes.

use serde_json::{Value, json};

use super::served::Served;
use crate::world::World;

/// A store with several deltas, errors, runs and lessons.
fn full() -> Served {
    let world = World::seeded();
    for number in 0..6 {
        let text = format!("fact number {number} of its own kind");
        world.apply(&json!({"operations": [{"op": "ADD", "content": text}]}));
        let run = format!("run-{number}");
        let error = format!("error: unknown option `--widht{number}`");
        let failed =
            json!({"run": run, "action": format!("plot --widht{number} 3"), "error": error});
        let worked = json!({"run": run, "action": format!("plot --width{number} 3")});
        let ran = world.run_with(&["learn", "-", "--json"], format!("{failed}\n{worked}\n"));
        assert_eq!(ran.code, 0, "{ran:?}");
        world.run(&["runs", "end", &run]);
    }
    for hall in 0..3 {
        for verb in ["Enable", "Disable"] {
            let text =
                format!("{verb} the cache of the machine in hall {hall} before the long run.");
            world.apply(&json!({"operations": [{"op": "ADD", "content": text}]}));
        }
    }
    let served = Served::over(world, &[]);
    for name in ["one", "two", "three"] {
        let text = format!("Say {name} before each lift.");
        let proposal = json!({"text": text, "session": "s1"});
        let grant = json!({"subject": format!("agent:{name}"), "relation": "viewer"});
        for (verb, request) in [
            ("bullets/propose", proposal),
            ("key/create", json!({"name": name})),
            ("playbook/create", json!({"playbook": name})),
            ("share/grant", grant),
        ] {
            let made = served.post(&format!("/v1/{verb}"), &request);
            assert_eq!(made.status, 200, "{verb}: {}", made.body);
        }
        let scope = [("Hindlore-Scope", name)];
        let body = json!({"text": text}).to_string();
        served.send(&served.request("POST", "/v1/bullets/add", &scope, Some(&body)));
        reflected(&served, name);
    }
    served
}

/// Reflects on a trajectory with a failure.
fn reflected(served: &Served, name: &str) {
    let trajectory = json!({"trajectory": name});
    served.post(
        "/v1/trajectory/start",
        &json!({"description": name, "id": name}),
    );
    for (action, error) in [
        ("plot --widht 3", Some("error: unknown option `--widht`")),
        ("plot --width 3", None),
    ] {
        let step =
            json!({"trajectory": name, "description": action, "action": action, "error": error});
        served.post("/v1/trajectory/log", &step);
    }
    let done = json!({"trajectory": name, "status": "success"});
    served.post("/v1/trajectory/complete", &done);
    let reflected = served.post("/v1/reflection/reflect", &trajectory);
    assert_eq!(reflected.status, 200, "{}", reflected.body);
}

/// Reads a list page by page.
fn pages(served: &Served, path: &str, rows: &str, meanwhile: impl Fn(usize)) -> Vec<Value> {
    let (mut all, mut after) = (Vec::new(), String::new());
    for page in 0..50 {
        let query = format!("{path}?limit=2{after}");
        let answered = served.get(&query);
        assert_eq!(answered.status, 200, "{query}: {}", answered.body);
        let found = answered.body[rows].as_array().unwrap();
        assert!(found.len() <= 2, "{query}");
        all.extend(found.iter().cloned());
        match &answered.body["next"] {
            Value::Null => return all,
            next => after = format!("&after={}", next.as_str().unwrap()),
        }
        meanwhile(page);
    }
    panic!("{path} has no end");
}

#[test]
fn pages_hold_what_one_long_page_holds() {
    let served = full();
    for (path, rows, least) in [
        ("/v1/delta/log", "deltas", 7),
        ("/v1/errors/list", "errors", 6),
        ("/v1/runs/list", "runs", 6),
        ("/v1/lessons/list", "lessons", 2),
        ("/v1/lessons/conflicts", "conflicts", 0),
        ("/v1/bullets/list", "bullets", 6),
        ("/v1/conflicts/list", "bullets", 3),
        ("/v1/trajectory/queue", "trajectories", 0),
        ("/v1/bullets/proposed", "proposals", 3),
        ("/v1/key/list", "keys", 3),
        ("/v1/memory/list", "memories", 3),
        ("/v1/playbook/list", "playbooks", 3),
        ("/v1/reflection/list", "reflections", 3),
        ("/v1/share/objects", "objects", 1),
        ("/v1/share/subjects", "subjects", 4),
    ] {
        let whole = served.get(&format!("{path}?limit=1000")).body[rows].clone();
        let whole = whole.as_array().unwrap().clone();
        assert!(whole.len() >= least, "{path}: {}", whole.len());
        assert_eq!(pages(&served, path, rows, |_| ()), whole, "{path}");
    }
}

#[test]
fn a_search_goes_on_where_its_page_ended() {
    let served = full();
    let path = "/v1/bullets/search?words=machine";
    let whole = served.get(path).body["bullets"].clone();
    let whole = whole.as_array().unwrap().clone();
    assert_eq!(whole.len(), 6);
    let first = served.get(&format!("{path}&limit=4")).body;
    let next = first["next"].as_str().unwrap();
    let rest = served.get(&format!("{path}&limit=4&after={next}")).body;
    assert!(rest["next"].is_null());
    let pages = [&first, &rest].map(|page| page["bullets"].as_array().unwrap().clone());
    assert_eq!(pages.concat(), whole);
    let lost = served.get(&format!("{path}&after=7a")).body;
    assert_eq!(lost["code"], "invalid_cursor");
}

#[test]
fn what_comes_meanwhile_shifts_nothing() {
    let served = full();
    let whole = served.get("/v1/delta/log?limit=1000").body["deltas"].clone();
    let listed = pages(&served, "/v1/delta/log", "deltas", |page| {
        let text = format!("meanwhile number {page} of another kind");
        served
            .world
            .apply(&json!({"operations": [{"op": "ADD", "content": text}]}));
    });
    assert_eq!(Value::from(listed), whole);
}

#[test]
fn a_cursor_of_no_list_is_refused() {
    let served = full();
    for path in [
        "/v1/delta/log",
        "/v1/errors/list",
        "/v1/runs/list",
        "/v1/lessons/list",
    ] {
        for wrong in ["x", "00", "7a0a7a"] {
            let refused = served.get(&format!("{path}?after={wrong}"));
            assert_eq!(
                (refused.status, &refused.body["code"]),
                (400, &json!("invalid_cursor")),
                "{path} {wrong}"
            );
        }
    }
}
