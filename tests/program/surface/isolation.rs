//! Equal texts in two tenants, two learners and two scopes never meet, for every change of one of them.

use serde_json::{Value, json};

use crate::world::{World, texts};

/// Three equal texts with the same delta id in four memories.
const PLACES: [&str; 4] = [
    "--tenant a --learner l --scope s",
    "--tenant b --learner l --scope s",
    "--tenant a --learner m --scope s",
    "--tenant a --learner l --scope t",
];

fn four() -> World {
    let world = World::new();
    let delta = json!({"id": "same", "operations": [
        {"op": "ADD", "content": "prime the pump before you start"},
        {"op": "ADD", "content": "close the valve after a run"},
        {"op": "ADD", "content": "prime the pump before you never start"},
    ]});
    for place in PLACES {
        let options: Vec<&str> = place.split(' ').collect();
        let applied = world.apply_to(&delta, &options);
        assert_eq!(applied["added"].as_array().unwrap().len(), 3, "{place}");
        assert_eq!(applied["revision"], 1);
    }
    world
}

fn digests(world: &World) -> Vec<Value> {
    let digest = |place: &&str| world.json(&format!("digest {place}"));
    PLACES.iter().map(digest).collect()
}

#[test]
fn ids_differ_and_nothing_of_one_is_seen_from_another() {
    let world = four();
    let mut all: Vec<String> = Vec::new();
    for place in PLACES {
        let list = world.json(&format!("bullets list {place}"));
        let ids = texts(&list["bullets"], "id");
        let learned = world.json(&format!("retrieve pump valve {place} --peek"));
        for id in texts(&learned["results"], "id") {
            assert!(ids.contains(&id), "{place}");
        }
        all.extend(ids);
    }
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count, "an id is in two memories");
    for place in PLACES {
        links_stay_inside(&world, place);
    }
    for id in world_ids(&world, PLACES[0]) {
        for other in &PLACES[1..] {
            let words = format!("bullets show {id} {other} --json");
            let arguments: Vec<&str> = words.split(' ').collect();
            world.run(&arguments).problem("no_bullet");
        }
    }
}

fn links_stay_inside(world: &World, place: &str) {
    let ids = world_ids(world, place);
    let mut links = Vec::new();
    for id in &ids {
        let shown = world.json(&format!("bullets show {id} {place}"));
        links.extend(shown["links"].as_array().cloned().unwrap_or_default());
    }
    assert_eq!(links.len(), 2, "one link, seen from both ends: {place}");
    for end in links.iter().flat_map(|link| [&link["from"], &link["to"]]) {
        assert!(ids.iter().any(|id| end == id), "{place}");
    }
}

fn world_ids(world: &World, place: &str) -> Vec<String> {
    texts(
        &world.json(&format!("bullets list {place}"))["bullets"],
        "id",
    )
}

#[test]
fn what_happens_in_one_leaves_the_others_as_they_are() {
    let world = four();
    let before = digests(&world);
    let [first, ..] = PLACES;
    let ranks: Vec<Value> = PLACES[1..]
        .iter()
        .map(|place| world.json(&format!("retrieve pump {place} --peek"))["results"].clone())
        .collect();
    let answer = world.json(&format!("retrieve pump {first}"));
    let retrieval = answer["retrieval"].as_str().unwrap();
    let id = answer["results"][0]["id"].as_str().unwrap();
    for other in &PLACES[1..] {
        let words = format!("feedback {retrieval} --helped {id} {other} --json");
        let arguments: Vec<&str> = words.split(' ').collect();
        world.run(&arguments).problem("no_retrieval");
    }
    world.json(&format!("feedback {retrieval} --harmed {id} {first}"));
    world.json(&format!("bullets reject {id} --reason wrong {first}"));
    world.json(&format!("policy set floor=0.5 {first}"));
    world.json(&format!("memory clear --yes {first}"));
    assert_eq!(digests(&world)[1..], before[1..]);
    assert_ne!(digests(&world)[0], before[0]);
    for (place, ranked) in PLACES[1..].iter().zip(ranks) {
        let now = world.json(&format!("retrieve pump {place} --peek"));
        assert_eq!(now["results"], ranked, "{place}");
        let log = world.json(&format!("delta log {place}"));
        assert_eq!(texts(&log["deltas"], "delta"), ["same", "d_creation"]);
        let found = world.json(&format!("bullets search valve {place}"));
        assert_eq!(found["total"], 1);
    }
}

#[test]
fn an_export_holds_one_memory_and_an_erase_takes_one() {
    let world = four();
    let before = digests(&world);
    let exported = |place: &str| {
        let words = format!("export {place}");
        let arguments: Vec<&str> = words.split(' ').collect();
        world.run(&arguments).out
    };
    let ids = world_ids(&world, PLACES[1]);
    let text = exported(PLACES[0]);
    assert!(ids.iter().all(|id| !text.contains(id.as_str())));
    let others: Vec<String> = PLACES[1..].iter().map(|place| exported(place)).collect();
    world.json(&format!("erase {} --yes", PLACES[0]));
    assert_eq!(digests_of(&world, &PLACES[1..]), before[1..]);
    let now: Vec<String> = PLACES[1..].iter().map(|place| exported(place)).collect();
    assert_eq!(now, others);
    world.json("erase --tenant a --learner l --all-scopes --yes");
    assert_eq!(digests_of(&world, &PLACES[1..3]), before[1..3]);
    let list = world.json("memory list --tenant a");
    assert_eq!(texts(&list["memories"], "learner"), ["m"]);
}

fn digests_of(world: &World, places: &[&str]) -> Vec<Value> {
    let digest = |place: &&str| world.json(&format!("digest {place}"));
    places.iter().map(digest).collect()
}
