//! The form of a single piece: a UUID, a number, a moment, an address, a path.
//!
//! Each rule looks at the bytes of one piece in lower case and decides without looking around.

use super::lists::{is_country_domain, is_file_ending, is_general_domain, is_month};
use super::mask::Mask;

/// The mask of a piece that holds a digit; every such piece has one.
pub(super) fn of_digits(piece: &[u8]) -> Mask {
    if piece.iter().all(u8::is_ascii_digit) {
        return Mask::Number;
    }
    if is_number(piece) {
        return Mask::Number;
    }
    if is_uuid(piece) {
        return Mask::Uuid;
    }
    if is_hex(piece) {
        return Mask::Hex;
    }
    if is_address(piece) {
        return Mask::Address;
    }
    if is_time(piece) {
        return Mask::Time;
    }
    Mask::Mixed
}

/// The mask of a piece that holds slashes; absent when they mean something else.
pub(super) fn of_slashes(piece: &[u8]) -> Option<Mask> {
    let has_digit = piece.iter().any(u8::is_ascii_digit);
    // Java writes an unresolved address with a slash before it.
    if let Some(rest) = piece.strip_prefix(b"/")
        && has_digit
        && !rest.is_empty()
        && of_digits(rest) == Mask::Address
    {
        return Some(Mask::Address);
    }
    if has_digit && matches!(of_digits(piece), Mask::Address | Mask::Time) {
        return None;
    }
    is_path(piece).then_some(Mask::Path)
}

/// Letters, an at sign, and a name with a dot.
pub(super) fn is_email(piece: &[u8]) -> bool {
    let Some(at) = piece.iter().position(|byte| *byte == b'@') else {
        return false;
    };
    let host = &piece[at + 1..];
    at > 0 && host.contains(&b'.') && host.first().is_some_and(u8::is_ascii_alphanumeric)
}

/// Decimal digits with separators, an exponent, a percent sign.
fn is_number(piece: &[u8]) -> bool {
    if !piece[0].is_ascii_digit() {
        return false;
    }
    let body = piece.strip_suffix(b"%").unwrap_or(piece);
    let mut points = 0;
    for (at, &byte) in body.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {}
            b'.' | b',' | b'_' => points += 1,
            b'e' if at + 1 < body.len() && points <= 1 => {
                let exponent = &body[at + 1..];
                let digits = exponent
                    .strip_prefix(b"-")
                    .or(exponent.strip_prefix(b"+"))
                    .unwrap_or(exponent);
                return !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
            }
            _ => return false,
        }
    }
    points <= 1
}

/// `8-4-4-4-12` hexadecimal digits.
fn is_uuid(piece: &[u8]) -> bool {
    piece.len() == 36
        && piece.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// `0x` and hexadecimal digits, or eight of them and more without it.
pub(super) fn is_hex(piece: &[u8]) -> bool {
    if let Some(digits) = piece.strip_prefix(b"0x") {
        return !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    }
    piece.len() >= 8 && piece.iter().all(u8::is_ascii_hexdigit)
}

/// IPv4 with or without port or prefix length, IPv6, a hardware address, a host with a port.
fn is_address(piece: &[u8]) -> bool {
    let (mut colons, mut dots) = (0, 0);
    for byte in piece {
        colons += usize::from(*byte == b':');
        dots += usize::from(*byte == b'.');
    }
    if colons + dots == 0 {
        return false;
    }
    if colons <= 1 && is_ipv4(piece) {
        return true;
    }
    let digits_and = |extra: &[u8]| {
        piece
            .iter()
            .all(|b| b.is_ascii_hexdigit() || extra.contains(b))
    };
    if colons == 5 && piece.len() == 17 && digits_and(b":") {
        return true;
    }
    if colons >= 2
        && digits_and(b":.%")
        && (colons >= 4 || piece.windows(2).any(|pair| pair == b"::"))
    {
        return true;
    }
    is_host_and_port(piece) || (dots > 0 && is_host(piece))
}

fn is_ipv4(piece: &[u8]) -> bool {
    let mut groups = 1;
    let mut digits = 0;
    for (at, &byte) in piece.iter().enumerate() {
        match byte {
            b'0'..=b'9' if digits < 3 => digits += 1,
            b'.' if digits > 0 && groups < 4 => (groups, digits) = (groups + 1, 0),
            b':' | b'/' if digits > 0 && groups == 4 => {
                return piece[at + 1..].iter().all(u8::is_ascii_digit);
            }
            _ => return false,
        }
    }
    groups == 4 && digits > 0
}

fn is_host_and_port(piece: &[u8]) -> bool {
    let Some(colon) = piece.iter().rposition(|byte| *byte == b':') else {
        return false;
    };
    let (host, port) = (&piece[..colon], &piece[colon + 1..]);
    let is_port = (1..=5).contains(&port.len()) && port.iter().all(u8::is_ascii_digit);
    is_port && (host == b"localhost" || (host.contains(&b'.') && is_host(host)))
}

/// A host name by its top-level domain.
pub(super) fn is_host(piece: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(piece) else {
        return false;
    };
    if !piece
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
    {
        return false;
    }
    let Some((rest, top)) = text.rsplit_once('.') else {
        return false;
    };
    let names = !rest.is_empty() && rest.split('.').all(|label| !label.is_empty());
    // A package begins where a host name ends: `com.example.Name`.
    let package = rest.split('.').next().is_some_and(is_general_domain);
    let under_general = rest
        .rsplit_once('.')
        .is_some_and(|(_, second)| is_general_domain(second));
    let country =
        top.len() == 2 && (under_general || (rest.contains('.') && is_country_domain(top)));
    names && !package && (is_general_domain(top) || country)
}

/// The name of a file by its ending.
pub(super) fn is_file_name(piece: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(piece) else {
        return false;
    };
    text.rsplit_once('.')
        .is_some_and(|(name, ending)| !name.is_empty() && is_file_ending(ending))
}

/// A path by its separators.
fn is_path(piece: &[u8]) -> bool {
    let slashes = piece
        .iter()
        .filter(|byte| matches!(byte, b'/' | b'\\'))
        .count();
    match piece {
        [b'/' | b'\\' | b'~', ..] | [b'.', b'/' | b'\\', ..] | [b'.', b'.', b'/' | b'\\', ..] => {
            slashes > 0 && piece.iter().any(u8::is_ascii_alphanumeric)
        }
        [b'a'..=b'z', b':', b'/' | b'\\', ..] => true,
        _ => slashes >= 2 || (slashes == 1 && (is_file_name(piece) || is_component(piece))),
    }
}

/// Dotted names on a side of a slash, as registries and packages name their contents: `com.shop.app/.Main`.
fn is_component(piece: &[u8]) -> bool {
    let dots = |side: &[u8]| side.iter().filter(|byte| **byte == b'.').count();
    piece
        .split(|byte| *byte == b'/')
        .any(|side| dots(side) >= 2)
        && !piece.iter().any(u8::is_ascii_digit)
}

/// Whether a value begins as a path does.
pub(super) fn is_rooted(value: &[u8]) -> bool {
    matches!(
        value,
        [b'/' | b'\\', ..] | [b'~' | b'.', b'/', ..] | [b'.', b'.', b'/', ..]
    )
}

/// The position of `::` in a name of a program; in an address it is something else.
pub(super) fn is_scoped(piece: &[u8]) -> Option<usize> {
    let at = piece.windows(2).position(|pair| pair == b"::")?;
    let is_name = |byte: &u8| matches!(byte, b'g'..=b'z' | b'_');
    (at > 0 && piece.iter().any(is_name)).then_some(at)
}

/// The number of letters before the number of a numbered name: `r24`, `fpr29`.
pub(super) fn is_numbered_name(name: &[u8]) -> Option<usize> {
    let letters = name
        .iter()
        .take_while(|byte| byte.is_ascii_lowercase())
        .count();
    let digits = &name[letters..];
    let is_short = (1..=4).contains(&digits.len()) && letters <= 16;
    (letters > 0 && is_short && digits.iter().all(u8::is_ascii_digit)).then_some(letters)
}

/// A date, a time of day, or both.
fn is_time(piece: &[u8]) -> bool {
    if !piece[0].is_ascii_digit() {
        return false;
    }
    let separators = piece
        .iter()
        .filter(|byte| matches!(byte, b':' | b'-' | b'/'))
        .count();
    let has_name = |byte: &u8| !(byte.is_ascii_digit() || b":-/.,+tz".contains(byte));
    if has_month(piece) {
        return true;
    }
    separators >= 1 && !piece.iter().any(has_name) && groups_are_short(piece)
}

/// `13/jun/2005`, with or without a time of day after it.
fn has_month(piece: &[u8]) -> bool {
    let mut parts = piece.split(|byte| matches!(byte, b'/' | b'-'));
    let day = parts
        .next()
        .is_some_and(|day| day.len() <= 2 && day.iter().all(u8::is_ascii_digit));
    let month = parts
        .next()
        .and_then(|month| std::str::from_utf8(month).ok());
    day && month.is_some_and(is_month)
        && parts
            .next()
            .is_some_and(|year| year.first().is_some_and(u8::is_ascii_digit))
}

/// Dates and times consist of groups of at most four digits; fractions of a second may be longer.
fn groups_are_short(piece: &[u8]) -> bool {
    let mut digits = 0;
    let mut limit = 4;
    for &byte in piece {
        if byte.is_ascii_digit() {
            digits += 1;
        } else {
            digits = 0;
            limit = if matches!(byte, b'.' | b',') { 9 } else { 4 };
        }
        if digits > limit {
            return false;
        }
    }
    true
}
