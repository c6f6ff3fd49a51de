//! `learn -- COMMAND` is the command as it is: its signals, its terminal, its streams, its end.

use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::termios::LocalModes;
use serde_json::Value;

use super::terminal::{Terminal, send, state, wait_for};
use crate::PROGRAM;
use crate::executable::write_script;
use crate::world::{World, texts};

/// `learn` around a script of the shell, its streams in files; begun when the script has written `up`.
fn begun(world: &World, script: &str) -> (Child, String) {
    let out = File::create(world.path("out")).unwrap();
    let mut command = world.command();
    command.args(["learn", "--", "sh", "-c", script]);
    command
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(Stdio::null())
        // The system discards a stop for a group whose parents are all outside the session, as in a job without a terminal.
        .process_group(0);
    let child = command.spawn().unwrap();
    let pid = child.id().to_string();
    wait_for(|| shown(world).contains("up").then_some(()));
    (child, pid)
}

/// Runs a script of the shell in the folder and the environment of a world.
fn shell(world: &World, script: &str) -> Output {
    let of_world = world.command();
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).current_dir(world.path(""));
    let all = of_world.get_envs();
    shell.envs(all.filter_map(|(name, value)| Some((name, value?))));
    shell.output().unwrap()
}

fn shown(world: &World) -> String {
    fs::read_to_string(world.path("out")).unwrap()
}

fn errors(world: &World, field: &str) -> Vec<String> {
    texts(&world.json("errors list")["errors"], field)
}

#[test]
fn every_signal_reaches_the_command_and_ends_this_program_like_it() {
    let signals = [
        "HUP", "INT", "QUIT", "USR1", "USR2", "ALRM", "TERM", "VTALRM", "PROF", "TRAP",
    ];
    for signal in signals.into_iter().chain(["ABRT", "SYS"]) {
        let world = World::new();
        let (mut child, pid) = begun(&world, "echo up; exec sleep 60");
        let began = Instant::now();
        send(signal, &pid);
        let ended = child.wait().unwrap();
        let number = ended
            .signal()
            .unwrap_or_else(|| panic!("{signal}: {ended:?}"));
        assert!(began.elapsed() < Duration::from_secs(20), "{signal}");
        let name = Command::new("sh")
            .args(["-c", &format!("kill -l {number}")])
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&name.stdout).trim(), signal);
        assert_eq!(
            errors(&world, "reason"),
            [format!("killed by signal {number}")]
        );
    }
}

#[test]
fn a_command_that_catches_a_signal_ends_as_it_wants() {
    let world = World::new();
    let script = "trap 'echo got INT; exit 9' INT; trap 'echo got USR1' USR1; \
                  trap 'echo got WINCH' WINCH; echo up; while :; do sleep 0.02; done";
    let (mut child, pid) = begun(&world, script);
    for signal in ["USR1", "WINCH", "USR1"] {
        let before = shown(&world).lines().count();
        send(signal, &pid);
        wait_for(|| (shown(&world).lines().count() > before).then_some(()));
    }
    send("INT", &pid);
    assert_eq!(child.wait().unwrap().code(), Some(9));
    assert_eq!(
        shown(&world),
        "up\ngot USR1\ngot WINCH\ngot USR1\ngot INT\n"
    );
}

#[test]
fn a_killed_command_is_told_to_a_shell_like_any_other() {
    let world = World::new();
    let script = format!("'{PROGRAM}' learn -- sh -c 'kill -s KILL $$'; echo \"$?\"");
    let told = shell(&world, &script);
    assert!(
        String::from_utf8_lossy(&told.stdout).contains("137"),
        "{told:?}"
    );
    let mut direct = world.command();
    let ended = direct
        .args(["learn", "--", "sh", "-c", "kill -s KILL $$"])
        .status();
    assert_eq!(ended.unwrap().signal(), Some(9));
}

#[test]
fn what_a_user_ignores_stays_ignored() {
    let world = World::new();
    let command = "sh -c 'kill -s HUP $$; echo still here'";
    let ran = shell(
        &world,
        &format!("trap '' HUP; exec '{PROGRAM}' learn -- {command}"),
    );
    assert_eq!(
        (ran.status.code(), &*ran.stdout),
        (Some(0), &b"still here\n"[..])
    );
}

#[test]
fn stop_and_continue_reach_the_command_and_this_program() {
    let world = World::new();
    let (mut child, pid) = begun(&world, "echo up $$; while :; do sleep 0.02; done");
    let own = shown(&world).split_whitespace().nth(1).unwrap().to_owned();
    for _ in 0..2 {
        send("TSTP", &pid);
        wait_for(|| (state(&own) == Some('T') && state(&pid) == Some('T')).then_some(()));
        send("CONT", &pid);
        wait_for(|| (state(&own) != Some('T') && state(&pid) != Some('T')).then_some(()));
    }
    send("TERM", &pid);
    assert_eq!(child.wait().unwrap().signal(), Some(15));
}

#[test]
fn a_terminal_stays_one_on_every_stream_it_is_one() {
    let world = World::new();
    let test = "for fd in 0 1 2; do test -t $fd && printf t >> kinds || printf f >> kinds; done";
    for kinds in ["ttt", "ttf", "tft", "tff"] {
        let terminal = Terminal::new();
        let _ = fs::remove_file(world.path("kinds"));
        let stream = |at: usize| match kinds.as_bytes()[at] {
            b't' => Stdio::from(terminal.side()),
            _ => Stdio::piped(),
        };
        let words = [PROGRAM, "learn", "--", "sh", "-c", test];
        let child = terminal.start_with(&world, &words, (stream(0), stream(1), stream(2)));
        assert!(child.wait_with_output().unwrap().status.success());
        assert_eq!(fs::read_to_string(world.path("kinds")).unwrap(), kinds);
    }
}

#[test]
fn on_a_terminal_the_order_and_the_bytes_stay_and_failures_are_learned() {
    let world = World::new();
    let terminal = Terminal::new();
    let script = "i=0; while [ $i -lt 300 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done; \
                  printf 'no\\tsuch thing\\n'; exit 4";
    let mut child = terminal.start(&world, &[PROGRAM, "learn", "--", "sh", "-c", script]);
    assert_eq!(child.wait().unwrap().code(), Some(4));
    let seen = terminal.shows("such thing\r\n");
    let mut wanted: String = (0..300).map(|i| format!("o{i}\r\ne{i}\r\n")).collect();
    wanted.push_str("no\tsuch thing\r\n");
    assert_eq!(seen, wanted);
    assert!(errors(&world, "error")[0].ends_with("no\tsuch thing"));
}

#[test]
fn an_interrupt_from_the_terminal_comes_once() {
    let world = World::new();
    let script = "n=0; trap 'n=$((n+1))' INT QUIT; echo ready; \
                  i=0; while [ $i -lt 60 ]; do sleep 0.02; i=$((i+1)); done; echo \"count $n\"; exit 6";
    for key in [b"\x03", b"\x1c"] {
        // A screen of its own: an earlier `ready` on a shared one would prove nothing about this command.
        let terminal = Terminal::new();
        let mut child = terminal.start(&world, &[PROGRAM, "learn", "--", "sh", "-c", script]);
        terminal.shows("ready");
        std::thread::sleep(Duration::from_millis(100));
        terminal.type_in(key);
        assert_eq!(child.wait().unwrap().code(), Some(6));
        let seen = terminal.shows("count");
        assert!(
            !seen.contains("count 2") && seen.contains("count 1"),
            "{seen}"
        );
    }
}

#[test]
fn an_interrupt_from_the_terminal_ends_both() {
    let world = World::new();
    let terminal = Terminal::new();
    let mut child = terminal.start(
        &world,
        &[
            PROGRAM,
            "learn",
            "--",
            "sh",
            "-c",
            "echo ready; exec sleep 60",
        ],
    );
    terminal.shows("ready");
    terminal.type_in(b"\x03");
    assert_eq!(child.wait().unwrap().signal(), Some(2));
    assert_eq!(errors(&world, "reason"), ["killed by signal 2"]);
}

#[test]
fn job_control_stops_and_goes_on_as_without_learn() {
    let world = World::new();
    let terminal = Terminal::new();
    let script = format!(
        "set -m; '{PROGRAM}' learn -- sh -c 'echo ready; read line; echo \"got $line\"; exit 3'; \
         echo \"stopped $?\"; fg >/dev/null; echo \"ended $?\""
    );
    let mut shell = terminal.start(&world, &["bash", "--norc", "-c", &script]);
    terminal.shows("ready");
    std::thread::sleep(Duration::from_millis(200));
    terminal.type_in(b"\x1a");
    let seen = terminal.shows("stopped ");
    terminal.type_in(b"hello\n");
    let seen = format!("{seen}{}", terminal.shows("ended 3"));
    assert!(seen.contains("got hello"), "{seen}");
    shell.wait().unwrap();
}

#[test]
fn size_and_modes_of_the_terminal_are_those_of_the_command() {
    let world = World::new();
    let terminal = Terminal::new();
    let script = "stty size <&1; stty size <&2; trap 'stty size <&1; exit 0' WINCH; echo ready; \
                  while :; do sleep 0.02; done";
    let mut child = terminal.start(&world, &[PROGRAM, "learn", "--", "sh", "-c", script]);
    terminal.shows("ready");
    terminal.resize(50, 132);
    assert!(child.wait().unwrap().success());
    let seen = terminal.shows("50 132");
    assert!(seen.starts_with("40 100\r\n40 100\r\n"), "{seen}");
    // Settings that a program makes on its stdout, as full-screen programs do, hold for its keys.
    let script =
        "stty -icanon -echo <&1; echo set; sleep 0.5; stty icanon echo <&1; echo back; sleep 0.5";
    let mut child = terminal.start(&world, &[PROGRAM, "learn", "--", "sh", "-c", script]);
    terminal.shows("set");
    let both = LocalModes::ICANON | LocalModes::ECHO;
    wait_for(|| (!terminal.modes().local_modes.intersects(both)).then_some(()));
    terminal.shows("back");
    wait_for(|| terminal.modes().local_modes.contains(both).then_some(()));
    assert!(child.wait().unwrap().success());
}

#[test]
fn pipes_and_files_get_every_byte_in_order() {
    let world = World::new();
    let script = "i=0; while [ $i -lt 300 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done\n\
                  printf 'end\\000\\377'\n";
    world.file("script", script);
    let mut wanted: Vec<u8> = (0..300)
        .flat_map(|i| format!("o{i}\ne{i}\n").into_bytes())
        .collect();
    wanted.extend(b"end\0\xff");
    for to in ["2>&1 | cat > out", "> out 2>&1", ">> out 2>> out"] {
        let _ = fs::remove_file(world.path("out"));
        let ran = shell(&world, &format!("'{PROGRAM}' learn -- sh script {to}"));
        assert!(ran.status.success(), "{to}: {ran:?}");
        let got = fs::read(world.path("out")).unwrap();
        assert!(got == wanted, "{to}: {}", String::from_utf8_lossy(&got));
    }
}

#[test]
fn the_end_of_stdout_is_learned_from_where_stderr_says_nothing() {
    let world = World::new();
    let script = "i=0; while [ $i -lt 2000 ]; do echo \"passed $i\"; i=$((i+1)); done\n\
                  echo 'FAILED tests/test_sum.py: assert 3 == 4'; exit 1\n";
    world.file("script", script);
    for (to, name) in [("", "pipe"), (" > log", "file")] {
        let script = format!("'{PROGRAM}' learn --run {name} -- sh script{to}");
        let ran = shell(&world, &script);
        assert_eq!(ran.status.code(), Some(1), "{ran:?}");
        let listed = world.json(&format!("errors list --run {name}"));
        let error = texts(&listed["errors"], "error").remove(0);
        assert!(error.ends_with("FAILED tests/test_sum.py: assert 3 == 4"));
        assert!(error.contains("passed 1999") && error.len() <= 8 << 10);
    }
    // Text on stderr is the error.
    world.run(&[
        "learn",
        "--run",
        "both",
        "--",
        "sh",
        "-c",
        "echo out; echo cause >&2; exit 1",
    ]);
    let listed = world.json("errors list --run both");
    assert_eq!(texts(&listed["errors"], "error"), ["cause"]);
}

#[test]
fn what_a_command_leaves_running_lives_on_with_its_streams() {
    let world = World::new();
    let script = "(sleep 1; echo late; echo late >&2; sleep 0.2; echo later && echo survived > lives) & exit 5";
    let mut command = world.command();
    command
        .args(["learn", "--", "sh", "-c", script])
        .stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let began = Instant::now();
    let mut child = command.spawn().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(5));
    assert!(!world.path("lives").exists(), "{:?}", began.elapsed());
    // The streams end when the one that holds them ends, as they would without learn.
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (&*output.stdout, &*output.stderr),
        (&b"late\nlater\n"[..], &b"late\n"[..])
    );
    assert_eq!(
        fs::read_to_string(world.path("lives")).unwrap(),
        "survived\n"
    );
    // On a terminal as well, also after the session that began it.
    fs::remove_file(world.path("lives")).unwrap();
    let terminal = Terminal::new();
    let script = format!("'{PROGRAM}' learn -- sh -c '{script}'; echo \"then $?\"; sleep 2");
    let mut shell = terminal.start(&world, &["sh", "-c", &script]);
    let seen = terminal.shows("then 5");
    assert!(!seen.contains("late"), "{seen}");
    terminal.shows("later");
    wait_for(|| world.path("lives").exists().then_some(()));
    shell.wait().unwrap();
}

#[test]
fn a_reader_that_goes_ends_the_command_as_it_would() {
    let world = World::new();
    // `yes` ends by the pipe; `tail -f` sees that its reader has gone without writing.
    for command in ["yes", "sh -c 'echo first; exec tail -f /dev/null'"] {
        let began = Instant::now();
        let ran = shell(
            &world,
            &format!("'{PROGRAM}' learn -- {command} | head -n 1"),
        );
        let lines = ran.stdout.iter().filter(|byte| **byte == b'\n');
        assert_eq!(lines.count(), 1);
        assert!(began.elapsed() < Duration::from_secs(20), "{command}");
    }
}

#[test]
fn a_script_that_says_not_what_runs_it_runs_as_in_a_shell() {
    let world = World::new();
    let script = world.path("plain");
    write_script(&script, "echo \"plain $1\"\nexit 3\n");
    let ran = world.run(&["learn", "--", script.to_str().unwrap(), "words"]);
    assert_eq!((ran.code, &*ran.out), (3, "plain words\n"));
}

#[test]
fn left_as_it_is_a_command_has_its_streams_for_itself() {
    let world = World::new();
    let ran = world.run(&[
        "learn",
        "--as-is",
        "--",
        "sh",
        "-c",
        "echo out; echo err >&2; exit 3",
    ]);
    assert_eq!((ran.code, &*ran.out, &*ran.err), (3, "out\n", "err\n"));
    let listed = world.json("errors list")["errors"].clone();
    assert_eq!(texts(&listed, "reason"), ["exit code 3"]);
    assert_eq!(listed[0]["error"], Value::from(""));
}
