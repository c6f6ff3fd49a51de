//! The messages of a tool about faults, on three levels: helpful, semi-helpful, cryptic.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::error::{LabError, LabResult};

/// The detail of a tool's messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// The fault, its place, and the right form.
    Helpful,
    /// The kind of fault.
    SemiHelpful,
    /// A code.
    Cryptic,
}

impl Level {
    /// All levels.
    pub const ALL: [Self; 3] = [Self::Helpful, Self::SemiHelpful, Self::Cryptic];

    /// Name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Helpful => "helpful",
            Self::SemiHelpful => "semi-helpful",
            Self::Cryptic => "cryptic",
        }
    }
}

/// Messages by level and kind of error.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Messages {
    by_level: BTreeMap<Level, BTreeMap<String, String>>,
}

/// Values for the places of a message.
pub(super) type Values<'a> = &'a [(&'a str, &'a str)];

impl Messages {
    /// Reads `messages.json`; every level must have a text for each of the kinds.
    pub fn parse(json: &Value, kinds: &[&str]) -> LabResult<Self> {
        let mut by_level = BTreeMap::new();
        for level in Level::ALL {
            let mut texts = BTreeMap::new();
            for kind in kinds {
                let text = json.get(level.name()).and_then(|texts| texts.get(kind));
                let text = text.and_then(Value::as_str).ok_or_else(|| {
                    let what = format!("the level `{}` has no text for `{kind}`", level.name());
                    LabError::definition("messages.json", what)
                })?;
                texts.insert((*kind).to_owned(), text.to_owned());
            }
            by_level.insert(level, texts);
        }
        Ok(Self { by_level })
    }

    /// The text for a kind of error, with its places filled; the kind itself when there is none.
    pub fn text(&self, level: Level, kind: &str, values: Values<'_>) -> String {
        let text = self.by_level.get(&level).and_then(|texts| texts.get(kind));
        let mut text = text.map_or_else(|| kind.to_owned(), String::clone);
        for (name, value) in values {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        text
    }
}
