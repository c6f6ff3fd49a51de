//! The files that are served, compiled in: what the server offers is what the repository holds.

use super::zip::archive;

/// The style sheet.
const STYLE: &str = include_str!("../../../cypher/browser/mnemograph.grass");
/// The guide.
const GUIDE: &str = include_str!("../../../cypher/browser/guide.html");

/// Declares the questions of the pack, a folder at a time.
macro_rules! pack {
    ($($folder:literal { $($file:literal),+ $(,)? })+) => {
        /// Name in the archive, and text, of every question.
        const PACK: &[(&str, &str)] = &[$($((
            concat!("mnemograph/", $folder, "/", $file, ".cypher"),
            include_str!(concat!("../../../cypher/", $folder, "/", $file, ".cypher")),
        )),+),+];
    };
}

pack! {
    "analyst/history" {
        "by_day",
        "by_revision",
        "delta",
        "life",
        "sources",
    }
    "analyst/labels" {
        "tags",
        "topics",
    }
    "analyst/lessons" {
        "activations",
        "clusters",
        "conflicts",
        "evidence",
        "fingerprints",
        "picture",
        "recurrence",
        "runs",
        "standing",
        "uncured",
    }
    "analyst/picture" {
        "delta",
        "dialogues",
        "links",
        "neighbours",
    }
    "analyst/review" {
        "archived",
        "common_texts",
        "conflicts",
        "duplicates",
        "families",
        "rejected",
    }
    "analyst/start" {
        "learners",
        "overview",
        "policies",
    }
    "analyst/strength" {
        "expiring",
        "fading",
        "hot",
        "strongest",
    }
    "analyst/use" {
        "hit_rates",
        "never_helped",
        "never_returned",
        "retrievals",
    }
    "ops" {
        "checkpoints",
        "constraints",
        "dangling",
        "gaps",
        "holders",
        "indexes",
        "locks",
        "migrations",
        "sizes",
        "transactions",
        "twins",
    }
}

/// A file that is served.
pub(crate) struct File {
    /// Where.
    pub(crate) path: &'static str,
    /// What it is.
    pub(crate) media: &'static str,
    /// All of it.
    pub(crate) bytes: Vec<u8>,
}

/// What a text is.
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";
/// Path of the style sheet.
pub(crate) const STYLE_PATH: &str = "/mnemograph.grass";
/// Path of the guide.
pub(crate) const GUIDE_PATH: &str = "/guide.html";
/// Path of the questions.
pub(crate) const PACK_PATH: &str = "/mnemograph.zip";

/// Everything that is served.
pub(crate) fn files() -> Vec<File> {
    let file = |path, media, bytes| File { path, media, bytes };
    vec![
        file(STYLE_PATH, TEXT, STYLE.into()),
        file(GUIDE_PATH, "text/html; charset=utf-8", GUIDE.into()),
        file(PACK_PATH, "application/zip", archive(PACK)),
    ]
}
