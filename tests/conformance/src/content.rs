//! The contents of the fixtures: a text, a picture of one grey pixel, a sound of one silent sample.

use rmcp::model::{AudioContent, ContentBlock, ResourceContents};

/// A picture, as PNG in base64.
pub(crate) const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==";
pub(crate) const PICTURE_TYPE: &str = "image/png";
/// A sound, as WAV in base64.
const SOUND: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==";

/// A sentence.
pub(crate) fn text(words: &str) -> ContentBlock {
    ContentBlock::text(words)
}

/// The picture.
pub(crate) fn picture() -> ContentBlock {
    ContentBlock::image(PICTURE, PICTURE_TYPE)
}

/// The sound.
pub(crate) fn sound() -> ContentBlock {
    ContentBlock::Audio(AudioContent::new(SOUND, "audio/wav"))
}

/// A resource of text, by its address and type.
pub(crate) fn resource(uri: &str, mime: &str, text: &str) -> ResourceContents {
    ResourceContents::TextResourceContents {
        uri: uri.to_owned(),
        mime_type: Some(mime.to_owned()),
        text: text.to_owned(),
        meta: None,
    }
}

/// The picture as a resource.
pub(crate) fn binary(uri: &str) -> ResourceContents {
    ResourceContents::BlobResourceContents {
        uri: uri.to_owned(),
        mime_type: Some(PICTURE_TYPE.to_owned()),
        blob: PICTURE.to_owned(),
        meta: None,
    }
}
