//! Vectors of a memory's texts as records: the model once for each memory, and the vectors in batches.
//!
//! A batch is what was computed at once, so that ten thousand texts are a few hundred records. Its serial number rises, and
//! a reader asks for the batches after the last one that it has. Each component is a byte, in hex digits: stores keep
//! texts alike, so that the vectors, and with them the answers, are the same in each.

use super::kind::Kind;
use super::learners::OWNER_ALONE;
use super::record::{Fields, Record, RecordKey};
use crate::order_key::{OrderKey, Range};
use hindlore_domain::memory::content::ContentHash;
use hindlore_domain::memory::content::vectors::{Heading, PackedVector};
use hindlore_primitives::identity::{derived_hash, hex, unhex};

/// The model of a memory's vectors.
pub static EMBEDDING_MODEL: Kind = Kind {
    label: "EmbeddingModel",
    held_as: Some("HAS_EMBEDDING_MODEL"),
    caption: "model",
    orders: &[],
    references: &[],
    edges: &[],
    learners: OWNER_ALONE,
};

/// Batches of vectors.
pub static EMBEDDING: Kind = Kind {
    label: "Embedding",
    held_as: Some("HAS_EMBEDDING"),
    caption: "scope",
    orders: &[BY_SERIAL],
    references: &[],
    edges: &[],
    learners: OWNER_ALONE,
};

/// The batches of a memory, the first one first.
pub const BY_SERIAL: &str = "by_serial";
/// Largest number of texts in a batch.
pub const BATCH_MAX: usize = 32;
/// The way in which texts become vectors: how they are cut, titled and packed. Vectors of another version are not compared.
pub const EMBEDDING_VERSION: u32 = 1;
/// Bytes of an id's hash.
const ID_BYTES: usize = 10;

/// The model of a memory's vectors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmbeddingModelRow {
    /// The scope of the memory.
    pub scope: String,
    /// The id of the model.
    pub model: String,
    /// The number of components of a vector.
    pub dimension: u32,
    /// [`EMBEDDING_VERSION`] when it was written.
    pub version: u32,
    /// Random; a reader whose batches came with another one has vectors that were dropped.
    pub draw: String,
    /// The serial number of the newest batch.
    pub serial: i64,
}

/// A text with the vectors of its passages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmbeddedText {
    /// The text.
    pub text: ContentHash,
    /// The heading under which it was read.
    pub heading: Heading,
    /// A vector for each passage.
    pub passages: Vec<PackedVector>,
}

/// Vectors that were computed at once, of at most [`BATCH_MAX`] texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmbeddingBatch {
    /// The scope of the memory.
    pub scope: String,
    /// Its number in the memory.
    pub serial: i64,
    /// The texts.
    pub texts: Vec<EmbeddedText>,
}

/// The key of the model of a memory.
pub fn embedding_model_key(scope: &str) -> RecordKey {
    RecordKey::new(&EMBEDDING_MODEL, id_of(&["embedding model", scope]))
}

/// The batches of a memory after a serial number, as a range of [`BY_SERIAL`]; all of them after 0.
pub fn embeddings_after(scope: &str, serial: i64) -> Range {
    let all = Range::starting_with(&OrderKey::new().exact(scope));
    let last = OrderKey::new().exact(scope).smallest(serial.unsigned_abs());
    match serial {
        0 => all,
        _ => all.after(&last.position(embedding_key(scope, serial).id.as_str())),
    }
}

fn embedding_key(scope: &str, serial: i64) -> RecordKey {
    let id = id_of(&["embedding", scope, &serial.to_string()]);
    RecordKey::new(&EMBEDDING, id)
}

fn id_of(parts: &[&str]) -> String {
    format!("em_{}", hex(&derived_hash(parts)[..ID_BYTES]))
}

impl EmbeddingModelRow {
    /// The model as a record.
    pub fn to_record(&self) -> Record {
        let fields = Fields::new()
            .with("scope", self.scope.as_str())
            .with("model", self.model.as_str())
            .with("dimension", self.dimension)
            .with("version", self.version)
            .with("draw", self.draw.as_str())
            .with("serial", self.serial);
        Record::new(embedding_model_key(&self.scope), fields)
    }

    /// Reads a model; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let fields = &record.fields;
        Ok(Self {
            scope: fields.read("scope")?,
            model: fields.read("model")?,
            dimension: fields.read("dimension")?,
            version: fields.read("version")?,
            draw: fields.read("draw")?,
            serial: fields.read("serial")?,
        })
    }
}

impl EmbeddingBatch {
    /// The key of its record.
    pub fn key(&self) -> RecordKey {
        embedding_key(&self.scope, self.serial)
    }

    /// The batch as a record: a text for each text, with its hash, the mark of its heading, and its vectors.
    pub fn to_record(&self) -> Record {
        let line = |one: &EmbeddedText| {
            let head = format!("{} {}", one.text.to_hex(), one.heading.to_hex());
            let vectors = one.passages.iter();
            vectors.fold(head, |line, vector| {
                format!("{line} {}", hex(&vector.to_bytes()))
            })
        };
        let texts: Vec<String> = self.texts.iter().map(line).collect();
        let fields = Fields::new()
            .with("scope", self.scope.as_str())
            .with("serial", self.serial)
            .with("texts", texts);
        let order = OrderKey::new()
            .exact(&self.scope)
            .smallest(self.serial.unsigned_abs());
        Record::new(self.key(), fields).in_order(BY_SERIAL, order)
    }

    /// Reads a batch; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let lines: Vec<String> = record.fields.read("texts")?;
        let damaged = || "`texts` holds no vectors".to_owned();
        let texts = lines.iter().map(|line| read_text(line).ok_or_else(damaged));
        Ok(Self {
            scope: record.fields.read("scope")?,
            serial: record.fields.read("serial")?,
            texts: texts.collect::<Result<_, _>>()?,
        })
    }
}

fn read_text(line: &str) -> Option<EmbeddedText> {
    let mut parts = line.split(' ');
    Some(EmbeddedText {
        text: ContentHash::from_hex(parts.next()?)?,
        heading: Heading::from_hex(parts.next()?)?,
        passages: parts
            .map(|digits| PackedVector::from_bytes(&unhex(digits)?))
            .collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_and_its_model_come_back() {
        let model = EmbeddingModelRow {
            scope: "shop".to_owned(),
            model: "mini".to_owned(),
            dimension: 3,
            version: EMBEDDING_VERSION,
            draw: "em_1".to_owned(),
            serial: 2,
        };
        let record = model.to_record();
        record.check().unwrap();
        assert_eq!(EmbeddingModelRow::from_record(&record), Ok(model));
        let text = |number: u8, section| EmbeddedText {
            text: ContentHash([number; 32]),
            heading: Heading::of(section),
            passages: [[0.1, -0.5, 0.2], [1.0, 0.0, -1.0]]
                .iter()
                .map(|vector| PackedVector::pack(vector).unwrap())
                .collect(),
        };
        let batch = EmbeddingBatch {
            scope: "shop".to_owned(),
            serial: 2,
            texts: vec![text(7, None), text(200, Some("Tests"))],
        };
        let record = batch.to_record();
        record.check().unwrap();
        assert_eq!(EmbeddingBatch::from_record(&record), Ok(batch));
    }

    #[test]
    fn a_damaged_batch_is_refused() {
        let batch = |text: &str| {
            let fields = Fields::new()
                .with("scope", "shop")
                .with("serial", 1_i64)
                .with("texts", vec![text.to_owned()]);
            Record::new(RecordKey::new(&EMBEDDING, "em_1"), fields)
        };
        let hash = ContentHash([1; 32]).to_hex();
        for text in [
            "",
            &hash,
            "ab 0",
            &format!("{hash} 0 7"),
            &format!("{hash} 0 00"),
        ] {
            assert!(EmbeddingBatch::from_record(&batch(text)).is_err(), "{text}");
        }
        assert!(EmbeddingBatch::from_record(&batch(&format!("{hash} 0 7f"))).is_ok());
    }
}
