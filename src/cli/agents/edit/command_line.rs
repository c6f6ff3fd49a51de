//! The command line of a hook: found among those of others, and pointed to this program without losing a person's
//! additions.

use std::ops::Range;

use crate::agents::pieces::NAME;

/// Whether a command line calls our hook, however the program is called in it.
pub(super) fn is_own(line: &str) -> bool {
    own_words(line).is_some()
}

/// A command line of ours with the program and the event of another; a person's text before and after them stays, such
/// as a variable or another limit of time.
pub(super) fn led_to(line: &str, wanted: &str) -> String {
    let (Some((program, event)), Some((new_program, new_event))) =
        (own_words(line), own_words(wanted))
    else {
        return wanted.to_owned();
    };
    let (Some(event), Some(new_event)) = (event, new_event) else {
        return wanted.to_owned();
    };
    [
        &line[..program.start],
        &wanted[new_program],
        &line[program.end..event.start],
        &wanted[new_event],
        &line[event.end..],
    ]
    .concat()
}

/// Names and values of variables.
pub(in crate::agents) type Variables = Vec<(String, String)>;

/// The variables before the program in a command line of ours, and the words after it, both without quotes.
pub(in crate::agents) fn call_of(line: &str) -> Option<(Variables, Vec<String>)> {
    let (program, _) = own_words(line)?;
    let words = words(line).into_iter();
    let (before, after): (Vec<_>, Vec<_>) = words
        .filter(|word| *word != program)
        .partition(|word| word.start < program.start);
    let plain = |word: Range<usize>| unquoted(&line[word]);
    let variables = before.into_iter().filter_map(|word| {
        let (name, value) = line[word].split_once('=')?;
        let is_name = |sign: char| sign == '_' || sign.is_ascii_alphanumeric();
        name.chars()
            .all(is_name)
            .then(|| (name.to_owned(), unquoted(value)))
    });
    Some((variables.collect(), after.into_iter().map(plain).collect()))
}

/// A word as a shell hands it to a program.
fn unquoted(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    let mut quote = None;
    let mut is_escaped = false;
    for sign in word.chars() {
        match quote {
            _ if is_escaped => plain.push(sign),
            Some(open) if sign == open => quote = None,
            None if matches!(sign, '\'' | '"') => quote = Some(sign),
            _ if sign == '\\' && quote != Some('\'') => {}
            _ => plain.push(sign),
        }
        is_escaped = sign == '\\' && quote != Some('\'') && !is_escaped;
    }
    plain
}

/// Where the program and the event are in a command line of ours.
fn own_words(line: &str) -> Option<(Range<usize>, Option<Range<usize>>)> {
    let words = words(line);
    let at = words.windows(2).position(|pair| {
        line[pair[0].clone()].contains(NAME) && &line[pair[1].clone()] == "hook"
    })?;
    Some((words[at].clone(), words.get(at + 2).cloned()))
}

/// The words of a command line as a shell parts them, with their quotes.
fn words(line: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut begin = None;
    let mut quote = None;
    let mut is_escaped = false;
    for (at, sign) in line.char_indices() {
        if quote.is_none() && !is_escaped && sign.is_whitespace() {
            words.extend(begin.take().map(|begin| begin..at));
            continue;
        }
        begin = begin.or(Some(at));
        match quote {
            _ if is_escaped => {}
            Some(open) if sign == open => quote = None,
            None if matches!(sign, '\'' | '"') => quote = Some(sign),
            _ => {}
        }
        is_escaped = sign == '\\' && quote != Some('\'') && !is_escaped;
    }
    words.extend(begin.map(|begin| begin..line.len()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_calls_this_program_and_keeps_what_a_person_added() {
        let wanted = "'/opt/my tools/hindlore' hook Stop --timeout-ms 3000";
        for (line, expected) in [
            (
                "hindlore hook Stop --timeout-ms 9000",
                "'/opt/my tools/hindlore' hook Stop --timeout-ms 9000",
            ),
            (
                "HINDLORE_SCOPE=x nice '/a b/hindlore' hook Stop",
                "HINDLORE_SCOPE=x nice '/opt/my tools/hindlore' hook Stop",
            ),
            (
                "'/it'\\''s/hindlore'  hook  Other",
                "'/opt/my tools/hindlore'  hook  Stop",
            ),
            ("hindlore hook", wanted),
        ] {
            assert!(is_own(line), "{line}");
            assert_eq!(led_to(line, wanted), expected);
        }
        for line in [
            "./check.sh",
            "echo 'hindlore hook ran'",
            "hindlore serve",
            "git hook run",
        ] {
            assert!(!is_own(line), "{line}");
        }
    }
}
