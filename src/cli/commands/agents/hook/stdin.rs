//! The event on stdin: read to the end of its JSON document, whether or not the runtime closes the pipe.

use std::io::{self, ErrorKind, Read};

use hindlore_api::problem::Problem;
use hindlore_trace::{DocumentEnd, Encoding, Progress};

/// Maximum size of an event in bytes.
const EVENT_MAX: usize = 32 << 20;
/// Bytes asked for at once.
const PIECE: usize = 64 << 10;

/// Reads the event on this process's stdin.
pub(super) fn event() -> Result<String, Problem> {
    document(io::stdin().lock())
}

/// Reads one document as text. Bytes that are no text become `\u{fffd}`.
fn document(mut source: impl Read) -> Result<String, Problem> {
    let (mut bytes, mut filled) = (Vec::new(), 0);
    let mut end = DocumentEnd::default();
    loop {
        bytes.resize(filled + PIECE, 0);
        match source.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                let message = format!("the event cannot be read: {error}");
                return Err(Problem::new("unreadable_input", message));
            }
        }
        match end.look(&bytes[..filled]) {
            Progress::Ended(to) => {
                filled = to;
                break;
            }
            Progress::NoDocument => break,
            Progress::Open if filled > EVENT_MAX => {
                let message = format!("the event has more than {EVENT_MAX} bytes");
                return Err(Problem::new("input_too_large", message));
            }
            Progress::Open => {}
        }
    }
    bytes.truncate(filled);
    Ok(text(&bytes, end.encoding()))
}

fn text(bytes: &[u8], encoding: Encoding) -> String {
    if encoding == Encoding::Utf8 {
        let text = String::from_utf8_lossy(bytes);
        return text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
    }
    encoding.decode(bytes).0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe that gives its pieces one at a time and fails the test when it is read once more.
    struct Held(Vec<&'static [u8]>);

    impl Read for Held {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            assert!(!self.0.is_empty(), "read behind the end of the document");
            let piece = self.0.remove(0);
            into[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }

    #[test]
    fn a_pipe_that_stays_open_is_not_read_again() {
        let read = |pieces: &[&'static [u8]]| document(Held(pieces.to_vec())).unwrap();
        assert_eq!(read(&[b"{\"a\"", b": \"}\"", b"}\n"]), "{\"a\": \"}\"}");
        assert_eq!(read(&[b" {}{\"second\":1}"]), " {}");
        assert_eq!(read(&[b"no json at all"]), "no json at all");
    }

    #[test]
    fn other_encodings_and_broken_text_are_read() {
        let read = |bytes: &[u8]| document(bytes).unwrap();
        assert_eq!(
            read(b"\xef\xbb\xbf{\"a\":\"\xe9\xff\"}"),
            "{\"a\":\"\u{fffd}\u{fffd}\"}"
        );
        assert_eq!(read(b"{\"a\":\"\xc3"), "{\"a\":\"\u{fffd}");
        let wide = "\u{feff}{\"a\":\"é}\"}";
        let little: Vec<u8> = wide.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = wide.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [&little[..], &big, &little[2..], &big[2..]] {
            assert_eq!(read(bytes), "{\"a\":\"é}\"}");
        }
        assert_eq!(read(b""), "");
    }

    #[test]
    fn an_endless_event_is_refused_at_its_limit() {
        let endless = io::Read::chain(&b"{\"a\":\""[..], io::repeat(b'x'));
        assert_eq!(document(endless).unwrap_err().code, "input_too_large");
    }
}
