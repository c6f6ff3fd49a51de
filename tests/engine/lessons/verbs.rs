//! The verbs of lessons on a real store: the results of a run, the lessons of the next one, and the counts.

use hindlore::EngineError;
use hindlore::lessons::{EndRun, LessonCall, LessonRequest, StartRun};
use hindlore_domain::lesson::activation::RetrievalChannel;
use hindlore_domain::lesson::evidence::evidence_row::RowKind;
use hindlore_domain::lesson::feedback::Channel;
use hindlore_domain::lesson::lesson::{Place, Status};
use hindlore_domain::lesson::retrieval::query::RankingMode;
use hindlore_domain::lesson::retrieval::walk::Path;
use hindlore_store::lessons::reading::{ErrorPage, LessonPage, RunPage};
use serde_json::Value;

use super::scene::{BAD, ERROR, GOOD, Scene, failing, minute, on_error, working};
use super::world::place;

#[tokio::test]
async fn a_run_leaves_a_lesson_and_the_next_one_finds_it() {
    let scene = Scene::new();
    let ended = scene.lesson_learned("r1").await;
    assert_eq!(
        ended.learned.len(),
        1,
        "{:?} {:?}",
        ended.learned,
        ended.rejected
    );
    let learned = &ended.learned[0];
    assert_eq!(
        (learned.placement.as_str(), learned.status),
        ("new", Status::Candidate)
    );
    assert!(
        learned.rule.starts_with("WRONG") && learned.rule.contains("desc"),
        "{}",
        learned.rule
    );
    assert_eq!(learned.evidence_steps, [1, 2]);
    assert_eq!((ended.metrics.tool_errors, ended.metrics.steps), (1, 2));
    let answer = scene.asked(Some("r2"), 1, ERROR).await;
    assert_eq!(answer.lessons.len(), 1);
    let hit = &answer.lessons[0];
    assert_eq!(hit.lesson.id, learned.lesson);
    assert!(matches!(hit.path, Path::Exact { .. }), "{}", hit.path);
    assert!(
        hit.parts.fingerprint_match >= 0.8 && hit.score > 0.4,
        "{hit:?}"
    );
    let activation = hit.activation.unwrap();
    // Asked again at the same step it is the same use.
    let again = scene.asked(Some("r2"), 1, ERROR).await;
    assert_eq!(again.lessons[0].activation, Some(activation));
    let detail = scene
        .engine
        .lesson(&scene.owner, learned.lesson)
        .await
        .unwrap();
    assert_eq!(detail.lesson.counts.retrieved, 1);
    assert_eq!(detail.activations.len(), 1);
    assert!(
        detail.activations[0]
            .explanation
            .contains("fingerprint_match")
    );
    assert_eq!(detail.records.sources.len(), 1);
    assert_eq!((detail.triggers[0].events, detail.triggers[0].runs), (1, 1));
    // The run ends without the error: the use is settled, once.
    scene.worked("r2", 2, GOOD).await;
    let ended = scene.ended("r2").await;
    assert_eq!(ended.settled.len(), 1);
    assert!(!ended.settled[0].recurred);
    let row = scene
        .engine
        .activation(&scene.owner, activation)
        .await
        .unwrap();
    let outcome = row.activation.outcome.unwrap();
    assert_eq!(outcome.row.kind, RowKind::Cured);
    assert_eq!(
        outcome.utility.to_bits(),
        ended.settled[0].utility.to_bits()
    );
    let run = scene.engine.run(&scene.owner, "r2").await.unwrap();
    assert_eq!(run.metrics.unwrap(), ended.metrics);
    assert_eq!(run.contents.row.end.unwrap().in_force.len(), 1);
}

#[tokio::test]
async fn before_a_run_the_last_failures_of_the_task_call_for_lessons() {
    let scene = Scene::new();
    let learned = scene.lesson_learned("r1").await.learned[0].lesson;
    let request = |run: Option<&str>, place: Place| LessonRequest {
        run: run.map(str::to_owned),
        call: LessonCall::PreRun,
        text: "make the weekly report".to_owned(),
        tags: Vec::new(),
        place,
        max_results: None,
        mode: RankingMode::Direct,
        exact_only: false,
        fit: None,
        scope: None,
    };
    let ask = |request: LessonRequest| scene.engine.retrieve_lessons(&scene.owner, request);
    let answer = ask(request(None, place("report", "grid"))).await.unwrap();
    assert_eq!(answer.lessons[0].lesson.id, learned);
    assert_eq!(answer.lessons[0].activation, None);
    // Another task of the same domain has the failures of the domain as its context.
    let other = ask(request(None, place("another", "grid"))).await.unwrap();
    assert_eq!(other.lessons[0].lesson.id, learned);
    // Nothing ties a strange place to the lesson, and reliability alone is no reason.
    let strange = ask(request(None, place("cook", "kitchen"))).await.unwrap();
    assert!(strange.lessons.is_empty(), "{:?}", strange.lessons);
    // Place and intent come from the run where the question lacks them.
    let start = StartRun {
        id: Some("r2".to_owned()),
        place: place("report", "grid"),
        intent: "make the weekly report".to_owned(),
        allowed_steps: Some(9),
        ..StartRun::default()
    };
    scene.engine.start_run(&scene.owner, start).await.unwrap();
    let mut bare = request(Some("r2"), Place::default());
    bare.text.clear();
    let answer = ask(bare).await.unwrap();
    assert_eq!(answer.lessons[0].lesson.id, learned);
    let run = scene.engine.run(&scene.owner, "r2").await.unwrap();
    assert_eq!(run.contents.activations.len(), 1);
    assert_eq!(run.contents.row.allowed_steps, Some(9));
}

#[tokio::test]
async fn what_is_sent_again_counts_once() {
    let scene = Scene::new();
    let steps = vec![failing("r1", 1, BAD, ERROR), working("r1", 2, GOOD)];
    for repeated in [false, true] {
        let captured = scene
            .engine
            .capture_errors(&scene.owner, steps.clone())
            .await
            .unwrap();
        assert_eq!(captured.steps[0].repeated, repeated);
    }
    let first = scene.ended("r1").await;
    let second = scene.ended("r1").await;
    assert!(!first.repeated && second.repeated);
    assert_eq!(
        (&first.learned, &first.metrics),
        (&second.learned, &second.metrics)
    );
    // The whole batch once more, after the end: known, not refused.
    let captured = scene
        .engine
        .capture_errors(&scene.owner, steps)
        .await
        .unwrap();
    assert!(captured.steps.iter().all(|step| step.repeated));
    let late = failing("r1", 3, BAD, "ERROR: disk full");
    let refused = scene
        .engine
        .capture_error(&scene.owner, late)
        .await
        .unwrap_err();
    assert!(
        matches!(&refused, EngineError::RunEnded(id) if id == "r1"),
        "{refused}"
    );
    let said = |passed: bool| EndRun {
        run: "r1".to_owned(),
        passed: Some(passed),
        ..EndRun::default()
    };
    // The first result may come late, a second one is another.
    let late = scene.engine.end_run(&scene.owner, said(true)).await;
    assert!(late.unwrap().repeated);
    let refused = scene.engine.end_run(&scene.owner, said(false)).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.code(), "operation_reused");
    let health = scene.engine.lesson_health(&scene.owner).await.unwrap();
    let totals = health.totals;
    assert_eq!(
        (totals.errors, totals.ended_runs, totals.candidates),
        (1, 1, 1)
    );
}

#[tokio::test]
async fn a_repeated_error_of_a_run_is_also_a_lack_of_progress() {
    let scene = Scene::new();
    let steps = vec![
        failing("r1", 1, BAD, ERROR),
        failing("r1", 2, BAD, ERROR),
        failing("r2", 1, BAD, ERROR),
    ];
    let captured = scene
        .engine
        .capture_errors(&scene.owner, steps)
        .await
        .unwrap();
    let channels: Vec<_> = captured
        .steps
        .iter()
        .map(|step| step.error.as_ref().unwrap().channels.clone())
        .collect();
    let hard = vec![Channel::HardFailure];
    let stuck = vec![Channel::HardFailure, Channel::ProgressSignal];
    assert_eq!(channels, [hard.clone(), stuck.clone(), hard]);
    let third = failing("r1", 3, BAD, ERROR);
    let third = scene
        .engine
        .capture_error(&scene.owner, third)
        .await
        .unwrap();
    assert_eq!(third.error.unwrap().channels, stuck);
}

#[tokio::test]
async fn an_idle_run_ends_at_the_next_verb() {
    let scene = Scene::new();
    scene.failed("r1", 1, BAD, ERROR).await;
    scene.worked("r1", 2, GOOD).await;
    scene.clock.set(minute(29));
    scene.worked("r2", 1, GOOD).await;
    let open = scene.engine.run(&scene.owner, "r1").await.unwrap();
    assert!(open.contents.row.end.is_none());
    scene.clock.set(minute(31));
    scene.worked("r2", 2, GOOD).await;
    let run = scene.engine.run(&scene.owner, "r1").await.unwrap();
    assert!(run.contents.row.end.unwrap().idle);
    let lessons = LessonPage {
        limit: 9,
        ..LessonPage::default()
    };
    assert_eq!(
        scene
            .engine
            .lessons(&scene.owner, lessons)
            .await
            .unwrap()
            .rows
            .len(),
        1
    );
    let other = scene.engine.run(&scene.owner, "r2").await.unwrap();
    assert!(other.contents.row.end.is_none(), "it was reported to");
    // The evaluator comes late: its result is kept, and the end is not made again.
    let late = |passed: bool| EndRun {
        run: "r1".to_owned(),
        passed: Some(passed),
        score: Some(0.25),
        ..EndRun::default()
    };
    let ended = scene
        .engine
        .end_run(&scene.owner, late(true))
        .await
        .unwrap();
    assert!(ended.idle && ended.repeated);
    let end = scene
        .engine
        .run(&scene.owner, "r1")
        .await
        .unwrap()
        .contents
        .row
        .end
        .unwrap();
    assert_eq!((end.passed, end.score), (Some(true), Some(0.25)));
    assert!(
        scene
            .engine
            .end_run(&scene.owner, late(false))
            .await
            .is_err()
    );
}

#[tokio::test]
async fn a_run_that_is_spoken_of_is_not_idle() {
    let scene = Scene::new();
    scene.failed("r1", 1, BAD, ERROR).await;
    scene.clock.set(minute(90));
    scene.worked("r1", 2, GOOD).await;
    let run = scene.engine.run(&scene.owner, "r1").await.unwrap();
    assert!(run.contents.row.end.is_none());
    assert_eq!(scene.ended("r1").await.learned.len(), 1);
}

#[tokio::test]
async fn lessons_are_withheld_from_control_runs() {
    let scene = Scene::with_control(1.0);
    let learned = scene.lesson_learned("r1").await.learned[0].lesson;
    let answer = scene.asked(Some("r2"), 1, ERROR).await;
    assert!(answer.control && answer.lessons.is_empty());
    assert_eq!(answer.withheld, 1);
    // Without a run no comparison is possible, so nothing is withheld.
    assert_eq!(scene.asked(None, 1, ERROR).await.lessons.len(), 1);
    scene.failed("r2", 1, BAD, ERROR).await;
    let ended = scene.ended("r2").await;
    assert!(ended.settled.is_empty() && ended.metrics.control);
    assert_eq!((ended.metrics.activations, ended.metrics.withheld), (0, 1));
    let health = scene.engine.lesson_health(&scene.owner).await.unwrap();
    assert_eq!((health.totals.withheld, health.totals.activations), (1, 0));
    assert_eq!(health.control_share, Some(1.0));
    // Nothing was used, and a withheld lesson is no missed opportunity.
    let lesson = scene
        .engine
        .lesson(&scene.owner, learned)
        .await
        .unwrap()
        .lesson;
    assert_eq!(
        (lesson.counts.retrieved, lesson.unused_opportunities),
        (0, 0)
    );
}

#[tokio::test]
async fn an_exact_question_finds_only_what_the_fingerprint_triggers() {
    let scene = Scene::new();
    let learned = scene.lesson_learned("r1").await.learned[0].lesson;
    let mut request = on_error(None, 1, ERROR);
    request.exact_only = true;
    let answer = scene
        .engine
        .retrieve_lessons(&scene.owner, request)
        .await
        .unwrap();
    assert_eq!(answer.lessons[0].lesson.id, learned);
    // A neighbour is reached over a tag, as its path shows.
    let near = &format!("{ERROR} near line 4 of the query");
    let neighbour = scene.asked(None, 1, near).await;
    assert_eq!(neighbour.lessons[0].lesson.id, learned);
    assert!(!matches!(neighbour.lessons[0].path, Path::Exact { .. }));
    let mut request = on_error(None, 1, near);
    request.exact_only = true;
    let answer = scene
        .engine
        .retrieve_lessons(&scene.owner, request)
        .await
        .unwrap();
    assert!(answer.lessons.is_empty());
}

#[tokio::test]
async fn errors_that_are_not_latin_and_huge_ones_are_kept_apart() {
    let scene = Scene::new();
    let huge = "boom ".repeat(2_000_000);
    let mut steps = vec![
        failing("r1", 1, "run", "找不到文件"),
        failing("r1", 2, "run", "权限不足"),
        failing("r1", 3, "run", &huge),
    ];
    steps[2].report.evidence.state = Value::from("x".repeat(300_000));
    let captured = scene
        .engine
        .capture_errors(&scene.owner, steps)
        .await
        .unwrap();
    let print = |n: usize| {
        captured.steps[n]
            .error
            .as_ref()
            .unwrap()
            .fingerprints
            .fine
            .id
    };
    assert_ne!(print(0), print(1));
    let notes = &captured.steps[2].notes;
    assert!(notes[0].contains("`error` has 10000000 bytes"), "{notes:?}");
    assert_eq!(notes.len(), 2);
    assert!(captured.steps[2].error.as_ref().unwrap().error.len() < 10_000);
}

#[tokio::test]
async fn what_cannot_be_is_refused_in_clear_words() {
    let scene = Scene::new();
    let owner = &scene.owner;
    let step = vec![failing("r1", 1, BAD, ERROR)];
    let unnamed = scene.engine.capture_call(owner, Some("\n"), step).await;
    let error = unnamed.unwrap_err();
    assert!(error.to_string().contains("call"), "{error}");
    let nameless = failing(" ", 1, BAD, ERROR);
    let error = scene
        .engine
        .capture_error(owner, nameless)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("run"), "{error}");
    let many = vec![failing("r1", 1, BAD, ERROR); 501];
    let error = scene.engine.capture_errors(owner, many).await.unwrap_err();
    assert!(error.to_string().contains("at most 500"), "{error}");
    let end = |run: &str, score: f64| EndRun {
        run: run.to_owned(),
        score: Some(score),
        ..EndRun::default()
    };
    let error = scene
        .engine
        .end_run(owner, end("nope", 0.5))
        .await
        .unwrap_err();
    assert_eq!((error.code(), error.hint().is_some()), ("no_run", true));
    scene.worked("r1", 1, GOOD).await;
    for score in [1.5, -0.1, f64::NAN] {
        assert!(
            scene.engine.end_run(owner, end("r1", score)).await.is_err(),
            "{score}"
        );
    }
    let unknown = "l_0123456789abcdef0123".parse().unwrap();
    let error = scene.engine.lesson(owner, unknown).await.unwrap_err();
    assert_eq!(error.code(), "no_lesson");
    let unknown = "a_0123456789abcdef0123".parse().unwrap();
    let error = scene.engine.activation(owner, unknown).await.unwrap_err();
    assert_eq!(error.code(), "no_activation");
    assert_eq!(
        scene.engine.run(owner, "nope").await.unwrap_err().code(),
        "no_run"
    );
}

#[tokio::test]
async fn listings_go_on_where_they_ended() {
    let scene = Scene::new();
    for n in 0..7 {
        scene.clock.set(minute(n));
        scene.failed(&format!("r{n}"), 1, BAD, ERROR).await;
    }
    let mut seen = Vec::new();
    let mut page = RunPage {
        after: None,
        limit: 3,
        ..RunPage::default()
    };
    loop {
        let part = scene.engine.runs(&scene.owner, page.clone()).await.unwrap();
        seen.extend(part.rows.into_iter().map(|run| run.id));
        match part.next {
            Some(next) => page.after = Some(next),
            None => break,
        }
    }
    seen.sort();
    assert_eq!(seen, ["r0", "r1", "r2", "r3", "r4", "r5", "r6"]);
    let page = ErrorPage {
        limit: 3,
        ..ErrorPage::default()
    };
    let errors = scene.engine.errors(&scene.owner, page).await.unwrap();
    assert!(errors.rows.len() == 3 && errors.next.is_some());
}

#[tokio::test]
async fn a_lesson_of_a_run_with_many_tools_is_about_the_tool_of_its_error() {
    let scene = Scene::new();
    let steps = [
        (working("r1", 1, "who is it"), "lookup"),
        (failing("r1", 2, BAD, ERROR), "booking"),
        (working("r1", 3, GOOD), "booking"),
        (working("r1", 4, "who was it"), "lookup"),
    ];
    for (mut step, tool) in steps {
        step.report.place.tool = Some(tool.to_owned());
        scene
            .engine
            .capture_error(&scene.owner, step)
            .await
            .unwrap();
    }
    let learned = scene.ended("r1").await.learned;
    let detail = scene.engine.lesson(&scene.owner, learned[0].lesson).await;
    assert_eq!(
        detail.unwrap().lesson.place.tool.as_deref(),
        Some("booking")
    );
    let run = scene.engine.run(&scene.owner, "r1").await.unwrap();
    assert_eq!(run.contents.row.place.tool, None);
    for (tool, lane) in [
        (Some("booking"), RetrievalChannel::Strict),
        (None, RetrievalChannel::Strict),
        (Some("lookup"), RetrievalChannel::Transfer),
    ] {
        let mut request = on_error(None, 1, ERROR);
        request.place = Place {
            tool: tool.map(str::to_owned),
            ..place("report", "grid")
        };
        let found = scene.engine.retrieve_lessons(&scene.owner, request).await;
        assert_eq!(found.unwrap().lessons[0].lane, lane, "{tool:?}");
    }
}

#[tokio::test]
async fn zero_or_negative_progress_twice_in_a_row_is_a_failure() {
    let scene = Scene::new();
    let step = |number: u32, action: &str, progress: Option<f64>, is_unsafe: bool| {
        let mut input = working("walk", number, action);
        input.report.exit_code = None;
        input.report.feedback.progress = progress;
        input.report.unsafe_action = is_unsafe;
        input
    };
    let steps = vec![
        step(1, "move north", Some(-0.5), false),
        step(2, "move east", Some(0.0), false),
        step(3, "look", None, false),
        step(4, "move east", Some(-1.0), false),
        step(5, "move west", Some(2.0), false),
        step(6, "move west", Some(0.0), false),
        step(7, "press red", None, true),
    ];
    let captured = scene
        .engine
        .capture_errors(&scene.owner, steps)
        .await
        .unwrap();
    let failed: Vec<(u32, &str)> = captured
        .steps
        .iter()
        .filter_map(|step| Some((step.step, step.error.as_ref()?.channels[0].word())))
        .collect();
    assert_eq!(
        failed,
        [
            (2, "progress_signal"),
            (4, "progress_signal"),
            (7, "hard_failure")
        ]
    );
    // The next call continues from there, in another process too.
    let next = step(8, "move up", Some(-1.0), false);
    let captured = scene
        .another()
        .capture_error(&scene.owner, next)
        .await
        .unwrap();
    assert!(captured.error.is_some());
}
