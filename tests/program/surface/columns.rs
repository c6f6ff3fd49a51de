//! Output on terminals of 60, 80 and 120 columns: everything fits, no word is broken, lists are tables with short ids,
//! and programs get the same contents in full. `script` of util-linux lends the terminal.
#![cfg(unix)]

use std::process::Stdio;

use serde_json::{Value, json};

use crate::world::World;

const WIDTHS: [usize; 3] = [60, 80, 120];

/// The output of the program on a terminal with a number of columns, both streams in one.
fn on_terminal(world: &World, columns: usize, arguments: &str) -> String {
    let program = crate::PROGRAM;
    let line = format!("stty cols {columns} rows 50; exec {program} {arguments}");
    let mut command = world.command();
    let mut script = std::process::Command::new("script");
    script.env_clear().envs(
        command
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    script
        .env("NO_COLOR", "1")
        .env("PATH", "/usr/bin:/bin")
        .env("TERM", "xterm");
    script.current_dir(world.path(""));
    script
        .args(["-qec", &line, "/dev/null"])
        .stdin(Stdio::null());
    command.stdin(Stdio::null());
    let ran = script.output().unwrap();
    String::from_utf8(ran.stdout).unwrap().replace('\r', "")
}

#[test]
fn a_long_answer_goes_through_the_pager() {
    let mut world = World::seeded();
    world.set("PAGER", "head -n 1");
    assert_eq!(on_terminal(&world, 80, "demo --full").lines().count(), 1);
    assert!(
        on_terminal(&world, 80, "demo").lines().count() > 20,
        "it fits the screen"
    );
}

fn fits(text: &str, columns: usize, what: &str) {
    for line in text.lines() {
        // A digest is there to be copied and stays whole.
        let is_one_word = line.split(' ').any(|word| word.chars().count() > 40);
        let size = line.chars().count();
        assert!(
            size <= columns || is_one_word,
            "{what} at {columns}: {size}: {line}\n{text}"
        );
    }
}

/// A memory with long texts, several authors and a history.
fn world() -> World {
    let world = World::seeded();
    let long = "measure the pressure in the second chamber before the outer hatch is opened, and write \
                the value down together with the hour, because the gauge is known to drift overnight";
    world.apply(
        &json!({"id": "lesson-17", "reasoning": "what the night shift found out on Tuesday",
        "operations": [{"op": "ADD", "content": long, "tags": ["pressure", "hatch"]},
            {"op": "ADD", "content": "never close the valve after every run"}]}),
    );
    world.run(&["learn", "--run", "nightly-build-4711", "--", "ls", "--colr"]);
    world.run(&[
        "learn",
        "--run",
        "nightly-build-4711",
        "--",
        "ls",
        "--color",
    ]);
    world.run(&["runs", "end", "nightly-build-4711"]);
    world
}

#[test]
fn all_that_people_read_fits_their_terminal() {
    let world = world();
    for columns in WIDTHS {
        for command in [
            "retrieve pressure chamber --peek",
            "bullets list --status all --with-advice",
            "bullets search hatch",
            "memory list",
            "delta log",
            "lessons list",
            "runs list",
            "errors list",
            "policy show",
            "doctor",
            "analyze",
            "analyze search pressure",
            "compare",
            "demo",
            "demo --full",
            "config show",
            "digest --store none.db",
            "retrieve --prompt pressure",
            "retrieve --help",
        ] {
            let text = on_terminal(&world, columns, command);
            assert!(!text.is_empty(), "{command}");
            fits(&text, columns, command);
        }
    }
}

#[test]
fn lists_are_tables_of_one_line_a_row() {
    let world = world();
    for columns in WIDTHS {
        for (command, rows) in [
            ("bullets list --with-advice", 8),
            ("delta log", 3),
            ("memory list", 1),
            ("lessons list", 1),
            ("runs list", 1),
        ] {
            let text = on_terminal(&world, columns, command);
            let table = text
                .lines()
                .filter(|line| !line.contains("left out;") && !line.contains("lists them"));
            assert_eq!(table.count(), rows + 1, "{command} at {columns}: {text}");
        }
    }
    let narrow = on_terminal(&world, 40, "delta log");
    assert!(narrow.lines().count() > 10, "{narrow}");
}

#[test]
fn columns_that_say_nothing_are_not_there() {
    let world = World::seeded();
    let text = on_terminal(&world, 80, "bullets list");
    let heading = text.lines().next().unwrap();
    assert!(
        heading.contains("VOTES") && heading.contains("TAGS"),
        "{text}"
    );
    assert!(!heading.contains("STATUS"), "{text}");
    let log = on_terminal(&world, 80, "delta log");
    assert!(
        !log.contains("AUTHOR") && !log.contains("REASONING"),
        "{log}"
    );
}

#[test]
fn a_short_id_is_taken_for_the_whole_by_every_command() {
    let world = world();
    let list = world.json("bullets list");
    let learned = list["bullets"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["planted"] == false);
    let id = learned.unwrap()["id"].as_str().unwrap().to_owned();
    let short = &id[..10];
    let text = on_terminal(&world, 80, "bullets list");
    assert!(text.contains(short) && !text.contains(&id), "{text}");
    let full = on_terminal(&world, 120, "bullets list --full-ids");
    assert!(full.contains(&id), "{full}");
    let piped = world.run(&["bullets", "list"]).out;
    assert!(piped.contains(&id), "{piped}");
    assert_eq!(
        world.json(&format!("bullets show {short}"))["id"],
        id.as_str()
    );
    world.json(&format!("bullets pin {short}"));
    let answer = world.json("retrieve pump");
    let retrieval = answer["retrieval"].as_str().unwrap();
    world.json(&format!("feedback {} --helped 1", &retrieval[..10]));
    world.json(&format!("feedback {} --used {short}", &retrieval[..10]));
    let lesson = world.json("lessons list")["lessons"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let shown = world.json(&format!("lessons show {}", &lesson[..8]));
    assert_eq!(shown["id"], lesson.as_str());
    world.json(&format!("lessons explain {}", &lesson[..8]));
    let error = world.json("errors list")["errors"][0]["fingerprint"]
        .as_str()
        .unwrap()
        .to_owned();
    let found = world.json(&format!("errors list --fingerprint {}", &error[..9]));
    assert_eq!(found["errors"][0]["fingerprint"], error.as_str());
    let undone = world.json("delta undo lesson");
    assert_eq!(undone["archived"].as_array().unwrap().len(), 2);
}

#[test]
fn a_beginning_that_several_ids_have_lists_them() {
    let world = world();
    let list = world.json("bullets list");
    let ids: Vec<&str> = list["bullets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    // With more ids than digits, two begin alike.
    world.apply(&json!({"operations": (0..16).map(|n| json!({"op": "ADD", "content": format!("number {n} of a list")}))
        .collect::<Vec<Value>>()}));
    let all = world.json("bullets list");
    let all = all["bullets"].as_array().unwrap();
    let starts = |start: &str| {
        all.iter()
            .filter(|one| one["id"].as_str().unwrap().starts_with(start))
            .count()
    };
    let common = "0123456789abcdef"
        .chars()
        .map(|c| format!("b_{c}"))
        .find(|start| starts(start) > 1);
    let said = world
        .run(&["bullets", "show", &common.unwrap(), "--json"])
        .problem("ambiguous_id");
    assert!(said.matches("`b_").count() > 2, "{said}");
    let none = ids[0].replace(|c: char| c.is_ascii_digit(), "e");
    world
        .run(&["bullets", "show", &none[..12], "--json"])
        .problem("no_bullet");
}
