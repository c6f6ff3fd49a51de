//! Reading ahead: a delta whose texts others read, before or meanwhile, decides what it decides without that.

use std::sync::Arc;
use std::thread;

use fastrand::Rng;
use mnemograph::domain::memory::apply::{Readings, Tables, apply_delta, apply_read_delta};
use mnemograph::domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use mnemograph::domain::memory::policy::Policy;
use mnemograph::domain::timestamp::Timestamp;
use mnemograph::testkit::{SetClock, TemporaryStore};

use crate::chance::{cases, percent};
use crate::history::{self, DAY_MS};
use crate::present::{present, rebuilt};
use crate::refusals::lived;
use crate::world::{engine, key};

/// Reads a delta in pieces, in any order and with gaps.
fn read_in_pieces(rng: &mut Rng, delta: &Delta, tables: &Arc<Tables>) -> Readings {
    let size = rng.usize(1..4);
    let readings = Readings::new(Arc::new(delta.clone()), tables.clone(), size);
    let mut pieces: Vec<usize> = (0..readings.pieces()).collect();
    rng.shuffle(&mut pieces);
    for piece in pieces {
        if percent(rng, 80) {
            readings.read(piece);
        }
    }
    readings
}

/// A text of its own for each number.
fn one_of_many(number: u64) -> String {
    let mut rng = Rng::with_seed(number);
    let words = (0..12).map(|_| (0..5).map(|_| rng.lowercase()).collect());
    words.collect::<Vec<String>>().join(" ")
}

#[test]
fn a_delta_that_others_read_is_applied_alike() {
    let tables = Arc::new(Tables::standard());
    let mut applied = 0;
    for (_case, mut rng) in cases(31, 200) {
        let (mut memory, now) = lived(&mut rng, &tables, 8);
        let mut twin = rebuilt(&memory);
        for step in 0..8 {
            let known = memory.bullets();
            let mut delta = history::delta(&mut rng, &format!("read{step}"), &known);
            let more = history::delta(&mut rng, "more", &known).operations;
            delta.operations.extend(more);
            let moment = Timestamp::from_millis(now + DAY_MS);
            let readings = read_in_pieces(&mut rng, &delta, &tables);
            let ours = thread::scope(|scope| {
                scope.spawn(|| (0..readings.pieces()).for_each(|piece| readings.read(piece)));
                apply_read_delta(&mut memory, (&delta, Some(&readings)), moment, &tables)
            });
            assert_eq!(ours, apply_delta(&mut twin, &delta, moment, &tables));
            assert_eq!(present(&mut memory), present(&mut twin));
            applied += usize::from(ours.is_ok());
        }
    }
    assert!(applied > 500, "{applied} were applied");
}

/// A replay reads nothing ahead, so it tells whether a delta that threads read was decided as it is written.
#[tokio::test(flavor = "multi_thread")]
async fn a_large_delta_is_read_by_threads_and_replayed_without() {
    let policy = Policy {
        max_bullets: None,
        max_content_chars: 300,
        ..Policy::default()
    };
    let place = TemporaryStore::new().unwrap();
    let clock = Arc::new(SetClock::at(Timestamp::from_millis(0)));
    let engine = engine(place.store().unwrap(), clock, policy);
    let mut rng = Rng::with_seed(11);
    for round in 0..2 {
        let add = |at: usize| {
            let content = match at % 500 {
                // Refused: nothing to read, and too long for this memory.
                7 => " \n".to_owned(),
                8 => "long ".repeat(100),
                at if at % 10 == 0 => history::text(&mut rng),
                _ => one_of_many(rng.u64(0..1_200)),
            };
            Operation::Add(Box::new(NewBullet {
                content,
                ..NewBullet::default()
            }))
        };
        let operations = (0..3_000).map(add).collect();
        let mut delta = Delta::new(
            DeltaId::parse(&format!("large-{round}")).unwrap(),
            operations,
        );
        delta.lenient = true;
        let receipt = engine.apply_delta(&key(), delta).await.unwrap().receipt;
        let refused: Vec<usize> = receipt.refused.iter().map(|one| one.operation).collect();
        let expected: Vec<usize> = (0..3_000).filter(|at| matches!(at % 500, 7 | 8)).collect();
        assert_eq!(refused, expected);
        assert!(round > 0 || receipt.added.len() > 500);
        assert!(receipt.merged.len() > 500);
        let mut replayed = engine.replay(&key()).await.unwrap();
        assert_eq!(replayed.mismatches, []);
        assert_eq!(replayed.memory.digest(), receipt.digest);
        assert_eq!(replayed.memory.content_digest(), receipt.content_digest);
    }
}
