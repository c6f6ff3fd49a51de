//! API keys.

use schemars::JsonSchema;
use serde::Serialize;

use crate::schema::{Time, Word};
use hindlore_domain::sharing::api_key::{Rights, Token};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::records::api_key::ApiKeyRow;

/// An API key, without its token.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct KeyResponse {
    /// Its name.
    pub name: String,
    /// Its id, which is part of the token.
    pub key_id: String,
    /// The only learner that it lets in to; null for all of the tenant.
    pub only_learner: Option<String>,
    /// The rights of its holder.
    #[schemars(with = "Word<Rights>")]
    pub rights: Rights,
    /// True if it is valid now.
    pub in_use: bool,
    /// When it was made.
    #[schemars(with = "Time")]
    pub created_at: Timestamp,
    /// When it ends by itself; null for never.
    #[schemars(with = "Option<Time>")]
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    #[schemars(with = "Option<Time>")]
    pub revoked_at: Option<Timestamp>,
}

impl KeyResponse {
    /// A key as it is now.
    pub fn new(row: &ApiKeyRow, now: Timestamp) -> Self {
        Self {
            name: row.holder.name.clone(),
            key_id: row.holder.id.clone(),
            only_learner: row.holder.learner.clone(),
            rights: row.holder.rights,
            in_use: row.validity.holds(now),
            created_at: row.created,
            expires_at: row.validity.expires,
            revoked_at: row.validity.revoked,
        }
    }
}

/// API keys.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct KeysResponse {
    /// The keys by name, the newest of a name first.
    pub keys: Vec<KeyResponse>,
    /// Start of the next page, for `after`; null if there is none.
    pub next: Option<String>,
}

/// A new API key with its token.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct KeyMadeResponse {
    /// The token, to be sent as `Authorization: Bearer TOKEN`. It is shown here and never again.
    pub token: String,
    /// The key.
    pub key: KeyResponse,
}

impl KeyMadeResponse {
    /// A new key.
    pub fn new(row: &ApiKeyRow, token: &Token, now: Timestamp) -> Self {
        Self {
            token: token.reveal().to_owned(),
            key: KeyResponse::new(row, now),
        }
    }
}
