//! Lessons of older rows: found by the fingerprint that their error had, and tied to the one that it has now.

use hindlore::domain::lesson::fingerprint::{Evidence, Fingerprinter, Level, former_ids};
use hindlore::domain::lesson::ids::FingerprintId;
use hindlore::domain::lesson::lesson::{Lesson, Status};
use hindlore::domain::lesson::retrieval::walk::Path;
use serde_json::{Value, json};

use super::scene::{BAD, ERROR, Scene, foreign, on_error};

fn evidence() -> Evidence {
    Evidence {
        error: Value::from(ERROR),
        action: json!(BAD),
        ..Evidence::default()
    }
}

/// A scene whose only lesson was learned under the first rules.
async fn scene(rule: &str) -> (Scene, FingerprintId) {
    let scene = Scene::new();
    let (fine, coarse) = former_ids(&evidence());
    let mut lesson = foreign(rule, ERROR, Status::Candidate);
    lesson.triggers = vec![fine, coarse];
    lesson.tags = vec!["of_its_own".to_owned()];
    scene.imported(vec![lesson]).await;
    (scene, fine)
}

#[tokio::test]
async fn an_error_finds_the_lesson_that_it_left_under_the_first_rules() {
    let (scene, before) = scene("Use lower case for the direction of a sort").await;
    let now = Fingerprinter::default().of(&evidence()).fine.id;
    assert_ne!(now, before);
    let mut exact = on_error(None, 1, ERROR);
    exact.exact_only = true;
    for request in [on_error(None, 1, ERROR), exact] {
        let answer = scene.engine.retrieve_lessons(&scene.owner, request).await;
        let answer = answer.unwrap();
        assert_eq!(answer.lessons.len(), 1, "{answer:?}");
        let hit = &answer.lessons[0];
        assert_eq!(hit.parts.fingerprint_match, 1.0);
        let way = Path::Exact {
            fingerprint: now,
            level: Level::Fine,
        };
        assert_eq!(hit.path, way);
    }
    let other = scene.asked(None, 1, "disk is full").await;
    let is_exact = |path: &Path| matches!(path, Path::Exact { .. });
    assert!(other.lessons.iter().all(|hit| !is_exact(&hit.path)));
}

#[tokio::test]
async fn the_end_of_a_run_writes_the_present_fingerprint_beside_the_former() {
    let (scene, before) =
        scene("WRONG gridtool <1> --by <2> DESC → CORRECT gridtool <1> --by <2> desc").await;
    let now = Fingerprinter::default().of(&evidence()).fine.id;
    scene.lesson_learned("r1").await;
    let all = scene.lessons().await;
    let tied: Vec<&Lesson> = all
        .iter()
        .filter(|lesson| lesson.triggers.contains(&before))
        .collect();
    assert_eq!(tied.len(), 1);
    assert!(tied[0].triggers.contains(&now), "{:?}", tied[0].triggers);
    assert!(tied[0].triggers.is_sorted());
    // What the run shows once more is the same lesson.
    assert_eq!(all.len(), 1, "{all:?}");
}
