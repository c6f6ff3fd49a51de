//! Looking at a memory: figures, words, a report, a talk; and no trace of it.

use std::fs;

use serde_json::json;

use crate::world::{World, texts};

fn lived() -> World {
    let world = World::seeded();
    world.apply(&json!({"operations": [
        {"op": "ADD", "content": "never prime the pump before you start the engine"},
        {"op": "ADD", "content": "an old habit", "harmful": 1},
    ]}));
    let found = world.json("retrieve prime the pump");
    let retrieval = found["retrieval"].as_str().unwrap();
    let best = found["results"][0]["id"].as_str().unwrap();
    world.json(&format!("feedback {retrieval} --helped {best}"));
    let gone = world.json("analyze search habit")["bullets"][0]["id"].clone();
    world.apply(&json!({"operations": [{"op": "REMOVE", "id": gone}]}));
    world
}

#[test]
fn the_summary_counts_and_leaves_no_trace() {
    let world = lived();
    let before = world.digest();
    let figures = world.json("analyze");
    assert_eq!(figures, world.json("analyze summary"));
    assert_eq!(
        figures["by_status"][0],
        json!({"name": "active", "count": 4})
    );
    assert_eq!(
        figures["by_status"][1],
        json!({"name": "archived", "count": 1})
    );
    assert!(figures["by_section"].to_string().contains("SHUTDOWN"));
    assert!(figures["by_topic"].to_string().contains("arithmetic"));
    // The advice that came with the memory is not counted.
    assert_eq!(figures["advice"], 3);
    assert!(!figures["top_tags"].to_string().contains("meta_strategy"));
    assert_eq!(figures["conflicts"].as_array().unwrap().len(), 1);
    assert!(
        figures["conflicts"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("negated")
    );
    let usage = &figures["usage"];
    assert_eq!(
        (&usage["retrievals"], &usage["hit_rate"]),
        (&json!(1), &json!(1.0))
    );
    assert_eq!(
        (&usage["helped"], &usage["harm_rate"]),
        (&json!(1), &json!(0.0))
    );
    assert_eq!(figures["growth"][0]["archived"], 1);
    assert!(figures["fading"][0]["retention"].as_f64().unwrap() < 1.0);
    assert_eq!(world.digest(), before);

    let ran = world.run(&["analyze"]);
    assert_eq!(ran.code, 0);
    for words in [
        "Strongest",
        "Opposites that wait for review (1)",
        "with a hit",
        "100%",
    ] {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
}

#[test]
fn a_search_sees_every_status_and_every_field() {
    let world = lived();
    let found = world.json("analyze search HABIT");
    assert_eq!(found["total"], 1);
    assert_eq!(found["bullets"][0]["status"], "archived");
    assert_eq!(world.json("analyze search shutdown")["total"], 1);
    let pumps = world.json("analyze search pump prime");
    assert_eq!(texts(&pumps["bullets"], "status"), ["active", "active"]);
    let nothing = world.run(&["analyze", "search", "unicorn"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (1, ""));
    assert!(nothing.err.contains("nothing found"), "{nothing:?}");
}

#[test]
fn the_report_goes_to_a_file_or_to_stdout() {
    let world = lived();
    let path = world.path("report.txt");
    let ran = world.run(&["analyze", "export", path.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let report = fs::read_to_string(&path).unwrap();
    for words in [
        "Memory default/",
        "SHUTDOWN",
        "close the valve",
        "Archived (1)",
        "an old habit",
    ] {
        assert!(report.contains(words), "{words}: {report}");
    }
    assert!(!report.contains('\u{1b}'));
    assert_eq!(world.run(&["analyze", "export"]).out, report);
    let document = world.json("analyze export");
    assert_eq!(document["bullets"].as_array().unwrap().len(), 8);
    let folder = world.run(&["analyze", "export", ".", "--json"]);
    folder.problem("unwritten_output");
}

#[test]
fn the_page_holds_all_it_needs_and_runs_nothing_that_a_bullet_says() {
    let world = lived();
    let evil = "<script>alert(1)</script> \"><img src=x onerror=alert(1)> &amp; in a bullet";
    world.apply(&json!({"operations": [
        {"op": "ADD", "content": evil, "section": "</style><b>", "tags": ["a<b"]},
        {"op": "ADD", "content": "set the timeout of the pump to 30 seconds before you open the second valve halfway and wait for the first sound"},
        {"op": "ADD", "content": "set the timeout of the pump to 60 seconds before you open the second valve halfway and wait for the first sound"},
    ]}));
    let path = world.path("memory.html");
    let before = world.digest();
    let ran = world.run(&["analyze", "html", path.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let page = fs::read_to_string(&path).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert_eq!(page.matches("<script>").count(), 1, "only the page's own");
    for raw in [
        "<img",
        "</style><b>",
        "a<b",
        "http://",
        "https://",
        "<link",
        "@import",
        "url(",
    ] {
        assert!(!page.contains(raw), "{raw}");
    }
    for words in [
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "&amp;amp; in a bullet",
        "SHUTDOWN",
        "an old habit",
        "wait for a person",
        "2 bullets: set the timeout",
        "<svg",
        "default-src 'none'",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert_eq!(world.digest(), before, "a look leaves no trace");
    assert_eq!(
        world.run(&["analyze", "html"]).out,
        page,
        "the same page every time"
    );
    assert_eq!(world.json("analyze html")["html"], page);
    let again = world.run(&["analyze", "html", path.to_str().unwrap(), "--json"]);
    assert_ne!(again.code, 0, "no file is written over unasked");
}

#[test]
fn the_page_shows_trajectories_as_timelines() {
    let world = lived();
    world.json("trajectory start deploy <b>now</b> --id t1 --agent robin");
    world.json("trajectory log t1 build --kind action");
    world.json("trajectory log t1 push --kind action --error denied");
    world.json("trajectory complete t1 --status failure --error pushed-to-late");
    let page = world.run(&["analyze", "html"]).out;
    for words in [
        "deploy",
        "by robin",
        "pushed-to-late",
        "denied",
        "class=\"failed\"",
        "score 0.00",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let (build, push) = (page.find("> build").unwrap(), page.find("> push").unwrap());
    assert!(build < push, "steps in their order");
}

#[test]
fn the_page_shows_playbooks_with_what_each_version_changed() {
    let world = lived();
    world.json("playbook create deploy --strategies [{\"pattern\":\"Look<first>.\"},{\"pattern\":\"Then-leap.\"}]");
    world.json("playbook update deploy --replace --reason tidied --strategies [{\"pattern\":\"Look<first>.\"},{\"pattern\":\"Ask-again.\"}]");
    let page = world.run(&["analyze", "html"]).out;
    for words in [
        "deploy (version 2)",
        "+ helpful Ask-again.",
        "- helpful Then-leap.",
        "tidied",
        "Look&lt;first&gt;.",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn the_page_of_a_new_memory_says_what_is_missing() {
    let world = World::new();
    world.apply(&json!({"operations": [{"op": "ADD", "content": "the only one"}]}));
    let page = world.run(&["analyze", "html"]).out;
    for words in [
        "No two bullets contradict",
        "No bullets are nearly the same",
        "No trajectory is recorded",
        "No playbook is kept",
        "the only one",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn a_talk_works_through_a_pipe() {
    let world = lived();
    let before = world.digest();
    let id = world.json("analyze search valve")["bullets"][0]["id"].clone();
    let id = id.as_str().unwrap();
    let typed = format!(
        "help\n\nsummary\ntop\ncategories\nlist\nsearch habit\nshow {id}\nshow b_none\nexplain prime the pump\nconflicts\n\
         history\nfly away\nshow\nQUIT\nlist\n"
    );
    let ran = world.run_with(&["analyze", "interactive"], typed);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for words in [
        "explain QUERY",
        "7 active bullets",
        "an old habit",
        "close the valve after every run",
        "there is no bullet `b_none`",
        "content digest",
        "Newest deltas",
        "Most frequent tags",
        "relevance",
        "negated",
        "revision 2",
        "`fly` is not a command",
        "`show` needs to know what",
    ] {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
    assert_eq!(
        ran.out.matches("7 active bullets\n").count(),
        1,
        "nothing after quit"
    );
    for (words, times) in [
        ("Strongest", 2),
        ("Active by section", 2),
        ("Fading most", 1),
    ] {
        assert_eq!(
            ran.out.matches(words).count(),
            times,
            "{words}: {}",
            ran.out
        );
    }
    assert_eq!(world.digest(), before);
    let ran = world.run_with(&["analyze", "interactive", "--json"], "");
    ran.problem("invalid_usage");
}

#[test]
fn a_memory_that_is_not_there_is_an_error() {
    let world = World::seeded();
    for what in ["summary", "export", "interactive"] {
        let ran = world.run(&["analyze", what, "--learner", "nobody"]);
        assert_eq!(ran.code, 2, "{what}");
        assert!(ran.err.contains("there is no memory"), "{}", ran.err);
    }
}
