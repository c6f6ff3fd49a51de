//! API keys of requests: who holds them, for how long an answer of the store is believed, and how often they come.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};

use crate::api::problem::Problem;
use crate::domain::sharing::api_key::{KeyHolder, Token};
use crate::engine::Engine;

/// How long a key is let in without a look at the store; a revocation holds after this time on every instance.
const BELIEVED: Duration = Duration::from_millis(500);
/// Keys that are remembered; above, all are forgotten.
const REMEMBERED_MAX: usize = 10_000;

/// What a server knows of keys.
#[derive(Default)]
pub(super) struct Credentials {
    known: Mutex<HashMap<String, Known>>,
}

struct Known {
    holder: Arc<KeyHolder>,
    asked: Instant,
    /// Requests that may come at once now, and since when that is so.
    room: (f64, Instant),
}

impl Credentials {
    /// The holder of the key that a request brings; `None` without one.
    ///
    /// # Errors
    /// `unauthenticated` for a key that lets nobody in, or for none where one is needed; `rate_limited`.
    pub(super) async fn holder(
        &self,
        engine: &Engine,
        headers: &HeaderMap,
        (needs_keys, rate): (bool, Option<u32>),
    ) -> Result<Option<Arc<KeyHolder>>, Problem> {
        let Some(sent) = headers.get(header::AUTHORIZATION) else {
            return if needs_keys { Err(refused()) } else { Ok(None) };
        };
        let text = sent.to_str().map_err(|_| refused())?;
        let (scheme, token) = text.split_once(' ').ok_or_else(refused)?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(refused());
        }
        let token = Token::parse(token.trim()).ok_or_else(refused)?;
        let hash = token.hash();
        if let Some(holder) = self.believed(&hash, rate)? {
            return Ok(Some(holder));
        }
        let holder = engine.key_holder(&token).await?.ok_or_else(refused)?;
        let holder = Arc::new(holder);
        self.remember(hash.clone(), holder.clone(), rate);
        self.believed(&hash, rate)?;
        Ok(Some(holder))
    }

    /// The holder, if the store said so a moment ago; takes one of its requests.
    fn believed(&self, hash: &str, rate: Option<u32>) -> Result<Option<Arc<KeyHolder>>, Problem> {
        let now = Instant::now();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(known) = known.get_mut(hash) else {
            return Ok(None);
        };
        if now.duration_since(known.asked) > BELIEVED {
            return Ok(None);
        }
        if let Some(rate) = rate.map(f64::from) {
            let (room, since) = known.room;
            let room = (room + now.duration_since(since).as_secs_f64() * rate).min(rate);
            if room < 1.0 {
                known.room = (room, now);
                let message = format!(
                    "the API key `{}` has {rate} requests a second",
                    known.holder.name
                );
                return Err(Problem::new("rate_limited", message)
                    .with_hint("nothing was done; send it again in a second"));
            }
            known.room = (room - 1.0, now);
        }
        Ok(Some(known.holder.clone()))
    }

    fn remember(&self, hash: String, holder: Arc<KeyHolder>, rate: Option<u32>) {
        let now = Instant::now();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED_MAX {
            known.clear();
        }
        let full = (f64::from(rate.unwrap_or(1)), now);
        let room = known.get(&hash).map_or(full, |known| known.room);
        known.insert(
            hash,
            Known {
                holder,
                asked: now,
                room,
            },
        );
    }
}

fn refused() -> Problem {
    Problem::new(
        "unauthenticated",
        "the request brings no API key that lets it in",
    )
    .with_hint("send `Authorization: Bearer TOKEN`; `mnemograph key create` makes a token")
}
