//! The formula compared with the engine.

use super::*;
use crate::retrieval::memories::MemoryOf;
use hindlore_domain::memory::policy::{Policy, Profile};

#[test]
fn the_shipped_constants_give_what_the_engine_gives() {
    let mut collection = Collection::default();
    for (text, follows) in [
        ("Ann: We walked to the lake on Sunday", false),
        ("Bob: Was the water of the lake cold?", true),
        ("Ann: Freezing! The dog swam anyway", true),
        (
            "Bob: My sister adopted a dog called Rex, a young dog",
            false,
        ),
        ("Ann: Rex is a lovely name", true),
        ("Der Hund heißt Rex und schläft im Garten", false),
        ("The e-mail of the vet is in vetAddress", false),
        ("黒い猫は台所で眠る", false),
    ] {
        collection.push(text, follows);
    }
    let long: Vec<String> = (0..400).map(|n| format!("word{n} the dog")).collect();
    collection.push(&long.join(" "), false);
    collection.sections[0] = "On the lake".to_owned();
    let mut memory = MemoryOf::new(&collection).unwrap();
    let policy = Policy {
        floor: 0.0,
        ..memory.policy().clone()
    };
    assert_eq!(policy.link_shares, SHIPPED.shares);
    memory.set_policy(policy);
    let corpus = Corpus::new(&collection, SHIPPED.passage_words);
    let questions = [
        "What is the name of the dog?",
        "lake lake water",
        "Who adopted Rex?",
        "Rex dog sister young name lovely adopted called",
        "I am Ann. Who is called Rex? Tell me about the dog and word17.",
        "Wo schläft der Hund?",
        "email of the vet, vet address",
        "猫",
    ];
    for question in questions {
        let relevances = corpus.relevances(question, SHIPPED);
        let hits = memory.hits(question, Profile::Engine);
        assert!(!hits.is_empty(), "{question}");
        for hit in hits {
            let place = memory.places([hit.id].into_iter())[0][0];
            let difference = (hit.parts.relevance - relevances[place]).abs();
            assert!(difference < 1e-12, "{question}: {difference}");
        }
    }
}
