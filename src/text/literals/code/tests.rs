//! Pieces of code that are the same, and such that are not.

use super::*;

fn differ(a: &str, b: &str) -> bool {
    let (a, b) = (Code::from_text(a), Code::from_text(b));
    assert_eq!(a.differ(&b).is_some(), b.differ(&a).is_some());
    assert_eq!(a.differ(&a), None);
    a.differ(&b).is_some()
}

#[test]
fn signs_of_code_decide() {
    for (a, b) in [
        ("rm -rf ./dist", "rm -rf /dist"),
        ("build/cache", "build-cache"),
        ("`feature/login`", "`feature-login`"),
        ("GET /users/me", "GET /users-me"),
        ("port 80:8080", "port 80-8080"),
        ("2026-03-04", "2026/03/04"),
        ("pass -v", "pass --v"),
        ("Match [abc]", "Match [^abc]"),
        ("Match (?=x)", "Match (?!x)"),
        ("Match `(abc)`", "Match `[abc]`"),
        ("Match .*?", "Match .*"),
        ("Match a*", "Match a+"),
        ("Match ^a", "Match a$"),
        ("Return []", "Return {}"),
        ("Return () now", "Return [] now"),
        ("<b>", "</b>"),
        ("HEAD^", "HEAD~"),
        ("x := 1", "x = 1"),
        ("Pass $@", "Pass $*"),
        ("Quote it with '", "Quote it with \""),
        ("Split at ; there", "Split at , there"),
        ("Take √2", "Take 2"),
        ("Type a-> b", "Type a<- b"),
        ("Open ./x", "Open x"),
        ("`src/`, `src/gen/`", "`src/gen/`"),
        ("\\n", "\\t"),
    ] {
        assert!(differ(a, b), "{a:?} {b:?}");
    }
}

#[test]
fn signs_of_prose_do_not() {
    for (a, b) in [
        ("HTTP/the panel", "HTTP and the panel"),
        ("cascades/constraints", "cascades or constraints"),
        ("red/green/blue", "red, green and blue"),
        ("Check it – now", "Check it - now"),
        ("Check it!", "Check it"),
        ("x ≥ 3", "x >= 3"),
        ("(see below)", "see below"),
        ("Use `sum()` here", "Use sum() here."),
        ("Edit `src/main.rs`, then", "Edit src/main.rs then"),
        ("Say \"yes\"", "Say yes."),
        ("50% of $5, at 3.5 or 1,000", "half"),
        ("file(s) e.g. U.S. and/or", "files"),
        ("✅ Done", "Done"),
        ("well-known", "well known"),
        ("users' and don't", "users and do not"),
        ("this, that;other", "this that other"),
        ("使用`a.b`，然后", "使用 a.b 然后"),
        ("Attention : go", "Attention: go"),
        ("a | b", "a b"),
    ] {
        assert!(!differ(a, b), "{a:?} {b:?}");
    }
}

#[test]
fn a_literal_is_said_by_pieces_of_its_own() {
    let says = |text: &str, literal: &str| Code::from_text(text).says(literal);
    assert!(says("Run git commit --amend now", "git commit --amend"));
    assert!(says("Edit src/ first", "src"));
    assert!(says("Use UTF-8", "utf"));
    assert!(says("Split at ;", ";"));
    assert!(!says("Edit src/gen/ first", "src/"));
    assert!(!says("Use build-cache", "build/cache"));
    assert!(!says("rm -rf /dist", "./dist"));
}
