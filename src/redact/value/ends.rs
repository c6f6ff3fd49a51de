//! Where a value ends: at its quote, or at the sign that closes it.

use hindlore_primitives::steps;

/// How far a value is read before it is judged, in bytes: bare, and between quotes.
pub(crate) const BARE_MAX: usize = 256;
const QUOTED_MAX: usize = 8 * 1_024;

/// The end of a quoted text; the last quote has as many backslashes before it as the first.
pub(crate) fn quoted_end(
    bytes: &[u8],
    from: usize,
    (quote, escapes): (u8, usize),
) -> Option<usize> {
    let mut slashes = 0;
    for (at, byte) in bytes.iter().enumerate().skip(from).take(QUOTED_MAX) {
        match *byte {
            b'\\' => slashes += 1,
            byte if byte == quote && (slashes == escapes || escapes == 0 && slashes % 2 == 0) => {
                steps::add(at - from);
                return Some(at - slashes.min(escapes));
            }
            // A text that goes over lines is none of a secret, unless it is a block.
            b'\n' if at > from + 1_024 => {
                steps::add(at - from);
                return None;
            }
            _ => slashes = 0,
        }
    }
    steps::add(QUOTED_MAX.min(bytes.len().saturating_sub(from)));
    None
}

/// The end of a value without quotes: at a blank or a quote, and at a sign that closes or leads to the next name. A
/// value longer than is judged is cut; [`bare_rest`] finds its end.
pub(crate) fn bare_end(bytes: &[u8], from: usize) -> usize {
    let most = bytes.len().min(from + BARE_MAX);
    let end = (from..most)
        .find(|at| is_bare_end(bytes, *at))
        .unwrap_or(most);
    steps::add(end - from);
    end
}

/// The end of a value that continues after `from`; only for a value that is taken, so that nothing is read twice.
pub(crate) fn bare_rest(bytes: &[u8], from: usize) -> usize {
    let is_part = |b: &&u8| b.is_ascii_graphic() && !b"\"'`<>|,;&)".contains(b);
    let rest = bytes[from..]
        .iter()
        .take(QUOTED_MAX)
        .take_while(is_part)
        .count();
    steps::add(rest);
    from + rest
}

fn is_bare_end(bytes: &[u8], at: usize) -> bool {
    match bytes[at] {
        b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' => true,
        b'\\' => matches!(
            bytes.get(at + 1),
            Some(b'"' | b'\'' | b'n' | b'r' | b't' | b'\\' | b'&')
        ),
        b'&' | b';' | b',' | b')' | b']' | b'}' => ends_at(bytes, at),
        byte => byte.is_ascii_whitespace() || byte < 0x20,
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
