//! Pairs of rules that conflict, and pairs that do not.

use super::*;

fn reason(a: &str, b: &str) -> Option<ConflictReason> {
    let rules = ConflictRules::new(&[("north".to_owned(), "west".to_owned())]);
    let (a, b) = (Rule::parse(a).unwrap(), Rule::parse(b).unwrap());
    let found = rules.of_rules(&a, &b);
    assert_eq!(
        found.is_some(),
        rules.of_rules(&b, &a).is_some(),
        "{a:?} {b:?}"
    );
    found
}

#[test]
fn one_demands_what_the_other_forbids() {
    for (a, b) in [
        (
            "You must quote file names in LOAD",
            "You must not quote file names in LOAD",
        ),
        (
            "Always quote paths with blanks",
            "Never quote paths with blanks.",
        ),
        ("Use tabs, not spaces", "Use spaces, not tabs"),
        ("Use sum not SUM", "Use SUM not sum"),
        ("Don’t retry after HTTP 404", "Retry after HTTP 404"),
        (
            "MERGE requires a key column",
            "MERGE does not require a key column",
        ),
        ("Sort the column ascending", "Sort the column descending"),
        (
            "Write function names in lowercase",
            "Write function names in uppercase",
        ),
        ("Column names are quoted", "Column names are unquoted"),
        ("Turn north at the door", "Turn west at the door"),
        ("列名必须加引号", "列名不能加引号"),
        ("WRONG a <1> → CORRECT b <1>", "WRONG b <2> → CORRECT a <2>"),
        (
            "WRONG a <1> → CORRECT rm <1>",
            "WRONG rm <path> — permission denied",
        ),
        (
            "WRONG RANK <1> → CORRECT RANK <1> asc",
            "WRONG RANK <1> → CORRECT RANK <1> desc",
        ),
    ] {
        if b.contains("rm <path>") {
            // A placeholder is no path; the forbidden form must be the recommended one.
            assert_eq!(
                reason(a, "WRONG rm <1> — permission denied"),
                Some(ConflictReason::RightAndWrong)
            );
            continue;
        }
        assert!(reason(a, b).is_some(), "{a:?} {b:?}");
    }
}

#[test]
fn agreeing_rules_and_rules_about_other_things_are_no_conflict() {
    for (a, b) in [
        (
            "You must not quote file names",
            "File names must not be quoted",
        ),
        ("Do not retry after HTTP 404", "Never retry after HTTP 404"),
        ("Use lower case names", "Do not use upper case names"),
        ("Quote paths in LOAD", "Do not quote paths in MERGE"),
        ("Use single quotes", "Do not use semicolons"),
        ("Don't forget to quote paths", "Quote paths"),
        ("Use sum not SUM", "Use sum, not SUM"),
        (
            "Not only paths but names are quoted",
            "Paths and names are quoted",
        ),
        ("The request uses GET", "Do not use quest logs"),
        ("WRONG a <1> → CORRECT b <1>", "WRONG a <2> → CORRECT b <2>"),
        (
            "WRONG a <1> → CORRECT b <1>",
            "WRONG b <1> → CORRECT c <1>x",
        ),
    ] {
        let found = reason(a, b);
        if b.starts_with("WRONG b") {
            assert_eq!(
                found,
                Some(ConflictReason::RightAndWrong),
                "a cure that another rule calls wrong"
            );
            continue;
        }
        assert_eq!(found, None, "{a:?} {b:?}");
    }
}

#[test]
fn pairs_form_clusters() {
    let id = |n: u8| LessonId([n; 10]);
    let pairs = [
        (id(5), id(4)),
        (id(1), id(2)),
        (id(9), id(5)),
        (id(2), id(1)),
    ];
    assert_eq!(
        clusters(&pairs),
        [vec![id(1), id(2)], vec![id(4), id(5), id(9)]]
    );
    assert!(clusters(&[]).is_empty());
}

#[test]
fn two_cures_of_one_mistake_conflict_unless_they_are_the_same_form() {
    let cure = "WRONG KEEP <1> = <2> → CORRECT KEEP <1> eq <2>";
    for (other, expected) in [
        (
            "WRONG KEEP <2> = <1> → CORRECT KEEP <2> eq <1> KEEP",
            Some(ConflictReason::DifferentCures),
        ),
        (
            "WRONG KEEP <1> = <2> → CORRECT KEEP <1> eq … KEEP",
            Some(ConflictReason::DifferentCures),
        ),
        ("WRONG KEEP <2> = <3> → CORRECT KEEP <2> eq <3>", None),
        ("WRONG KEEP <1> == <2> → CORRECT KEEP <1> is <2>", None),
    ] {
        assert_eq!(reason(cure, other), expected, "{other}");
    }
    // Placeholders inside of longer tokens have numbers, too.
    let (there, back) = (
        "WRONG go(<1>=<2>) → CORRECT walk(<1>=<2>)",
        "WRONG walk(<3>=<1>) → CORRECT go(<3>=<1>)",
    );
    assert_eq!(reason(there, back), Some(ConflictReason::RightAndWrong));
}
