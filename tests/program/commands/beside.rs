//! Commands that a program next to this one carries out: it is found in the same folder, gets the typed words and ends
//! for both.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::executable::{copy_program, write_script};

/// A copy of the program in a folder of its own, without neighbours.
fn program(folder: &Path) -> PathBuf {
    let path = folder.join("hindlore");
    copy_program(&path);
    path
}

fn run(program: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.env_clear().env("HOME", program.parent().unwrap());
    command.args(arguments).output().unwrap()
}

#[test]
fn a_program_that_is_not_built_is_named_with_how_to_build_it() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path());
    for name in ["bench", "lab"] {
        let ended = run(&program, &[name, "--help"]);
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{said}");
        assert!(
            said.contains(&format!("cargo build --release -p hindlore-{name}")),
            "{said}"
        );
    }
}

#[test]
fn the_program_beside_gets_what_was_typed_and_ends_for_both() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path());
    let beside = folder.path().join("hindlore-bench");
    write_script(&beside, "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 7\n");
    let typed = [
        "--store", "a b.db", "--json", "bench", "memory", "--sizes", "-5", "--json", "--help",
    ];
    let ended = run(&program, &typed);
    let out = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(
        out,
        "<--store=a b.db><--json><--color=auto><memory><--sizes><-5><--json><--help>"
    );
    assert_eq!(ended.status.code(), Some(7));
}
