//! The vocabulary of generated tools.

/// Words for each operation.
pub(super) const VERBS: &[(&str, &[&str])] = &[
    ("load", &["LOAD", "READ", "OPEN", "FETCH", "TAKE", "USE"]),
    (
        "filter",
        &["WHERE", "FILTER", "SIFT", "ONLY", "MATCH", "HOLD"],
    ),
    ("exclude", &["DROP", "WITHOUT", "SKIP", "REJECT", "CUT"]),
    ("group", &["GROUP", "BUNDLE", "ROLL", "CLUSTER", "FOLD"]),
    ("sort", &["SORT", "ORDER", "ARRANGE", "LINE"]),
    (
        "select",
        &["SELECT", "FIELDS", "PROJECT", "CHOOSE", "ONLYCOLS"],
    ),
    ("derive", &["SET", "LET", "CALC", "MUTATE", "NEW"]),
    ("join", &["JOIN", "LINK", "BLEND", "LOOKUP", "WITH"]),
    ("show", &["PRINT", "SHOW", "HEAD", "EMIT", "OUT"]),
];

/// Orders of the arguments of each operation.
pub(super) const FORMS: &[(&str, &[&str])] = &[
    ("load", &["{path}", "FROM {path}", "FILE {path}"]),
    (
        "filter",
        &[
            "{column} {operator} {value}",
            "{operator} {column} {value}",
            "ROWS {column} {operator} {value}",
        ],
    ),
    (
        "exclude",
        &[
            "{column} {operator} {value}",
            "{operator} {column} {value}",
            "IF {column} {operator} {value}",
        ],
    ),
    (
        "group",
        &[
            "{group} {arrow} {aggregates}",
            "{aggregates} {arrow} {group}",
            "BY {group} {arrow} {aggregates}",
        ],
    ),
    (
        "sort",
        &[
            "{column} {direction}",
            "{direction} {column}",
            "BY {column} {direction}",
        ],
    ),
    ("select", &["{columns}", "({columns})", "COLS {columns}"]),
    (
        "derive",
        &[
            "{name} {set} {expression}",
            "COLUMN {name} {set} {expression}",
        ],
    ),
    (
        "join",
        &[
            "{path} {join_on} {column}",
            "{join_on} {column} {path}",
            "FILE {path} {join_on} {column}",
        ],
    ),
    ("show", &["{count?}", "ROWS {count?}", "TABLE {count?}"]),
];

/// Signs between the keys of a group and its figures.
pub(super) const SIGNS: &[&str] = &["->", "=>", "|", "::", ":", "GIVES"];

/// Words for comparisons; the words of one column belong together.
pub(super) const OPERATORS: &[(&str, &[&str])] = &[
    ("eq", &["=", "==", "eq", "equals", "same"]),
    ("neq", &["!=", "<>", "ne", "differs", "unlike"]),
    ("gt", &[">", ">>", "gt", "exceeds", "over"]),
    ("lt", &["<", "<<", "lt", "under", "beneath"]),
    ("gte", &[">=", "ge", "gte", "reaches", "from"]),
    ("lte", &["<=", "le", "lte", "within", "upto"]),
];

/// Kinds of errors with helpful and with plain texts.
pub(super) const MESSAGES: &[(&str, &[&str], &[&str])] = &[
    (
        "unknown_command",
        &[
            "'{found}' means nothing here, try {commands}",
            "cannot do '{found}'; can do: {commands}",
        ],
        &["'{found}' means nothing", "cannot do '{found}'"],
    ),
    (
        "no_table",
        &["nothing is open, so '{command}' has nothing to work on"],
        &["nothing is open"],
    ),
    (
        "expected",
        &[
            "'{found}' stands where {expected} belongs, as in {usage}",
            "found '{found}', needed {expected}: {usage}",
        ],
        &["stumbled over '{found}'", "'{found}' was not needed there"],
    ),
    (
        "missing",
        &["the line stops before {expected}: {usage}"],
        &["the line stops early"],
    ),
    (
        "extra",
        &["'{found}' is too much: {usage}"],
        &["'{found}' is too much"],
    ),
    (
        "terminator",
        &["lines end with '{terminator}'"],
        &["the line has no end"],
    ),
    (
        "unquoted",
        &["put {found} between {quote}"],
        &["a bare {found}"],
    ),
    (
        "wrong_quote",
        &["{found} does not quote, {quote} does"],
        &["{found} does not quote"],
    ),
    (
        "unknown_operator",
        &["'{found}' does not compare; {operators} do"],
        &["'{found}' does not compare"],
    ),
    (
        "unknown_direction",
        &["'{found}' is no order; {directions} are"],
        &["'{found}' is no order"],
    ),
    (
        "unknown_function",
        &["'{found}' does not add up; {functions} do"],
        &["'{found}' does not add up"],
    ),
    (
        "function_case",
        &["'{found}' does not add up, {right} does"],
        &["'{found}' does not add up"],
    ),
    (
        "unknown_column",
        &["there is no '{found}' among {columns}"],
        &["there is no '{found}'"],
    ),
    (
        "not_a_number",
        &["'{found}' in {column} is no number"],
        &["{column} is not made of numbers"],
    ),
    (
        "bad_expression",
        &["the sum breaks off at '{found}'"],
        &["the sum breaks off"],
    ),
    (
        "division_by_zero",
        &["nothing can be divided by nothing"],
        &["the sum cannot be done"],
    ),
    (
        "file_not_found",
        &["no '{found}'; there are {files}"],
        &["no '{found}'"],
    ),
    (
        "bad_count",
        &["'{found}' is no number of rows"],
        &["bad number of rows"],
    ),
];
