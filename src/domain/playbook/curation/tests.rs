//! The results of proposals, by example and by chance.

use super::*;
use crate::playbook::content::STRATEGIES_MAX;
use crate::playbook::strategy::{Evidence, Stated};
use crate::playbook::{apply, content_digest, diff};

const PLAYBOOK: &str = "pb_x";

fn at(day: i64) -> Timestamp {
    Timestamp::from_millis(day * 86_400_000)
}

fn proposal(category: Category, pattern: &str, evidence: &[(&str, bool)]) -> Proposal {
    let evidence = evidence.iter().map(|(trajectory, worked)| Evidence {
        trajectory: (*trajectory).to_owned(),
        worked: *worked,
        at: at(1),
    });
    Proposal {
        category,
        pattern: pattern.to_owned(),
        context: String::new(),
        evidence: evidence.collect(),
        stated: None,
    }
}

fn helpful(pattern: &str, evidence: &[(&str, bool)]) -> Proposal {
    proposal(Category::Helpful, pattern, evidence)
}

fn curated(known: &[Strategy], proposals: Vec<Proposal>) -> Curated {
    let (guard, rules) = (MergeGuard::standard(), CurationRules::default());
    curate(PLAYBOOK, known, proposals, (&guard, &rules), at(2))
}

fn kinds(curated: &Curated) -> Vec<ChangeKind> {
    curated.changes.iter().map(|change| change.kind).collect()
}

#[test]
fn stated_counts_of_one_list_add_up_and_a_repeated_list_counts_once() {
    let stated = |pattern: &str, evidence| Proposal {
        stated: Stated::of_evidence(evidence),
        ..helpful(pattern, &[])
    };
    let list = || {
        vec![
            stated("Run the tests after each change.", 3),
            stated("Run the tests after each change", 2),
        ]
    };
    let first = curated(&[], list());
    assert_eq!(first.strategies.len(), 1);
    assert_eq!(first.strategies[0].evidence_count(), 5);
    let confidence = first.strategies[0].stated.unwrap().confidence;
    assert!(confidence > 0.3 && confidence < 0.6, "{confidence}");
    let again = curated(&first.strategies, list());
    assert!(!again.is_change());
    assert_eq!(Stated::of_evidence(0), None);
}

#[test]
fn equal_strategies_merge_and_a_trajectory_counts_once() {
    let first = curated(
        &[],
        vec![
            helpful("Run the tests after each change.", &[("t1", true)]),
            helpful(
                "Run the tests after each change",
                &[("t1", true), ("t2", true)],
            ),
        ],
    );
    assert_eq!(
        (first.strategies.len(), kinds(&first)),
        (1, vec![ChangeKind::Added])
    );
    assert_eq!(first.strategies[0].votes(), (2, 0));
    let again = curated(
        &first.strategies,
        vec![helpful(
            "Run the tests after each change.",
            &[("t2", true), ("t1", true)],
        )],
    );
    assert!(!again.is_change() && again.unchanged == 1, "{again:?}");
    assert_eq!(again.strategies, first.strategies);
    let more = curated(
        &first.strategies,
        vec![helpful(
            "Run the tests after each change.",
            &[("t3", false)],
        )],
    );
    assert_eq!(more.strategies[0].votes(), (2, 1));
    assert_eq!(
        (kinds(&more), more.changes[0].reason.as_str()),
        (vec![ChangeKind::Updated], "1 more trajectory")
    );
}

#[test]
fn what_differs_in_the_word_that_matters_stays_apart() {
    for (one, other) in [
        (
            "Sort the list by date, oldest first, and take 5 rows",
            "Sort the list by date, newest first, and take 5 rows",
        ),
        (
            "Call `get_order` before you call the tool that cancels it",
            "Call `get_user` before you call the tool that cancels it",
        ),
        (
            "Wait 5 seconds before you try the same call once again",
            "Wait 50 seconds before you try the same call once again",
        ),
        (
            "Do commit the lock file together with the manifest always",
            "Do not commit the lock file together with the manifest always",
        ),
    ] {
        let both = curated(
            &[],
            vec![
                helpful(one, &[("t1", true)]),
                helpful(other, &[("t2", true)]),
            ],
        );
        assert_eq!(both.strategies.len(), 2, "{one}");
    }
    let both = curated(
        &[],
        vec![
            helpful("Read the file first", &[("t1", true)]),
            proposal(Category::Neutral, "Read the file first", &[("t1", true)]),
        ],
    );
    assert_eq!(both.strategies.len(), 2);
    let mut elsewhere = helpful("Read the file first.", &[("t2", true)]);
    elsewhere.context = "When you edit notebooks".to_owned();
    let mut here = helpful("Read the file first", &[("t1", true)]);
    here.context = "When you delete tables".to_owned();
    assert_eq!(curated(&[], vec![here, elsewhere]).strategies.len(), 2);
}

#[test]
fn what_the_evidence_speaks_against_moves_or_goes() {
    let pattern = "Retry at once after a refusal";
    let known = curated(&[], vec![helpful(pattern, &[("t0", true)])]).strategies;
    let some = curated(
        &known,
        vec![helpful(pattern, &[("f1", false), ("f2", false)])],
    );
    assert_eq!(kinds(&some), [ChangeKind::Removed]);
    assert_eq!(
        some.changes[0].reason,
        "it failed 2 times and worked 1 times"
    );
    assert!(some.strategies.is_empty());
    let failures: Vec<String> = (0..7).map(|n| format!("f{n}")).collect();
    let failures: Vec<(&str, bool)> = failures.iter().map(|one| (one.as_str(), false)).collect();
    let many = curated(&known, vec![helpful(pattern, &failures)]);
    assert_eq!(kinds(&many), [ChangeKind::Moved]);
    assert_eq!(many.strategies[0].category, Category::Harmful);
    // A later proposal of the same advice meets it at its present place.
    let back = curated(&many.strategies, vec![helpful(pattern, &[("t9", true)])]);
    assert_eq!(
        (back.strategies.len(), back.strategies[0].votes()),
        (1, (2, 7))
    );
    let none = curated(&[], vec![helpful(pattern, &[("f1", false)])]);
    assert_eq!(
        (kinds(&none), none.is_change()),
        (vec![ChangeKind::LeftOut], false)
    );
    let warning = curated(
        &[],
        vec![proposal(Category::Harmful, pattern, &[("f1", false)])],
    );
    let calm = curated(
        &warning.strategies,
        vec![proposal(
            Category::Harmful,
            pattern,
            &[("w1", true), ("w2", true)],
        )],
    );
    assert_eq!(kinds(&calm), [ChangeKind::Removed]);
}

#[test]
fn replacing_keeps_what_is_proposed_again() {
    let (guard, rules) = (MergeGuard::standard(), CurationRules::default());
    let known = curated(
        &[],
        vec![
            helpful("one", &[("t1", true)]),
            helpful("two", &[("t1", true)]),
        ],
    );
    let proposals = vec![helpful("three", &[]), helpful("one", &[("t1", true)])];
    let replaced = replace(
        PLAYBOOK,
        &known.strategies,
        proposals,
        (&guard, &rules),
        at(9),
    );
    let patterns: Vec<&str> = replaced
        .strategies
        .iter()
        .map(|one| one.pattern.as_str())
        .collect();
    assert_eq!((patterns, replaced.unchanged), (vec!["three", "one"], 1));
    assert_eq!(kinds(&replaced), [ChangeKind::Added, ChangeKind::Removed]);
    assert_eq!(replaced.strategies[1], known.strategies[0]);
}

#[test]
fn a_full_playbook_lets_the_least_sure_go() {
    let stated = |number: usize| Proposal {
        stated: Some(Stated {
            confidence: number as f64 / 1_000.0,
            evidence: 1,
        }),
        ..helpful(&format!("step number {number}"), &[])
    };
    let full = curated(&[], (0..STRATEGIES_MAX).map(stated).collect());
    let more = curated(&full.strategies, (600..610).map(stated).collect());
    assert_eq!(more.strategies.len(), STRATEGIES_MAX);
    assert_eq!(
        (
            more.count(ChangeKind::Removed),
            more.count(ChangeKind::Added)
        ),
        (10, 10)
    );
    assert_eq!(more.strategies[0].pattern, "step number 10");
    assert_eq!(more.unchanged, STRATEGIES_MAX - 10);
}

/// By chance: for any proposals in any portions, no trajectory counts twice, known proposals change nothing, and a diff
/// leads from each list to the next.
#[test]
fn chance_finds_no_order_in_which_evidence_counts_twice() {
    let patterns = [
        "open the valve first",
        "close the valve last",
        "check the gauge twice a day",
        "write it down",
    ];
    for seed in 0..200 {
        let mut chance = fastrand::Rng::with_seed(seed);
        let mut known: Vec<Strategy> = Vec::new();
        let mut all = Vec::new();
        for _ in 0..chance.usize(1..8) {
            let mut portion = Vec::new();
            for _ in 0..chance.usize(1..5) {
                let category = Category::ALL[chance.usize(0..3)];
                let evidence: Vec<Evidence> = (0..chance.usize(0..4))
                    .map(|_| Evidence {
                        trajectory: format!("t{}", chance.u8(0..6)),
                        worked: chance.bool(),
                        at: at(chance.i64(0..3)),
                    })
                    .collect();
                let pattern = patterns[chance.usize(0..patterns.len())];
                portion.push(Proposal {
                    evidence,
                    ..proposal(category, pattern, &[])
                });
            }
            let next = curated(&known, portion.clone());
            let delta = diff(&known, &next.strategies);
            assert_eq!(apply(&delta, &known), next.strategies, "seed {seed}");
            assert_eq!(delta.is_empty(), known == next.strategies, "seed {seed}");
            known = next.strategies;
            all.extend(portion);
        }
        for strategy in &known {
            let mut names: Vec<&str> = strategy
                .evidence
                .iter()
                .map(|one| one.trajectory.as_str())
                .collect();
            names.dedup();
            assert_eq!(names.len(), strategy.evidence.len(), "seed {seed}");
            assert!(names.is_sorted(), "seed {seed}");
            let (worked, failed) = strategy.votes();
            let is_sound = if strategy.category == Category::Harmful {
                failed >= worked
            } else {
                worked >= failed
            };
            assert!(is_sound, "seed {seed}: {strategy:?}");
        }
        let again: Vec<Proposal> = known
            .iter()
            .map(|one| Proposal {
                category: one.category,
                pattern: one.pattern.clone(),
                context: one.context.clone(),
                evidence: one.evidence.clone(),
                stated: one.stated,
            })
            .collect();
        let repeated = curated(&known, again);
        assert!(!repeated.is_change(), "seed {seed}: {:?}", repeated.changes);
        assert_eq!(content_digest(&repeated.strategies), content_digest(&known));
    }
}

#[test]
fn a_diff_knows_the_order() {
    let list = curated(
        &[],
        ["one", "two", "three"]
            .map(|text| helpful(text, &[]))
            .to_vec(),
    )
    .strategies;
    let turned: Vec<Strategy> = list.iter().rev().cloned().collect();
    let delta = diff(&list, &turned);
    assert_eq!((apply(&delta, &list), delta.added.len()), (turned, 0));
    assert!(diff(&list, &list).is_empty());
}
