//! What the first rules make of a text, and that they still make it.

use serde_json::Value;

use super::*;
use crate::lesson::fingerprint::Evidence;
use crate::lesson::fingerprint::reading::{ids, put_step};

fn shown(text: &str) -> First {
    let mut first = First::new(Form::Shown);
    put_step(&mut first, &error(text));
    first
}

fn error(text: &str) -> Evidence {
    Evidence {
        error: Value::from(text),
        ..Evidence::default()
    }
}

/// Texts with their normalised form.
#[rustfmt::skip]
const NORMALISED: &[(&str, &str)] = &[
    ("", ""),
    ("   \t\n", ""),
    (
        "ERROR at line 3: unknown function SUM",
        "error line <num> unknown function sum",
    ),
    (
        "UNIQUE constraint failed: ledger.event_id='evt-1001' at /x/run-123/task.db line 77",
        "unique constraint failed ledger event_id <*> <path> line <num>",
    ),
    (
        "session 550e8400-e29b-41d4-a716-446655440000 and 0xDEADBEEF",
        "session <uuid> <hex>",
    ),
    ("deadbeef cafe ffffffff", "<hex> cafe <hex>"),
    ("pid=4711 port=080 key=abc", "pid <num> port <num> key abc"),
    ("sessionid:0x34ed9 size:12", "sessionid <hex> size <num>"),
    (
        "GET https://api.example.org/v1/users?id=7 failed",
        "get <url> failed",
    ),
    (
        "open C:\\Users\\x\\f.txt or ~/notes or ./a/b or data.csv",
        "open <path> or <path>",
    ),
    ("input/output error on n/a", "input output error n"),
    (
        "from 10.0.0.1:8080 to [fe80::1] via 00:11:43:e3:ba:c3, mail a.b@c.org",
        "<addr> via <addr> mail <addr>",
    ),
    (
        "ns.example.co.uk refused, biblioteka.wsi.edu.pl too",
        "<addr> refused <addr> too",
    ),
    (
        "java.io.IOException in com.example.Main",
        "java io ioexception com example main",
    ),
    ("at Fri Jun 17 07:07:00 2005", "<time> <num>"),
    (
        "2024-05-13T10:00:00Z [13/Jun/2005:10:00:00 +0200]",
        "<time> <num>",
    ),
    ("took 12 ms, 8.8 KB free", "took <num> free"),
    ("blk_-7555801584297376435 task_2008_m_3", "<*>"),
    (
        "sshd[4711]: LOCAL(0) said fp compare.......0",
        "<*> said fp compare <num>",
    ),
    ("the the error error in in line line 12", "error line <num>"),
    (
        "can't open 'don't'; it's the users' file",
        "can't open don't it's users file",
    ),
    (
        "for user root from 1.2.3.4; invalid user name",
        "user <name> <addr> invalid user name",
    ),
    ("***** NEW SWEEP ***** -> => :: == <= %", "new sweep"),
    ("HTTP 429 Too Many Requests", "http 429 too many requests"),
    (
        "status code 200, exit code 127, line 404",
        "status code <num> exit code 127 line <num>",
    ),
];

#[test]
fn volatile_pieces_become_typed_masks() {
    let wrong: Vec<_> = NORMALISED
        .iter()
        .map(|(text, expected)| (text, shown(text).fine().to_owned(), expected))
        .filter(|(_, ours, expected)| ours != *expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_coarse_level_masks_what_is_quoted() {
    let both = shown("unknown column 'total' in \"sales table\"");
    assert_eq!(both.fine(), "unknown column total sales table");
    assert_eq!(both.coarse(), "unknown column <str>");
}

#[test]
fn identities_are_those_that_older_rows_hold() {
    for (text, id) in [
        ("disk full", "fp_de43ba4a8a9611122279"),
        ("open /x/y", "fp_cd5483ec470c1a63c328"),
        ("exit code 127, line 8", "fp_3017dcb36aba232e3837"),
    ] {
        let mut first = First::new(Form::Identity);
        let context = put_step(&mut first, &error(text));
        assert_eq!(ids(&first, &context).0.to_string(), id, "{text:?}");
    }
}
