//! Conversations as records: the messages to an agent, so that the next one continues from there.

use super::kind::Kind;
use super::learners::OWNER_ALONE;
use super::record::{Fields, Record, RecordKey};
use hindlore_primitives::timestamp::Timestamp;

/// Conversations.
pub static CONVERSATION: Kind = Kind {
    label: "Conversation",
    held_as: Some("HAS_CONVERSATION"),
    caption: "first_question",
    orders: &[],
    edges: &[],
    references: &[],
    learners: OWNER_ALONE,
};

/// A conversation.
#[derive(Clone, PartialEq, Debug)]
pub struct ConversationRow {
    /// Its id.
    pub id: String,
    /// Its first question, cut.
    pub title: String,
    /// The scope of the memory that it is about.
    pub scope: String,
    /// How often it was written; the next writer must have read this one.
    pub revision: i64,
    /// Messages and notes of reflections, as JSON.
    pub body: String,
    /// When it was last written.
    pub at: Timestamp,
}

/// The key of a conversation.
pub fn conversation_key(id: &str) -> RecordKey {
    RecordKey::new(&CONVERSATION, id)
}

impl ConversationRow {
    /// The conversation as a record.
    pub fn to_record(&self) -> Record {
        let fields = Fields::new()
            .with("first_question", self.title.as_str())
            .with("scope", self.scope.as_str())
            .with("revision", self.revision)
            .with("body", self.body.as_str())
            .with("at", self.at);
        Record::new(conversation_key(&self.id), fields)
    }

    /// Reads a conversation; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let fields = &record.fields;
        let text =
            |name: &str| -> Result<String, String> { Ok(fields.read::<&str>(name)?.to_owned()) };
        Ok(Self {
            id: record.key.id.clone(),
            title: text("first_question")?,
            scope: text("scope")?,
            revision: fields.read("revision")?,
            body: text("body")?,
            at: fields.read("at")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_comes_back() {
        let row = ConversationRow {
            id: "c_1.ab".to_owned(),
            title: "how do I".to_owned(),
            scope: "default".to_owned(),
            revision: 3,
            body: "[]".to_owned(),
            at: Timestamp::from_millis(5),
        };
        let record = row.to_record();
        record.check().unwrap();
        assert_eq!(ConversationRow::from_record(&record), Ok(row));
    }
}
