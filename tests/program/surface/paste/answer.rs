//! Compares an answer with the printed one: parts that differ each time are masked, and `…` matches anything.

/// The parts of an answer that differ each time, by their beginning; the rest of the word is masked.
const RANDOM: [&str; 4] = ["d_", "r_", "feedback:", "retrieval=r_"];

/// Gives the first line that is not as printed.
pub(crate) fn difference(wanted: &str, told: &str) -> Option<String> {
    let wanted: Vec<String> = wanted.lines().map(masked).collect();
    let told: Vec<String> = told.trim().lines().map(masked).collect();
    let mut at = 0;
    let mut skips = false;
    for line in &wanted {
        if line == "…" {
            skips = true;
            continue;
        }
        let found = told[at..].iter().position(|told| meets(line, told));
        match found {
            Some(0) => at += 1,
            Some(behind) if skips => at += behind + 1,
            _ => {
                let instead = told.get(at).map_or("nothing", String::as_str);
                return Some(format!("`{line}` is printed, `{instead}` was said"));
            }
        }
        skips = false;
    }
    let rest = told.get(at).filter(|_| !skips)?;
    Some(format!("`{rest}` was said and is not printed"))
}

fn meets(wanted: &str, told: &str) -> bool {
    match wanted.split_once('…') {
        Some((front, back)) => {
            told.len() >= front.len() + back.len()
                && told.starts_with(front)
                && told.ends_with(back)
        }
        None => wanted == told,
    }
}

/// A line without times, random ids and blanks at its end.
fn masked(line: &str) -> String {
    let mut masked = String::new();
    for piece in line.trim_end().split_inclusive(' ') {
        let word = piece.trim_end();
        let is_random = |rest: &str| {
            let rest = rest.trim_end_matches(['>', '…']);
            rest.len() >= 4 && rest.chars().all(|c| c.is_ascii_hexdigit())
        };
        let random = RANDOM
            .iter()
            .find(|start| word.strip_prefix(**start).is_some_and(is_random));
        match random {
            Some(start) => masked.push_str(&format!("{start}*")),
            None if is_time(word) => masked.push_str("<time>"),
            None => masked.push_str(word),
        }
        masked.push_str(&piece[word.len()..]);
    }
    masked
}

/// A date, a time of day, or both in one word.
fn is_time(word: &str) -> bool {
    let is_made_of = |marks: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word
                .chars()
                .all(|c| c.is_ascii_digit() || marks.contains(c))
    };
    let marks = |mark: char| word.matches(mark).count();
    (is_made_of("-") && word.len() == 10 && marks('-') == 2)
        || (is_made_of(":") && word.len() == 5 && marks(':') == 1)
        || (is_made_of("-:.TZ") && word.len() >= 20 && word.contains('T'))
}

#[test]
fn an_answer_is_compared_line_by_line() {
    let same = [
        ("a\nb", "a\nb\n"),
        ("a\n…\nd", "a\nb\nc\nd"),
        ("a\n…", "a\nb"),
        ("at … ms", "at 12 ms"),
        ("r_0123 x", "r_fedc x"),
        ("<m retrieval=r_0123>", "<m retrieval=r_fedc>"),
        ("2026-11-21 11:02  x", "2027-01-01 00:00  x"),
        ("2026-11-21T11:02:58.115Z", "2027-01-01T00:00:00.000Z"),
    ];
    for (wanted, told) in same {
        assert_eq!(difference(wanted, told), None, "{wanted:?} {told:?}");
    }
    for (wanted, told) in [
        ("a", "b"),
        ("a\nb", "a"),
        ("a", "a\nb"),
        ("a\n…\nd", "a\nb"),
        ("r_0123", "b_0123"),
    ] {
        assert!(difference(wanted, told).is_some(), "{wanted:?} {told:?}");
    }
}
