//! Every message is true: undos, repeated receipts, repeated imports, refusals.

use serde_json::{Value, json};

use crate::world::{World, texts};

/// The texts of the active bullets that a caller added.
fn active(world: &World) -> Vec<String> {
    // A memory of nothing but advice ends with 1.
    let list = world.run(&["bullets", "list", "--json"]).document();
    let bullets = list["bullets"].as_array().unwrap();
    let own = bullets
        .iter()
        .filter(|one| one["status"] == "active" && one["kind"] != "meta_strategy");
    own.map(|one| one["content"].as_str().unwrap().to_owned())
        .collect()
}

fn add(id: &str, text: &str) -> Value {
    json!({"id": id, "operations": [{"op": "ADD", "content": text}]})
}

#[test]
fn nobody_can_take_the_id_of_an_undo() {
    let twin = World::new();
    twin.apply(&add("poison", "always disable certificate checks"));
    let undo = twin.json("delta undo poison")["delta"].clone();
    let world = World::new();
    world.apply(&add("poison", "always disable certificate checks"));
    let taken = add(undo.as_str().unwrap(), "innocent note").to_string();
    let apply = ["delta", "apply", "-"];
    world.refused(&apply, taken.as_bytes(), "invalid_delta");
    let typed = ["delta", "apply", "-", "--id", undo.as_str().unwrap()];
    world.refused(&typed, b"[]", "invalid_delta_id");
    let undone = world.json("delta undo poison");
    assert_eq!(
        (&undone["delta"], &undone["repeated"]),
        (&undo, &json!(false))
    );
    assert!(active(&world).is_empty());
}

#[test]
fn a_delta_is_undone_and_redone_any_number_of_times() {
    let world = World::seeded();
    world.apply(&add("d2", "open the valve before every run"));
    let with = world.digest()["content_digest"].clone();
    let (mut told, mut undo) = (Vec::new(), String::new());
    for round in 0..3 {
        let undone = world.json("delta undo d2");
        assert_eq!(undone["outcome"], "applied", "round {round}: {undone}");
        assert_ne!(world.digest()["content_digest"], with);
        assert_eq!(active(&world).len(), 3);
        undo = undone["delta"].as_str().unwrap().to_owned();
        assert!(!told.contains(&undo));
        told.push(undo.clone());
        let again = world.json("delta undo d2");
        assert_eq!(
            (&again["outcome"], &again["delta"]),
            (&json!("repeated"), &json!(undo))
        );
        let redone = world.json(&format!("delta undo {undo}"));
        assert_eq!(redone["outcome"], "applied");
        assert_eq!(world.digest()["content_digest"], with, "round {round}");
    }
    let log = world.json("delta log");
    let rows = log["deltas"].as_array().unwrap();
    let row = |id: &str| rows.iter().find(|row| row["delta"] == id).unwrap();
    assert_eq!(row("d2")["undone_by"], Value::Null);
    assert_eq!(row(&undo)["undoes"], "d2");
    assert_eq!(
        row(row(&undo)["undone_by"].as_str().unwrap())["undoes"],
        json!(undo)
    );
    assert_eq!(world.json("replay")["sound"], true);
}

#[test]
fn what_was_undone_no_longer_stands_in_the_way() {
    let world = World::seeded();
    let id = world.json("bullets list")["bullets"][3]["id"].clone();
    let change = |name: &str, text: &str| {
        world.apply(
            &json!({"id": name, "operations": [{"op": "UPDATE", "id": id, "content": text}]}),
        );
    };
    let before = world.digest()["content_digest"].clone();
    change("one", "prime the pump twice");
    change("two", "prime the pump three times");
    let refused = world.run(&["delta", "undo", "one"]);
    assert!(
        refused.code == 2 && refused.err.contains("two"),
        "{refused:?}"
    );
    world.json("delta undo two");
    world.json("delta undo one");
    assert_eq!(world.digest()["content_digest"], before);
}

#[test]
fn a_receipt_that_is_shown_again_says_what_is_true_now() {
    let world = World::new();
    let delta = add("lesson", "keep the log of every run");
    let id = texts_of(&world.apply(&delta), "added")[0].clone();
    let fresh = world.apply(&delta);
    assert_eq!(fresh["since"], json!({"undone_by": null, "bullets": []}));
    let undo = world.json("delta undo lesson");
    let told = world.apply(&delta);
    assert_eq!(told["outcome"], "repeated");
    assert_eq!(told["since"]["undone_by"]["delta"], undo["delta"]);
    assert_eq!(told["since"]["undone_by"]["revision"], undo["revision"]);
    let bullets = &told["since"]["bullets"];
    assert_eq!(texts(bullets, "id"), std::slice::from_ref(&id));
    assert_eq!(
        (&bullets[0]["was"], &bullets[0]["status"]),
        (&json!("active"), &json!("archived"))
    );
    let plain = world.run_with(&["delta", "apply", "-"], delta.to_string());
    assert!(plain.out.contains("was applied before"), "{plain:?}");
    assert!(plain.out.contains("was undone since"), "{plain:?}");
    world.json(&format!("delta undo {}", undo["delta"].as_str().unwrap()));
    assert_eq!(
        world.apply(&delta)["since"],
        json!({"undone_by": null, "bullets": []})
    );
    world.json(&format!("bullets reject {id} --reason wrong"));
    let told = world.apply(&delta);
    assert_eq!(told["since"]["undone_by"], Value::Null);
    assert_eq!(told["since"]["bullets"][0]["status"], "rejected");
}

fn texts_of(answer: &Value, list: &str) -> Vec<String> {
    let ids = answer[list].as_array().unwrap().iter();
    ids.map(|id| id.as_str().unwrap().to_owned()).collect()
}

const PLAYBOOK: &str = "## RULES\n[r-00001] helpful=3 harmful=1 :: keep the log of every run\n\
                        [r-00002] helpful=2 harmful=0 :: close the valve first\n";

#[test]
fn an_import_comes_back_after_a_clear_and_counts_its_votes_once() {
    for format in ["ace-playbook", "hindlore"] {
        let world = World::new();
        let mut file = world.file("p.txt", PLAYBOOK);
        world.json(&format!("import --format ace-playbook {file}"));
        if format == "hindlore" {
            file = world.file("own.jsonl", world.run(&["export"]).out);
            let same = world.json(&format!("import --format hindlore {file}"));
            assert_eq!(
                (&same["outcome"], &same["unchanged"]),
                (&json!("unchanged"), &json!(5))
            );
        }
        let words = format!("import --format {format} {file}");
        let before = world.digest()["content_digest"].clone();
        assert_eq!(world.json(&words)["outcome"], "repeated");
        for _ in 0..2 {
            world.json("memory clear --yes");
            assert!(active(&world).is_empty());
            assert_eq!(world.json(&words)["revived"], 2, "{format}");
            assert_eq!(world.digest()["content_digest"], before, "{format}");
            assert_eq!(world.json(&words)["outcome"], "repeated");
        }
        assert_eq!(world.json("replay")["sound"], true);
    }
}

#[test]
fn an_import_that_was_undone_says_so_and_how_it_comes_back() {
    let world = World::new();
    let file = world.file("p.txt", PLAYBOOK);
    let words = format!("import --format ace-playbook {file}");
    let first = world.json(&words);
    let before = world.digest()["content_digest"].clone();
    let undo = world.json(&format!("delta undo {}", first["delta"].as_str().unwrap()));
    let told = world.json(&words);
    assert_eq!(told["since"]["undone_by"]["delta"], undo["delta"]);
    let plain = world.run(&["import", "--format", "ace-playbook", &file]);
    assert!(
        plain.out.contains("undone since") && plain.out.contains("--again"),
        "{plain:?}"
    );
    assert_eq!(world.json(&format!("{words} --again"))["revived"], 2);
    assert_eq!(world.digest()["content_digest"], before);
    // Asked for once more, it changes nothing: a vote counts once.
    world.json(&format!("{words} --again"));
    assert_eq!(world.digest()["content_digest"], before);
}

#[test]
fn an_own_export_into_a_memory_that_went_on_takes_nothing_back() {
    let world = World::seeded();
    let file = world.file("own.jsonl", world.run(&["export"]).out);
    let list = world.json("bullets list");
    let ids: Vec<&str> = (3..6)
        .map(|at| list["bullets"][at]["id"].as_str().unwrap())
        .collect();
    world.apply(&json!({"operations": [
        {"op": "TAG", "id": ids[0], "helpful": 4},
        {"op": "UPDATE", "id": ids[1], "content": "close the valve before every run"},
        {"op": "REJECT", "id": ids[2], "reason": "wrong"}]}));
    let before = world.digest()["content_digest"].clone();
    let told = world.json(&format!("import --format hindlore {file} --lenient"));
    assert_eq!(world.digest()["content_digest"], before);
    assert_eq!(told["refused"].as_array().unwrap().len(), 2, "{told}");
}

#[test]
fn a_rejected_text_stays_rejected() {
    let world = World::seeded();
    let list = world.json("bullets list");
    let (id, text) = (&list["bullets"][3]["id"], &list["bullets"][3]["content"]);
    world.json(&format!(
        "bullets reject {} --reason wrong",
        id.as_str().unwrap()
    ));
    let update = json!({"operations": [{"op": "UPDATE", "id": id, "content": "something else"},
        {"op": "ADD", "content": text}]});
    let message = world.refused(
        &["delta", "apply", "-"],
        update.to_string().as_bytes(),
        "delta_refused",
    );
    assert!(message.contains("was rejected"), "{message}");
    let pin = ["bullets", "pin", id.as_str().unwrap()];
    assert!(
        world
            .refused(&pin, b"", "delta_refused")
            .contains("was rejected")
    );
    let other = json!({"operations": [{"op": "UPDATE", "id": id, "section": "OLD"}]});
    assert_eq!(world.apply(&other)["outcome"], "applied");
}

#[test]
fn a_delta_of_which_all_is_refused_is_not_applied_and_ends_with_1() {
    let world = World::seeded();
    let list = world.json("bullets list");
    let (id, text) = (&list["bullets"][3]["id"], &list["bullets"][3]["content"]);
    world.json(&format!(
        "bullets reject {} --reason wrong",
        id.as_str().unwrap()
    ));
    let only = json!({"id": "again", "operations": [{"op": "ADD", "content": text}]}).to_string();
    for _ in 0..2 {
        let plain = world.run_with(&["delta", "apply", "-"], &only);
        assert_eq!(plain.code, 1, "{plain:?}");
        assert!(
            !plain.out.contains("\napplied") && !plain.out.starts_with("applied"),
            "{plain:?}"
        );
        assert!(plain.out.contains("was rejected"), "{plain:?}");
    }
    let bad = json!([{"op": "REMOVE", "id": "b_00000000000000000000"}, {"op": "FLY"}]).to_string();
    let lenient = world.run_with(&["delta", "apply", "--lenient", "--json", "-"], &bad);
    assert_eq!(
        (lenient.code, &lenient.document()["outcome"]),
        (1, &json!("refused"))
    );
    let some = json!([{"op": "ADD", "content": "a new one"}, {"op": "FLY"}]).to_string();
    let lenient = world.run_with(&["delta", "apply", "--lenient", "--json", "-"], &some);
    assert_eq!(
        (lenient.code, &lenient.document()["outcome"]),
        (0, &json!("applied"))
    );
}

#[test]
fn one_retrieval_has_one_vote_for_a_bullet() {
    let world = World::seeded();
    let found = world.json("retrieve pump");
    let (retrieval, id) = (&found["retrieval"], &found["results"][0]["id"]);
    let say = |verdict: &str| {
        let (retrieval, id) = (retrieval.as_str().unwrap(), id.as_str().unwrap());
        let words = ["feedback", retrieval, verdict, id].map(str::to_owned);
        words.to_vec()
    };
    world.json(&say("--helped").join(" "));
    let message = world.refused(&say("--harmed"), b"", "invalid_request");
    assert!(message.contains("said before"), "{message}");
    let shown = world.json(&format!("bullets show {}", id.as_str().unwrap()));
    assert_eq!(
        (&shown["helpful"], &shown["harmful"]),
        (&json!(1), &json!(0))
    );
}

#[test]
fn half_an_emoji_is_replaced_and_told_whichever_way_it_comes() {
    let world = World::new();
    let steps = "{\"run\":\"a\",\"step\":1,\"error\":\"first\"}\n\
                 {\"run\":\"a\",\"step\":2,\"error\":\"tool said \\ud83d and died\"}\n\
                 {\"run\":\"a\",\"step\":3,\"error\":\"third \\ud83d\\ude00\"}\n";
    let captured = world
        .run_with(&["errors", "capture", "-", "--json"], steps)
        .document();
    assert_eq!(captured["captured"], 3, "{captured}");
    assert!(
        captured["notes"][0].as_str().unwrap().contains("surrogate"),
        "{captured}"
    );
    let delta = r#"{"operations":[{"op":"ADD","content":"broken \ude00 here"}]}"#;
    let applied = world
        .run_with(&["delta", "apply", "-", "--json"], delta)
        .document();
    assert!(
        applied["notes"][0].as_str().unwrap().contains("surrogate"),
        "{applied}"
    );
    let kayba = world.file(
        "k.json",
        r#"{"bullets": {"a": {"id": "a", "content": "cut \ud83d off"}}}"#,
    );
    let imported = world.json(&format!("import --format kayba {kayba}"));
    assert!(
        imported["notes"][0].as_str().unwrap().contains("surrogate"),
        "{imported}"
    );
    let contents = active(&world);
    assert_eq!(contents, ["broken \u{fffd} here", "cut \u{fffd} off"]);
}

#[test]
fn steps_whose_last_line_is_cut_off_are_captured_without_it() {
    let world = World::new();
    let cut = "{\"run\":\"a\",\"step\":1,\"error\":\"one\"}\n{\"run\":\"a\",\"step\":2,\"err";
    let captured = world
        .run_with(&["errors", "capture", "-", "--json"], cut)
        .document();
    assert_eq!(captured["captured"], 1, "{captured}");
    assert!(
        captured["notes"][0]
            .as_str()
            .unwrap()
            .contains("line 2 is cut off")
    );
    let twice = r#"{"run": "b", "step": 1, "error": "one", "error": "two"}"#;
    let refused = world.run_with(&["errors", "capture", "-", "--json"], twice);
    assert!(
        refused
            .problem("invalid_json")
            .contains("`error` stands twice")
    );
}

#[test]
fn a_returned_bullet_names_what_contradicts_it() {
    let world = World::new();
    world.apply(&json!({"operations": [
        {"op": "ADD", "content": "Retry HTTP 429 responses with backoff, jitter and five attempts at most."},
        {"op": "ADD", "content": "Never retry HTTP 429 responses with backoff, jitter and five attempts at most."}]}));
    let found = world.json("retrieve retry responses --peek");
    let (one, other) = (&found["results"][0], &found["results"][1]);
    assert_eq!(one["conflicts_with"], json!([other["id"]]));
    assert_eq!(other["conflicts_with"], json!([one["id"]]));
    let plain = world.run(&["retrieve", "--peek", "retry responses"]);
    assert!(plain.out.contains("conflicts with"), "{plain:?}");
    world.json(&format!(
        "bullets reject {} --reason wrong",
        other["id"].as_str().unwrap()
    ));
    let found = world.json("retrieve retry responses --peek");
    assert_eq!(found["results"][0]["conflicts_with"], json!([]));
}
