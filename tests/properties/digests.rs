//! Digests: kept incrementally, they equal those of the same memory built from scratch.

use mnemograph::domain::memory::apply::Tables;

use crate::chance::cases;
use crate::present::{present, rebuilt};
use crate::refusals::lived;

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
