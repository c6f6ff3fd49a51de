//! Numbers with their nouns.

/// A number of things: `1 bullet`, `2 bullets`.
pub(crate) fn plural(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    let stem = noun.strip_suffix('y');
    match (
        count,
        stem.filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])),
    ) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_no_plural() {
        for (count, noun, said) in [
            (0, "bullet", "0 bullets"),
            (1, "bullet", "1 bullet"),
            (2, "memory", "2 memories"),
            (1, "memory", "1 memory"),
            (2, "takeaway", "2 takeaways"),
        ] {
            assert_eq!(plural(count, noun), said);
        }
    }
}
