//! The short form of the experiment: a folder with a tool is all that has to be named.

use crate::world::World;

#[test]
fn lab_with_a_tool_and_no_command_is_the_experiment_over_seeds() {
    let world = World::new();
    let folder = world.path("tool");
    let folder = folder.to_str().unwrap();
    world.json(&format!("lab new-tool --seed 3 {folder}"));
    let short = world.json(&format!("lab --tool {folder} --seed 4 --seeds 2"));
    let long = world.json(&format!("lab stability --tool {folder} --seed 4 --seeds 2"));
    assert_eq!(short["rows"], long["rows"]);
    assert!(short["rows"].as_array().unwrap().len() >= 12);
}
