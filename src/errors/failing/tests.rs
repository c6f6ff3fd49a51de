//! Worked examples: a command, its error, and the part that failed.

use super::*;

fn program(name: &str) -> Option<FailingPart> {
    Some(FailingPart::Program(name.to_owned()))
}

fn folder(path: &str) -> Option<FailingPart> {
    Some(FailingPart::Folder(path.to_owned()))
}

fn of_flag(program: &str, flag: &str) -> Option<FailingPart> {
    let (program, flag) = (program.to_owned(), flag.to_owned());
    Some(FailingPart::Flag { program, flag })
}

fn script(program: &str, script: &str) -> Option<FailingPart> {
    let (program, script) = (program.to_owned(), script.to_owned());
    Some(FailingPart::Script { program, script })
}

fn sub(program: &str, name: &str) -> Option<FailingPart> {
    let (program, name) = (program.to_owned(), name.to_owned());
    Some(FailingPart::Subcommand { program, name })
}

fn assert_each(table: &[(&str, &str, Option<FailingPart>)]) {
    for (command, error, part) in table {
        assert_eq!(failing_part(command, error), *part, "{command}: {error}");
    }
}

#[test]
#[rustfmt::skip]
fn a_missing_program_is_named_by_every_shell() {
    assert_each(&[
        ("jqq . a.json", "bash: line 1: jqq: command not found", program("jqq")),
        ("jqq . a.json", "/bin/sh: 1: jqq: not found", program("jqq")),
        ("cat a | jqq .", "zsh: command not found: jqq", program("jqq")),
        ("sudo -u ann jqq", "sudo: jqq: command not found", program("jqq")),
        ("cd x && jqq .", "fish: Unknown command: jqq", program("jqq")),
        ("jqq .", "'jqq' is not recognized as an internal or external command,\noperable program or batch file.", program("jqq")),
        ("jqq .", "jqq : The term 'jqq' is not recognized as the name of a cmdlet", program("jqq")),
        ("./run.sh a", "bash: ./run.sh: No such file or directory", program("./run.sh")),
        ("./run.sh a", "zsh: no such file or directory: ./run.sh", program("./run.sh")),
        ("docker run img jqq .", "exec: \"jqq\": executable file not found in $PATH", program("jqq")),
        ("timeout 5 jqq", "timeout: failed to run command ‘jqq’: No such file or directory", program("jqq")),
        ("bash -c \"jqq .\"", "bash: line 1: jqq: command not found", program("jqq")),
        ("/opt/x/jqq .", "bash: /opt/x/jqq: No such file or directory", program("/opt/x/jqq")),
    ]);
}

#[test]
#[rustfmt::skip]
fn an_unknown_flag_is_named_with_its_program() {
    assert_each(&[
        ("tar --gzipp -cf a.tar .", "tar: unrecognized option '--gzipp'", of_flag("tar", "--gzipp")),
        ("git log --onelin", "fatal: unrecognized argument: --onelin", of_flag("git", "--onelin")),
        ("git commit --mesage=x", "error: unknown option `mesage=x'", of_flag("git", "--mesage")),
        ("cargo build --relase", "error: unexpected argument '--relase' found\n\n  tip: a similar argument exists: '--release'", of_flag("cargo", "--relase")),
        ("cargo build --relase", "\x1b[1m\x1b[31merror:\x1b[0m unexpected argument '\x1b[33m--relase\x1b[0m' found", of_flag("cargo", "--relase")),
        ("rg --colour x", "error: Found argument '--colour' which wasn't expected, or isn't valid in this context", of_flag("rg", "--colour")),
        ("kubectl get --fmt x", "error: unknown flag: --fmt\nSee 'kubectl get --help'", of_flag("kubectl", "--fmt")),
        ("go test -rase ./...", "flag provided but not defined: -rase\nusage: go test", of_flag("go", "-rase")),
        ("pip install --usr x", "no such option: --usr", of_flag("pip", "--usr")),
        ("python a.py --fmt x", "usage: a.py [-h]\na.py: error: unrecognized arguments: --fmt x", of_flag("python", "--fmt")),
        ("ls -lZq", "ls: invalid option -- 'Z'", of_flag("ls", "-Z")),
        ("sed -y s/a/b/ f", "sed: illegal option -- y", of_flag("sed", "-y")),
        ("gcc -Wfoo-bar a.c", "gcc: error: unrecognized command-line option '-Wfoo-bar'", of_flag("gcc", "-Wfoo-bar")),
        ("docker ps -j", "unknown shorthand flag: 'j' in -j", of_flag("docker", "-j")),
        ("find . -nmae x", "find: unknown predicate `-nmae'", of_flag("find", "-nmae")),
        ("curl --slient a", "curl: option --slient: is unknown", of_flag("curl", "--slient")),
        ("node --insepct a.js", "node: bad option: --insepct", of_flag("node", "--insepct")),
        ("cd a && npm ls | sort --uniq", "sort: unrecognized option `--uniq'", of_flag("sort", "--uniq")),
        ("Get-Item -Pth x", "A parameter cannot be found that matches parameter name 'Pth'.", of_flag("Get-Item", "-Pth")),
    ]);
}

#[test]
#[rustfmt::skip]
fn a_missing_script_is_named_with_its_runner() {
    assert_each(&[
        ("npm run biuld", "npm error Missing script: \"biuld\"", script("npm", "biuld")),
        ("pnpm biuld", " ERR_PNPM_NO_SCRIPT  Missing script: biuld", script("pnpm", "biuld")),
        ("yarn biuld", "error Command \"biuld\" not found.", script("yarn", "biuld")),
        ("yarn run biuld", "Usage Error: Couldn't find a script named \"biuld\".", script("yarn", "biuld")),
        ("bun run biuld", "error: Script not found \"biuld\"", script("bun", "biuld")),
        ("make -C app biuld", "make: *** No rule to make target 'biuld'.  Stop.", script("make", "biuld")),
        ("bmake biuld", "bmake: don't know how to make biuld. Stop", script("bmake", "biuld")),
        ("just biuld", "error: Justfile does not contain recipe `biuld`", script("just", "biuld")),
        ("task biuld", "task: Task \"biuld\" does not exist", script("task", "biuld")),
        ("composer biuld", "Command \"biuld\" is not defined.", script("composer", "biuld")),
        ("./gradlew biuld", "Task 'biuld' not found in root project 'x'.", script("gradlew", "biuld")),
        ("rake biuld", "Don't know how to build task 'biuld' (See the list of available tasks)", script("rake", "biuld")),
        ("deno task biuld", "Task not found: biuld", script("deno", "biuld")),
        ("ant biuld", "BUILD FAILED\nTarget \"biuld\" does not exist in the project \"x\".", script("ant", "biuld")),
        ("lein biuld", "'biuld' is not a task. See 'lein help'.", script("lein", "biuld")),
        ("turbo run biuld", "× Could not find task `biuld` in project", script("turbo", "biuld")),
        ("inv biuld", "No idea what 'biuld' is!", script("inv", "biuld")),
    ]);
}

#[test]
#[rustfmt::skip]
fn a_missing_folder_is_named_where_the_line_changes_to_it() {
    assert_each(&[
        ("cd aps/web && npm test", "bash: line 1: cd: aps/web: No such file or directory", folder("aps/web")),
        ("cd \"aps\"", "bash: cd: aps: No such file or directory", folder("aps")),
        ("cd aps", "/bin/sh: 1: cd: can't cd to aps", folder("aps")),
        ("cd 'my aps' && ls", "bash: cd: my aps: No such file or directory", folder("my aps")),
        ("(cd aps && make)", "bash: line 1: cd: aps: No such file or directory", folder("aps")),
        ("cd aps; ls", "cd: no such file or directory: aps", folder("aps")),
        ("cd ~/aps", "bash: cd: /home/ann/aps: No such file or directory", folder("~/aps")),
        ("pushd aps", "bash: pushd: aps: No such file or directory", folder("aps")),
        ("cd README.md", "bash: cd: README.md: Not a directory", folder("README.md")),
        ("Set-Location aps", "Set-Location: Cannot find path 'aps' because it does not exist.", folder("aps")),
        ("cd aps", "cd: The directory 'aps' does not exist", folder("aps")),
    ]);
}

#[test]
#[rustfmt::skip]
fn an_unknown_sub_command_is_named_with_its_program() {
    assert_each(&[
        ("git psh origin", "git: 'psh' is not a git command. See 'git --help'.", sub("git", "psh")),
        ("cargo biuld", "error: no such command: `biuld`", sub("cargo", "biuld")),
        ("docker psx", "docker: 'psx' is not a docker command.", sub("docker", "psx")),
        ("kubectl gte pods", "error: unknown command \"gte\" for \"kubectl\"", sub("kubectl", "gte")),
        ("npm isntall", "Unknown command: \"isntall\"", sub("npm", "isntall")),
        ("uv snyc", "error: unrecognized subcommand 'snyc'", sub("uv", "snyc")),
        ("flask rn", "Error: No such command 'rn'.", sub("flask", "rn")),
        ("go biuld ./...", "go biuld: unknown command\nRun 'go help' for usage.", sub("go", "biuld")),
        ("systemctl statsu x", "Unknown command verb statsu.", sub("systemctl", "statsu")),
        ("bundle isntall", "Could not find command \"isntall\".", sub("bundle", "isntall")),
        ("tool rnu", "tool: error: argument cmd: invalid choice: 'rnu' (choose from 'run')", sub("tool", "rnu")),
        ("FOO=1 pip isntall x", "ERROR: unknown command \"isntall\" - maybe you meant \"install\"", sub("pip", "isntall")),
    ]);
}

#[test]
#[rustfmt::skip]
fn a_name_that_the_command_does_not_hold_is_no_part_of_it() {
    assert_each(&[
        ("npm test", "sh: 1: jest: not found", None),
        ("cat notes.txt", "cat: notes.txt: No such file or directory", None),
        ("make all", "make: *** No rule to make target 'a.h', needed by 'a.o'.  Stop.", None),
        ("ls aps", "bash: cd: aps: No such file or directory", None),
        ("tool --fmt xml", "tool: error: argument --fmt: invalid choice: 'xml' (choose from 'csv')", None),
        ("git push", "fatal: unrecognized argument: --onelin", None),
        ("brew isntall x", "Error: Unknown command: brew isntall", None),
        ("tool --fmt xml", "error: invalid value 'xml' for '--fmt <FMT>'", None),
        ("git push", "error: failed to push some refs", None),
        ("python a.py x", "ValueError: invalid option for x", None),
        ("grep foo a.txt", "", None),
        ("", "bash: jqq: command not found", None),
    ]);
}

#[test]
fn the_end_of_a_long_output_is_read() {
    let output = format!(
        "{}\nmake: *** No rule to make target 'biuld'.  Stop.",
        "ok\n".repeat(50_000)
    );
    assert_eq!(failing_part("make biuld", &output), script("make", "biuld"));
}

#[test]
fn every_shape_is_a_pattern() {
    assert_eq!(RULES.len(), SHAPES.len());
}
