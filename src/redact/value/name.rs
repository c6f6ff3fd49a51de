//! Whether a name announces a secret value.
//!
//! A name is read as words (`dbPassword`, `DB_PASSWORD` and `db-password` are the same two), and the last words decide:
//! a name that ends in `id`, `file` or `count` is about a secret and is none.

use std::sync::LazyLock;

use super::lists;

/// How clearly a name announces a secret, and so how weak the requirements on the value are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Says {
    /// A number that people are given: only digits are one.
    Pin,
    /// A key of some sort: only a value that looks drawn by chance is one.
    Key,
    /// A token, a secret, a key to an interface.
    Secret,
    /// A password.
    Password,
}

/// The longest name that is read, in bytes.
const NAME_MAX: usize = 96;
/// Words of a name that are read, the last ones.
const WORDS_MAX: usize = 6;

/// The announcement of a name; nothing for most names.
pub(crate) fn says(name: &[u8]) -> Option<Says> {
    if name.len() > NAME_MAX || name.len() < 3 && name != b"pw" || !has_stem(name) {
        return None;
    }
    let words = words(name);
    let last = words.last()?.as_str();
    let before = words.len().checked_sub(2).map(|at| words[at].as_str());
    match (last, before) {
        ("id", Some("session" | "sess" | "sid")) => return Some(Says::Key),
        ("code" | "codes", Some("recovery" | "backup" | "rescue" | "scratch")) => {
            return Some(Says::Secret);
        }
        ("code", Some("otp" | "totp" | "mfa" | "verification" | "unlock" | "door" | "alarm")) => {
            return Some(Says::Pin);
        }
        ("seed", Some("otp" | "totp" | "mfa" | "wallet" | "hd" | "secret")) => {
            return Some(Says::Secret);
        }
        ("pin" | "puk", _) => return Some(Says::Pin),
        _ => {}
    }
    if lists::has("ends", last) {
        return None;
    }
    if lists::has("passwords", last)
        || ends_as(
            last,
            &["password", "passwd", "passphrase", "kennwort", "passwort"],
        )
    {
        return Some(Says::Password);
    }
    match (last, before) {
        ("pass" | "pw", Some(before))
            if !matches!(before, "by" | "first" | "second" | "full" | "one") =>
        {
            return Some(Says::Password);
        }
        ("pass" | "pw", None) => return Some(Says::Secret),
        ("phrase", Some("seed" | "pass" | "recovery" | "secret")) | ("code", Some("pass")) => {
            return Some(Says::Password);
        }
        ("word", Some("pass")) => return Some(Says::Password),
        ("token", Some(before)) if lists::has("other-tokens", before) => return None,
        ("key", Some(before)) => return of_key(before),
        ("key", None) => return None,
        ("signature" | "sig", _) => return Some(Says::Key),
        ("auth" | "authorization", _) => return Some(Says::Secret),
        ("webhook" | "signing", _) => return Some(Says::Key),
        (last, _) if lists::has("weak-names", last) => return Some(Says::Key),
        ("credentials" | "creds", _) => return Some(Says::Secret),
        _ => {}
    }
    let is_secret = lists::has("secrets", last)
        || ends_as(
            last,
            &[
                "secret",
                "token",
                "apikey",
                "secretkey",
                "accesskey",
                "privatekey",
                "accountkey",
            ],
        );
    is_secret.then_some(Says::Secret)
}

fn of_key(before: &str) -> Option<Says> {
    if lists::has("keys", before) || ends_as(before, &["api", "secret", "access", "auth"]) {
        return Some(Says::Secret);
    }
    (!lists::has("other-keys", before)).then_some(Says::Key)
}

fn ends_as(word: &str, ends: &[&str]) -> bool {
    ends.iter().any(|end| word.ends_with(end))
}

/// The stems by their first letter: most words are of none, and this is asked of each.
static STEMS: LazyLock<Vec<Vec<&'static [u8]>>> = LazyLock::new(|| {
    let mut by_first = vec![Vec::new(); 256];
    for stem in lists::all("stems").iter().map(|stem| stem.as_bytes()) {
        by_first[usize::from(stem[0])].push(stem);
    }
    by_first
});

fn has_stem(name: &[u8]) -> bool {
    let stems = &*STEMS;
    (0..name.len()).any(|at| {
        stems[usize::from(name[at].to_ascii_lowercase())]
            .iter()
            .any(|stem| {
                let part = name.get(at..at + stem.len());
                part.is_some_and(|part| part.eq_ignore_ascii_case(stem))
            })
    })
}

/// The last words of a name in lower case, numbers left out.
pub(crate) fn words(name: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, byte) in name.iter().enumerate() {
        if !byte.is_ascii_alphabetic() {
            // `password2` is a password, and `k8s` is one word all the same.
            if !byte.is_ascii_digit() {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            }
            continue;
        }
        let before = at.checked_sub(1).map(|at| name[at]);
        let behind = name.get(at + 1);
        let is_hump = byte.is_ascii_uppercase()
            && (before.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
                || before.is_some_and(|b| b.is_ascii_uppercase())
                    && behind.is_some_and(u8::is_ascii_lowercase));
        if is_hump && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.push(char::from(byte.to_ascii_lowercase()));
    }
    words.extend((!word.is_empty()).then_some(word));
    let first = words.len().saturating_sub(WORDS_MAX);
    words.split_off(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_of_a_name_decide() {
        use Says::{Key, Password, Secret};
        for (name, wanted) in [
            ("password", Some(Password)),
            ("dbPassword", Some(Password)),
            ("MYSQL_ROOT_PASSWORD", Some(Password)),
            ("spring.datasource.password", Some(Password)),
            ("password2", Some(Password)),
            ("new-password", Some(Password)),
            ("DB_PASS", Some(Password)),
            ("pass", Some(Secret)),
            ("token", Some(Secret)),
            ("GITHUB_TOKEN", Some(Secret)),
            ("clientSecret", Some(Secret)),
            ("X-Api-Key", Some(Secret)),
            ("APIKey", Some(Secret)),
            ("AWS_SECRET_ACCESS_KEY", Some(Secret)),
            ("AccountKey", Some(Secret)),
            ("_authToken", Some(Secret)),
            ("datadog_key", Some(Key)),
            ("sig", Some(Key)),
            ("password_file", None),
            ("secretName", None),
            ("token_type", None),
            ("max_tokens", None),
            ("tokens", None),
            ("next_token", None),
            ("public_key", None),
            ("primaryKey", None),
            ("key", None),
            ("keyboard", None),
            ("tokenizer", None),
            ("author", None),
            ("passed", None),
            ("compass", None),
            ("design", None),
            ("bypass", None),
        ] {
            assert_eq!(says(name.as_bytes()), wanted, "{name}");
        }
    }
}
