//! Before an action: who is warned, and what becomes of a warning.

use mnemograph::domain::lesson::activation::Trigger;
use mnemograph::domain::lesson::evidence_row::RowKind;
use mnemograph::domain::lesson::lesson::Place;
use mnemograph::domain::lesson::retrieval::query::RankingMode;
use mnemograph::domain::lesson::retrieval::walk::Path;
use mnemograph::engine::lessons::{LessonCall, LessonRequest, StepInput, Trace};
use serde_json::Value;

use super::scene::{BAD, ERROR, GOOD, Scene, failing, working};

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
    let ask = |run: Option<&str>, action: &str| LessonRequest {
        run: run.map(str::to_owned),
        call: LessonCall::BeforeAction {
            action: Value::from(action),
        },
        text: String::new(),
        tags: Vec::new(),
        // The caller need not say which tool it is.
        place: Place::default(),
        max_results: None,
        mode: RankingMode::Direct,
        exact_only: false,
    };
    let asked = |run: Option<&'static str>, action: &'static str| {
        scene
            .engine
            .retrieve_lessons(&scene.owner, ask(run, action))
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
    assert_eq!(ended.settled[0].row, Some(RowKind::Averted));
}
