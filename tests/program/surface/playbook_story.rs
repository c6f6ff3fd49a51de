//! The story of a playbook, by the command line and over HTTP, on a file.

use hindlore_api::catalog;
use serde_json::{Value, json};

use super::playbook_steps::{Said, check, settled, steps};
use super::served::Served;
use crate::world::World;

#[test]
fn forty_runs_become_a_playbook_by_the_command_line_and_over_http() {
    let world = World::new();
    let served = Served::start(&[]);
    let by_command: Vec<(&str, Value)> = steps()
        .iter()
        .map(|said| (said.verb, called(&world, said)))
        .collect();
    let over_http: Vec<(&str, Value)> = steps()
        .iter()
        .map(|said| (said.verb, requested(&served, said)))
        .collect();
    check(&by_command);
    check(&over_http);
    for ((verb, one), (_, other)) in by_command.iter().zip(&over_http) {
        assert_eq!(settled(one), settled(other), "{verb}");
    }
    // A reader of the other surface sees the same memory.
    assert_eq!(
        world.digest()["content_digest"],
        served.world.digest()["content_digest"]
    );
}

fn called(world: &World, said: &Said) -> Value {
    let request = said.request.to_string();
    let mut words = vec!["call", said.verb, &request, "--json"];
    if let Some(caller) = said.caller {
        words.extend(["--as", caller]);
    }
    let ran = world.run(&words);
    match said.refused {
        Some(code) => {
            assert_eq!(ran.code, 2, "{}: {ran:?}", said.verb);
            let error: Value = serde_json::from_str(&ran.err).unwrap();
            assert_eq!(error["error"]["code"], code, "{}", said.verb);
            json!({"refused": code})
        }
        None => {
            assert_eq!(ran.code, 0, "{} {request}: {ran:?}", said.verb);
            ran.document()
        }
    }
}

fn requested(served: &Served, said: &Said) -> Value {
    let verb = catalog::find(said.verb).unwrap();
    let headers: Vec<(&str, &str)> = said
        .caller
        .iter()
        .map(|caller| ("Hindlore-As", *caller))
        .collect();
    let answer = served.call(verb, &said.request, &headers);
    match said.refused {
        Some(code) => {
            assert_eq!(
                (answer.status, &answer.body["code"]),
                (403, &json!(code)),
                "{}",
                said.verb
            );
            json!({"refused": code})
        }
        None => {
            assert_eq!(answer.status, 200, "{}: {}", said.verb, answer.body);
            answer.body
        }
    }
}
