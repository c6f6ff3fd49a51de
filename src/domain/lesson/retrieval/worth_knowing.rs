//! At the start of a session: the lessons that are worth knowing before anything is tried.
//!
//! Nothing has failed yet, so only the place counts: proved lessons come before merely learned ones, lessons of this
//! task before those of this tool or domain. Lessons that are never followed come last.

use crate::lesson::lesson::{Lesson, Place, Reach, Status};
use crate::lesson::lesson_policy::RetrievalNumbers;
use hindlore_primitives::ids::LessonId;

/// Lessons for a session at a place, the most valuable first, at most `most`. Of two that contradict each other only
/// the first is returned.
pub fn worth_knowing<'l>(
    place: &Place,
    lessons: &'l [Lesson],
    conflicts: &[(LessonId, LessonId)],
    (most, numbers): (usize, &RetrievalNumbers),
) -> Vec<&'l Lesson> {
    let of_here = |lesson: &&Lesson| lesson.status.is_live() && reaches(lesson, place);
    let mut found: Vec<&Lesson> = lessons.iter().filter(of_here).collect();
    found.sort_by(|a, b| {
        let rank = |lesson: &Lesson| {
            let is_candidate = lesson.status != Status::Promoted;
            (
                lesson.proof.is_idle(numbers),
                is_candidate,
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
    let contradict = |a: LessonId, b: LessonId| conflicts.contains(&(a.min(b), a.max(b)));
    let mut told: Vec<&Lesson> = Vec::new();
    for lesson in found {
        if told.len() >= most {
            break;
        }
        if !told.iter().any(|known| contradict(known.id, lesson.id)) {
            told.push(lesson);
        }
    }
    told
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
    use crate::lesson::lesson::{LearnerId, NewLesson};
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
            at: Timestamp::from_millis(0),
        });
        lesson.status = status;
        lesson
    }

    fn told(place: &Place, lessons: &[Lesson], conflicts: &[(LessonId, LessonId)]) -> Vec<usize> {
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
        let pair = (lessons[4].id, lessons[1].id);
        let pair = (pair.0.min(pair.1), pair.0.max(pair.1));
        assert_eq!(
            told(&at("shop", "shell", ""), &lessons, &[pair])[..2],
            [4, 2]
        );
    }
}
