//! Lines of programs that were not used for tuning: written by hand in the forms that phones, clusters, desktops,
//! proxies and compilers use. Two that one statement wrote share a fingerprint, two of different ones do not.

use hindlore_errors::fingerprint::{Evidence, Fingerprinter, Fingerprints};
use serde_json::Value;

fn of(text: &str) -> Fingerprints {
    Fingerprinter::default().of(&Evidence {
        error: Value::from(text),
        ..Evidence::default()
    })
}

/// Lines that one statement wrote with other values.
#[rustfmt::skip]
const SAME: &[(&str, &str)] = &[
    // Components of packages, with a slash between dotted names.
    ("moving ActivityRecord{9f4ef63 u0 com.shop.app/.ui.CartActivity t76} to front",
     "moving ActivityRecord{0b04e9d u0 org.games.chess/org.games.ui.Board t8} to front"),
    ("setVisibility vis=0 mask=ffffffff old=40000500", "setVisibility vis=40000500 mask=ffff0000 old=0"),
    ("scheduling restart of crashed service com.shop.app/.sync.Worker in 1000ms",
     "scheduling restart of crashed service com.shop.app/.push.Listener in 16000ms"),
    // Ranges of nodes, and records of one form in any number.
    ("targets domains:node-D1 and nodes:node-[40-63] of command 217", "targets domains:node-D2 and nodes:node-74 of command 9"),
    ("unequal sets node-31 0x1ffe <ok> node-0 0xfffe <ok> node-1 0xfffe <ok>", "unequal sets node-31 0x1ffe <ok> node-0 0xfffe <ok>"),
    ("Fan speeds ( 3552 3534 3375 **** 3515 )", "Fan speeds ( 3552 3534 3375 4000 3515 )"),
    ("stack @0x7fed806eb5d @0x7fef9fb9b6d @0x7fef9f8358f", "stack @0x7fed806eb5d"),
    // Registers of a machine, numbered keys.
    ("r24=0x0000000a r25=0x0fe2a108 r26=0x00000001", "r0=0x0000000f r1=0x0fe2a100"),
    // Addresses of peers in every form.
    ("No route from MINI-7/127.0.0.1 to sa-41:8030", "No route from SA-39/172.22.149.145 to sa-41:9000"),
    ("proxy.example.edu.hk:5070 close, 0 bytes sent, lifetime <1 sec", "183.62.156.108:27 close, 412 bytes sent, lifetime 00:02"),
    ("Resolved SA-41.corp.example.com to /rack-a", "Resolved mini.corp.example.com to /rack-b/row"),
    // The log of a server: its answer is a field of the record.
    ("10.1.1.7 \"GET /v2/a1/servers/detail HTTP/1.1\" status: 200 len: 1893 time: 0.24",
     "10.1.2.9,10.1.1.7 \"GET /app/user_data HTTP/1.1\" status: 404 len: 176 time: 0.19"),
    // Keys before paths.
    ("failed for Error Path:/home", "failed for Error Path:/home/someone/x"),
    ("Saved output to file:/data/out", "Saved output to file:/data"),
    // Packages with versions in their names, stamps before messages.
    ("state of Package_for_KB2928120~31bf3856ad364e35~amd64~~6.1.1.2: 112", "state of Package_for_KB3020369~31bf3856ad364e35~amd64~~~6.1.0.2: 80"),
    ("00000001@2016/9/27:20:30:31.455 Init called", "0000003e@2016/9/28:04:30:31.455 Init called"),
    ("steps = 1514038440000##6993##548365##8661", "steps = 1514038530000##7007##548365##9"),
    ("dev0: channel changed to 132,+1", "dev1: channel changed to 6"),
];

/// Lines of different statements that are nearly alike.
#[rustfmt::skip]
const DIFFERENT: &[(&str, &str)] = &[
    ("ARPT: 62.01: AirPort_Brcm43xx::syncState: WWEN[on]", "ARPT: 62.01: AirPort_Brcm43xx::powerChange: WWEN[on]"),
    ("cannot call std::i32::from_str here", "cannot call std::i32::to_string here"),
    ("request failed with status 404", "request failed with status 500"),
    ("HTTP 403", "HTTP 401"),
    ("KeyError(12)", "IndexError(12)"),
    ("r24=0x0a", "fpr24=0x0a"),
    ("attempt_1_m_0 Transitioned from NEW to RUNNING", "attempt_1_m_0 Transitioned from RUNNING to KILLED"),
    ("java.io.IOException in org.app.Main", "java.net.ConnectException in org.app.Main"),
    ("read error on input/output", "read error on input"),
    ("took 3 ms", "took 3 apples"),
    ("node <ok> node <bad>", "node <ok>"),
];

#[test]
fn lines_of_one_statement_share_a_fingerprint() {
    let split: Vec<_> = SAME
        .iter()
        .map(|(a, b)| (of(a).fine, of(b).fine))
        .filter(|(a, b)| a.id != b.id)
        .map(|(a, b)| (a.normalised, b.normalised))
        .collect();
    assert!(split.is_empty(), "{split:#?}");
}

#[test]
fn lines_of_different_statements_do_not() {
    let joined: Vec<_> = DIFFERENT
        .iter()
        .map(|(a, b)| (of(a).coarse, of(b).coarse))
        .filter(|(a, b)| a.id == b.id)
        .collect();
    assert!(joined.is_empty(), "{joined:#?}");
}

#[test]
fn a_text_alone_has_the_fingerprints_of_a_step_that_says_no_more() {
    let mut printer = Fingerprinter::default();
    for (a, b) in SAME.iter().chain(DIFFERENT) {
        for text in [a, b] {
            let step = of(text);
            assert_eq!(
                printer.of_text(text),
                (step.fine.id, step.coarse.id),
                "{text}"
            );
        }
    }
}

#[test]
fn records_fold_however_many_there_are_and_cost_bounded_time() {
    let one = of("missing part 1 of 2").fine.id;
    assert_eq!(one, of(&"missing part 1 of 2 ".repeat(400)).fine.id);
    let mixed = "a 1 b 2 a 1 b c 3 ".repeat(3_000);
    assert_eq!(of(&mixed), of(&mixed));
}
