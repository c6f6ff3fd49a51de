//! The word lists of the normaliser. A change to any of them needs a new normaliser version.

/// The 14 words without meaning for an error.
pub(super) fn is_stop_word(word: &str) -> bool {
    match word.len() {
        1 => word == "a",
        2 => matches!(word, "an" | "at" | "by" | "in" | "of" | "on" | "to"),
        3 => matches!(word, "and" | "for" | "the"),
        4 => matches!(word, "from" | "into" | "with"),
        _ => false,
    }
}

/// Units that programs choose by size, so that the same message carries different ones.
pub(super) fn is_unit(word: &str) -> bool {
    word.len() <= 4
        && matches!(
            word,
            "b" | "kb"
                | "mb"
                | "gb"
                | "tb"
                | "pb"
                | "kib"
                | "mib"
                | "gib"
                | "tib"
                | "ns"
                | "us"
                | "µs"
                | "μs"
                | "ms"
                | "s"
                | "sec"
                | "secs"
                | "min"
                | "mins"
                | "hz"
                | "khz"
                | "mhz"
                | "ghz"
                | "bps"
                | "kbps"
                | "mbps"
                | "gbps"
        )
}

/// Month names, short and long.
pub(super) fn is_month(word: &str) -> bool {
    (3..=9).contains(&word.len())
        && matches!(
            word,
            "jan"
                | "feb"
                | "mar"
                | "apr"
                | "may"
                | "jun"
                | "jul"
                | "aug"
                | "sep"
                | "sept"
                | "oct"
                | "nov"
                | "dec"
                | "january"
                | "february"
                | "march"
                | "april"
                | "june"
                | "july"
                | "august"
                | "september"
                | "october"
                | "november"
                | "december"
        )
}

/// Names of time zones that follow a time of day.
pub(super) fn is_zone(word: &str) -> bool {
    matches!(
        word,
        "utc"
            | "gmt"
            | "est"
            | "edt"
            | "cst"
            | "cdt"
            | "mst"
            | "mdt"
            | "pst"
            | "pdt"
            | "cet"
            | "cest"
            | "bst"
            | "ist"
            | "jst"
            | "msk"
            | "am"
            | "pm"
    )
}

/// Top-level domains that end a host name of two labels or more.
pub(super) fn is_general_domain(label: &str) -> bool {
    matches!(
        label,
        "com"
            | "net"
            | "org"
            | "edu"
            | "gov"
            | "mil"
            | "int"
            | "arpa"
            | "biz"
            | "local"
            | "localdomain"
            | "lan"
            | "internal"
    )
}

/// Country codes that end a host name of three labels or more; those that are also file endings are
/// left out.
pub(super) fn is_country_domain(label: &str) -> bool {
    label.len() == 2
        && matches!(
            label,
            "ac" | "ae"
                | "ar"
                | "at"
                | "au"
                | "be"
                | "bg"
                | "br"
                | "by"
                | "ca"
                | "ch"
                | "cl"
                | "cn"
                | "co"
                | "cz"
                | "de"
                | "dk"
                | "ee"
                | "es"
                | "eu"
                | "fi"
                | "fr"
                | "gr"
                | "hk"
                | "hr"
                | "hu"
                | "ie"
                | "il"
                | "ir"
                | "it"
                | "jp"
                | "kr"
                | "kz"
                | "lt"
                | "lu"
                | "lv"
                | "mx"
                | "my"
                | "nl"
                | "no"
                | "nz"
                | "om"
                | "pe"
                | "ph"
                | "pk"
                | "pt"
                | "ro"
                | "ru"
                | "sa"
                | "se"
                | "sg"
                | "si"
                | "sk"
                | "su"
                | "th"
                | "tr"
                | "tw"
                | "ua"
                | "uk"
                | "us"
                | "uy"
                | "ve"
                | "vn"
                | "za"
        )
}

/// Endings by which a word with a dot is the name of a file, sorted.
#[rustfmt::skip]
const FILE_ENDINGS: &[&str] = &[
    "avro", "bak", "bash", "bat", "bin", "bz2", "c", "cc", "cfg", "class", "cmd", "conf", "cpp", "cs",
    "css", "csv", "dat", "db", "dll", "doc", "docx", "dylib", "env", "exe", "gif", "go", "gz", "h",
    "hpp", "htm", "html", "ini", "ipynb", "jar", "java", "jpeg", "jpg", "js", "json", "jsonl", "jsx",
    "key", "kt", "lock", "log", "lua", "md", "msi", "orc", "parquet", "pdf", "pem", "php", "pid", "pl",
    "plist", "png", "properties", "ps1", "py", "pyc", "rb", "rrd", "rs", "sh", "so", "sock", "sql",
    "sqlite", "svg", "swift", "sys", "tar", "tgz", "tmp", "toml", "ts", "tsv", "tsx", "txt", "wasm",
    "xls", "xlsx", "xml", "xz", "yaml", "yml", "zip", "zst",
];

/// Whether a word after a dot is the ending of a file name.
pub(super) fn is_file_ending(ending: &str) -> bool {
    FILE_ENDINGS.binary_search(&ending).is_ok()
}

/// Whether a word is the name of a user: "for user root", "invalid user admin from", "password for root".
///
/// The name is as volatile as a number. Statements about users in general are not, so the words on both sides must be
/// those that surround a name.
pub(super) fn is_principal(last: &str, before: &str, word: &str, around: (&[u8], &[u8])) -> bool {
    let (earlier, after) = around;
    let introduced = match last {
        "user" => {
            earlier.ends_with(b"for user ") || matches!(before, "invalid" | "unknown" | "illegal")
        }
        "password" => earlier.ends_with(b"password for "),
        _ => return false,
    };
    let next = after.iter().copied().find(|byte| *byte != b' ');
    let ends = next.is_none_or(|byte| !byte.is_ascii_alphanumeric())
        || [&b" from "[..], b" by ", b" at ", b" on ", b" via "]
            .iter()
            .any(|part| after.starts_with(part));
    introduced && ends && !is_about_users(word)
}

/// Words that follow `user` in messages about users in general.
fn is_about_users(word: &str) -> bool {
    matches!(
        word,
        "account"
            | "agent"
            | "data"
            | "email"
            | "group"
            | "id"
            | "input"
            | "key"
            | "mode"
            | "name"
            | "object"
            | "option"
            | "options"
            | "password"
            | "permission"
            | "permissions"
            | "profile"
            | "query"
            | "request"
            | "role"
            | "session"
            | "space"
            | "token"
            | "type"
            | "value"
            | "error"
            | "not"
            | "is"
            | "has"
    )
}
