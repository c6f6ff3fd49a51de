//! Pairs of alike texts, with the verdict of the guard.

use super::*;

/// The reason for a pair in both directions; they must agree in kind.
fn reason(a: &str, b: &str) -> Option<String> {
    let guard = MergeGuard::standard();
    let (a, b) = (guard.features(a), guard.features(b));
    let (there, back) = (guard.check(&a, &b), guard.check(&b, &a));
    let kind = |reason: &Option<GuardReason>| reason.as_ref().map(std::mem::discriminant);
    assert_eq!(kind(&there), kind(&back));
    assert_eq!(guard.check(&a, &a), None);
    there.map(|reason| reason.to_string())
}

#[test]
fn harmless_rewordings_pass() {
    for (a, b) in [
        (
            "Check the file exists before editing.",
            "Check that the file exists before editing it.",
        ),
        ("Never edit the lock file.", "Do not edit the lock file."),
        ("Don't edit it", "Don’t edit it"),
        ("You must not commit secrets.", "You cannot commit secrets."),
        (
            "Avoid editing files without a backup.",
            "Never edit files without backups.",
        ),
        ("Retry 3 times.", "Retry three times!"),
        ("Limit it to 1,000 rows.", "Limit it to 1000 rows"),
        ("Keep 10% free.", "Keep 10 percent free."),
        ("Wait five seconds.", "Wait for 5 s."),
        ("Use `sum()` here.", "Use sum() here."),
        ("Run git commit --amend.", "Run `git commit --amend`."),
        ("Edit `src/main.rs` now", "Edit src/main.rs now."),
        ("Use 'sum' here.", "Use “sum” here."),
        ("Push to GitHub.", "Push to Github."),
        ("ALWAYS check the file", "Always check the file."),
        (
            "Not only files but also folders count.",
            "Files but also folders count.",
        ),
        (
            "If tests fail, do not deploy.",
            "Do not deploy if tests fail.",
        ),
        (
            "Run cargo_check before editing main.rs.",
            "Before editing main.rs, run cargo_check.",
        ),
        (
            "Use 3 workers and 5 threads.",
            "Use 5 threads and 3 workers.",
        ),
        (
            "Sort from first to last.",
            "Sort from the first to the last.",
        ),
        (
            "The users' files and the user's file",
            "The users’ files and the user’s file",
        ),
        ("请检查不同的文件", "检查不同的文件"),
        ("⚠️ Check the file exists", "Check the file exists"),
        ("Go from a -> b", "Go from a → b"),
        ("Check it - then edit", "Check it, then edit"),
        ("", ""),
    ] {
        assert_eq!(reason(a, b), None, "{a:?} {b:?}");
    }
}

#[test]
fn a_negation_on_one_side_is_a_conflict() {
    for (a, b) in [
        ("Edit the lock file.", "Do not edit the lock file."),
        ("You can edit it.", "You can't edit it."),
        ("You can edit it.", "You can’t edit it."),
        (
            "Run it with tests. Log it. Ship it.",
            "Run it with tests. Never log it. Ship it.",
        ),
        ("It is used", "It is no longer used"),
        ("Use the cache", "Avoid the cache"),
        ("Keep using the cache", "Stop using the cache"),
        ("Use tabs, not spaces.", "Use spaces, not tabs."),
        ("Ändere die Datei", "Ändere die Datei nicht"),
        ("Modifiez le fichier", "Ne modifiez pas le fichier"),
        ("Измените файл", "Не измените файл"),
        ("修改文件", "不要修改文件"),
        ("変更する", "変更しない"),
        ("Allow empty names", "Allow non-empty names"),
    ] {
        let text = reason(a, b);
        assert_eq!(
            text.as_deref(),
            Some("one text is negated where the other is not"),
            "{a:?}"
        );
    }
}

/// Two texts, and the guard's reason.
#[rustfmt::skip]
const TOLD: &[(&str, &str, &str)] = &[
    ("Take the first entry.", "Take the last entry.", "opposites: first / last"),
    ("Always log in.", "Never log in.", "opposites: always / never"),
    ("Sort ascending", "Sort descending", "opposites: ascending / descending"),
    ("Move from left to right.", "Move from right to left.", "opposites: left / right"),
    ("Retry 3 times.", "Retry 5 times.", "different numbers: 3 times / 5 times"),
    ("Keep 10% free", "Keep 10 free", "different numbers: 10 % / 10"),
    ("Wait 5 ms", "Wait 5 s", "different numbers: 5 ms / 5 s"),
    ("Wait", "Wait 5 s", "different numbers: none / 5 s"),
    ("Use Python 3.1", "Use Python 3.10", "different numbers: 3.1 / 3.10"),
    ("Give 5 to it, 3 of it", "Give 3 to it, 5 of it", "different numbers: 5, 3 / 3, 5"),
    ("Split at \",\"", "Split at \";\"", "different quoted strings: , / ;"),
    ("Answer 'yes' now", "Answer 'done' now", "different quoted strings: yes / done"),
    ("Use max_size", "Use max_len", "different identifiers: max_size / max_len"),
    ("Use --fast", "Use --quick", "different identifiers: --fast / --quick"),
    ("Keep x == y", "Keep x != y", "different identifiers: == / !="),
    ("Call sum() on it", "Call avg() on it", "different identifiers: sum / avg"),
    ("Return JSON", "Return XML", "different identifiers: json / xml"),
    ("GET /v2/rows", "GET /v2/row", "different identifiers: /v2/rows / /v2/row"),
    ("Edit src/a.rs", "Edit src/b.rs", "different identifiers: src/a.rs / src/b.rs"),
    ("Use C++ here", "Use C# here", "different identifiers: c++ / c#"),
    ("Use userName", "Use user_name", "different identifiers: username / user_name"),
    ("Copy a.txt to b.txt", "Copy b.txt to a.txt", "different identifiers: a.txt, b.txt / b.txt, a.txt"),
    ("Work out 1/2 + 1/3", "Work out 1/2 - 1/3", "different signs: + / -"),
    ("Copy a → b", "Copy a <- b", "different signs: → / ←"),
    ("Mark the row ✅", "Mark the row ❌", "different signs: ✅ / ❌"),
    ("Read the visa rules", "Read the fare rules", "different words: visa / fare"),
    ("Close the ticket", "Close the old ticket", "different words: none / old"),
    ("Go from rest to work", "Go from work to rest", "words in each other's place: rest / work"),
];

#[test]
fn opposites_and_different_literals_are_told() {
    for (a, b, expected) in TOLD {
        assert_eq!(reason(a, b).as_deref(), Some(*expected), "{a:?} {b:?}");
    }
}

#[test]
fn claims_are_compared_whatever_the_wording() {
    let guard = MergeGuard::standard();
    let claims = |a, b| guard.check_claims(&guard.features(a), &guard.features(b));
    assert_eq!(claims("Read the visa rules", "Study the visa rules"), None);
    assert!(claims("Read the visa rules", "Do not read the visa rules").is_some());
}

#[test]
fn only_negation_and_antonyms_are_conflicts() {
    let difference = Difference {
        left: "3".into(),
        right: "5".into(),
    };
    let opposites = GuardReason::Antonyms {
        left: "first".into(),
        right: "last".into(),
    };
    assert!(GuardReason::Negation.is_conflict() && opposites.is_conflict());
    assert!(!GuardReason::Numbers(difference.clone()).is_conflict());
    assert!(!GuardReason::Quoted(difference.clone()).is_conflict());
    assert!(!GuardReason::Identifiers(difference.clone()).is_conflict());
    assert!(!GuardReason::Symbols(difference).is_conflict());
}

#[test]
fn the_digest_follows_the_tables() {
    let own = |left: &str| MergeGuard::with_antonyms(vec![(left.into(), "b".into())]).digest();
    assert_eq!(
        MergeGuard::standard().digest(),
        MergeGuard::standard().digest()
    );
    assert_eq!(own("a").len(), 64);
    assert!(own("a") != own("c") && own("a") != MergeGuard::standard().digest());
}

#[test]
fn features_of_any_text_are_taken() {
    let mut rng = fastrand::Rng::with_seed(3);
    let alphabet: Vec<char> = " 1a_.'\"`-/(<=不别ー\u{301}\u{FE0F}é%$,\n«AB"
        .chars()
        .collect();
    for _ in 0..3_000 {
        let length = rng.usize(0..40);
        let text: String = (0..length)
            .map(|_| alphabet[rng.usize(0..alphabet.len())])
            .collect();
        assert_eq!(reason(&text, &text), None, "{text:?}");
    }
}
