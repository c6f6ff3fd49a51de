//! The climb over groups against a closure over all pairs of random graphs, and at its bounds.

#![allow(clippy::needless_range_loop)] // A matrix over all pairs reads best by its indexes.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::sharing::access::{Tuple, granted};
use crate::sharing::object::Object;
use crate::sharing::relation::Relation;
use crate::sharing::subject::{Principal, PrincipalKind};

/// Numbers from a seed (SplitMix64, Steele et al. 2014).
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

fn group(number: usize) -> Group {
    Group::new(&format!("g{number}")).unwrap()
}

fn principal(number: usize) -> Principal {
    Principal::new(PrincipalKind::ALL[number % 2], &format!("p{number}")).unwrap()
}

/// The memberships, as the store would return them.
type Memberships = BTreeMap<Subject, BTreeSet<Group>>;

fn climbed(caller: &Caller, memberships: &Memberships) -> Closure {
    let mut closure = Closure::of(caller);
    while !closure.frontier().is_empty() {
        let asked = closure.frontier().to_vec();
        let holding = asked.iter().filter_map(|subject| memberships.get(subject));
        let groups: Vec<Group> = holding.flatten().cloned().collect();
        closure.climb(groups);
    }
    closure
}

/// A random world: nodes 0.. are principals, then the tenant, then groups; `holds[a][b]` is true if b holds a.
struct World {
    principals: usize,
    holds: Vec<Vec<bool>>,
    tuples: Vec<(usize, Relation, usize)>,
}

impl World {
    fn random(seeded: &mut Seeded) -> Self {
        let (principals, groups) = (1 + seeded.below(6), seeded.below(14));
        let nodes = principals + 1 + groups;
        let mut holds = vec![vec![false; nodes]; nodes];
        let edges = if groups == 0 {
            0
        } else {
            seeded.below(3 * groups)
        };
        for _ in 0..edges {
            let member = seeded.below(nodes);
            holds[member][principals + 1 + seeded.below(groups)] = true;
        }
        let tuples = (0..seeded.below(8)).map(|_| {
            let relation = Relation::ALL[seeded.below(3)];
            (seeded.below(4), relation, seeded.below(nodes))
        });
        let tuples = tuples.collect();
        Self {
            principals,
            holds,
            tuples,
        }
    }

    fn subject(&self, node: usize) -> Subject {
        if node < self.principals {
            return Subject::Principal(principal(node));
        }
        match node - self.principals {
            0 => Subject::Tenant,
            group_number => Subject::Members(group(group_number)),
        }
    }

    fn memberships(&self) -> Memberships {
        let mut all = Memberships::new();
        for (member, held_by) in self.holds.iter().enumerate() {
            for (holder, _) in held_by.iter().enumerate().filter(|(_, holds)| **holds) {
                if let Subject::Members(group) = self.subject(holder) {
                    all.entry(self.subject(member)).or_default().insert(group);
                }
            }
        }
        all
    }

    /// The fewest memberships between any two nodes, by Floyd's algorithm over all pairs.
    fn distances(&self) -> Vec<Vec<usize>> {
        let nodes = self.holds.len();
        let far = usize::MAX / 4;
        let mut least = vec![vec![far; nodes]; nodes];
        for a in 0..nodes {
            for b in 0..nodes {
                if self.holds[a][b] {
                    least[a][b] = 1;
                }
            }
            least[a][a] = 0;
        }
        for via in 0..nodes {
            for a in 0..nodes {
                for b in 0..nodes {
                    least[a][b] = least[a][b].min(least[a][via] + least[via][b]);
                }
            }
        }
        least
    }
}

const OBJECTS: [&str; 4] = ["learner", "memory:a", "memory:b", "playbook:p"];

fn object(number: usize) -> Object {
    Object::parse(OBJECTS[number], "a").unwrap()
}

#[test]
fn ten_thousand_random_graphs_agree_with_a_closure_over_all_pairs() {
    let mut seeded = Seeded(20);
    let (mut allowed, mut deep) = (0, 0);
    for round in 0..10_000 {
        let world = World::random(&mut seeded);
        let (memberships, least) = (world.memberships(), world.distances());
        let tuples: Vec<Tuple> = world
            .tuples
            .iter()
            .map(|(of, relation, node)| Tuple {
                object: object(*of),
                relation: *relation,
                subject: world.subject(*node),
            })
            .collect();
        for who in 0..world.principals {
            let caller = Caller::new("t", principal(who));
            let closure = climbed(&caller, &memberships);
            for asked in 0..OBJECTS.len() {
                let expected = world.tuples.iter().filter(|(of, _, node)| {
                    let near = least[who][*node].min(least[world.principals][*node]);
                    let within = *node == world.principals || near <= DEPTH_MAX;
                    (*of == asked || *of == 0) && within
                });
                let expected = expected.map(|(_, relation, _)| *relation).max();
                let found = granted(&object(asked), &closure, &tuples);
                assert_eq!(found, expected, "round {round}: {who} {}", OBJECTS[asked]);
                allowed += usize::from(found.is_some());
            }
            deep += usize::from(closure.depth > 3);
        }
    }
    // The worlds are no trivial ones: many checks allow something, and many climbs are long.
    assert!(allowed > 10_000 && deep > 1_000, "{allowed} {deep}");
}

/// A chain of groups, the first of which holds the principal.
fn chain(length: usize) -> Memberships {
    let mut all = Memberships::new();
    all.entry(Subject::Principal(principal(0)))
        .or_default()
        .insert(group(1));
    for number in 1..length {
        all.entry(Subject::Members(group(number)))
            .or_default()
            .insert(group(number + 1));
    }
    all
}

#[test]
fn groups_are_followed_to_eight_levels_and_no_further() {
    let caller = Caller::new("t", principal(0));
    let closure = climbed(&caller, &chain(DEPTH_MAX));
    assert!(closure.holds(&Subject::Members(group(DEPTH_MAX))));
    let closure = climbed(&caller, &chain(DEPTH_MAX + 1));
    assert!(closure.holds(&Subject::Members(group(DEPTH_MAX))));
    assert!(!closure.holds(&Subject::Members(group(DEPTH_MAX + 1))));
    assert!(closure.was_cut());
    assert!(!climbed(&caller, &chain(3)).was_cut());
}

#[test]
fn groups_that_hold_each_other_end() {
    let mut all = chain(3);
    all.entry(Subject::Members(group(3)))
        .or_default()
        .insert(group(1));
    all.entry(Subject::Members(group(3)))
        .or_default()
        .insert(group(3));
    let closure = climbed(&Caller::new("t", principal(0)), &all);
    let count = closure
        .subjects()
        .filter(|one| matches!(one, Subject::Members(_)))
        .count();
    assert_eq!((count, closure.was_cut()), (3, false));
}

#[test]
fn a_principal_of_very_many_groups_costs_a_bounded_climb() {
    let mut all = Memberships::new();
    let groups = (0..WORK_MAX * 3).map(group);
    all.insert(Subject::Principal(principal(0)), groups.collect());
    let closure = climbed(&Caller::new("t", principal(0)), &all);
    assert!(closure.was_cut() && closure.subjects().count() <= WORK_MAX + 2);
}

#[test]
fn vouched_groups_count_and_are_climbed_from() {
    let caller = Caller {
        groups: vec![group(2)],
        ..Caller::new("t", principal(5))
    };
    let closure = climbed(&caller, &chain(4));
    assert!(closure.holds(&Subject::Members(group(4))));
    assert!(!closure.holds(&Subject::Members(group(1))));
}
