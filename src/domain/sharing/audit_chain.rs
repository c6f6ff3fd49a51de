//! The audit log: lines that each carry the hash of the line before, so that none can be changed, taken out or put in.
//!
//! ```text
//! {"hash":"9f2c…","entry":{"before":"41aa…","number":7, …}}
//! ```
//!
//! The hash is that of the entry's very text (SHA-256). Lines cut off at the end leave a chain that is sound and
//! shorter; a number and its hash kept elsewhere reveal that, too.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use hindlore_primitives::identity::hex;

const HASH: &str = "{\"hash\":\"";
const ENTRY: &str = "\",\"entry\":";
const END: &str = "}";

/// A chain up to its last line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AuditChain {
    /// How many lines it has.
    pub number: u64,
    /// The hash of the last one; empty without any.
    pub hash: String,
}

impl AuditChain {
    /// The next line, with these contents. The chain ends with it from now on.
    pub fn line(&mut self, mut fields: Map<String, Value>) -> String {
        self.number += 1;
        fields.insert("number".to_owned(), self.number.into());
        fields.insert("before".to_owned(), self.hash.clone().into());
        let entry = Value::Object(fields).to_string();
        self.hash = hash_of(&entry);
        format!("{HASH}{}{ENTRY}{entry}{END}", self.hash)
    }

    /// The chain that ends with a line, after any lines before it.
    ///
    /// # Errors
    /// Why it is no line of a log.
    pub fn ending(line: &str) -> Result<Self, String> {
        let (hash, value) = entry_of(line)?;
        let number = value["number"].as_u64();
        Ok(Self {
            number: number.ok_or("it has no number")?,
            hash: hash.to_owned(),
        })
    }

    /// Takes the next line of a log.
    ///
    /// Why it is not the next line.
    pub fn follow(&mut self, line: &str) -> Result<(), String> {
        let (hash, value) = entry_of(line)?;
        if value["before"] != self.hash.as_str() || value["number"] != self.number + 1 {
            return Err(format!(
                "it does not come after entry {}: one was taken out, put in or moved",
                self.number
            ));
        }
        self.number += 1;
        self.hash = hash.to_owned();
        Ok(())
    }
}

/// The hash of a line and its entry, if the one is that of the other.
fn entry_of(line: &str) -> Result<(&str, Value), String> {
    let parts = line
        .strip_prefix(HASH)
        .and_then(|rest| rest.strip_suffix(END))
        .and_then(|rest| rest.split_once(ENTRY));
    let (hash, entry) = parts.ok_or("it is no line of an audit log")?;
    if hash != hash_of(entry) {
        return Err("its text was changed".to_owned());
    }
    let value = serde_json::from_str(entry).map_err(|error| error.to_string())?;
    Ok((hash, value))
}

fn hash_of(entry: &str) -> String {
    hex(&Sha256::digest(entry.as_bytes()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn log() -> Vec<String> {
        let mut chain = AuditChain::default();
        let entry = |who: &str| {
            let fields = json!({"who": who, "verb": "bullets.add"});
            fields.as_object().cloned().unwrap_or_default()
        };
        ["ada", "ben", "\",\"entry\":", "cy", "ada"]
            .map(|who| chain.line(entry(who)))
            .to_vec()
    }

    /// The first line that is refused, from 1.
    fn refused(lines: &[String]) -> Option<usize> {
        let mut chain = AuditChain::default();
        let mut numbered = (1..).zip(lines);
        numbered.find_map(|(number, line)| chain.follow(line).is_err().then_some(number))
    }

    #[test]
    fn a_log_is_sound_and_can_be_gone_on_with() {
        let mut lines = log();
        assert_eq!(refused(&lines), None);
        let mut chain = AuditChain::default();
        lines.iter().for_each(|line| chain.follow(line).unwrap());
        lines.push(chain.line(Map::new()));
        assert_eq!(refused(&lines), None);
        assert_eq!(chain.number, 6);
        assert_eq!(AuditChain::ending(&lines[5]), Ok(chain));
    }

    #[test]
    fn a_line_that_was_touched_is_found() {
        let lines = log();
        for at in 0..lines.len() {
            for place in 0..lines[at].len() {
                let mut bytes = lines[at].clone().into_bytes();
                bytes[place] = if bytes[place] == b'x' { b'y' } else { b'x' };
                let mut touched = lines.clone();
                touched[at] = String::from_utf8(bytes).unwrap();
                assert_eq!(refused(&touched), Some(at + 1), "{}", touched[at]);
            }
        }
    }

    #[test]
    fn a_line_taken_out_put_in_or_moved_is_found() {
        let lines = log();
        for at in 0..lines.len() - 1 {
            let mut fewer = lines.clone();
            fewer.remove(at);
            assert_eq!(refused(&fewer), Some(at + 1));
            let mut more = lines.clone();
            more.insert(at, lines[at + 1].clone());
            assert!(refused(&more).is_some());
            let mut moved = lines.clone();
            moved.swap(at, at + 1);
            assert!(refused(&moved).is_some());
        }
        // Another log is sound by itself, and not after this one.
        let mut chain = AuditChain::default();
        chain.line(Map::new());
        let strange = [lines.clone(), vec![chain.line(Map::new())]].concat();
        assert_eq!(refused(&strange), Some(6));
    }
}
