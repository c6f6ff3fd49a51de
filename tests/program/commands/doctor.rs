//! Manual edits do not go unnoticed, and can be made history.

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::world::{Ran, World};

fn by_hand(world: &World, statement: &str) {
    let connection = Connection::open(world.store()).unwrap();
    assert_eq!(connection.execute(statement, []).unwrap(), 1);
}

fn code_of(ran: &Ran) -> Value {
    let error: Value = serde_json::from_str(&ran.err).unwrap();
    error["error"]["code"].clone()
}

#[test]
fn a_sound_store_is_said_to_be_sound() {
    let world = World::seeded();
    let check = world.json("doctor");
    assert_eq!(
        (&check["sound"], &check["errors"]),
        (&json!(true), &json!(0))
    );
    assert_eq!(check["checks"], world.json("doctor check")["checks"]);
    let verified = world.json("doctor verify");
    assert_eq!(verified["memories"][0]["sound"], true);
    assert_eq!(
        verified["memories"][0]["stored_digest"],
        world.digest()["digest"]
    );
    let nothing = world.run(&["doctor", "adopt", "--yes"]);
    assert_eq!(nothing.code, 1);
    assert!(nothing.out.contains("nothing to adopt"));
}

#[test]
fn what_grows_is_told_with_what_bounds_it() {
    let world = World::seeded();
    let of = |told: &Value, kind: &str| -> Value {
        let costs = told["costs"].as_array().unwrap();
        let found = costs.iter().find(|cost| cost["kind"] == kind);
        found.cloned().unwrap_or_default()
    };
    let told = world.json("doctor costs");
    let deltas = of(&told, "deltas");
    assert_eq!(deltas["grows"], false);
    let bound = deltas["bound"].as_str().unwrap();
    assert!(bound.contains("of the last 30 days"), "{bound}");
    assert!(deltas["characters"].as_u64() > deltas["count"].as_u64());
    assert_eq!(of(&told, "errors"), Value::Null, "there are none");
    world.json("policy set delta_days=0");
    let told = world.json("doctor costs");
    let bound = of(&told, "deltas")["bound"].clone();
    assert!(
        bound.as_str().unwrap().contains("policy set delta_days=30"),
        "{bound}"
    );
}

/// A repair writes, so its store is not opened to be read only.
#[test]
fn a_link_that_a_hand_has_drawn_is_taken_away() {
    let world = World::seeded();
    by_hand(
        &world,
        "INSERT INTO links (memory, from_bullet, kind, to_bullet, changed_tick, removed) \
         SELECT memory, min(id), 'FOLLOWS', max(id), 1, 0 FROM bullets GROUP BY memory",
    );
    assert_eq!(world.run(&["doctor", "verify"]).code, 2);
    let told = world.json("doctor repair");
    assert_eq!(told["repaired"], false);
    assert_eq!(world.run(&["doctor", "verify"]).code, 2);
    let done = world.json("doctor repair --yes");
    assert_eq!(
        (&done["repaired"], &done["faults"]),
        (&json!(true), &told["faults"])
    );
    assert_eq!(world.run(&["doctor", "verify"]).code, 0);
}

#[test]
fn a_change_by_hand_is_named_and_can_be_adopted() {
    let world = World::seeded();
    let found = world.json("analyze search valve");
    let id = found["bullets"][0]["id"].as_str().unwrap().to_owned();
    by_hand(
        &world,
        "UPDATE bullets SET helpful = 7, content = 'leave the valve open' \
         WHERE content LIKE 'close the valve%'",
    );

    let ran = world.run(&["doctor", "verify", "--json"]);
    assert_eq!((ran.code, code_of(&ran)), (2, json!("not_sound")));
    let memory = &ran.document()["memories"][0];
    assert_eq!(memory["differences"].as_array().unwrap().len(), 1);
    let difference = &memory["differences"][0];
    assert_eq!(
        (&difference["id"], &difference["what"]),
        (&json!(id), &json!("changed"))
    );
    let fields = difference["fields"].as_array().unwrap();
    let field = |name: &str| fields.iter().find(|field| field["field"] == name).unwrap();
    assert_eq!(
        field("content")["expected"],
        "close the valve after every run"
    );
    assert_eq!(field("content")["stored"], "leave the valve open");
    assert_eq!(field("counts")["stored"]["helpful"], 7);

    let ran = world.run(&["doctor", "verify"]);
    assert!(
        ran.out.contains(&id) && ran.out.contains("leave the valve open"),
        "{}",
        ran.out
    );
    let ran = world.run(&["doctor", "--json"]);
    // The differences, and that the text no longer has its hash.
    assert_eq!((ran.code, ran.document()["errors"].as_u64()), (2, Some(2)));

    world
        .run(&["doctor", "adopt", "--json"])
        .problem("needs_consent");
    let adopted = world.json("doctor adopt --yes");
    assert_eq!(adopted["adopted"][0]["id"], json!(id));
    assert_eq!(adopted["receipt"]["revision"], 2);
    assert_eq!(world.json("doctor verify")["sound"], true);
    assert_eq!(world.json("doctor")["sound"], true);
    let found = world.json("analyze search valve");
    assert_eq!(found["bullets"][0]["content"], "leave the valve open");
    assert_eq!(found["bullets"][0]["helpful"], 7);
}

#[test]
fn a_deleted_bullet_is_missed() {
    let world = World::seeded();
    by_hand(
        &world,
        "DELETE FROM bullets WHERE content LIKE 'fractions%'",
    );
    let ran = world.run(&["doctor", "verify", "--json"]);
    assert_eq!(ran.code, 2);
    let difference = &ran.document()["memories"][0]["differences"][0];
    assert_eq!(difference["what"], "missing");
    assert!(
        difference["fields"][0]["expected"]
            .as_str()
            .unwrap()
            .starts_with("fractions")
    );
}

#[test]
fn a_value_that_cannot_be_is_named_with_its_bullet() {
    for (change, column) in [
        ("helpful = -1", "helpful"),
        ("strength = 'much'", "strength"),
    ] {
        let world = World::seeded();
        let delta = json!({"operations": [{"op": "ADD", "content": "another thing"}]});
        world.apply_to(&delta, &["--learner", "zoe"]);
        let found = world.json("analyze search valve");
        let id = found["bullets"][0]["id"].as_str().unwrap().to_owned();
        by_hand(
            &world,
            &format!("UPDATE bullets SET {change} WHERE content LIKE 'close the valve%'"),
        );
        let ran = world.run(&["doctor", "--json"]);
        assert_eq!(
            (ran.code, code_of(&ran)),
            (2, json!("not_sound")),
            "{ran:?}"
        );
        let checks = ran.document()["checks"].to_string();
        assert!(
            checks.contains(&id) && checks.contains(&format!("`{column}`")),
            "{checks}"
        );
        assert!(checks.contains("zoe"), "the other memories wait: {checks}");
        let ran = world.run(&["doctor", "verify"]);
        assert!(ran.err.contains(&id), "{ran:?}");
    }
}

#[test]
fn an_edited_lesson_is_named_also_where_there_is_no_memory() {
    let world = World::new();
    let steps = json!([
        {"run": "r", "action": "tool load --fmt csv", "error": "unknown option --fmt, did you mean --format?"},
        {"run": "r", "action": "tool load --format csv"}
    ]);
    std::fs::write(world.path("steps.json"), steps.to_string()).unwrap();
    let learned = world.json("learn steps.json");
    let id = learned["runs"][0]["learned"][0]["lesson"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        world.run(&["doctor", "verify"]).code,
        1,
        "there is no memory"
    );
    for edit in [
        "UPDATE lessons SET status = 'archived'",
        "UPDATE lessons SET status = 'candidate', rule = 'WRONG rm <1> → CORRECT rm -rf <1>'",
    ] {
        by_hand(&world, edit);
        let ran = world.run(&["doctor", "verify"]);
        assert!(ran.code == 2 && ran.out.contains(&id), "{edit}: {ran:?}");
        let ran = world.run(&["doctor", "verify", "--learner", "zoe"]);
        assert!(!ran.out.contains(&id), "{ran:?}");
    }
}

#[test]
fn all_memories_of_the_tenant_are_verified() {
    let world = World::seeded();
    let delta = json!({"operations": [{"op": "ADD", "content": "another thing"}]});
    world.apply_to(&delta, &["--learner", "ann"]);
    world.apply_to(&delta, &["--learner", "ann", "--scope", "math"]);
    let memories = |words: &str| world.json(words)["memories"].as_array().unwrap().len();
    assert_eq!(memories("doctor verify"), 1);
    assert_eq!(memories("doctor verify --all"), 3);
    assert_eq!(memories("doctor verify --all --learner ann"), 2);
    let ran = world.run(&["doctor", "verify", "--all", "--tenant", "other"]);
    assert_eq!(ran.code, 1);
}

#[test]
fn a_doctor_makes_no_patients() {
    let world = World::new();
    for what in [&["doctor", "--json"][..], &["doctor", "verify", "--json"]] {
        world.run(what).problem("no_store");
    }
    assert!(!world.path("memory.db").exists());
}

/// The checks whose subject ends with a text.
fn checks_of(checks: &Value, end: &str) -> Vec<Value> {
    let all = checks.as_array().unwrap().iter();
    let ours = all.filter(|one| one["subject"].as_str().unwrap().ends_with(end));
    ours.cloned().collect()
}

/// One policy that cannot be read is named with its memory, and blocks no other memory.
#[test]
fn a_policy_that_cannot_be_read_takes_nothing_down() {
    let world = World::seeded();
    for scope in ["second", "third"] {
        let note = json!({"operations": [{"op": "ADD", "content": "another note"}]});
        world.apply_to(&note, &["--scope", scope]);
    }
    for wrong in ["none", "{\"mode\": 7}"] {
        by_hand(
            &world,
            &format!("UPDATE memories SET policy = '{wrong}' WHERE scope = 'second'"),
        );
        let listed = world.json("memory list");
        let rows = listed["memories"].as_array().unwrap();
        assert_eq!(rows.len(), 3, "{listed}");
        for row in rows {
            let is_broken = row["scope"] == "second";
            let what = row["unreadable"].as_str().unwrap_or_default();
            assert_eq!(what.contains("`policy`"), is_broken, "{row}");
            assert!(row["active"].as_u64() > Some(0), "{row}");
        }
        let shown = world.run(&["memory", "list"]);
        assert!(
            shown.code == 0 && shown.out.contains("second: its `policy`"),
            "{shown:?}"
        );

        let ran = world.run(&["doctor", "--json"]);
        let checks = ran.document()["checks"].clone();
        let named = |subject: &str| checks_of(&checks, subject);
        assert!(named("/second").iter().all(|one| one["state"] == "error"));
        let said = named("/second")[0]["message"].as_str().unwrap().to_owned();
        assert!(
            said.contains("`policy`") && said.contains("erase"),
            "{said}"
        );
        assert_eq!(named("/third")[0]["state"], "ok", "{checks}");
        let verified = world.run(&["doctor", "verify", "--all", "--json"]);
        assert_eq!(verified.code, 2, "{verified:?}");
        let verified = verified.document();
        let sound = verified["memories"].as_array().unwrap().iter();
        assert_eq!(
            sound.filter(|one| one["sound"] == true).count(),
            2,
            "{verified}"
        );

        let other = world.path(&format!("{}.db", wrong.len()));
        let other = other.to_str().unwrap();
        let store = world.store();
        let moved = world.run(&["migrate", "--from", &store, "--to", other, "--json"]);
        assert_eq!((moved.code, code_of(&moved)), (2, json!("store_damaged")));
        assert!(
            moved.err.contains("/second") && moved.err.contains("`policy`"),
            "{moved:?}"
        );
        let arrived = world
            .run(&["memory", "list", "--store", other, "--json"])
            .document();
        assert_eq!(
            arrived["memories"].as_array().unwrap().len(),
            2,
            "{arrived}"
        );
    }
    let opened = world.run(&["bullets", "list", "--scope", "second"]);
    assert!(
        opened.code == 2 && opened.err.contains("second`, whose `policy`"),
        "{opened:?}"
    );
}

/// A record that is gone: every way to it names the one command that helps, and it does.
#[test]
fn a_history_that_cannot_be_replayed_is_begun_anew() {
    let world = World::seeded();
    for _ in 0..3 {
        world.json("retrieve pump");
    }
    by_hand(&world, "DELETE FROM retrievals WHERE tick = 2");
    let ran = world.run(&["doctor", "verify", "--json"]);
    let remedy = ran.document()["memories"][0]["remedy"].clone();
    let remedy = remedy.as_str().unwrap();
    assert!(
        remedy.contains("doctor adopt --learner 'default' --scope 'default' --rebase"),
        "{remedy}"
    );
    for said in [
        world.run(&["doctor", "verify"]).out,
        world.run(&["doctor"]).out,
        world.run(&["doctor", "adopt", "--yes"]).err,
    ] {
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("--rebase --reason WHY --yes"), "{said}");
    }
    let lacking = world.run(&["doctor", "adopt", "--rebase", "--yes"]);
    assert_eq!(lacking.code, 2, "{lacking:?}");
    let rebased = world.run(&[
        "doctor",
        "adopt",
        "--rebase",
        "--reason",
        "the rest is right",
        "--yes",
        "--json",
    ]);
    assert_eq!(rebased.code, 0, "{rebased:?}");
    let document = rebased.document();
    assert_eq!(document["rebased"], true);
    let found = &document["unreplayable"];
    assert!(found.as_str().unwrap().contains("tick 3"), "{found}");
    let logged = world.json("delta log");
    assert!(
        logged.to_string().contains("rebase: the rest is right"),
        "{logged}"
    );
    assert_eq!(world.json("doctor")["errors"], 0);
}

#[test]
fn a_call_tells_that_a_memory_is_not_sound_as_its_command_does() {
    let world = World::seeded();
    by_hand(
        &world,
        "UPDATE bullets SET helpful = 7 WHERE content LIKE 'close the valve%'",
    );
    let command = world.run(&["replay", "--json"]);
    let call = world.run(&["call", "replay", "--json"]);
    assert_eq!(
        (command.code, code_of(&command)),
        (2, json!("replay_differs"))
    );
    assert_eq!(call.document()["sound"], false);
    assert_eq!(
        (call.code, call.document(), &call.err),
        (2, command.document(), &command.err)
    );
}
