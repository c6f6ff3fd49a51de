//! Which pieces with a digit, a point or a slash are names, and which are chance.
//!
//! A person chose a name to be typed again: `orders_2024`, `x86_64`, `lodash/fp`, `libssl.so.1.1`. A machine drew
//! chance: `7d9f8b6c5d-x2x9k`, `blk_-75`. Only their shape distinguishes them, so the rules are narrow where a log
//! would pay for a mistake: outside of quotes only a piece after a word that announces a name, or one of the terms
//! below, is a name.

use super::super::shape::{is_file_name, is_hex, is_rooted};

/// Terms that hold a digit and mean one thing everywhere, sorted.
#[rustfmt::skip]
const TERMS: &[&str] = &[
    "aes128", "aes256", "amd64", "arm64", "armv7", "armv8", "base16", "base32", "base64", "bf16", "bfloat16", "bz2",
    "c++11", "c++14", "c++17", "c++20", "complex128", "complex64", "cp1250", "cp1251", "cp1252", "cp437", "cp850",
    "ec2", "ed25519", "es2015", "es2020", "es5", "es6", "f16", "f32", "f64", "float16", "float32", "float64", "fp16",
    "fp32", "h264", "h265", "http1", "http2", "http3", "i128", "i16", "i18n", "i32", "i386", "i64", "i686", "i8",
    "int128", "int16", "int2", "int32", "int4", "int64", "int8", "ipv4", "ipv6", "iso-8859-1", "iso-8859-15", "k8s",
    "l10n", "latin-1", "latin1", "log4j", "md4", "md5", "mp3", "mp4", "oauth2", "p12", "pkcs12", "pkcs7", "pkcs8",
    "psycopg2", "python2", "python3", "ripemd160", "s3", "sha-1", "sha-256", "sha-384", "sha-512", "sha1", "sha224",
    "sha256", "sha384", "sha512", "sqlite3", "ssl3", "tls1", "u128", "u16", "u32", "u64", "u8", "uint128", "uint16",
    "uint256", "uint32", "uint64", "uint8", "urllib3", "utf-16", "utf-32", "utf-8", "utf16", "utf32", "utf8",
    "utf8mb4", "vec2", "vec3", "vec4", "win32", "win64", "x509", "x64", "x86", "x86-64", "x86_64",
];

/// Whether a piece is a technical term, in any context.
pub(super) fn is_term(piece: &str) -> bool {
    (2..=11).contains(&piece.len()) && TERMS.binary_search(&piece).is_ok()
}

/// Words followed by the name of something missing or not understood.
pub(super) fn announces_name(word: &str) -> bool {
    matches!(
        word,
        "artifact"
            | "artefact"
            | "attribute"
            | "codec"
            | "column"
            | "crate"
            | "dtype"
            | "encoding"
            | "extension"
            | "feature"
            | "field"
            | "function"
            | "header"
            | "import"
            | "libraries"
            | "library"
            | "method"
            | "module"
            | "noclassdeffounderror"
            | "classnotfoundexception"
            | "package"
            | "plugin"
            | "property"
            | "provider"
            | "relation"
            | "requirement"
            | "dependency"
            | "resource"
            | "symbol"
            | "table"
            | "type"
            | "variable"
            | "undefined"
            | "identifier"
    )
}

/// Digits that a name holds in one part at most: a year, a port of its own, the width of a type.
const DIGITS_OF_PART: usize = 4;
/// Digits that a name holds in all.
const DIGITS_OF_NAME: usize = 8;

/// Whether a piece is built as names are: parts of letters with few digits, joined by signs of names.
pub(super) fn is_name(piece: &str) -> bool {
    let bytes = piece.as_bytes();
    let begins = bytes.first().is_some_and(|b| {
        !b.is_ascii_digit() && (b.is_ascii_alphabetic() || b"_@$-".contains(b) || *b >= 0x80)
    });
    let is_sign = |b: &u8| b"_.$@:-+#".contains(b);
    if !begins || piece.len() > 100 || is_random(piece) {
        return false;
    }
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    let plain = |b: &u8| b.is_ascii_alphanumeric() || *b >= 0x80 || is_sign(b);
    digits <= DIGITS_OF_NAME
        && bytes.iter().all(plain)
        && (!bytes.contains(&b'@') || bytes[0] == b'@')
        && hyphens_hold_words(piece)
        && piece.split(|c: char| !c.is_alphanumeric()).all(is_part)
}

/// A part of a name: letters, a few digits, or both with one change between them.
fn is_part(part: &str) -> bool {
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    digits <= DIGITS_OF_PART && changes(part) <= 2
}

/// How often letters turn to digits or back.
fn changes(part: &str) -> usize {
    let kinds = part.as_bytes().windows(2);
    kinds
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit())
        .count()
}

/// A hyphen that joins words joins no digits: `evt-1001`, `web-7d9f` number one of many.
fn hyphens_hold_words(piece: &str) -> bool {
    let has_digit = |part: &str| part.bytes().any(|b| b.is_ascii_digit());
    !piece.trim_start_matches('-').contains('-') || !has_digit(piece) || is_term(piece)
}

/// Whether a text is a name where an object is missing, and chance elsewhere: a path from the place of the error
/// (`./cart`), words joined with a short number (`gcc-12`, `web-2`).
pub(super) fn is_name_of_absent(text: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b >= 0x80 || b"_.-/@$+".contains(&b);
    if text.len() > 100 || !text.bytes().all(is_plain) {
        return false;
    }
    if text.starts_with("./") || text.starts_with("../") {
        return true;
    }
    let text = text.trim_start_matches('-');
    let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    text.starts_with(|c: char| c.is_alphabetic())
        && !text.contains('/')
        && text.split(['-', '.']).all(|part| {
            (is_number(part) && (1..=2).contains(&part.len())) || (is_part(part) && is_name(part))
        })
}

/// Whether a piece looks drawn: a hash, a suffix that a scheduler gave, letters and digits in turn.
pub(super) fn is_random(piece: &str) -> bool {
    let bytes = piece.as_bytes();
    let has_digit = bytes.iter().any(u8::is_ascii_digit);
    if has_digit && is_hex(bytes) {
        return true;
    }
    let mut parts = piece.split(|c: char| !c.is_alphanumeric());
    (has_digit && parts.any(|part| changes(part) >= 3))
        || is_scheduled(piece)
        || is_temporary(piece)
}

/// The letters and digits of the names that Kubernetes draws: without vowels, so that they spell nothing.
const DRAWN: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";

/// The name of a pod: the hash of its template and five drawn signs after hyphens.
pub(super) fn is_scheduled(piece: &str) -> bool {
    let mut parts = piece.rsplit('-');
    let (Some(last), Some(hash), Some(_)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let drawn = |part: &str| part.bytes().all(|b| DRAWN.contains(&b));
    last.len() == 5
        && (8..=10).contains(&hash.len())
        && drawn(last)
        && hash
            .bytes()
            .all(|b| DRAWN.contains(&b) || b"013".contains(&b))
}

/// The name of a temporary file, as `mktemp` draws it.
pub(super) fn is_temporary(piece: &str) -> bool {
    piece
        .strip_prefix("tmp.")
        .is_some_and(|drawn| drawn.len() >= 6 && drawn.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// Whether a piece of letters alone, as its author wrote it, looks drawn: long, in both cases at random, and hardly a
/// vowel or no word between two capitals.
pub(super) fn is_drawn(cased: &str) -> bool {
    let bytes = cased.as_bytes();
    if !(12..=64).contains(&bytes.len()) || !bytes.iter().all(u8::is_ascii_alphanumeric) {
        return false;
    }
    let capitals = bytes.iter().filter(|b| b.is_ascii_uppercase()).count();
    let small = bytes.iter().filter(|b| b.is_ascii_lowercase()).count();
    let vowels = bytes.iter().filter(|b| b"aeiouAEIOU".contains(b)).count();
    let turns = bytes
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count();
    // Camel case has a word of several letters between two capitals, chance has one or two.
    let is_mixed = capitals >= 2 && small >= 2 && turns >= 2;
    is_mixed && (vowels * 7 <= bytes.len() || turns * 4 >= bytes.len())
}

/// Whether a piece with slashes names something that is no place in a file system: a package, a class, a branch, a kind
/// of media, a case of a test.
pub(super) fn is_slash_name(piece: &str) -> bool {
    let bytes = piece.as_bytes();
    !is_rooted(bytes)
        && !bytes.contains(&b'\\')
        && !piece.contains(":/")
        && !is_file_name(bytes)
        && piece
            .split('/')
            .all(|part| is_name(part) || is_version(part))
}

/// A version as branches and packages carry it: `1.2`, `3`.
fn is_version(part: &str) -> bool {
    let is_number =
        |part: &str| (1..=4).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    part.split('.').count() <= 3 && part.split('.').all(is_number)
}

/// Whether a file is named as a part of a library, not as a place: a header, an interface, a library.
pub(super) fn is_library_file(piece: &str) -> bool {
    let name = piece.rsplit('/').next().unwrap_or(piece);
    let ending = name.split_once('.').map(|(_, ending)| ending);
    let is_library = ending.is_some_and(|ending| {
        ending == "so"
            || ending.starts_with("so.")
            || [
                "h", "hh", "hpp", "hxx", "proto", "dll", "dylib", "jar", "pc",
            ]
            .contains(&ending)
    });
    is_library && !is_rooted(piece.as_bytes()) && !piece.contains(['\\', ':'])
}

/// The group, the name and the kind of a Maven coordinate, without its version.
pub(super) fn coordinate(piece: &str) -> Option<&str> {
    let mut parts = piece.split(':');
    let (group, name) = (parts.next()?, parts.next()?);
    let is_word = |part: &str| part.starts_with(|c: char| c.is_ascii_alphabetic()) && is_name(part);
    let is_coordinate = group.contains('.') && is_word(group) && is_word(name);
    is_coordinate.then(|| &piece[..group.len() + 1 + name.len()])
}

/// The class of an object that is printed with its hash: `com.acme.Task@1b2c3d`.
pub(super) fn class_of_object(piece: &str) -> Option<&str> {
    let (class, hash) = piece.split_once('@')?;
    let is_class = class.starts_with(|c: char| c.is_ascii_alphabetic())
        && class
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'$' | b'_'));
    let is_hash = (4..=16).contains(&hash.len()) && hash.bytes().all(|b| b.is_ascii_hexdigit());
    (is_class && is_hash).then_some(class)
}
