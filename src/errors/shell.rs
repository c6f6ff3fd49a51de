//! A command line as its commands: the parts that decide whether it works, without those that only set where it runs
//! and how much of its output is shown.
//!
//! `cd app && npm test 2>&1 | tail -5` is `npm test`: a comparison of two lines, or of a line with a rule, needs that.
//! Quotes, `$(…)` and the text of a here-document are not parsed. A line that cannot be split stays whole.

/// Words before a command that only set how it is run.
const WRAPPERS: &[&str] = &[
    "sudo", "env", "time", "nohup", "exec", "command", "nice", "stdbuf", "xargs",
];
/// Options of such words that take a name.
const TAKES_A_NAME: &[&str] = &["-u", "-g"];
/// Names of tools that do nothing but run a command line, without marks and in lower case.
#[rustfmt::skip]
const SHELL_TOOLS: &[&str] = &[
    "bash", "shell", "sh", "zsh", "executebash", "runcommand", "runshellcommand", "runterminalcmd", "terminal",
    "execcommand", "localshell", "localshellcall", "containerexec", "shellcommand", "executecommand", "runinterminal",
    "powershell", "execute", "console", "run", "cmd", "exec", "bashtool",
];
/// Programs after a pipe that only filter the output.
#[rustfmt::skip]
const FILTERS: &[&str] = &[
    "head", "tail", "grep", "egrep", "fgrep", "rg", "less", "more", "cat", "wc", "sort", "uniq", "cut", "tr", "tee",
    "column", "findstr", "jq", "sed", "awk", "nl", "out-string", "select-object", "select-string", "out-null",
];
/// Programs in a line that change nothing for the command.
const BESIDE: &[&str] = &["cd", "pushd", "echo", "sleep", "pwd", "true", ":"];
/// Targets that discard their input.
const NOWHERE: &[&str] = &["/dev/null", "nul", "NUL", "$null"];

/// Commands that change or test the environment of later commands: variables, programs, folders, ports.
#[rustfmt::skip]
const PREPARING: &[&str] = &[
    "source", ".", "export", "unset", "eval", "alias", "hash", "conda", "mamba", "micromamba", "pyenv", "nvm", "fnm",
    "rbenv", "asdf", "mise", "direnv", "module", "workon", "deactivate", "mkdir", "kill", "pkill", "killall", "fuser", "mount",
    "ulimit", "umask", "if", "test", "[", "[[", "command", "which", "type",
];
/// Programs that install others, and the words by which they do.
#[rustfmt::skip]
const INSTALLERS: &[&str] = &[
    "npm", "pnpm", "yarn", "bun", "pip", "pip3", "pipx", "uv", "poetry", "pdm", "apt", "apt-get", "dnf", "yum", "apk", "brew",
    "pacman", "cargo", "gem", "bundle", "go", "composer",
];
const INSTALLS: &[&str] = &["install", "add", "sync", "i", "ci", "get", "require"];

/// How a command follows the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Joint {
    /// It is the first, or independent: `;`, `&`, a line end, `&&`, `||`.
    Apart,
    /// It reads the output of the one before.
    Pipe,
}

/// Returns true if a tool, by its name, does nothing but run a command line.
pub fn is_shell_tool(name: &str) -> bool {
    let name = name.rsplit(['/', '.', '\\']).next().unwrap_or(name);
    let bare: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    SHELL_TOOLS.contains(&bare.to_lowercase().as_str())
}

/// Returns true if a word before a command only sets how it is run.
pub fn is_wrapper(word: &str) -> bool {
    WRAPPERS.contains(&word)
}

/// The words of a command from its program on: without assignments before it, and without words that only set how it is
/// run.
pub fn words(command: &str) -> Vec<&str> {
    let mut words = command.split_whitespace().peekable();
    while let Some(word) = words.peek() {
        let is_wrapper = WRAPPERS.contains(word);
        if !is_wrapper && !is_setting(word) {
            break;
        }
        words.next();
        // `nice -n 5`, `sudo -u ann`: the words after it are the wrapper's own.
        let is_own = |word: &&str| word.starts_with('-') || is_duration(word);
        while let Some(option) = words.next_if(|word| is_wrapper && is_own(word)) {
            if TAKES_A_NAME.contains(&option) {
                words.next();
            }
        }
    }
    let words: Vec<&str> = words.collect();
    if words.is_empty() {
        return command.split_whitespace().collect();
    }
    words
}

/// Returns true if a command changes the environment of the commands after it, as `source .venv/bin/activate` does. Their
/// results alone are then unknown.
pub fn prepares(command: &str) -> bool {
    let mut said = command.split_whitespace().peekable();
    let first = said.peek().copied().unwrap_or_default();
    if said.all(is_setting) || PREPARING.contains(&first) {
        return true;
    }
    let words = words(command);
    let program = program(command);
    let goes_up = |word: &&str| word.starts_with("..");
    // A project installs its declared packages before nearly every command, and any other package for this one.
    let mut verbs = words.iter().skip(1).take(2);
    let verb = verbs.position(|word| INSTALLS.contains(word));
    let installs = verb.is_some_and(|at| words.len() > at + 2);
    PREPARING.contains(&program)
        || (program == "cd" && words.iter().skip(1).any(goes_up))
        || (INSTALLERS.contains(&program) && installs)
}

/// The name of the first program of a command, without its folder; empty when there is none.
pub fn program(command: &str) -> &str {
    let word = words(command).first().copied().unwrap_or_default();
    word.rsplit(['/', '\\']).next().unwrap_or(word)
}

/// The commands of a line that decide whether it works, in their order: without changes of the folder, announcements,
/// comments, filters of the output and redirections to nowhere. A line that holds nothing else is its own command.
pub fn deciding(line: &str) -> Vec<String> {
    let all = parts(line);
    let mut kept: Vec<String> = Vec::new();
    for (joint, command) in all {
        let name = program(command).to_lowercase();
        let is_filter = joint == Joint::Pipe && FILTERS.contains(&name.as_str());
        let is_beside = joint == Joint::Apart && BESIDE.contains(&name.as_str());
        if is_filter || is_beside || command.starts_with('#') {
            continue;
        }
        kept.push(without_redirections(command));
    }
    kept.retain(|command| !command.is_empty());
    if kept.is_empty() {
        kept.push(line.trim().to_owned());
    }
    kept
}

/// A line with nothing in it that leaves the outcome as it is, where one command remains; else the line as it is.
pub fn bare(line: &str) -> String {
    match &mut deciding(line)[..] {
        [only] => std::mem::take(only),
        _ => line.trim().to_owned(),
    }
}

/// Cuts a line at the marks between commands, outside quotes and brackets.
fn parts(line: &str) -> Vec<(Joint, &str)> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let (mut start, mut at, mut joint) = (0, 0, Joint::Apart);
    let mut depth = 0_usize;
    while at < bytes.len() {
        let rest = &bytes[at..];
        match bytes[at] {
            b'\\' => at += 1,
            quote @ (b'\'' | b'"' | b'`') => at += quoted(rest, quote),
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth = depth.saturating_sub(1),
            // The text of a here-document is the command's own.
            b'<' if rest.starts_with(b"<<") && !rest.starts_with(b"<<<") => break,
            _ if depth > 0 => {}
            b'#' if line[start..at].trim().is_empty() => {
                at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len()) - 1;
            }
            _ => {
                if let Some((length, next)) = mark(bytes, at) {
                    found.push((joint, line[start..at].trim()));
                    (start, joint) = (at + length, next);
                    at += length - 1;
                }
            }
        }
        at += 1;
    }
    found.push((joint, line[start.min(line.len())..].trim()));
    found.retain(|(_, command)| !command.is_empty());
    found
}

/// Bytes up to the closing quote, counted from the opening one; none where it is never closed.
fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' if quote != b'\'' => at += 1,
            byte if byte == quote => return at,
            _ => {}
        }
        at += 1;
    }
    0
}

/// The mark between two commands at a place, and how it joins them.
fn mark(bytes: &[u8], at: usize) -> Option<(usize, Joint)> {
    let next = bytes.get(at + 1);
    let before = at.checked_sub(1).map(|at| bytes[at]);
    match bytes[at] {
        b'\n' | b';' => Some((1, Joint::Apart)),
        b'&' if next == Some(&b'&') => Some((2, Joint::Apart)),
        b'|' if next == Some(&b'|') => Some((2, Joint::Apart)),
        b'|' if next == Some(&b'&') => Some((2, Joint::Pipe)),
        // `2>|file` and a sign inside a word are no pipes.
        b'|' if before != Some(b'>') => Some((1, Joint::Pipe)),
        // `2>&1`, `&>file` and `a&b` in an address are no marks.
        b'&' if next.is_none_or(u8::is_ascii_whitespace) && before != Some(b'>') => {
            Some((1, Joint::Apart))
        }
        _ => None,
    }
}

/// A command without `2>&1`, `2>/dev/null` and the like.
fn without_redirections(command: &str) -> String {
    if !command.contains('>') {
        return command.to_owned();
    }
    let pieces: Vec<&str> = command.split(' ').collect();
    let mut kept: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let target = redirection(pieces[at]);
        match target {
            Some("") if pieces.get(at + 1).is_some_and(|to| goes_nowhere(to)) => at += 1,
            Some(to) if goes_nowhere(to) => {}
            _ => kept.push(pieces[at]),
        }
        at += 1;
    }
    kept.join(" ").trim().to_owned()
}

/// Where a piece such as `2>&1` redirects to; empty when the place is the next piece.
fn redirection(piece: &str) -> Option<&str> {
    let rest = piece.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&' || c == '*');
    let rest = rest.strip_prefix('>')?;
    Some(rest.strip_prefix('>').unwrap_or(rest))
}

fn goes_nowhere(target: &str) -> bool {
    let is_stream = target
        .strip_prefix('&')
        .is_some_and(|number| number.parse::<u8>().is_ok() || number == "-");
    is_stream || NOWHERE.contains(&target)
}

/// Returns true if a word in front of a command sets a variable for it: `FOO=1`, and not by a command of its own.
pub fn is_setting(word: &str) -> bool {
    let Some((name, value)) = word.split_once('=') else {
        return false;
    };
    let runs_a_command = value.contains("$(") || value.contains('`');
    is_variable(name) && !runs_a_command
}

/// Returns true if a word can be the name of a variable of the environment.
pub fn is_variable(name: &str) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    !name.is_empty() && name.bytes().all(is_of_name)
}

fn is_duration(word: &str) -> bool {
    let digits = word.trim_end_matches(['s', 'm', 'h']);
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_the_world_for_the_next_command_prepares_it() {
        for (command, expected) in [
            ("source .venv/bin/activate", true),
            (". ./env.sh", true),
            ("A=1 B=2", true),
            ("A=1 npm test", false),
            ("export A=1", true),
            ("cd ..", true),
            ("cd ../other", true),
            ("cd web", false),
            ("cd /srv/shop", false),
            ("sudo kill 4711", true),
            ("npm ci", false),
            ("npm install express", true),
            ("cargo install just", true),
            ("cargo test install", false),
            ("command -v docker", true),
            ("make", false),
            ("", true),
        ] {
            assert_eq!(prepares(command), expected, "{command}");
        }
    }

    #[test]
    fn what_leaves_the_outcome_as_it_is_is_no_part_of_a_line() {
        for (line, decides) in [
            ("npm test", &["npm test"][..]),
            ("cd app && npm test 2>&1 | tail -5", &["npm test"]),
            ("npm test > /dev/null 2>&1 &", &["npm test"]),
            ("dir C:\\a 2>nul | findstr x", &["dir C:\\a"]),
            ("# build it\nmake all; echo \"---\"", &["make all"]),
            (
                "git pull --rebase && git push",
                &["git pull --rebase", "git push"],
            ),
            (
                "git commit -m 'a; b | c && d'",
                &["git commit -m 'a; b | c && d'"],
            ),
            ("a $(b | c) | d", &["a $(b | c)", "d"]),
            (
                "cat > a.txt << 'EOF'\nx; y\nEOF",
                &["cat > a.txt << 'EOF'\nx; y\nEOF"],
            ),
            ("curl 'http://a/?b=1&c=2'", &["curl 'http://a/?b=1&c=2'"]),
            ("it's one", &["it's one"]),
            ("cd app", &["cd app"]),
            ("echo hi | grep h", &["echo hi | grep h"]),
            ("make > build.log", &["make > build.log"]),
            ("KEEP amount > 100", &["KEEP amount > 100"]),
            ("", &[""]),
        ] {
            assert_eq!(deciding(line), decides, "{line}");
        }
    }

    #[test]
    fn a_program_is_found_behind_what_only_runs_it() {
        for (command, expected) in [
            ("sudo -u ann LANG=C /usr/bin/apt install x", "apt"),
            ("sudo apt install x", "apt"),
            ("A=1 nice -n 5 python a.py", "python"),
            ("/opt/bin/tool x", "tool"),
            ("C:\\tools\\go.exe build", "go.exe"),
            ("", ""),
        ] {
            assert_eq!(program(command), expected, "{command}");
        }
    }

    #[test]
    fn shells_are_known_under_all_their_names() {
        for (name, is_shell) in [
            ("Bash", true),
            ("functions.exec_command", true),
            ("/bin/sh", true),
            ("run_in_terminal", true),
            ("container.exec", true),
            ("str_replace_editor", false),
        ] {
            assert_eq!(is_shell_tool(name), is_shell, "{name}");
        }
    }
}
