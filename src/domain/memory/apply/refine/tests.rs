//! The work that a classic pass leaves for the next one.

use crate::memory::aggregate::Memory;
use crate::memory::apply::{Applied, Tables, apply_delta};
use crate::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use crate::memory::key::MemoryKey;
use crate::memory::policy::Policy;
use hindlore_primitives::timestamp::Timestamp;

fn add(memory: &mut Memory, id: &str, texts: &[String]) -> Applied {
    let operation = |text: &String| {
        Operation::Add(Box::new(NewBullet {
            content: text.clone(),
            ..NewBullet::default()
        }))
    };
    let operations = texts.iter().map(operation).collect();
    let delta = Delta::new(DeltaId::parse(id).unwrap(), operations);
    apply_delta(memory, &delta, Timestamp::default(), &Tables::standard()).unwrap()
}

/// A text of twenty words, the last of which differ from text to text.
fn text(last: &str) -> String {
    let common: Vec<String> = (0..19).map(|word| format!("w{word}")).collect();
    format!("{} {last}", common.join(" "))
}

#[test]
fn a_classic_pass_leaves_nothing_to_compare_but_survivors() {
    let key = MemoryKey::new("t", "l", "s").unwrap();
    let mut policy = Policy::classic();
    policy.merge_threshold = 1.0;
    let mut memory = Memory::new(key, policy.clone());
    let apart: Vec<String> = (0..80).map(|at| format!("a{at} b{at} c{at}")).collect();
    add(&mut memory, "d_1", &apart);
    assert!(memory.unrefined.is_empty());
    let applied = add(&mut memory, "d_2", &[text("one"), text("two")]);
    assert_eq!(applied.receipt.merged.len(), 1);
    let survivor = applied.receipt.merged[0].into;
    assert_eq!(
        memory.unrefined.to_vec(),
        [memory.doc_of(survivor).unwrap()]
    );
    // A comparison under another threshold does not count.
    policy.dedup_threshold = 0.5;
    memory.stand_at(memory.clock(), memory.revision(), 0, policy);
    assert_eq!(memory.unrefined.len() as u64, memory.status_counts().active);
}

#[test]
fn in_engine_mode_no_list_of_what_to_compare_is_kept() {
    let key = MemoryKey::new("t", "l", "s").unwrap();
    let mut memory = Memory::new(key, Policy::default());
    add(&mut memory, "d_1", &[text("one")]);
    assert_eq!(memory.unrefined.len(), 0);
}
