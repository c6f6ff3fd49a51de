//! Tokens of an OpenID provider: who is let in by one, and how far.
//!
//! ```text
//! keys      the provider's public keys: discovery, and when they are asked for again
//! signature what of a token is believed: its signature and its claims
//! ring      signatures checked by ring, the one cryptography of this program
//! ```
//!
//! The provider only identifies a user. Tenant and learner are claims of the token, and the rights are its scopes:
//! `hindlore:read`, `hindlore:write`, `hindlore:destroy`, each with those before it.

mod keys;
mod ring;
mod signature;

use serde_json::{Map, Value};

use self::keys::Keys;
use hindlore_api::problem::Problem;
use hindlore_api::server::Issuer;
use hindlore_domain::sharing::api_key::{Credential, KeyHolder, Rights};

/// Beginning of the scopes that are ours.
const SCOPE: &str = "hindlore:";

/// The scopes that a token may have.
pub(super) fn scopes() -> Vec<String> {
    let word = |rights: &Rights| format!("{SCOPE}{}", rights.word());
    Rights::ALL.iter().map(word).collect()
}

/// Lets in the holders of a provider's tokens.
pub(super) struct Provider {
    issuer: Issuer,
    keys: Keys,
}

impl Provider {
    /// A provider, of which nothing is asked yet.
    ///
    /// `invalid_issuer` for an invalid address, or one without authenticated connections.
    pub(super) fn new(issuer: Issuer) -> Result<Self, Problem> {
        let keys = Keys::of(&issuer.url)
            .map_err(|why| Problem::new("invalid_issuer", why).with_hint("give the address of an OpenID provider, such as https://login.example; no request was served"))?;
        Ok(Self { issuer, keys })
    }

    /// The holder of a token.
    ///
    /// Why it is refused, without a word of the token itself.
    pub(super) async fn holder(&self, token: &str) -> Result<KeyHolder, Problem> {
        let refused = |why: String| {
            Problem::new("unauthenticated", format!("the token is not valid: {why}")).with_hint(
                "send a token that the provider issued for this server and that still holds",
            )
        };
        let head = signature::head(token).map_err(refused)?;
        let key = self.keys.find(&head).await.map_err(|error| match error {
            keys::KeyError::Unknown => refused("no key of the provider signed it".to_owned()),
            keys::KeyError::Unreachable(why) => Problem::new(
                "provider_unavailable",
                format!("the OpenID provider cannot be asked for its keys: {why}"),
            )
            .with_hint(
                "nothing was done; try again, or check the address given with --oidc-issuer",
            ),
        })?;
        let claims = signature::claims(token, &head, &key, &self.issuer).map_err(refused)?;
        let text = |name: &str| {
            let value = claims.get(name).and_then(Value::as_str);
            value
                .filter(|value| !value.is_empty())
                .map(str::to_owned)
                .ok_or_else(|| refused(format!("it has no claim `{name}`")))
        };
        let learner = self.issuer.learner_claim.as_deref().map(text).transpose()?;
        let (subject, tenant) = (text("sub")?, text(&self.issuer.tenant_claim)?);
        let rights = rights(&claims).ok_or_else(|| {
            Problem::new("not_allowed", "the token has none of the scopes of this server")
                .with_hint("ask the provider for the scope `hindlore:read`, `hindlore:write` or `hindlore:destroy`")
        })?;
        Ok(KeyHolder {
            credential: Credential::Token,
            id: format!("{}\n{subject}", self.issuer.url),
            name: subject,
            tenant,
            learner,
            rights,
        })
    }
}

/// The farthest of its scopes, which are one text (RFC 8693) or a list (as some providers write them).
fn rights(claims: &Map<String, Value>) -> Option<Rights> {
    let words = ["scope", "scp"]
        .iter()
        .filter_map(|name| claims.get(*name))
        .flat_map(|value| match value {
            Value::String(words) => words.split(' ').collect(),
            Value::Array(words) => words.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        });
    words
        .filter_map(|word| word.strip_prefix(SCOPE)?.parse().ok())
        .max()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_farthest_scope_counts_however_they_are_written() {
        let of = |claims: Value| rights(claims.as_object().unwrap());
        assert_eq!(
            of(json!({"scope": "openid hindlore:read"})),
            Some(Rights::Read)
        );
        assert_eq!(
            of(json!({"scope": "hindlore:write hindlore:read"})),
            Some(Rights::Write)
        );
        assert_eq!(
            of(json!({"scp": ["hindlore:destroy"]})),
            Some(Rights::Destroy)
        );
        assert_eq!(
            of(json!({"scope": "read write hindlore: hindlore:all"})),
            None
        );
        assert_eq!(of(json!({"scope": 5})), None);
    }
}
