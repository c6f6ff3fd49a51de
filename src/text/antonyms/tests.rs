//! Tests of opposites.

use super::*;

fn opposed(a: &str, b: &str) -> bool {
    let table = Antonyms::standard();
    let (a, b) = (Stems::from_text(a), Stems::from_text(b));
    assert_eq!(
        table.opposed(&a, &b).is_some(),
        table.opposed(&b, &a).is_some()
    );
    table.opposed(&a, &b).is_some()
}

#[test]
fn every_pair_opposes_its_sides_and_no_side_itself() {
    for (left, right) in PAIRS {
        if Kind::of(left, right) != Kind::Always {
            continue;
        }
        assert!(
            opposed(&format!("the {left} case"), &format!("the {right} case")),
            "{left}"
        );
        assert!(
            !opposed(left, left) && !opposed(right, right),
            "{left} / {right}"
        );
    }
}

#[test]
fn inflections_oppose() {
    for (a, b) in [
        ("adding a key", "removed a key"),
        ("it was enabled", "disabling it"),
        ("wrote to disk", "reads from disk"),
        ("Log in now", "log out now"),
    ] {
        assert!(opposed(a, b), "{a:?} {b:?}");
    }
}

#[test]
fn nouns_of_the_trade_are_no_opposites() {
    for (a, b) in [
        (
            "Encrypt the response of imports when the server is busy",
            "Compress the request of login when the server is busy",
        ),
        (
            "Flush the address of exports",
            "Flush the address of imports",
        ),
        (
            "Retry the import from the backup",
            "Retry the export from the backup",
        ),
        (
            "Log each request of the proxy",
            "Log each response of the proxy",
        ),
        ("Validate the input", "Validate the output"),
        (
            "The client checks the version",
            "The server checks the version",
        ),
        (
            "Cache reads for ten minutes",
            "Cache writes for ten minutes",
        ),
        ("Limit uploads to 5 MB", "Limit downloads to 5 MB"),
        ("Test the parent process", "Test the child process"),
        ("Escape the row", "Escape the column"),
        ("Trace the producer", "Trace the consumer"),
        ("Monitor the primary", "Monitor the replica"),
    ] {
        assert!(!opposed(a, b), "{a:?} {b:?}");
    }
    for (a, b) in [
        ("Import the file first", "Export the file first"),
        ("Always push before lunch", "Always pull before lunch"),
        ("The job reads the queue", "The job writes the queue"),
        ("Never upload logs", "Never download logs"),
        (
            "Copy from the client to the server",
            "Copy from the server to the client",
        ),
    ] {
        assert!(opposed(a, b), "{a:?} {b:?}");
    }
}

#[test]
fn an_opposite_counts_only_where_the_rest_agrees() {
    for (a, b) in [
        (
            "Sign the success before uploads in the staging area",
            "Sign the suffix after exports in the staging area",
        ),
        (
            "Index the lock of the old page",
            "Index the evening of the unlock",
        ),
        ("The user hates long answers", "Keep answers short"),
        (
            "Log the upgrade of the driver",
            "Log the downgrade of the driver",
        ),
        ("Measure each login", "Measure each logout"),
        ("Test for the encoding", "Test for the decoding"),
    ] {
        assert!(!opposed(a, b), "{a:?} {b:?}");
    }
    for (a, b) in [
        ("Sign it before uploads", "Sign it after uploads"),
        ("Lock the public page first", "Unlock the public page last"),
        ("Always lock the old page", "Never lock the page"),
        ("Backups: encrypt them", "Backups: decrypt them"),
        ("The job compresses logs", "The job decompresses logs"),
        (
            "Upgrade the driver at night",
            "Downgrade the driver at night",
        ),
    ] {
        assert!(opposed(a, b), "{a:?} {b:?}");
    }
}

#[test]
fn both_sides_in_both_texts_oppose_only_in_another_order() {
    assert!(!opposed("first and last", "the first, the last"));
    assert!(opposed("from left to right", "from right to left"));
    assert!(!opposed("go with it without a test", "go without a test"));
    assert!(!opposed("read the address", "remove the address"));
}

#[test]
fn a_table_of_ones_own_replaces_the_shipped_one() {
    let table = Antonyms::new([("rot", "grün"), ("最大", "最小"), ("", "x")]);
    let opposed = |a, b| {
        table
            .opposed(&Stems::from_text(a), &Stems::from_text(b))
            .is_some()
    };
    assert!(opposed("Licht Rot", "Licht grün") && opposed("取最大值", "取最小值"));
    assert!(!opposed("first", "last"));
}
