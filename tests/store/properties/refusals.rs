//! Refusals: a refused delta leaves no trace, a strict one names all that is wrong, a lenient one
//! applies the rest.

use fastrand::Rng;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::{Refusal, Tables, apply_delta};
use hindlore_domain::memory::delta::{
    BulletRef, Delta, DeltaId, Malformed, NewBullet, Operation, TagCounts,
};
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::rank::rank;
use hindlore_domain::memory::touch::touch;
use hindlore_primitives::timestamp::Timestamp;

use super::chance::{cases, percent, pick};
use super::history::{self, DAY_MS};
use super::present::{present, rebuilt};
use super::world::key;

/// Makes a memory with a history.
pub(crate) fn lived(rng: &mut Rng, tables: &Tables, steps: usize) -> (Memory, i64) {
    let mut memory = Memory::new(key(), history::policy(rng));
    let mut now = 0;
    for step in 0..steps {
        now += rng.i64(0..DAY_MS);
        let moment = Timestamp::from_millis(now);
        if percent(rng, 25) {
            let ranking = rank(&memory, &history::query(rng), moment);
            let ids: Vec<_> = ranking.hits.iter().map(|hit| hit.id).collect();
            touch(&mut memory, &ids, moment);
        }
        let known = memory.bullets().to_vec();
        let mut delta = history::delta(rng, &format!("life{step}"), &known);
        delta.lenient = true;
        // Refused imports are part of life.
        let _ = apply_delta(&mut memory, &delta, moment, tables);
    }
    (memory, now)
}

#[test]
fn a_refused_delta_leaves_no_trace() {
    let tables = Tables::standard();
    let mut refusals = 0;
    for (_case, mut rng) in cases(5, 120) {
        let (mut memory, now) = lived(&mut rng, &tables, 12);
        let moment = Timestamp::from_millis(now + DAY_MS);
        let before = present(&mut memory);
        let mut twin = rebuilt(&memory);
        for step in 0..6 {
            let known = memory.bullets().to_vec();
            let mut delta = history::delta(&mut rng, &format!("bad{step}"), &known);
            delta.lenient = false;
            delta.undo = true;
            delta.operations.push(Operation::Malformed(Malformed {
                reason: "wrong".to_owned(),
            }));
            let refused = apply_delta(&mut memory, &delta, moment, &tables);
            assert!(
                matches!(refused, Err(Refusal::Operations(_))),
                "{refused:?}"
            );
            refusals += 1;
            assert_eq!(present(&mut memory), before);
        }
        same_behaviour(&mut rng, (&mut memory, &mut twin), moment, &tables);
    }
    assert!(refusals > 0);
}

#[test]
fn an_event_that_is_taken_back_leaves_no_trace() {
    let tables = Tables::standard();
    for (_case, mut rng) in cases(6, 120) {
        let (mut memory, now) = lived(&mut rng, &tables, 12);
        let moment = Timestamp::from_millis(now + DAY_MS);
        let mut twin = rebuilt(&memory);
        let before = present(&mut memory);
        let mut journal = Vec::new();
        for step in 0..4 {
            let savepoint = memory.savepoint();
            let known = memory.bullets().to_vec();
            // A delta that was decided ahead may turn out to be one that was there, under its id.
            let name = pick(&mut rng, &["new", "life"]);
            let mut delta = history::delta(&mut rng, &format!("{name}{step}"), &known);
            delta.lenient = true;
            if let Ok(applied) = apply_delta(&mut memory, &delta, moment, &tables) {
                journal.push((applied.changes, savepoint));
            }
            let savepoint = memory.savepoint();
            let ranking = rank(&memory, &history::query(&mut rng), moment);
            let ids: Vec<_> = ranking.hits.iter().map(|hit| hit.id).collect();
            journal.push((touch(&mut memory, &ids, moment), savepoint));
        }
        while let Some((changes, savepoint)) = journal.pop() {
            memory.roll_back(changes, savepoint);
        }
        assert_eq!(present(&mut memory), before);
        same_behaviour(&mut rng, (&mut memory, &mut twin), moment, &tables);
    }
}

/// Two memories that look the same must also continue the same: their indexes are not visible.
fn same_behaviour(
    rng: &mut Rng,
    (memory, twin): (&mut Memory, &mut Memory),
    now: Timestamp,
    tables: &Tables,
) {
    for step in 0..6 {
        let known = memory.bullets().to_vec();
        let mut delta = history::delta(rng, &format!("next{step}"), &known);
        delta.lenient = true;
        let ours = apply_delta(memory, &delta, now, tables);
        assert_eq!(ours, apply_delta(twin, &delta, now, tables));
        let query = history::query(rng);
        assert_eq!(rank(memory, &query, now), rank(twin, &query, now));
        assert_eq!(present(memory), present(twin));
    }
}

fn bad(rng: &mut Rng) -> Operation {
    let malformed = Operation::Malformed(Malformed {
        reason: "no operation".to_owned(),
    });
    let empty = Operation::Add(Box::default());
    let unknown = Operation::Tag(TagCounts {
        id: BulletRef("b_00000000000000000000".to_owned()),
        helpful: 1,
        harmful: 0,
        neutral: 0,
    });
    let endless = Operation::Add(Box::new(NewBullet {
        content: "a fine text".to_owned(),
        embedding: Some(vec![f32::INFINITY]),
        ..NewBullet::default()
    }));
    pick(rng, &[malformed, empty, unknown, endless]).clone()
}

#[test]
fn a_strict_refusal_lists_every_bad_operation_and_a_lenient_delta_applies_the_rest() {
    let tables = Tables::standard();
    for (_case, mut rng) in cases(7, 200) {
        let mut memory = Memory::new(key(), Policy::default());
        let mut wrong = Vec::new();
        let operations: Vec<Operation> = (0..rng.usize(2..12))
            .map(|at| {
                if rng.bool() {
                    wrong.push(at);
                    return bad(&mut rng);
                }
                Operation::Add(Box::new(NewBullet {
                    content: format!("{at} is a good text"),
                    ..NewBullet::default()
                }))
            })
            .collect();
        let good = operations.len() - wrong.len();
        let mut delta = Delta::new(DeltaId::parse("d").unwrap(), operations);
        let strict = apply_delta(&mut memory, &delta, Timestamp::default(), &tables);
        match strict {
            Err(Refusal::Operations(refused)) => {
                let named: Vec<usize> = refused.iter().map(|one| one.operation).collect();
                assert_eq!(named, wrong);
                assert_eq!((memory.clock(), memory.bullets().len()), (0, 0));
            }
            other => assert!(wrong.is_empty() && other.is_ok(), "{other:?}"),
        }
        if wrong.is_empty() {
            continue;
        }
        delta.lenient = true;
        let applied = apply_delta(&mut memory, &delta, Timestamp::default(), &tables).unwrap();
        let named: Vec<usize> = applied
            .receipt
            .refused
            .iter()
            .map(|one| one.operation)
            .collect();
        assert_eq!((named, applied.receipt.added.len()), (wrong, good));
    }
}
