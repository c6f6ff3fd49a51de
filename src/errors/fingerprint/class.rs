//! The classes of each byte of a folded text for the scanner: one bit per class, so that the classes of a whole piece
//! are one byte too.

/// Letters of every script and the underscore.
pub(super) const LETTER: u8 = 1;
/// Decimal digits of ASCII.
pub(super) const DIGIT: u8 = 2;
/// The point.
pub(super) const DOT: u8 = 4;
/// Both slashes.
pub(super) const SLASH: u8 = 8;
/// The sign between a key and its value.
pub(super) const EQUALS: u8 = 16;
/// The colon.
pub(super) const COLON: u8 = 32;
/// Signs allowed inside a piece.
pub(super) const OTHER: u8 = 64;
/// Bytes that end a piece.
pub(super) const BREAK: u8 = 128;

/// The class of every byte.
pub(super) const CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80..=0xFF => LETTER,
            b'0'..=b'9' => DIGIT,
            b'.' => DOT,
            b'/' | b'\\' => SLASH,
            b'=' => EQUALS,
            b':' => COLON,
            0..=b' '
            | 0x7F
            | b','
            | b';'
            | b'('
            | b')'
            | b'['
            | b']'
            | b'{'
            | b'}'
            | b'|'
            | b'<'
            | b'>'
            | b'"'
            | b'`'
            | b'!'
            | b'?' => BREAK,
            _ => OTHER,
        };
        byte += 1;
    }
    table
}
