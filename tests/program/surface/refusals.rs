//! Bad arguments, names, files and stores: each with exit 2, a clear problem, and nothing changed.

use std::ffi::OsString;
use std::fs;

use crate::world::World;

#[test]
fn usage_is_checked_and_told_in_json_where_that_was_asked() {
    let world = World::seeded();
    for (words, word) in [
        ("digset", "digest"),
        ("digest --lerner x", "--learner"),
        ("retrieve", "QUERY"),
        ("retrieve pump --top-k -1", "-1"),
        ("retrieve pump --top-k many", "many"),
        ("delta apply", "FILE"),
        ("retrieve pump --profile engin", "engine"),
        ("retrieve pump --type procedure", "procedural"),
        ("policy set floor", "FIELD=VALUE"),
        ("import --format classic", "FILE"),
        ("completions tcsh", "tcsh"),
    ] {
        let arguments: Vec<&str> = words.split(' ').collect();
        let message = world.refused(&arguments, b"", "invalid_usage");
        assert!(message.contains(word), "{words}: {message}");
    }
    let plain = world.run(&["digest", "--lerner", "x"]);
    assert_eq!((plain.code, plain.out.as_str()), (2, ""));
    assert!(plain.err.starts_with("error: "), "{plain:?}");
    assert_eq!(world.run(&["--help"]).code, 0);
    assert_eq!(world.run(&["--version"]).code, 0);
}

#[test]
fn a_negative_number_is_told_to_be_out_of_range() {
    let world = World::seeded();
    world.run(&["learn", "--run", "r1", "--", "false"]);
    for (words, code, word) in [
        ("retrieve pump --top-k -1", "invalid_usage", "from 0"),
        ("bullets list --limit -1", "invalid_usage", "from 0"),
        ("browser --port -1", "invalid_usage", "0..=65535"),
        ("runs end r1 --steps -1", "invalid_usage", "-1"),
        ("runs end r1 --score -0.5", "invalid_request", "0..=1"),
        ("digest --learner -1", "no_memory", "-1"),
    ] {
        let arguments: Vec<&str> = words.split(' ').collect();
        let message = world.refused(&arguments, b"", code);
        assert!(
            message.contains(word) && !message.contains("unexpected argument"),
            "{words}: {message}"
        );
    }
}

#[test]
fn what_a_user_names_must_exist() {
    let world = World::seeded();
    for (words, code) in [
        ("bullets show b_00000000000000000000", "no_bullet"),
        ("bullets show nobody", "no_bullet"),
        ("bullets pin nobody", "no_bullet"),
        ("bullets reject nobody --reason x", "no_bullet"),
        ("delta undo nothing", "no_delta"),
        ("delta undo d_creation", "invalid_request"),
        (
            "feedback r_nothing --used b_00000000000000000000",
            "no_retrieval",
        ),
        ("digest --learner nobody", "no_memory"),
        ("export --learner nobody", "no_memory"),
        ("replay --learner nobody", "no_memory"),
        ("memory clear --yes --learner nobody", "no_memory"),
        ("import --format yaml x", "unknown_format"),
        ("policy set flor=0.1", "invalid_policy"),
        ("policy set floor=2", "invalid_policy"),
        ("policy set tokeniser=2", "invalid_policy"),
        ("retrieve pump --top-k 0", "invalid_request"),
        ("retrieve pump --min-score nan", "invalid_request"),
        ("erase --yes", "needs_learner"),
        ("erase --learner default", "needs_consent"),
        ("memory clear", "needs_consent"),
    ] {
        let arguments: Vec<&str> = words.split(' ').collect();
        world.refused(&arguments, b"", code);
    }
}

#[test]
fn formats_and_forms_are_told_where_another_is_named() {
    let world = World::seeded();
    let message = world.refused(&["import", "--format", "foo", "x"], b"", "unknown_format");
    assert!(message.contains("classic-lessons"), "{message}");
}

#[test]
fn feedback_is_about_what_was_returned() {
    let world = World::seeded();
    let answer = world.json("retrieve pump");
    let retrieval = answer["retrieval"].as_str().unwrap();
    let other = "b_00000000000000000000";
    let message = world.refused(
        &["feedback", retrieval, "--used", other],
        b"",
        "invalid_request",
    );
    assert!(message.contains(other), "{message}");
    world.refused(&["feedback", retrieval], b"", "invalid_request");
}

#[test]
fn names_have_visible_characters_and_a_limit() {
    let world = World::seeded();
    let long = "x".repeat(257);
    for name in ["", "  ", "a\u{7}b", &long] {
        for option in ["--tenant", "--learner", "--scope"] {
            let message = world.refused(&["digest", option, name], b"", "invalid_key");
            assert!(message.contains(&option[2..]), "{message}");
        }
    }
}

#[test]
fn a_file_to_read_must_be_a_readable_text() {
    let world = World::seeded();
    let folder = world.path("folder");
    fs::create_dir(&folder).unwrap();
    let folder = folder.to_str().unwrap();
    let binary = world.file("binary", [0x89, b'P', b'N', b'G', 0xff, 0, 1, 2]);
    for (path, code, word) in [
        (folder, "unreadable_input", "folder"),
        ("/nowhere/at/all.json", "no_file", "does not exist"),
        (&binary, "not_text", "byte offset 0"),
    ] {
        let message = world.refused(&["delta", "apply", path], b"", code);
        assert!(message.contains(word), "{message}");
    }
    for (path, code, word) in [
        (folder, "nothing_to_import", "folder"),
        ("/nowhere/at/all.json", "no_file", "does not exist"),
        (&binary, "not_text", "a zero byte at byte offset 5"),
    ] {
        let message = world.refused(&["import", "--format", "ace-playbook", path], b"", code);
        assert!(message.contains(word), "{message}");
    }
    // Holes take no place on the disk.
    let huge = fs::File::create(world.path("huge")).unwrap();
    huge.set_len((256 << 20) + 1).unwrap();
    let message = world.refused(&["delta", "apply", "huge"], b"", "input_too_large");
    assert!(message.contains("268435456"), "{message}");
    world.refused(&["export", folder], b"", "unwritten_output");
    world.refused(&["export", "/nowhere/at/all"], b"", "unwritten_output");
}

#[test]
fn a_store_with_a_scheme_that_no_store_has_makes_no_file() {
    let world = World::seeded();
    let names = || {
        let listed = fs::read_dir(world.path("")).unwrap();
        let mut names: Vec<OsString> = listed.map(|one| one.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    for store in [
        "boltt://ann:secret@host",
        "http://host",
        "bolt:/host",
        "sqlite:x",
        " bolt://host",
    ] {
        for arguments in [
            &["digest", "--store", store][..],
            &["delta", "apply", "-", "--store", store],
            &["doctor", "--store", store],
            &["migrate", "--from", store, "--to", "b.db"],
            &["migrate", "--from", "memory.db", "--to", store],
        ] {
            let stdin = br#"[{"op":"ADD","content":"x"}]"#;
            let message = world.refused(arguments, stdin, "invalid_usage");
            assert!(
                message.contains("bolt+ssc://") && !message.contains("secret"),
                "{message}"
            );
        }
    }
    assert_eq!(names(), before);
    // A colon further down a path is part of a name.
    let odd = ["digest", "--store", "./10:30 notes: new.db"];
    let stdin = br#"[{"op":"ADD","content":"x"}]"#;
    let applied = world.run_with(&["delta", "apply", "-", "--store", odd[2]], stdin);
    assert_eq!((applied.code, world.run(&odd).code), (0, 0));
    assert!(world.run(&["--help"]).out.contains("bolt://"));
}

#[test]
fn a_look_at_a_store_that_was_mistyped_makes_none() {
    let world = World::seeded();
    let typo = world.path("memroy.db");
    for words in [
        "bullets list",
        "bullets show nobody",
        "bullets search pump",
        "bullets pin nobody",
        "retrieve pump --peek",
        "digest",
        "export",
        "replay",
        "analyze",
        "analyze search pump",
        "delta log",
        "delta undo d1",
        "feedback r_1 --used b_00000000000000000000",
        "memory list",
        "memory clear --yes",
        "policy show",
        "doctor",
        "health",
        "errors list",
        "lessons list",
        "runs list",
    ] {
        let words = format!("{words} --store {}", typo.display());
        let arguments: Vec<&str> = words.split(' ').collect();
        let message = world.refused(&arguments, b"", "no_store");
        assert!(message.contains("memroy.db"), "{message}");
        assert!(!typo.exists(), "{words}");
    }
    // A store of the settings may be one that is still to begin.
    let fresh = World::new();
    assert_eq!(fresh.run(&["memory", "list"]).code, 1);
    assert_eq!(fresh.run(&["lessons", "list"]).code, 1);
}

#[test]
fn a_store_that_is_none_is_left_alone() {
    let world = World::seeded();
    let folder = world.path("folder");
    fs::create_dir(&folder).unwrap();
    let text = world.file("notes.txt", "dear diary\n".repeat(200));
    let random: Vec<u8> = (0..10_000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let noise = world.file("noise", &random);
    for (store, code) in [
        (folder.to_str().unwrap(), "store_unavailable"),
        (&text, "store_foreign"),
        (&noise, "store_foreign"),
        ("neo4j://user:secret@host", "store_unavailable"),
        ("BOLT+S://host", "store_unavailable"),
        ("", "store_unavailable"),
    ] {
        for arguments in [
            &["digest", "--store", store][..],
            &["delta", "apply", "-", "--store", store],
        ] {
            let stdin = br#"[{"op":"ADD","content":"x"}]"#;
            let message = world.refused(arguments, stdin, code);
            assert!(!message.contains("secret"), "{message}");
        }
    }
    assert_eq!(
        fs::read(&text).unwrap(),
        "dear diary\n".repeat(200).as_bytes()
    );
    assert_eq!(fs::read(&noise).unwrap(), random);
}

#[test]
fn a_store_of_a_newer_version_is_left_alone() {
    let world = World::seeded();
    let path = world.path("newer.db");
    fs::copy(world.store(), &path).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    // The version is at byte 60 of the header of the file.
    bytes[60..64].copy_from_slice(&9_999_u32.to_be_bytes());
    fs::write(&path, &bytes).unwrap();
    let store = path.to_str().unwrap();
    world.refused(&["digest", "--store", store], b"", "store_newer_schema");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStringExt;
    let world = World::seeded();
    let noise = || OsString::from_vec(vec![b'a', 0xff]);
    for arguments in [
        vec!["digest".into(), "--learner".into(), noise()],
        vec!["retrieve".into(), noise()],
    ] {
        let arguments: Vec<OsString> = arguments;
        let message = world.refused(&arguments, b"", "invalid_usage");
        assert!(message.contains("UTF-8"), "{message}");
    }
}
