//! Credentials of requests: who is let in by a key or a token, for how long the store's word on a key is believed, and how
//! often its holder comes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};

#[cfg(feature = "oidc")]
use super::oidc::Provider;
use hindlore::Engine;
use hindlore_api::problem::Problem;
use hindlore_api::server::Entry;
use hindlore_domain::sharing::api_key::{KeyHolder, Token};

/// How long a key is let in without a look at the store; a revocation holds after this time on every instance.
const BELIEVED: Duration = Duration::from_millis(500);
/// Keys, and holders, that are remembered; above, all are forgotten.
const REMEMBERED_MAX: usize = 10_000;

/// The credentials known to a server.
pub(super) struct Credentials {
    is_needed: bool,
    /// Requests a second of one holder.
    rate: Option<u32>,
    /// By the hashes of keys.
    known: Mutex<HashMap<String, Known>>,
    /// By the ids of holders: requests that may come at once now, and since when that is so.
    room: Mutex<HashMap<String, (f64, Instant)>>,
    #[cfg(feature = "oidc")]
    provider: Option<Provider>,
}

struct Known {
    holder: Arc<KeyHolder>,
    asked: Instant,
}

impl Credentials {
    /// A server that knows no credential yet.
    ///
    /// # Errors
    /// `invalid_issuer`; `no_tokens` where this program was built without them.
    pub(super) fn of(entry: &Entry) -> Result<Self, Problem> {
        #[cfg(not(feature = "oidc"))]
        if entry.issuer.is_some() {
            return Err(Problem::new(
                "no_tokens",
                "this program was built without tokens of OpenID providers",
            )
            .with_hint("build it with `--features full`"));
        }
        Ok(Self {
            is_needed: entry.is_closed(),
            rate: entry.rate,
            known: Mutex::default(),
            room: Mutex::default(),
            #[cfg(feature = "oidc")]
            provider: entry.issuer.clone().map(Provider::new).transpose()?,
        })
    }

    /// The holder of the key or token that a request brings; `None` without one. A charged one takes one of the requests
    /// that the holder has.
    ///
    /// `unauthenticated` for an invalid one, or for none where one is needed; `rate_limited`; `provider_unavailable`.
    pub(super) async fn holder(
        &self,
        engine: &Engine,
        headers: &HeaderMap,
        is_charged: bool,
    ) -> Result<Option<Arc<KeyHolder>>, Problem> {
        let Some(sent) = headers.get(header::AUTHORIZATION) else {
            return if self.is_needed {
                Err(refused())
            } else {
                Ok(None)
            };
        };
        let text = sent.to_str().map_err(|_| refused())?;
        let (scheme, token) = text.split_once(' ').ok_or_else(refused)?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(refused());
        }
        let token = token.trim();
        let holder = match Token::parse(token) {
            Some(key) => self.holder_of_key(engine, &key).await?,
            None => self.holder_of_token(token).await?,
        };
        if is_charged {
            self.take_room(&holder)?;
        }
        Ok(Some(holder))
    }

    async fn holder_of_key(&self, engine: &Engine, key: &Token) -> Result<Arc<KeyHolder>, Problem> {
        let hash = key.hash();
        let now = Instant::now();
        let believed = locked(&self.known)
            .get(&hash)
            .filter(|known| now.duration_since(known.asked) <= BELIEVED)
            .map(|known| known.holder.clone());
        if let Some(holder) = believed {
            return Ok(holder);
        }
        let holder = engine.key_holder(key).await?.ok_or_else(refused)?;
        let holder = Arc::new(holder);
        let known = Known {
            holder: holder.clone(),
            asked: now,
        };
        bounded(&mut locked(&self.known)).insert(hash, known);
        Ok(holder)
    }

    #[cfg(feature = "oidc")]
    async fn holder_of_token(&self, token: &str) -> Result<Arc<KeyHolder>, Problem> {
        let provider = self.provider.as_ref().ok_or_else(refused)?;
        provider.holder(token).await.map(Arc::new)
    }

    #[cfg(not(feature = "oidc"))]
    async fn holder_of_token(&self, _: &str) -> Result<Arc<KeyHolder>, Problem> {
        Err(refused())
    }

    /// Takes one of the requests that a holder has.
    fn take_room(&self, holder: &KeyHolder) -> Result<(), Problem> {
        let Some(rate) = self.rate.map(f64::from) else {
            return Ok(());
        };
        let now = Instant::now();
        let mut all = locked(&self.room);
        let (room, since) = all.get(&holder.id).copied().unwrap_or((rate, now));
        let room = (room + now.duration_since(since).as_secs_f64() * rate).min(rate);
        let has_room = room >= 1.0;
        let left = if has_room { room - 1.0 } else { room };
        bounded(&mut all).insert(holder.id.clone(), (left, now));
        if has_room {
            return Ok(());
        }
        let message = format!("{} has {rate} requests a second", holder.shown());
        Err(Problem::new("rate_limited", message)
            .with_hint("nothing was done; send it again in a second"))
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the map, emptied once it has grown too large.
fn bounded<V>(map: &mut HashMap<String, V>) -> &mut HashMap<String, V> {
    if map.len() >= REMEMBERED_MAX {
        map.clear();
    }
    map
}

fn refused() -> Problem {
    Problem::new(
        "unauthenticated",
        "the request brings no API key or token that lets it in",
    )
    .with_hint("send `Authorization: Bearer TOKEN`; `hindlore key create` makes a key")
}
