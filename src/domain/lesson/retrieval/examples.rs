//! Worked examples on an error: the offered lessons, their order, and cases without any.

use serde_json::Value;

use super::choose::{Chosen, LeftOut, choose};
use super::query::{Call, LessonQuery, RankingMode};
use super::view::LocalGraph;
use super::walk::walk;
use crate::lesson::lesson::{LearnerId, Lesson, NewLesson, Place, Reach, Status};
use crate::lesson::lesson_policy::RetrievalNumbers;
use crate::lesson::lifecycle::Contradiction;
use crate::lesson::rule::Rule;
use hindlore_errors::fingerprint::{Evidence, Fingerprinter, Fingerprints};
use hindlore_errors::tag::TagRules;
use hindlore_primitives::ids::LessonId;
use hindlore_primitives::timestamp::Timestamp;

const PORT: &str = "Error: port 5432 already in use";

fn prints(error: &str) -> Fingerprints {
    Fingerprinter::default().of(&Evidence {
        error: Value::from(error),
        ..Evidence::default()
    })
}

fn shell(tool: &str) -> Place {
    Place {
        task: None,
        domain: Some("shell".to_owned()),
        tool: Some(tool.to_owned()),
    }
}

/// A lesson of the tool about an error, learned in a run of its own.
fn learned(rule: &str, tool: &str, error: &str) -> Lesson {
    Lesson::new(NewLesson {
        owner: LearnerId::new("t", "l").unwrap(),
        rule: Rule::parse(rule).unwrap(),
        triggers: prints(error).ids(),
        tags: TagRules::standard().of_text(error),
        reach: Reach::Domain,
        place: shell(tool),
        source_run: Some(rule.to_owned()),
        status: Status::Candidate,
        at: Timestamp::from_millis(0),
    })
}

fn asked(error: &str, place: Place) -> LessonQuery {
    LessonQuery {
        owner: LearnerId::new("t", "l").unwrap(),
        call: Call::OnError {
            fingerprints: prints(error),
            action: None,
            is_hub: false,
        },
        text: error.to_owned(),
        tags: TagRules::standard().of_text(error),
        place,
        max_results: None,
        mode: RankingMode::Direct,
        at: Timestamp::from_millis(1),
    }
}

/// Asks a store that knows the lessons, each with its error.
fn ask(query: &LessonQuery, known: &[(Lesson, &str)], conflicts: &[Contradiction]) -> Chosen {
    let numbers = RetrievalNumbers::default();
    let mut graph = LocalGraph::default();
    for (lesson, error) in known {
        let prints = prints(error);
        for print in [&prints.fine, &prints.coarse] {
            graph.put_fingerprint(print.id, &print.normalised, &lesson.tags);
        }
        graph.put_lesson(lesson.clone());
    }
    let walked = walk(&mut graph, query, &numbers.walk);
    let lessons: Vec<Lesson> = known.iter().map(|(lesson, _)| lesson.clone()).collect();
    choose(query, &walked, &lessons, conflicts, &numbers)
}

fn ids(chosen: &Chosen) -> Vec<LessonId> {
    chosen.hits.iter().map(|hit| hit.lesson).collect()
}

#[test]
fn an_exact_fingerprint_is_offered_whatever_labels_the_question_leaves_out() {
    let exact = learned(
        "WRONG docker compose up → CORRECT docker compose up -p 1",
        "docker",
        PORT,
    );
    for place in [Place::default(), shell("docker")] {
        let mut tool_only = place.clone();
        tool_only.domain = None;
        for place in [place, tool_only] {
            let chosen = ask(&asked(PORT, place.clone()), &[(exact.clone(), PORT)], &[]);
            assert_eq!(ids(&chosen), [exact.id], "{place:?}");
            let score = chosen.hits[0].score;
            assert!(
                score > 0.4,
                "{place:?}: a label left out costs nothing: {score}"
            );
        }
    }
}

#[test]
fn an_exact_fingerprint_is_first_and_nothing_displaces_it() {
    let exact = learned("WRONG docker up → CORRECT docker up -p 1", "docker", PORT);
    // Each near one is newer, surer, and has the words of the question in its rule.
    let errors: Vec<String> = ["pick another", "choose another", "stop its owner", "retry"]
        .iter()
        .map(|advice| format!("{PORT}, {advice}"))
        .collect();
    let mut known = vec![(exact.clone(), PORT)];
    for error in &errors {
        let mut lesson = learned(&format!("About {error}"), "docker", error);
        lesson.reliability = 1.0;
        lesson.evidence_at = Timestamp::from_millis(1);
        known.push((lesson, error));
    }
    let chosen = ask(&asked(PORT, shell("docker")), &known, &[]);
    assert_eq!(ids(&chosen)[0], exact.id);
    assert_eq!(chosen.hits.len(), 3, "{:?}", chosen.left_out);
    // A contradiction with a surer neighbour leaves out the neighbour.
    let rival = chosen.hits[1].lesson;
    let pair = Contradiction {
        lessons: [rival, exact.id],
        excludes: false,
    };
    let chosen = ask(&asked(PORT, shell("docker")), &known, &[pair]);
    assert_eq!(ids(&chosen)[0], exact.id);
    assert_eq!(chosen.left_out[&rival], LeftOut::Contradicted(exact.id));
    // Three exact lessons of one run and one kind of failure stay three.
    let mut same_run: Vec<(Lesson, &str)> = (0..3)
        .map(|n| (learned(&format!("Do number_{n}"), "docker", PORT), PORT))
        .collect();
    same_run
        .iter_mut()
        .for_each(|(lesson, _)| lesson.source_runs = vec!["one".to_owned()]);
    let chosen = ask(&asked(PORT, shell("docker")), &same_run, &[]);
    assert_eq!(chosen.hits.len(), 3, "{:?}", chosen.left_out);
}

#[test]
fn of_what_the_very_error_triggers_a_way_out_comes_before_a_ban() {
    // The ban quotes the error and the action, so its text is nearer; but it helps no reader.
    let ban = learned(&format!("WRONG docker run app — {PORT}"), "docker", PORT);
    let cure = learned(
        "WRONG docker run <1> → CORRECT docker run -P <1>",
        "docker",
        PORT,
    );
    let known = [(ban.clone(), PORT), (cure.clone(), PORT)];
    let mut query = asked(PORT, shell("docker"));
    query.text = format!("docker run app {PORT}");
    let chosen = ask(&query, &known, &[]);
    let parts = |id: LessonId| chosen.hits.iter().find(|hit| hit.lesson == id).unwrap();
    assert!(
        parts(ban.id).score > parts(cure.id).score,
        "by its score alone the ban would be first"
    );
    assert_eq!(ids(&chosen), [cure.id, ban.id]);
}

#[test]
fn a_foreign_error_is_answered_with_silence() {
    let import = "ModuleNotFoundError: No module named requests";
    let known = [
        ("WRONG false — exit code 1", "false", "exit code 1"),
        (
            "WRONG sh -c <str> → CORRECT sh -c 'exit 0'",
            "sh",
            "fatal: not a git repository",
        ),
        ("WRONG pip → CORRECT pip3", "pip", import),
    ];
    let known = known.map(|(rule, tool, error)| (learned(rule, tool, error), error));
    let other = "ModuleNotFoundError: No module named yaml was found here";
    let chosen = ask(&asked(other, shell("sh")), &known, &[]);
    assert_eq!(
        ids(&chosen),
        [],
        "a similar error of another tool is another error"
    );
    for reason in chosen.left_out.values() {
        assert!(
            matches!(reason, LeftOut::NoFit | LeftOut::NoAnchor),
            "{reason:?}"
        );
    }
    // The same tool and nearly the same error fit.
    let chosen = ask(&asked(other, shell("pip")), &known, &[]);
    assert_eq!(ids(&chosen), [known[2].0.id], "{:?}", chosen.left_out);
}

#[test]
fn a_rule_that_quotes_its_error_is_compared_by_the_quote() {
    // Reached over the tool alone: no common tag, so no fingerprint leads to it.
    let rule = "WRONG npm test — npm error Missing script: test";
    let mut lesson = learned(rule, "npm", "npm error Missing script: test");
    lesson.tags.clear();
    let near = "npm error Missing script: test, to see a list of scripts";
    let chosen = ask(
        &asked(near, shell("npm")),
        &[(lesson.clone(), "other")],
        &[],
    );
    assert_eq!(ids(&chosen), [lesson.id], "{:?}", chosen.left_out);
    let far = "npm error code ENOTFOUND request to registry failed";
    let chosen = ask(&asked(far, shell("npm")), &[(lesson, "other")], &[]);
    assert_eq!(ids(&chosen), []);
}
