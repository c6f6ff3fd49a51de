//! A memory laid open: everything in it that can be seen, for comparing whole states.

use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::link::Link;
use hindlore_domain::memory::policy::Policy;

/// All of a memory.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Present {
    pub(crate) bullets: Vec<Bullet>,
    pub(crate) links: Vec<Link>,
    pub(crate) numbers: (u64, u64, u64),
    pub(crate) policy: Policy,
    pub(crate) digests: (String, String),
    pub(crate) limited: u64,
}

/// Looks at all of a memory.
pub(crate) fn present(memory: &mut Memory) -> Present {
    Present {
        bullets: memory.bullets().to_vec(),
        links: memory.all_links().cloned().collect(),
        numbers: (memory.clock(), memory.revision(), memory.origin_clock()),
        policy: memory.policy().clone(),
        digests: (memory.digest(), memory.content_digest()),
        limited: memory.limited(),
    }
}

/// The memory, rebuilt from its parts.
pub(crate) fn rebuilt(memory: &Memory) -> Memory {
    let mut built = Memory::new(memory.key().clone(), memory.policy().clone());
    for bullet in memory.bullets() {
        built.put(&bullet);
    }
    for link in memory.all_links() {
        built.put_link(link.clone());
    }
    built.stand_at(
        memory.clock(),
        memory.revision(),
        memory.origin_clock(),
        memory.policy().clone(),
    );
    built
}
