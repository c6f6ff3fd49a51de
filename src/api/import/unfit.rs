//! Leaves out the records of a file that no bullet of the memory can have, each with its line and the reason.
//!
//! One text beyond the limit never refuses its file. A text with other faults makes its record unreadable, so the
//! caller decides whether the rest is taken.

use std::collections::HashSet;

use super::{BadLine, Import};
use hindlore_domain::memory::content::{CONTENT_MAX_CHARS_OF_ANY, Content, ContentError};
use hindlore_domain::memory::delta::{BulletRef, Operation};

impl Import {
    /// Moves records with an unreadable text to the bad lines.
    pub(crate) fn part_unreadable(&mut self) {
        self.part(CONTENT_MAX_CHARS_OF_ANY, |fault| {
            !matches!(fault, ContentError::TooLong(..))
        });
    }

    /// Leaves out records with a text of more than `max_chars` characters, and the links of their bullets.
    pub(crate) fn leave_out_large(&mut self, max_chars: u32) {
        self.part(max_chars, |fault| {
            matches!(fault, ContentError::TooLong(..))
        });
    }

    fn part(&mut self, max_chars: u32, is_unfit: fn(&ContentError) -> bool) {
        let mut gone: HashSet<String> = HashSet::new();
        let mut gone_at: Vec<usize> = Vec::new();
        let (bad, left_out) = (&mut self.bad, &mut self.left_out);
        let mut places = 0..;
        self.records.retain(|record| {
            let at: usize = places.next().unwrap_or_default();
            let (text, id) = match &record.operation {
                Operation::Add(new) => (&*new.content, None),
                Operation::Insert(put) => (
                    put.bullet.content.as_str(),
                    Some(BulletRef::from(put.bullet.id).0),
                ),
                Operation::Link(change) => {
                    return !gone.contains(&change.from.0) && !gone.contains(&change.to.0);
                }
                _ => return true,
            };
            let Err(fault) = Content::parse(text, max_chars) else {
                return true;
            };
            if !is_unfit(&fault) {
                return true;
            }
            gone.extend(id);
            gone.insert(format!("#{at}"));
            gone_at.push(at);
            let line = BadLine {
                line: record.line,
                reason: fault.to_string(),
            };
            match fault {
                ContentError::TooLong(..) => left_out.push(line),
                _ => bad.push(line),
            }
            false
        });
        for record in &mut self.records {
            if let Operation::Link(change) = &mut record.operation {
                renumber(&mut change.from, &gone_at);
                renumber(&mut change.to, &gone_at);
            }
        }
    }
}

/// Keeps the number of a record after those before it are gone.
fn renumber(end: &mut BulletRef, gone_at: &[usize]) {
    let number = end
        .0
        .strip_prefix('#')
        .and_then(|number| number.parse::<usize>().ok());
    if let Some(number) = number {
        let before = gone_at.iter().filter(|at| **at < number).count();
        end.0 = format!("#{}", number - before);
    }
}

#[cfg(test)]
mod tests {
    use crate::import::{Format, parse_text};
    use hindlore_domain::memory::delta::DeltaId;
    use hindlore_domain::memory::key::MemoryKey;

    #[test]
    fn one_large_entry_of_any_format_is_left_out_with_its_line() {
        let large = "word ".repeat(5_000);
        let large = large.trim();
        for (format, text, line) in [
            (
                Format::Markdown,
                format!("# A\n\n{large}\n\n- a short rule\n"),
                3,
            ),
            (
                Format::Markdown,
                format!("# A\n\n- {large}\n- a short rule\n"),
                3,
            ),
            (
                Format::Markdown,
                format!("# A\n\n| a | b |\n|---|---|\n| x | {large} |\n\n- a short rule\n"),
                5,
            ),
            (
                Format::Markdown,
                format!("# A\n\n> {large}\n\n- a short rule\n"),
                3,
            ),
            (Format::List, format!("[\"{large}\",\n\"a short rule\"]"), 1),
            (
                Format::Mem0,
                format!("[{{\"memory\": \"{large}\"}},\n{{\"memory\": \"a short rule\"}}]"),
                1,
            ),
            (
                Format::AcePlaybook,
                format!(
                    "[a-1] helpful=1 harmful=0 :: {large}\n[a-2] helpful=1 harmful=0 :: a short rule\n"
                ),
                1,
            ),
        ] {
            let key = MemoryKey::new("t", "l", "s").unwrap();
            let delta = DeltaId::from_import(text.as_bytes(), format.word(), &key);
            let mut import = parse_text(format, &text, &key, &delta).unwrap();
            import.part_unreadable();
            import.leave_out_large(16_384);
            assert_eq!(import.records.len(), 1, "{format:?}");
            assert_eq!(import.bad, [], "{format:?}");
            let [left_out] = &import.left_out[..] else {
                panic!("{format:?}: {:?}", import.left_out);
            };
            assert_eq!(left_out.line, line, "{format:?}");
            assert!(
                left_out.reason.contains("the limit is 16384"),
                "{}",
                left_out.reason
            );
        }
    }

    #[test]
    fn a_text_with_control_characters_is_a_bad_line() {
        let key = MemoryKey::new("t", "l", "s").unwrap();
        let text = "[\"a\\u001bb\",\n\"a short rule\"]";
        let delta = DeltaId::from_import(text.as_bytes(), "list", &key);
        let mut import = parse_text(Format::List, text, &key, &delta).unwrap();
        import.part_unreadable();
        assert_eq!(
            (import.records.len(), import.bad.len(), import.bad[0].line),
            (1, 1, 1)
        );
    }
}
