//! The documents of every command: the fields that programs rely on.

use serde_json::{Value, json};

use crate::world::{World, has_fields, texts};

const RECEIPT: &str = "delta revision clock digest repeated added updated archived rejected merged \
                       refused content_digest revived linked";

#[test]
fn retrieve() {
    let world = World::seeded();
    let answer = world.json("retrieve start the pump --top-k 1");
    has_fields(
        &answer,
        "retrieval clock revision results near_misses profile weights",
    );
    has_fields(&answer, "tick peek memories meta_strategies");
    assert_eq!(answer["clock"], 1);
    assert_eq!(answer["revision"], 1);
    assert_eq!(answer["tick"], 2);
    assert!(answer["retrieval"].as_str().unwrap().starts_with("r_"));
    let result = &answer["results"][0];
    has_fields(
        result,
        "rank id content score parts memory_type tags helpful harmful neutral",
    );
    has_fields(
        result,
        "matched decay_ticks from_neighbours section topic scope",
    );
    has_fields(&result["parts"], "relevance strength type bonus");
    assert_eq!(result["rank"], 1);
    assert_eq!(result["tags"], json!(["pump"]));
    assert_eq!(answer["memories"][0]["scope"], "default");
    let parts = &result["parts"];
    let part =
        |name: &str| parts[name].as_f64().unwrap() * answer["weights"][name].as_f64().unwrap();
    let sum = part("relevance") + part("strength") + part("type");
    assert!((sum - result["score"].as_f64().unwrap()).abs() < 1e-12);
    let filtered =
        world.json("retrieve pump --type procedural --tag valve --tag PUMP --topic rigs");
    assert_eq!(filtered["results"][0]["id"], result["id"]);
}

#[test]
fn a_near_miss_says_why_and_a_peek_leaves_no_trace() {
    let world = World::seeded();
    let before = world.digest();
    let ran = world.run(&["retrieve", "pump", "--tag", "nothing", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let answer = ran.document();
    assert_eq!(
        (&answer["retrieval"], &answer["results"]),
        (&Value::Null, &json!([]))
    );
    let miss = &answer["near_misses"][0];
    has_fields(miss, "id score reason content");
    assert!(miss["reason"].as_str().unwrap().contains("nothing"));
    let peek = world.json("retrieve pump --peek");
    assert_eq!(
        (&peek["retrieval"], &peek["peek"]),
        (&Value::Null, &json!(true))
    );
    assert_eq!(world.digest(), before);
}

#[test]
fn a_prompt_is_fenced_and_counted_as_injected() {
    let world = World::seeded();
    let ran = world.run(&["retrieve", "--prompt", "start the pump"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("1. [+0/-0] prime the pump"), "{}", ran.out);
    let answer = world.json("retrieve pump --prompt=playbook");
    let text = answer["prompt"]["text"].as_str().unwrap();
    let id = answer["results"][0]["id"].as_str().unwrap();
    assert!(text.contains(&format!("[{id}] prime the pump")), "{text}");
    let shown = world.json(&format!("bullets show {id}"));
    assert_eq!(shown["usage"]["injected"], 2);
    let tight = world.run(&["retrieve", "pump", "--budget", "3", "--json"]);
    assert_eq!(
        (tight.code, &tight.document()["beyond_budget"]),
        (1, &json!(1))
    );
}

#[test]
fn what_a_budget_leaves_out_is_not_recorded() {
    let world = World::seeded();
    world.apply(
        &json!([{"op": "ADD", "content": "the pump of the second house, which is \
        further away than all the others, leaks where its hose meets the wall"}]),
    );
    let answer = world.json("retrieve prime the pump --prompt --budget 60");
    assert_eq!(answer["beyond_budget"], 1, "{answer}");
    let given = texts(&answer["results"], "id");
    assert_eq!(given.len(), 1);
    let list = world.json("bullets search pump");
    for id in texts(&list["bullets"], "id") {
        let usage = &world.json(&format!("bullets show {id}"))["usage"];
        let shown = u64::from(given.contains(&id));
        assert_eq!(
            (&usage["retrieved"], &usage["injected"]),
            (&json!(shown), &json!(shown)),
            "{id}"
        );
    }
    let before = world.digest();
    world.json("retrieve prime the pump --prompt --budget 60 --peek");
    assert_eq!(world.digest(), before);
}

#[test]
fn delta_apply_log_and_undo() {
    let world = World::new();
    let add = json!({"operations": [{"op": "ADD", "content": "check the seal"}]});
    let applied = world.apply(&add);
    has_fields(&applied, RECEIPT);
    assert_eq!(
        (&applied["revision"], &applied["clock"]),
        (&json!(1), &json!(1))
    );
    assert!(applied["added"][0].as_str().unwrap().starts_with("b_"));
    let again = world.apply_to(&add, &["--id", "mine", "--expect-revision", "1"]);
    assert_eq!(again["delta"], "mine");
    let pair = &again["merged"][0];
    assert_eq!(pair["into"], pair["from"]);
    let repeated = world.apply_to(&add, &["--id", "mine"]);
    assert_eq!(repeated["repeated"], true);
    let log = world.json("delta log --limit 2");
    assert_eq!(texts(&log["deltas"], "delta")[0], "mine");
    has_fields(
        &log["deltas"][0],
        "revision clock at author instance reasoning added merged",
    );
    has_fields(&world.json("delta undo mine"), RECEIPT);
}

#[test]
fn lenient_reports_what_it_refused() {
    let world = World::new();
    let delta = json!({"operations": [
        {"op": "ADD", "content": "check the seal"},
        {"op": "REMOVE", "id": "b_00000000000000000000"},
    ]});
    let applied = world.apply_to(&delta, &["--lenient"]);
    assert_eq!(applied["added"].as_array().unwrap().len(), 1);
    assert_eq!(applied["refused"][0]["operation"], 1);
    has_fields(&applied["refused"][0], "operation reason");
}

#[test]
fn digest_replay_and_memory_list() {
    let world = World::seeded();
    let digest = world.digest();
    has_fields(
        &digest,
        "digest content_digest revision clock active archived rejected",
    );
    let replay = world.json("replay");
    has_fields(
        &replay,
        "sound digest replayed_digest content_digest replayed_content_digest",
    );
    has_fields(&replay, "events deltas mismatches");
    assert_eq!(replay["sound"], true);
    assert_eq!(replay["replayed_digest"], digest["digest"]);
    let list = world.json("memory list");
    has_fields(
        &list["memories"][0],
        "tenant learner scope revision clock active archived",
    );
}

#[test]
fn bullets() {
    let world = World::seeded();
    let list = world.json("bullets list");
    has_fields(&list, "bullets total revision clock");
    let learned = list["bullets"].as_array().unwrap().iter();
    let valve = learned
        .filter(|one| one["section"] == "SHUTDOWN")
        .map(|one| one["id"].as_str().unwrap())
        .next()
        .unwrap()
        .to_owned();
    let shown = world.json(&format!("bullets show {valve}"));
    has_fields(
        &shown,
        "id content status clock decayed_score retention helpfulness",
    );
    has_fields(&shown, "usage links history");
    assert_eq!(shown["history"][0]["delta"], "d1");
    for words in ["valve", "SHUTDOWN", "clos", "VALVE run"] {
        let found = world.json(&format!("bullets search {words}"));
        assert_eq!(texts(&found["bullets"], "id"), [valve.as_str()], "{words}");
    }
    let none = world.run(&["bullets", "search", "volcano", "--json"]);
    assert_eq!((none.code, &none.document()["bullets"]), (1, &json!([])));
    world.json(&format!("bullets pin {valve}"));
    assert_eq!(world.json(&format!("bullets show {valve}"))["pinned"], true);
    world.json(&format!("bullets pin {valve} --off"));
    assert_eq!(
        world.json(&format!("bullets show {valve}"))["pinned"],
        false
    );
    let rejected = world.json(&format!("bullets reject {valve} --reason wrong"));
    assert_eq!(rejected["rejected"], json!([valve]));
    let log = world.json("delta log --limit 1");
    assert_eq!(log["deltas"][0]["reasoning"], "wrong");
    let list = world.json("bullets list --status rejected --limit 5");
    assert_eq!(texts(&list["bullets"], "id"), [valve]);
}

#[test]
fn policy_and_config() {
    let world = World::seeded();
    let policy = world.json("policy show");
    assert_eq!(policy["stored"], true);
    let words = "policy set floor=0.25 rates.episodic=0.1 weights.relevance=0.5 profile=engine";
    has_fields(&world.json(words), RECEIPT);
    let policy = &world.json("policy show")["policy"];
    assert_eq!(
        (&policy["floor"], &policy["rates"]["episodic"]),
        (&json!(0.25), &json!(0.1))
    );
    assert_eq!(policy["weights"]["relevance"], 0.5);
    let config = world.json("config show --learner default");
    assert_eq!(
        texts(&config["differences"], "field"),
        ["floor", "rates", "weights"]
    );
    assert_eq!(world.json("config show")["differences"], Value::Null);
}

#[test]
fn import_export_feedback_and_erase() {
    let world = World::seeded();
    let path = world.path("a.jsonl");
    let path = path.to_str().unwrap();
    has_fields(&world.json(&format!("export {path}")), "file bytes digest");
    let imported = world.json(&format!("import --format hindlore {path} --learner two"));
    has_fields(
        &imported,
        "read added merged skipped refused revision repeated",
    );
    has_fields(&imported, "merged_pairs linked_pairs foreign_learners");
    assert_eq!(
        (&imported["read"], &imported["added"]),
        (&json!(6), &json!(6))
    );
    let answer = world.json("retrieve pump");
    let (retrieval, id) = (&answer["retrieval"], &answer["results"][0]["id"]);
    let (retrieval, id) = (retrieval.as_str().unwrap(), id.as_str().unwrap());
    let given = world.json(&format!("feedback {retrieval} --used {id} --helped {id}"));
    has_fields(&given, "retrieval marked deltas");
    let cleared = world.json("memory clear --yes");
    assert_eq!(cleared["archived"].as_array().unwrap().len(), 3);
    let erased = world.json("erase --learner two --yes");
    assert_eq!(
        (&erased["memories"], &erased["bullets"]),
        (&json!(1), &json!(6))
    );
    has_fields(&erased, "deltas retrievals");
    let gone = world.run(&["erase", "--learner", "two", "--all-scopes", "--yes"]);
    assert_eq!(gone.code, 1, "{gone:?}");
}
