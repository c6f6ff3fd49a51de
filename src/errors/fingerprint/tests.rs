//! Worked examples of the ladder and of the inputs of an identity, for any rules that make the pieces.

use serde_json::json;

use super::*;

fn of(evidence: &Evidence) -> Fingerprints {
    Fingerprinter::default().of(evidence)
}

fn error(text: &str) -> Fingerprints {
    of(&Evidence {
        error: Value::from(text),
        ..Evidence::default()
    })
}

#[test]
fn coarse_masks_what_is_quoted_and_fine_keeps_it() {
    let table = [
        (
            "unknown column 'total' in \"sales table\"",
            "unknown column total in sales table",
            "unknown column <str> in <str>",
        ),
        (
            "called `is_some()` here",
            "called is_some() here",
            "called <str> here",
        ),
        ("it's the user's \"x", "it's user's x", "it's user's x"),
    ];
    for (text, fine, coarse) in table {
        let both = error(text);
        assert_eq!(
            (
                both.fine.normalised.as_str(),
                both.coarse.normalised.as_str()
            ),
            (fine, coarse),
            "{text:?}"
        );
    }
    let (a, b) = (error("unknown column 'a'"), error("unknown column 'b'"));
    assert_ne!(a.fine.id, b.fine.id);
    assert_eq!(a.coarse.id, b.coarse.id);
    let plain = error("disk full");
    assert_eq!(plain.fine.id, plain.coarse.id);
    assert_eq!(plain.ids().len(), 1);
}

#[test]
fn errors_of_every_script_keep_their_letters() {
    let texts = [
        "",
        "文件未找到",
        "权限被拒绝",
        "Файл не найден",
        "Доступ запрещён",
        "ファイルが見つかりません",
        "파일을 찾을 수 없습니다",
        "الملف غير موجود",
        "קובץ לא נמצא",
        "फ़ाइल नहीं मिली",
        "ไม่พบไฟล์",
        "Δεν βρέθηκε",
    ];
    let mut ids: Vec<FingerprintId> = texts.iter().map(|text| error(text).fine.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), texts.len());
    // A number inside a text without blanks must not take the text along.
    assert_eq!(error("第5行出错").fine.id, error("第17行出错").fine.id);
    assert_ne!(error("第5行出错").fine.id, error("第5列出错").fine.id);
    assert_eq!(
        error("Ошибка в строке ٣").fine.id,
        error("ошибка в строке 8").fine.id
    );
    assert_eq!(
        error("ＥＲＲＯＲ：“ｘ”").coarse.id,
        error("error: \"y\"").coarse.id
    );
}

#[test]
fn which_kind_a_volatile_value_is_of_does_not_split_an_error() {
    for (a, b) in [
        ("lifetime <1 sec", "lifetime 00:02"),
        ("host 10.0.0.1 gone", "host ns.example.com gone"),
        ("session 0x1f ended", "session 31 ended"),
        ("(IRQs 3 4 5)", "(IRQs 3 4 5 6 *11 12)"),
    ] {
        assert_eq!(error(a).fine.id, error(b).fine.id, "{a:?} {b:?}");
    }
    for (a, b) in [
        ("open /a/b", "open 12"),
        ("HTTP 404", "HTTP 500"),
        ("exit code 1", "exit code 2"),
    ] {
        assert_ne!(error(a).fine.id, error(b).fine.id, "{a:?} {b:?}");
    }
}

#[test]
fn json_is_read_in_the_order_of_its_keys_and_its_message_is_kept() {
    let one = of(&Evidence {
        error: json!({"code": 7, "message": "no 'x' here"}),
        ..Evidence::default()
    });
    let two = error(r#"{"message": "no 'y' here", "code": 123}"#);
    assert_eq!(one.coarse.id, two.coarse.id);
    assert_ne!(one.fine.id, two.fine.id);
    assert_eq!(one.coarse.normalised, "code <num> message no <str> here");
    assert_eq!(
        Fingerprinter::default().of_text(r#"{"message": "no 'y' here", "code": 123}"#),
        (two.fine.id, two.coarse.id)
    );
    assert_ne!(
        error(r#"{"error": "rate limited"}"#).coarse.id,
        error(r#"{"error": "not found"}"#).coarse.id
    );
}

#[test]
fn an_error_text_has_one_identity_with_and_without_state_and_action() {
    let alone = error("no such column: \"total\"");
    for (state, action) in [
        (Value::Null, json!("grid run a.txt")),
        (json!("cwd=/x"), Value::Null),
        (
            json!({"cwd": "/a", "n": 1}),
            json!({"tool": "sql", "arguments": {"query": "x"}}),
        ),
        (
            json!({"n": 1}),
            json!({"name": "sql", "arguments": {"query": "x", "limit": 3}}),
        ),
    ] {
        let step = of(&Evidence {
            error: json!("no such column: \"total\""),
            state,
            action,
            state_after: json!("x=1"),
            reason: "failed".into(),
        });
        assert_eq!(step, alone);
    }
}

#[test]
fn without_an_error_text_the_transition_is_the_identity() {
    let step = |before: &str, action: &str, after: &str, reason: &str| {
        let text = |t: &str| Value::from(t);
        of(&Evidence {
            error: Value::Null,
            state: text(before),
            action: text(action),
            state_after: text(after),
            reason: reason.to_owned(),
        })
        .fine
        .id
    };
    let stuck = step(
        "room 3 door closed",
        "walk north",
        "room 3 door closed",
        "no_progress",
    );
    assert_eq!(
        stuck,
        step(
            "room 8 door closed",
            "walk north",
            "room 8 door closed",
            "no_progress"
        )
    );
    assert_ne!(
        stuck,
        step(
            "room 3 door closed",
            "walk south",
            "room 3 door closed",
            "no_progress"
        )
    );
    assert_ne!(
        stuck,
        step(
            "room 3 door closed",
            "walk north",
            "room 3 door closed",
            "collision"
        )
    );
    assert_ne!(step("a", "b", "", ""), step("a", "", "b", ""));
    let blank = of(&Evidence {
        error: json!("  "),
        reason: "stall".into(),
        ..Evidence::default()
    });
    assert_eq!(blank.fine.normalised, "reason stall");
}

#[test]
fn hostile_input_is_read_in_bounded_time() {
    let quotes = "'\"`".repeat(2_000_000);
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let binary: String = (0..1_000_000)
        .map(|n| char::from_u32(n % 0x2FFF).unwrap_or('\u{FFFD}'))
        .collect();
    for text in [
        quotes.as_str(),
        &deep,
        &binary,
        &"\u{0}\u{1F}".repeat(100),
        &"=".repeat(50_000),
        &"a=".repeat(9_000),
        &format!("{}1", "ab:".repeat(9_000)),
    ] {
        let both = error(text);
        assert!(both.fine.normalised.chars().count() <= NORMALISED_MAX_CHARS);
        assert_eq!(both, error(text));
    }
    // The beginning and the end of a long text count, the middle does not.
    let long = |middle: &str| {
        format!(
            "first {} {middle} {} last",
            "x ".repeat(20_000),
            "y ".repeat(20_000)
        )
    };
    assert_eq!(error(&long("p")).fine.id, error(&long("q")).fine.id);
    assert_ne!(
        error(&long("p")).fine.id,
        error(&format!("{} end", long("p"))).fine.id
    );
}

#[test]
fn classic_mode_knows_only_the_letters_a_to_z() {
    let classic = |text: &str| classic_fingerprint(&Value::from(text), &json!(""), &json!(""));
    for (text, normalised, id) in [
        (
            "UNIQUE constraint failed: ledger.event_id='evt-1001' at /x/run-123/task.db line 77",
            "unique constraint failed ledger event_id <str> <path> line <num>",
            "ef_352c1efd70c74541bcbc",
        ),
        (
            "HTTP 429 Too Many Requests: rate limit exceeded",
            "http <num> too many requests rate limit exceeded",
            "ef_b823a8b6e49e97571793",
        ),
        (
            "the the error error in in line line 12",
            "error line <num>",
            "ef_e493d16361aeb8c4fc88",
        ),
        (
            "0xDEADBEEF 550e8400-e29b-41d4-a716-446655440000 3.14 v1.2 run123 id_42",
            "<hex> <uuid> <num> v1 <num> run123 id_42",
            "ef_6bcec91ebd4f0a8e2e78",
        ),
        ("", "", "ef_c29ba64f51e194bd5696"),
    ] {
        assert_eq!(classic_normalised(&Value::from(text)), normalised);
        assert_eq!(classic(text), id, "{text:?}");
    }
    assert_eq!(classic("文件未找到"), classic(""));
    assert_eq!(classic("Файл не найден"), classic(""));
}
