//! The kinds of lines in a tool's output: the head of an error, a place in the source, a frame, progress, or text.
//!
//! The table is the rule: the first pattern that fits a line decides. A new tool needs a line here and no code.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Regex, RegexSet};

/// The kind of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Printed by the harness around the error, not by the tool.
    Wrapper,
    /// Progress, hints, records below the rank of a warning.
    Noise,
    /// Names a place in the source.
    Place,
    /// Names a place whose next, deeper lines are source.
    PlaceOfSource,
    /// Names the object of a compiler's message, which its head leaves out.
    Subject,
    /// Source, carets, gutters.
    Excerpt,
    /// Begins the frames that end with the error.
    Traceback,
    /// Repeats the input; all that follows does too.
    Echo,
    /// Ends the text of an error.
    End,
    /// Reports that there were errors.
    Summary,
    /// The head of a warning.
    Warning,
    /// The head of an error.
    Error,
    /// The head of an error of a tool that repeats its prefix on every line.
    Prefixed,
    /// Anything else.
    Text,
}

/// Patterns with their kinds, the first that fits decides. A pattern sees the line without its frame of a box and
/// without blanks at its end; places in a file at the beginning of a line are read by [`place`] before it.
#[rustfmt::skip]
const KINDS: &[(Kind, &str)] = &[
    (Kind::Wrapper, r"^\s*$"),
    (Kind::Wrapper, r"(?i)^\s*(exit (code|status) -?\d+|(error|stderr|stdout|output)\s*:?|```\w*|[-=_*#~.+]{3,})$"),
    (Kind::Wrapper, r"(?i)^(\[ERROR\] )?(COMPILATION ERROR ?:|FAILURE: Build failed.*|\* What went wrong:)$"),

    (Kind::Summary, r"^(\S*/)?g?make(\[\d+\])?: \*\*\* \["),
    (Kind::Summary, r"(?i)^error: (could not compile|aborting due to|process completed with exit|command failed)\b"),
    (Kind::Summary, r"(?i)^(error )?command failed with exit code"),
    (Kind::Summary, r"(?i)^(npm (err!|error) )?.*\b(ELIFECYCLE|errno \d+$)"),
    (Kind::Summary, r"(?i)^(collect2: error|ninja: (build stopped|error: )|BUILD FAILED|failures:$|test result:|ld returned)"),
    (Kind::Summary, r"(?i)^((found|generated) )?\d+ (errors?|problems?|warnings?|failed|failures?)\b"),
    (Kind::Summary, r"^(=+ .*(failed|errors?|passed) in .* =+|=+ short test summary)"),
    (Kind::Summary, r"^\[ERROR\] (Failed to execute goal|To see the full|Re-run Maven|For more information|-> \[Help)"),

    (Kind::Traceback, r"^Traceback \(most recent call last\)"),
    (Kind::End, r"^(During handling of the above exception|The above exception was the direct cause)"),
    (Kind::End, r"^(goroutine \d+ \[|stack backtrace:|\* Try:|Require stack:|Stack trace:?$|The command was:?|\s*\.\.\. \d+ more$)"),
    (Kind::End, r"(?i)^(For more information about this error|A complete log of this run|Run with --stacktrace)"),

    (Kind::End, r"(?i)^usage: "),
    (Kind::Noise, r"(?i)^\s*([\w.+-]{1,30}: )?(for (more|further|additional|full) (information|help|details|usage)\S* )?(please )?(try|type|use|run|see)\b.{0,80}(\s-h\b|--help\b|--usage\b|\bhelp\b|\bman \w|\busage\b)"),

    (Kind::PlaceOfSource, r#"^\s+File "[^"]*", line \d+"#),
    (Kind::Place, r"^\s*(-->|:::|╭─\[|┌─|,-\[)\s?\S+:\d+"),
    (Kind::Place, r"^\s+at (async |new )?[\w$.<>\[\]/ #-]+( \[as [\w.]+\])?\s?\(|^\s+at \S+:\d+|^\s+at .* in .*:line \d+"),
    (Kind::Place, r"^\s+on \S+ line \d+\b"),
    (Kind::Place, r"^\s+(from |- )?\S+:\d+(:\d+)?:?(in [`'].*)?$"),
    (Kind::Place, r"^\S*[/.\\]\S*:\d+(:\d+)?$"),
    (Kind::Place, r"^\s+\S+ \+0x[0-9a-f]+$|^\s+\S+:\d+ \+0x[0-9a-f]+$"),
    (Kind::Place, r"^ERROR in \S+( \d+:\d+(-\d+)?)?$"),
    (Kind::Place, r"^LINE \d+: "),
    (Kind::Subject, r"^(\[ERROR\])?\s+symbol:\s"),
    (Kind::Place, r"^(\[ERROR\])?\s+location:\s"),

    (Kind::Excerpt, r"^\s*\d*\s*[|│┆·]|^\s*>?\s*\d+\s*[|│]|^\s+\d+:\s|^\d+\s{2,}\S|^>\s"),
    (Kind::Excerpt, r"^\s*[\^~]+[\s\^~-]*$|^\s*\^"),
    (Kind::Noise, r"^\s+= (note|help)\b|^(note|help|hint|info|Hint|Note|Tip|HINT)\b:|^Caused by:$"),
    (Kind::Noise, r"^npm (ERR!|error) (A complete log|path |dest |cwd |stack |syscall |\s*/|$)|^npm (ERR!|error)$"),
    (Kind::Noise, r"(?i)^npm (warn|notice|info|http)\b"),
    (Kind::Prefixed, r"^npm (ERR!|error) \S"),

    (Kind::Error, r"^E\s{2,}\S"),
    (Kind::Error, r"^(--- FAIL: |FAILED? \S|\s*● |\s*✕ |not ok \d)"),
    (Kind::Error, r"^\s*! \[(remote )?rejected\]|^CONFLICT \("),
    (Kind::Error, r"^thread '[^']*' (\(\d+\) )?panicked at"),
    (Kind::Error, r"(?i)^#\d+ (\d+\.\d+ )?error[: ]"),
    (Kind::Error, r"^\[?(ERROR|FATAL|CRITICAL|SEVERE)\]?\s"),
    (Kind::Error, r"(?i)^(fatal )?(error|fatal|panic|critical)\b(\[|[^:.]*:)"),
    (Kind::Error, r"^(\S*/)?g?make(\[\d+\])?: \*\*\* "),
    (Kind::Error, r#"^(Exception in thread "[^"]*" |Uncaught |Unhandled |\(node:\d+\) )?([A-Za-z_$][\w$]*\.)*[A-Za-z_$][\w$]*(Error|Exception)\b( \[\w+\])?(:|$)"#),
    (Kind::Error, r"^Module not found:|^Module build failed|^Segmentation fault|^Killed\b"),
    (Kind::Error, r"undefined reference to|^(\S*/)?ld(\.\w+)?: (cannot|error|undefined)"),
    (Kind::Error, r"(?i)^[\w.+/-]{1,40}: (line )?(\d+: )?[^:]{1,200}: (command )?(not found|no such file or directory|permission denied|is a directory|cannot execute)"),
    (Kind::Error, r"(?i)^[\w.+-]{1,30}: (error|fatal|cannot|could not|unable to|unrecognized|unknown|invalid|no such)\b"),
    (Kind::Error, r"(?i)^[\[(]?\d{4}[-/]\d\d[-/]\d\d.{0,24}\b(error|fatal|critical|severe)\b"),

    (Kind::Warning, r"(?i)^(warning|warn|deprecated|deprecation)\b(\[|:| )|^\[WARN(ING)?\]"),
    (Kind::Warning, r"(?i)^[\[(]?\d{4}[-/]\d\d[-/]\d\d.{0,24}\bwarn(ing)?\b"),
    (Kind::Echo, r"^(String|Input|Content|Snippet|Command|Query|Statement|Expression|Arguments|old_str|old_string|new_str|new_string)\s*:\s"),

    (Kind::Noise, r"(?i)^[\[(]?\d{4}[-/]\d\d[-/]\d\d.{0,24}\b(info|debug|trace|notice)\b|^\[?(INFO|DEBUG|TRACE|NOTICE)\]?\b"),
    (Kind::Noise, r"^\s*(Compiling|Checking|Downloading|Downloaded|Updating|Locking|Adding|Blocking|Finished|Running|Building|Fresh|Doc-tests|Installing|Installed|Collecting|Using cached|Preparing|Resolving|Unpacking|Fetching|Obtaining|Cloning into|Successfully|Attempting|Requirement already|Get:\d|Hit:\d|Ign:\d|Reading|Selecting|Setting up|Linking|Generating|Created|Scanning)\b"),
    (Kind::Noise, r"^remote: ?(Counting|Compressing|Enumerating|Total|Resolving|Processing)?\b[^!]*(done\.?|\d+%.*)?$|^(Receiving|Resolving|Unpacking|Writing|Counting|Compressing|Enumerating) (objects|deltas)"),
    (Kind::Noise, r"^#\d+ |^\[ *\d+(%|/\d+)\]|^\[\d+\] |^\s*\d{1,3}%|^> Task |^> \S+@|^\$ |^\+ \S|^\s*> \S+( \S+)*$"),
    (Kind::Noise, r"^(\S*/)?(gcc|g\+\+|cc|c\+\+|clang|clang\+\+|javac|rustc|go build|ld|ar|tsc|mkdir|cp|rm|cd|echo) .*$"),
    (Kind::Noise, r"^(\S*/)?g?make(\[\d+\])?: (Entering|Leaving|Nothing|Warning)|^# \S+$|^In file included from|: In (function|member|constructor|static|lambda)|: in function [`']"),
    (Kind::Noise, r"^running \d+ tests?|^test \S+ \.\.\. |^\S+\.py [.FEsxX]+(\s+\[ *\d+%\])?$|^=+ test session starts|^(platform|rootdir|plugins|collected|cachedir)\b|^(ok|PASS|PASSED)\b|^---- .* stdout ----$"),
];

static SET: LazyLock<Option<RegexSet>> =
    LazyLock::new(|| RegexSet::new(KINDS.iter().map(|row| ascii(row.1))).ok());

/// A pattern whose classes of letters, digits and blanks, and borders of words, are those of ASCII: those of Unicode take
/// a hundred milliseconds to compile, which every hook after a failure would wait for.
fn ascii(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() * 2);
    let (mut chars, mut in_class) = (pattern.chars(), false);
    while let Some(one) = chars.next() {
        let class = match one {
            '\\' => chars.next(),
            _ => {
                in_class = one == '[' || (in_class && one != ']');
                out.push(one);
                continue;
            }
        };
        match (class, in_class) {
            (Some('w'), true) => out.push_str("[:word:]"),
            (Some('w'), false) => out.push_str("[[:word:]]"),
            (Some('d'), true) => out.push_str("0-9"),
            (Some('d'), false) => out.push_str("[0-9]"),
            (Some('s'), true) => out.push_str(r"\t\n\v\f\r\x20"),
            (Some('s'), false) => out.push_str(r"[\t\n\v\f\r\x20]"),
            (Some('S'), false) => out.push_str(r"[^\t\n\v\f\r\x20]"),
            (Some('b'), false) => out.push_str(r"(?-u:\b)"),
            (class, _) => out.extend(['\\'].into_iter().chain(class)),
        }
    }
    out
}

/// A place in a file at the beginning of a message, in the forms of compilers: `a.c:4:20:`, `a.ts:10:5 -`,
/// `a.ts(12,5):`, `A.java:[10,5]`, and a file followed by `error:` without a line.
const PLACE: &str = r#"(?x)^\ {0,2}(?:\[ERROR\]\ )?
    (?: (?:[A-Za-z]:)? [^\s:()"'`=\[\]]+ | [/~] [^:()"'`=]{1,200} | [A-Za-z]:\\ [^:()"'`=]{1,200} | <(?:stdin|string)> )
    (?:
        : \d+ (?: [:.] \d+ (?: -\d+ (?: [:.]\d+ )? )? )? : \s
      | \( \d+ (?: , \d+ ){0,3} \) \s? : \s
      | : \d+ : \d+ \s - \s
      | : \[ \d+ , \d+ \] \s
      | : \s (?: error | warning ) \b
    )"#;

static PLACE_OF: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(PLACE).ok());

/// Where the place at the beginning of a message ends; the message follows.
pub(super) fn place(line: &str) -> Option<Range<usize>> {
    if !may_have_place(line.as_bytes()) {
        return None;
    }
    let found = PLACE_OF.as_ref()?.find(line)?;
    let text = found.as_str();
    let severity = text.len()
        - text
            .trim_end_matches(|c: char| c.is_ascii_alphabetic())
            .len();
    let end = found.end() - severity;
    let path = line[..end].trim_start_matches("[ERROR] ").trim_start();
    let cut = path
        .char_indices()
        .find(|(at, c)| matches!(c, ':' | '(') && *at > 1)
        .map_or(path.len(), |(at, _)| at);
    is_file(&path[..cut]).then_some(0..end)
}

/// Whether a line can begin with a place: nearly no line of a log can, and this check is cheaper than the pattern.
fn may_have_place(line: &[u8]) -> bool {
    let line = line
        .strip_prefix(b"[ERROR] ")
        .unwrap_or(line)
        .trim_ascii_start();
    // The name of a folder may hold blanks where the path is rooted.
    let is_rooted = matches!(line, [b'/' | b'~', ..] | [_, b':', b'\\', ..]);
    let first = line.iter().take(300);
    let end = first
        .clone()
        .take_while(|b| is_rooted || **b != b' ')
        .count();
    let number_behind = |at: usize| {
        let next = line.get(at + 1);
        next.is_some_and(|b| b.is_ascii_digit() || *b == b'[')
    };
    let is_mark = |at: &usize| matches!(line[*at], b':' | b'(') && number_behind(*at);
    let says = line[..end].ends_with(b":")
        && [&b" error"[..], b" warning"]
            .iter()
            .any(|word| line[end..].starts_with(word));
    says || (0..end).any(|at| is_mark(&at))
        || (is_rooted && line.windows(3).any(|part| part == b": e" || part == b": w"))
}

/// The end of a line and a column listed below the name of their file, as linters do; the rank follows.
pub(super) fn position(line: &str) -> Option<Range<usize>> {
    let listed = line.trim_start();
    if listed.len() == line.len() {
        return None;
    }
    let (numbers, rest) = listed.split_once(' ')?;
    let (row, column) = numbers.split_once(':')?;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let rest = rest.trim_start();
    let is_ranked = ["error", "warning", "✖", "⚠"]
        .iter()
        .any(|rank| rest.starts_with(rank));
    (is_number(row) && is_number(column) && is_ranked).then_some(0..line.len() - rest.len())
}

/// Files that have no ending.
const PLAIN_FILES: &[&str] = &[
    "makefile",
    "gnumakefile",
    "dockerfile",
    "containerfile",
    "rakefile",
    "gemfile",
    "jenkinsfile",
    "vagrantfile",
    "justfile",
    "procfile",
    "build",
    "workspace",
    "cmakelists",
];

/// Whether a path is that of a source file: its name has an ending of letters, or is known without one.
fn is_file(path: &str) -> bool {
    if path.starts_with('<') {
        return true;
    }
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    if name.contains(' ') {
        return false;
    }
    let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    let is_ending = |ending: &str| {
        (1..=10).contains(&ending.len())
            && ending.starts_with(|c: char| c.is_ascii_alphabetic())
            && ending.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    ending.is_some_and(|(_, ending)| is_ending(ending)) || is_plain_file(name)
}

/// Whether a name is that of a file without an ending.
pub(super) fn is_plain_file(name: &str) -> bool {
    PLAIN_FILES
        .iter()
        .any(|plain| plain.eq_ignore_ascii_case(name))
}

/// The kind of a line, without the place at its beginning.
pub(super) fn kind(line: &str) -> Kind {
    let Some(set) = SET.as_ref() else {
        return Kind::Text;
    };
    set.matches(line)
        .iter()
        .next()
        .map_or(Kind::Text, |at| KINDS[at].0)
}

/// Whether every pattern compiles.
#[cfg(test)]
pub(super) fn are_sound() -> bool {
    SET.is_some() && PLACE_OF.is_some()
}
