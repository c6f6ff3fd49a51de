//! API keys: their form, their stored part, and their rights.
//!
//! ```text
//! hlk_<tenant in hex>_<id>_<secret>      the token, which only its holder has
//! ```
//!
//! A store keeps the hash of a token alone. The secret has 192 random bits, so a plain hash is as good as a slow one.

use sha2::{Digest, Sha256};

use crate::sharing::subject::{Principal, PrincipalKind};
use hindlore_primitives::identity::{hex, unhex};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_primitives::word_enum;

/// The beginning of every token, by which scanners know one.
const MARK: &str = "hlk";

word_enum! {
    /// The rights of a key's holder; each includes those before it.
    Rights {
        /// Read.
        Read = "read",
        /// Add and change, reversibly.
        Write = "write",
        /// Destroy for good.
        Destroy = "destroy",
    }
}

/// A token in its parts.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    /// The tenant that it lets in to.
    pub tenant: String,
    /// Id of its key.
    pub id: String,
    text: String,
}

impl Token {
    /// A token of random parts, each in hex.
    pub fn new(tenant: &str, id: &str, secret: &str) -> Self {
        Self {
            tenant: tenant.to_owned(),
            id: id.to_owned(),
            text: format!("{MARK}_{}_{id}_{secret}", hex(tenant.as_bytes())),
        }
    }

    /// Reads a token; `None` for a text of another form.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > 1_024 {
            return None;
        }
        let [mark, tenant, id, secret] = text.split('_').collect::<Vec<_>>().try_into().ok()?;
        let is_hex = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_hexdigit());
        if mark != MARK || ![tenant, id, secret].into_iter().all(is_hex) {
            return None;
        }
        Some(Self {
            tenant: String::from_utf8(unhex(tenant)?).ok()?,
            id: id.to_owned(),
            text: text.to_owned(),
        })
    }

    /// The stored part of it.
    pub fn hash(&self) -> String {
        hex(&Sha256::digest(self.text.as_bytes()))
    }

    /// The token itself, to be shown once.
    pub fn reveal(&self) -> &str {
        &self.text
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Token({})", self.id)
    }
}

/// The credential of a holder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Credential {
    /// An API key of the store.
    Key,
    /// A token of an OpenID provider.
    Token,
}

/// The holder of a key or a token, and its rights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyHolder {
    /// Its credential.
    pub credential: Credential,
    /// Its name: that of the key, unique among those of the tenant that are in use, or the subject of the token.
    pub name: String,
    /// Id of the key, or of who holds the token.
    pub id: String,
    /// The tenant.
    pub tenant: String,
    /// The only learner; absent for all of the tenant.
    pub learner: Option<String>,
    /// How far.
    pub rights: Rights,
}

impl KeyHolder {
    /// The principal of the holder, if its credential is for one: the agent of its only learner, or the user of its
    /// token. `Err` has the fault of the name.
    pub fn principal(&self) -> Result<Option<Principal>, String> {
        match (self.credential, &self.learner) {
            (Credential::Token, _) => Principal::new(PrincipalKind::User, &self.name).map(Some),
            (Credential::Key, learner) => Ok(learner.as_deref().map(Principal::of_learner)),
        }
    }

    /// The author of the holder's changes.
    pub fn author(&self) -> String {
        match self.credential {
            Credential::Key => format!("key:{}", self.name),
            Credential::Token => format!("user:{}", self.name),
        }
    }

    /// Its name in messages.
    pub fn shown(&self) -> String {
        match self.credential {
            Credential::Key => format!("the API key `{}`", self.name),
            Credential::Token => format!("the token of `{}`", self.name),
        }
    }

    /// Why the holder may not do something; `None` if its grants decide. `is_of_tenant` is true for a verb about all
    /// learners.
    pub fn objection(&self, tenant: &str, is_of_tenant: bool, needed: Rights) -> Option<String> {
        if tenant != self.tenant {
            return Some(format!("it is for another tenant than `{tenant}`"));
        }
        if is_of_tenant && self.learner.is_some() {
            return Some("it is for one learner only".to_owned());
        }
        (needed > self.rights).then(|| format!("it may {}, not {needed}", self.rights))
    }
}

/// Whether a key is in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Validity {
    /// When it ends by itself.
    pub expires: Option<Timestamp>,
    /// When it was revoked.
    pub revoked: Option<Timestamp>,
}

impl Validity {
    /// True if it is valid now.
    pub fn holds(self, now: Timestamp) -> bool {
        let is_over = |end: Option<Timestamp>| end.is_some_and(|end| end <= now);
        !is_over(self.expires) && !is_over(self.revoked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_back_and_nothing_else_is_one() {
        let token = Token::new("café", "0a1b", "ff00");
        assert_eq!(token.reveal(), "hlk_636166c3a9_0a1b_ff00");
        let read = Token::parse(token.reveal()).unwrap();
        assert_eq!((read.tenant.as_str(), read.id.as_str()), ("café", "0a1b"));
        assert_eq!(read.hash(), token.hash());
        assert!(!format!("{token:?}").contains("ff00"));
        for text in [
            "",
            "hlk",
            "hlk_61_0a_",
            "hlk_6_0a_ff",
            "hlk_é_0a_ff",
            "hlk_ff_0a_ff",
            "hlk_61_0a_ff_00",
            "sk_61_0a_ff",
            "hlk_61_0a_f g",
        ] {
            assert!(Token::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_holder_stays_within_its_tenant_and_rights() {
        let mut holder = KeyHolder {
            credential: Credential::Key,
            name: "ci".to_owned(),
            id: "1".to_owned(),
            tenant: "t".to_owned(),
            learner: Some("l".to_owned()),
            rights: Rights::Write,
        };
        let may = |holder: &KeyHolder, of, is_of_tenant, needed| {
            holder.objection(of, is_of_tenant, needed).is_none()
        };
        assert!(may(&holder, "t", false, Rights::Read));
        assert!(may(&holder, "t", false, Rights::Write));
        assert!(!may(&holder, "t", false, Rights::Destroy));
        assert!(!may(&holder, "u", false, Rights::Read));
        assert!(!may(&holder, "t", true, Rights::Read));
        let own = holder.principal().unwrap().unwrap();
        assert_eq!(own.to_string(), "agent:l");
        holder.learner = None;
        assert!(may(&holder, "t", true, Rights::Write));
        assert!(!may(&holder, "u", true, Rights::Write));
        assert_eq!(holder.principal(), Ok(None));
    }

    #[test]
    fn an_end_is_an_end() {
        let at = Timestamp::from_millis;
        let of = |expires, revoked| Validity { expires, revoked };
        assert!(of(None, None).holds(at(5)));
        assert!(of(Some(at(6)), None).holds(at(5)));
        assert!(!of(Some(at(5)), None).holds(at(5)));
        assert!(!of(None, Some(at(5))).holds(at(5)));
    }
}
