//! Phrases of tools, by their meaning for a lesson; all patterns are in lower case, as is the text that they match.
//!
//! The one place of lessons with patterns: a tool's message varies in its middle, and a list of words would either miss
//! that or match far too much.

use std::sync::LazyLock;

use regex::Regex;

/// A pattern that was read once; a test reads each of them.
pub(super) type Phrase = LazyLock<Option<Regex>>;

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

/// The quotes of a word are at fault.
pub(super) static QUOTING: Phrase =
    LazyLock::new(|| pattern(r"\b(un|mis)?quot(e|es|ed|ing|ation)\b|string literal"));

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

/// The shell or the launcher found no program of this name (bash, zsh, dash, fish, cmd, PowerShell, Docker, Node).
pub(super) static PROGRAM_ABSENT: Phrase = LazyLock::new(|| {
    pattern(
        r"command not found|: not found$|is not recogni[sz]ed as|unknown command:|executable file not found|
        no such file or directory$|\bspawn \S+ enoent|not installed",
    )
});

/// A runner has no script, task or target of this name (npm, yarn, pnpm, bun, make, just, task, mise, rake, gradle, composer, poe).
pub(super) static MISSING_SCRIPT: Phrase = LazyLock::new(|| {
    pattern(
        r"missing script|script not found|no such (script|task|recipe|target)|unknown (script|task|target)|no rule to make target|
        command .{1,60}not found|(task|recipe|script|target) .{1,60}(not found|does not exist|is not defined)|
        does not contain recipe|no tasks? .{0,40}(named|found|matching)|don't know how to build task|couldn't find a script",
    )
});

/// The program does not know an option.
pub(super) static UNKNOWN_OPTION: Phrase = LazyLock::new(|| {
    pattern(
        r"(unknown|unrecogni[sz]ed|unexpected|invalid|illegal|unsupported|no such|not a valid) .{0,30}(option|flag|argument|switch|parameter|shorthand)|
        (option|flag|argument|switch) .{1,60}(not recogni[sz]ed|unknown|is invalid|not (supported|allowed|found|defined|exist))|
        flag provided but not defined|bad option|could not understand|found argument",
    )
});

/// The number of arguments is wrong.
pub(super) static ARITY: Phrase = LazyLock::new(|| {
    pattern(
        r"missing .{0,30}(operand|argument|parameter|destination|file)|(too (few|many)|extra|not enough|insufficient) (arguments?|operands?|parameters?)|
        (requires|expected|takes|accepts|needs) .{0,20}(\d+|one|two|three|an?) .{0,30}(arg|operand|parameter|file)|
        required .{0,20}argument|arguments? (were|was|is|are) (not provided|required|missing)|\busage: ",
    )
});

/// The project that the program needs is not in this folder.
pub(super) static NOT_HERE: Phrase = LazyLock::new(|| {
    pattern(
        r"(could not|couldn't|cannot|can't|unable to) (find|locate|read|open) .{0,60}(file|\.\w{2,5}\b|folder|directory|project|manifest|config|repository)|
        no (such )?(file|configuration|config|project|package|manifest|makefile|gemfile|module).{0,40}(found|provided|here|exists|in )|
        not a git repository|\benoent\b|missing script|no targets specified|no .{1,40}\.\w{2,5}\W? (was )?found|not in a .{0,20}(project|workspace|module)|go\.mod file not found",
    )
});

/// The change of folder in front of a command failed (bash, zsh, dash, cmd).
pub(super) static FOLDER_ABSENT: Phrase = LazyLock::new(|| {
    pattern(
        r"\bcd: .{0,300}(no such file|not a directory)|can't cd to|cannot find the path|cd:cd:\d+: no such",
    )
});

/// A person stopped it.
pub(super) static INTERRUPT: Phrase = LazyLock::new(|| {
    pattern(
        r"\binterrupted\b|keyboardinterrupt|\bsignal[: ]+(2|15)\b|\bsig(int|term|hup)\b|\^c\b|exit code:? 130\b|
        \bcancell?ed by (the )?user\b|user (rejected|declined|cancell?ed|aborted|interrupted|stopped)|
        doesn't want to (proceed|take)|operation was aborted|request (was )?(aborted|cancell?ed)|\baborterror\b",
    )
});

/// A person, a hook or a policy refused it, or this program itself did before the call.
pub(super) static REFUSED: Phrase = LazyLock::new(|| {
    pattern(
        r"requires? (your |user |human |manual )?approval|approval (is )?(required|denied|policy)|awaiting approval|haven't granted|
        (rejected|declined|denied|blocked|refused|vetoed|disallowed) by (the )?(user|person|operator|human|policy|administrator|admin|sandbox|hook|\w+ hook)|
        permission to use .* (has been )?denied|\w+tooluse\S* hook|hook (error|denied|blocked|refused)|blocked by .{0,40}hook|
        exec denied|allow-?list|not in the allowed|auto-?denied|requires? confirmation|blocked by your|blocking error|denied this tool|tool (call|use) (was )?(denied|rejected|refused|blocked)|not (allowed|permitted) by (the )?(policy|permission|sandbox|settings|rules)|
        denied by policy|violates? .{0,20}policy|policy (forbids|violation)|operation not permitted by|^\W*hindlore\b",
    )
});

/// Work in progress: conflicts, failed checks and tests, findings of hooks.
pub(super) static STATE_OF_WORK: Phrase = LazyLock::new(|| {
    pattern(
        r"^conflict \(|merge conflict|automatic merge failed|could not apply|fix conflicts|unmerged (files|paths)|needs merge|
        files were modified by this hook|\.{3,}failed$|hook id: |(pre-commit|pre-push|commit-msg|lint-staged|husky).{0,40}(failed|found)|
        some checks (failed|were not successful)|would (be )?reformat|not (properly )?formatted|incorrectly (sorted|formatted)|
        code style issues|\d+ (\w+ )?vulnerabilit|^\s*(failed|fail:?|---\ fail:?|✕|✗)\s|\.{3} failed$|
        \b\d+ (tests? )?(failed|fail|failures?|failing)\b|\bfail(ed|ures): +[1-9]|did not complete successfully|test result: failed|patch failed: |hunk #\d+ failed|patch does not apply|^\W*\d+ (issues?|problems?)\b|task failed",
    )
});

/// A line that names a place in a file of the work: `src/a.ts:3:5`, `a.ts(3,4)`, `[ERROR] ATest.adds:9`.
pub(super) static DIAGNOSTIC: Phrase = LazyLock::new(|| {
    pattern(r"^\s*(\[?\w+\]?:?\s+|--> ?)?[\w.@/\\-]*\w\.[a-z]\w{0,8}(:\d+|\(\d+[,)])")
});

/// The command line itself is at fault, also of a program that mostly reports on files.
pub(super) static MISUSE: Phrase = LazyLock::new(|| {
    pattern(
        r"command not found|: not found$|not recogni[sz]ed|\busage:|unrecogni[sz]ed|unexpected argument|unknown (option|flag|argument|command|switch|shorthand)|
        invalid (option|choice|flag|argument|switch)|illegal option|no such (command|option|subcommand)|missing script|
        no such file|file or directory not found|not a git|^fatal: |please run|no rule to make|must be run|is not installed|
        no configuration|could not read config|did you mean|perhaps you meant",
    )
});

/// The user's code is at fault: a failed assertion, a diagnostic, an exception.
pub(super) static CODE_AT_FAULT: Phrase = LazyLock::new(|| {
    pattern(
        r"assert|\b\d+ errors?\b|panicked at|error\[e\d+\]|error ts\d+|\bts\d{4}\b|: error: |module not found|can't resolve|
        syntaxerror|indentationerror|nameerror|typeerror|attributeerror|keyerror|valueerror|indexerror|zerodivision|
        referenceerror|nullpointer|segmentation fault|compilation (failed|error)|could not compile|
        syntax error|expected .* (but|found|received|got|to (be|equal))|mismatched types|undefined (reference|symbol|variable)|
        undeclared|cannot find (symbol|name|value|type|function)|is not (defined|assignable)|lint|problems? \(|
        traceback|exception in thread|stack ?trace|unused (variable|import)|tests? failed|\bfailed tests?\b",
    )
});

/// The tool was used wrongly or is not set up: a lesson, whichever program runs the code.
pub(super) static USE_AT_FAULT: Phrase = LazyLock::new(|| {
    pattern(
        r"command not found|not recogni[sz]ed as|no such (file|command|option|subcommand)|usage:|\bunknown (option|flag|argument|command|arg)|
        unrecogni[sz]ed|unexpected argument|invalid (option|argument|choice|flag)|did you mean|missing script|no module named|
        modulenotfounderror|cannot find module|could not find|not installed|permission denied|access denied|required (option|argument|flag)|
        \brequires?\b|must be run|\bmust\b|no rule to make target|not a (git|valid|directory)|please run|
        try (running|using|`|')|instead|no such target|please install|externally-managed|unsupported|deprecated|
        can't cd|can't open|cannot open|out of memory|please specify|no tests? (ran|found|collected)|
        (is|are|was) not (set|defined in the environment)|missing (env|environment|variable)",
    )
});

/// A network, a lock, room or load: true for a moment, and mostly nothing that can be done otherwise.
pub(super) static TRANSIENT: Phrase = LazyLock::new(|| {
    pattern(
        r"timed out|\btime-?out\b|could not resolve host|couldn't resolve host|name or service not known|getaddrinfo|\benotfound\b|\beai_again\b|
        network is unreachable|no route to host|connection ?(reset|closed|aborted|timed|refused)|was refused|\beconn(reset|refused|aborted)\b|failedtoopensocket|
        temporar(y|ily) (failure|unavailable)|service unavailable|bad gateway|status code (403|404|429|5\d\d)|http (error )?(429|5\d\d)|
        returned error: (403|404|429|5\d\d)|rate.?limit|too many requests|overloaded|socket hang up|tls handshake|
        already (exists|in use|running|taken)|in progress|\beaddrinuse\b|port .{0,20}(in use|already allocated)|no space left|disk (is )?full|quota exceeded|
        (is|was) locked|could not get lock|unable to (lock|acquire)|acquiring the .{0,20}lock|\block(file)? .{0,30}(exists|held)|\.lock'?: file exists|
        held by (another )?process|resource (busy|temporarily)|deadlock|try again later|too many open files|text file busy|\be(nospc|busy|mfile|again|timedout)\b|cannot allocate memory|another git process|
        deadline exceeded|hung up unexpectedly|early eof|(could not|couldn't|failed to) connect|gateway time|service temporarily|waiting for .{0,40}lock",
    )
});

/// The requested file does not exist.
pub(super) static ABSENT_FILE: Phrase = LazyLock::new(|| {
    pattern(
        r"no such file|does not exist|doesn't exist|cannot access|no matches found|cannot find the (path|file)|file not found|not a directory|
        file or directory not found|can't cd|did not match any files",
    )
});

/// An object that the command names is gone: a process, a container, a branch, a unit, a record.
pub(super) static GONE: Phrase = LazyLock::new(|| {
    pattern(
        r"no such (process|container|image|pod|volume|network|job|ref|branch|object|unit|session|service|window|remote)|unknown revision|
        not a valid (ref|object|reference|commit)|bad revision|(branch|tag|pod|container|image|service|unit|pods?|deployments?|job) \S+ (was )?not found|
        \(notfound\)|could not resolve to a|is not running|is not a working tree|couldn't find remote ref|src refspec .* does not match|
        pathspec .* did not match|not a commit|no stash|only has \d+ entries|\bnosuch[a-z]+\b|resourcenotfound|release: not found|can't find (session|window|pane)|
        no (open )?pull requests? found|http 404|does not appear to be a git repository",
    )
});

/// A text that was to be replaced is no longer in the file, or the file was changed in between.
pub(super) static STALE: Phrase = LazyLock::new(|| {
    pattern(
        r"(string|text) .{0,20}not found|not found in (the )?file|(has been|was) (modified|changed) since|no match(es)? (was |were )?found for|no replacement was performed",
    )
});

/// An exception of the code that was run, not of the program that runs it.
pub(super) static EXCEPTION: Phrase = LazyLock::new(|| {
    pattern(
        r"traceback \(most recent|^\s*([a-z_]\w*\.)*[a-z_]\w*(error|exception)(: |$)|^\s+at \S+ ?\(|panicked at",
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
    Regex::new(&format!("(?m){flat}")).ok()
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
            &REFUSED,
            &STATE_OF_WORK,
            &DIAGNOSTIC,
            &MISUSE,
            &TRANSIENT,
            &GONE,
            &STALE,
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
            &PROGRAM_ABSENT,
            &MISSING_SCRIPT,
            &UNKNOWN_OPTION,
            &ARITY,
            &FOLDER_ABSENT,
            &NOT_HERE,
        ] {
            assert!(pattern.is_some());
        }
    }
}
