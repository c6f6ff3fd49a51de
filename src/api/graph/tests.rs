//! Names, texts and words of a graph, and its parts, which are read like the whole.

use fastrand::Rng;

use super::*;
use crate::export::samples::{bullet, key};
use hindlore_domain::memory::bullet::Status;
use hindlore_domain::memory::policy::Policy;

/// Names that differ by case, blanks, or the quotes of another program.
const NAMES: [&str; 6] = ["Ada", "ada", "Pump 1", " Attic ", "\"Ada\"", "x \"y"];
const WORDS: [&str; 6] = ["leaks", "noon", "Ümlaut", "pump", "a-b", "[2]"];

fn some<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.usize(..all.len())]
}

fn memory(rng: &mut Rng) -> Memory {
    let mut memory = Memory::new(key(), Policy::default());
    for number in 0..rng.u8(..40) {
        // Other programs do not quote.
        let label = |rng: &mut Rng| match (some(rng, &NAMES), rng.bool()) {
            (name, true) => label::stored(name),
            (name, false) => name.trim().to_owned(),
        };
        let topic = label(rng);
        let name = label::shown(&label::read(&topic));
        let text = format!(
            "{name}: {} {} {number}",
            some(rng, &WORDS),
            some(rng, &WORDS)
        );
        let mut tags = vec![];
        for tag in [ENTITY, OBSERVATION, RELATION] {
            if rng.u8(..3) == 0 {
                tags.push(tag.to_owned());
            }
        }
        memory.put(&Bullet {
            tags,
            topic: Some(topic).filter(|_| rng.u8(..10) > 0),
            section: rng.bool().then(|| some(rng, &WORDS).to_owned()),
            concept: rng.bool().then(|| label(rng)),
            status: some(rng, &[Status::Active, Status::Active, Status::Archived]),
            ..bullet(number, &text)
        });
    }
    memory
}

#[test]
fn a_part_is_read_like_the_whole() {
    let (mut entities, mut relations) = (0, 0);
    for seed in 0..2_000 {
        let mut rng = Rng::with_seed(seed);
        let memory = memory(&mut rng);
        let whole = Graph::of(&memory.bullets());
        let names: Vec<String> = (0..rng.usize(..4))
            .map(|_| some(&mut rng, &NAMES).to_owned())
            .collect();
        let part = Graph::around(&memory, &names).shown(Some(&names));
        assert_eq!(part, whole.shown(Some(&names)), "seed {seed}: {names:?}");
        entities += part.entities.len();
        relations += part.relations.len();

        let words = format!("{} {}", some(&mut rng, &WORDS), some(&mut rng, &NAMES));
        let near = names_near(&memory, &words);
        let found = Graph::around(&memory, &near).names_with(&words);
        assert_eq!(found, whole.names_with(&words), "seed {seed}: {words}");
    }
    assert!(
        entities > 1_000 && relations > 1_000,
        "too tame: {entities}, {relations}"
    );
}

#[test]
fn the_text_of_an_observation_has_neither_name_nor_number() {
    for (name, content, text) in [
        ("Ada", "Ada: likes tea", Some("likes tea")),
        ("Ada", "Ada [2]: likes tea", Some("likes tea")),
        ("Ada", "Ada: [2]: x", Some("[2]: x")),
        ("Ada", "Ada likes tea", None),
        ("Ada", "Ada [x]: y", None),
        (" Ada ", "Ada:  two ", Some(" two ")),
    ] {
        assert_eq!(bare(name, content), text, "{content}");
    }
}

#[test]
fn words_of_tags_are_not_searched_in_tags() {
    let words = "observation Observations ent entity related pump lever";
    assert_eq!(without_tags(words), "pump lever");
    assert_eq!(without_tags("entry relay observatory"), "entry relay");
}
