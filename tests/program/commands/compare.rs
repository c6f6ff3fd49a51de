//! One trace through six memories: the differences that must show, also where this engine is not the best.

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
fn the_built_in_trace_is_a_fair_story() {
    let world = World::new();
    let document = world.json("compare");
    let trace = &document["trace"];
    assert!(trace["origin"].as_str().unwrap().contains("test data"));
    assert_eq!(
        (&trace["retrievals"], &trace["pairs"]),
        (&json!(82), &json!(300))
    );
    let judged = |name: &str, field: &str| number(&row(&document, name)["judged"][field]);
    let tokens = |name: &str| row(&document, name)["prompt_tokens"].as_f64().unwrap();
    // Nothing is known without a memory, and nothing is lost by notes, at their price.
    assert_eq!((judged("off", "right_shown"), tokens("off")), (0, 0.0));
    assert_eq!(judged("notes", "right_shown"), judged("notes", "right"));
    assert_eq!(judged("notes", "same_left"), judged("notes", "same"));
    assert_eq!(judged("notes", "different_lost"), 0);
    assert!(tokens("notes") > 50.0 * tokens("engine"));
    // The engine shows more of what helps than the originals, loses little advice by merging, and sees more contradictions.
    for name in ["transcript", "baseline", "classic"] {
        assert!(
            judged("engine", "right_shown") > judged(name, "right_shown"),
            "{name}"
        );
    }
    assert!(judged("engine", "different_lost") * 10 < judged("classic", "different_lost"));
    assert!(judged("engine", "opposite_unmarked") < judged("classic", "opposite_unmarked"));

    let queries = number(&trace["retrievals"]);
    for row in document["rows"].as_array().unwrap() {
        let answers = row["answers"].as_array().unwrap();
        assert_eq!(answers.len() as u64, queries);
        assert!(row["retrieve_ms"].as_f64().is_some());
        let results = |answer: &Value| answer["results"].as_array().unwrap().len();
        assert!(answers.iter().all(|answer| results(answer) <= 50));
    }
    assert_ne!(
        row(&document, "baseline")["answers"],
        row(&document, "classic")["answers"]
    );
    assert!(!world.path("memory.db").exists());
}

#[test]
fn without_judgements_texts_are_counted_by_their_words() {
    let world = World::new();
    let add = |content: &str| json!({"delta": {"operations": [{"op": "ADD", "content": content}]}});
    let trace = [
        add("Always open the valve of the large tank before you start the pump in the hall."),
        add("Never open the valve of the large tank before you start the pump in the hall."),
        json!({"retrieve": {"query": "the valve of the tank"}}),
    ];
    let trace: Vec<String> = trace.iter().map(Value::to_string).collect();
    let file = world.file("trace.jsonl", trace.join("\n"));
    let document = world.json(&format!("compare {file}"));
    // The original programs merge opposites; this engine keeps them with the reason.
    for (name, size, linked) in [("notes", 2, 0), ("classic", 1, 0), ("engine", 2, 1)] {
        let row = row(&document, name);
        assert_eq!(
            (&row["size"], &row["kept_apart"]),
            (&json!(size), &json!(linked)),
            "{name}"
        );
        assert!(row["judged"].is_null());
    }
    let said = world.run(&["compare", &file]).out;
    assert!(
        said.contains("near duplicates left") && !said.contains("repetitions left"),
        "{said}"
    );
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
    assert!(ran.out.lines().count() <= 30, "{}", ran.out);
    for words in [
        "advice lost, of 240",
        "test data of this project",
        "No figure shows whether a model heeds",
    ] {
        let said = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(words), "{words}: {said}");
    }
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
        let expected = if row["memory"] == "off" {
            "<b>a guess</b>"
        } else {
            "<b>from a note</b>"
        };
        assert_eq!(row["answers"][0]["answer"], expected, "{row}");
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
    assert_eq!(text.matches("<b>from a note</b>").count(), 5, "{text}");
    assert_eq!(text.matches("no answer: ").count(), 6, "{text}");
    let page = std::fs::read_to_string(world.path("page.html")).unwrap();
    assert_eq!(page.matches("&lt;b&gt;from a note&lt;/b&gt;").count(), 5);
    assert_eq!(page.matches("no answer: ").count(), 6);
    assert!(
        !page.contains("<b>from") && !page.contains("<script"),
        "texts are data"
    );
}
