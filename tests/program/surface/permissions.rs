//! Files that the user may not write or read, and an interrupt. Root may do everything, so under root the program runs
//! as an unprivileged user.
#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::executable::copy_program;
use crate::world::{Ran, World};

const NOBODY: u32 = 65_534;

fn allow(path: impl AsRef<Path>, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Runs the program as a user whom permissions bind.
fn run_bound(world: &World, arguments: &[&str], stdin: &str) -> Ran {
    let mut command = world.command();
    if fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0) {
        command = Command::new(world.path("program"));
        command.env_clear().env("HOME", world.path("home"));
        command.env("HINDLORE_STORE", world.store());
        // Outside of any repository, whose scope would be chosen.
        command.current_dir(world.path(""));
        command.uid(NOBODY).gid(NOBODY);
    }
    world.feed(command.args(arguments), stdin.as_bytes())
}

fn bound_world() -> World {
    let world = World::seeded();
    copy_program(&world.path("program"));
    allow(world.path(""), 0o755);
    world
}

#[test]
fn a_read_only_store_is_read_and_not_written() {
    let world = bound_world();
    let before = world.digest();
    allow(world.store(), 0o444);
    allow(world.path(""), 0o555);
    let add = r#"[{"op":"ADD","content":"x"}]"#;
    run_bound(&world, &["delta", "apply", "-", "--json"], add).problem("store_read_only");
    let untraced = run_bound(&world, &["retrieve", "pump", "--json"], "").document();
    let why = untraced["not_recorded"].as_str().unwrap();
    assert!(why.contains("may only be read"), "{why}");
    assert_eq!(untraced["peek"], true);
    assert!(untraced["retrieval"].is_null(), "{untraced}");
    let peek = run_bound(&world, &["retrieve", "pump", "--peek", "--json"], "");
    assert_eq!(peek.document()["results"][0]["rank"], 1);
    let digest = run_bound(&world, &["digest", "--json"], "");
    assert_eq!(digest.document(), before);
    allow(world.path(""), 0o755);
    assert_eq!(world.digest(), before);
}

#[test]
fn a_file_that_may_not_be_read_is_told() {
    let world = bound_world();
    let before = world.digest();
    let file = world.file("delta.json", "[]");
    allow(&file, 0o000);
    let message =
        run_bound(&world, &["delta", "apply", &file, "--json"], "").problem("unreadable_input");
    assert!(message.contains("may not be read"), "{message}");
    assert_eq!(world.digest(), before);
}

#[test]
fn an_interrupt_ends_the_program_and_leaves_the_memory_as_it_is() {
    let world = World::seeded();
    let before = world.digest();
    let mut command = world.command();
    command.args(["delta", "apply", "-"]).stdin(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"[{\"op\":").unwrap();
    sleep(Duration::from_millis(300));
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
    let mut said = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(said.contains("interrupted"), "{said}");
    drop(stdin);
    assert_eq!(world.digest(), before);
}
