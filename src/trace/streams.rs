//! Which stream of a process holds its error: stderr, but for tools that report failures on stdout.
//!
//! Test runners, type checkers and programs that `make` runs print their errors on stdout, and leave nothing or one
//! line without a cause on stderr.

use hindlore_errors::shell::program;

use crate::wrapper::plain;

/// The output of a process.
#[derive(Clone, Default, Debug)]
pub(crate) struct Streams {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Programs that report on stdout.
const REPORTS_ON_STDOUT: &[&str] = &[
    "pytest",
    "py.test",
    "tox",
    "nox",
    "unittest",
    "make",
    "ninja",
    "cmake",
    "ctest",
    "tsc",
    "vue-tsc",
    "eslint",
    "jest",
    "vitest",
    "mocha",
    "playwright",
    "go",
    "gradle",
    "gradlew",
    "mvn",
    "mvnw",
    "ant",
    "sbt",
    "msbuild",
    "dotnet",
    "swift",
    "xcodebuild",
    "mypy",
    "pyright",
    "ruff",
    "flake8",
    "pylint",
    "phpunit",
    "rspec",
    "ansible-playbook",
    "cargo",
    "npm",
    "pnpm",
    "yarn",
    "npx",
    "bun",
    "uv",
    "poetry",
    "just",
    "bazel",
];

/// Beginnings of lines on stderr that name no cause.
const NO_CAUSE: &[&str] = &[
    "make: ***",
    "make[",
    "error: could not compile",
    "error: test failed",
    "error: recipe",
];

impl Streams {
    /// The text of the error of a command.
    pub(crate) fn error(&self, command: &str) -> String {
        let (stdout, stderr) = (plain(&self.stdout), plain(&self.stderr));
        let (stdout, stderr) = (stdout.trim(), stderr.trim());
        let names_no_cause = |line: &str| NO_CAUSE.iter().any(|head| line.starts_with(head));
        let names_cause = stderr
            .lines()
            .any(|line| !line.trim().is_empty() && !names_no_cause(line));
        if stdout.is_empty() || (names_cause && !reports_on_stdout(command)) {
            return stderr.to_owned();
        }
        if stderr.is_empty() {
            return stdout.to_owned();
        }
        format!("{stdout}\n{stderr}")
    }
}

/// True when one of the programs of a command line reports on stdout; `python -m pytest` is the module.
fn reports_on_stdout(command: &str) -> bool {
    command.split(['|', ';', '&', '\n']).any(|part| {
        let module = part.split_once(" -m ").map(|(_, module)| program(module));
        let names = [Some(program(part)), module];
        names
            .into_iter()
            .flatten()
            .any(|name| REPORTS_ON_STDOUT.contains(&name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_that_names_the_cause_is_the_error() {
        for (command, stdout, stderr, text) in [
            ("git push", "Counting", "fatal: no", "fatal: no"),
            ("pytest -q", "E   assert 1 == 2", "", "E   assert 1 == 2"),
            (
                "sh build.sh",
                "a.c:1: error: x",
                "make: *** [a.o] Error 1",
                "a.c:1: error: x\nmake: *** [a.o] Error 1",
            ),
            (
                "cd a && make",
                "a.c:1: error: x",
                "warning",
                "a.c:1: error: x\nwarning",
            ),
            ("python -m pytest", "FAILED a", "w", "FAILED a\nw"),
            ("python a.py", "working", "ValueError: x", "ValueError: x"),
            ("true", "", "", ""),
        ] {
            let streams = Streams {
                stdout: stdout.to_owned(),
                stderr: stderr.to_owned(),
            };
            assert_eq!(streams.error(command), text, "{command}");
        }
    }
}
