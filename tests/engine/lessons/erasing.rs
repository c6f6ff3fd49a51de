//! Single runs, errors and lessons are erased with the rows that depend on them, and with their bytes.

use std::fs;

use hindlore::lessons::LessonCall;
use hindlore::{EngineError, Record};
use hindlore_store::lessons::reading::{ErrorPage, LessonPage, LessonsCopy};

use super::scene::{BAD, ERROR, Scene, on_error};

/// A unique text.
const SECRET: &str = "hunter2ofthefirstrun";

fn secret_error() -> String {
    format!("ERROR: unknown flag '{SECRET}'")
}

impl Scene {
    async fn all(&self) -> Option<LessonsCopy> {
        let store = self.engine.store();
        store.copy_lessons_out(&self.owner).await.unwrap()
    }

    async fn erased(&self, record: Record) -> hindlore::RecordErased {
        let gone = self.engine.erase_record(&self.owner, record).await.unwrap();
        assert_eq!(gone.erasure.not_wiped, None);
        assert!(gone.erasure.receipt.is_some());
        let found = self.engine.store().check().await.unwrap();
        assert!(found.is_empty(), "{found:?}");
        gone
    }

    fn is_in_a_file(&self, text: &str) -> bool {
        let files = fs::read_dir(self.place.folder()).unwrap().flatten();
        files
            .map(|file| fs::read(file.path()).unwrap())
            .any(|bytes| bytes.windows(text.len()).any(|at| at == text.as_bytes()))
    }

    /// A run that fails with the secret and is cured, and leaves a lesson; another that fails in the same way.
    async fn with_secret() -> Self {
        let scene = Self::new();
        scene.lesson_learned("r0").await;
        let action = format!("gridtool --zone {SECRET} show");
        scene.failed("r1", 1, &action, &secret_error()).await;
        scene.worked("r1", 2, "gridtool show").await;
        scene.ended("r1").await;
        assert!(scene.is_in_a_file(SECRET));
        scene
    }
}

#[tokio::test]
async fn a_run_goes_with_its_steps_errors_and_texts_and_names_what_was_learned() {
    let scene = Scene::with_secret().await;
    let gone = scene.erased(Record::Run("r1".to_owned())).await;
    assert_eq!(
        (gone.erasure.erased.runs, gone.erasure.erased.errors),
        (1, 1)
    );
    let left = scene.all().await.unwrap();
    assert!(left.steps.iter().all(|step| step.run != "r1"));
    assert!(left.errors.iter().all(|error| error.run != "r1"));
    assert!(left.receipts.iter().all(|kept| kept.operation != "end:r1"));
    assert_eq!(left.runs.len(), 1);
    // A lesson learned from it may quote it, is named, and can be erased, too.
    for lesson in gone.resting {
        scene.erased(Record::Lesson(lesson)).await;
    }
    assert!(!scene.is_in_a_file(SECRET));
    let kept = scene.asked(Some("r9"), 1, ERROR).await;
    assert_eq!(kept.lessons.len(), 1);
}

#[tokio::test]
async fn an_error_goes_with_its_step_and_the_text_that_only_it_had() {
    let scene = Scene::with_secret().await;
    let all = scene.all().await.unwrap();
    let error = all.errors.iter().find(|error| error.run == "r1").unwrap();
    let gone = scene.erased(Record::Error(error.id)).await;
    let erased = gone.erasure.erased;
    assert_eq!((erased.errors, erased.runs, erased.lessons), (1, 0, 0));
    let left = scene.all().await.unwrap();
    let steps: Vec<u32> = left
        .steps
        .iter()
        .filter(|step| step.run == "r1")
        .map(|step| step.step)
        .collect();
    assert_eq!(steps, [2]);
    let run = left.runs.iter().find(|run| run.id == "r1").unwrap();
    assert!(run.end.as_ref().unwrap().occurrences.is_empty());
    assert!(
        left.sources
            .iter()
            .all(|source| !source.events.contains(&error.id))
    );
    for lesson in gone.resting {
        scene.erased(Record::Lesson(lesson)).await;
    }
    assert!(!scene.is_in_a_file(SECRET));
    // The same error again is a new one, in a run that is still there.
    let again = scene
        .engine
        .erase_record(&scene.owner, Record::Error(error.id));
    assert!(matches!(again.await, Err(EngineError::NoError(_))));
    let page = ErrorPage {
        limit: 9,
        ..ErrorPage::default()
    };
    let listed = scene
        .engine
        .store()
        .errors(&scene.owner, page)
        .await
        .unwrap();
    assert_eq!(listed.len(), 1);
}

#[tokio::test]
async fn a_text_stays_while_another_error_has_it() {
    let scene = Scene::new();
    scene.lesson_learned("r0").await;
    scene.failed("r1", 1, BAD, ERROR).await;
    scene.ended("r1").await;
    let before = scene.all().await.unwrap();
    scene.erased(Record::Run("r1".to_owned())).await;
    let after = scene.all().await.unwrap();
    let texts = |all: &LessonsCopy| -> Vec<String> {
        let rows = all.fingerprints.iter();
        rows.map(|row| row.fingerprint.normalised.clone()).collect()
    };
    assert_eq!(texts(&after), texts(&before));
    assert!(
        after
            .fingerprints
            .iter()
            .all(|row| row.events == 1 && row.runs == 1)
    );
    assert!(!scene.asked(None, 1, ERROR).await.lessons.is_empty());
}

#[tokio::test]
async fn a_lesson_goes_with_its_uses_and_is_found_by_nothing() {
    let scene = Scene::new();
    let ended = scene.lesson_learned("r0").await;
    let (lesson, rule) = (ended.learned[0].lesson, ended.learned[0].rule.clone());
    scene.asked(Some("r1"), 1, ERROR).await;
    // A run that works teaches nothing of its own.
    scene.worked("r1", 1, "gridtool show").await;
    scene.ended("r1").await;
    let request = on_error(None, 1, ERROR);
    assert!(matches!(request.call, LessonCall::OnError { .. }));
    let gone = scene.erased(Record::Lesson(lesson)).await;
    assert_eq!((gone.erasure.erased.lessons, gone.resting), (1, Vec::new()));
    let left = scene.all().await.unwrap();
    assert!(left.activations.is_empty(), "{:?}", left.activations);
    assert!(left.sources.is_empty(), "{:?}", left.sources);
    let ends = left.runs.iter().filter_map(|run| run.end.as_ref());
    assert!(ends.into_iter().all(|end| end.in_force.is_empty()));
    assert!(
        left.receipts
            .iter()
            .all(|kept| !kept.answer.contains(&lesson.to_string()))
    );
    assert!(!scene.is_in_a_file(&rule));
    assert!(scene.asked(None, 1, ERROR).await.lessons.is_empty());
    let page = LessonPage {
        limit: 9,
        ..LessonPage::default()
    };
    let listed = scene
        .engine
        .store()
        .lessons(&scene.owner, page)
        .await
        .unwrap();
    assert!(listed.is_empty());
    // The next run may learn it again.
    scene.lesson_learned("r2").await;
    assert!(!scene.asked(None, 1, ERROR).await.lessons.is_empty());
}

#[tokio::test]
async fn what_is_not_there_is_named_and_nothing_is_written() {
    let scene = Scene::new();
    scene.lesson_learned("r0").await;
    let before = scene.all().await;
    let none = Record::Run("r7".to_owned());
    let refused = scene.engine.erase_record(&scene.owner, none).await;
    assert!(matches!(refused, Err(EngineError::NoRun(run)) if run == "r7"));
    assert_eq!(scene.all().await, before);
    let receipts = scene.engine.erase_receipts("t", None).await.unwrap();
    assert!(receipts.is_empty());
}
