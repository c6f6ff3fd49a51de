//! The settings of a client.

use std::fmt;
use std::time::Duration;

/// The protocol of an endpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vendor {
    /// `POST {url}/chat/completions`, as OpenAI and many other servers implement it.
    OpenAi,
    /// `POST {url}/v1/messages`.
    Anthropic,
    /// `POST {url}/v1beta/models/{name}:generateContent`.
    Gemini,
    /// `POST {url}/api/chat`.
    Ollama,
}

impl Vendor {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::OpenAi, Self::Anthropic, Self::Gemini, Self::Ollama];

    /// The name in the settings.
    pub fn word(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    /// The vendor of a name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }

    /// The endpoint where nothing else is set.
    pub fn url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com",
            Self::Gemini => "https://generativelanguage.googleapis.com",
            Self::Ollama => "http://127.0.0.1:11434",
        }
    }

    /// The model where nothing else is set; only one vendor has a default.
    pub fn model(self) -> Option<&'static str> {
        (self == Self::Gemini).then_some("gemini-2.5-flash")
    }

    /// True if its public endpoint requires a key.
    pub fn needs_key(self) -> bool {
        self != Self::Ollama
    }
}

/// The settings of a client.
#[derive(Clone)]
pub struct Settings {
    /// The protocol of the endpoint.
    pub vendor: Vendor,
    /// Base address.
    pub url: String,
    /// Name of the model.
    pub model: String,
    /// Key; absent where the endpoint needs none.
    pub key: Option<String>,
    /// 0..=2, where a request names none.
    pub temperature: f64,
    /// Limit of tokens of one answer.
    pub max_tokens: u32,
    /// Time for one attempt, the body included.
    pub timeout: Duration,
    /// Further attempts after one that failed on the way.
    pub retries: u32,
}

/// Without the key.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("vendor", &self.vendor)
            .field("model", &self.model)
            .field("key", &self.key.as_ref().map(|_| "…"))
            .finish_non_exhaustive()
    }
}
