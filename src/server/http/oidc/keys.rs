//! The public keys of a provider: found by discovery, kept, and asked for again when a token names another one.

use std::time::{Duration, Instant};

use jsonwebtoken::Header;
use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use reqwest::header::CACHE_CONTROL;
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use serde_json::Value;
use tokio::sync::Mutex;

use crate::http::origin_check::is_loopback;

/// Time for an answer of the provider.
const ANSWER: Duration = Duration::from_secs(5);
/// Least time between two questions, however many unknown keys tokens name.
const PAUSE: Duration = Duration::from_secs(60);
/// The pause after a failed question, while no key is known.
const PAUSE_FAILED: Duration = Duration::from_secs(1);
/// Lifetime of keys if the provider gives none.
const KEPT: Duration = Duration::from_secs(3_600);
/// Longest that keys are kept without a question, so that a withdrawn one ends.
const KEPT_MAX: Duration = Duration::from_secs(86_400);
/// Bytes of an answer that are read.
const READ_MAX: usize = 1 << 20;

/// Why there is no key.
pub(super) enum KeyError {
    /// The provider has none of that name.
    Unknown,
    /// The provider did not answer as one does.
    Unreachable(String),
}

/// The keys of a provider.
pub(super) struct Keys {
    issuer: String,
    client: Client,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    keys: Vec<Jwk>,
    /// Until when they are believed.
    until: Option<Instant>,
    /// When the provider was asked, and why that failed.
    asked: Option<(Instant, Option<String>)>,
}

impl Keys {
    /// The keys of an issuer.
    ///
    /// # Errors
    /// Why its address cannot be used.
    pub(super) fn of(issuer: &str) -> Result<Self, String> {
        // The one TLS library of this program; another part may have chosen it before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let is_local = is_loopback(checked(issuer)?.host_str().unwrap_or_default());
        let mut client = Client::builder()
            .timeout(ANSWER)
            // Discovery names the location of the keys, over an authenticated connection.
            .redirect(Policy::none());
        if is_local {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| {
            let error = error.without_url();
            format!("no connection to the provider can be prepared: {error}")
        })?;
        Ok(Self {
            issuer: issuer.to_owned(),
            client,
            state: Mutex::default(),
        })
    }

    /// The key that a token's head names; without a name, the only one.
    pub(super) async fn find(&self, head: &Header) -> Result<Jwk, KeyError> {
        // Waiters ask nothing: the keys are there once the first one has asked.
        let mut state = self.state.lock().await;
        let is_fresh = state.until.is_some_and(|until| Instant::now() < until);
        if let (true, Some(key)) = (is_fresh, named(&state.keys, head)) {
            return Ok(key.clone());
        }
        let rests = state.asked.as_ref().is_some_and(|(at, failed)| {
            let has_none = failed.is_some() && state.keys.is_empty();
            at.elapsed() < if has_none { PAUSE_FAILED } else { PAUSE }
        });
        if !rests {
            let answer = self.ask().await;
            let failed = answer.as_ref().err().cloned();
            state.asked = Some((Instant::now(), failed));
            // A provider that is away for a while has not withdrawn its keys, and requests need not wait for it.
            let (keys, kept) = answer.unwrap_or_else(|_| (std::mem::take(&mut state.keys), PAUSE));
            state.keys = keys;
            state.until = Some(Instant::now() + kept);
        }
        match (named(&state.keys, head), &state.asked) {
            (Some(key), _) => Ok(key.clone()),
            (None, Some((_, Some(why)))) => Err(KeyError::Unreachable(why.clone())),
            (None, _) => Err(KeyError::Unknown),
        }
    }

    /// Asks the provider for its keys, and how long they may be kept.
    async fn ask(&self) -> Result<(Vec<Jwk>, Duration), String> {
        let base = self.issuer.trim_end_matches('/');
        let (about, _) = self
            .json(checked(&format!(
                "{base}/.well-known/openid-configuration"
            ))?)
            .await?;
        // A provider that calls itself by another name signs for another one, too.
        if about["issuer"].as_str() != Some(&self.issuer) {
            return Err("it names another issuer than itself".to_owned());
        }
        let place = about["jwks_uri"]
            .as_str()
            .ok_or("it does not name the location of its keys")?;
        let (set, kept) = self.json(checked(place)?).await?;
        let keys = set["keys"].as_array().ok_or("its keys are not a list")?;
        // One key of a kind that is not known leaves the others usable.
        let read = |key: &Value| serde_json::from_value::<Jwk>(key.clone()).ok();
        let signs = |key: &Jwk| {
            let purpose = key.common.public_key_use.as_ref();
            purpose.is_none_or(|purpose| *purpose == PublicKeyUse::Signature)
        };
        Ok((keys.iter().filter_map(read).filter(signs).collect(), kept))
    }

    async fn json(&self, url: Url) -> Result<(Value, Duration), String> {
        let failed = |error: reqwest::Error| error.without_url().to_string();
        let mut answer = self.client.get(url).send().await.map_err(failed)?;
        if !answer.status().is_success() {
            return Err(format!("it answered {}", answer.status()));
        }
        let kept = kept(&answer);
        let mut bytes = Vec::new();
        while let Some(part) = answer.chunk().await.map_err(failed)? {
            if bytes.len() + part.len() > READ_MAX {
                return Err(format!("its answer has more than {READ_MAX} bytes"));
            }
            bytes.extend_from_slice(&part);
        }
        let value = serde_json::from_slice(&bytes).map_err(|_| "its answer is no JSON")?;
        Ok((value, kept))
    }
}

fn named<'k>(keys: &'k [Jwk], head: &Header) -> Option<&'k Jwk> {
    match (&head.kid, keys) {
        (Some(name), _) => keys
            .iter()
            .find(|key| key.common.key_id.as_ref() == Some(name)),
        (None, [only]) => Some(only),
        (None, _) => None,
    }
}

/// How long an answer may be kept.
fn kept(answer: &Response) -> Duration {
    let said = answer.headers().get(CACHE_CONTROL);
    let said = said.and_then(|said| said.to_str().ok()).unwrap_or_default();
    let mut parts = said.split(',').map(str::trim);
    let age = parts.find_map(|part| part.strip_prefix("max-age=")?.parse().ok());
    age.map_or(KEPT, Duration::from_secs).clamp(PAUSE, KEPT_MAX)
}

/// An address with authenticated connections.
fn checked(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("the address `{text}` is none: {error}"))?;
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_loopback(url.host_str().unwrap_or_default()) => Ok(url),
        _ => Err(format!(
            "the address `{text}` is not `https://`, so anybody on the way could sign"
        )),
    }
}
