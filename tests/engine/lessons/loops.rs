//! The loop that the README shows, session after session: a lesson is offered, followed, and stays.

use hindlore_domain::lesson::evidence::evidence_row::RowKind;
use hindlore_domain::lesson::lesson::Status;
use hindlore_store::lessons::reading::ActivationPage;

use super::scene::Scene;

/// The failing form, the working one, and the tool's message.
const TOOLS: [(&str, &str, &str); 5] = [
    (
        "git push origin main",
        "git push origin HEAD:feature/x",
        "remote: error: GH006: Protected branch update failed for refs/heads/main.",
    ),
    (
        "gt report --fmt csv",
        "gt report --format csv",
        "ERROR: unknown option --fmt; formats are given by --format",
    ),
    (
        "docker run -it app",
        "docker run -t app",
        "the input device is not a TTY",
    ),
    (
        "kubectl get pod --ns web",
        "kubectl get pod --namespace web",
        "error: unknown flag: --ns",
    ),
    (
        "tar xf data.zip",
        "tar --zip xf data.zip",
        "tar: This does not look like a tar archive",
    ),
];
const SESSIONS: usize = 40;

async fn all_promoted(scene: &Scene) -> usize {
    let lessons = scene.lessons().await;
    assert!(
        lessons.iter().all(|one| one.status == Status::Promoted),
        "{lessons:?}"
    );
    lessons.len()
}

#[tokio::test]
async fn a_hint_on_error_is_offered_in_nearly_all_sessions_and_ends_promoted() {
    let scene = Scene::with_control(0.1);
    let mut offered = 0;
    for session in 1..=SESSIONS {
        let run = format!("s{session}");
        scene.pass();
        let mut step = 0;
        for (wrong, right, error) in TOOLS {
            scene.step(&run, step + 1, wrong, Some(error)).await;
            let hints = scene.hinted(&run, step + 1, wrong, error).await.lessons;
            let is_known = hints.iter().any(|hit| {
                let rule = &hit.lesson.rule;
                rule.rewrite(wrong).as_deref() == Some(right)
            });
            offered += usize::from(is_known && session > 2);
            scene.step(&run, step + 2, right, None).await;
            step += 2;
        }
        scene.ended(&run).await;
    }
    let later = (SESSIONS - 2) * TOOLS.len();
    assert!(offered * 10 >= later * 9, "{offered} of {later}");
    assert_eq!(all_promoted(&scene).await, TOOLS.len());
}

#[tokio::test]
async fn an_agent_that_asks_before_it_acts_stops_making_the_error() {
    let scene = Scene::with_control(0.1);
    let (wrong, right, error) = TOOLS[0];
    let (mut errors, mut controls) = (0, 0);
    for session in 1..=SESSIONS {
        let run = format!("s{session}");
        let told = scene.briefed(&run, "git push my work").await;
        controls += usize::from(told.control);
        if told.lessons.is_empty() {
            scene.step(&run, 1, wrong, Some(error)).await;
            errors += 1;
        }
        scene.step(&run, 2, right, None).await;
        scene.ended(&run).await;
    }
    // But for the first two it meets the error only where chance withholds the advice.
    assert!(
        controls > 0 && errors <= controls + 2,
        "{errors} errors, {controls} control runs"
    );
    assert_eq!(all_promoted(&scene).await, 1);
    let lesson = scene.lessons().await[0].id;
    let page = ActivationPage {
        lesson,
        after: None,
        limit: 100,
    };
    let uses = scene
        .engine
        .store()
        .activations(&scene.owner, page)
        .await
        .unwrap();
    let averted = uses.iter().filter(|row| {
        let outcome = row.activation.outcome;
        outcome.is_some_and(|outcome| outcome.row.kind == RowKind::Averted)
    });
    assert_eq!(averted.count(), SESSIONS - errors);
}
