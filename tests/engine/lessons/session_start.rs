//! The start of a session, and a question without a place: the lessons offered, and their outcomes.

use hindlore::lessons::{LessonCall, LessonRequest, LessonsRetrieved};
use hindlore_domain::lesson::activation::Trigger;
use hindlore_domain::lesson::lesson::{Place, Status};
use hindlore_domain::lesson::retrieval::query::RankingMode;
use hindlore_domain::lesson::retrieval::walk::Path;

use super::scene::{GOOD, Scene, foreign, working};
use super::world::place;

fn question(call: LessonCall, text: &str, place: Place) -> LessonRequest {
    LessonRequest {
        run: None,
        call,
        text: text.to_owned(),
        tags: Vec::new(),
        place,
        max_results: None,
        mode: RankingMode::Direct,
        exact_only: false,
        fit: None,
        scope: None,
    }
}

async fn asked(scene: &Scene, request: LessonRequest) -> LessonsRetrieved {
    let found = scene.engine.retrieve_lessons(&scene.owner, request).await;
    found.unwrap()
}

fn rules(found: &LessonsRetrieved) -> Vec<&str> {
    let rules = found.lessons.iter().map(|hit| hit.lesson.rule.as_str());
    rules.collect()
}

#[tokio::test]
async fn a_session_begins_with_what_is_proved_and_each_lesson_told_is_an_offer() {
    let scene = Scene::new();
    let learned = scene.lesson_learned("r1").await.learned;
    let proved = "WRONG gridtool open <1> → CORRECT gridtool load <1>";
    let elsewhere = "WRONG robot walk → CORRECT robot crawl";
    let mut lessons = vec![
        foreign(proved, "no such command open", Status::Promoted),
        foreign(elsewhere, "the robot fell", Status::Promoted),
        foreign(
            "WRONG gridtool x → CORRECT gridtool y",
            "x is gone",
            Status::Suppressed,
        ),
    ];
    lessons[1].place = place("walk", "robot");
    scene.imported(lessons).await;
    let mut request = question(LessonCall::SessionStart, "", place("report", "grid"));
    let told = asked(&scene, request.clone()).await;
    assert_eq!(rules(&told), [proved, learned[0].rule.as_str()]);
    assert!(told.lessons.iter().all(|hit| hit.activation.is_none()));
    request.run = Some("r2".to_owned());
    let told = asked(&scene, request.clone()).await;
    let hit = &told.lessons[1];
    let row = scene
        .engine
        .activation(&scene.owner, hit.activation.unwrap())
        .await
        .unwrap();
    assert_eq!(
        (row.activation.moment, row.activation.step),
        (Trigger::PreRun, 0)
    );
    // A repetition is the same offer.
    assert_eq!(
        asked(&scene, request).await.lessons[1].activation,
        hit.activation
    );
    scene.worked("r2", 1, GOOD).await;
    let ended = scene.ended("r2").await;
    let settled: Vec<_> = ended.settled.iter().map(|one| one.lesson).collect();
    assert!(settled.contains(&hit.lesson.id), "{settled:?}");
    let everywhere = asked(
        &scene,
        question(LessonCall::SessionStart, "", Place::default()),
    )
    .await;
    assert_eq!(everywhere.lessons.len(), 3);
}

#[tokio::test]
async fn a_question_that_names_no_place_is_answered_by_its_words_and_by_what_failed_last() {
    let scene = Scene::new();
    let other = "WRONG docker run <1> → CORRECT docker run --rm <1>";
    let foreign = || foreign(other, "the container is there already", Status::Candidate);
    scene.imported(vec![foreign()]).await;
    let pre_run = |text: &str| question(LessonCall::PreRun, text, Place::default());
    let found = asked(&scene, pre_run("docker containers")).await;
    assert_eq!(rules(&found), [other]);
    assert_eq!(found.lessons[0].path, Path::Text);
    let cake = "bake a cake for a birthday";
    assert_eq!(asked(&scene, pre_run(cake)).await.lessons, []);
    // Lessons of recent failures are offered in addition to those that the words ask for, and nothing else is.
    scene.lesson_learned("r1").await;
    let found = asked(&scene, pre_run("docker containers")).await;
    assert!(matches!(found.lessons[0].path, Path::Exact { .. }));
    assert_eq!(rules(&found)[1], other);
    let found = asked(&scene, pre_run(cake)).await;
    assert_eq!(found.lessons.len(), 1);
    assert!(matches!(found.lessons[0].path, Path::Exact { .. }));
}

/// The first call of a session may be of any tool, as one that starts a sub-agent.
#[tokio::test]
async fn the_tool_of_the_first_call_confines_no_brief() {
    let scene = Scene::new();
    let proved = "WRONG gridtool open <1> → CORRECT gridtool load <1>";
    let mut lesson = foreign(proved, "no such command open", Status::Promoted);
    lesson.place.tool = Some("Bash".to_owned());
    scene.imported(vec![lesson]).await;
    let mut step = working("r1", 1, "agent");
    step.report.place.tool = Some("Agent".to_owned());
    scene
        .engine
        .capture_error(&scene.owner, step)
        .await
        .unwrap();
    let mut request = question(LessonCall::SessionStart, "", Place::default());
    request.run = Some("r1".to_owned());
    assert_eq!(rules(&asked(&scene, request).await), [proved]);
}

#[tokio::test]
async fn a_preparation_that_was_not_always_needed_waits_for_its_error() {
    let scene = Scene::new();
    let (push, pull) = ("git push origin main", "git pull --rebase origin main");
    let said = "error: failed to push some refs to 'a'\nhint: the tip of your branch is behind its remote counterpart";
    let told = async || {
        let request = question(LessonCall::SessionStart, "", Place::default());
        let found = scene.engine.retrieve_lessons(&scene.owner, request).await;
        found.unwrap().lessons.len()
    };
    for run in ["r1", "r2"] {
        scene.failed(run, 1, push, said).await;
        scene.worked(run, 2, pull).await;
        scene.worked(run, 3, push).await;
        scene.ended(run).await;
    }
    assert_eq!(told().await, 1);
    scene.worked("r3", 1, push).await;
    scene.ended("r3").await;
    assert_eq!(told().await, 0);
    scene.failed("r4", 1, push, said).await;
    assert_eq!(scene.asked(Some("r4"), 1, said).await.lessons.len(), 1);
}
