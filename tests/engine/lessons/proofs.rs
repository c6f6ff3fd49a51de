//! The evidence of statuses, through the verbs: no found defect of the first rules may come back.

use hindlore::lessons::{
    EndedRun, LessonCall, LessonRequest, LessonRules, LessonsRetrieved, ReviewRequest,
};
use hindlore_domain::lesson::activation::is_control;
use hindlore_domain::lesson::evidence::evidence_row::RowKind;
use hindlore_domain::lesson::lesson::{Place, Status};
use hindlore_domain::lesson::promotion::{Reason, derives_again};
use hindlore_errors::fingerprint::{Evidence, Fingerprinter};

use super::scene::{Scene, failing, foreign, on_error, working};

const ERROR: &str = "ERROR: unknown option --fmt; formats are given by --format";
const WRONG: &str = "gt report --fmt csv";
const RIGHT: &str = "gt report --format csv";

/// Names of runs that are no control runs.
fn runs(prefix: &'static str) -> impl Iterator<Item = String> {
    let names = (1..).map(move |n| format!("{prefix}{n}"));
    names.filter(|name| !is_control(name, 0, 0.1))
}

fn place() -> Place {
    Place {
        task: Some("t".to_owned()),
        domain: Some("d".to_owned()),
        tool: Some("gt".to_owned()),
    }
}

impl Scene {
    pub(super) async fn step(&self, run: &str, step: u32, action: &str, error: Option<&str>) {
        let mut input = match error {
            Some(error) => failing(run, step, action, error),
            None => working(run, step, action),
        };
        input.report.place = place();
        self.engine.capture_error(&self.owner, input).await.unwrap();
    }

    pub(super) async fn hinted(
        &self,
        run: &str,
        step: u32,
        action: &str,
        error: &str,
    ) -> LessonsRetrieved {
        let mut request = on_error(Some(run), step, error);
        request.place = place();
        if let LessonCall::OnError { evidence, .. } = &mut request.call {
            evidence.action = serde_json::json!(action);
        }
        self.engine
            .retrieve_lessons(&self.owner, request)
            .await
            .unwrap()
    }

    /// The lessons offered before a run.
    pub(super) async fn briefed(&self, run: &str, text: &str) -> LessonsRetrieved {
        self.pass();
        let request = LessonRequest {
            call: LessonCall::PreRun,
            text: text.to_owned(),
            place: place(),
            ..on_error(Some(run), 1, ERROR)
        };
        self.engine
            .retrieve_lessons(&self.owner, request)
            .await
            .unwrap()
    }

    /// The hints that name the cure of the error.
    async fn cures(&self, run: &str) -> usize {
        let hints = self.hinted(run, 1, WRONG, ERROR).await.lessons;
        let cures = hints.iter().filter(|hit| {
            let made = hit.lesson.rule.rewrite(WRONG);
            made.as_deref() == Some(RIGHT)
        });
        cures.count()
    }

    /// A run that fails, gets a hint where there is one, and follows it.
    async fn followed(&self, run: &str) -> (usize, EndedRun) {
        self.pass();
        self.step(run, 1, WRONG, Some(ERROR)).await;
        let hints = self.cures(run).await;
        self.step(run, 2, RIGHT, None).await;
        (hints, self.ended(run).await)
    }

    /// A run that fails, follows the hint, and fails again.
    async fn misled(&self, run: &str) -> EndedRun {
        self.pass();
        self.step(run, 1, WRONG, Some(ERROR)).await;
        self.hinted(run, 1, WRONG, ERROR).await;
        self.step(run, 2, RIGHT, Some("ERROR: no such format"))
            .await;
        self.ended(run).await
    }

    async fn statuses(&self) -> Vec<Status> {
        self.lessons()
            .await
            .iter()
            .map(|lesson| lesson.status)
            .collect()
    }
}

fn changes(ended: &EndedRun) -> Vec<(Status, Status, Reason)> {
    let decided = ended.decisions.iter();
    decided.map(|one| (one.from, one.to, one.reason)).collect()
}

#[tokio::test]
async fn an_imported_lesson_that_cures_is_not_suppressed_for_want_of_a_baseline() {
    let scene = Scene::with_control(0.1);
    let rule = "WRONG gt report --fmt <1> → CORRECT gt report --format <1>";
    let mut imported = foreign(rule, ERROR, Status::Candidate);
    imported.place = place();
    imported.triggers = Fingerprinter::default()
        .of(&Evidence {
            error: ERROR.into(),
            action: serde_json::json!(WRONG),
            ..Default::default()
        })
        .ids();
    let lesson = scene.imported(vec![imported]).await.ids[0];
    for run in runs("run").take(4) {
        let (hints, ended) = scene.followed(&run).await;
        let settled = ended
            .settled
            .iter()
            .find(|one| one.lesson == lesson)
            .unwrap();
        assert_eq!((hints > 0, settled.row), (true, RowKind::Cured));
        assert!(settled.helped && settled.utility > 0.0);
    }
    let detail = scene.engine.lesson(&scene.owner, lesson).await.unwrap();
    assert_eq!(detail.lesson.status, Status::Promoted);
}

#[tokio::test]
async fn a_hint_that_is_followed_is_promoted_and_a_review_stands() {
    let scene = Scene::with_control(0.1);
    let mut names = runs("run");
    let mut changed = Vec::new();
    for (at, run) in names.by_ref().take(7).enumerate() {
        let (hints, ended) = scene.followed(&run).await;
        // The second run confirms it; from the third on it is offered.
        assert_eq!(hints, usize::from(at > 1), "{run}");
        changed.extend(changes(&ended));
    }
    let confirmed = (Status::Observed, Status::Candidate, Reason::Recurred);
    let promoted = (Status::Candidate, Status::Promoted, Reason::DirectProof);
    assert_eq!(changed, [confirmed, promoted]);
    // A person suppresses it; runs that only teach it again do not overrule that at once.
    let lesson = scene.lessons().await[0].id;
    let review = |to: Status| ReviewRequest {
        lesson,
        to,
        author: None,
        note: None,
    };
    scene.pass();
    scene
        .engine
        .review_lesson(&scene.owner, review(Status::Suppressed))
        .await
        .unwrap();
    let mut back = Vec::new();
    for (at, run) in names.by_ref().take(5).enumerate() {
        let (hints, ended) = scene.followed(&run).await;
        assert_eq!(hints, 0, "{run}");
        back.extend(changes(&ended).into_iter().map(|change| (at, change)));
    }
    let again = (Status::Suppressed, Status::Candidate, Reason::Relearned);
    assert_eq!(back, [(4, again)]);
    // Put back by a person, it stays although every row before was against it.
    scene.pass();
    scene
        .engine
        .review_lesson(&scene.owner, review(Status::Promoted))
        .await
        .unwrap();
    let run = names.next().unwrap();
    assert!(changes(&scene.misled(&run).await).is_empty());
    let detail = scene.engine.lesson(&scene.owner, lesson).await.unwrap();
    assert_eq!(detail.lesson.status, Status::Promoted);
}

#[tokio::test]
async fn a_placebo_learned_from_an_error_that_never_came_again_is_refuted_unseen() {
    let scene = Scene::with_control(0.1);
    let mut names = runs("run");
    let run = names.next().unwrap();
    let error = "the header of the page holds no date";
    scene.step(&run, 1, "net fetch page", Some(error)).await;
    scene.step(&run, 2, "net fetch page --fresh", None).await;
    assert_eq!(scene.ended(&run).await.learned.len(), 1);
    let mut changed = Vec::new();
    for run in names.take(3) {
        let offered = scene.briefed(&run, "fetch page").await;
        assert!(offered.lessons.is_empty());
        scene.step(&run, 1, "net fetch page", None).await;
        scene.step(&run, 2, "net store page", None).await;
        changed.extend(changes(&scene.ended(&run).await));
    }
    let refuted = (Status::Observed, Status::Refuted, Reason::WrongFormWorks);
    assert_eq!(changed, [refuted]);
    assert_eq!(scene.statuses().await, [Status::Refuted]);
}

#[tokio::test]
async fn the_comparison_takes_the_last_runs_whatever_came_out_of_them() {
    let scene = Scene::with_control(0.1);
    let refused = "proxy refused the tunnel to upstream";
    for n in 0..30 {
        let run = format!("old{n}");
        scene.pass();
        let error = (n % 2 == 1).then_some(refused);
        scene.step(&run, 1, "net fetch page", error).await;
        scene.step(&run, 2, "net fetch page --direct", None).await;
        scene.ended(&run).await;
    }
    // The proxy was repaired: the error comes no more, with the lesson or without it.
    let mut controls = 0;
    for n in 0..120 {
        let run = format!("new{n}");
        let offered = scene.briefed(&run, "fetch page").await;
        scene.step(&run, 1, "net fetch page", None).await;
        let ended = scene.ended(&run).await;
        controls += usize::from(offered.control);
        for settled in &ended.settled {
            assert!(
                settled.utility.abs() < 1e-12 && !settled.helped,
                "{settled:?}"
            );
        }
    }
    assert!(controls > 4);
    let lesson = scene.lessons().await[0].clone();
    // Each of the fifteen runs that met the error taught it again, except the first, which was its source.
    assert_eq!(lesson.proof.supports.len(), 14);
    let detail = scene.engine.lesson(&scene.owner, lesson.id).await.unwrap();
    let by_comparison = |reason: Reason| reason == Reason::ComparativeProof;
    assert!(
        !detail
            .records
            .decisions
            .iter()
            .any(|one| by_comparison(one.reason))
    );
}

#[tokio::test]
async fn an_error_without_a_cure_leaves_no_lesson() {
    let scene = Scene::with_control(0.1);
    let quota = "ERROR: quota of the project is exhausted";
    for run in runs("run").take(4) {
        for step in 1..=5 {
            scene
                .step(&run, step, "gt upload part --try x", Some(quota))
                .await;
        }
        assert!(scene.ended(&run).await.learned.is_empty());
    }
    assert!(scene.statuses().await.is_empty());
}

/// A scene whose one lesson was suppressed by three runs that it misled.
async fn suppressed(retrial_after: Option<u32>) -> (Scene, impl Iterator<Item = String>) {
    let mut rules = LessonRules::default();
    rules.numbers.gates.retrial_after = retrial_after;
    let scene = Scene::with_rules(rules);
    let mut names = runs("run");
    let first = names.next().unwrap();
    scene.followed(&first).await;
    let second = names.next().unwrap();
    scene.followed(&second).await;
    let mut last = Vec::new();
    for run in names.by_ref().take(3) {
        last = changes(&scene.misled(&run).await);
    }
    let harm = (Status::Candidate, Status::Suppressed, Reason::DirectHarm);
    assert_eq!(last, [harm]);
    (scene, names)
}

#[tokio::test]
async fn two_runs_that_teach_a_suppressed_lesson_anew_bring_it_back() {
    let (scene, names) = suppressed(None).await;
    let mut seen = Vec::new();
    for run in names.take(5) {
        let (hints, ended) = scene.followed(&run).await;
        seen.push((hints, changes(&ended).first().map(|change| change.2)));
        if let Some(decided) = ended.decisions.first() {
            let detail = scene
                .engine
                .lesson(&scene.owner, decided.lesson)
                .await
                .unwrap();
            assert!(detail.records.decisions.iter().all(derives_again));
        }
    }
    let expected = [
        (0, None),
        (0, Some(Reason::Relearned)),
        // The two runs and this one are three rows; earlier evidence against it does not count again.
        (1, Some(Reason::DirectProof)),
        (1, None),
        (1, None),
    ];
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn a_scheduled_retrial_comes_and_is_not_undone_by_old_rows() {
    let (scene, names) = suppressed(Some(2)).await;
    let mut seen = Vec::new();
    for run in names.take(6) {
        scene.pass();
        scene.step(&run, 1, WRONG, Some(ERROR)).await;
        let hints = scene.cures(&run).await;
        let ended = scene.ended(&run).await;
        seen.push((hints, changes(&ended).first().map(|change| change.2)));
    }
    let mut expected = vec![(0, None), (0, Some(Reason::Retrial))];
    expected.extend([(1, None); 4]);
    assert_eq!(seen, expected);
}
