//! Whole consolidations of small memories, planned, applied and undone.

use super::super::aggregate::Memory;
use super::super::apply::{Applied, Tables, apply_delta};
use super::super::bullet::{Bullet, Kind, Status};
use super::super::delta::{Delta, DeltaId, NewBullet, Operation, PinChange, TagCounts};
use super::super::key::MemoryKey;
use super::super::link::LinkKind;
use super::super::policy::Policy;
use super::super::receipt::ChangeRecord;
use super::super::undo::{LaterChanges, Undoable, plan_undo};
use super::*;
use hindlore_primitives::timestamp::Timestamp;

const LONG: &str = "Run the whole test suite before each commit, and read what it says. Ask Maria for the \
                    deploy key of the service. Write one line about every change into the log. ";

struct World {
    memory: Memory,
    tables: Tables,
    deltas: u32,
}

impl World {
    fn new(texts: &[&str]) -> Self {
        Self::with_policy(texts, Policy::default())
    }

    fn with_policy(texts: &[&str], policy: Policy) -> Self {
        let tables = Tables::standard();
        let key = MemoryKey::new("t", "l", "s").unwrap();
        let memory = Memory::new(key, tables.stamp(policy));
        let mut world = Self {
            memory,
            tables,
            deltas: 0,
        };
        for text in texts {
            world.add(NewBullet {
                content: (*text).to_owned(),
                kind: Some(Kind::Strategy),
                ..NewBullet::default()
            });
        }
        world
    }

    fn add(&mut self, new: NewBullet) {
        self.run(vec![Operation::Add(Box::new(new))]);
    }

    fn run(&mut self, operations: Vec<Operation>) -> Applied {
        self.deltas += 1;
        let id = DeltaId::derive(&["test", &self.deltas.to_string()]);
        let delta = Delta::new(id, operations);
        apply_delta(&mut self.memory, &delta, Timestamp::default(), &self.tables).unwrap()
    }

    fn planner(&self, choice: Choice) -> Planner {
        let candidates = collect(&self.memory, &choice, Timestamp::default());
        Planner::new(candidates, choice, self.tables.guard.clone())
    }

    fn plan(&self, choice: Choice) -> (Vec<Group>, Vec<RefusedGroup>) {
        let mut planner = self.planner(choice);
        let (mut groups, mut refused) = (Vec::new(), Vec::new());
        while let Some(step) = planner.step() {
            match step {
                Step::Group(group) => groups.push(group),
                Step::Refused(one) => refused.push(one),
                Step::Alone => {}
            }
        }
        (groups, refused)
    }

    fn apply(&mut self, group: &Group) -> Applied {
        self.run(vec![group.operation()])
    }

    fn active(&self) -> Vec<Bullet> {
        self.memory.active_bullets().collect()
    }
}

fn similar() -> [String; 3] {
    [
        "Push to the `main` branch.",
        "Tag it `v2` on Monday.",
        "Wait 30 s for the mirror.",
    ]
    .map(|end| format!("{LONG}{end}"))
}

fn world() -> World {
    let texts = similar();
    World::new(&texts.each_ref().map(String::as_str))
}

#[test]
fn a_group_becomes_one_bullet_with_every_detail_and_undo_restores_it() {
    let mut world = world();
    let before = world.memory.content_digest();
    world.run(vec![Operation::Tag(TagCounts {
        id: world.active()[1].id.into(),
        helpful: 0,
        harmful: 0,
        neutral: 2,
    })]);
    let voted = world.memory.content_digest();
    assert_ne!(before, voted);
    let (groups, refused) = world.plan(Choice::default());
    assert_eq!((groups.len(), refused.len()), (1, 0));
    let group = &groups[0];
    for detail in ["Maria", "`main`", "`v2`", "Monday", "30 s"] {
        assert!(group.content.contains(detail), "{}", group.content);
    }
    assert_eq!((group.sources.len(), group.loss.share()), (3, 0.0));
    assert!(group.bytes_after < group.bytes_before);
    let sources = world.active();
    let applied = world.apply(group);
    let active = world.active();
    assert_eq!(active.len(), 1);
    let made = &active[0];
    assert_eq!((made.kind, made.counts.neutral), (Kind::Consolidated, 2));
    assert_eq!(made.content.as_str(), group.content);
    for source in &sources {
        let now = world.memory.get(source.id).unwrap();
        assert_eq!(now.status, Status::Archived);
        assert_eq!(
            (now.importance, now.counts),
            (source.importance, source.counts)
        );
        assert_eq!(world.memory.survivor(source.id).unwrap().id, made.id);
    }
    let lineage = world.memory.links();
    let lineage = lineage.filter(|link| link.id.kind == LinkKind::ConsolidatedFrom);
    assert_eq!(lineage.count(), 3);
    undo(&mut world, &applied);
    assert_eq!(world.memory.content_digest(), voted);
    // An undone group can be consolidated again, although the archived result keeps its text.
    let (groups, _) = world.plan(Choice::default());
    world.apply(&groups[0]);
    assert_eq!(world.active().len(), 1);
}

fn undo(world: &mut World, applied: &Applied) {
    let changes: Vec<ChangeRecord> = applied
        .changes
        .bullets
        .iter()
        .map(ChangeRecord::from_change)
        .collect();
    let ticks = [applied.receipt.clock].into();
    let undone = Undoable {
        ticks: &ticks,
        changes: &changes,
        policy: None,
    };
    let later = LaterChanges {
        bullets: &[],
        policies: &[],
    };
    let operations = plan_undo(&world.memory, undone, later, false).unwrap();
    let mut delta = Delta::new(DeltaId::derive(&["undo"]), operations);
    delta.undo = true;
    apply_delta(
        &mut world.memory,
        &delta,
        Timestamp::default(),
        &world.tables,
    )
    .unwrap();
}

#[test]
fn a_source_that_changed_after_the_plan_refuses_the_group() {
    let mut world = world();
    let (groups, _) = world.plan(Choice::default());
    world.run(vec![Operation::Tag(TagCounts {
        id: groups[0].sources[1].id.into(),
        helpful: 1,
        harmful: 0,
        neutral: 0,
    })]);
    let before = world.memory.digest();
    let delta = Delta::new(DeltaId::derive(&["late"]), vec![groups[0].operation()]);
    let refused = apply_delta(
        &mut world.memory,
        &delta,
        Timestamp::default(),
        &world.tables,
    );
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("changed after the plan"), "{message}");
    assert_eq!(world.memory.digest(), before);
}

#[test]
fn a_text_that_comes_again_strengthens_what_it_was_consolidated_into() {
    let mut world = world();
    let (groups, _) = world.plan(Choice::default());
    world.apply(&groups[0]);
    world.add(NewBullet {
        content: similar()[2].clone(),
        helpful: 1,
        ..NewBullet::default()
    });
    let active = world.active();
    assert_eq!((active.len(), active[0].counts.helpful), (1, 1));
    assert_eq!(world.plan(Choice::default()).0, []);
}

#[test]
fn what_matters_is_never_touched() {
    let choice = |preserve, min| Choice {
        preserve_high_importance: preserve,
        min_importance: min,
        ..Choice::default()
    };
    let important = |at: f64| {
        let mut world = World::new(&[]);
        for text in similar() {
            world.add(NewBullet {
                content: text,
                kind: Some(Kind::Fact),
                importance: Some(at),
                ..NewBullet::default()
            });
        }
        world
    };
    for (importance, choice, groups) in [
        (0.5, choice(true, 0.5), 1),
        (0.6, choice(true, 0.5), 0),
        (0.8, choice(true, 1.0), 0),
        (0.79, choice(true, 1.0), 1),
        (0.8, choice(false, 1.0), 1),
    ] {
        let found = important(importance).plan(choice).0;
        assert_eq!(found.len(), groups, "{importance} {choice:?}");
    }
    let mut pinned = world();
    for bullet in pinned.active() {
        pinned.run(vec![Operation::Pin(PinChange {
            id: bullet.id.into(),
            on: true,
        })]);
    }
    let candidates = collect(&pinned.memory, &Choice::default(), Timestamp::default());
    assert_eq!(candidates.kept, [(Kept::Pinned, 3)].into());
    assert!(candidates.is_empty());
}

#[test]
fn texts_that_compete_stay_apart_and_the_reason_is_told() {
    for texts in [
        [
            "Set the timeout of the upload service to 30 seconds.",
            "Set the timeout of the upload service to 60 seconds.",
        ],
        [
            "Open the ticket queue of team blue in the morning and close `A-1` there.",
            "Open the ticket queue of team blue in the morning and close `B-7` there.",
        ],
        [
            "Always ask the owner of a table before you change its columns in place.",
            "Never ask the owner of a table before you change its columns in place.",
        ],
    ] {
        let (groups, refused) = World::new(&texts).plan(Choice::default());
        assert_eq!(groups, [], "{texts:?}");
        // A contradiction was linked when the second came, so neither is a candidate.
        for one in refused {
            assert!(one.reason.contains("different"), "{}", one.reason);
        }
    }
}

#[test]
fn losses_are_measured_against_the_first_texts() {
    let mut world = world();
    let (groups, _) = world.plan(Choice::default());
    world.apply(&groups[0]);
    world.add(NewBullet {
        content: format!("{} Lock the door.", groups[0].content),
        kind: Some(Kind::Consolidated),
        memory_type: Some(super::super::bullet::MemoryType::Procedural),
        ..NewBullet::default()
    });
    let candidates = collect(&world.memory, &Choice::default(), Timestamp::default());
    let originals: Vec<usize> = candidates
        .list
        .iter()
        .map(|it| it.originals.len())
        .collect();
    assert_eq!(originals, [3, 1]);
    let (groups, _) = world.plan(Choice::default());
    let all: Vec<String> = candidates
        .list
        .iter()
        .flat_map(|it| it.originals.clone())
        .collect();
    let again = loss(all.iter().map(String::as_str), &groups[0].content);
    assert_eq!((groups.len(), &groups[0].loss), (1, &again));
}

#[test]
fn a_text_from_outside_must_be_complete_and_faithful() {
    let mut world = world();
    let sources: Vec<_> = world.active().iter().map(|bullet| bullet.id).collect();
    let good = format!(
        "{LONG}Push to the `main` branch, tag it `v2` on Monday, wait 30 s for the mirror."
    );
    let proposal = |content: &str| Proposal {
        sources: sources.clone(),
        content: content.to_owned(),
    };
    for (content, word) in [
        ("", "empty"),
        ("Run the tests.", "would be lost"),
        (good.replace("30 s", "60 s").as_str(), "30 s"),
        (good.replace("Maria", "Bob").as_str(), "maria"),
        (&format!("{good} Call `rm -rf /`."), "no source has"),
        (
            &format!("{good} Never ask anybody about weekend holidays elsewhere."),
            "no source has the words",
        ),
        (
            good.replace("Ask Maria", "Never ask Maria").as_str(),
            "negated",
        ),
        (&format!("{good} {good} {good}"), "save less"),
    ] {
        let refused = world.planner(Choice::default()).propose(&proposal(content));
        let reason = refused.unwrap_err().reason;
        assert!(reason.contains(word), "{content:?}: {reason}");
    }
    let group = world
        .planner(Choice::default())
        .propose(&proposal(&good))
        .unwrap();
    world.apply(&group);
    assert_eq!(world.active()[0].content.as_str(), good);
}

#[test]
fn classic_memories_are_not_consolidated() {
    let texts = similar();
    let mut world = World::with_policy(&texts.each_ref().map(String::as_str), Policy::classic());
    let (groups, _) = world.plan(Choice::default());
    let before = world.memory.content_digest();
    let applied = world.apply(&groups[0]);
    assert_eq!(applied.receipt.refused.len(), 1);
    assert_eq!(world.memory.content_digest(), before);
}
