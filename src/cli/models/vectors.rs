//! The model for embeddings, from the settings.

use std::sync::{Arc, Mutex, PoisonError};

#[cfg(any(feature = "models", feature = "embeddings"))]
use super::wrong;
use crate::session::model_use::ModelUse;
#[cfg(any(feature = "models", feature = "embeddings"))]
use hindlore::embeddings::embedder::EmbeddingModel;
use hindlore::embeddings::embedder::{Embedder, Embeddings};
use hindlore_api::problem::Problem;
use hindlore_config::Settings;
#[cfg(any(feature = "models", feature = "embeddings"))]
use hindlore_domain::memory::content::vectors::CosineScale;

/// The part of the way to 1 from which on a cosine counts; chosen for all-MiniLM-L6-v2, see `docs/embeddings.md`.
#[cfg(any(feature = "models", feature = "embeddings"))]
const FLOOR: f64 = 0.25;

/// The model that was loaded last, with the settings that it depends on: engines of one process share it.
static LOADED: Mutex<Option<(String, Arc<dyn Embedder>)>> = Mutex::new(None);

/// Whether engines of this process rank by meaning.
///
/// # Errors
/// A setting that cannot be, in a process that uses the model.
pub(crate) fn embeddings(
    settings: &Settings,
    model_use: Option<ModelUse>,
) -> Result<Embeddings, Problem> {
    let of = |name: &str| {
        let text = settings.text(&format!("embeddings.{name}"));
        text.filter(|text| !text.trim().is_empty())
    };
    if of("url").is_none() && of("folder").is_none() {
        return Ok(Embeddings::Off);
    }
    let is_cold = settings.switch("embeddings.cold").then_some(ModelUse::Once);
    let Some(model_use) = model_use.or(is_cold) else {
        return Ok(Embeddings::Elsewhere);
    };
    Ok(Embeddings::Here {
        embedder: shared(settings)?,
        follows_writes: model_use == ModelUse::Follow,
    })
}

fn shared(settings: &Settings) -> Result<Arc<dyn Embedder>, Problem> {
    let own = |name: &str| name.starts_with("embeddings.") || name.starts_with("model.");
    let shown = settings.shown().filter(|(name, _)| own(name));
    let depends: Vec<String> = shown
        .map(|(name, setting)| format!("{name}={}", setting.value))
        .collect();
    let depends = depends.join("\n");
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, embedder)) = loaded.as_ref().filter(|(of, _)| *of == depends) {
        return Ok(embedder.clone());
    }
    let embedder = embedder(settings)?;
    *loaded = Some((depends, embedder.clone()));
    Ok(embedder)
}

fn embedder(settings: &Settings) -> Result<Arc<dyn Embedder>, Problem> {
    match (
        settings.text("embeddings.url"),
        settings.text("embeddings.folder"),
    ) {
        (Some(_), Some(_)) => {
            let message = "`embeddings.url` and `embeddings.folder` are both set";
            Err(Problem::new("invalid_config", message).with_hint("leave one of them out"))
        }
        (Some(url), None) => endpoint(settings, url),
        (None, folder) => local(settings, folder.unwrap_or_default()),
    }
}

/// The model of the settings under a name.
#[cfg(any(feature = "models", feature = "embeddings"))]
fn model(settings: &Settings, name: String) -> Result<EmbeddingModel, Problem> {
    let share = |name: &str, default: f64| match settings.number(name) {
        None => Ok(default),
        Some(value) if (0.0..1.0).contains(&value) => Ok(value),
        Some(value) => Err(wrong(name, &value.to_string(), "a number in 0..1")),
    };
    Ok(EmbeddingModel {
        name,
        question_prefix: settings.text_or_empty("embeddings.question_prefix").into(),
        passage_prefix: settings.text_or_empty("embeddings.passage_prefix").into(),
        scale: CosineScale {
            zero: share("embeddings.zero", 0.0)?,
            floor: share("embeddings.floor", FLOOR)?,
        },
    })
}

#[cfg(feature = "models")]
fn endpoint(settings: &Settings, url: &str) -> Result<Arc<dyn Embedder>, Problem> {
    use hindlore_agents::provider::{EmbeddingClient, EmbeddingSettings, Vendor};
    let name = settings.text("embeddings.model").ok_or_else(|| {
        Problem::new("invalid_config", "no model for embeddings is named")
            .with_hint("name one by `embeddings.model`")
    })?;
    let own = settings.text("embeddings.key");
    // The vendor's own key goes to the vendor alone.
    let of_vendor = settings
        .text("model.openai.key")
        .filter(|_| url.trim_end_matches('/') == Vendor::OpenAi.url());
    let client = EmbeddingClient::new(EmbeddingSettings {
        url: url.to_owned(),
        key: own.or(of_vendor).map(str::to_owned),
        timeout: super::endpoint::timeout(settings),
        retries: super::endpoint::retries(settings)?,
        model: model(settings, name.to_owned())?,
    });
    let client = client.map_err(|reason| {
        Problem::new("invalid_config", reason)
            .with_hint("set `embeddings.url` to the base address of the endpoint")
    })?;
    Ok(Arc::new(client))
}

#[cfg(not(feature = "models"))]
fn endpoint(_: &Settings, _: &str) -> Result<Arc<dyn Embedder>, Problem> {
    Err(
        Problem::new("no_model", "this program was built without models")
            .with_hint("build it with `--features full`"),
    )
}

#[cfg(feature = "embeddings")]
fn local(settings: &Settings, folder: &str) -> Result<Arc<dyn Embedder>, Problem> {
    use hindlore_embeddings::{LocalEmbedder, ModelFiles};
    let found = ModelFiles::find(folder.as_ref());
    let files = found.map_err(|reason| {
        Problem::new("invalid_config", reason)
            .with_hint("docs/embeddings.md has the commands that fill `embeddings.folder`")
    })?;
    let name = settings.text("embeddings.model").map(str::to_owned);
    let name = name.unwrap_or_else(|| files.name.clone());
    Ok(Arc::new(LocalEmbedder::new(files, model(settings, name)?)))
}

#[cfg(not(feature = "embeddings"))]
fn local(_: &Settings, _: &str) -> Result<Arc<dyn Embedder>, Problem> {
    let message = "this program was built without models in its own process";
    Err(Problem::new("no_model", message)
        .with_hint("build it with `--features embeddings`, or set `embeddings.url`"))
}
