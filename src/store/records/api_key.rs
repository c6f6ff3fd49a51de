//! API keys as records of a tenant: the hash of the token, and the rights of its holder.

use super::kind::Kind;
use super::learners::{Learners, Names};
use super::record::{Fields, Record, RecordKey};
use crate::order_key::{OrderKey, Range};
use hindlore_domain::sharing::api_key::{Credential, KeyHolder, Rights, Validity};
use hindlore_primitives::timestamp::Timestamp;

/// API keys.
pub static API_KEY: Kind = Kind {
    label: "ApiKey",
    held_as: Some("HAS_API_KEY"),
    caption: "name",
    orders: &[BY_NAME],
    edges: &[],
    references: &[],
    learners: Learners {
        names: &[Names::Confined("only_learner")],
        listed_in: Some(BY_NAME),
    },
};

/// All of them, by name and then by age.
pub const BY_NAME: &str = "by_name";

/// A key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApiKeyRow {
    /// Whom it lets in.
    pub holder: KeyHolder,
    /// Hash of its token.
    pub hash: String,
    /// When it was made.
    pub created: Timestamp,
    /// Until when it holds.
    pub validity: Validity,
}

/// The key of a record.
pub fn api_key_key(id: &str) -> RecordKey {
    RecordKey::new(&API_KEY, id)
}

/// All keys, as a range of [`BY_NAME`].
pub fn all_api_keys() -> Range {
    Range::starting_with(&OrderKey::new())
}

/// The keys of a name, as a range of [`BY_NAME`].
pub fn api_keys_named(name: &str) -> Range {
    Range::starting_with(&OrderKey::new().name(name))
}

impl ApiKeyRow {
    /// The key as a record.
    pub fn to_record(&self) -> Record {
        let holder = &self.holder;
        let mut fields = Fields::new()
            .with("name", holder.name.as_str())
            .with("tenant_name", holder.tenant.as_str())
            .with("rights", holder.rights.word())
            .with("hash", self.hash.as_str())
            .with("created", self.created);
        if let Some(learner) = &holder.learner {
            fields = fields.with("only_learner", learner.as_str());
        }
        for (name, time) in [
            ("expires", self.validity.expires),
            ("revoked", self.validity.revoked),
        ] {
            if let Some(time) = time {
                fields = fields.with(name, time);
            }
        }
        let by_name = OrderKey::new().name(&holder.name).newest(self.created);
        Record::new(api_key_key(&holder.id), fields).in_order(BY_NAME, by_name)
    }

    /// Reads a key; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let fields = &record.fields;
        let text =
            |name: &str| -> Result<String, String> { Ok(fields.read::<&str>(name)?.to_owned()) };
        let rights = text("rights")?;
        Ok(Self {
            holder: KeyHolder {
                credential: Credential::Key,
                name: text("name")?,
                id: record.key.id.clone(),
                tenant: text("tenant_name")?,
                learner: fields
                    .read_optional::<&str>("only_learner")?
                    .map(str::to_owned),
                rights: Rights::from_word(&rights)
                    .ok_or_else(|| format!("`rights` is `{rights}`"))?,
            },
            hash: text("hash")?,
            created: fields.read("created")?,
            validity: Validity {
                expires: fields.read_optional("expires")?,
                revoked: fields.read_optional("revoked")?,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_back() {
        let row = ApiKeyRow {
            holder: KeyHolder {
                credential: Credential::Key,
                name: "ci".to_owned(),
                id: "0a".to_owned(),
                tenant: "t".to_owned(),
                learner: Some("l".to_owned()),
                rights: Rights::Read,
            },
            hash: "ff".to_owned(),
            created: Timestamp::from_millis(5),
            validity: Validity {
                expires: Some(Timestamp::from_millis(9)),
                revoked: None,
            },
        };
        let record = row.to_record();
        record.check().unwrap();
        assert_eq!(ApiKeyRow::from_record(&record), Ok(row));
    }
}
