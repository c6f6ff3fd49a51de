//! Numbers of steps are given by the store: no call loses one, none counts twice, none takes another's.

use hindlore::EngineError;
use hindlore::lessons::StepInput;
use hindlore_domain::lesson::event::NEXT_STEP;

use super::scene::{Scene, failing, working};

const CALLS: usize = 25;

/// The actions of the steps of a run, in their order.
async fn actions(scene: &Scene, run: &str) -> Vec<(u32, String)> {
    let found = scene.engine.run(&scene.owner, run).await.unwrap();
    let steps = found.contents.steps.into_iter();
    steps.map(|step| (step.step, step.action)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_at_the_same_time_lose_no_step() {
    let scene = Scene::new();
    let calls = (0..CALLS).map(|n| {
        let (engine, owner) = (scene.engine.clone(), scene.owner.clone());
        let step = match n % 2 {
            0 => failing(
                "r",
                NEXT_STEP,
                &format!("try {n}"),
                &format!("error of kind {n}x"),
            ),
            _ => working("r", NEXT_STEP, &format!("try {n}")),
        };
        tokio::spawn(async move { engine.capture_error(&owner, step).await })
    });
    let calls: Vec<_> = calls.collect();
    let mut numbers = Vec::new();
    for call in calls {
        let captured = call.await.unwrap().unwrap();
        assert!(!captured.repeated);
        assert_eq!(
            captured
                .error
                .map(|error| error.step)
                .unwrap_or(captured.step),
            captured.step
        );
        numbers.push(captured.step);
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=CALLS as u32).collect::<Vec<_>>());
    let mut tried: Vec<String> = actions(&scene, "r")
        .await
        .into_iter()
        .map(|one| one.1)
        .collect();
    tried.sort_unstable();
    tried.dedup();
    assert_eq!(tried.len(), CALLS);
}

#[tokio::test]
async fn steps_without_numbers_follow_those_with() {
    let scene = Scene::new();
    let steps = vec![
        working("r", 7, "a"),
        working("r", NEXT_STEP, "b"),
        working("r", 3, "c"),
        failing("r", NEXT_STEP, "d", "no such thing"),
        working("s", NEXT_STEP, "e"),
    ];
    let captured = scene
        .engine
        .capture_errors(&scene.owner, steps)
        .await
        .unwrap();
    let numbers: Vec<u32> = captured.steps.iter().map(|step| step.step).collect();
    assert_eq!(numbers, [7, 8, 3, 9, 1]);
    assert_eq!(captured.steps[3].error.as_ref().unwrap().step, 9);
}

#[tokio::test]
async fn a_call_that_is_sent_again_counts_once_also_after_the_run_has_ended() {
    let scene = Scene::new();
    let call = || {
        vec![
            failing("r", NEXT_STEP, "a", "boom"),
            working("r", NEXT_STEP, "b"),
        ]
    };
    let send = |id: &'static str, steps: Vec<StepInput>| {
        scene.engine.capture_call(&scene.owner, Some(id), steps)
    };
    let first = send("c1", call()).await.unwrap();
    assert!(first.steps.iter().all(|step| !step.repeated));
    let other = send("c2", call()).await.unwrap();
    scene.ended("r").await;
    let again = send("c1", call()).await.unwrap();
    assert!(again.steps.iter().all(|step| step.repeated));
    let numbers = |of: &hindlore::lessons::Captured| -> Vec<u32> {
        of.steps.iter().map(|step| step.step).collect()
    };
    assert_eq!((numbers(&first), numbers(&again)), (vec![1, 2], vec![1, 2]));
    assert_eq!(numbers(&other), [3, 4]);
    let (first, again) = (&first.steps[0].error, &again.steps[0].error);
    assert_eq!(first.as_ref().unwrap().id, again.as_ref().unwrap().id);
    assert_eq!(actions(&scene, "r").await.len(), 4);
    // The id belongs to its first contents.
    let refused = send("c1", vec![working("r", NEXT_STEP, "c")])
        .await
        .unwrap_err();
    assert!(
        matches!(refused, EngineError::OperationReused(_)),
        "{refused}"
    );
}

#[tokio::test]
async fn a_number_belongs_to_the_action_that_has_it() {
    let scene = Scene::new();
    let send = |steps: Vec<StepInput>| scene.engine.capture_errors(&scene.owner, steps);
    send(vec![failing("r", 1, "npm test", "missing script")])
        .await
        .unwrap();
    let again = send(vec![failing("r", 1, "npm test", "missing script")])
        .await
        .unwrap();
    assert!(again.steps[0].repeated);
    // One step may fail in two ways.
    let second = send(vec![failing("r", 1, "npm test", "and no lock file")])
        .await
        .unwrap();
    assert!(!second.steps[0].repeated);
    for step in [
        failing("r", 1, "pytest", "not found"),
        working("r", 1, "pytest"),
    ] {
        let refused = send(vec![working("r", 2, "x"), step]).await.unwrap_err();
        assert_eq!(refused.code(), "step_taken");
        let message = refused.to_string();
        assert!(
            message.contains("step 1") && message.contains("`npm test`"),
            "{message}"
        );
    }
    let twice = send(vec![working("r", 5, "x"), working("r", 5, "y")])
        .await
        .unwrap_err();
    assert_eq!(twice.code(), "step_taken");
    // Nothing of a refused call is written.
    assert_eq!(actions(&scene, "r").await, [(1, "\"npm test\"".to_owned())]);
}
