//! A whole trace in one call, steps in batches, and ids by their beginnings.

use hindlore::EngineError;
use hindlore::lessons::{CapturedStep, StartRun, StepInput, Trace, TraceLearned};
use hindlore_domain::lesson::event::NEXT_STEP;
use hindlore_domain::lesson::lesson::{LearnerId, Status};
use hindlore_store::lessons::reading::RunPage;

use super::scene::{BAD, ERROR, GOOD, Scene, failing, minute, working};

fn mended(run: &str) -> Vec<StepInput> {
    vec![failing(run, 1, BAD, ERROR), working(run, 2, GOOD)]
}

/// The steps of a run that ends with an error.
fn stuck(run: &str) -> Vec<StepInput> {
    vec![working(run, 1, GOOD), failing(run, 2, BAD, ERROR)]
}

#[tokio::test]
async fn a_trace_is_learned_in_one_call_and_counts_once() {
    let scene = Scene::new();
    let trace = Trace {
        start: Some(StartRun {
            id: Some("r1".to_owned()),
            intent: "sort by price".to_owned(),
            ..StartRun::default()
        }),
        steps: mended("r1"),
        wants_hint: true,
        passed: Some(true),
        ..Trace::default()
    };
    let (engine, owner) = (&scene.engine, &scene.owner);
    let learned = engine.learn_trace(owner, trace.clone()).await.unwrap();
    assert_eq!(learned.captured.steps.len(), 2);
    assert!(learned.hint.is_none(), "the last step worked");
    let ended = &learned.ended[0];
    assert_eq!((ended.learned.len(), ended.metrics.passed), (1, Some(true)));
    let run = engine.run(owner, "r1").await.unwrap().contents.row;
    assert_eq!(run.intent, "sort by price");
    let again = engine.learn_trace(owner, trace).await.unwrap();
    assert!(again.ended[0].repeated && again.captured.steps[0].repeated);
    assert_eq!(again.ended[0].learned, ended.learned);
}

#[tokio::test]
async fn a_trace_asks_for_help_against_its_last_error() {
    let scene = Scene::new();
    scene.lesson_learned("r1").await;
    let (engine, owner) = (&scene.engine, &scene.owner);
    let over = Trace {
        steps: stuck("r2"),
        wants_hint: true,
        ..Trace::default()
    };
    let open = Trace {
        steps: stuck("r3"),
        stays_open: Some("r3".to_owned()),
        ..over.clone()
    };
    let over = engine.learn_trace(owner, over).await.unwrap();
    let hint = over.hint.unwrap();
    assert_eq!((hint.lessons.len(), hint.run), (1, None));
    assert!(hint.lessons[0].activation.is_none());
    assert_eq!(over.ended.len(), 1);
    let open = engine.learn_trace(owner, open).await.unwrap();
    let hint = open.hint.unwrap();
    assert_eq!(hint.run.as_deref(), Some("r3"));
    assert!(hint.lessons[0].activation.is_some() && open.ended.is_empty());
}

#[tokio::test]
async fn a_session_that_grew_brings_its_new_part_only() {
    let scene = Scene::new();
    let (engine, owner) = (&scene.engine, &scene.owner);
    let learn = async |steps: Vec<StepInput>| {
        let trace = Trace {
            steps,
            ..Trace::default()
        };
        engine.learn_trace(owner, trace).await.unwrap()
    };
    let mut session = mended("r1");
    learn(session.clone()).await;
    session.extend([failing("r1", 3, "LOAD a", "ERROR: no table a")]);
    session.extend([working("r1", 5, GOOD)]);
    let grown = learn(session.clone()).await;
    assert_eq!(
        grown.continued,
        [("r1+3".to_owned(), "r1".to_owned())],
        "{grown:?}"
    );
    let known = |learned: &TraceLearned| {
        let steps = learned.captured.steps.iter();
        steps
            .map(|step| (step.run.clone(), step.step, step.repeated))
            .collect::<Vec<_>>()
    };
    let step = |run: &str, number, repeated| (run.to_owned(), number, repeated);
    assert_eq!(
        known(&grown),
        [
            step("r1", 1, true),
            step("r1", 2, true),
            step("r1+3", 1, false),
            step("r1+3", 3, false)
        ]
    );
    assert!(grown.ended[0].repeated && !grown.ended[1].repeated);
    // The same file once more is nothing new, and its new part is a run of its own.
    let again = learn(session.clone()).await;
    assert!(again.captured.steps.iter().all(|step| step.repeated));
    session.push(failing("r1", 6, BAD, ERROR));
    let third = learn(session).await;
    assert_eq!(third.captured.steps[4].run, "r1+6");
    assert!(!third.captured.steps[4].repeated);
    let page = RunPage {
        after: None,
        limit: 9,
        ..RunPage::default()
    };
    assert_eq!(engine.runs(owner, page).await.unwrap().rows.len(), 3);
}

#[tokio::test]
async fn each_diagnostic_of_one_output_is_an_error_of_its_own() {
    let scene = Scene::new();
    let (engine, owner) = (&scene.engine, &scene.owner);
    let two = "error[E0425]: cannot find value `a` in this scope\n --> src/a.rs:3:5\n\n\
               error[E0308]: mismatched types\n --> src/b.rs:9:1\n\n\
               error[E0425]: cannot find value `a` in this scope\n --> src/c.rs:7:2\n\n\
               error: could not compile `shop`";
    let build = failing("r1", NEXT_STEP, "cargo build", two);
    let captured = engine
        .capture_errors(owner, vec![build, working("r1", NEXT_STEP, GOOD)])
        .await
        .unwrap();
    let steps: Vec<(u32, bool)> = captured
        .steps
        .iter()
        .map(|step| (step.step, step.error.is_some()))
        .collect();
    assert_eq!(steps, [(1, true), (1, true), (2, false)]);
    assert_eq!(captured.steps[0].notes, ["the output says this 2 times"]);
    let alone = failing(
        "r2",
        1,
        "cargo build",
        "error[E0308]: mismatched types\n --> src/z.rs:1:1",
    );
    let alone = engine.capture_error(owner, alone).await.unwrap();
    let print = |step: &CapturedStep| step.error.as_ref().unwrap().fingerprints.fine.id;
    assert_eq!(print(&alone), print(&captured.steps[1]));
    let run = engine.run(owner, "r1").await.unwrap().contents;
    assert_eq!((run.steps.len(), run.errors.len()), (2, 2));
    // A build that breaks everywhere is cut, with a note.
    let many: Vec<String> = (0..60)
        .map(|n| {
            format!(
                "error[E{:04}]: kind {n} of its own\n --> a.rs:1:1\n",
                100 + n
            )
        })
        .collect();
    let flood = failing("r3", 1, "cargo build", &many.join("\n"));
    let flood = engine.capture_errors(owner, vec![flood]).await.unwrap();
    assert!(flood.steps.len() < 30, "{}", flood.steps.len());
    let last = flood.steps.last().unwrap();
    assert!(
        last.notes[0].contains("more diagnostics"),
        "{:?}",
        last.notes
    );
}

#[tokio::test]
async fn a_result_of_several_runs_is_refused_before_anything_is_written() {
    let scene = Scene::new();
    let trace = Trace {
        steps: [mended("r1"), mended("r2")].concat(),
        score: Some(0.5),
        ..Trace::default()
    };
    let refused = scene.engine.learn_trace(&scene.owner, trace).await;
    assert!(
        matches!(refused, Err(EngineError::Invalid(_))),
        "{refused:?}"
    );
    let page = RunPage {
        after: None,
        limit: 1,
        ..RunPage::default()
    };
    let runs = scene.engine.runs(&scene.owner, page).await.unwrap();
    assert!(runs.rows.is_empty());
}

#[tokio::test]
async fn steps_beyond_a_batch_are_counted_and_get_the_next_numbers() {
    let scene = Scene::new();
    let steps: Vec<StepInput> = (0..600).map(|_| working("r1", 0, GOOD)).collect();
    let (engine, owner) = (&scene.engine, &scene.owner);
    let captured = engine.capture_all(owner, Some("c1"), steps.clone()).await;
    let numbers: Vec<u32> = captured
        .unwrap()
        .steps
        .iter()
        .map(|step| step.step)
        .collect();
    assert_eq!(numbers, (1..=600).collect::<Vec<u32>>());
    assert_eq!(engine.progress(), (600, 600));
    let again = engine.capture_all(owner, Some("c1"), steps).await.unwrap();
    assert!(again.steps.iter().all(|step| step.repeated));
    assert_eq!(
        engine.run(owner, "r1").await.unwrap().contents.row.steps,
        600
    );
}

#[tokio::test]
async fn ids_are_found_by_their_beginnings_and_only_those_of_the_learner() {
    let scene = Scene::new();
    let lesson = scene.lesson_learned("r1").await.learned[0].lesson;
    let answer = scene.asked(Some("r2"), 1, ERROR).await;
    let (activation, print) = (
        answer.lessons[0].activation.unwrap(),
        answer.fingerprints.unwrap().fine.id,
    );
    let (engine, owner) = (&scene.engine, &scene.owner);
    let begin = |id: &dyn ToString| id.to_string()[..12].to_owned();
    assert_eq!(
        engine.find_lesson(owner, &begin(&lesson)).await.unwrap(),
        lesson
    );
    assert_eq!(
        engine
            .find_activation(owner, &begin(&activation))
            .await
            .unwrap(),
        activation
    );
    assert_eq!(
        engine
            .find_fingerprint(owner, &begin(&print))
            .await
            .unwrap(),
        print
    );
    let started = engine.start_run(owner, StartRun::default()).await.unwrap();
    let run = started.run.id;
    assert_eq!(engine.find_run(owner, &run[..12]).await.unwrap(), run);
    for (name, code) in [("l_0000000000000000000", "no_lesson"), ("7", "invalid_id")] {
        let error = engine.find_lesson(owner, name).await.unwrap_err();
        assert_eq!(error.code(), code, "{name}");
    }
    let other = LearnerId::new("t", "other").unwrap();
    let error = engine.find_lesson(&other, &begin(&lesson)).await;
    assert_eq!(error.unwrap_err().code(), "no_lesson");
}

#[tokio::test]
async fn a_run_of_exactly_this_name_comes_before_those_that_begin_so() {
    let scene = Scene::new();
    let (engine, owner) = (&scene.engine, &scene.owner);
    for run in ["run_ab", "run_abc"] {
        let start = StartRun {
            id: Some(run.to_owned()),
            ..StartRun::default()
        };
        engine.start_run(owner, start).await.unwrap();
    }
    assert_eq!(engine.find_run(owner, "run_ab").await.unwrap(), "run_ab");
    let error = engine.find_run(owner, "run_a").await.unwrap_err();
    assert_eq!(error.code(), "ambiguous_id");
    let error = engine.find_run(owner, "run_f").await.unwrap_err();
    assert_eq!(error.code(), "no_run");
}

/// A continued session and the file of a sub-agent repeat what the first file holds.
#[tokio::test]
async fn a_copy_of_a_session_is_no_second_run_and_its_new_part_counts() {
    let (bad, good) = ("gridtool pick --cols a", "gridtool pick --columns a");
    let error = "ERROR: unknown option '--cols'";
    let session = |run: &str, at: i64| -> Vec<StepInput> {
        let steps = [failing(run, 1, bad, error), working(run, 2, good)];
        let dated = steps.into_iter().map(|mut step| {
            step.report.at = minute(at + i64::from(step.report.step));
            step.detail.is_dated = true;
            step
        });
        dated.collect()
    };
    for (later, status, runs) in [(0, Status::Observed, 1), (60, Status::Candidate, 2)] {
        let scene = Scene::new();
        let learn = async |steps: Vec<StepInput>| {
            let trace = Trace {
                steps,
                ..Trace::default()
            };
            let learned = scene.engine.learn_trace(&scene.owner, trace).await;
            learned.unwrap().ended
        };
        learn(session("first", 0)).await;
        learn(session("second", later)).await;
        let lessons = scene.lessons().await;
        let [lesson] = &lessons[..] else {
            panic!("{lessons:?}");
        };
        assert_eq!((lesson.status, lesson.source_runs.len()), (status, runs));
        // The copy is longer than the original: its new part is learned.
        let mut longer = session("third", 0);
        longer.push(failing("third", 3, BAD, ERROR));
        longer.push(working("third", 4, GOOD));
        let ended = learn(longer).await;
        let learned: Vec<&str> = ended[0]
            .learned
            .iter()
            .map(|one| one.rule.as_str())
            .collect();
        assert!(
            learned.len() == 1 && learned[0].contains("DESC"),
            "{learned:?}"
        );
    }
}

#[tokio::test]
async fn a_lesson_that_a_reply_states_is_observed_and_tied_to_the_failed_step() {
    let scene = Scene::new();
    let trace = Trace {
        steps: vec![failing("r1", 1, BAD, ERROR)],
        replies: vec![(
            "r1".to_owned(),
            format!("Done.\nLESSON gridtool: WRONG {BAD} -> CORRECT {GOOD} (because: case)"),
        )],
        ..Trace::default()
    };
    for _ in 0..2 {
        let learned = scene.engine.learn_trace(&scene.owner, trace.clone()).await;
        learned.unwrap();
        let lessons = scene.lessons().await;
        let [lesson] = &lessons[..] else {
            panic!("{lessons:?}");
        };
        assert_eq!(lesson.status, Status::Observed);
        assert!(lesson.source_runs.is_empty());
        let raised = scene.asked(None, 1, ERROR).await;
        assert!(
            lesson
                .triggers
                .contains(&raised.fingerprints.unwrap().fine.id)
        );
        assert!(raised.lessons.is_empty());
    }
    // A run that shows the contrast confirms it.
    scene.failed("r2", 1, BAD, ERROR).await;
    scene.worked("r2", 2, GOOD).await;
    scene.ended("r2").await;
    assert_eq!(scene.lessons().await[0].status, Status::Candidate);
}
