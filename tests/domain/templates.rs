//! Texts from one template: merges are those of comparing all pairs, links are few, and the work grows with
//! the number of texts.

use std::collections::BTreeMap;

use fastrand::Rng;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::{Tables, apply_delta};
use hindlore_domain::memory::bullet::{BulletId, Kind, MemoryType};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::link::LinkKind;
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::receipt::Receipt;
use hindlore_primitives::timestamp::Timestamp;

use crate::chance::{cases, percent, pick};
use crate::cpu_time::cpu;
use crate::key;
use crate::merging::rows;
use crate::merging_model::{LINKS_MAX, Model};

fn add(content: String) -> Operation {
    Operation::Add(Box::new(NewBullet {
        content,
        kind: Some(Kind::Fact),
        memory_type: Some(MemoryType::Semantic),
        created_at: Some(Timestamp::default()),
        ..NewBullet::default()
    }))
}

fn apply(memory: &mut Memory, name: &str, texts: Vec<String>) -> Receipt {
    let operations = texts.into_iter().map(add).collect();
    let delta = Delta::new(DeltaId::parse(name).unwrap(), operations);
    let tables = Tables::standard();
    let applied = apply_delta(memory, &delta, Timestamp::default(), &tables).unwrap();
    applied.receipt
}

fn unlimited() -> Policy {
    Policy {
        max_bullets: None,
        ..Policy::default()
    }
}

/// The words in the gaps of the template: some mean the same, some nearly, most something else.
#[rustfmt::skip]
const GAPS: [&str; 44] = [
    "7", "seven", "8", "8,017", "8017", "first", "1st", "3 ms", "3ms", "host17", "host 17", "web_17",
    "`web_17`", "b3f2a", "alice", "Alice", "alise", "alicia", "customer", "customers", "costumer",
    "organise", "organize", "logfile", "log file", "fetch", "retrieve", "get", "müller", "müllern", "never",
    "enable", "disable", "not", "ключ", "ключи", "检查", "文件", "l'eau", "\"quoted name\"", "src/main.rs",
    "--flag", "3_foo", "10²",
];

/// Texts of which some may be merged: the gaps hold few values, and several ways to write each.
fn filled(rng: &mut Rng) -> String {
    let what = (*pick(rng, &GAPS[..])).to_owned();
    let how = if percent(rng, 15) {
        (*pick(rng, &GAPS[..])).to_owned()
    } else {
        "today".to_owned()
    };
    let who = rng.u32(..4);
    format!(
        "The service {what} of the main office in the old town listens behind its own proxy and must be \
         restarted with the admin tool {how} after every change of its configuration or certificate, while \
         nobody else works there, by whoever is on duty that day {who}."
    )
}

#[test]
fn merges_in_a_crowd_are_those_of_comparing_all_pairs() {
    let (tables, mut merges) = (Tables::standard(), 0);
    for (_case, mut rng) in cases(31, 4) {
        let mut memory = Memory::new(key(), unlimited());
        let mut model = Model::new(key(), unlimited());
        let mut left = 90;
        for step in 0.. {
            let count = rng.usize(1..40).min(left);
            left -= count;
            let operations: Vec<Operation> = (0..count).map(|_| add(filled(&mut rng))).collect();
            let name = format!("d{step}");
            assert!(model.apply(&name, &operations));
            let delta = Delta::new(DeltaId::parse(&name).unwrap(), operations);
            let applied = apply_delta(&mut memory, &delta, Timestamp::default(), &tables).unwrap();
            let of_two = applied.receipt.merged.iter().filter(|m| m.into != m.from);
            merges += of_two.count();
            assert_eq!(rows(&memory), model.rows);
            if left == 0 {
                break;
            }
        }
        check_degrees(&memory);
    }
    assert!(merges > 5, "too tame: {merges}");
}

/// The number of links of a kind at a bullet, of all present links.
fn degrees(memory: &Memory) -> BTreeMap<(BulletId, LinkKind), usize> {
    let mut degrees = BTreeMap::new();
    for link in memory.links().filter(|link| link.id.kind.is_for_review()) {
        for end in [link.id.from, link.id.to] {
            *degrees.entry((end, link.id.kind)).or_default() += 1;
        }
    }
    degrees
}

fn check_degrees(memory: &Memory) {
    let degrees = degrees(memory);
    assert!(degrees.values().all(|degree| *degree <= LINKS_MAX));
}

/// Differs from text to text by numbers.
fn numbered(at: usize) -> String {
    format!(
        "The service on host {at} listens on port {} and must be restarted with the admin tool after every \
         change of its configuration file or certificate, never by hand",
        8000 + at
    )
}

/// Differs from text to text by a plain word.
fn named(at: usize) -> String {
    let letters = b"bcdfghjklmnpqrstvwxz";
    let name: String = (0..4)
        .flat_map(|place: u32| {
            let letter = letters[at / 20_usize.pow(place) % 20];
            [char::from(letter), 'o']
        })
        .collect();
    format!(
        "The service of {name} listens behind the main proxy and must be restarted with the admin tool after \
         every change of its configuration file or certificate, never by hand"
    )
}

#[test]
fn a_family_of_texts_has_few_links_however_it_comes() {
    for make in [numbered, named] {
        let texts: Vec<String> = (0..150).map(make).collect();
        let mut at_once = Memory::new(key(), unlimited());
        let receipt = apply(&mut at_once, "d", texts.clone());
        assert_eq!(receipt.added.len(), 150);
        assert!(
            (8..300).contains(&receipt.linked.len()),
            "{}",
            receipt.linked.len()
        );
        check_degrees(&at_once);
        let mut one_by_one = Memory::new(key(), unlimited());
        let mut links = Vec::new();
        for (at, text) in texts.into_iter().enumerate() {
            links.extend(apply(&mut one_by_one, &format!("d{at}"), vec![text]).linked);
        }
        check_degrees(&one_by_one);
        let pairs = |memory: &Memory| {
            let place = |id| memory.get(id).unwrap().position;
            let ends = |a, b| (place(a).min(place(b)), place(a).max(place(b)));
            let mut pairs: Vec<_> = memory
                .links()
                .map(|link| (link.id.kind, ends(link.id.from, link.id.to)))
                .collect();
            pairs.sort_unstable();
            pairs
        };
        assert_eq!(pairs(&at_once), pairs(&one_by_one));
    }
}

#[test]
fn a_contradiction_is_not_lost_behind_a_family() {
    let mut memory = Memory::new(key(), unlimited());
    apply(&mut memory, "d", (0..150).map(numbered).collect());
    let denied = numbered(117).replace("must be", "must not be");
    let receipt = apply(&mut memory, "d2", vec![denied]);
    let of = |kind| receipt.linked.iter().filter(move |link| link.kind == kind);
    let meant = memory
        .bullets()
        .into_iter()
        .find(|bullet| bullet.content.as_str().contains("host 117 "));
    let meant = meant.unwrap().id;
    assert!(of(LinkKind::ConflictsWith).any(|link| link.from == meant || link.to == meant));
    assert!(of(LinkKind::ConflictsWith).count() <= LINKS_MAX);
}

/// The sizes to try, from `TEMPLATED_TEXTS` where it is set.
fn sizes() -> Vec<usize> {
    let given = std::env::var("TEMPLATED_TEXTS").unwrap_or("100,1000".to_owned());
    given
        .split(',')
        .map(|size| size.trim().parse().unwrap())
        .collect()
}

#[test]
fn the_work_for_a_family_grows_with_its_size() {
    for (what, make) in [
        ("numbers", numbered as fn(usize) -> String),
        ("names", named),
    ] {
        let mut before: Option<(usize, f64)> = None;
        for size in sizes() {
            let mut memory = Memory::new(key(), unlimited());
            let texts: Vec<String> = (0..size).map(make).collect();
            let began = cpu();
            let receipt = apply(&mut memory, "d", texts);
            let seconds = (cpu() - began).as_secs_f64();
            assert_eq!(receipt.added.len(), size);
            println!(
                "{what}: {size} texts {seconds:.2} s, {} links",
                receipt.linked.len()
            );
            if let Some((fewer, less)) = before {
                let times = size as f64 / fewer as f64;
                assert!(
                    seconds / less < times * 3.0,
                    "{what}: {times} times the texts took {} times the time",
                    seconds / less
                );
            }
            let began = cpu();
            for at in 0..10 {
                apply(&mut memory, &format!("more_{at}"), vec![make(size + at)]);
            }
            let each = (cpu() - began).as_secs_f64() / 10.0;
            println!("{what}: one more {:.2} ms", each * 1e3);
            before = Some((size, seconds));
        }
    }
}
