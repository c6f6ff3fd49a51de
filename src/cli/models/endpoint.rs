//! The client of the configured model.

use std::sync::Arc;
use std::time::Duration;

use super::wrong;
use hindlore_agents::provider::{self, Client, Vendor};
use hindlore_api::agents::Configured;
use hindlore_api::problem::Problem;
use hindlore_config::Settings;

/// The configured model: that of `model.vendor`, else that of the one vendor whose key is set.
pub(super) fn model(settings: &Settings) -> Result<Option<Configured>, Problem> {
    let Some(vendor) = vendor(settings)? else {
        return Ok(None);
    };
    let of = |part: &str| {
        let own = settings.text(&format!("model.{}.{part}", vendor.word()));
        let text = own.or_else(|| settings.text(&format!("model.{part}")));
        text.filter(|text| !text.trim().is_empty())
    };
    let name = of("name").or_else(|| vendor.model()).map(str::to_owned);
    let name = name.ok_or_else(|| {
        let message = format!("no model of the vendor `{}` is named", vendor.word());
        Problem::new("invalid_config", message).with_hint("name one by `model.name`")
    })?;
    let url = of("url").unwrap_or_else(|| vendor.url()).to_owned();
    let key = of("key").map(str::to_owned);
    if key.is_none() && vendor.needs_key() && url == vendor.url() {
        let message = format!(
            "the vendor `{}` answers nobody without a key",
            vendor.word()
        );
        let hint = format!("set `{}_API_KEY`", vendor.word().to_uppercase());
        return Err(Problem::new("invalid_config", message).with_hint(hint));
    }
    let endpoint = format!("{}: {}", vendor.word(), shown(&url));
    let client = Client::new(provider::Settings {
        vendor,
        url,
        model: name,
        key,
        temperature: temperature(settings)?,
        max_tokens: whole(settings, "model.max_tokens", 2048)?,
        timeout: timeout(settings),
        retries: retries(settings)?,
    });
    let client = client.map_err(|reason| {
        Problem::new("invalid_config", reason)
            .with_hint("set `model.url` to the base address of the endpoint")
    })?;
    Ok(Some(Configured {
        model: Arc::new(client),
        endpoint,
    }))
}

fn temperature(settings: &Settings) -> Result<f64, Problem> {
    match settings.number("model.temperature").unwrap_or(0.2) {
        value if (0.0..=2.0).contains(&value) => Ok(value),
        value => Err(wrong(
            "model.temperature",
            &value.to_string(),
            "a number in 0..=2",
        )),
    }
}

/// The time for one attempt.
pub(super) fn timeout(settings: &Settings) -> Duration {
    Duration::from_millis(settings.whole("model.timeout_ms").unwrap_or(60_000).max(1))
}

/// Further attempts after one that failed on the way.
pub(super) fn retries(settings: &Settings) -> Result<u32, Problem> {
    whole(settings, "model.retries", 2)
}

fn whole(settings: &Settings, name: &str, default: u32) -> Result<u32, Problem> {
    let value = settings.whole(name).unwrap_or(default.into());
    u32::try_from(value).map_err(|_| wrong(name, &value.to_string(), "a smaller number"))
}

fn vendor(settings: &Settings) -> Result<Option<Vendor>, Problem> {
    let named = settings
        .text("model.vendor")
        .filter(|word| !word.trim().is_empty());
    if let Some(word) = named {
        let known: Vec<&str> = Vendor::ALL.iter().map(|vendor| vendor.word()).collect();
        let found = Vendor::parse(word);
        return found
            .map(Some)
            .ok_or_else(|| wrong("model.vendor", word, &known.join(", ")));
    }
    let has_key = |vendor: &Vendor| settings.is_given(&format!("model.{}.key", vendor.word()));
    let with_key: Vec<Vendor> = Vendor::ALL.into_iter().filter(has_key).collect();
    match with_key[..] {
        [] => Ok(None),
        [only] => Ok(Some(only)),
        _ => {
            let names: Vec<&str> = with_key.iter().map(|vendor| vendor.word()).collect();
            let message = format!("there are keys of several vendors: {}", names.join(", "));
            Err(Problem::new("invalid_config", message).with_hint("choose one by `model.vendor`"))
        }
    }
}

/// An address without credentials in it.
fn shown(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        _ => url.to_owned(),
    }
}
