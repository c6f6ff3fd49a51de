//! Digests: kept incrementally, they equal those of the same memory built from scratch; and touches come
//! to the same, whichever way they are taken in.

use hindlore_domain::memory::apply::Tables;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::query::Query;
use hindlore_domain::memory::rank::{rank, rank_by_scan};
use hindlore_domain::memory::touch::{absorb_touches, touch, touch_recorded};
use hindlore_primitives::timestamp::Timestamp;

use super::chance::cases;
use super::present::{present, rebuilt};
use super::refusals::lived;

#[test]
fn digests_are_those_of_a_memory_built_anew() {
    let tables = Tables::standard();
    for (_case, mut rng) in cases(8, 150) {
        let steps = rng.usize(1..30);
        let (mut memory, _) = lived(&mut rng, &tables, steps);
        let mut twin = rebuilt(&memory);
        assert_eq!(present(&mut memory), present(&mut twin));
    }
}

#[test]
fn touches_decided_recorded_and_absorbed_leave_the_same_memory() {
    let tables = Tables::standard();
    for (_case, mut rng) in cases(9, 150) {
        let (mut decided, _) = lived(&mut rng, &tables, 20);
        let (mut recorded, mut absorbed) = (rebuilt(&decided), rebuilt(&decided));
        let ids: Vec<BulletId> = decided.bullets().iter().map(|bullet| bullet.id).collect();
        for round in 0..10 {
            let some = rng.usize(..4);
            let mut returned: Vec<BulletId> = ids.clone();
            rng.shuffle(&mut returned);
            returned.truncate(some);
            let now = Timestamp::from_millis(1_700_000_000_000 + round);
            touch(&mut decided, &returned, now);
            touch_recorded(&mut recorded, &returned, now);
            let clock = decided.clock();
            let touches = returned.iter().map(|id| (*id, clock, now));
            assert!(absorb_touches(&mut absorbed, clock, touches));
            // Indexes that are there already have to follow.
            let query = Query::new("file sum api error first");
            let ranking = rank(&decided, &query, now);
            assert_eq!(ranking, rank_by_scan(&recorded, &query, now));
            assert_eq!(ranking, rank(&recorded, &query, now));
            assert_eq!(ranking, rank(&absorbed, &query, now));
            if rng.bool() {
                assert_eq!(decided.digest(), recorded.digest());
                assert_eq!(decided.digest(), absorbed.digest());
            }
        }
        assert_eq!(present(&mut decided), present(&mut recorded));
        assert_eq!(present(&mut decided), present(&mut absorbed));
        let unknown = [(BulletId([0; 10]), 1, Timestamp::default())];
        assert!(!absorb_touches(&mut absorbed, 1, unknown));
    }
}
