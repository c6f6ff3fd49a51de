//! Conflicting lessons in an answer, and the results of their meetings.

use hindlore_domain::lesson::evidence::evidence_rows::EvidenceRows;
use hindlore_domain::lesson::evidence::verdict_numbers::VerdictNumbers;
use hindlore_domain::lesson::lesson::{Contest, Status};
use hindlore_domain::lesson::lesson_policy::LessonPolicy;
use hindlore_domain::lesson::lifecycle::Contradiction;
use hindlore_domain::lesson::promotion::{Reason, decide};
use hindlore_domain::lesson::retrieval::choose::{LeftOut, choose};
use hindlore_domain::lesson::retrieval::view::LocalGraph;
use hindlore_domain::lesson::retrieval::walk::walk;
use hindlore_primitives::ids::{ActivationId, LessonId};

use super::world::{about, at, lesson, on_error};

const ERROR: &str = "unknown column 'total'";

#[test]
fn of_two_conflicting_lessons_the_more_reliable_one_is_returned() {
    let mut weak = lesson("Quote column names", ERROR, "r1");
    let mut strong = lesson("Do not quote column names", ERROR, "r2");
    let third = lesson("Check that the column exists with COLUMNS", ERROR, "r3");
    (weak.reliability, strong.reliability) = (0.5, 0.6);
    let lessons = [weak.clone(), strong.clone(), third.clone()];
    let mut graph = LocalGraph::default();
    lessons
        .iter()
        .for_each(|lesson| graph.put_lesson(lesson.clone()));
    let (query, numbers) = (on_error(ERROR), LessonPolicy::default().retrieval);
    let walked = walk(&mut graph, &query, &numbers.walk);
    let pair = Contradiction {
        lessons: [strong.id, weak.id],
        excludes: false,
    };
    let chosen = choose(&query, &walked, &lessons, &[pair], &numbers);
    let ids: Vec<LessonId> = chosen.hits.iter().map(|hit| hit.lesson).collect();
    assert_eq!(ids.len(), 2);
    assert!(ids.contains(&strong.id) && ids.contains(&third.id));
    assert_eq!(chosen.left_out[&weak.id], LeftOut::Contradicted(strong.id));
    let winner = chosen
        .hits
        .iter()
        .find(|hit| hit.lesson == strong.id)
        .unwrap();
    assert_eq!(winner.beat, [weak.id]);
    // A link that does not exist changes nothing.
    assert_eq!(
        choose(&query, &walked, &lessons, &[], &numbers).hits.len(),
        3
    );
}

#[test]
fn two_of_the_last_three_lost_contests_suppress() {
    let numbers = VerdictNumbers::default();
    let contest = |n: u8, won: bool| Contest {
        other: LessonId([9; 10]),
        won,
        activation: ActivationId([n; 10]),
        at: at(i64::from(n)),
    };
    for (won, suppressed) in [
        (vec![false], false),
        (vec![false, false], true),
        (vec![false, true, false], true),
        (vec![false, false, true, true], false),
        (vec![true, true, true, false], false),
    ] {
        let contests = won
            .iter()
            .zip(1..)
            .map(|(won, n)| contest(n, *won))
            .collect();
        let rows = EvidenceRows {
            contests,
            reliability: 0.5,
            ..EvidenceRows::default()
        };
        let decision = decide(&about(1), rows, &numbers, at(9));
        assert_eq!(decision.is_some(), suppressed, "{won:?}");
        if let Some(decision) = decision {
            assert_eq!(
                (decision.to, decision.reason),
                (Status::Suppressed, Reason::LostContests)
            );
        }
    }
}
