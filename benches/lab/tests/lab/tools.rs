//! Tools act as their definitions require: references pass, every message can be met, wrong folders are refused.

use std::collections::BTreeSet;

use hindlore_lab::chance::Chance;
use hindlore_lab::generate;
use hindlore_lab::tool::{Files, Level, Task, Tool};

fn tools() -> Vec<Tool> {
    Tool::built_in().unwrap()
}

fn tool(name: &str) -> Tool {
    tools().into_iter().find(|tool| tool.name == name).unwrap()
}

fn task<'a>(tool: &'a Tool, name: &str) -> &'a Task {
    tool.tasks.iter().find(|task| task.name == name).unwrap()
}

/// Runs lines in the world of a tool's first task and returns the result of the last one.
fn ends_with(tool: &Tool, level: Level, lines: &[&str]) -> String {
    let mut world = tool.world(&tool.tasks[0], level, 1);
    let mut last = String::new();
    for line in lines {
        let feedback = world.act(line);
        last = if feedback.is_failure() {
            feedback.text().to_owned()
        } else {
            feedback.output
        };
    }
    last
}

#[test]
fn every_reference_solves_its_task_with_every_level_of_messages() {
    let mut solved = 0;
    for tool in tools() {
        for task in &tool.tasks {
            for level in Level::ALL {
                // Seeds differ in the faults that pass by themselves; a user tries again.
                let mut world = tool.world(task, level, 3);
                for line in tool.reference(task).unwrap() {
                    let mut feedback = world.act(&line);
                    for _ in 0..5 {
                        if !feedback.is_failure() {
                            break;
                        }
                        feedback = world.act(&line);
                    }
                    assert!(
                        !feedback.is_failure(),
                        "{} {}: `{line}`: {}",
                        tool.name,
                        task.name,
                        feedback.text()
                    );
                }
                let verdict = world.verdict();
                assert!(
                    verdict.passed && verdict.score == 1.0,
                    "{} {}: {verdict:?}",
                    tool.name,
                    task.name
                );
                solved += 1;
            }
        }
    }
    assert_eq!(solved, 32 * 3);
}

#[test]
fn what_is_right_at_a_shell_is_among_the_habits() {
    let mut said = 0;
    for tool in tools().iter().filter(|tool| !tool.tells_plan()) {
        for task in &tool.tasks {
            for (step, line) in task.plan.iter().zip(tool.reference(task).unwrap()) {
                let mut chance = Chance::of(1, &line);
                let mut draw = || {
                    let mut choose = |_: &str, among: &[_]| chance.below(among.len());
                    tool.habits.say(&step.intent, &step.data, &mut choose)
                };
                let is_said = (0..2_000).any(|_| draw().as_deref() == Some(&line));
                assert!(is_said, "{}: nobody would say `{line}`", tool.name);
                said += 1;
            }
        }
    }
    assert!(said >= 25, "{said}");
}

#[test]
fn the_aggregate_report_prints_the_known_totals() {
    for (name, program) in [
        (
            "gridtool",
            [
                "LOAD \"sales.csv\"",
                "TALLY region -> total=sum(amount), n=count(id)",
                "RANK total desc",
                "SHOW",
            ],
        ),
        (
            "fluxtool",
            [
                "IMPORT \"sales.csv\"",
                "GROUP region => total:=sum(amount), n:=count(id)",
                "SORT total down",
                "DISPLAY",
            ],
        ),
    ] {
        let printed = ends_with(&tool(name), Level::Cryptic, &program);
        assert_eq!(
            printed, "region,total,n\nNorth,4200.0,4\nSouth,3200.0,3\nEast,2750.0,3",
            "{name}"
        );
    }
}

#[test]
fn a_wrong_line_is_refused_with_its_number_and_changes_nothing() {
    let tool = tool("gridtool");
    let lines = ["LOAD \"sales.csv\"", "KEEP region = \"North\"", "SHOW 0"];
    let mut world = tool.world(&tool.tasks[0], Level::Helpful, 1);
    assert!(!world.act(lines[0]).is_failure());
    let before = world.state();
    let refused = world.act(lines[1]);
    assert_eq!(
        refused.text(),
        "ERROR at line 2: unknown operator '='; the operators are eq, gt, gte, lt, lte, neq"
    );
    assert_eq!(world.state(), before);
    assert_eq!(
        world.act(lines[2]).output,
        "id,region,product,amount,cost,units"
    );
}

#[test]
fn every_message_of_a_command_language_can_be_met() {
    let tool = tool("gridtool");
    let open = "LOAD \"sales.csv\"";
    let cases: &[(&[&str], &str)] = &[
        (&["load \"sales.csv\""], "unknown command 'load'"),
        (
            &[open, "TALLY region total=sum(amount)"],
            "expects -> where 'total' stands",
        ),
        (&[open, "RANK amount"], "ends before directions"),
        (&[open, "RANK amount desc now"], "no use for 'now'"),
        (&["LOAD sales.csv"], "must stand in double quotes"),
        (&["LOAD 'sales.csv'"], "file names take \", not '"),
        (&[open, "KEEP amount = 5"], "unknown operator '='"),
        (
            &[open, "TALLY region -> m=median(amount)"],
            "unknown function 'median'",
        ),
        (&[open, "TALLY region -> t=SUM(amount)"], "lower case: sum"),
        (&[open, "RANK amount DESC"], "unknown sort direction 'DESC'"),
        (&[open, "PICK colour"], "unknown column 'colour'"),
        (&[open, "TALLY region -> t=sum(product)"], "not a number"),
        (&["SHOW"], "before any table"),
        (&["LOAD \"nothing.csv\""], "file not found"),
        (&[open, "DERIVE x = amount +"], "cannot read the expression"),
        (&[open, "DERIVE x = amount / 0"], "division by zero"),
        (&[open, "SHOW many"], "not a count"),
    ];
    for (lines, expected) in cases {
        let text = ends_with(&tool, Level::Helpful, lines);
        assert!(text.contains(expected), "{lines:?}: {text}");
        let [semi, cryptic] =
            [Level::SemiHelpful, Level::Cryptic].map(|level| ends_with(&tool, level, lines));
        assert!(
            semi != text && cryptic.contains(": E"),
            "{semi} | {cryptic}"
        );
    }
    // The one that gridtool has no use for: an end that every line must have.
    let ended = (0..40)
        .map(|seed| generate::files(seed).unwrap())
        .find(|files| files["tool.json"].contains("\"terminator\": \"!\""));
    let made = Tool::from_files(&ended.unwrap()).unwrap();
    let line = made.reference(&made.tasks[0]).unwrap()[0].clone();
    let text = ends_with(&made, Level::Helpful, &[line.trim_end_matches('!')]);
    assert!(text.contains("lines end with '!'"), "{text}");
}

#[test]
fn every_refusal_of_an_interface_can_be_met() {
    let shop = tool("shop");
    let auth = "[Authorization: Bearer $TOKEN]";
    let cases: &[(String, &str)] = &[
        ("fetch".to_owned(), "HTTP 400"),
        (
            format!("GET /v2/orders?page=1&per_page=3&q=1 {auth}"),
            "unknown query parameter 'q'",
        ),
        (
            format!("GET /v2/orders?page=1 {auth}"),
            "'per_page' is required",
        ),
        (format!("POST /v2/orders {auth} sku=1"), "not a JSON object"),
        ("GET /v2/orders/1".to_owned(), "HTTP 401"),
        (
            "GET /v2/orders/1 [Authorization: $TOKEN]".to_owned(),
            "HTTP 403",
        ),
        (format!("GET /orders {auth}"), "no route for /orders"),
        (format!("GET /v2/orders/77 {auth}"), "no record with id 77"),
        (format!("PUT /v2/orders/1 {auth}"), "HTTP 405"),
        (
            format!("POST /v2/orders {auth} {{\"sku\": \"a\"}}"),
            "'quantity' is required",
        ),
        (
            format!("POST /v2/orders {auth} {{\"item\": \"a\"}}"),
            "unknown field 'item'",
        ),
        (
            format!("POST /v2/orders {auth} {{\"sku\": \"a\", \"quantity\": \"2\"}}"),
            "must be a number",
        ),
    ];
    for (line, expected) in cases {
        let text = ends_with(&shop, Level::Helpful, &[line]);
        assert!(text.contains(expected), "{line}: {text}");
    }
    let mut world = shop.world(&shop.tasks[0], Level::Helpful, 1);
    let met: BTreeSet<String> = (0..200)
        .map(|_| {
            world
                .act("GET /v2/x [a: b]")
                .text()
                .chars()
                .take(8)
                .collect()
        })
        .collect();
    assert!(
        met.contains("HTTP 429") && met.contains("HTTP 404"),
        "{met:?}"
    );
    let mut world = shop.world(&shop.tasks[0], Level::Helpful, 1);
    assert!((0..400).any(|_| {
        world
            .act("after 9s GET /v2/x [a: b]")
            .text()
            .contains("503")
    }));
}

#[test]
fn a_machine_stalls_slips_and_bumps_without_a_word() {
    let rover = tool("rover");
    let mut world = rover.world(task(&rover, "cross_the_cellar"), Level::Helpful, 1);
    let mut reasons = BTreeSet::new();
    for action in [
        "jump",
        "drive(surface=floor, heading=north, gait=walk)",
        "drive(surface=floor, heading=east, gait=crawl)",
        "drive(surface=floor, heading=east, gait=walk)",
        "drive(surface=mud, heading=east, gait=walk)",
        "drive(surface=mud, heading=east, gait=crawl)",
        "drive(surface=floor, heading=east, gait=walk)",
        "drive(surface=ice, heading=east, gait=walk)",
    ] {
        let feedback = world.act(action);
        assert_eq!(feedback.hard_failure, None);
        reasons.extend(feedback.constraint_failure);
    }
    let expected = [
        "collision",
        "constraint_failed",
        "goal_distance_increase",
        "no_progress",
        "state_stall",
    ];
    assert!(
        reasons
            .iter()
            .all(|reason| expected.contains(&reason.as_str()))
            && reasons.len() >= 4,
        "{reasons:?}"
    );
}

#[test]
fn a_folder_that_means_nothing_is_refused_with_the_place() {
    let whole = generate::files(7).unwrap();
    let broken = |name: &str, from: &str, to: &str| {
        let mut files: Files = whole.clone();
        let text = files[name].replace(from, to);
        files.insert(name.to_owned(), text);
        Tool::from_files(&files)
            .map(|tool| tool.name)
            .unwrap_err()
            .message
    };
    assert!(broken("tool.json", "command-language", "opera").contains("opera"));
    assert!(broken("tool.json", "\"docs\"", "\"other\"").contains("`docs` is missing"));
    assert!(broken("messages.json", "unknown_command", "other").contains("unknown_command"));
    assert!(broken("tasks.json", "\"load\"", "\"lift\"").contains("lift"));
    assert!(broken("tasks.json", "\"expected\"", "\"other\"").contains("not what it expects"));
    assert!(broken("habits.json", "{", "[").contains("habits.json"));
}
