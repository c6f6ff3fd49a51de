//! Bytes to text: UTF-8, UTF-16 with or without a mark at the beginning, and cp1252 where a byte is no UTF-8.
//!
//! PowerShell's `>` writes UTF-16, and tools on Windows mix single cp1252 bytes into UTF-8. No file is refused for its
//! encoding: a byte that is neither becomes `\u{fffd}`, and replacements are counted.

/// How the text of a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// UTF-8; single bytes that are none are read as cp1252.
    Utf8,
    /// UTF-16, the low byte first.
    Utf16Le,
    /// UTF-16, the high byte first.
    Utf16Be,
}

/// Bytes that are looked at for an encoding without a mark.
const LOOKED_AT: usize = 512;

impl Encoding {
    /// Guesses from the beginning of a file: by its byte order mark, else by its zero bytes, which are nearly every
    /// second byte of UTF-16 text with blanks, signs and digits.
    pub fn guess(head: &[u8]) -> Self {
        if head.starts_with(&[0xff, 0xfe]) {
            return Self::Utf16Le;
        }
        if head.starts_with(&[0xfe, 0xff]) {
            return Self::Utf16Be;
        }
        let head = &head[..head.len().min(LOOKED_AT)];
        let zeros = |first: usize| {
            head.iter()
                .skip(first)
                .step_by(2)
                .filter(|b| **b == 0)
                .count()
        };
        let (even, odd) = (zeros(0), zeros(1));
        // One zero alone is a sign of binary data.
        let many = (head.len() / 8).max(1);
        if head.len() >= 4 && odd > many && even <= many / 4 {
            Self::Utf16Le
        } else if head.len() >= 4 && even > many && odd <= many / 4 {
            Self::Utf16Be
        } else {
            Self::Utf8
        }
    }

    /// The bytes that end a line.
    pub(crate) fn newline(self) -> &'static [u8] {
        match self {
            Self::Utf8 => b"\n",
            Self::Utf16Le => b"\n\0",
            Self::Utf16Be => b"\0\n",
        }
    }

    /// Reads bytes; a mark at the beginning is left out. Also gives how many bytes were replaced.
    pub fn decode(self, bytes: &[u8]) -> (String, usize) {
        let (text, replaced) = match self {
            Self::Utf8 => utf8(bytes),
            Self::Utf16Le => utf16(bytes, u16::from_le_bytes),
            Self::Utf16Be => utf16(bytes, u16::from_be_bytes),
        };
        match text.strip_prefix('\u{feff}') {
            Some(rest) => (rest.to_owned(), replaced),
            None => (text, replaced),
        }
    }
}

fn utf8(bytes: &[u8]) -> (String, usize) {
    let mut text = String::with_capacity(bytes.len());
    let mut replaced = 0;
    let mut chunks = bytes.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        text.push_str(chunk.valid());
        let invalid = chunk.invalid();
        replaced += invalid.len();
        // Several bytes at the end are a character that was cut off.
        if invalid.len() > 1 && chunks.peek().is_none() {
            text.push(char::REPLACEMENT_CHARACTER);
        } else {
            text.extend(invalid.iter().map(|byte| cp1252(*byte)));
        }
    }
    (text, replaced)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> (String, usize) {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut replaced = rest.len();
    let units = pairs.iter().map(|pair| unit(*pair));
    let text = char::decode_utf16(units).map(|read| {
        read.unwrap_or_else(|_| {
            replaced += 2;
            char::REPLACEMENT_CHARACTER
        })
    });
    let text = text.collect();
    (text, replaced)
}

/// A byte of cp1252, whose only differences to Latin-1 lie in 0x80..=0x9f; five of these are not assigned.
fn cp1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž',
        '\u{fffd}', '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ',
        '\u{fffd}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> (Encoding, String) {
        let encoding = Encoding::guess(bytes);
        (encoding, encoding.decode(bytes).0)
    }

    fn little(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn each_encoding_is_told_and_read() {
        let text = "error[E0425]: `größe` fehlt\r\n";
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (bytes, encoding) in [
            (text.as_bytes().to_vec(), Encoding::Utf8),
            ([b"\xef\xbb\xbf", text.as_bytes()].concat(), Encoding::Utf8),
            (little(text), Encoding::Utf16Le),
            (
                [b"\xff\xfe".to_vec(), little(text)].concat(),
                Encoding::Utf16Le,
            ),
            (big.clone(), Encoding::Utf16Be),
            ([b"\xfe\xff".to_vec(), big].concat(), Encoding::Utf16Be),
        ] {
            assert_eq!(read(&bytes), (encoding, text.to_owned()));
        }
    }

    #[test]
    fn single_bytes_of_cp1252_are_read_and_broken_pairs_are_replaced() {
        assert_eq!(
            Encoding::Utf8.decode(b"that\x92s gr\xc3\xbcn \x81"),
            ("that’s grün \u{fffd}".to_owned(), 2)
        );
        assert_eq!(
            Encoding::Utf8.decode(b"\xe9\x80 cut \xe2\x80"),
            ("é€ cut \u{fffd}".to_owned(), 4)
        );
        let half = [little("a"), vec![0x3d, 0xd8], little("b"), vec![7]].concat();
        assert_eq!(
            Encoding::Utf16Le.decode(&half),
            ("a\u{fffd}b".to_owned(), 3)
        );
        assert_eq!(read(b""), (Encoding::Utf8, String::new()));
        assert_eq!(read(b"\0\0\0\0").0, Encoding::Utf8);
    }
}
