//! At the start of a session: the lessons that are worth knowing before anything is tried.
//!
//! Nothing has failed yet, so only the place counts: proved lessons come before those that two runs showed, lessons of
//! this task before those of this tool or domain. Lessons that are never followed come last. A preparation that was not
//! always needed waits for the error.

use crate::lesson::lesson::{Lesson, Place, Reach};
use crate::lesson::lesson_policy::RetrievalNumbers;
use crate::lesson::lifecycle::{Contradiction, unproved_opposite};

/// The least runs that an unproved lesson needs.
const RUNS_MIN: usize = 2;

/// Lessons for a session at a place, the most valuable first, at most `most`. Of two that contradict each other only
/// the first is returned, and none of two opposites while neither is proved.
pub fn worth_knowing<'l>(
    place: &Place,
    lessons: &'l [Lesson],
    conflicts: &[Contradiction],
    (most, numbers): (usize, &RetrievalNumbers),
) -> Vec<&'l Lesson> {
    let of_here = |lesson: &&Lesson| {
        lesson.status.is_live()
            && is_confirmed(lesson)
            && lesson.proof.unprepared_at.is_none()
            && reaches(lesson, place)
            && unproved_opposite(lesson, lessons, conflicts).is_none()
    };
    let mut found: Vec<&Lesson> = lessons.iter().filter(of_here).collect();
    found.sort_by(|a, b| {
        let rank = |lesson: &Lesson| {
            (
                lesson.proof.is_idle(numbers),
                !lesson.is_proved(),
                distance(lesson, place),
            )
        };
        rank(a)
            .cmp(&rank(b))
            .then_with(|| b.reliability.total_cmp(&a.reliability))
            .then_with(|| b.evidence_at.cmp(&a.evidence_at))
            .then_with(|| a.id.cmp(&b.id))
    });
    found.dedup_by_key(|lesson| lesson.id);
    let mut told: Vec<&Lesson> = Vec::new();
    for lesson in found {
        if told.len() >= most {
            break;
        }
        let contradicts = |known: &&Lesson| {
            let mut pairs = conflicts.iter();
            pairs.any(|pair| pair.joins(known.id, lesson.id))
        };
        if !told.iter().any(contradicts) {
            told.push(lesson);
        }
    }
    told
}

/// Returns true if more than one run or a person speaks for a lesson; one that was imported rests on a person's choice.
fn is_confirmed(lesson: &Lesson) -> bool {
    let runs = lesson.source_runs.len();
    lesson.is_proved()
        || lesson.proof.by_person
        || lesson.proof.scopes.is_empty()
        || runs >= RUNS_MIN
}

/// Returns true if a lesson is about a place; a label that the session leaves out contradicts none.
fn reaches(lesson: &Lesson, here: &Place) -> bool {
    let there = &lesson.place;
    let agrees = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
    let is_near = agrees(&here.domain, &there.domain) && agrees(&here.tool, &there.tool);
    match lesson.reach {
        Reach::Global => true,
        Reach::Domain => is_near,
        Reach::Task => is_near && agrees(&here.task, &there.task),
    }
}

/// How far a lesson was learned from a place: 0 on its task, 1 with its tool, 2 in its domain, 3 elsewhere.
fn distance(lesson: &Lesson, here: &Place) -> u8 {
    let there = &lesson.place;
    let same = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
    if same(&here.task, &there.task) {
        0
    } else if same(&here.tool, &there.tool) {
        1
    } else if same(&here.domain, &there.domain) {
        2
    } else {
        3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::lesson::{LearnerId, NewLesson, Status};
    use crate::lesson::rule::Rule;
    use hindlore_primitives::timestamp::Timestamp;

    fn at(task: &str, domain: &str, tool: &str) -> Place {
        let name = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Place {
            task: name(task),
            domain: name(domain),
            tool: name(tool),
        }
    }

    fn lesson(n: u32, status: Status, place: Place) -> Lesson {
        let mut lesson = Lesson::new(NewLesson {
            owner: LearnerId::new("t", "l").unwrap(),
            rule: Rule::parse(&format!("WRONG cmd{n} → CORRECT do{n}")).unwrap(),
            triggers: Vec::new(),
            tags: Vec::new(),
            reach: Reach::Domain,
            place,
            source_run: None,
            status: Status::Candidate,
            at: Timestamp::from_millis(0),
        });
        lesson.status = status;
        lesson
    }

    fn told(place: &Place, lessons: &[Lesson], conflicts: &[Contradiction]) -> Vec<usize> {
        let numbers = RetrievalNumbers::default();
        let found = worth_knowing(place, lessons, conflicts, (9, &numbers));
        let place_of = |one: &&Lesson| lessons.iter().position(|lesson| lesson.id == one.id);
        found.iter().filter_map(place_of).collect()
    }

    #[test]
    fn what_is_proved_comes_first_then_what_is_near() {
        let mut lessons = vec![
            lesson(0, Status::Candidate, at("", "shell", "git")),
            lesson(1, Status::Promoted, at("", "shell", "npm")),
            lesson(2, Status::Promoted, at("", "shell", "git")),
            lesson(3, Status::Suppressed, at("", "shell", "git")),
            lesson(4, Status::Promoted, at("shop", "shell", "npm")),
            lesson(5, Status::Promoted, at("", "grid", "git")),
            lesson(6, Status::Archived, at("shop", "shell", "git")),
            lesson(7, Status::Promoted, at("", "shell", "make")),
        ];
        lessons[7].proof.unfollowed = 99;
        lessons[1].reliability = 0.9;
        assert_eq!(
            told(&at("shop", "shell", ""), &lessons, &[]),
            [4, 1, 2, 0, 7]
        );
        assert_eq!(told(&at("", "shell", "git"), &lessons, &[]), [2, 0]);
        lessons[5].reach = Reach::Global;
        lessons[5].reliability = 0.8;
        assert_eq!(told(&at("", "shell", "git"), &lessons, &[]), [5, 2, 0]);
        // Without any label everything that is live may be worth knowing.
        assert_eq!(told(&Place::default(), &lessons, &[]).len(), 6);
        let pair = Contradiction {
            lessons: [lessons[4].id, lessons[1].id],
            excludes: true,
        };
        assert_eq!(
            told(&at("shop", "shell", ""), &lessons, &[pair])[..2],
            [4, 2]
        );
    }

    #[test]
    fn of_two_opposites_none_is_known_until_one_is_proved() {
        let mut lessons: Vec<Lesson> = (0..2)
            .map(|n| lesson(n, Status::Candidate, Place::default()))
            .collect();
        let pair = [Contradiction {
            lessons: [lessons[0].id, lessons[1].id],
            excludes: true,
        }];
        assert_eq!(told(&Place::default(), &lessons, &pair).len(), 0);
        lessons[1].status = Status::Promoted;
        assert_eq!(told(&Place::default(), &lessons, &pair), [1]);
    }

    #[test]
    fn a_lesson_of_one_run_is_not_worth_knowing() {
        let mut lessons = [lesson(0, Status::Candidate, Place::default())];
        lessons[0].proof.take_scope("repository");
        lessons[0].source_runs = vec!["one".to_owned()];
        assert_eq!(told(&Place::default(), &lessons, &[]).len(), 0);
        lessons[0].source_runs.push("two".to_owned());
        assert_eq!(told(&Place::default(), &lessons, &[]), [0]);
    }
}
