//! One trace through four memories: the differences that must show.

use serde_json::{Value, json};

use crate::world::World;

fn row<'d>(document: &'d Value, name: &str) -> &'d Value {
    let rows = document["rows"].as_array().unwrap();
    rows.iter().find(|row| row["memory"] == name).unwrap()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

#[test]
fn the_built_in_trace_tells_the_four_apart() {
    let world = World::new();
    let document = world.json("compare");
    assert_eq!(document["rows"].as_array().unwrap().len(), 4);
    let [transcript, baseline, classic, engine] =
        ["transcript", "baseline", "classic", "engine"].map(|name| row(&document, name));
    assert_eq!(transcript["size"], 20);
    assert!(number(&transcript["near_duplicates"]) > 0);
    // The original programs merge opposites; this engine keeps them with the reason.
    assert!(number(&engine["size"]) > number(&classic["size"]));
    assert_eq!(engine["near_duplicates"], engine["kept_apart"]);
    assert!(number(&engine["kept_apart"]) > 0);
    assert_eq!(
        (&classic["near_duplicates"], &classic["kept_apart"]),
        (&json!(0), &json!(0))
    );

    let queries = number(&document["trace"]["retrievals"]);
    for row in [transcript, baseline, classic, engine] {
        let answers = row["answers"].as_array().unwrap();
        assert_eq!(answers.len() as u64, queries);
        assert!(row["prompt_chars"].as_f64().unwrap() > row["prompt_tokens"].as_f64().unwrap());
        assert!(row["retrieve_ms"].as_f64().is_some());
        let last = &answers[answers.len() - 5]["results"][0];
        assert!(last["content"].as_str().is_some() && last["rank"] == 1);
    }
    assert!(
        transcript["prompt_chars"].as_f64().unwrap() > engine["prompt_chars"].as_f64().unwrap()
    );
    assert_ne!(baseline["answers"][15], classic["answers"][15]);
    assert!(!world.path("memory.db").exists());
}

#[test]
fn limits_hold_in_each_memory() {
    let document = World::new().json("compare --max-bullets 10 --last 3");
    assert_eq!(row(&document, "transcript")["size"], 3);
    for name in ["baseline", "classic", "engine"] {
        assert_eq!(row(&document, name)["size"], 10, "{name}");
        assert!(number(&row(&document, name)["put_away"]) > 0, "{name}");
    }
}

#[test]
fn the_baseline_forgets_by_ratio_then_helpful_votes() {
    let world = World::new();
    let adds = json!([
        {"op": "ADD", "content": "alpha one", "helpful": 1},
        {"op": "ADD", "content": "beta two", "helpful": 9, "harmful": 9},
        {"op": "ADD", "content": "gamma three", "helpful": 3},
        {"op": "ADD", "content": "delta four", "harmful": 1},
    ]);
    let trace = format!(
        "{}\n{}\n{}\n",
        json!({"delta": {"operations": adds}}),
        json!({"message": {"role": "user", "content": "hello"}}),
        json!({"retrieve": {"query": "alpha beta gamma delta", "top_k": 4}}),
    );
    let file = world.file("trace.jsonl", trace);
    let document = world.json(&format!("compare {file} --max-bullets 2"));
    let answer = &row(&document, "baseline")["answers"][0]["results"];
    let mut kept: Vec<&str> = answer
        .as_array()
        .unwrap()
        .iter()
        .map(|place| place["content"].as_str().unwrap())
        .collect();
    kept.sort_unstable();
    assert_eq!(kept, ["alpha one", "gamma three"]);
    let said = &row(&document, "transcript")["answers"][0]["results"];
    assert_eq!(said.as_array().unwrap().len(), 5);
}

#[test]
fn a_bad_trace_names_its_line() {
    let world = World::new();
    let ran = world.run_with(
        &["compare", "-", "--json"],
        "{\"message\": {\"role\": \"user\", \"content\": \"x\"}}\n{\"retrieve\": {}}\n",
    );
    assert!(ran.problem("invalid_trace").contains("line 2"));
    world
        .run(&["compare", "none.jsonl", "--json"])
        .problem("no_file");
}

#[test]
fn people_get_a_table_that_fits() {
    let ran = World::new().run(&["compare"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("near duplicates left"));
}

#[test]
fn a_model_answers_with_each_memory_and_the_page_shows_them_side_by_side() {
    use hindlore_testkit::{ModelAnswer, ScriptedModel};

    // It repeats the first note that it is shown, which only markup reveals.
    let server = ScriptedModel::start(|asked| {
        let text = asked.text();
        let knows = text.contains("<memory ");
        if text.contains("gets no answer") {
            return ModelAnswer::Status(500);
        }
        ModelAnswer::json(&json!({
            "reasoning": "", "final_answer": format!("<b>{}</b>", if knows { "from a note" } else { "a guess" }),
            "bullet_ids": [],
        }))
    })
    .unwrap();
    let mut world = World::new();
    let trace = [
        json!({"delta": {"id": "d1", "operations": [{"type": "ADD", "content": "Grease the bearings of the lathe with the blue can."}]}}),
        json!({"retrieve": {"query": "grease the bearings"}}),
        json!({"retrieve": {"query": "grease that gets no answer"}}),
    ];
    let trace: Vec<String> = trace.iter().map(Value::to_string).collect();
    world.file("trace.jsonl", trace.join("\n"));
    let without = world.run(&["compare", "trace.jsonl", "--answers", "--json"]);
    without.problem("no_model");
    let url = server.url();
    for (name, value) in [
        ("HINDLORE_MODEL_VENDOR", "ollama"),
        ("HINDLORE_MODEL", "scripted"),
        ("HINDLORE_MODEL_URL", url.as_str()),
        ("HINDLORE_MODEL_RETRIES", "0"),
    ] {
        world.set(name, value);
    }
    let document = world.json("compare trace.jsonl --answers --html page.html");
    assert_eq!(document["model"], "scripted");
    for row in document["rows"].as_array().unwrap() {
        assert_eq!(row["answers"][0]["answer"], "<b>from a note</b>", "{row}");
        assert!(row["answers"][1]["answer"].is_null(), "{row}");
        assert!(
            row["answers"][1]["unanswered"]
                .as_str()
                .unwrap()
                .contains("500"),
            "{row}"
        );
    }
    let text = world.run(&["compare", "trace.jsonl", "--answers"]).out;
    assert_eq!(text.matches("<b>from a note</b>").count(), 4, "{text}");
    assert_eq!(text.matches("no answer: ").count(), 4, "{text}");
    let page = std::fs::read_to_string(world.path("page.html")).unwrap();
    assert_eq!(page.matches("&lt;b&gt;from a note&lt;/b&gt;").count(), 4);
    assert_eq!(page.matches("no answer: ").count(), 4);
    assert!(
        !page.contains("<b>from") && !page.contains("<script"),
        "texts are data"
    );
}
