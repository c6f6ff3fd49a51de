//! Patches of a policy: what is replaced, what stays, and what is refused.

use serde_json::json;

use super::*;

fn patch(value: Value) -> Result<Policy, String> {
    Policy::default().patched(value.as_object().unwrap())
}

#[test]
fn fields_are_replaced_and_rates_clamped() {
    let policy = patch(json!({"rates": {"episodic": 1.5}, "max_bullets": null})).unwrap();
    assert_eq!((policy.rates.episodic, policy.rates.semantic), (1.0, 0.01));
    assert_eq!(policy.max_bullets, None);
    assert!(patch(json!({"mode": "classic"})).unwrap().is_classic());
}

#[test]
fn a_change_of_mode_keeps_the_words_of_the_memory() {
    let own = Policy {
        guard_tables: "own guard".to_owned(),
        rule_tables: "own rules".to_owned(),
        ..Policy::default()
    };
    let mode = |word: &str| json!({"mode": word}).as_object().cloned().unwrap();
    let classic = own.patched(&mode("classic")).unwrap();
    assert!(classic.is_classic() && classic.max_bullets == Some(100));
    assert_eq!(classic.guard_tables, own.guard_tables);
    assert_eq!(classic.rule_tables, own.rule_tables);
    assert_eq!(classic.patched(&mode("engine")).unwrap(), own);
}

#[test]
fn what_is_wrong_is_said() {
    for (field, word) in [
        (json!({"flor": 0.1}), "flor"),
        (json!({"floor": 2.0}), "0..=1"),
        (json!({"floor": "x"}), "expected f64"),
        (json!({"merge_threshold": 0.0}), "above 0"),
        (
            json!({"weights": {"relevance": -1.0, "strength": 2.0, "type": 1.0}}),
            "negative",
        ),
        (json!({"tokeniser": 2}), "cannot be set"),
        (json!({"mode": "fancy"}), "fancy"),
    ] {
        let error = patch(field).unwrap_err();
        assert!(error.contains(word), "{error}");
    }
}
