//! Whether the tool's own words name the right form of a rule.
//!
//! A pair of one run is a guess, and the suggestion of the tool is proof: it knows its own options and scripts. Only
//! words after a mark of advice count, since an error repeats the wrong form as well.

use crate::lesson::rule::Rule;

/// Lines after a mark of advice that belong to it.
const LINES_MAX: usize = 24;

/// Marks of advice (git, cargo, npm, pnpm, yarn, argparse, clap, click, cobra, commander, getopt, pip, kubectl, Docker).
#[rustfmt::skip]
const ADVICE: &[&str] = &[
    "did you mean", "do you mean", "you probably meant", "you might have meant", "perhaps you meant", "maybe you meant",
    "perhaps you want", "similar", "instead", "use ", "using ", "try ", "please run", "must run", "run ", "call ", "retry with",
    "usage:", "usage ", "available", "valid ", "supported", "choose from", "one of", "possible values", "allowed", "scripts:",
    "commands are", "options are", "to push", "suggest", "hint:", "tip:", "help:", "replaced by", "renamed to", "superseded by",
    "in favor of", "in favour of", "consider", "recommended", "expected", "must be", "must provide", "lifecycle scripts", "closest match",
];

/// Marks of advice whose subject is in front of them: "`b` instead", "/items must be a list".
const SUBJECT_FIRST: &[&str] = &["instead", "similar", "must be", "expected", "required"];

/// Words by which a tool asks for a variable.
const REQUIRED: &[&str] = &[
    "not set",
    "unset",
    "required",
    "missing",
    "must be set",
    "not defined",
    "undefined",
    "please set",
];

/// Returns true if the error names the words in which the right form of a rule differs from the wrong one, as advice; of
/// ``Before `X`, run `Y` `` the words of Y.
pub fn names_cure(rule: &Rule, error: &str) -> bool {
    let advised = advised_words(error);
    if let (Some(wrong), Some(correct)) = (rule.wrong(), rule.correct()) {
        let known = words(wrong);
        let own: Vec<String> = words(correct)
            .into_iter()
            .filter(|word| !known.contains(word))
            .collect();
        let has_key = |key: &str| known.iter().any(|word| word.split('=').next() == Some(key));
        let is_named = |word: &String| match word.split_once('=') {
            Some((key, value)) if has_key(key) => advised.iter().any(|one| one == value),
            Some((key, _)) => advised.iter().any(|one| one == key) || is_asked_for(key, error),
            None => advised.contains(word),
        };
        return !own.is_empty() && own.iter().all(is_named);
    }
    let Some((action, enabler)) = rule.preparation() else {
        return false;
    };
    let known = words(action);
    let plain = words(enabler)
        .into_iter()
        .filter(|word| !word.starts_with('-'));
    let own: Vec<String> = plain.filter(|word| !known.contains(word)).collect();
    let reported = words(error);
    // A sentence may begin with the name of a tool.
    let is_reported = |word: &String| reported.iter().any(|one| one.eq_ignore_ascii_case(word));
    !own.is_empty() && own.iter().all(is_reported)
}

/// The words after each mark of advice, up to the end of its paragraphs.
fn advised_words(error: &str) -> Vec<String> {
    let mut advised = Vec::new();
    let mut left = 0;
    for line in error.lines() {
        // Bytes stay where they are, so that the places of marks hold for the line itself.
        let lower = line.to_ascii_lowercase();
        let marks = ADVICE.iter().filter_map(|mark| lower.find(mark));
        // "No script `a`, use `b`": the words in front of the mark are the complaint; "`b` instead" has them there.
        let from = match marks.min().or_else(|| enumeration(line)) {
            Some(_) if SUBJECT_FIRST.iter().any(|mark| lower.contains(mark)) => Some(0),
            found => found,
        };
        match from {
            Some(at) => {
                left = LINES_MAX;
                advised.extend(words(&line[at..]));
            }
            None if left > 0 => {
                left -= 1;
                advised.extend(words(line));
            }
            None => {}
        }
    }
    advised
}

/// Where a line lists what there is: "unknown field 'qty'; fields: quantity, sku".
fn enumeration(line: &str) -> Option<usize> {
    let (at, _) = line.rmatch_indices(": ").next()?;
    line[at..].contains(", ").then_some(at)
}

/// The message asks for a variable by its name.
fn is_asked_for(variable: &str, error: &str) -> bool {
    let asks = |line: &str| {
        let lower = line.to_ascii_lowercase();
        words(line).iter().any(|word| word == variable)
            && REQUIRED.iter().any(|phrase| lower.contains(phrase))
    };
    error.lines().any(asks)
}

/// A placeholder.
fn is_open(word: &str) -> bool {
    word.starts_with('<') && word.ends_with('>')
}

/// The words of a form or a message, without quotes; placeholders and gaps left out.
fn words(text: &str) -> Vec<String> {
    let between = |c: char| {
        let quotes = matches!(c, '"' | '`' | '(' | ')' | '[' | ']' | '{' | '}');
        quotes || c.is_whitespace() || matches!(c, ',' | ';' | '|' | '?' | '&' | '…')
    };
    let all = text.split(between).map(|word| {
        let word = word.trim_matches(|c: char| matches!(c, '\'' | '.' | ':' | '?' | '!' | '/'));
        // Of `query=<1>` the value is open.
        match word.split_once('=') {
            Some((key, value)) => format!("{key}={}", value.trim_matches(['<', '>', '\''])),
            None => word.to_owned(),
        }
    });
    let kept = all.filter(|word| !word.is_empty() && !is_open(word));
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rustfmt::skip]
    const ADVISED: &[(&str, &str, bool)] = &[
        ("WRONG git brnach … → CORRECT git branch …", "git: 'brnach' is not a git command.\n\nThe most similar command is\n\tbranch", true),
        ("WRONG cargo test … --lbi … → CORRECT cargo test … --lib …", "error: unexpected argument '--lbi' found\n\n  tip: a similar argument exists: '--lib'", true),
        ("WRONG cargo test … --lbi … → CORRECT cargo test … --lib …", "error: unexpected argument '--lbi' found", false),
        ("WRONG git push → CORRECT git push --set-upstream origin <branch>", "fatal: The current branch x has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream origin x", true),
        ("WRONG git push → CORRECT git push --set-upstream origin <branch>", "fatal: The current branch x has no upstream branch.", false),
        ("WRONG npm test … → CORRECT npm run unit …", "npm error Missing script: \"test\"\nLifecycle scripts included in a:\n  unit\n    vitest run\navailable via `npm run`:\n  lint", true),
        ("WRONG npm test … → CORRECT npm run unit …", "npm error Missing script: \"test\"", false),
        ("WRONG yarn add … → CORRECT pnpm add …", "error This project wants pnpm. Use pnpm instead.", true),
        ("WRONG frob … --colour … → CORRECT frob … --color …", "usage: frob [--color WHEN] [--plain]", true),
        ("WRONG frob … --colour … → CORRECT frob … --plain …", "frob: no --plain without a tty: --colour", false),
        ("WRONG list(sort=newest …) → CORRECT list(sort=desc …)", "sort must be one of: asc, desc", true),
        ("WRONG refund(method=card …) → CORRECT refund(method=original …)", "Error: method must be 'original'", true),
        ("WRONG SubmitReport(items.items=…) → CORRECT SubmitReport(items=…)", "answer does not fit the schema: /items must be a list", true),
        ("WRONG refund(method=card …) → CORRECT refund(method=voucher …)", "Error: method must be 'original'", false),
        ("WRONG search(q=…) → CORRECT search(query=…)", "missing required property 'query'", true),
        ("WRONG search(q=…) → CORRECT search(query=…)", "unknown argument q", false),
        ("WRONG gh pr create → CORRECT gh pr create --fill", "must provide `--title` (or `--fill`) when not interactive", true),
        ("WRONG npm run e2e → CORRECT DATABASE_URL=<url> npm run e2e", "Error: DATABASE_URL is not set", true),
        ("WRONG npm run dev → CORRECT PORT=<num> npm run dev", "Error: listen EADDRINUSE: address already in use", false),
        ("WRONG python … → CORRECT python3 …", "Command 'python' not found, did you mean:\n  command 'python3' from deb python3", true),
        ("WRONG GET <1>?offset= … → CORRECT GET <1>?page= …", "unknown query parameter 'offset'; known: page, per_page", true),
        ("WRONG GET <1>?offset= … → CORRECT GET <1>?page= …", "unknown query parameter 'offset' near: page", false),
        ("WRONG POST <1> {\"qty\": <num>} → CORRECT POST <1> {\"quantity\": <num>}", "422 unknown field 'qty'; fields: quantity, sku", true),
        ("WRONG sed -i … → CORRECT sed …", "use sed", false),
        ("Before `Edit`, run `Read`", "File has not been read yet. Read it first before writing to it.", true),
        ("Before `PatchFile`, run `OpenFile`", "the file was not opened in this session: call OpenFile first", true),
        ("Before `terraform plan`, run `terraform init`", "Please run \"terraform init\"", true),
        ("Before `git push`, run `git pull --rebase`", "hint: use 'git pull' before pushing again", true),
        ("Before `python a.py`, run `pip install pandas`", "No module named 'pandas'", false),
        ("Before `Read`, run `Glob`", "File does not exist.", false),
        ("WRONG rm a — use rm -r", "use rm -r", false),
        ("Use lower case", "use lower case", false),
    ];

    #[test]
    fn the_tools_own_advice_is_recognised() {
        for (rule, error, expected) in ADVISED {
            let rule = Rule::parse(rule).unwrap();
            assert_eq!(names_cure(&rule, error), *expected, "{rule:?}: {error}");
        }
    }
}
