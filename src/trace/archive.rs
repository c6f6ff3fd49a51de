//! The `.eval` logs of Inspect: an archive with one file for each sample.
//!
//! They are handed out as lines, each a log of one sample in the form that `inspect log dump` writes for all of them, so
//! that an archive of any size is read sample by sample.

use std::io::{self, Cursor, Read, Seek};

use flate2::read::DeflateDecoder;
use ruzstd::decoding::StreamingDecoder;
use serde_json::Value;
use zip::{CompressionMethod, ZipArchive};

use crate::lines::LINE_MAX_BYTES;

/// The first bytes of an archive.
const SIGN: &[u8] = b"PK\x03\x04";
/// Files that describe the evaluation: of one that ended, and of one that did not.
const HEADERS: [&str; 2] = ["header.json", "_journal/start.json"];
/// The longest description, in bytes.
const HEADER_MAX_BYTES: u64 = 16 << 20;

/// A log that is read sample by sample.
#[derive(Debug)]
pub struct EvalLog<S> {
    archive: ZipArchive<S>,
    /// The samples that are left, the next one last.
    samples: Vec<usize>,
    /// The description of the evaluation (JSON).
    eval: String,
    line: Cursor<Vec<u8>>,
}

impl<S: Read + Seek> EvalLog<S> {
    /// True if a file that begins like this may be such a log.
    pub fn is_archive(head: &[u8]) -> bool {
        head.starts_with(SIGN)
    }

    /// Opens a log; absent if the archive is none.
    ///
    /// # Errors
    /// Those of the source; `InvalidData` for an archive that is cut off or damaged.
    pub fn open(source: S) -> io::Result<Option<Self>> {
        let mut archive = ZipArchive::new(source)?;
        let is_sample = |name: &str| name.starts_with("samples/") && name.ends_with(".json");
        let mut samples = Vec::new();
        for index in 0..archive.len() {
            if archive
                .by_index_raw(index)?
                .name()
                .is_ok_and(|name| is_sample(&name))
            {
                samples.push(index);
            }
        }
        samples.reverse();
        let Some(eval) = eval_of(&mut archive)? else {
            return Ok(None);
        };
        Ok(Some(Self {
            archive,
            samples,
            eval,
            line: Cursor::default(),
        }))
    }

    /// The next sample as a line; empty after the last.
    fn next_line(&mut self) -> io::Result<Vec<u8>> {
        let Some(index) = self.samples.pop() else {
            return Ok(Vec::new());
        };
        let mut line = format!("{{\"version\":2,\"eval\":{},\"samples\":[", self.eval).into_bytes();
        // One that is too long is left to the reader of lines, which reports it.
        let sample = unpacked(&mut self.archive, index)?;
        let start = line.len();
        sample
            .take(LINE_MAX_BYTES as u64 + 1)
            .read_to_end(&mut line)?;
        for byte in &mut line[start..] {
            // No string of JSON holds the end of a line.
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        line.extend_from_slice(b"]}\n");
        Ok(line)
    }
}

impl<S: Read + Seek> Read for EvalLog<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.line.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        self.line = Cursor::new(self.next_line()?);
        self.line.read(buffer)
    }
}

/// The content of a file of an archive.
fn unpacked<S: Read + Seek>(
    archive: &mut ZipArchive<S>,
    index: usize,
) -> io::Result<Box<dyn Read + '_>> {
    let file = archive.by_index_raw(index)?;
    match file.compression() {
        CompressionMethod::STORE => Ok(Box::new(file)),
        CompressionMethod::DEFLATE => Ok(Box::new(DeflateDecoder::new(file))),
        CompressionMethod::ZSTD => {
            let decoder = StreamingDecoder::new(file).map_err(io::Error::other)?;
            Ok(Box::new(decoder))
        }
        method => {
            let reason = format!("the archive is compressed by {method}, which is not read");
            Err(io::Error::new(io::ErrorKind::InvalidData, reason))
        }
    }
}

/// The description of the evaluation.
fn eval_of<S: Read + Seek>(archive: &mut ZipArchive<S>) -> io::Result<Option<String>> {
    for name in HEADERS {
        let Some(index) = archive.index_for_name(name) else {
            continue;
        };
        let header = unpacked(archive, index)?.take(HEADER_MAX_BYTES);
        let header: Value = serde_json::from_reader(header)?;
        return Ok(header.get("eval").map(Value::to_string));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::{Guess, HEAD_BYTES, Item, guess, read};

    const HEADER: &str = r#"{"version": 2, "eval": {"eval_id": "e", "task": "t"}}"#;

    fn archive(files: &[(&str, &str)]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::STORE);
        for (name, text) in files {
            archive.start_file(*name, options).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    /// A sample in which a tool fails, on several lines as Inspect writes it.
    fn sample(id: usize) -> String {
        format!(
            "{{\n\"id\": {id}, \"epoch\": 1, \"uuid\": \"s{id}\", \"messages\": [\n\
             {{\"role\": \"assistant\", \"content\": \"\", \"tool_calls\": [{{\"id\": \"a\", \"function\": \"bash\", \
             \"arguments\": {{\"cmd\": \"shop lst\"}}, \"type\": \"function\"}}]}},\n\
             {{\"role\": \"tool\", \"content\": \"\", \"tool_call_id\": \"a\", \"function\": \"bash\", \
             \"error\": {{\"type\": \"unknown\", \"message\": \"shop: unknown command lst\"}}}}\n]}}"
        )
    }

    /// The steps of a log, by line.
    fn steps(bytes: Vec<u8>) -> Vec<(usize, String)> {
        assert!(EvalLog::<Cursor<Vec<u8>>>::is_archive(&bytes));
        let log = EvalLog::open(Cursor::new(bytes)).unwrap().unwrap();
        let mut source = BufReader::with_capacity(HEAD_BYTES, log);
        let Guess::Trace(format) = guess(source.fill_buf().unwrap()) else {
            panic!("no trace");
        };
        assert_eq!(format.word(), "inspect");
        let mut errors = Vec::new();
        let mut take = |item| {
            if let Item::Step(step) = item {
                errors.push((step.line, step.error));
            }
        };
        read(format, source, &mut take).unwrap();
        errors
    }

    #[test]
    fn the_samples_of_an_archive_are_read_one_after_the_other() {
        let (first, second) = (sample(1), sample(2));
        let files = [
            ("_journal/start.json", HEADER),
            ("samples/1_epoch_1.json", first.as_str()),
            ("summaries.json", "[]"),
            ("samples/2_epoch_1.json", second.as_str()),
        ];
        let said = "shop: unknown command lst".to_owned();
        assert_eq!(
            steps(archive(&files)),
            [(1, said.clone()), (2, said.clone())]
        );
        // One sample by Deflate, as Inspect wrote it before, and one by Zstandard.
        let compressed = include_bytes!("tests/files/inspect.eval");
        assert_eq!(steps(compressed.to_vec()), [(1, said.clone()), (2, said)]);
    }

    #[test]
    fn an_archive_of_another_kind_is_no_log_and_a_cut_one_is_an_error() {
        let bytes = archive(&[("notes.txt", "x")]);
        assert!(EvalLog::open(Cursor::new(bytes.clone())).unwrap().is_none());
        let cut = bytes[..bytes.len() / 2].to_vec();
        let failed = EvalLog::open(Cursor::new(cut)).unwrap_err();
        assert_eq!(failed.kind(), io::ErrorKind::InvalidData);
    }
}
