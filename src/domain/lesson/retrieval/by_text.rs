//! Finding lessons by their words, where a question names neither task nor domain nor tool.
//!
//! A word that many lessons hold is weak evidence, one that none holds shows that the question is about something else.
//! So a lesson is found when the weight of its common words is a large enough share of the question.

use std::collections::{BTreeMap, BTreeSet};

use crate::lesson::lesson::Lesson;
use hindlore_primitives::ids::LessonId;
use hindlore_text::words::search_terms;

/// The share of the weight of a question that a lesson has to hold.
const SHARE_MIN: f64 = 0.25;
/// Words of a question that count: of a long one the heaviest, because a long question contains much beyond its
/// subject.
const WORDS_MAX: usize = 4;

/// The lessons that a text is about, the heaviest share first, then by id; at most `most`.
pub fn by_text(text: &str, lessons: &[Lesson], most: usize) -> Vec<LessonId> {
    let asked: BTreeSet<String> = search_terms(text).into_iter().collect();
    let held: Vec<BTreeSet<String>> = lessons.iter().map(words_of).collect();
    let mut holders: BTreeMap<&str, usize> = BTreeMap::new();
    for words in &held {
        for word in words.iter().filter(|word| asked.contains(*word)) {
            *holders.entry(word).or_default() += 1;
        }
    }
    let weight = |word: &String| {
        let holders = holders.get(word.as_str()).copied().unwrap_or(1);
        (1.0 + lessons.len() as f64 / holders as f64).ln()
    };
    let mut weights: Vec<f64> = asked.iter().map(weight).collect();
    weights.sort_by(|a, b| b.total_cmp(a));
    let whole: f64 = weights.iter().take(WORDS_MAX).sum();
    let mut found: Vec<(f64, LessonId)> = Vec::new();
    for (lesson, words) in lessons.iter().zip(&held) {
        let shared: f64 = asked.intersection(words).map(weight).sum();
        // Sums of the same weights in another order may differ in their last bit.
        if shared > 0.0 && shared >= SHARE_MIN * whole - 1e-9 {
            found.push((shared, lesson.id));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.into_iter().take(most).map(|(_, id)| id).collect()
}

/// The words of a lesson: of its rule, and of the place where it was learned.
fn words_of(lesson: &Lesson) -> BTreeSet<String> {
    let (rule, place) = (&lesson.rule, &lesson.place);
    let sides = [rule.wrong(), rule.correct(), rule.message()];
    let said = match rule.wrong() {
        Some(_) => sides.into_iter().flatten().collect::<Vec<_>>().join(" "),
        None => rule.as_str().to_owned(),
    };
    let names = [&place.task, &place.domain, &place.tool];
    let names = names.into_iter().flatten().map(String::as_str);
    let texts = std::iter::once(said.as_str()).chain(names);
    texts.flat_map(search_terms).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::lesson::plain_lesson as lesson;

    #[test]
    fn a_question_finds_what_it_is_about_and_nothing_else() {
        let lessons = [
            lesson("WRONG git push <1> main → CORRECT git push <1> HEAD:topic"),
            lesson("WRONG npm run test → CORRECT npm run test:unit"),
            lesson("WRONG npm run lint → CORRECT npm run check"),
            lesson("WRONG cargo run --bin <1> — no such binary"),
            lesson("WRONG docker run <1> → CORRECT docker run --rm <1>"),
            lesson("Quote every path that holds a blank"),
        ];
        for (text, expected) in [
            ("git push", &[0][..]),
            ("push my changes to github", &[0]),
            ("lint the code", &[2]),
            (
                "how do I quote a path in the build script of the new release",
                &[5],
            ),
            // A common word is weak next to words that no lesson knows.
            ("run a marathon in the rain", &[]),
            ("what is wrong, and what is correct?", &[]),
            ("", &[]),
        ] {
            let found = by_text(text, &lessons, 9);
            let expected: Vec<LessonId> =
                expected.iter().map(|at: &usize| lessons[*at].id).collect();
            assert_eq!(found, expected, "{text}");
        }
        assert_eq!(by_text("npm run", &lessons, 1).len(), 1);
        assert_eq!(by_text("git push", &[], 9), []);
    }
}
