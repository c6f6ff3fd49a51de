//! Conversations of a learner with an agent. An id contains its owner, so that conversations of others are never looked
//! up.

use super::clock::random_id;
use super::error::{EngineError, EngineResult};
use super::handle::Engine;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_primitives::identity::{derived_hash, hex};
use hindlore_store::records::conversation::{ConversationRow, conversation_key};
use hindlore_store::records::{RecordCommit, RecordReads};

/// Digits of the mark of a learner in an id.
const MARK_DIGITS: usize = 12;

impl Engine {
    /// Makes the id of a new conversation of this learner.
    pub fn fresh_conversation(owner: &LearnerId) -> EngineResult<String> {
        let random = random_id("c").map_err(|error| EngineError::Invalid(error.to_string()))?;
        Ok(format!("{random}.{}", mark(owner, &random)))
    }

    /// A text as it may be kept: without the secrets in it.
    pub fn without_secrets(&self, text: &str) -> String {
        self.redacted(text).0
    }

    /// Reads a conversation.
    ///
    /// `ForeignConversation` for the conversation of another learner, `NoConversation` if there is none.
    pub async fn conversation(&self, owner: &LearnerId, id: &str) -> EngineResult<ConversationRow> {
        checked(owner, id)?;
        let found = self.store().records(owner, &[conversation_key(id)]).await?;
        let none = || EngineError::NoConversation(id.to_owned());
        let row = found.first().ok_or_else(none)?;
        ConversationRow::from_record(row).map_err(damaged)
    }

    /// Writes a conversation unless another caller wrote it since it was read; returns whether it did. A new one has
    /// the revision 1.
    pub async fn keep_conversation(
        &self,
        owner: &LearnerId,
        row: ConversationRow,
    ) -> EngineResult<bool> {
        checked(owner, &row.id)?;
        let reads = RecordReads {
            keys: vec![conversation_key(&row.id)],
            ..RecordReads::default()
        };
        self.decide_records(owner, reads, move |read| {
            let there = read.records.first().map(ConversationRow::from_record);
            let there = there
                .transpose()
                .map_err(damaged)?
                .map_or(0, |there| there.revision);
            let is_next = there + 1 == row.revision;
            let puts = if is_next {
                vec![row.to_record()]
            } else {
                Vec::new()
            };
            Ok((
                is_next,
                RecordCommit {
                    puts,
                    deletes: Vec::new(),
                },
            ))
        })
        .await
    }
}

/// An id is a random part and the mark of its learner.
fn checked(owner: &LearnerId, id: &str) -> EngineResult<()> {
    // The id comes from outside, so its length is bounded before it is hashed or repeated in an error.
    let is_short = id.len() <= 64 && !id.contains(|c: char| c.is_control() || c.is_whitespace());
    let Some((random, theirs)) = id.split_once('.').filter(|_| is_short) else {
        return Err(EngineError::NoConversation(id.chars().take(64).collect()));
    };
    if theirs == mark(owner, random) {
        Ok(())
    } else {
        Err(EngineError::ForeignConversation(id.to_owned()))
    }
}

fn mark(owner: &LearnerId, random: &str) -> String {
    let hash = hex(&derived_hash(&[
        "conversation",
        owner.tenant(),
        owner.learner(),
        random,
    ]));
    hash[..MARK_DIGITS].to_owned()
}

fn damaged(reason: String) -> EngineError {
    EngineError::damaged("read a conversation", reason)
}
