//! Words whose case means something, and words whose case does not.

use super::*;

#[test]
fn prose_folds_and_code_keeps_its_case() {
    let table = [
        ("Check  The\nLog FIRST", "check the log first"),
        (
            "Pre-commit hooks, HTTP, UTF-8, READ-ONLY",
            "pre-commit hooks, http, utf-8, read-only",
        ),
        (
            "The APIs of E-mail. A file. I do",
            "the apis of e-mail. a file. i do",
        ),
        ("Use `-D` And \"Orders\"", "use `-D` and \"Orders\""),
        ("Run git branch -D Now", "run git branch -D now"),
        (
            "Call getUrl, Foo(), UserID Here",
            "call getUrl, Foo(), UserID here",
        ),
        (
            "Set MAX_SIZE, Config.json, /data/A, %H:%M",
            "set MAX_SIZE, Config.json, /data/A, %H:%M",
        ),
        ("Enter aB3x Or 0x1F", "enter aB3x or 0x1F"),
        (
            "Dose 5 Mg, 5 mW, 100MB, 3 Days, 9 AM",
            "dose 5 Mg, 5 mW, 100MB, 3 days, 9 am",
        ),
        ("Name the class List", "name the class List"),
        ("Read The Field Guide", "read the field guide"),
        ("Press G or Shift+G", "press G or Shift+G"),
        ("Send it to US, not to us", "send it to US, not to us"),
        ("Put it on the PATH", "put it on the PATH"),
        ("CHECK IT WITH US AND PATH", "check it with us and path"),
        ("E.g. This, U.S. law", "e.g. this, u.s. law"),
        ("Über İstanbul", "über i\u{307}stanbul"),
    ];
    for (text, expected) in table {
        assert_eq!(folded_prose(text), expected, "{text:?}");
    }
}

#[test]
fn folding_again_changes_nothing_and_forgets_no_more_than_lower_case() {
    let mut rng = fastrand::Rng::with_seed(7);
    let alphabet: Vec<char> = "aB1Ab-_./:`\"'( \n%ΣσéİẞK5mW".chars().collect();
    for _ in 0..5_000 {
        let length = rng.usize(0..30);
        let text: String = (0..length)
            .map(|_| alphabet[rng.usize(0..alphabet.len())])
            .collect();
        let folded = folded_prose(&text);
        assert_eq!(
            folded.to_lowercase(),
            folded_prose(&text.to_lowercase()).to_lowercase()
        );
        let plain: Vec<String> = text
            .to_lowercase()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        assert_eq!(folded.to_lowercase(), plain.join(" "), "{text:?}");
    }
}

#[test]
fn only_what_is_surely_meant_differs() {
    let differ = |a: &str, b: &str| {
        let (a, b) = (Spellings::from_text(a), Spellings::from_text(b));
        assert_eq!(a.differ(&b).is_some(), b.differ(&a).is_some());
        a.differ(&b).is_some()
    };
    for (a, b) in [
        ("git branch -d", "git branch -D"),
        ("the method getUrl()", "the method getURL()"),
        ("the class UserId", "the class UserID"),
        ("5 mW", "5 MW"),
        ("base64 YWJj", "base64 ywjj"),
        ("the variable PATH", "the variable path"),
        ("send it to US", "send it to us"),
        ("Use `Id`", "use `id`"),
        ("/data/A/x", "/data/a/x"),
        ("userName here", "username here"),
    ] {
        assert!(differ(a, b), "{a:?} {b:?}");
    }
    for (a, b) in [
        ("Push to GitHub", "push to Github"),
        ("Use JavaScript on macOS", "use javascript on MacOS"),
        ("Use SHA256", "use sha256"),
        ("Set Content-Type", "set content-type"),
        ("Choose Yes/No", "choose yes/no"),
        ("ALWAYS Do It", "always do it"),
        ("Wait 5 Seconds", "wait 5 seconds"),
        ("A file", "open a file"),
    ] {
        assert!(!differ(a, b), "{a:?} {b:?}");
    }
}
