//! Consolidation: no detail is lost unseen, important bullets stay, and a rollback restores the contents.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use hindlore::{
    ConsolidateRequest, Consolidated, EngineError, EngineOptions, MemoryView, MergedGroup,
    RetrieveRequest,
};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::{Tables, apply_delta};
use hindlore_domain::memory::bullet::{Bullet, BulletId, Kind, Status};
use hindlore_domain::memory::consolidation::{
    Choice, Group, Planner, Step, collect, details, importance_at,
};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation, PinChange, TagCounts};
use hindlore_domain::memory::link::LinkKind;
use hindlore_domain::memory::policy::Policy;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_testkit::TestMemory;

use super::chance::{cases, percent, pick};
use super::world::{World, key};

const SENTENCES: &[&str] = &[
    "Read the file {name} before you write to it",
    "Close the connection after each request of the service",
    "Ask {person} for the key of the archive",
    "Wait {number} seconds between two calls of the slow interface",
    "Never delete a record that another one points to",
    "Write a line about every change into the log of the day",
    "Run the whole test suite before each commit",
    "Say \"{word}\" when the caller gives the wrong number",
    "Sort the rows by their date and keep the oldest one",
    "Tell the owner of the table about each new column",
    "Use the flag {flag} of the tool for long lists",
    "Keep a copy of the old state until the next morning",
];
const NAMES: &[&str] = &["`main.rs`", "`data/rows.csv`", "`UserId`", "`run_all`"];
const PEOPLE: &[&str] = &["Maria", "Bob", "New York", "Sophie"];
const FLAGS: &[&str] = &["-d", "-D", "--all", "--dry-run"];
const WORDS: &[&str] = &["maybe", "stop now", "42"];

fn sentence(rng: &mut Rng, number: usize) -> String {
    let text = SENTENCES[number]
        .replace("{name}", pick::<&str>(rng, NAMES))
        .replace("{person}", pick::<&str>(rng, PEOPLE))
        .replace("{flag}", pick::<&str>(rng, FLAGS))
        .replace("{word}", pick::<&str>(rng, WORDS))
        .replace("{number}", &rng.u32(2..9).to_string());
    let end = if percent(rng, 20) {
        ", and say so."
    } else {
        "."
    };
    text + end
}

/// Texts in families: each has most sentences of its family, some with other details.
fn texts(rng: &mut Rng, count: usize) -> Vec<String> {
    let mut texts = Vec::new();
    while texts.len() < count {
        let from = rng.usize(..SENTENCES.len());
        let family: Vec<usize> = (0..5).map(|at| (from + at * 5) % SENTENCES.len()).collect();
        let base: Vec<String> = family.iter().map(|at| sentence(rng, *at)).collect();
        for _ in 0..rng.usize(1..5) {
            let mut parts = base.clone();
            if percent(rng, 60) {
                let at = rng.usize(..parts.len());
                parts[at] = sentence(rng, family[at]);
            }
            if percent(rng, 60) {
                parts.remove(rng.usize(..parts.len()));
            }
            if percent(rng, 30) {
                let more = rng.usize(..SENTENCES.len());
                parts.push(sentence(rng, more));
            }
            texts.push(parts.join(" "));
        }
    }
    texts.truncate(count);
    texts
}

async fn fill(world: &mut World, count: usize) {
    let rng = &mut world.rng;
    let adds = texts(rng, count).into_iter().map(|content| {
        Operation::Add(Box::new(NewBullet {
            content,
            kind: Some(*pick(
                rng,
                &[
                    Kind::Strategy,
                    Kind::Strategy,
                    Kind::Strategy,
                    Kind::Strategy,
                    Kind::Fact,
                    Kind::AntiPattern,
                ],
            )),
            importance: percent(rng, 15).then(|| f64::from(rng.u8(0..11)) / 10.0),
            helpful: rng.u64(..2) * rng.u64(..3),
            harmful: rng.u64(..2) * rng.u64(..2),
            topic: percent(rng, 8).then(|| "files".to_owned()),
            pinned: percent(rng, 5),
            ..NewBullet::default()
        }))
    });
    let adds: Vec<Operation> = adds.collect();
    for (number, part) in adds.chunks(17).enumerate() {
        let id = DeltaId::derive(&["fill", &number.to_string()]);
        let delta = Delta::new(id, part.to_vec());
        world.engine.apply_delta(&world.key, delta).await.unwrap();
    }
    for _ in 0..3 {
        world.retrieve().await;
    }
}

fn choice(rng: &mut Rng) -> Choice {
    Choice {
        kind: percent(rng, 20).then_some(Kind::Strategy),
        min_importance: f64::from(rng.u8(4..11)) / 10.0,
        preserve_high_importance: percent(rng, 70),
        importance_threshold: f64::from(rng.u8(5..10)) / 10.0,
        similarity: [0.5, 0.6, 0.6, 0.7][rng.usize(..4)],
    }
}

fn request(choice: Choice, run: &str) -> ConsolidateRequest {
    ConsolidateRequest {
        run: Some(run.to_owned()),
        choice,
        dry_run: false,
        batch: 10,
        texts: Vec::new(),
        author: None,
    }
}

/// Backticked and quoted texts and runs of digits, found without any rule of the engine.
fn literals(text: &str) -> BTreeSet<String> {
    let between = |mark: char| {
        let parts = text.split(mark).skip(1).step_by(2);
        parts.map(str::to_owned).collect::<Vec<_>>()
    };
    let digits = text.split(|c: char| !c.is_ascii_digit());
    let digits = digits.filter(|run| !run.is_empty()).map(str::to_owned);
    let flags = text
        .split(' ')
        .filter(|word| word.starts_with('-'))
        .map(str::to_owned);
    between('`')
        .into_iter()
        .chain(between('"'))
        .chain(digits)
        .chain(flags)
        .collect()
}

/// Compares a report with the bullets before, by brute force; returns the number of merged bullets.
fn check(before: &BTreeMap<BulletId, Bullet>, done: &Consolidated, choice: &Choice) -> u64 {
    let mut merged = 0;
    for one in &done.groups {
        let sources: Vec<&Bullet> = one.group.ids().iter().map(|id| &before[id]).collect();
        let content = &one.group.content;
        merged += sources.len() as u64;
        let (mut all, mut lost) = (BTreeSet::new(), BTreeSet::new());
        let there = details(content);
        for source in &sources {
            for detail in details(source.content.as_str()) {
                // A name counts as contained at the start of a sentence, too, where it is no detail.
                let words = content.to_lowercase();
                let says = detail.kind.word() == "entity" && words.contains(&detail.value);
                if !there.contains(&detail) && !says {
                    lost.insert(detail.clone());
                }
                all.insert(detail);
            }
            for literal in literals(source.content.as_str()) {
                assert!(
                    content.contains(&literal),
                    "`{literal}` is lost in {content}"
                );
            }
        }
        let lost: Vec<_> = lost.into_iter().collect();
        assert_eq!(one.group.loss.lost, lost, "{content}");
        assert_eq!(one.group.loss.total, all.len());
        assert!(lost.len() as f64 <= 0.1 * all.len() as f64);
        assert!(
            lost.iter().all(|detail| detail.kind.word() == "word"),
            "{lost:?}"
        );
        let bytes: usize = sources.iter().map(|it| it.content.as_str().len()).sum();
        assert_eq!(one.group.bytes_before, bytes as u64);
        assert!(content.len() as f64 <= bytes as f64 * 0.9);
        for source in &sources {
            assert!(!source.pinned && source.kind != Kind::AntiPattern && source.is_active());
            assert!(
                !choice.preserve_high_importance || source.importance < choice.importance_threshold
            );
            assert!(choice.kind.is_none_or(|kind| source.kind == kind));
            assert_eq!(
                (source.kind, &source.topic),
                (sources[0].kind, &sources[0].topic)
            );
        }
    }
    merged
}

fn by_id(bullets: Vec<Bullet>) -> BTreeMap<BulletId, Bullet> {
    bullets
        .into_iter()
        .map(|bullet| (bullet.id, bullet))
        .collect()
}

async fn run(world: &World, request: ConsolidateRequest) -> Consolidated {
    world.engine.consolidate(&world.key, request).await.unwrap()
}

fn planned(of: &Consolidated) -> (Vec<Group>, u64) {
    let groups = of.groups.iter().map(|it| it.group.clone());
    (groups.collect(), of.refused)
}

#[tokio::test]
async fn consolidated_and_rolled_back_a_memory_has_the_contents_that_it_had() {
    let (mut made, mut refused) = (0, 0);
    for (_case, rng) in cases(41, 16) {
        let mut world = World::with(rng, Policy::default());
        fill(&mut world, 90).await;
        let choice = choice(&mut world.rng);
        let before = world.view().await.unwrap();
        let bullets = by_id(before.bullets.clone());
        let dry = ConsolidateRequest {
            dry_run: true,
            ..request(choice, "c")
        };
        let dry = run(&world, dry).await;
        assert_eq!(world.view().await.unwrap(), before);
        let done = run(&world, request(choice, "c")).await;
        assert_eq!(planned(&dry), planned(&done));
        assert_eq!(check(&bullets, &done, &choice), done.merged);
        assert_eq!(done.merged + done.preserved, before.status_counts.active);
        let after = world.view().await.unwrap();
        check_after(&bullets, &by_id(after.bullets.clone()), &done);
        let links = after.links.iter();
        let lineage = links.filter(|it| it.id.kind == LinkKind::ConsolidatedFrom);
        assert_eq!(lineage.count() as u64, done.merged);
        let verified = world.engine.verify(&world.key).await.unwrap();
        assert!(verified.is_sound, "{:?}", verified.differences);
        let other = world.second().view(&world.key).await.unwrap();
        assert_eq!(other, Some(after));
        // The same run continues: only its own results are new.
        let again = run(&world, request(choice, "c")).await;
        let has_new =
            |one: &MergedGroup| one.group.ids().iter().any(|id| !bullets.contains_key(id));
        assert!(again.groups.iter().all(has_new));
        (made, refused) = (made + done.made, refused + done.refused);
        check_rollback(&world, &before, done.made).await;
    }
    assert!(
        made > 30 && refused > 10,
        "only {made} made and {refused} refused"
    );
}

async fn check_rollback(world: &World, before: &MemoryView, made: u64) {
    let back = world.engine.roll_back(&world.key, "c", None, false).await;
    if made == 0 {
        assert!(matches!(back, Err(EngineError::NoConsolidation(_))));
        return;
    }
    assert_eq!(back.unwrap().content_digest, before.content_digest);
    let again = world.engine.roll_back(&world.key, "c", None, false).await;
    let again = again.unwrap();
    assert_eq!(again.undone, []);
    assert_eq!(again.content_digest, before.content_digest);
    assert!(world.engine.verify(&world.key).await.unwrap().is_sound);
}

/// A bullet that was no source is unchanged; sources are archived and otherwise unchanged.
fn check_after(
    before: &BTreeMap<BulletId, Bullet>,
    after: &BTreeMap<BulletId, Bullet>,
    done: &Consolidated,
) {
    let into: BTreeMap<BulletId, BulletId> = done
        .groups
        .iter()
        .flat_map(|one| {
            one.group
                .ids()
                .into_iter()
                .map(|id| (id, one.bullet.unwrap()))
        })
        .collect();
    for (id, old) in before {
        let new = &after[id];
        match into.get(id) {
            None => assert_eq!(new, old),
            Some(result) => {
                let expected = Bullet {
                    status: Status::Archived,
                    merged_into: Some(*result),
                    holds_hash: new.holds_hash,
                    changed_tick: new.changed_tick,
                    ..old.clone()
                };
                assert_eq!(new, &expected);
            }
        }
    }
    for one in &done.groups {
        let made = &after[&one.bullet.unwrap()];
        let votes: u64 = one
            .group
            .ids()
            .iter()
            .map(|id| before[id].counts.helpful)
            .sum();
        assert_eq!(
            (made.kind, made.counts.helpful),
            (Kind::Consolidated, votes)
        );
    }
}

#[tokio::test]
async fn a_run_that_is_cut_off_leaves_a_sound_memory_and_goes_on_with_the_same_id() {
    let mut world = World::with(fastrand::Rng::with_seed(5), Policy::default());
    fill(&mut world, 300).await;
    let before = world.view().await.unwrap();
    let choice = Choice {
        min_importance: 1.0,
        preserve_high_importance: false,
        ..Choice::default()
    };
    let whole = ConsolidateRequest {
        dry_run: true,
        ..request(choice, "c")
    };
    let whole = world.engine.consolidate(&world.key, whole).await.unwrap();
    assert!(whole.made > 10, "only {} groups", whole.made);
    // The invariants hold after an interruption at any point.
    for waits in [1, 2, 3, 5, 8] {
        let run = world.engine.consolidate(&world.key, request(choice, "c"));
        let mut run = Box::pin(run);
        for _ in 0..waits {
            let once = tokio::time::timeout(std::time::Duration::from_millis(1), &mut run).await;
            if once.is_ok() {
                break;
            }
        }
        drop(run);
        world.engine.drain().await;
        let verified = world.engine.verify(&world.key).await.unwrap();
        assert!(verified.is_sound, "{:?}", verified.differences);
    }
    world
        .engine
        .consolidate(&world.key, request(choice, "c"))
        .await
        .unwrap();
    let after = world.view().await.unwrap();
    let sources = by_id(before.bullets.clone());
    let left = |id: &BulletId| by_id(after.bullets.clone())[id].is_active();
    for group in &whole.groups {
        // All of a group or nothing of it; in the end all of it.
        assert!(
            group
                .group
                .ids()
                .iter()
                .all(|id| sources.contains_key(id) && !left(id))
        );
    }
    let back = world
        .engine
        .roll_back(&world.key, "c", None, false)
        .await
        .unwrap();
    assert_eq!(back.content_digest, before.content_digest);
}

#[tokio::test]
async fn a_rollback_is_refused_as_a_whole_when_somebody_built_on_the_result() {
    let mut world = World::with(fastrand::Rng::with_seed(6), Policy::default());
    fill(&mut world, 200).await;
    let before = world.view().await.unwrap();
    let choice = Choice {
        min_importance: 1.0,
        preserve_high_importance: false,
        ..Choice::default()
    };
    let done = world
        .engine
        .consolidate(&world.key, request(choice, "c"))
        .await
        .unwrap();
    assert!(done.deltas.len() > 1);
    let made = done.groups[0].bullet.unwrap();
    let text = "another text by hand".to_owned();
    let patch = |id| hindlore_domain::memory::delta::Patch {
        content: Some(text.clone()),
        ..hindlore_domain::memory::delta::Patch::new(id)
    };
    let edit = Delta::new(
        DeltaId::derive(&["edit"]),
        vec![Operation::Update(Box::new(patch(made)))],
    );
    world.engine.apply_delta(&world.key, edit).await.unwrap();
    let edited = world.view().await.unwrap();
    let refused = world.engine.roll_back(&world.key, "c", None, false).await;
    assert!(matches!(refused, Err(EngineError::Undo(_))));
    assert_eq!(world.view().await.unwrap(), edited);
    let forced = world
        .engine
        .roll_back(&world.key, "c", None, true)
        .await
        .unwrap();
    assert_eq!(forced.content_digest, before.content_digest);
}

#[tokio::test]
async fn a_memory_that_grows_beyond_the_limit_is_consolidated_in_the_background_unless_switched_off()
 {
    for (above, is_consolidated) in [(Some(40), true), (Some(1_000), false), (None, false)] {
        let place = hindlore_testkit::TemporaryStore::new().unwrap();
        let options = EngineOptions {
            consolidate_above: above,
            seeds: false,
            ..EngineOptions::default()
        };
        let memory = TestMemory::with(place.store().unwrap(), options).unwrap();
        let texts = texts(&mut fastrand::Rng::with_seed(7), 60);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        memory.seed(&texts).await.unwrap();
        memory.engine.drain().await;
        let view = memory.view().await.unwrap();
        let made = view
            .bullets
            .iter()
            .filter(|it| it.kind == Kind::Consolidated)
            .count();
        assert_eq!(made > 0, is_consolidated, "{above:?}");
        assert!(memory.engine.verify(&memory.key).await.unwrap().is_sound);
    }
}

/// The bullets of the memories here, from the environment; the default is that of a memory, 20,000.
fn sizes() -> Vec<usize> {
    let given = std::env::var("CONSOLIDATED_BULLETS").unwrap_or("500,1000".to_owned());
    given.split(',').map(|size| size.parse().unwrap()).collect()
}

fn memory(texts: &[String]) -> Memory {
    let tables = Tables::standard();
    let mut memory = Memory::new(key(), tables.stamp(Policy::default()));
    let add = |text: &String| {
        Operation::Add(Box::new(NewBullet {
            content: text.clone(),
            kind: Some(Kind::Fact),
            ..NewBullet::default()
        }))
    };
    let delta = Delta::new(DeltaId::derive(&["d"]), texts.iter().map(add).collect());
    apply_delta(&mut memory, &delta, Timestamp::default(), &tables).unwrap();
    memory
}

#[test]
fn a_plan_costs_a_bounded_number_of_comparisons_for_each_bullet() {
    let template = |at: usize| {
        format!(
            "Open the queue of the team in room {at} each morning and close what the {at}th guest of the day left there."
        )
    };
    for size in sizes() {
        let families = texts(&mut fastrand::Rng::with_seed(8), size);
        let one_template: Vec<String> = (0..size).map(template).collect();
        for texts in [families, one_template] {
            let memory = memory(&texts);
            let candidates = collect(&memory, &Choice::default(), Timestamp::default());
            let count = candidates.len() as u64;
            let mut planner = Planner::new(candidates, Choice::default(), Tables::standard().guard);
            let (mut steps, mut groups) = (0, 0);
            while let Some(step) = planner.step() {
                steps += 1;
                assert_eq!(planner.progress(), (steps, count));
                groups += u64::from(matches!(step, Step::Group(_)));
            }
            assert_eq!(steps, count);
            assert!(groups * 2 <= count);
            assert!(
                planner.comparisons() <= 64 * count,
                "{}",
                planner.comparisons()
            );
        }
    }
}

#[tokio::test]
async fn importance_follows_from_votes_and_use_and_a_replay_has_the_same() {
    let mut world = World::with(fastrand::Rng::with_seed(9), Policy::default());
    fill(&mut world, 20).await;
    let bullet = world
        .bullets()
        .await
        .into_iter()
        .find(|it| !it.is_seed() && it.importance == 0.5 && it.counts.helpful == 0)
        .unwrap();
    let vote = |helpful| {
        vec![
            Operation::Tag(TagCounts {
                id: bullet.id.into(),
                helpful,
                harmful: 0,
                neutral: 0,
            }),
            Operation::Pin(PinChange {
                id: bullet.id.into(),
                on: false,
            }),
        ]
    };
    let importance = |view: &MemoryView| {
        let now = view.bullets.iter().find(|it| it.id == bullet.id).unwrap();
        (
            importance_at(now, &view.policy.rates, view.clock),
            now.importance,
        )
    };
    let delta = Delta::new(DeltaId::derive(&["vote"]), vote(2));
    world.engine.apply_delta(&world.key, delta).await.unwrap();
    let view = world.view().await.unwrap();
    assert_eq!(
        importance(&view),
        (0.7 - 0.1 * bullet.counts.harmful.min(2) as f64, 0.5)
    );
    let query = hindlore_domain::memory::query::Query::new("nothing like the others");
    let _ = world
        .engine
        .retrieve(&world.key, RetrieveRequest::new(query))
        .await;
    assert!(world.engine.verify(&world.key).await.unwrap().is_sound);
}
