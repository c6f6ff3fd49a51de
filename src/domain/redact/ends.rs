//! Where a value ends: at its quote, or at the sign that closes it.

/// How far a value is followed, in bytes: bare, and between quotes.
const BARE_MAX: usize = 512;
const QUOTED_MAX: usize = 8 * 1_024;

/// Where a text in quotes ends; as many backslashes stand before the last quote as before the first.
pub(super) fn quoted_end(
    bytes: &[u8],
    from: usize,
    (quote, escapes): (u8, usize),
) -> Option<usize> {
    let mut slashes = 0;
    for (at, byte) in bytes.iter().enumerate().skip(from).take(QUOTED_MAX) {
        match *byte {
            b'\\' => slashes += 1,
            byte if byte == quote && (slashes == escapes || escapes == 0 && slashes % 2 == 0) => {
                return Some(at - slashes.min(escapes));
            }
            // A text that goes over lines is none of a secret, unless it is a block.
            b'\n' if at > from + 1_024 => return None,
            _ => slashes = 0,
        }
    }
    None
}

/// Where a value without quotes ends: at a blank or a quote, and at a sign that closes or goes on to the next name.
pub(super) fn bare_end(bytes: &[u8], from: usize) -> usize {
    let most = bytes.len().min(from + BARE_MAX);
    let mut at = from;
    while at < most {
        match bytes[at] {
            b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' => return at,
            b'\\'
                if matches!(
                    bytes.get(at + 1),
                    Some(b'"' | b'\'' | b'n' | b'r' | b't' | b'\\')
                ) =>
            {
                return at;
            }
            b'&' | b';' | b',' | b')' | b']' | b'}' if ends_at(bytes, at) => return at,
            byte if byte.is_ascii_whitespace() || byte < 0x20 => return at,
            _ => at += 1,
        }
    }
    // A longer one goes on to its end.
    let rest = bytes[most..]
        .iter()
        .take_while(|b| b.is_ascii_graphic() && !b"\"'`<>|,;&)".contains(b));
    most + if at == most && most < bytes.len() {
        rest.take(QUOTED_MAX).count()
    } else {
        0
    }
}

/// True when a sign inside a value closes it.
fn ends_at(bytes: &[u8], at: usize) -> bool {
    let rest = &bytes[at + 1..bytes.len().min(at + 48)];
    match rest.first() {
        None => true,
        Some(b) if b.is_ascii_whitespace() || b"\"'`,;)]}&|<>".contains(b) => true,
        Some(b) if b.is_ascii_alphabetic() || *b == b'_' => {
            let name = rest
                .iter()
                .take_while(|b| b.is_ascii_alphanumeric() || b"_-. ".contains(b))
                .count();
            matches!(rest.get(name), Some(b'=' | b':'))
        }
        Some(b'$') => true,
        Some(_) => false,
    }
}
