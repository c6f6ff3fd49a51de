//! A learner without lessons: every way to read without the lock finds nothing.
//!
//! An interrupted copy, an erasure and another tenant must all leave this state, so it is checked in one place.

use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_domain::lesson::lesson_policy::WalkLimits;
use hindlore_store::Store;
use hindlore_store::lessons::postings::wrong_form;
use hindlore_store::lessons::reading::{
    ActivationPage, ConflictPage, ErrorFilter, ErrorPage, LessonPage, NeighbourhoodAsk, RunPage,
};
use hindlore_store::lessons::trajectory::RunFilter;
use hindlore_store::lessons::transaction::LessonCommit;

use crate::lesson_world::{at_place, fp, ids, texts};
use crate::subject::moment;

/// Asserts that every way to read without the lock finds no row of another owner.
///
/// # Panics
/// When one finds something, or is refused.
pub async fn reads_nothing(store: &dyn Store, owner: &LearnerId, of: &LessonCommit) {
    let ask = NeighbourhoodAsk {
        starts: vec![fp(1)],
        tags: texts(&["auth", "timeout"]),
        without: Vec::new(),
        place: at_place("report", "grid"),
        limits: WalkLimits::default(),
    };
    let around = store.neighbourhood(owner, ask).await.unwrap();
    assert!(around.starts.is_empty() && around.tags.is_empty() && around.places.is_empty());
    assert_eq!(around.fingerprints, 0);
    reads_no_lessons(store, owner, &of.lessons).await;
    reads_no_runs(store, owner).await;
    let activations: Vec<_> = of.activations.iter().map(|row| row.activation.id).collect();
    let found = store.activations_by_id(owner, &activations).await.unwrap();
    assert!(found.is_empty());
    let totals = store.lesson_totals(owner).await.unwrap();
    assert_eq!(totals, Default::default());
    assert_eq!(store.copy_lessons_out(owner).await.unwrap(), None);
    let learners = store.lesson_learners(owner.tenant(), None).await.unwrap();
    assert!(!learners.iter().any(|name| name == owner.learner()));
}

async fn reads_no_lessons(store: &dyn Store, owner: &LearnerId, lessons: &[Lesson]) {
    let limit = 9;
    let found = store.lessons_by_id(owner, &ids(lessons)).await.unwrap();
    assert!(found.lessons.is_empty() && found.conflicts.is_empty());
    let found = store.lessons_triggered_by(owner, &[fp(1)], limit).await;
    let found = found.unwrap();
    assert!(found.lessons.is_empty() && found.conflicts.is_empty());
    let forms = lessons
        .iter()
        .filter_map(|one| wrong_form(&one.rule, one.status));
    let forms: Vec<String> = forms.collect();
    let found = store.lessons_of_wrong_forms(owner, &forms, limit).await;
    let found = found.unwrap();
    assert!(found.lessons.is_empty() && found.conflicts.is_empty());
    let found = store.lessons_ever_triggered_by(owner, &[fp(1)]).await;
    assert!(found.unwrap().is_empty());
    let mut page = LessonPage {
        limit,
        ..LessonPage::default()
    };
    assert!(store.lessons(owner, page.clone()).await.unwrap().is_empty());
    page.status = Some(lessons[0].status);
    assert!(store.lessons(owner, page).await.unwrap().is_empty());
    let lesson = lessons[0].id;
    let records = store.lesson_records(owner, lesson, limit).await.unwrap();
    assert_eq!(records, Default::default());
    assert!(store.decisions(owner, limit).await.unwrap().is_empty());
    let page = ActivationPage {
        lesson,
        after: None,
        limit,
    };
    assert!(store.activations(owner, page).await.unwrap().is_empty());
    for lesson in [None, Some(lesson)] {
        let page = ConflictPage {
            lesson,
            after: None,
            limit,
        };
        assert!(store.conflicts(owner, page).await.unwrap().is_empty());
    }
}

async fn reads_no_runs(store: &dyn Store, owner: &LearnerId) {
    let limit = 9;
    let runs = RunPage {
        limit,
        ..RunPage::default()
    };
    assert!(store.runs(owner, runs).await.unwrap().is_empty());
    let idle = store.idle_runs(owner, moment(99), limit).await.unwrap();
    assert!(idle.is_empty());
    let queue = store.relearning_queue(owner, limit).await.unwrap();
    assert!(queue.is_empty());
    let due = store.due_runs(owner, moment(99), limit).await.unwrap();
    assert!(due.is_empty());
    for filter in [
        RunFilter::Agent("agent 文件".to_owned()),
        RunFilter::PartsOf("r2".to_owned()),
    ] {
        let page = RunPage {
            filter,
            limit,
            ..RunPage::default()
        };
        assert!(store.runs(owner, page).await.unwrap().is_empty());
    }
    let known = store.fingerprints(owner, &[fp(1)]).await.unwrap();
    assert!(known.is_empty());
    let filters = [
        ErrorFilter::All,
        ErrorFilter::Run("r1".to_owned()),
        ErrorFilter::Fingerprint(fp(1)),
        ErrorFilter::Task("report".to_owned()),
        ErrorFilter::Domain("grid".to_owned(), None),
    ];
    for filter in filters {
        let page = ErrorPage {
            filter,
            after: None,
            limit,
        };
        assert!(store.errors(owner, page).await.unwrap().is_empty());
    }
}
