//! The shipped vocabulary: tags with the phrases that give them, and other names of tags.

/// A tag and its phrases, separated by bars.
#[rustfmt::skip]
pub(super) const RULES: &[(&str, &str)] = &[
    ("syntax_structure", "syntax error | invalid syntax | parse error | parsing failed | unexpected token | \
        unexpected end | unexpected eof | malformed | unterminated | unbalanced | missing semicolon | \
        could not parse | cannot parse | failed to parse | unmatched | expected an expression | mismatched input"),
    ("unknown_symbol", "unknown symbol | undefined | not defined | unresolved | cannot find value | name error | \
        undeclared | no attribute | unknown function | unknown identifier | unknown variable | no such function | \
        has no member | does not exist in scope | unknown name | unknown operator | unknown keyword"),
    ("path_quote", "must be quoted | missing quote | unclosed quote | unquoted | quoted path | needs quotes | \
        expected quoted | quote the path | in quotes | unterminated string | file name must"),
    ("operator_mismatch", "unknown operator | invalid operator | bad operator | unsupported operator | unsupported operand | \
        expected operator | operator mismatch | unexpected operator | operator"),
    ("arity_mismatch", "positional argument* | too many arguments | too few arguments | missing argument* | \
        expected * arguments | wrong number of arguments | missing required argument* | takes no arguments | \
        required argument* | missing required parameter*"),
    ("column_reference", "unknown column | no such column | column not found | invalid column | key error | \
        ambiguous column | column does not exist | unknown field | no such field | no column"),
    ("function_case", "lower case | lowercase | uppercase | upper case | case sensitive | case mismatch"),
    ("sort_direction", "sort direction | ascending | descending | asc or desc | invalid order | sort order | up or down"),
    ("unknown_command", "command not found | unknown command | unrecognized command | no such command | \
        not a command | unknown subcommand | unrecognized subcommand | invalid command | not recognized as"),
    ("type_mismatch", "type error | mismatched types | type mismatch | incompatible type* | cannot convert | \
        expected type | invalid type | not a number | could not convert"),
    ("invalid_value", "value error | invalid value | out of range | invalid argument* | invalid literal | \
        not allowed value | illegal value | index error | overflow | invalid input"),
    ("duplicate", "already exists | duplicate | unique constraint | already in use | already defined"),
    ("unknown_option", "unknown option | unrecognized option | invalid option | unexpected argument | unknown flag | \
        unrecognized argument* | no such option"),
    ("no_progress", "no progress | stuck | no change | nothing changed | not moving | no * reduction | no effect | ineffective | \
        not getting closer | no closer to"),
    ("constraint_failed", "constraint failed | constraint violation | invariant | requirement not met | not reached | not met | \
        wrong output | wrong table | wrong shape | output shape | missing artifact | \
        assertion failed | assertion error | precondition failed | check failed"),
    ("state_stall", "stalled | same state | state unchanged | deadlock | stall"),
    ("unsafe_action", "unsafe action | collision | collided | safety violation | safety guard | emergency stop | \
        forbidden action | blocked by policy"),
    ("goal_distance_increase", "further from | farther from | away from goal | distance increased"),
    ("crash", "segmentation fault | segfault | core dumped | sigsegv | sigabrt | sigbus | bus error | \
        illegal instruction | stack smashing detected | double free"),
    ("timeout", "timeout | timed out | time out | deadline exceeded | took too long"),
    ("permission", "permission denied | access denied | operation not permitted | not permitted | read only file system | \
        forbidden | eacces | not allowed to | permission error"),
    ("not_found", "not found | no such file | does not exist | cannot find | could not find | 404 | enoent | \
        module not found | no module named | couldn't find | missing file"),
    ("auth", "unauthorized | authentication failed | authentication failure | invalid credentials | login failed | \
        not authenticated | invalid token | expired token | token expired | invalid api key | bad credentials | \
        failed password | unauthenticated | http 401"),
    ("rate_limited", "rate limit | rate limited | rate limiting | too many requests | quota exceeded | throttled | throttling | ratelimit"),
    ("network", "connection refused | connection reset | connection closed | connection aborted | broken pipe | \
        network unreachable | host unreachable | no route to host | could not resolve | name resolution | \
        dns | econnrefused | econnreset | socket hang up | network error | connection error | unreachable"),
    ("resource", "out of memory | no space left | disk full | cannot allocate | memory limit | too many open files | \
        resource exhausted | quota | memory error | oom | stack overflow | insufficient memory"),
    ("retryable", "try again | temporarily unavailable | temporary failure | please retry | retry later | retry after"),
    ("server_error", "internal server error | bad gateway | service unavailable | gateway timeout | http <5xx> | \
        status <5xx> | status code <5xx> | http 1 1 <5xx>"),
    ("client_error", "http <4xx> | status <4xx> | status code <4xx> | http 1 1 <4xx> | bad request | \
        unprocessable entity | method not allowed"),
    ("nonzero_exit", "exit code * | exit status * | exited with code | non zero exit | nonzero exit | returned non zero"),
    ("surface_http", "http | https | status code <4xx> | status code <5xx>"),
    ("surface_python", "traceback | file not found error | value error | type error | key error | attribute error | \
        index error | name error | import error | module not found error | syntax error invalid syntax | \
        runtime error | zero division error | pip | python | python3"),
    ("surface_rust", "cargo | rustc | panicked at | clippy"),
    ("surface_node", "npm | node js | reference error | cannot find module"),
    ("surface_sql", "sql | sqlite | sqlstate | postgres | mysql"),
    ("surface_git", "git | merge conflict | fatal not a git repository"),
];

/// Other names, each with the name in the vocabulary.
pub(super) const ALIASES: &[(&str, &str)] = &[
    ("syntax", "syntax_structure"),
    ("syntax_error", "syntax_structure"),
    ("parse_error", "syntax_structure"),
    ("undefined_symbol", "unknown_symbol"),
    ("unknown_identifier", "unknown_symbol"),
    ("quoting", "path_quote"),
    ("operator", "operator_mismatch"),
    ("arity", "arity_mismatch"),
    ("argument_count", "arity_mismatch"),
    ("column", "column_reference"),
    ("case", "function_case"),
    ("sort", "sort_direction"),
    ("sort_order", "sort_direction"),
    ("command_not_found", "unknown_command"),
    ("stuck", "no_progress"),
    ("constraint", "constraint_failed"),
    ("constraint_failure", "constraint_failed"),
    ("stall", "state_stall"),
    ("unsafe", "unsafe_action"),
    ("timed_out", "timeout"),
    ("permission_denied", "permission"),
    ("access_denied", "permission"),
    ("missing", "not_found"),
    ("authentication", "auth"),
    ("unauthorized", "auth"),
    ("rate_limit", "rate_limited"),
    ("throttled", "rate_limited"),
    ("out_of_memory", "resource"),
    ("http", "surface_http"),
    ("cli", "surface_cli"),
    ("python", "surface_python"),
    ("other", "uncategorized"),
];
