//! Look-ups by fingerprint and around a question: their results, order, and end.

use std::collections::{BTreeMap, BTreeSet};

use hindlore_domain::lesson::lesson::{LearnerId, Lesson, Place, Status};
use hindlore_domain::lesson::lesson_policy::WalkLimits;
use hindlore_domain::lesson::retrieval::view::{Sibling, TagCount};
use hindlore_domain::lesson::rule::Rule;
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_store::ErrorKind;
use hindlore_store::lessons::NAMES_MAX;
use hindlore_store::lessons::reading::{Neighbourhood, NeighbourhoodAsk, Start, TagNeighbours};
use hindlore_store::lessons::rows::NewFingerprint;
use hindlore_store::lessons::transaction::LessonCommit;

use crate::lesson_world::{at_place, dated, fp, ids, lesson, print, teaching, texts, with_status};
use crate::subject::Subject;

fn question(starts: &[u16], tags: &[&str]) -> NeighbourhoodAsk {
    NeighbourhoodAsk {
        starts: starts.iter().map(|n| fp(*n)).collect(),
        tags: texts(tags),
        without: Vec::new(),
        place: Place::default(),
        limits: WalkLimits::default(),
    }
}

fn tagged(n: u16, tags: &[&str]) -> NewFingerprint {
    NewFingerprint {
        fingerprint: print(n),
        tags: texts(tags),
    }
}

async fn known(
    subject: &Subject,
    owner: &LearnerId,
    prints: Vec<NewFingerprint>,
    lessons: &[Lesson],
) {
    let commit = LessonCommit {
        fingerprints: prints,
        ..teaching(lessons)
    };
    subject.write(owner, commit).await.unwrap();
}

async fn around(subject: &Subject, owner: &LearnerId, ask: NeighbourhoodAsk) -> Neighbourhood {
    subject.store.neighbourhood(owner, ask).await.unwrap()
}

pub(crate) async fn an_exact_hit_gives_live_lessons_newest_first(subject: &Subject) {
    let owner = subject.owner("l");
    let lessons = [
        dated(lesson(&owner, 1, &[1], &[]), 5),
        dated(lesson(&owner, 2, &[1, 2], &[]), 9),
        dated(lesson(&owner, 3, &[1], &[]), 5),
        with_status(dated(lesson(&owner, 4, &[1], &[]), 20), Status::Suppressed),
        with_status(lesson(&owner, 5, &[2], &[]), Status::Promoted),
    ];
    known(subject, &owner, Vec::new(), &lessons).await;
    let found = |prints: Vec<FingerprintId>, per: usize| {
        let owner = owner.clone();
        async move {
            let store = &subject.store;
            ids(&store
                .lessons_triggered_by(&owner, &prints, per)
                .await
                .unwrap()
                .lessons)
        }
    };
    let order = |list: &[usize]| list.iter().map(|n| lessons[*n].id).collect::<Vec<_>>();
    assert_eq!(found(vec![fp(1)], 9).await, order(&[1, 0, 2]));
    assert_eq!(found(vec![fp(1)], 2).await, order(&[1, 0]));
    assert_eq!(found(vec![fp(2), fp(1)], 9).await, order(&[1, 4, 0, 2]));
    assert!(found(vec![fp(3)], 9).await.is_empty());
    assert!(found(Vec::new(), 9).await.is_empty());
}

/// Every way in which a lesson is found.
async fn ways(subject: &Subject, owner: &LearnerId, id: LessonId) -> [bool; 5] {
    let store = &subject.store;
    let exact = store
        .lessons_triggered_by(owner, &[fp(1)], 9)
        .await
        .unwrap();
    let mut ask = question(&[1, 2], &[]);
    ask.place = at_place("report", "grid");
    let around = around(subject, owner, ask).await;
    let behind = |tag: &str| around.tags.iter().find(|row| row.count.tag == tag);
    let sibling = |tag: &str| {
        behind(tag).is_some_and(|row| {
            row.siblings
                .iter()
                .any(|(sibling, lessons)| sibling.id == fp(1) && lessons.contains(&id))
        })
    };
    [
        exact.lessons.iter().any(|lesson| lesson.id == id),
        around
            .starts
            .iter()
            .any(|start| start.lessons.contains(&id)),
        sibling("common"),
        behind("own").is_some_and(|row| row.lessons.contains(&id)),
        around.places.contains(&id),
    ]
}

pub(crate) async fn a_lesson_out_of_use_is_found_in_no_way_until_it_is_restored(subject: &Subject) {
    let owner = subject.owner("l");
    let prints = vec![tagged(1, &["common"]), tagged(2, &["common", "own"])];
    let mut own = lesson(&owner, 1, &[1], &["own"]);
    known(subject, &owner, prints, &[own.clone()]).await;
    assert_eq!(ways(subject, &owner, own.id).await, [true; 5]);
    for status in [Status::Suppressed, Status::Archived] {
        own.status = status;
        subject
            .write(&owner, teaching(&[own.clone()]))
            .await
            .unwrap();
        assert_eq!(ways(subject, &owner, own.id).await, [false; 5], "{status}");
        let by_id = subject
            .store
            .lessons_by_id(&owner, &[own.id])
            .await
            .unwrap();
        assert_eq!(by_id.lessons, [own.clone()]);
    }
    own.status = Status::Candidate;
    subject
        .write(&owner, teaching(&[own.clone()]))
        .await
        .unwrap();
    assert_eq!(ways(subject, &owner, own.id).await, [true; 5]);
    // Another trigger, another tag, another place: the old ways are closed.
    let mut moved = lesson(&owner, 1, &[3], &["far"]);
    moved.place = at_place("else", "where");
    subject.write(&owner, teaching(&[moved])).await.unwrap();
    assert_eq!(ways(subject, &owner, own.id).await, [false; 5]);
}

/// A lesson with a rule.
fn forbidding(owner: &LearnerId, n: u16, rule: &str, at: i64) -> Lesson {
    let mut one = dated(lesson(owner, n, &[n], &[]), at);
    one.rule = Rule::parse(rule).unwrap();
    one
}

pub(crate) async fn a_wrong_form_gives_watched_lessons_the_surest_first(subject: &Subject) {
    let (owner, other) = (subject.owner("l"), subject.owner("m"));
    let push = |n: u16| format!("WRONG git push <1> main → CORRECT git push <1> topic-{n}");
    let mut lessons: Vec<Lesson> = (1..=70)
        .map(|n| forbidding(&owner, n, &push(n), i64::from(n)))
        .collect();
    lessons[0].status = Status::Promoted;
    lessons[8].status = Status::Suppressed;
    lessons[9].status = Status::Archived;
    lessons[10].status = Status::Observed;
    lessons[11].status = Status::Refuted;
    lessons.push(forbidding(
        &owner,
        71,
        "WRONG npm test → CORRECT npm run unit",
        1,
    ));
    lessons.push(forbidding(
        &owner,
        72,
        "WRONG git push <1> main — refused",
        99,
    ));
    lessons.push(forbidding(&owner, 73, "Use short names", 99));
    known(subject, &owner, Vec::new(), &lessons).await;
    let elsewhere = forbidding(&other, 1, &push(1), 1);
    known(subject, &other, Vec::new(), &[elsewhere]).await;
    let keys = ["npm test", "git main", "git none"].map(str::to_owned);
    let found = async |keys: &[String], most: usize| {
        let store = &subject.store;
        let found = store.lessons_of_wrong_forms(&owner, keys, most).await;
        found.unwrap()
    };
    let all = found(&keys, 100).await;
    let candidates = (12..70).chain(1..8).collect::<BTreeSet<usize>>();
    let newest = candidates.into_iter().rev();
    // A ban is watched like any other. One that was observed comes last: only its counterexamples are looked for.
    let expected: Vec<LessonId> = [70, 0, 71]
        .into_iter()
        .chain(newest)
        .chain([10])
        .map(|n| lessons[n].id)
        .collect();
    assert_eq!(ids(&all.lessons), expected);
    assert!(all.lessons.iter().all(|one| lessons.contains(one)));
    assert_eq!(
        ids(&found(&keys, 2).await.lessons),
        [expected[0], expected[1], expected[2]]
    );
    assert!(found(&[], 9).await.lessons.is_empty());
    // A change of a lesson's status moves it, and another rule has another form.
    lessons[0].status = Status::Suppressed;
    lessons[8].status = Status::Promoted;
    lessons[69].rule = Rule::parse("WRONG git pull <1> → CORRECT git fetch <1>").unwrap();
    subject.write(&owner, teaching(&lessons)).await.unwrap();
    assert_eq!(
        ids(&found(&keys[1..2], 2).await.lessons),
        [lessons[8].id, lessons[71].id]
    );
    let pull = found(&["git pull".to_owned()], 9).await;
    assert_eq!(ids(&pull.lessons), [lessons[69].id]);
    let many = vec!["git main".to_owned(); NAMES_MAX + 1];
    let refused = subject.store.lessons_of_wrong_forms(&owner, &many, 1).await;
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Invalid);
}

pub(crate) async fn newer_evidence_moves_a_lesson_to_the_front(subject: &Subject) {
    let owner = subject.owner("l");
    let lessons = [
        dated(lesson(&owner, 1, &[1], &["own"]), 5),
        dated(lesson(&owner, 2, &[1], &["own"]), 6),
    ];
    known(subject, &owner, vec![tagged(1, &["own"])], &lessons).await;
    let newer = dated(lessons[0].clone(), 7);
    subject.write(&owner, teaching(&[newer])).await.unwrap();
    let mut ask = question(&[1], &[]);
    ask.place = at_place("report", "none");
    let found = around(subject, &owner, ask).await;
    let order = [lessons[0].id, lessons[1].id];
    assert_eq!(found.starts[0].lessons, order);
    assert_eq!(found.tags[0].lessons, order);
    assert_eq!(found.tags[0].siblings[0].1, order);
    assert_eq!(found.places, order);
}

pub(crate) async fn the_rarest_tags_are_followed(subject: &Subject) {
    let owner = subject.owner("l");
    let mut prints: Vec<_> = (1..=6).map(|n| tagged(n, &["hub"])).collect();
    prints.extend((1..=3).map(|n| tagged(n, &["some"])));
    prints.extend([tagged(1, &["b_rare"]), tagged(2, &["a_rare"])]);
    known(subject, &owner, prints, &[]).await;
    let mut ask = question(&[1], &["a_rare", "unheard"]);
    let counts = |found: &Neighbourhood| -> Vec<(String, u64)> {
        let rows = found.tags.iter().map(|row| &row.count);
        rows.map(|count| (count.tag.clone(), count.fingerprints))
            .collect()
    };
    let found = around(subject, &owner, ask.clone()).await;
    let all = [("a_rare", 1), ("b_rare", 1), ("some", 3), ("hub", 6)];
    let all = all.map(|(tag, count)| (tag.to_owned(), count));
    assert_eq!(counts(&found), all);
    assert_eq!(found.fingerprints, 6);
    let own: Vec<&str> = found.starts[0]
        .tags
        .iter()
        .map(|row| row.tag.as_str())
        .collect();
    assert_eq!(own, ["b_rare", "hub", "some"]);
    ask.limits.tags = 2;
    ask.without = texts(&["b_rare"]);
    let found = around(subject, &owner, ask).await;
    assert_eq!(counts(&found), [all[0].clone(), all[2].clone()]);
}

pub(crate) async fn the_neighbourhood_stops_at_every_limit(subject: &Subject) {
    let owner = subject.owner("l");
    let prints = (1..=40).map(|n| tagged(n, &["common"])).collect();
    let lessons: Vec<Lesson> = (1..=120)
        .map(|n| dated(lesson(&owner, n, &[n % 40 + 1], &["common"]), i64::from(n)))
        .collect();
    known(subject, &owner, prints, &lessons).await;
    let mut ask = question(&[1, 2, 3, 4], &["common"]);
    ask.place = at_place("report", "grid");
    ask.limits = WalkLimits {
        starts: 3,
        lessons_per_start: 2,
        siblings_per_tag: 5,
        lessons_per_sibling: 1,
        lessons_per_tag: 4,
        lessons_per_place: 6,
        ..WalkLimits::default()
    };
    let found = around(subject, &owner, ask).await;
    assert_eq!(found.starts.len(), 3);
    assert!(found.starts.iter().all(|start| start.lessons.len() == 2));
    assert_eq!(found.tags.len(), 1);
    let siblings: Vec<_> = found.tags[0]
        .siblings
        .iter()
        .map(|(one, _)| one.id)
        .collect();
    assert_eq!(siblings, (1..=5).map(fp).collect::<Vec<_>>());
    assert!(
        found.tags[0]
            .siblings
            .iter()
            .all(|(_, lessons)| lessons.len() == 1)
    );
    assert_eq!(found.tags[0].siblings[0].0.normalised, "error number 1");
    let newest = |most: usize| {
        lessons
            .iter()
            .rev()
            .take(most)
            .map(|one| one.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(found.tags[0].lessons, newest(4));
    assert_eq!(found.places, newest(6));
}

pub(crate) async fn a_place_is_task_domain_or_tool(subject: &Subject) {
    let owner = subject.owner("l");
    let mut lessons = [1, 2, 3, 4].map(|n| dated(lesson(&owner, n, &[n], &[]), i64::from(n)));
    let part = |text: &str| Some(text.to_owned());
    lessons[0].place = at_place("t", "d");
    lessons[1].place = Place {
        tool: part("hammer"),
        ..Place::default()
    };
    lessons[2].place = at_place("t", "elsewhere");
    lessons[3].place = Place {
        task: part("hammer"),
        ..Place::default()
    };
    known(subject, &owner, Vec::new(), &lessons).await;
    let mut ask = question(&[], &[]);
    ask.place = Place {
        tool: part("hammer"),
        ..at_place("t", "d")
    };
    let found = around(subject, &owner, ask).await;
    assert_eq!(found.places, [lessons[2].id, lessons[1].id, lessons[0].id]);
}

/// The contract of a neighbourhood, written once more, over plain lists.
fn model(prints: &[NewFingerprint], lessons: &[Lesson], ask: &NeighbourhoodAsk) -> Neighbourhood {
    let mut live: Vec<&Lesson> = lessons.iter().filter(|one| one.status.is_live()).collect();
    live.sort_by_key(|one| (std::cmp::Reverse(one.evidence_at), one.id));
    let with = |holds: &dyn Fn(&Lesson) -> bool, most: usize| -> Vec<LessonId> {
        let found = live.iter().filter(|one| holds(one)).map(|one| one.id);
        found.take(most).collect()
    };
    let mut tags_of: BTreeMap<FingerprintId, BTreeSet<String>> = BTreeMap::new();
    for one in prints {
        tags_of
            .entry(one.fingerprint.id)
            .or_default()
            .extend(one.tags.clone());
    }
    for trigger in lessons.iter().flat_map(|one| &one.triggers) {
        tags_of.entry(*trigger).or_default();
    }
    let count = |tag: &str| TagCount {
        tag: tag.to_owned(),
        fingerprints: tags_of.values().filter(|tags| tags.contains(tag)).count() as u64,
    };
    let limits = &ask.limits;
    let triggered = |id: FingerprintId, most: usize| with(&|one| one.triggers.contains(&id), most);
    let starts = ask.starts.iter().take(limits.starts);
    let starts: Vec<Start> = starts
        .filter_map(|id| {
            Some(Start {
                id: *id,
                tags: tags_of.get(id)?.iter().map(|tag| count(tag)).collect(),
                lessons: triggered(*id, limits.lessons_per_start),
            })
        })
        .collect();
    let own = starts.iter().flat_map(|start| start.tags.iter().cloned());
    let asked = ask.tags.iter().map(|tag| count(tag));
    let mut rarest: Vec<TagCount> = own
        .chain(asked)
        .filter(|row| row.fingerprints > 0)
        .collect();
    rarest.sort_by_key(|row| (row.fingerprints, row.tag.clone()));
    rarest.dedup();
    rarest.truncate(limits.tags);
    let behind = |count: TagCount| TagNeighbours {
        siblings: tags_of
            .iter()
            .filter(|(id, tags)| tags.contains(&count.tag) && !triggered(**id, 1).is_empty())
            .take(limits.siblings_per_tag)
            .map(|(id, _)| {
                let text = prints.iter().find(|one| one.fingerprint.id == *id);
                let normalised = text.map(|one| one.fingerprint.normalised.clone());
                let sibling = Sibling {
                    id: *id,
                    normalised: normalised.unwrap_or_default(),
                };
                (sibling, triggered(*id, limits.lessons_per_sibling))
            })
            .collect(),
        lessons: with(&|one| one.tags.contains(&count.tag), limits.lessons_per_tag),
        count,
    };
    Neighbourhood {
        fingerprints: tags_of.len() as u64,
        tags: rarest.into_iter().map(behind).collect(),
        places: with(
            &|one| one.place.task == ask.place.task,
            limits.lessons_per_place,
        ),
        starts,
    }
}

pub(crate) async fn a_neighbourhood_is_that_of_a_plain_model(subject: &Subject) {
    let mut chance = fastrand::Rng::with_seed(7);
    for round in 0..12 {
        let owner = subject.owner(&format!("l{round}"));
        let names = ["a", "b", "c", "d", "e", "f"];
        let some = |chance: &mut fastrand::Rng| -> Vec<&str> {
            names.into_iter().filter(|_| chance.u8(..3) == 0).collect()
        };
        let prints: Vec<_> = (1..=20).map(|n| tagged(n, &some(&mut chance))).collect();
        let mut lessons = Vec::new();
        for n in 1..=40 {
            let triggers: Vec<u16> = (0..chance.u16(1..4)).map(|_| chance.u16(1..26)).collect();
            let mut one = dated(
                lesson(&owner, n, &triggers, &some(&mut chance)),
                chance.i64(0..9),
            );
            one.status = *chance.choice(Status::ALL).unwrap();
            one.place = at_place(if chance.bool() { "t" } else { "u" }, "d");
            one.place.domain = None;
            lessons.push(one);
        }
        known(subject, &owner, prints.clone(), &lessons).await;
        // Written again in other states, so that postings and siblings have to follow.
        for one in &mut lessons {
            if chance.bool() {
                one.status = *chance.choice(Status::ALL).unwrap();
                one.evidence_at = hindlore_primitives::timestamp::Timestamp::from_millis(
                    one.evidence_at.millis() + chance.i64(0..9),
                );
            }
        }
        subject.write(&owner, teaching(&lessons)).await.unwrap();
        let starts: Vec<u16> = (0..4).map(|_| chance.u16(1..28)).collect();
        let starts: BTreeSet<u16> = starts.into_iter().collect();
        let starts: Vec<u16> = starts.into_iter().collect();
        let mut ask = question(&starts, &some(&mut chance));
        ask.place.task = Some("t".to_owned());
        ask.limits.tags = chance.usize(1..7);
        ask.limits.siblings_per_tag = chance.usize(1..9);
        let expected = model(&prints, &lessons, &ask);
        assert_eq!(
            around(subject, &owner, ask).await,
            expected,
            "round {round}"
        );
    }
}
