//! Patches of a policy: replaced, unchanged and refused fields.

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
        (json!({"floor": "x"}), "`floor` is \"x\"; it takes a number"),
        (json!({"guard": 1}), "`guard` is 1; it takes true or false"),
        (
            json!({"max_bullets": -1}),
            "`max_bullets` is -1; it takes a whole number",
        ),
        (json!({"rates": {"semantic": "x"}}), "`rates`"),
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

#[test]
fn a_policy_from_elsewhere_is_examined() {
    assert_eq!(Policy::default().problem(), None);
    assert_eq!(Policy::classic().problem(), None);
    let rates = Rates {
        semantic: -0.5,
        ..Rates::default()
    };
    let wrong = [
        Policy {
            rates,
            ..Policy::default()
        },
        Policy {
            floor: f64::NAN,
            ..Policy::default()
        },
        Policy {
            base_strength: f64::INFINITY,
            ..Policy::default()
        },
    ];
    for (policy, field) in wrong
        .iter()
        .zip(["rates.semantic", "floor", "base_strength"])
    {
        let said = policy.problem().unwrap();
        assert!(said.contains(field), "{said}");
    }
}
