//! Worked examples of whole outputs: diagnostics, frames, progress, and the additions of a harness.

use super::tests::assert_pairs;

/// Two outputs about one error.
#[rustfmt::skip]
const SAME: &[(&str, &str)] = &[
    ("error[E0425]: cannot find value `rows` in this scope\n  --> src/lib.rs:7:9\n   |\n7  |         rows.len()\n   |         ^^^^ not found in this scope",
     "error[E0425]: cannot find value `rows` in this scope\n --> src/grid/mod.rs:120:3\n    |\n120 |   rows.iter()\n    |   ^^^^^ help: a local variable with a similar name exists: `row`"),
    ("src/a.ts(3,4): error TS2322: Type 'string' is not assignable to type 'number'.",
     "lib/b.tsx(30,14): error TS2322: Type 'Date' is not assignable to type 'User'.\n  Property 'id' is missing in type 'Date'."),
    ("Store/Db.cs(4,9): error CS1061: 'Row' does not contain a definition for 'Sum' [/w/app.csproj]",
     "Web/Page.cs(40,19): error CS1061: 'Row' does not contain a definition for 'Sum' [/x/web.csproj]"),
    ("# shop/cart\n./cart.go:8:2: declared and not used: sum\n./cart.go:9:2: undefined: tax",
     "./view/page.go:80:12: declared and not used: title"),
    ("Cart.java:7: error: cannot find symbol\n    total();\n    ^\n  symbol:   method total()\n  location: class Cart\n1 error",
     "User.java:70: error: cannot find symbol\n    x = total();\n        ^\n  symbol:   method total()\n  location: class User\n2 errors"),
    ("m.c: In function 'main':\nm.c:4:3: error: 'cnt' undeclared (first use in this function)\nmake: *** [Makefile:3: m.o] Error 1",
     "lib/u.c: In function 'walk':\nlib/u.c:44:13: error: 'cnt' undeclared (first use in this function)\nlib/u.c:45:1: error: expected ';' before '}' token"),
    ("src/app.py:3:1: F401 'os' imported but unused", "src/web/page.py:12:1: F401 'sys' imported but unused"),
    ("/w/src/a.js\n  1:10  error  'x' is defined but never used  no-unused-vars\n\n✖ 1 problem",
     "/w/src/deep/b.js\n  20:1  error  'longer' is defined but never used  no-unused-vars\n  21:1  error  Missing semicolon  semi\n\n✖ 2 problems"),
    ("Traceback (most recent call last):\n  File \"/a/b.py\", line 3, in run\n    total(x)\n    ^^^^^^^^\nAttributeError: 'Row' object has no attribute 'sum'",
     "Traceback (most recent call last):\n  File \"q.py\", line 30, in <module>\n    main()\n  File \"q.py\", line 9, in main\n    row.sum\nAttributeError: 'Row' object has no attribute 'sum'"),
    ("Traceback (most recent call last):\n  File \"b.py\", line 3, in f\n    open(p)\nValueError: bad row\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"b.py\", line 5, in f\n    raise\nRuntimeError: no",
     "Traceback (most recent call last):\n  File \"c.py\", line 8, in g\n    load(p)\nValueError: bad row"),
    ("java.lang.IllegalArgumentException: bad \"a\"\n\tat shop.A.run(A.java:3)\n\tat shop.B.run(B.java:9)",
     "java.lang.IllegalArgumentException: bad \"b\"\n\tat web.C.go(C.java:33)"),
    ("/w/a.js:3\n  throw new Error('x')\n  ^\n\nTypeError: Cannot read properties of undefined (reading 'map')\n    at list (/w/a.js:3:9)\n    at node:internal/main:1:1",
     "TypeError: Cannot read properties of undefined (reading 'size')\n    at Object.<anonymous> (/x/deep/b.js:30:19)"),
    ("Error: Missing required argument\n\n  on main.tf line 3, in module \"net\":\n   3: module \"net\" {\n\nThe argument \"zone\" is required.",
     "╷\n│ Error: Missing required argument\n│ \n│   on db/x.tf line 30, in module \"db\":\n│   30: module \"db\" {\n│ \n│ The argument \"size\" is required.\n╵"),
    ("E       assert 3 == 4\nE        +  where 3 = sum([1, 2])\n\ntest_a.py:3: AssertionError",
     "    def test_x():\n>       assert f() == 7\nE       assert 9 == 7\n\nlib/test_b.py:30: AssertionError\n=== short test summary info ===\nFAILED lib/test_b.py::test_x - assert 9 == 7"),
    ("ERROR:  column \"prize\" does not exist\nLINE 1: select prize from carts;\n               ^\nHINT:  Perhaps you meant \"price\".",
     "ERROR:  column \"prize\" does not exist\nLINE 4:   where prize = 1\n                ^"),
    ("   Compiling a v0.1.0 (/w/a)\nwarning: unused import: `x`\n --> src/a.rs:1:5\n\nerror[E0432]: unresolved import `foo`\n --> src/a.rs:3:5\nerror: could not compile `a` (lib) due to 1 previous error; 1 warning emitted",
     "error[E0432]: unresolved import `foo`\n --> src/b/c.rs:30:15"),
    ("Collecting flask\n  Downloading flask-3.0.whl (99 kB)\nERROR: Could not build wheels for lxml",
     "Requirement already satisfied: pip\nERROR: Could not build wheels for lxml"),
    ("#3 [1/4] FROM base\n#3 CACHED\n#7 ERROR: failed to copy: no such host",
     "#1 transferring\n#7 ERROR: failed to copy: no such host"),
    ("Exit code 2\nls: x.txt: No such file or directory", "ls: y.txt: No such file or directory"),
    ("<tool_use_error>String to replace not found in file.\nString: a = 1</tool_use_error>",
     "String to replace not found in file.\nString: def run():\n    pass"),
    ("2025-06-03 10:00:00 INFO ready\n2025-06-03 10:00:01 ERROR pool is closed",
     "2025-06-04 11:00:00 DEBUG tick\n2025-06-04 11:00:00 DEBUG tock\n2025-06-04 11:00:01 ERROR pool is closed"),
    ("tar: unrecognized option '--gzipp'\nTry 'tar --help' or 'tar --usage' for more information.",
     "tar: unrecognized option '--gzipp'"),
    ("/usr/bin/tar: unrecognized option '--gzipp'\nTry '/usr/bin/tar --help' or '/usr/bin/tar --usage' for more information.",
     "tar: unrecognized option '--gzipp'"),
    ("node_modules/.bin/eslint: unknown rule \"semi\"", "eslint: unknown rule \"semi\""),
    ("curl: option --heder: is unknown\ncurl: try 'curl --help' or 'curl --manual' for more information",
     "curl: option --heder: is unknown\ncurl: try 'curl --help' for more information"),
    ("usage: tool [-h] [--rows N]\ntool: error: unrecognized arguments: --row", "tool: error: unrecognized arguments: --row"),
    ("error: unexpected argument '--al' found\n\nUsage: tool [OPTIONS]\n\nFor more information, try '--help'.",
     "error: unexpected argument '--al' found"),
    ("10 %\r50 %\r\x1b[31mfatal:\x1b[0m bad object", "fatal: bad object"),
    ("No replacement was performed, old_str `a\nb` did not appear verbatim in /w/x.py.",
     "No replacement was performed, old_str `def f():\n    c\n` did not appear verbatim in /w/deep/y.py."),
];

/// Outputs about errors whose cures differ.
#[rustfmt::skip]
const DIFFERENT: &[(&str, &str)] = &[
    ("git: 'psuh' is not a git command. See 'git --help'.", "git: 'pulll' is not a git command. See 'git --help'."),
    ("error[E0425]: cannot find value `rows` in this scope\n  --> src/lib.rs:7:9",
     "error[E0423]: cannot find value `rows` in this scope\n  --> src/lib.rs:7:9"),
    ("src/a.ts(3,4): error TS2322: Type 'string' is not assignable to type 'number'.",
     "src/a.ts(3,4): error TS2345: Type 'string' is not assignable to type 'number'."),
    ("./cart.go:8:2: declared and not used: sum", "./cart.go:8:2: undefined: sum"),
    ("m.c:4:3: error: expected ';' before 'x'", "m.c:4:3: error: expected ')' before 'x'"),
    ("src/app.py:3:1: F401 [*] imported but unused", "src/app.py:3:1: E501 [*] imported but unused"),
    ("Traceback (most recent call last):\n  File \"b.py\", line 3, in <module>\n    import yaml\nModuleNotFoundError: No module named 'yaml'",
     "Traceback (most recent call last):\n  File \"b.py\", line 3, in <module>\n    import numpy\nModuleNotFoundError: No module named 'numpy'"),
    ("java.lang.RuntimeException: start\n\tat a.B.c(B.java:1)\nCaused by: java.net.BindException: in use\n\tat a.B.d(B.java:2)",
     "java.lang.RuntimeException: start\n\tat a.B.c(B.java:1)\nCaused by: java.io.EOFException: end\n\tat a.B.d(B.java:2)"),
    ("Error: Cannot find module 'chalk'\nRequire stack:\n- /w/a.js\n    at resolve (node:internal:1:1)",
     "Error: Cannot find module 'express'\nRequire stack:\n- /w/a.js\n    at resolve (node:internal:1:1)"),
    ("sh: 1: jest: not found\nnpm ERR! code ELIFECYCLE\nnpm ERR! errno 127",
     "sh: 1: tsc: not found\nnpm ERR! code ELIFECYCLE\nnpm ERR! errno 127"),
    ("npm error code E404\nnpm error 404 Not Found\nnpm error A complete log of this run can be found in: /x/y.log",
     "npm error code ERESOLVE\nnpm error could not resolve\nnpm error A complete log of this run can be found in: /x/y.log"),
    ("--- FAIL: TestSum (0.00s)\n    sum_test.go:9: got 3, want 4\nFAIL",
     "--- FAIL: TestTax (0.00s)\n    tax_test.go:9: got 3, want 4\nFAIL"),
    ("---- a::b stdout ----\nthread 'a::b' panicked at src/a.rs:3:5:\nassertion failed: x.is_empty()\nnote: run with `RUST_BACKTRACE=1`",
     "---- a::b stdout ----\nthread 'a::b' panicked at src/a.rs:3:5:\nindex out of bounds: the len is 1 but the index is 2\nnote: run with `RUST_BACKTRACE=1`"),
];

#[test]
fn occurrences_of_one_error_share_the_fine_fingerprint() {
    assert_pairs(SAME, true);
}

#[test]
fn errors_whose_cures_differ_do_not() {
    assert_pairs(DIFFERENT, false);
}

#[test]
fn a_build_log_holds_one_text_for_each_diagnostic() {
    let log = "   Compiling a v0.1.0\nwarning: unused import: `x`\n --> src/a.rs:1:5\n\nerror[E0308]: mismatched types\n \
               --> src/a.rs:3:5\n  |\n3 |     x\n  |     ^ expected `u8`\n\nerror[E0425]: cannot find value `y`\n \
               --> src/b.rs:9:1\n\nerror: could not compile `a` due to 2 previous errors\n";
    let each = super::diagnostics(log);
    assert_eq!(each.len(), 2);
    assert!(each[0].starts_with("error[E0308]") && each[0].ends_with("expected `u8`"));
    assert!(each[1].starts_with("error[E0425]") && each[1].ends_with("src/b.rs:9:1"));
    // A single diagnostic is the whole text, and a text other than a build log holds none.
    assert!(super::diagnostics("a.c:1:2: error: bad\n").is_empty());
    assert!(super::diagnostics("disk full\nworker died").is_empty());
}

#[test]
fn every_pattern_of_the_tables_can_be_compiled() {
    assert!(
        super::lines::are_sound() && super::shapes::are_sound() && super::templates::are_sound()
    );
}
