//! The tie between a value and a name: the sign between the two, and the beginning of the value.

use super::traits::Traits;

/// Blanks allowed around a sign.
pub(crate) const BLANKS_MAX: usize = 32;
/// Maximum distance of a value from a name in quotes: `name: PASSWORD`, next line `value: …`.
const APART_MAX: usize = 40;

/// How far below its name a value may begin.
const BELOW_MAX: usize = 128;

/// The tie between a value and its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tie {
    /// `=`, `:=`, `==`.
    Equals,
    /// `=>`.
    Arrow,
    /// `:`.
    Colon,
    /// `,` after a name in quotes.
    Comma,
    /// `(` after the name of a call.
    Call,
    /// `>` of an element.
    Tag,
    /// Blanks alone, before a text in quotes.
    Gap,
    /// `is`, `was`.
    Says,
}

/// A name in the text.
#[derive(Clone, Copy)]
pub(crate) struct Name {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A text that is read.
pub(crate) struct Reader<'t> {
    pub(crate) text: &'t str,
    pub(crate) bytes: &'t [u8],
    pub(crate) is_command: bool,
}

impl Reader<'_> {
    /// The tie between the value and the name, whether there are blanks around it, and the beginning of the value.
    pub(crate) fn tie(&self, name: Name) -> Option<(Tie, bool, usize)> {
        let bytes = self.bytes;
        let byte = |at: usize| bytes.get(at).copied();
        let mut at = name.end;
        while byte(at) == Some(b'\\') && at < name.end + 4 {
            at += 1;
        }
        let is_closed = matches!(byte(at), Some(b'"' | b'\'' | b'`'));
        at = if is_closed { at + 1 } else { name.end };
        if is_closed && matches!(byte(at), Some(b']' | b')')) {
            at += 1;
        }
        if matches!(byte(at), Some(b'?' | b'!')) && byte(at + 1) == Some(b':') {
            at += 1;
        }
        let unspaced = at;
        at = self.skip_blanks(at);
        let is_spaced = at > unspaced;
        let (tie, next) = match (byte(at)?, byte(at + 1)) {
            (b'=', Some(b'>')) => (Tie::Arrow, at + 2),
            (b'=', Some(b'~')) => return None,
            (b'=', _) => (
                Tie::Equals,
                at + bytes[at..]
                    .iter()
                    .take(3)
                    .take_while(|b| **b == b'=')
                    .count(),
            ),
            (b':', Some(b'=')) => (Tie::Equals, at + 2),
            (b':', Some(b':')) => return None,
            (b':', _) => (Tie::Colon, at + 1),
            (b',', _) if is_closed => (Tie::Comma, at + 1),
            (b'(', _) if !is_spaced && !is_closed => (Tie::Call, at + 1),
            (b'>', _) if !is_spaced && self.is_tag(name) => (Tie::Tag, at + 1),
            (b'"' | b'\'', _) if is_spaced && !is_closed => (Tie::Gap, at),
            (b'i', Some(b's')) if is_spaced && byte(at + 2) == Some(b' ') => (Tie::Says, at + 2),
            (b'w', Some(b'a')) if is_spaced && bytes[at..].starts_with(b"was ") => {
                (Tie::Says, at + 3)
            }
            (b'%', _) if !is_spaced && bytes[at..].len() > 3 && &bytes[at..at + 3] == b"%3D" => {
                (Tie::Equals, at + 3)
            }
            (_, _) if is_spaced && self.is_login(name) => (Tie::Says, at),
            _ => return None,
        };
        let mut begin = self.skip_blanks(next);
        if tie == Tie::Colon
            && let Some(below) = self.below(begin, is_closed)
        {
            begin = below;
        }
        Some((tie, is_spaced || begin > next, self.skip_prefix(begin)))
    }

    /// The value of a name that has a line of its own: in JSON a text in quotes, elsewhere a word alone on its line.
    fn below(&self, at: usize, is_closed: bool) -> Option<usize> {
        let rest = &self.bytes[at..self.bytes.len().min(at + BELOW_MAX)];
        let line = rest
            .strip_prefix(b"\r\n")
            .or_else(|| rest.strip_prefix(b"\n"))?;
        let blanks = line
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count();
        let value = &line[blanks..];
        let start = at + rest.len() - value.len();
        if is_closed {
            return value.starts_with(b"\"").then_some(start);
        }
        let end = value.iter().position(u8::is_ascii_whitespace);
        let word = self.text.get(start..start + end.unwrap_or(value.len()))?;
        let ends_line = end.map_or(start + value.len() == self.bytes.len(), |end| {
            value[end] != b' '
        });
        let traits = Traits::of(word);
        let is_word = traits.is_mixed() && traits.changes >= 2 && !word.ends_with(':');
        (ends_line && is_word && !word.contains(['=', '(', '/'])).then_some(start)
    }

    /// Where a block begins that `|` or `>` announces: on the next line.
    pub(crate) fn block_start(&self, at: usize) -> Option<usize> {
        let rest = &self.bytes[at..self.bytes.len().min(at + BELOW_MAX)];
        let sign = rest
            .strip_prefix(b"|")
            .or_else(|| rest.strip_prefix(b">"))?;
        let sign = sign
            .strip_prefix(b"-")
            .or_else(|| sign.strip_prefix(b"+"))
            .unwrap_or(sign);
        let line = sign
            .strip_prefix(b"\r\n")
            .or_else(|| sign.strip_prefix(b"\n"))?;
        let blanks = line.iter().take_while(|b| **b == b' ').count();
        Some(at + rest.len() - line.len() + blanks)
    }

    /// A value that another name holds: `name: PASSWORD` and `value: …`, or `"password" { default = … }`.
    pub(crate) fn apart(&self, name: Name) -> Option<(Tie, bool, usize)> {
        let end = self.bytes.len().min(name.end + APART_MAX);
        let mut at = name.end;
        while at < end && b"\"' \t\r\n,{}\\".contains(&self.bytes[at]) {
            at += 1;
        }
        let rest = &self.bytes[at..];
        let word = [&b"value"[..], b"Value", b"default"]
            .into_iter()
            .find(|word| rest.starts_with(word))?;
        let holder = Name {
            start: at,
            end: at + word.len(),
        };
        // The name itself has to be written as a value.
        let is_value =
            self.bytes[..name.start].ends_with(b"\"") || self.bytes[..name.start].ends_with(b": ");
        let (tie, spaced, begin) = self.tie(holder).filter(|_| is_value)?;
        matches!(tie, Tie::Equals | Tie::Colon).then_some((tie, spaced, begin))
    }

    /// `password` in a list of logins: `machine … login … password …`.
    fn is_login(&self, name: Name) -> bool {
        if !self.bytes[name.start..name.end].eq(b"password") {
            return false;
        }
        let start = name.start.saturating_sub(200);
        let before = &self.bytes[start..name.start];
        let has = |word: &[u8]| before.windows(word.len()).any(|part| part == word);
        has(b"login ") && (has(b"machine ") || has(b"default "))
    }

    fn is_tag(&self, name: Name) -> bool {
        let before = &self.bytes[name.start.saturating_sub(24)..name.start];
        before.ends_with(b"<") || before.ends_with(b":") && before.contains(&b'<')
    }

    pub(crate) fn skip_blanks(&self, at: usize) -> usize {
        let blanks = self.bytes[at.min(self.bytes.len())..]
            .iter()
            .take(BLANKS_MAX);
        at + blanks.take_while(|b| matches!(b, b' ' | b'\t')).count()
    }

    /// Letters that languages put before a quote.
    pub(crate) fn skip_prefix(&self, at: usize) -> usize {
        let rest = &self.bytes[at.min(self.bytes.len())..];
        match rest {
            [b'r' | b'b' | b'f' | b'u' | b'L' | b'@', b'"' | b'\'', ..] => at + 1,
            [b'O', b'k' | b'K', ..] => at,
            _ if rest.starts_with(b"Some(\"") => at + 5,
            _ => at,
        }
    }
}
