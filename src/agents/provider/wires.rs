//! Which vendor speaks which wire.

use super::settings::Vendor;
use super::wire::Wire;
use super::{anthropic, gemini, ollama, openai};

/// The wire of a vendor.
pub(super) fn wire_of(vendor: Vendor) -> &'static Wire {
    match vendor {
        Vendor::OpenAi => &openai::WIRE,
        Vendor::Anthropic => &anthropic::WIRE,
        Vendor::Gemini => &gemini::WIRE,
        Vendor::Ollama => &ollama::WIRE,
    }
}
