//! Worked examples of single messages: two occurrences of one error, and errors whose cures differ.

use serde_json::Value;

use crate::fingerprint::{Evidence, Fingerprinter};

fn fine(text: &str) -> String {
    let evidence = Evidence {
        error: Value::from(text),
        ..Evidence::default()
    };
    let fine = Fingerprinter::default().of(&evidence).fine;
    format!("{} {}", fine.id, fine.normalised)
}

/// Asserts that the fine fingerprints of each pair are equal, or that they differ.
pub(super) fn assert_pairs(pairs: &[(&str, &str)], are_equal: bool) {
    let wrong: Vec<_> = pairs
        .iter()
        .map(|(a, b)| (fine(a), fine(b)))
        .filter(|(a, b)| (a[..23] == b[..23]) != are_equal)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Two occurrences of one error.
#[rustfmt::skip]
const SAME: &[(&str, &str)] = &[
    ("worker (pid 33) is dead: signal 9", "worker (pid 99) is dead: signal 9"),
    ("{\"error\":\"slow down\",\"requestId\":\"Zq8KpLmWx\"}",
     "{\"error\":\"slow down\",\"requestId\":\"aaBbRtYuI\"}"),
    ("{\"error\":\"slow down\",\"span_id\":\"abcdefgh\"}", "{\"error\":\"slow down\",\"span_id\":\"zzxxccvv\"}"),
    ("{\"error\":\"slow down\",\"elapsed_ms\":12}", "{\"error\":\"slow down\",\"elapsed_ms\":991}"),
    ("worker node7 lost", "worker node12 lost"),
    ("blk_123 missing", "blk_998 missing"),
    ("--- FAIL: TestA/sub/one (0.01s)", "--- FAIL: TestA/sub/one (1.21s)"),
    ("the disk is full", "disk is full"),
    ("token expired at Mon, 21 Apr 2025 09:00:00 GMT", "token expired at Fri, 02 May 2025 19:00:10 GMT"),
    ("expiré le 3 juin 2025", "expiré le 14 mai 2024"),
    ("vencido em 3 de junho de 2025", "vencido em 14 de maio de 2024"),
    ("scaduto il 3 giugno 2025", "scaduto il 4 maggio 2024"),
    ("истёк 3 июня 2025", "истёк 14 мая 2024"),
    ("verlopen op 3 juni 2025", "verlopen op 14 mei 2024"),
    ("expired 03-Jun-2025", "expired 14-May-2024"),
    ("expired 3rd of June 2025", "expired 14th of May 2024"),
    ("expired on Tuesday, June 3, 2025", "expired on Wednesday, May 14, 2024"),
    ("expired 2025/06/03", "expired 2024/05/14"),
    ("expired 3.6.2025", "expired 14.05.2024"),
    ("at 10:15 PM", "at 7:02 AM"),
    ("run 20250603T101500Z failed", "run 20240514T011203Z failed"),
    ("ende am Dienstag, 3. Juni 2025 um 10:00", "ende am Mittwoch, 14. Mai 2024 um 11:30"),
    ("2025年6月3日10时 失败", "2024年12月14日1时 失败"),
    ("pod api-bcdfghjkl-vwxzk failed", "pod api-qrstvwxz-bcdfg failed"),
    ("com.foo.Job@abcabc died", "com.foo.Job@1a2b3c died"),
    ("<Foo object at 0x7f00> died", "<Foo object at 0x7fabc1> died"),
    ("upload id QmFzZTY0RW5jb2Rl failed", "upload id bWFueSB0b2tlbnMg failed"),
    ("lost session 5f2b9c1d8e7a", "lost session aa2b9c1d8e7f"),
    ("cannot write /tmp/tmp.AbCdEfGh12", "cannot write /tmp/tmp.ZzYyXxWwVv"),
    ("temp dir tmp.AbCdEfGh gone", "temp dir tmp.ZzYyXxWw gone"),
    ("1 file changed", "12 files changed"),
    ("1 warning emitted", "3 warnings emitted"),
    ("retry in 1 minute", "retry in 45 seconds"),
    ("found 1 match", "found 3 matches"),
    ("1 dependency missing", "2 dependencies missing"),
    ("1 class failed", "2 classes failed"),
    ("build failed due to 1 previous error; 2 warnings emitted",
     "build failed due to 3 previous errors; 1 warning emitted"),
    ("wait 1 hour", "wait 3 days"),
    ("1 query failed", "7 queries failed"),
    ("src/a.rs:3:4: unused", "lib/x/b.rs:33:14: unused"),
    ("a.py:3: bad", "/w/x/b.py:33: bad"),
    ("b.cc(3): error C2143: syntax error", "D:\\x\\b.cc(33): error C2143: syntax error"),
    ("at a.js:3:4", "at /w/dist/a.js:30:41"),
    ("App.tsx:3:1 - error TS1005: ';' expected.", "src/components/App.tsx:33:21 - error TS1005: ';' expected."),
    ("[a.ts:3] bad", "[src/lib/a.ts:30] bad"),
    ("Dockerfile:3: unknown instruction", "build/Dockerfile:9: unknown instruction"),
    ("bad (in x.go:3)", "bad (in pkg/y/x.go:33)"),
    ("cannot read C:\\Users\\Ann Lee\\a.txt now", "cannot read D:\\b.txt now"),
    ("cannot open /home/张三/x.txt for reading", "cannot open /home/bob/x.txt for reading"),
    ("STRASSE gesperrt", "Straße gesperrt"),
];

/// Errors whose cures differ.
#[rustfmt::skip]
const DIFFERENT: &[(&str, &str)] = &[
    ("HTTP/1.1 404 Not Found", "HTTP/1.1 500 Internal Server Error"),
    ("response code: 404", "response code: 503"),
    ("got 502 from upstream", "got 404 from upstream"),
    ("exit code=137", "exit code=1"),
    ("exitcode: 3", "exitcode: 4"),
    ("Process finished with exit code 134", "Process finished with exit code 139"),
    ("command terminated by signal 9", "command terminated by signal 11"),
    ("return code 2", "return code 1"),
    ("worker failed with exit status 2", "worker failed with exit status 3"),
    ("job exited with status 1", "job exited with status 137"),
    ("ExitCode: 137", "ExitCode: 1"),
    ("State: OOMKilled (exit 137)", "State: OOMKilled (exit 1)"),
    ("No access (os error 2)", "No access (os error 13)"),
    ("failed (errno: 13)", "failed (errno: 28)"),
    ("open failed [WinError 5]", "open failed [WinError 32]"),
    ("error code: 0x80070005", "error code: 0x8007000E"),
    ("process died with 0xC0000409", "process died with 0xC0000005"),
    ("Response status: 503", "Response status: 404"),
    ("upstream status=503", "upstream status=404"),
    ("StatusCode: 429", "StatusCode: 403"),
    ("fetch failed (HTTP 404)", "fetch failed (HTTP 502)"),
    ("Server returned HTTP response code: 403 for URL", "Server returned HTTP response code: 500 for URL"),
    ("request failed, code=403", "request failed, code=500"),
    ("request failed with 401", "request failed with 500"),
    ("request failed with code 401", "request failed with code 500"),
    ("retcode=1", "retcode=2"),
    ("step failed, ret=127", "step failed, ret=2"),
    ("the job left with exit 127", "the job left with exit 1"),
    ("terminated by SIGKILL (9)", "terminated by SIGSEGV (11)"),
    ("subprocess returned 1", "subprocess returned 127"),
    ("Error: Process completed with exit code 1.", "Error: Process completed with exit code 127."),
    ("ERROR: executor failed running [/bin/sh -c make]: exit code: 2",
     "ERROR: executor failed running [/bin/sh -c make]: exit code: 137"),
    ("worker (pid 33) is dead: signal 9", "worker (pid 33) is dead: signal 11"),
    ("ERROR 1045 (28000): Access denied", "ERROR 1049 (42000): Access denied"),
    ("{\"httpStatus\":404}", "{\"httpStatus\":503}"),
    ("{\"error\":{\"status\":404,\"message\":\"x\"}}", "{\"error\":{\"status\":409,\"message\":\"x\"}}"),
    ("{\"code\":\"PGRST116\"}", "{\"code\":\"PGRST301\"}"),
    ("{\"errorCode\":\"E1001\"}", "{\"errorCode\":\"E2002\"}"),
    ("{\"error_code\":1003}", "{\"error_code\":4021}"),
    ("{\"exit_code\":1}", "{\"exit_code\":137}"),
    ("{\"exitCode\":1,\"stderr\":\"x\"}", "{\"exitCode\":127,\"stderr\":\"x\"}"),
    ("{\"type\":\"invalid_request\",\"param\":\"model\"}", "{\"type\":\"invalid_request\",\"param\":\"tools\"}"),
    ("bash: p7zip: command not found", "bash: k3d: command not found"),
    ("zsh: command not found: k9s", "zsh: command not found: h5ls"),
    ("'py3' is not recognized as an internal or external command",
     "'k9s' is not recognized as an internal or external command"),
    ("unknown type name 'int32'", "unknown type name 'uint8'"),
    ("error: expected type `u16`", "error: expected type `i8`"),
    ("no such table: sales_2023", "no such table: users_v3"),
    ("Table 'shop.orders2' doesn't exist", "Table 'shop.users4' doesn't exist"),
    ("unsupported dtype: float16", "unsupported dtype: int4"),
    ("AttributeError: module 'cv2' has no attribute 'x'", "AttributeError: module 'h5py' has no attribute 'x'"),
    ("No module named 'sklearn2'", "No module named 'numpy3'"),
    ("unknown codec h264", "unknown codec vp9"),
    ("E: Unable to locate package libssl1.1", "E: Unable to locate package python3.12"),
    ("ERROR: Could not find a version that satisfies the requirement tf2onnx",
     "ERROR: Could not find a version that satisfies the requirement h5py"),
    ("resource azurerm_storage_v2 is unknown", "resource aws_s3_object is unknown"),
    ("undefined symbol: sha256_init", "undefined symbol: md5_init"),
    ("unknown field \"field1\"", "unknown field \"addr2\""),
    ("NoClassDefFoundError: kotlin/jvm/internal/Intrinsics", "NoClassDefFoundError: scala/Product"),
    ("package golang.org/x/net/html is not in std", "package github.com/a/b is not in std"),
    ("fatal error: boost/asio.hpp: No such file or directory", "fatal error: curl/curl.h: No such file or directory"),
    ("src/a.c:1:10: fatal error: png.h: No such file or directory",
     "src/b.c:3:10: fatal error: jpeglib.h: No such file or directory"),
    ("libcuda.so.1: cannot open shared object file: No such file",
     "libz.so.1: cannot open shared object file: No such file"),
    ("ImportError: libGL.so.1: cannot open shared object file",
     "ImportError: libgomp.so.1: cannot open shared object file"),
    ("Module not found: Error: Can't resolve 'react-dom/client' in '/app/src'",
     "Module not found: Error: Can't resolve '@mui/material/Button' in '/app/src'"),
    ("Could not resolve dependency org.acme:api:2.1", "Could not resolve dependency com.foo:bar:1.0"),
    ("fatal: couldn't find remote ref feature/a/login", "fatal: couldn't find remote ref feature/b/pay"),
    ("error: pathspec 'release/1.2' did not match", "error: pathspec 'release/2.0' did not match"),
    ("unexpected content type text/html", "unexpected content type application/json"),
    ("chart bitnami/redis not found", "chart grafana/loki not found"),
    ("FAILED test/a_test.py::TestX::test_one", "FAILED test/a_test.py::TestX::test_two"),
    ("FAIL src/app/cart.test.ts > cart > adds", "FAIL src/app/cart.test.ts > cart > removes"),
    ("✕ cart/total/adds (3 ms)", "✕ cart/total/drops (3 ms)"),
    ("--- FAIL: TestA/sub/one (0.01s)", "--- FAIL: TestA/sub/two (0.01s)"),
    ("expected ';', found ','", "expected ')', found ','"),
    ("unexpected token '}'", "unexpected token ']'"),
    ("Parse error: unexpected '{'", "Parse error: unexpected ';'"),
    ("Unexpected character } at 3", "Unexpected character ] at 9"),
    ("unmatched ')'", "unmatched ']'"),
    ("missing ) after argument list", "missing ] after argument list"),
    ("expected = but got :", "expected = but got ,"),
    ("bad operand type for unary -: 'str'", "bad operand type for unary +: 'str'"),
    ("unsupported operand type(s) for +: 'int' and 'str'", "unsupported operand type(s) for -: 'int' and 'str'"),
    ("value must be >= 1", "value must be <= 1"),
    ("assert a >= b", "assert a <= b"),
    ("assertion `left == right` failed", "assertion `left != right` failed"),
    ("count must be < 10", "count must be > 10"),
    ("check failed: x === y", "check failed: x !== y"),
    ("enabled=true is not allowed", "enabled=false is not allowed"),
    ("unknown option '-v'", "unknown option '--v'"),
    ("unknown option: -v", "unknown option: --v"),
    ("invalid option -- 'x'", "invalid option -- 'y'"),
    ("syntax error near 'BY'", "syntax error near 'TO'"),
    ("unexpected keyword 'in'", "unexpected keyword 'of'"),
    ("KeyError: 'a'", "KeyError: 'the'"),
    ("missing parameter: from", "missing parameter: to"),
    ("name \"and\" is reserved", "name \"or\" is reserved"),
    ("can't move from disk", "can't move to disk"),
    ("access by owner denied", "access for owner denied"),
    ("packet into queue lost", "packet from queue lost"),
    ("died at start", "died on start"),
    ("class com.a.B@1a2b3c died", "class com.a.C@1a2b3c died"),
];

#[test]
fn occurrences_of_one_error_share_the_fine_fingerprint() {
    assert_pairs(SAME, true);
}

#[test]
fn errors_whose_cures_differ_do_not() {
    assert_pairs(DIFFERENT, false);
}

/// Texts with their normalised form on the fine and on the coarse level.
#[rustfmt::skip]
const NORMALISED: &[(&str, &str, &str)] = &[
    (
        "ERROR at line 3: unknown function SUM",
        "error at line <num> unknown function SUM",
        "error at line <num> unknown function <str>",
    ),
    (
        "UNIQUE constraint failed: ledger.event_id='evt-1001' at /x/run-123/task.db line 77",
        "unique constraint failed ledger event_id <*> at <path> line <num>",
        "unique constraint failed ledger event_id <str> at <path> line <num>",
    ),
    ("session 550e8400-e29b-41d4-a716-446655440000 and 0xDEADBEEF", "session <uuid> <hex>", "session <uuid> <hex>"),
    ("deadbeef cafe ffffffff", "<hex> cafe <hex>", "<hex> cafe <hex>"),
    ("pid=4711 port=080 key=abc", "pid <num> port <num> key abc", "pid <num> port <num> key abc"),
    ("sessionid:0x34ed9 size:12", "sessionid <hex> size <num>", "sessionid <hex> size <num>"),
    ("GET https://api.example.org/v1/users?id=7 failed", "get <url> failed", "get <url> failed"),
    ("GET /v1/users/7?page=2&all=true failed", "get <path> failed", "get <path> failed"),
    ("open C:\\Users\\x\\f.txt or ~/notes or ./a/b or data.csv", "open <path> or <path>", "open <path> or <path>"),
    ("input/output error on n/a", "input output error on n", "input output error on n"),
    (
        "from 10.0.0.1:8080 to [fe80::1] via 00:11:43:e3:ba:c3, mail a.b@c.org",
        "from <addr> to <addr> via <addr> mail <addr>",
        "from <addr> to <addr> via <addr> mail <addr>",
    ),
    (
        "ns.example.co.uk refused, biblioteka.wsi.edu.pl too",
        "<addr> refused <addr> too",
        "<addr> refused <addr> too",
    ),
    (
        "java.io.IOException in com.example.Main",
        "java io ioexception in com example main",
        "java io ioexception in com example main",
    ),
    ("at Fri Jun 17 07:07:00 2005", "at <time>", "at <time>"),
    ("2024-05-13T10:00:00Z [13/Jun/2005:10:00:00 +0200]", "<time>", "<time>"),
    ("took 12 ms, 8.8 KB free", "took <num> free", "took <num> free"),
    ("blk_-7555801584297376435 task_2008_m_3", "<*>", "<*>"),
    ("sshd[4711]: LOCAL(0) said fp compare.......0", "<*> said fp compare <num>", "<*> said fp compare <num>"),
    ("the the error error in in line line 12", "error in line <num>", "error in line <num>"),
    (
        "can't open 'don't'; it's the users' file",
        "can't open don't it's users file",
        "can't open <str> it's users file",
    ),
    (
        "for user root from 1.2.3.4; invalid user name",
        "for user <name> from <addr> invalid user name",
        "for user <name> from <addr> invalid user name",
    ),
    ("***** NEW SWEEP ***** -> => :: == <= %", "new sweep == <=", "new sweep == <="),
    ("HTTP 429 Too Many Requests", "http 429 too many requests", "http 429 too many requests"),
    (
        "status code 200, exit code 127, line 404",
        "status code <num> exit code 127 line <num>",
        "status code <num> exit code 127 line <num>",
    ),
    (
        "relation \"orders_2024\" does not exist",
        "relation orders_2024 does not exist",
        "relation <str> does not exist",
    ),
    ("connect to ‘Db’ refused", "connect to Db refused", "connect to <str> refused"),
    ("bash: s3cmd: command not found", "bash s3cmd command not found", "bash <str> command not found"),
    (
        "Unexpected token < in JSON at position 0",
        "unexpected token < in json at position <num>",
        "unexpected token < in json at position <num>",
    ),
    (
        "ORA-00942: table or view does not exist",
        "ora-00942 table or view does not exist",
        "ora-00942 table or view does not exist",
    ),
    (
        "main.c:7:3: error: expected ';' before 'x'",
        "<path> error expected ; before <str>",
        "<path> error expected <str> before <str>",
    ),
    ("com.acme.Task@1b2c3d failed", "com acme task <hex> failed", "com acme task <hex> failed"),
    ("found 3 errors in 12 files", "found <num> error in <num> file", "found <num> error in <num> file"),
];

#[test]
fn what_stays_and_what_goes() {
    for (text, on_fine, on_coarse) in NORMALISED {
        let evidence = Evidence {
            error: Value::from(*text),
            ..Evidence::default()
        };
        let both = Fingerprinter::default().of(&evidence);
        let ours = (
            both.fine.normalised.as_str(),
            both.coarse.normalised.as_str(),
        );
        assert_eq!(ours, (*on_fine, *on_coarse), "{text:?}");
    }
}
