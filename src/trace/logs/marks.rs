//! The forms of places and names that distinguish diagnostics from other lines.

/// True for an empty line and one that begins with a blank.
pub(super) fn is_blank_or_indented(line: &str) -> bool {
    line.is_empty() || line.starts_with([' ', '\t'])
}

/// The path of a diagnostic that begins with `path:line:` or `path:line:column:`, and the rest.
pub(super) fn place(line: &str) -> Option<(&str, &str)> {
    // A drive has a colon of its own.
    let skipped = if line.as_bytes().get(1) == Some(&b':') {
        2
    } else {
        0
    };
    let end = skipped + line.get(skipped..)?.find(':')?;
    let (path, mut rest) = (&line[..end], &line[end..]);
    let mut numbers = 0;
    while let Some((number, after)) = rest.strip_prefix(':').and_then(|rest| rest.split_once(':')) {
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        numbers += 1;
        rest = &rest[number.len() + 1..];
        debug_assert!(rest.ends_with(after));
        if numbers == 2 {
            break;
        }
    }
    let message = rest.strip_prefix(':')?.trim_start();
    let is_path =
        !path.is_empty() && !path.contains(['"', '<', '>', '|']) && path.contains(['.', '/', '\\']);
    (numbers > 0 && is_path).then_some((path, message))
}

/// True for letters and then digits, as TS2339, CS0103 or E501.
pub(super) fn is_code(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = word.len() - digits.len();
    (1..=5).contains(&letters)
        && (2..=6).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// True for a name such as `ValueError` or `java.io.IOException` with a message after it.
pub(crate) fn is_exception(line: &str) -> bool {
    let Some((name, message)) = line.split_once(':') else {
        return false;
    };
    let is_name = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '$'));
    let ends = ["Error", "Exception"]
        .iter()
        .any(|end| name.ends_with(end) && name.len() > end.len());
    is_name && ends && message.starts_with(' ')
}

/// The title in a ruled line, as `____ test_a ____`.
pub(super) fn ruled(line: &str, rule: char) -> Option<&str> {
    let inner = line.trim_matches(rule);
    let ruled = line.len() - inner.len();
    let title = inner.strip_prefix(' ')?.strip_suffix(' ')?;
    (ruled >= 6 && line.starts_with(rule) && line.ends_with(rule)).then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_paths_with_numbers() {
        for (line, found) in [
            ("src/a.c:4:10: error: x", Some(("src/a.c", "error: x"))),
            ("A.java:12: error: y", Some(("A.java", "error: y"))),
            (
                "C:\\w\\a.c:1:2: fatal error: z",
                Some(("C:\\w\\a.c", "fatal error: z")),
            ),
            (
                "./main.go:5:2: undefined: x",
                Some(("./main.go", "undefined: x")),
            ),
            ("12:30:01: error", None),
            ("http://localhost:80: x", None),
            ("make: *** [a.o] Error 1", None),
            ("note: a.c", None),
            ("", None),
        ] {
            assert_eq!(place(line), found, "{line}");
        }
    }

    #[test]
    fn codes_exceptions_and_rules_are_told() {
        assert!(
            ["TS2339", "CS0103", "E501", "LNK2019"]
                .iter()
                .all(|word| is_code(word))
        );
        assert!(
            ["", "TS", "2339", "Error", "x12"]
                .iter()
                .all(|word| !is_code(word))
        );
        assert!(is_exception("ValueError: x") && is_exception("java.io.IOException: x"));
        assert!(!is_exception("Error: x") && !is_exception("two words Error: x"));
        assert_eq!(ruled("____ test_a ____", '_'), Some("test_a"));
        assert_eq!(ruled("__ a", '_'), None);
    }
}
