//! A command as one line, as a shell would read it.

use std::ffi::OsString;

/// Writes a command: words that a shell would change are quoted.
pub(super) fn written(command: &[OsString]) -> String {
    let words = command.iter().map(|word| quoted(&word.to_string_lossy()));
    words.collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:=,+@%^".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_signs_of_the_shell_are_quoted() {
        let command = ["grid", "--out=a.csv", "KEEP total > 3", "it's", ""];
        let command = command.map(OsString::from);
        assert_eq!(
            written(&command),
            r"grid --out=a.csv 'KEEP total > 3' 'it'\''s' ''"
        );
    }
}
