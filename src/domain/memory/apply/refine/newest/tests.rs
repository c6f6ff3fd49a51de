//! Chains of values: precedence, order in an answer, and undo.

use crate::memory::aggregate::Memory;
use crate::memory::apply::{Tables, apply_delta};
use crate::memory::bullet::BulletId;
use crate::memory::delta::{Delta, DeltaId, NewBullet, Operation, Patch, Removal};
use crate::memory::key::MemoryKey;
use crate::memory::link::LinkKind;
use crate::memory::policy::Policy;
use crate::memory::query::Query;
use crate::memory::rank::{rank, rank_by_scan};
use crate::memory::receipt::ChangeRecord;
use crate::memory::undo::{LaterChanges, Undoable, plan_undo};
use hindlore_primitives::timestamp::Timestamp;

struct World {
    memory: Memory,
    count: usize,
}

impl World {
    fn new(policy: Policy) -> Self {
        let key = MemoryKey::new("t", "l", "s").unwrap();
        Self {
            memory: Memory::new(key, policy),
            count: 0,
        }
    }

    fn apply(&mut self, operations: Vec<Operation>) -> crate::memory::apply::Applied {
        self.count += 1;
        let id = DeltaId::parse(&format!("d_{}", self.count)).unwrap();
        let delta = Delta::new(id, operations);
        apply_delta(
            &mut self.memory,
            &delta,
            Timestamp::default(),
            &Tables::standard(),
        )
        .unwrap()
    }

    fn add(&mut self, text: &str) -> BulletId {
        self.add_under(text, None)
    }

    fn add_under(&mut self, text: &str, section: Option<&str>) -> BulletId {
        let new = NewBullet {
            content: text.to_owned(),
            section: section.map(str::to_owned),
            ..NewBullet::default()
        };
        let receipt = self.apply(vec![Operation::Add(Box::new(new))]).receipt;
        let merged = receipt.merged.first().map(|merged| merged.into);
        receipt.added.first().copied().or(merged).unwrap()
    }

    /// The pairs (newer, older) that are linked, in order.
    fn chain(&self) -> Vec<(BulletId, BulletId)> {
        let links = self.memory.links();
        let mut chain: Vec<_> = links
            .filter(|link| link.id.kind == LinkKind::Supersedes)
            .map(|link| (link.id.from, link.id.to))
            .collect();
        chain
            .sort_by_key(|(newer, older)| (self.memory.doc_of(*older), self.memory.doc_of(*newer)));
        chain
    }

    fn asked(&self, query: &str, top_k: usize) -> Vec<BulletId> {
        let query = Query {
            top_k,
            ..Query::new(query)
        };
        let ranking = rank(&self.memory, &query, Timestamp::default());
        assert_eq!(
            ranking,
            rank_by_scan(&self.memory, &query, Timestamp::default())
        );
        ranking.hits.iter().map(|hit| hit.id).collect()
    }
}

const PORT: &str = "which port does the staging database listen on";

fn port(number: u32) -> String {
    format!("The staging database listens on port {number}.")
}

#[test]
fn the_newest_value_leads_a_chain_and_comes_first() {
    let mut world = World::new(Policy::default());
    let ids = [5433, 5434, 5435].map(|number| world.add(&port(number)));
    world.add("The staging database is backed up at night.");
    assert_eq!(world.chain(), [(ids[1], ids[0]), (ids[2], ids[1])]);
    for old in &ids[..2] {
        assert_eq!(world.memory.current_of(*old), Some(ids[2]));
    }
    assert_eq!(world.memory.current_of(ids[2]), None);
    let found = world.asked(PORT, 10);
    assert_eq!(found[0], ids[2]);
    assert!(found.contains(&ids[0]) && found.contains(&ids[1]));
    assert_eq!(world.asked(PORT, 1), [ids[2]]);
    // A bullet that helped often is still out of date.
    let vote = serde_json::from_value(serde_json::json!({"op": "TAG", "id": ids[0], "helpful": 9}));
    world.apply(vec![vote.unwrap()]);
    assert_eq!(world.asked(PORT, 1), [ids[2]]);
}

#[test]
fn a_value_that_is_said_again_is_the_newest_again() {
    let mut world = World::new(Policy::default());
    let (first, second) = (world.add(&port(1)), world.add(&port(2)));
    assert_eq!(world.add(&port(1)), first);
    assert_eq!(world.chain(), [(first, second)]);
    let third = world.add(&port(3));
    assert_eq!(world.chain(), [(third, first), (first, second)]);
    assert_eq!(world.asked(PORT, 1), [third]);
    // The same within one delta.
    let mut world = World::new(Policy::default());
    let add = |number| {
        Operation::Add(Box::new(NewBullet {
            content: port(number),
            ..NewBullet::default()
        }))
    };
    let added = world.apply([1, 2, 1].map(add).into()).receipt.added;
    assert_eq!(world.chain(), [(added[0], added[1])]);
}

#[test]
fn a_removed_value_gives_its_place_back_and_a_changed_one_leaves_the_chain() {
    let mut world = World::new(Policy::default());
    let ids = [1, 2, 3].map(|number| world.add(&port(number)));
    let removal = Removal {
        id: ids[2].into(),
        reason: None,
    };
    world.apply(vec![Operation::Remove(removal)]);
    assert_eq!(world.asked(PORT, 1), [ids[1]]);
    let patch = Patch {
        content: Some("The staging database is large.".to_owned()),
        ..Patch::new(ids[1])
    };
    world.apply(vec![Operation::Update(Box::new(patch))]);
    assert_eq!(world.memory.current_of(ids[0]), None);
    assert_eq!(world.chain(), [(ids[2], ids[0])]);
}

#[test]
fn another_heading_no_guard_or_classic_mode_links_nothing() {
    let mut world = World::new(Policy::default());
    world.add_under("The port is 5433", Some("Staging"));
    world.add_under("The port is 5434", Some("Production"));
    assert_eq!(world.chain(), []);
    world.add_under("The port is 5435", Some("Production"));
    assert_eq!(world.chain().len(), 1);
    let unguarded = Policy {
        guard: false,
        ..Policy::default()
    };
    for policy in [unguarded, Policy::classic()] {
        let mut world = World::new(policy);
        world.add(&port(1));
        world.add(&port(2));
        assert_eq!(world.chain(), []);
    }
}

#[test]
fn an_undo_makes_the_older_value_current() {
    let mut world = World::new(Policy::default());
    let first = world.add(&port(1));
    let before = world.memory.content_digest();
    let new = NewBullet {
        content: port(2),
        ..NewBullet::default()
    };
    let applied = world.apply(vec![Operation::Add(Box::new(new))]);
    assert_eq!(applied.receipt.linked[0].kind, LinkKind::Supersedes);
    let changes: Vec<ChangeRecord> = applied
        .changes
        .bullets
        .iter()
        .map(ChangeRecord::from_change)
        .collect();
    let undone = Undoable {
        ticks: &[applied.receipt.clock].into(),
        changes: &changes,
        policy: None,
    };
    let later = LaterChanges {
        bullets: &[],
        policies: &[],
    };
    let operations = plan_undo(&world.memory, undone, later, false).unwrap();
    let mut delta = Delta::new(DeltaId::parse("d_undo").unwrap(), operations);
    delta.undo = true;
    let tables = Tables::standard();
    apply_delta(&mut world.memory, &delta, Timestamp::default(), &tables).unwrap();
    assert_eq!(world.chain(), []);
    assert_eq!(world.memory.content_digest(), before);
    assert_eq!(world.asked(PORT, 1), [first]);
}

#[test]
fn the_better_supported_of_two_opposites_comes_first() {
    let mut world = World::new(Policy::default());
    let good = world.add("Never retry a failed payment with the same key");
    let bad = world.add("Always retry a failed payment with the same key");
    assert_eq!(world.memory.contradicting(good), [bad]);
    for (id, votes) in [(good, 3), (bad, 1)] {
        let vote = serde_json::json!({"op": "TAG", "id": id, "helpful": votes});
        world.apply(vec![serde_json::from_value(vote).unwrap()]);
    }
    let query = "always retry a failed payment with the same key";
    assert_eq!(world.asked(query, 10)[..2], [good, bad]);
}

#[test]
fn a_heading_that_is_a_date_is_a_time_and_no_place() {
    let text = |port: u32| format!("The port of the staging database is {port}.");
    for (older, newer, replaces) in [
        (Some("2024-05-01"), Some("2024-05-02"), true),
        (Some("Notes > 1 May 2024"), Some("Notes > 2 May 2024"), true),
        (Some("2024-05-01"), None, true),
        (Some("2024-05-01"), Some("Europe"), true),
        (Some("Asia"), Some("Europe"), false),
        (
            Some("2024-05-01 > Asia"),
            Some("2024-05-02 > Europe"),
            false,
        ),
        (Some("2024-05-01 > Asia"), Some("2024-05-02 > Asia"), true),
    ] {
        let mut world = World::new(Policy::default());
        let first = world.add_under(&text(5433), older);
        let second = world.add_under(&text(5434), newer);
        let expected = if replaces {
            vec![(second, first)]
        } else {
            Vec::new()
        };
        assert_eq!(world.chain(), expected, "{older:?} {newer:?}");
    }
}
