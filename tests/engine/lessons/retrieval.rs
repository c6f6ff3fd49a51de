//! Retrieval against a model that looks at every lesson, and its bounds, lanes and guards.

use hindlore_domain::lesson::activation::RetrievalChannel;
use hindlore_domain::lesson::lesson::{Lesson, Reach, Status};
use hindlore_domain::lesson::lesson_policy::{LessonPolicy, RetrievalNumbers, WalkLimits};
use hindlore_domain::lesson::retrieval::choose::{Chosen, LeftOut, LessonHit, choose};
use hindlore_domain::lesson::retrieval::query::{Call, LessonQuery, RankingMode};
use hindlore_domain::lesson::retrieval::view::LocalGraph;
use hindlore_domain::lesson::retrieval::walk::{Path, tag_weight, walk};
use hindlore_errors::fingerprint::{Fingerprint, Fingerprints, pieces};
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_text::similarity::jaccard;
use hindlore_text::words::search_terms;

use super::world::{at, lesson, on_error, place, prints};

fn ask(query: &LessonQuery, lessons: &[Lesson], errors: &[&str]) -> Chosen {
    ask_with(query, lessons, errors, &LessonPolicy::default().retrieval)
}

fn ask_with(
    query: &LessonQuery,
    lessons: &[Lesson],
    errors: &[&str],
    numbers: &RetrievalNumbers,
) -> Chosen {
    let mut graph = LocalGraph::default();
    for error in errors {
        let prints = prints(error);
        let tags = hindlore_errors::tag::TagRules::standard().of_text(error);
        for print in [&prints.fine, &prints.coarse] {
            graph.put_fingerprint(print.id, &print.normalised, &tags);
        }
    }
    lessons
        .iter()
        .for_each(|lesson| graph.put_lesson(lesson.clone()));
    let walked = walk(&mut graph, query, &numbers.walk);
    choose(query, &walked, lessons, &[], numbers)
}

fn ids(chosen: &Chosen) -> Vec<LessonId> {
    chosen.hits.iter().map(|hit| hit.lesson).collect()
}

#[test]
fn an_exact_hit_comes_before_a_coarse_one_and_that_before_a_neighbour() {
    let errors = [
        "unknown column 'total'",
        "unknown column 'price' here",
        "no such column: x",
    ];
    let exact = lesson(
        "WRONG KEEP total → CORRECT KEEP amount",
        "unknown column 'total'",
        "r1",
    );
    let mut coarse = lesson(
        "Look the names up with COLUMNS first",
        "unknown column 'other'",
        "r2",
    );
    coarse.triggers = vec![prints("unknown column 'other'").coarse.id];
    let sibling = lesson(
        "Write columns as table_x",
        "unknown column 'price' here",
        "r3",
    );
    let foreign = lesson("Ask for all columns", "no such column: x", "r4");
    let lessons = [
        foreign.clone(),
        sibling.clone(),
        coarse.clone(),
        exact.clone(),
    ];
    let chosen = ask(&on_error("unknown column 'total'"), &lessons, &errors);
    assert_eq!(chosen.left_out[&foreign.id], LeftOut::NoFit);
    assert_eq!(ids(&chosen), [exact.id, coarse.id, sibling.id]);
    let parts: Vec<f64> = chosen
        .hits
        .iter()
        .map(|hit| hit.parts.fingerprint_match)
        .collect();
    assert_eq!(parts[..2], [1.0, 0.8]);
    let near = jaccard(
        &pieces("unknown column total"),
        &pieces("unknown column price here"),
    );
    assert_eq!(parts[2], 0.6 * near);
    assert!(matches!(&chosen.hits[2].path, Path::Sibling { tag, .. } if tag == "column_reference"));
    assert!(
        chosen.hits[2]
            .path
            .to_string()
            .starts_with("error → tag column_reference → fp_")
    );
}

#[test]
fn suppressed_and_archived_lessons_and_those_of_others_are_never_returned() {
    let error = "permission denied: x";
    for change in [
        (|lesson: &mut Lesson| lesson.status = Status::Suppressed) as fn(&mut Lesson),
        |lesson| lesson.status = Status::Archived,
        |lesson| {
            lesson.owner = hindlore_domain::lesson::lesson::LearnerId::new("t", "else").unwrap()
        },
    ] {
        let mut hidden = lesson("Use sudo for apt_get", error, "r1");
        change(&mut hidden);
        assert!(ask(&on_error(error), &[hidden], &[error]).hits.is_empty());
    }
}

#[test]
fn a_lesson_of_another_domain_helps_out_only_when_this_one_has_nothing_good() {
    let error = "permission denied: x";
    let foreign = |n: u32| {
        let mut lesson = lesson(&format!("Use sudo for apt_get{n}"), error, &format!("f{n}"));
        lesson.place = place("setup", "other");
        lesson
    };
    let two = [foreign(1), foreign(2)];
    let chosen = ask(&on_error(error), &two, &[error]);
    assert_eq!(chosen.hits.len(), 1);
    assert_eq!(chosen.hits[0].lane, RetrievalChannel::Transfer);
    let strict = lesson("Ask for write access to dir_x", error, "r1");
    let with_strict = [foreign(1), strict.clone()];
    let chosen = ask(&on_error(error), &with_strict, &[error]);
    assert_eq!(ids(&chosen), [strict.id]);
    assert_eq!(chosen.left_out[&foreign(1).id], LeftOut::OtherDomain);
    // A lesson for one task is foreign to another; a global one is at home everywhere.
    let mut task = strict.clone();
    (task.reach, task.place.task) = (Reach::Task, Some("else".to_owned()));
    assert_eq!(on_error(error).place.task.as_deref(), Some("report"));
    assert_eq!(
        ask(&on_error(error), &[task], &[error]).hits[0].lane,
        RetrievalChannel::Transfer
    );
    // So is one that was learned with another tool.
    let mut other_tool = strict.clone();
    other_tool.place.tool = Some("another".to_owned());
    let mut query = on_error(error);
    query.place.tool = Some("this".to_owned());
    let lane = |query: &LessonQuery| ask(query, &[other_tool.clone()], &[error]).hits[0].lane;
    assert_eq!(lane(&query), RetrievalChannel::Transfer);
    query.place.tool = None;
    assert_eq!(lane(&query), RetrievalChannel::Strict);
    let mut global = foreign(3);
    global.reach = Reach::Global;
    assert_eq!(
        ask(&on_error(error), &[global], &[error]).hits[0].lane,
        RetrievalChannel::Strict
    );
}

#[test]
fn guards_hold_in_the_order_of_rank() {
    let error = "unknown column 'a'";
    let of = |n: u32, run: &str, tag: &str| {
        let mut lesson = lesson(&format!("Advice number_{n}"), error, run);
        lesson.tags = vec![tag.to_owned()];
        lesson.reliability = 1.0 - f64::from(n) / 100.0;
        lesson
    };
    let lessons = [
        of(1, "a", "x"),
        of(2, "a", "x"),
        of(3, "a", "x"),
        of(4, "b", "x"),
        of(5, "c", "x"),
        of(6, "d", "y"),
        of(7, "e", "z"),
    ]
    // No guard holds back lessons that the very error triggers.
    .map(|mut lesson| {
        lesson.triggers = vec![prints(error).coarse.id];
        lesson
    });
    let mut query = on_error(error);
    let chosen = ask(&query, &lessons, &[error]);
    assert_eq!(ids(&chosen), [lessons[0].id, lessons[1].id, lessons[3].id]);
    query.max_results = Some(5);
    let chosen = ask(&query, &lessons, &[error]);
    assert_eq!(ids(&chosen), [0, 1, 3, 5, 6].map(|at| lessons[at].id));
    assert_eq!(chosen.left_out[&lessons[2].id], LeftOut::SourceRun);
    assert_eq!(chosen.left_out[&lessons[4].id], LeftOut::TagBucket);
    query.call = Call::PreRun {
        recent: vec![prints(error)],
    };
    query.max_results = None;
    assert_eq!(ask(&query, &lessons, &[error]).hits.len(), 5);
}

/// A random world: errors of few words and tags, lessons about some of them.
fn world(rng: &mut fastrand::Rng) -> (LocalGraph, Vec<Lesson>, LessonQuery) {
    let words = ["column", "row", "file", "token", "path", "limit", "user"];
    let tags = ["a_tag", "b_tag", "c_tag", "d_tag"];
    let some = |rng: &mut fastrand::Rng, list: &[&str]| -> Vec<String> {
        list.iter()
            .filter(|_| rng.u8(0..3) == 0)
            .map(|word| (*word).to_owned())
            .collect()
    };
    let mut graph = LocalGraph::default();
    let mut prints: Vec<Fingerprint> = Vec::new();
    for n in 0..rng.u8(1..20) {
        let normalised = some(rng, &words).join(" ");
        let print = Fingerprint {
            id: FingerprintId([n; 10]),
            normalised,
        };
        graph.put_fingerprint(print.id, &print.normalised, &some(rng, &tags));
        prints.push(print);
    }
    let mut lessons: Vec<Lesson> = Vec::new();
    for n in 0..rng.u32(0..15) {
        let mut new = lesson(
            &format!("rule_{n} {}", some(rng, &words).join(" ")),
            &format!("e{n}"),
            &format!("r{}", rng.u8(0..6)),
        );
        new.triggers = vec![rng.choice(&prints).unwrap().id];
        new.tags = some(rng, &tags);
        new.reliability = f64::from(rng.u8(0..=10)) / 10.0;
        new.evidence_at = at(-i64::from(rng.u8(0..40)));
        new.reach = *rng.choice(Reach::ALL).unwrap();
        new.place = place(
            rng.choice(["report", "other"]).unwrap(),
            rng.choice(["grid", "flux"]).unwrap(),
        );
        new.status = *rng.choice(Status::ALL).unwrap();
        graph.put_lesson(new.clone());
        lessons.push(new);
    }
    let pick = |rng: &mut fastrand::Rng| rng.choice(&prints).unwrap().clone();
    let mut query = on_error(&some(rng, &words).join(" "));
    query.call = Call::OnError {
        fingerprints: Fingerprints {
            fine: pick(rng),
            coarse: pick(rng),
        },
        action: None,
        is_hub: false,
    };
    query.tags = some(rng, &tags);
    (graph, lessons, query)
}

/// The score of a lesson, written down from the specification alone.
fn model_score(lesson: &Lesson, query: &LessonQuery, sibling: Option<f64>) -> f64 {
    let Call::OnError { fingerprints, .. } = &query.call else {
        panic!("an error was asked about")
    };
    let fingerprint = if lesson.triggers.contains(&fingerprints.fine.id) {
        1.0
    } else if lesson.triggers.contains(&fingerprints.coarse.id) {
        0.8
    } else {
        0.6 * sibling.unwrap_or_default()
    };
    let set = |words: Vec<String>| {
        let mut words = words;
        words.sort();
        words.dedup();
        words
    };
    let tags = jaccard(&set(query.tags.clone()), &set(lesson.tags.clone()));
    let text = jaccard(
        &set(search_terms(&query.text)),
        &set(search_terms(lesson.rule.as_str())),
    );
    let days = (query.at.millis() - lesson.evidence_at.millis()) as f64 / 86_400_000.0;
    0.40 * fingerprint
        + 0.25 * tags
        + 0.20 * text
        + 0.10 * lesson.reliability
        + 0.05 / (1.0 + days / 14.0)
}

fn is_promoted(lessons: &[Lesson], hit: &LessonHit) -> bool {
    let mut of_hit = lessons.iter().filter(|lesson| lesson.id == hit.lesson);
    of_hit.any(|lesson| lesson.status == Status::Promoted)
}

#[test]
fn scores_of_lessons_follow_the_model_in_random_worlds() {
    let mut rng = fastrand::Rng::with_seed(66);
    let numbers = LessonPolicy::default().retrieval;
    let (mut hits, mut none) = (0, 0);
    // A third of the statuses is live, so that many worlds are needed.
    for _ in 0..800 {
        let (mut graph, lessons, query) = world(&mut rng);
        let walked = walk(&mut graph, &query, &numbers.walk);
        let chosen = choose(&query, &walked, &lessons, &[], &numbers);
        for hit in &chosen.hits {
            let lesson = lessons
                .iter()
                .find(|lesson| lesson.id == hit.lesson)
                .unwrap();
            assert!(lesson.status.is_live());
            let own = graph.pieces(query.starts()[0].0);
            let sibling = match &hit.path {
                Path::Sibling { fingerprint, .. } => {
                    Some(jaccard(&own, &graph.pieces(*fingerprint)))
                }
                _ => None,
            };
            let lane = if hit.lane == RetrievalChannel::Strict {
                1.0
            } else {
                0.35
            };
            let expected = lane * model_score(lesson, &query, sibling);
            assert!(
                (hit.score - expected).abs() < 1e-12,
                "{} is not {expected}",
                hit.score
            );
            assert!(hit.parts.anchor() > 0.0);
        }
        // Lessons triggered by the error itself come first, by its fine and then by its coarse fingerprint.
        let rank = |hit: &LessonHit| {
            let is_trigger = hit.parts.fingerprint_match >= 0.8;
            let trigger = if is_trigger {
                hit.parts.fingerprint_match
            } else {
                0.0
            };
            (trigger, is_promoted(&lessons, hit), hit.score)
        };
        let strict: Vec<(f64, bool, f64)> = chosen
            .hits
            .iter()
            .filter(|hit| hit.lane == RetrievalChannel::Strict)
            .map(rank)
            .collect();
        assert!(strict.is_sorted_by(|a, b| a >= b) && chosen.hits.len() <= 3);
        // Every lesson that was reached is either returned or left out with a reason.
        assert_eq!(
            chosen.hits.len() + chosen.left_out.len(),
            walked.reached.len()
        );
        // Every live lesson with an exact trigger is found.
        for lesson in lessons.iter().filter(|lesson| lesson.status.is_live()) {
            let exact = query
                .starts()
                .iter()
                .any(|(id, _)| lesson.triggers.contains(id));
            assert!(!exact || walked.reached.contains_key(&lesson.id));
        }
        hits += chosen.hits.len();
        none += usize::from(chosen.hits.is_empty());
    }
    assert!(hits > 400 && none > 12, "{hits} {none}");
}

#[test]
fn the_work_is_bounded_however_common_a_tag_is() {
    let limits = WalkLimits::default();
    let mut graph = LocalGraph::default();
    let tags = ["common".to_owned(), "rare".to_owned()];
    for n in 0_u32..2_000 {
        let mut id = [0; 10];
        id[..4].copy_from_slice(&n.to_be_bytes());
        let id = FingerprintId(id);
        let own = if n % 100 == 0 { &tags[..] } else { &tags[..1] };
        graph.put_fingerprint(id, "boom", own);
        let mut new = lesson(&format!("rule_{n}"), "x", &format!("r{n}"));
        (new.triggers, new.tags) = (vec![id], own.to_vec());
        graph.put_lesson(new);
    }
    let mut query = on_error("boom");
    query.tags = tags.to_vec();
    let walked = walk(&mut graph, &query, &limits);
    assert!(
        walked.rows <= limits.rows && walked.rows > 50,
        "{}",
        walked.rows
    );
    // The common tag is a hub: all ways lead through the rare one, or through the place.
    let order: Vec<&str> = walked.tags.iter().map(|(tag, _)| tag.as_str()).collect();
    assert_eq!(order, ["rare"]);
    assert!(tag_weight(1, 1_000_000) > 0.99 && tag_weight(1_000_000, 1_000_000) < 0.01);
    assert!(
        tag_weight(3, 3) > 0.3,
        "with few fingerprints no tag is a hub"
    );
    let tight = WalkLimits { rows: 10, ..limits };
    let walked = walk(&mut graph, &query, &tight);
    assert!(walked.rows <= 10 && walked.cut);
}

#[test]
fn page_rank_orders_by_the_ways_that_lead_to_a_lesson() {
    let errors = [
        "unknown column 'a'",
        "unknown column 'b' seen",
        "unknown column 'c' here",
    ];
    let mut many = lesson("Look at names_x", errors[1], "r1");
    many.triggers = errors[1..]
        .iter()
        .map(|error| prints(error).fine.id)
        .collect();
    many.triggers.sort_unstable();
    let mut few = lesson("Look at names_y", errors[2], "r2");
    few.triggers = vec![prints(errors[2]).fine.id];
    let mut query = on_error(errors[0]);
    query.mode = RankingMode::PageRank;
    let chosen = ask(&query, &[few.clone(), many.clone()], &errors);
    assert_eq!(ids(&chosen), [many.id, few.id]);
}
