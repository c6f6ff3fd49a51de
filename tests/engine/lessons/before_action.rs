//! Before an action: the warnings, and their outcomes.

use hindlore::lessons::{KnownLessons, LessonCall, LessonRequest, StepInput, Trace};
use hindlore_domain::lesson::activation::Trigger;
use hindlore_domain::lesson::evidence::evidence_row::RowKind;
use hindlore_domain::lesson::lesson::{LearnerId, Place, Status};
use hindlore_domain::lesson::retrieval::query::RankingMode;
use hindlore_domain::lesson::retrieval::walk::Path;
use serde_json::{Value, json};

use super::scene::{BAD, ERROR, GOOD, Scene, failing, foreign, on_error, working};

/// A question before an action; the caller need not name the tool.
fn about(run: Option<&str>, action: Value) -> LessonRequest {
    LessonRequest {
        run: run.map(str::to_owned),
        call: LessonCall::BeforeAction {
            action,
            known: KnownLessons::default(),
        },
        text: String::new(),
        tags: Vec::new(),
        place: Place::default(),
        max_results: None,
        mode: RankingMode::Direct,
        exact_only: false,
        fit: None,
        scope: None,
    }
}

#[tokio::test]
async fn an_action_of_a_wrong_form_is_warned_of_and_what_is_averted_counts() {
    let scene = Scene::new();
    let learned = |run: &'static str| {
        let of_tool = |mut step: StepInput| {
            step.report.place.tool = Some("gridtool".to_owned());
            step
        };
        let steps = vec![
            of_tool(failing(run, 1, BAD, ERROR)),
            of_tool(working(run, 2, GOOD)),
        ];
        Trace {
            steps,
            ..Trace::default()
        }
    };
    let taught = scene
        .engine
        .learn_trace(&scene.owner, learned("r1"))
        .await
        .unwrap();
    let lesson = taught.ended[0].learned[0].lesson;
    let asked = |run: Option<&'static str>, action: &'static str| {
        let request = about(run, json!(action));
        scene.engine.retrieve_lessons(&scene.owner, request)
    };
    for quiet in [GOOD, "gridtool load x", "ls"] {
        assert_eq!(asked(None, quiet).await.unwrap().lessons, [], "{quiet}");
    }
    let told = asked(Some("r2"), BAD).await.unwrap();
    assert_eq!(told.lessons.len(), 1);
    let hit = &told.lessons[0];
    assert_eq!((hit.lesson.id, &hit.path), (lesson, &Path::WrongForm));
    let row = scene
        .engine
        .activation(&scene.owner, hit.activation.unwrap())
        .await
        .unwrap();
    assert_eq!(row.activation.moment, Trigger::BeforeAction);
    // Asked again before any step it is the same use.
    let again = asked(Some("r2"), BAD).await.unwrap();
    assert_eq!(again.lessons[0].activation, hit.activation);
    scene.worked("r2", 1, GOOD).await;
    let ended = scene.ended("r2").await;
    assert_eq!(ended.settled.len(), 1);
    assert_eq!(ended.settled[0].row, RowKind::Averted);
}

#[tokio::test]
async fn what_a_run_has_put_right_is_not_warned_of_again_in_it() {
    const PUSH: &str = "git push";
    const UPSTREAM: &str = "git push --set-upstream origin topic";
    let scene = Scene::new();
    let said = "fatal: The current branch topic has no upstream branch.\nTo push it, use\n\n    \
        git push --set-upstream origin topic";
    for run in ["r1", "r2"] {
        scene.failed(run, 1, PUSH, said).await;
        scene.worked(run, 2, UPSTREAM).await;
        scene.ended(run).await;
    }
    let asked = async |run: &str| {
        let request = about(Some(run), json!(PUSH));
        let found = scene.engine.retrieve_lessons(&scene.owner, request).await;
        found.unwrap().lessons.len()
    };
    assert_eq!(asked("r3").await, 1);
    scene.worked("r4", 1, UPSTREAM).await;
    assert_eq!(asked("r4").await, 0, "the branch has an upstream now");
}

/// A line in every shape in which harnesses report it.
fn shapes(line: &str) -> Vec<Value> {
    vec![
        json!(line),
        json!(format!("cd app && {line}")),
        json!(format!("FOO=1 {line}")),
        json!(line.split(' ').collect::<Vec<_>>()),
        json!(["bash", "-lc", line]),
        json!(["bash", "-lc", format!("cd app && {line}")]),
        json!(format!("bash -lc '{line}'")),
        json!({"name": "Bash", "arguments": {"command": format!("cd app && {line}")}}),
        json!({"tool": "shell", "input": {"command": ["bash", "-lc", line]}}),
        json!(json!({"name": "Bash", "arguments": {"command": line}}).to_string()),
    ]
}

#[tokio::test]
async fn every_shape_of_an_action_meets_what_was_learned_from_any_other() {
    let scene = Scene::new();
    let pairs = shapes("npm test")
        .into_iter()
        .zip(shapes("npm run test:unit"));
    for (at, (bad, good)) in pairs.enumerate() {
        let owner = LearnerId::new("t", &format!("learner {at}")).unwrap();
        let mut steps = [
            failing(
                "r1",
                1,
                "",
                "npm error Missing script: \"test\"\nnpm error Did you mean this?\nnpm error   npm run test:unit",
            ),
            working("r1", 2, ""),
        ];
        steps[0].report.evidence.action = bad.clone();
        steps[1].report.evidence.action = good.clone();
        let trace = Trace {
            steps: steps.into(),
            ..Trace::default()
        };
        scene.engine.learn_trace(&owner, trace).await.unwrap();
        for action in shapes("npm test") {
            let request = about(None, action.clone());
            let found = scene
                .engine
                .retrieve_lessons(&owner, request)
                .await
                .unwrap();
            assert_eq!(
                found.lessons.len(),
                1,
                "learned from {bad}, asked with {action}"
            );
        }
        for action in shapes("npm run test:unit") {
            let request = about(None, action.clone());
            let found = scene
                .engine
                .retrieve_lessons(&owner, request)
                .await
                .unwrap();
            assert_eq!(found.lessons, [], "learned from {bad}, asked with {action}");
        }
    }
}

#[tokio::test]
async fn a_wrong_form_is_found_among_any_number_of_lessons_of_its_program() {
    let scene = Scene::new();
    let rule = |n: usize| format!("WRONG git push <1> old{n} → CORRECT git push <1> new{n}");
    let lessons = (0..400).map(|n| foreign(&rule(n), &format!("refused {n}"), Status::Candidate));
    scene.imported(lessons.collect()).await;
    for n in [0, 7, 399] {
        let request = about(None, json!(format!("git push origin old{n}")));
        let found = scene
            .engine
            .retrieve_lessons(&scene.owner, request)
            .await
            .unwrap();
        let rules: Vec<&str> = found
            .lessons
            .iter()
            .map(|hit| hit.lesson.rule.as_str())
            .collect();
        assert_eq!(rules, [rule(n)]);
        // The work depends on the question, not on the number of lessons.
        assert_eq!(found.rows, 1);
    }
}

/// A tool that has turned: its former right form fails, and the former wrong one is right now.
#[tokio::test]
async fn a_lesson_is_silent_where_its_right_form_fails() {
    let scene = Scene::new();
    scene.lesson_learned("r1").await;
    let before = async |run: &'static str| {
        let request = about(Some(run), json!(BAD));
        let found = scene.engine.retrieve_lessons(&scene.owner, request).await;
        found.unwrap().lessons.len()
    };
    assert_eq!(before("r2").await, 1);
    // The same error, and an action that followed the lesson already.
    let mut request = on_error(None, 1, ERROR);
    let LessonCall::OnError { evidence, .. } = &mut request.call else {
        unreachable!()
    };
    evidence.action = json!(GOOD);
    let found = scene.engine.retrieve_lessons(&scene.owner, request).await;
    assert_eq!(found.unwrap().lessons, []);
    scene.failed("r3", 1, GOOD, ERROR).await;
    assert_eq!(before("r3").await, 0);
}

/// The message of another program, or about another option of the same one.
#[tokio::test]
async fn a_lesson_is_told_on_its_own_fault_and_not_on_a_similar_message() {
    let scene = Scene::new();
    let error = |option: &str| format!("tool: unknown option '--{option}'");
    for run in ["r1", "r2"] {
        scene
            .failed(run, 1, "./a --colour x", &error("colour"))
            .await;
        scene.worked(run, 2, "./a --color x").await;
        scene.ended(run).await;
    }
    for (action, option, told) in [
        ("./a --colour y", "colour", 1),
        ("./a --size y", "size", 0),
        ("./b --size y", "size", 0),
    ] {
        let mut request = on_error(None, 1, &error(option));
        let LessonCall::OnError { evidence, .. } = &mut request.call else {
            unreachable!()
        };
        evidence.action = json!(action);
        let found = scene.engine.retrieve_lessons(&scene.owner, request).await;
        assert_eq!(found.unwrap().lessons.len(), told, "{action}");
    }
}
