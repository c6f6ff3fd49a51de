//! Retrieval of long texts, headings, prefaces, sources, and words that mean nothing alone.

use super::*;
use crate::memory::apply::{Tables, apply_delta};
use crate::memory::bullet::Source;
use crate::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use crate::memory::key::MemoryKey;
use crate::memory::policy::{Policy, SourceWeights};
use crate::memory::query::Speaker;

/// A memory of texts, each with its section and source.
fn memory(texts: &[(&str, &str, Source)]) -> Memory {
    let mut memory = Memory::new(MemoryKey::new("t", "l", "s").unwrap(), Policy::default());
    let add = |(section, text, source): &(&str, &str, Source)| {
        Operation::Add(Box::new(NewBullet {
            content: (*text).to_owned(),
            section: (!section.is_empty()).then(|| (*section).to_owned()),
            source: Some(*source),
            ..NewBullet::default()
        }))
    };
    let operations = texts.iter().map(add).collect();
    let delta = Delta::new(DeltaId::parse("d").unwrap(), operations);
    let now = Timestamp::from_millis(0);
    apply_delta(&mut memory, &delta, now, &Tables::standard()).unwrap();
    memory
}

fn plain(texts: &[&str]) -> Memory {
    let texts: Vec<_> = texts
        .iter()
        .map(|text| ("", *text, Source::Import))
        .collect();
    memory(&texts)
}

/// The texts that are found, best first.
fn found(memory: &Memory, query: &str) -> Vec<String> {
    let ranking = rank(memory, &Query::new(query), Timestamp::from_millis(0));
    let scan = rank_by_scan(memory, &Query::new(query), Timestamp::from_millis(0));
    assert_eq!(ranking, scan, "{query}");
    let hits = ranking.hits.iter().filter_map(|hit| memory.get(hit.id));
    hits.map(|bullet| bullet.content.as_str().to_owned())
        .collect()
}

#[test]
fn a_long_text_ranks_by_its_best_passage() {
    let filler = |name: &str| {
        let words: Vec<String> = (0..400).map(|n| format!("{name}{n}")).collect();
        words.join(" ")
    };
    let long = format!(
        "{} The parrot of the landlady is called Kiko. {}",
        filler("x"),
        filler("y")
    );
    let texts = [
        long.as_str(),
        "The landlady collects the rent on Monday",
        "A parrot lives for sixty years",
    ];
    let memory = plain(&texts);
    assert_eq!(
        found(&memory, "what is the parrot of the landlady called")[0],
        long
    );
}

#[test]
fn the_heading_belongs_to_the_text_and_follows_its_changes() {
    let (advice, other) = (
        "Raise the limit of the container.",
        "Look at the plan of the query.",
    );
    let mut memory = memory(&[
        ("Out of memory (OOMKilled)", advice, Source::Import),
        ("Slow answers", other, Source::Import),
    ]);
    assert_eq!(found(&memory, "Reason: OOMKilled"), [advice]);
    let mut moved = memory
        .bullets()
        .into_iter()
        .find(|one| one.content.as_str() == advice);
    let bullet = moved.as_mut().unwrap();
    bullet.section = Some("Evicted pods".to_owned());
    memory.put(bullet);
    assert!(found(&memory, "Reason: OOMKilled").is_empty());
    assert_eq!(found(&memory, "pod was evicted"), [advice]);
}

#[test]
fn a_task_is_found_behind_a_preface_and_before_one() {
    let rules = [
        "Tests of the cart need a fixed clock",
        "A list needs a stable key",
        "Keep the answer of the health check under a second",
        "Report outages to the people on call",
        "Steps of the wizard are files in one folder",
    ];
    let memory = plain(&rules);
    let task = "The tests of the cart fail around midnight.";
    let preface = "You are a coding agent that works for a developer in a repository. Think first, make a plan \
        with a few steps, carry it out, and check the outcome before you report. Keep your answer brief. Do not \
        touch unrelated parts, and say so when something stays unclear.";
    assert_eq!(found(&memory, task)[0], rules[0]);
    assert_eq!(found(&memory, &format!("{preface} {task}"))[0], rules[0]);
    assert_eq!(found(&memory, &format!("{task} {preface}"))[0], rules[0]);
}

#[test]
fn a_persons_words_come_before_an_agents_in_a_talk() {
    let said = "Sure, the budget for the trip to Lisbon is noted";
    let told =
        "My budget is 900 euros for Lisbon, hotel and train included, and I travel with a dog";
    let question = "budget for the trip to Lisbon";
    let mut talk = memory(&[("", told, Source::Person), ("", said, Source::Agent)]);
    assert_eq!(found(&talk, question)[0], told);
    let query = Query {
        speaker: Speaker::Any,
        ..Query::new(question)
    };
    let hits = rank(&talk, &query, Timestamp::from_millis(0)).hits;
    assert_eq!(talk.get(hits[0].id).unwrap().content.as_str(), said);
    let (clock, revision, origin) = (talk.clock(), talk.revision(), talk.origin_clock());
    let policy = Policy {
        source_weights: SourceWeights {
            dialogue: 1.0,
            ..SourceWeights::default()
        },
        ..talk.policy().clone()
    };
    talk.stand_at(clock, revision, origin, policy);
    assert_eq!(found(&talk, question)[0], said);
    // One word of a person among many learned strategies makes no talk.
    let others = ["Rest often", "Pack light", "Walk far", "Wait for rain"];
    let mut mixed = vec![("", told, Source::Person), ("", said, Source::Agent)];
    mixed.extend(others.map(|text| ("", text, Source::Agent)));
    assert_eq!(found(&memory(&mixed), question)[0], said);
}

#[test]
fn one_everyday_word_is_no_answer() {
    let memory = plain(&[
        "Production uses PostgreSQL 16.",
        "Run the linter before every commit.",
        "Use tabs in Go files.",
    ]);
    assert!(found(&memory, "which database do we run?").is_empty());
    assert!(found(&memory, "use pnpm or npm to install?").is_empty());
    assert_eq!(found(&memory, "run").len(), 1, "it is all that is asked");
    let question = "what should I run before a commit?";
    assert_eq!(
        found(&memory, question),
        ["Run the linter before every commit."]
    );
    let ranking = rank(
        &memory,
        &Query::new("which database do we run?"),
        Timestamp::from_millis(0),
    );
    let reason = &ranking.near_misses[0].reason;
    assert_eq!(
        reason,
        "it shares only the common word \"run\" with the question"
    );
}

#[test]
fn a_named_day_finds_the_bullets_of_that_day() {
    let mut memory = plain(&[
        "We deploy on Tuesdays.",
        "The cart lost a coupon.",
        "Tea was out.",
    ]);
    let days = [19_588_i64, 19_589, 19_700];
    for (bullet, day) in memory.bullets().into_iter().zip(days) {
        let created_at = Timestamp::from_millis(day * 86_400_000);
        memory.put(&Bullet {
            created_at,
            ..bullet
        });
    }
    let at = |question: &str, today: i64| {
        let now = Timestamp::from_millis(today * 86_400_000);
        let hits = rank(&memory, &Query::new(question), now).hits;
        let texts = hits.iter().map(|hit| memory.get(hit.id).unwrap().content);
        texts
            .map(|text| text.as_str().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        at("what happened on 19 August 2023?", 20_000),
        ["We deploy on Tuesdays."]
    );
    assert_eq!(
        at("what happened yesterday?", 19_590),
        ["The cart lost a coupon."]
    );
    assert_eq!(at("what happened in August 2023?", 20_000).len(), 2);
    assert!(at("what happened in 1999?", 20_000).is_empty());
}

#[test]
fn a_standing_instruction_counts_more_where_something_is_to_be_done() {
    let order = "Always name the guests of a party in full.";
    let told = "Party guests: Sara.";
    let memory = memory(&[("", told, Source::Person), ("", order, Source::Person)]);
    assert_eq!(
        found(&memory, "write the invitation of guests to the party")[0],
        order
    );
    assert_eq!(found(&memory, "who were the guests of the party?")[0], told);
}

#[test]
fn function_words_alone_find_nothing() {
    let memory = plain(&[
        "Wash your hands after lunch",
        "Raise the timeout of the fetch call",
        "Bei Regen bleibt die Terrasse zu und nicht offen",
    ]);
    assert_eq!(
        found(&memory, "what to do after a timeout"),
        ["Raise the timeout of the fetch call"]
    );
    assert!(found(&memory, "what to do after a quarrel").is_empty());
    assert!(found(&memory, "Was tun bei einer Zeitüberschreitung?").is_empty());
    assert_eq!(found(&memory, "after").len(), 1);
}
