//! Lost answers and stale readers: the same request again, and two writers on one revision.

use serde_json::Value;

use super::program::{Place, counted_delta, delta_ids, shared_votes};

#[test]
fn a_resent_delta_gives_the_first_receipt_and_changes_nothing() {
    let place = Place::new();
    let first = place.apply("d1", &counted_delta("one two three"));
    let digest = place.json(&["digest"]);
    for _ in 0..3 {
        let again = place.apply("d1", &counted_delta("one two three"));
        let (mut one, mut other): (Value, Value) = (
            serde_json::from_slice(&first.stdout).unwrap(),
            serde_json::from_slice(&again.stdout).unwrap(),
        );
        assert_eq!(
            (&one["repeated"], &other["repeated"]),
            (&false.into(), &true.into())
        );
        for answer in [&mut one, &mut other] {
            let fields = answer.as_object_mut().unwrap();
            // Those report the repetition, and the present state.
            for told in ["repeated", "outcome", "since"] {
                fields.remove(told);
            }
        }
        assert_eq!(one, other);
    }
    assert_eq!(place.json(&["digest"]), digest);
    let other_body = place.apply("d1", &counted_delta("four five six"));
    assert_eq!(other_body.status.code(), Some(2));
    assert_eq!(place.json(&["digest"]), digest);
}

#[test]
fn concurrent_resends_are_applied_once() {
    let place = Place::new();
    let deltas: Vec<(String, String)> = (0..6)
        .map(|n| (format!("d{n}"), counted_delta(&format!("a{n} b{n} c{n}"))))
        .collect();
    let mut children = Vec::new();
    for _ in 0..4 {
        for (id, body) in &deltas {
            children.push(place.start_delta(id, body));
        }
    }
    let mut fresh = 0;
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        fresh += u64::from(answer["repeated"] == false);
    }
    assert_eq!(fresh, 6);
    assert_eq!(delta_ids(&place).len(), 6);
    assert_eq!(shared_votes(&place), 6);
}

#[test]
fn of_two_writers_on_one_revision_one_is_told_to_read_again() {
    let place = Place::new();
    place.apply("d0", &counted_delta("seven eight nine"));
    let on_revision_one = |id: &str| {
        let words = [
            "delta",
            "apply",
            "--json",
            "--id",
            id,
            "--expect-revision",
            "1",
            "-",
        ];
        super::program::start_delta(
            place.command(&words),
            &counted_delta(&format!("{id} alone")),
        )
    };
    let outputs: Vec<_> = ["left", "right"]
        .map(on_revision_one)
        .into_iter()
        .map(|child| child.wait_with_output().unwrap())
        .collect();
    let codes: Vec<_> = outputs.iter().map(|output| output.status.code()).collect();
    assert!(
        codes == [Some(0), Some(2)] || codes == [Some(2), Some(0)],
        "{codes:?}"
    );
    let refused = outputs
        .iter()
        .find(|output| output.status.code() == Some(2))
        .unwrap();
    let error: Value = serde_json::from_slice(&refused.stderr).unwrap();
    assert_eq!(error["error"]["code"], "wrong_revision");
    assert_eq!(shared_votes(&place), 2);
}
