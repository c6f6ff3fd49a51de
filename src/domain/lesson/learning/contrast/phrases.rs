//! Phrases of tools, by their meaning for a lesson; all patterns are in lower case, as is the text that they match.
//!
//! The one place of lessons with patterns: a tool's message varies in its middle, and a list of words would either miss
//! that or match far too much.

use std::sync::LazyLock;

use regex::Regex;

/// A pattern that was read once; a test reads each of them.
type Phrase = LazyLock<Option<Regex>>;

/// Lines that only report an earlier failure.
pub(super) static SUMMARY: Phrase = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        ^( make(\[\d+\])?:\ \*\*\* | (npm|yarn|pnpm)\ (err!|error)\ (code|errno|path|command|a\ complete|lifecycle) |
           error:\ (command|process|recipe|script|task)\ .*(exit|exited|failed) |
           error\ command\ failed | command\ (failed|exited) | process\ (exited|completed|finished) |
           ninja:\ build\ stopped | build\ failed | traceback\ \( | subprocess )",
    )
    .ok()
});

/// Lines and marks of a harness: headers, tags, colours.
static HARNESS: Phrase = LazyLock::new(|| {
    Regex::new(r"\x1b\[[0-9;?]*[A-Za-z]|</?(tool_use_error|tool_error|tool_result|error|stderr|stdout|output|system-reminder|returncode|result|exception|local-command-std\w+)>").ok()
});

/// Lines that hold nothing but a header or a code.
pub(super) static BARE: Phrase = LazyLock::new(|| {
    Regex::new(
        r"(?x)^[\s\W]*
        ( (std)?(err|out)(or)?s? | output | fail(ed|ure)? | exception | fatal | warning | result | tool\ (error|failed) |
          an?\ error\ occurred | unknown\ error | (command|process|script|tool)?\ ?(failed|error(ed)?) |
          ((command|process|script|program|it|error)\ )?(:\ )?
          ( ((failed|exited|terminated|returned|finished|completed|ended)\ )?(with\ )?(a\ )?(non-?zero\ )?
            (exit|return|error)[\ _-]?(status|code|value)?[\s:=]*-?\d+
          | (failed|exited|terminated|returned|finished|completed|ended)\ (with\ )?(status|code)?[\s:=]*-?\d+
          | code[\s:=]*-?\d+ ) )
        [\s\W]*$",
    )
    .ok()
});

/// There is no such program or sub-command, or it is out of date.
pub(super) static NO_SUCH_PROGRAM: Phrase = LazyLock::new(|| {
    Regex::new(
        r"command not found|not found$|: not found|not recogni[sz]ed as|no such file or directory|cannot be started|not installed|unknown command|no such command|is not a .{0,20}command|executable .{0,40}not found|enoent|missing script|unknown shorthand|invalid choice|unrecogni[sz]ed (command|subcommand)|no longer|deprecated|has been removed|no module named|externally-managed|instead",
    )
    .ok()
});

/// A person stopped it.
pub(super) static INTERRUPT: Phrase = LazyLock::new(|| {
    pattern(
        r"\binterrupted\b|keyboardinterrupt|\bsignal[: ]+(2|15)\b|\bsig(int|term|hup)\b|\^c\b|exit code:? 130\b|
        \bcancell?ed by (the )?user\b|user (rejected|declined|cancell?ed|aborted|interrupted|stopped)|
        doesn't want to (proceed|take)|operation was aborted|request (was )?(aborted|cancell?ed)|\baborterror\b|
        requires? approval|haven't granted|rejected by (the )?user|permission to use .* has been denied",
    )
});

/// The user's code is at fault: a failed assertion, a diagnostic, an exception.
pub(super) static CODE_AT_FAULT: Phrase = LazyLock::new(|| {
    pattern(
        r"assert|\b\d+ (tests? )?(failed|failures?|failing|errors?)\b|test result: failed|tests? failed|\bfailed tests?\b|
        ^\s*(failed|fail:?|---\ fail:?|✕|✗|×)\s|panicked at|error\[e\d+\]|error ts\d+|\bts\d{4}\b|: error: |
        syntaxerror|indentationerror|nameerror|typeerror|attributeerror|keyerror|valueerror|indexerror|zerodivision|
        referenceerror|nullpointer|segmentation fault|compilation (failed|error)|could not compile|
        syntax error|expected .* (but|found|received|got|to (be|equal))|mismatched types|undefined (reference|symbol|variable)|
        undeclared|cannot find (symbol|name|value|type|function)|is not (defined|assignable)|lint|problems? \(|
        traceback|exception in thread|stack ?trace|unused (variable|import)",
    )
});

/// The tool was used wrongly or is not set up: a lesson, whichever program runs the code.
pub(super) static USE_AT_FAULT: Phrase = LazyLock::new(|| {
    pattern(
        r"command not found|not recogni[sz]ed as|no such (file|command|option|subcommand)|usage:|\bunknown (option|flag|argument|command|arg)|
        unrecogni[sz]ed|unexpected argument|invalid (option|argument|choice|flag)|did you mean|missing script|no module named|
        modulenotfounderror|cannot find module|could not find|not installed|permission denied|access denied|required (option|argument|flag)|
        \brequires?\b|must be run|\bmust\b|address already in use|no rule to make target|not a (git|valid|directory)|please run|
        try (running|using|`|')|instead|no such target|please install|externally-managed|unsupported|deprecated|
        can't cd|can't open|cannot open|out of memory|no space left|connection refused|please specify|no tests? (ran|found|collected)",
    )
});

/// The network or a remote service was unavailable: true today, and nothing that can be done otherwise.
pub(super) static WAY_CLOSED: Phrase = LazyLock::new(|| {
    pattern(
        r"timed out|\btimeout\b|could not resolve|couldn't resolve|name or service not known|getaddrinfo|\benotfound\b|\beai_again\b|
        network is unreachable|no route to host|connection ?(reset|closed|aborted|timed)|connectionrefused|econnreset|failedtoopensocket|
        temporar(y|ily) (failure|unavailable)|service unavailable|bad gateway|status code (403|404|429|5\d\d)|
        returned error: (403|404|429|5\d\d)|rate limit|too many requests|overloaded|socket hang up",
    )
});

/// The requested object does not exist.
pub(super) static ABSENT_FILE: Phrase = LazyLock::new(|| {
    pattern(
        r"no such file|does not exist|doesn't exist|cannot access|no matches found|cannot find the (path|file)|file not found|not a directory",
    )
});

/// An exception of the code that was run, not of the program that runs it.
pub(super) static EXCEPTION: Phrase = LazyLock::new(|| {
    pattern(
        r"traceback \(most recent|(^|\n)\s*([a-z_]\w*\.)*[a-z_]\w*(error|exception)(: |\n|$)|\n\s+at \S+ ?\(|panicked at",
    )
});

/// A number that the tool itself sets, not one that it worked out for this request.
pub(super) static LIMIT: Phrase = LazyLock::new(|| {
    pattern(
        r"\bmax(imum)?\b|\bmin(imum)?\b|at most|at least|\blimit|between|\brange\b|up to|exceed|allowed|must be|greater than|less than|
        larger|smaller|\bone of\b|too (large|big|long|high|small|many|short|low)|[<>]=?|supported|expected",
    )
});

/// A service knows no such record, or it has no place left: about this request's values alone.
pub(super) static ABSENT_RECORD: Phrase = LazyLock::new(|| {
    pattern(
        r"\bnot found\b|does not exist|doesn't exist|no such (user|order|record|item|customer|account|product|reservation|entity|row)|
        not available|unavailable|sold out|not enough|insufficient (funds|balance|stock)|out of stock|no results|already (taken|booked|exists)|
        \b404\b|unknown (user|order|customer|account|id)",
    )
});

fn pattern(text: &str) -> Option<Regex> {
    // Written over several lines for the eye; the breaks are no part of it.
    let flat: String = text.lines().map(str::trim_start).collect();
    Regex::new(&flat).ok()
}

/// Returns true if a pattern, which is in lower case, is found in a text.
pub(super) fn says(pattern: &Phrase, text: &str) -> bool {
    pattern
        .as_ref()
        .is_some_and(|pattern| pattern.is_match(&text.to_lowercase()))
}

/// A text without the marks of a harness.
pub(super) fn without_marks(text: &str) -> String {
    match HARNESS.as_ref() {
        Some(marks) => marks.replace_all(text, "").into_owned(),
        None => text.to_owned(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns true if a text fits a pattern of a table of tests.
    pub(in super::super) fn fits(pattern: &str, text: &str) -> bool {
        Regex::new(pattern).unwrap().is_match(text)
    }

    #[test]
    fn every_pattern_can_be_read() {
        for pattern in [
            &INTERRUPT,
            &WAY_CLOSED,
            &ABSENT_FILE,
            &EXCEPTION,
            &LIMIT,
            &CODE_AT_FAULT,
            &USE_AT_FAULT,
            &ABSENT_RECORD,
            &BARE,
            &HARNESS,
            &SUMMARY,
            &NO_SUCH_PROGRAM,
        ] {
            assert!(pattern.is_some());
        }
    }
}
