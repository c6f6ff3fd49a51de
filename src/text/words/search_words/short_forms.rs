//! Short forms under which people look for ids and numbers: the first digits of a commit, and a number without the
//! marks of its thousands.

/// Digits of a short commit, as git abbreviates it.
const COMMIT_DIGITS: usize = 7;
/// Digits of the longest commit.
const COMMIT_MAX: usize = 40;

/// Returns the short form of a word in lower case; absent for a word that has none.
pub(super) fn short_form(word: &str) -> Option<String> {
    without_thousands(word).or_else(|| short_commit(word))
}

/// `1.200` is `1200` to a reader of German; of `1.2` or `1.20` nothing is left out.
fn without_thousands(word: &str) -> Option<String> {
    let mut groups = word.split('.');
    let first = groups.next()?;
    let is_digits = |group: &str| group.bytes().all(|b| b.is_ascii_digit());
    let starts = (1..=3).contains(&first.len()) && is_digits(first) && first != "0";
    let is_whole = word.contains('.') && starts && groups.all(|g| g.len() == 3 && is_digits(g));
    is_whole.then(|| word.replace('.', ""))
}

/// `3f2a9c1b77d0` is also `3f2a9c1`. A word of letters or of digits alone is no commit.
fn short_commit(word: &str) -> Option<String> {
    let is_long = (COMMIT_DIGITS..=COMMIT_MAX).contains(&word.len());
    let is_hex = is_long
        && word
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'a'..=b'f'));
    let is_mixed = word.contains(|c: char| c.is_ascii_digit())
        && word.contains(|c: char| c.is_ascii_alphabetic());
    (is_hex && is_mixed).then(|| word[..COMMIT_DIGITS].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_and_thousands_have_a_short_form() {
        for (word, short) in [
            ("3f2a9c1b77d0", Some("3f2a9c1")),
            ("3f2a9c1", Some("3f2a9c1")),
            ("1.200", Some("1200")),
            ("10.000.000", Some("10000000")),
            ("1.2", None),
            ("1.20", None),
            ("0.125", None),
            ("1.2000", None),
            ("1200", None),
            ("deadbeef", None),
            ("20240501", None),
            ("x86_64", None),
        ] {
            assert_eq!(short_form(word).as_deref(), short, "{word}");
        }
    }
}
