//! Verbs: the API keys of a tenant, and who a token lets in.

use super::clock::random_hex;
use super::error::{EngineError, EngineResult};
use super::handle::Engine;
use super::sharing::tenant_of;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::sharing::api_key::{Credential, KeyHolder, Rights, Token, Validity};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::records::api_key::{
    API_KEY, ApiKeyRow, BY_NAME, all_api_keys, api_key_key, api_keys_named,
};
use hindlore_store::records::{RecordCommit, RecordReads, Scan};

/// Keys of one name or one tenant that are looked at.
const KEYS_MAX: usize = 200;

/// A key to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewApiKey {
    /// Its name.
    pub name: String,
    /// The only learner that it lets in to; absent for all of the tenant.
    pub learner: Option<String>,
    /// How far.
    pub rights: Rights,
    /// When it ends by itself.
    pub expires: Option<Timestamp>,
}

impl Engine {
    /// Makes a key; its token is in the answer and nowhere else.
    ///
    /// # Errors
    /// `KeyExists` while a key of that name is in use.
    pub async fn create_api_key(
        &self,
        tenant: &str,
        new: NewApiKey,
    ) -> EngineResult<(ApiKeyRow, Token)> {
        let owner = tenant_of(tenant)?;
        if let Some(learner) = &new.learner {
            LearnerId::new(tenant, learner)
                .map_err(|error| EngineError::Invalid(error.to_string()))?;
        }
        let now = self.now();
        let token = fresh_token(owner.tenant())?;
        let row = ApiKeyRow {
            holder: KeyHolder {
                credential: Credential::Key,
                name: new.name,
                id: token.id.clone(),
                tenant: owner.tenant().to_owned(),
                learner: new.learner,
                rights: new.rights,
            },
            hash: token.hash(),
            created: now,
            validity: Validity {
                expires: new.expires,
                revoked: None,
            },
        };
        let made = row.clone();
        // Compared under the lock, so that two callers cannot both make a key of this name.
        self.decide_records(&owner, named(&row.holder.name), move |read| {
            let there = rows(read.scans.iter().flatten())?;
            if there.iter().any(|one| one.validity.holds(now)) {
                return Err(EngineError::KeyExists(made.holder.name.clone()));
            }
            Ok(((), puts(vec![made.clone()])))
        })
        .await?;
        Ok((row, token))
    }

    /// The keys of a tenant by name, the newest of a name first.
    pub async fn list_api_keys(&self, tenant: &str) -> EngineResult<Vec<ApiKeyRow>> {
        let scan = Scan {
            kind: &API_KEY,
            order: BY_NAME,
            range: all_api_keys(),
            limit: KEYS_MAX,
        };
        let found = self.store().scan_records(&tenant_of(tenant)?, scan).await?;
        rows(found.iter())
    }

    /// Ends a key at once.
    ///
    /// # Errors
    /// `NoKey` if no key of that name is in use.
    pub async fn revoke_api_key(&self, tenant: &str, name: &str) -> EngineResult<ApiKeyRow> {
        self.replace_api_key(tenant, name, None).await
    }

    /// Ends a key, and makes another one that lets in to the same.
    ///
    /// # Errors
    /// As [`revoke_api_key`](Self::revoke_api_key).
    pub async fn rotate_api_key(
        &self,
        tenant: &str,
        name: &str,
    ) -> EngineResult<(ApiKeyRow, Token)> {
        let token = fresh_token(tenant_of(tenant)?.tenant())?;
        let row = self
            .replace_api_key(tenant, name, Some(token.clone()))
            .await?;
        Ok((row, token))
    }

    /// Ends the key of a name; with a token, another one takes its place and is the answer.
    async fn replace_api_key(
        &self,
        tenant: &str,
        name: &str,
        token: Option<Token>,
    ) -> EngineResult<ApiKeyRow> {
        let (now, wanted) = (self.now(), name.to_owned());
        self.decide_records(&tenant_of(tenant)?, named(name), move |read| {
            let there = rows(read.scans.iter().flatten())?;
            let mut ended = there
                .into_iter()
                .find(|one| one.validity.holds(now))
                .ok_or_else(|| EngineError::NoKey(wanted.clone()))?;
            let next = token.as_ref().map(|token| ApiKeyRow {
                holder: KeyHolder {
                    id: token.id.clone(),
                    ..ended.holder.clone()
                },
                hash: token.hash(),
                created: now,
                ..ended.clone()
            });
            ended.validity.revoked = Some(now);
            let answer = next.clone().unwrap_or_else(|| ended.clone());
            // In one commit, so that a rotation never leaves the name without a valid key or with two.
            let changed = [Some(ended), next].into_iter().flatten().collect();
            Ok((answer, puts(changed)))
        })
        .await
    }

    /// Whom a token lets in now; `None` for one that is unknown, revoked or expired.
    pub async fn key_holder(&self, token: &Token) -> EngineResult<Option<KeyHolder>> {
        let Ok(owner) = tenant_of(&token.tenant) else {
            // An impossible tenant makes the token unknown like any other, so that the answer reveals nothing.
            return Ok(None);
        };
        let found = self
            .store()
            .records(&owner, &[api_key_key(&token.id)])
            .await?;
        let rows = rows(found.iter())?;
        let now = self.now();
        let holds = |row: &ApiKeyRow| {
            // The public id finds the row; only the hash proves the secret part.
            row.hash == token.hash()
                && row.validity.holds(now)
                && row.holder.tenant == owner.tenant()
        };
        Ok(rows.into_iter().find(holds).map(|row| row.holder))
    }
}

fn fresh_token(tenant: &str) -> EngineResult<Token> {
    let random = |bytes| random_hex(bytes).map_err(|error| EngineError::Invalid(error.to_string()));
    // The id need only be unique in its tenant; the secret has 192 bits, which no search can find.
    Ok(Token::new(tenant, &random(6)?, &random(24)?))
}

fn named(name: &str) -> RecordReads {
    RecordReads {
        scans: vec![Scan {
            kind: &API_KEY,
            order: BY_NAME,
            range: api_keys_named(name),
            limit: KEYS_MAX,
        }],
        ..RecordReads::default()
    }
}

fn puts(rows: Vec<ApiKeyRow>) -> RecordCommit {
    RecordCommit {
        puts: rows.iter().map(ApiKeyRow::to_record).collect(),
        deletes: Vec::new(),
    }
}

fn rows<'r>(
    records: impl Iterator<Item = &'r hindlore_store::records::Record>,
) -> EngineResult<Vec<ApiKeyRow>> {
    let read = |record| {
        ApiKeyRow::from_record(record)
            .map_err(|reason| EngineError::damaged("read an API key", reason))
    };
    records.map(read).collect()
}
