//! The served files, compiled in, so that the server offers exactly the files of the repository.

use super::zip::archive;

/// The style sheet.
const STYLE: &str = include_str!("../../../cypher/browser/hindlore.grass");
/// The guide.
const GUIDE: &str = include_str!("../../../cypher/browser/guide.html");

/// Declares the queries of the pack, one folder at a time.
macro_rules! pack {
    ($($folder:literal { $($file:literal),+ $(,)? })+) => {
        /// Name in the archive and text of every query.
        const PACK: &[(&str, &str)] = &[$($((
            concat!("hindlore/", $folder, "/", $file, ".cypher"),
            include_str!(concat!("../../../cypher/", $folder, "/", $file, ".cypher")),
        )),+),+];
    };
}

pack! {
    "analyst/history" {
        "author",
        "by_day",
        "by_revision",
        "delta",
        "life",
        "picture",
        "sources",
    }
    "analyst/labels" {
        "picture",
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
    "analyst/playbooks" {
        "evidence",
        "grants",
        "picture",
        "playbooks",
        "reflections",
        "strategies",
        "versions",
    }
    "analyst/review" {
        "archived",
        "common_texts",
        "conflicts",
        "consolidated",
        "consolidations",
        "duplicates",
        "families",
        "picture",
        "rejected",
        "superseded",
    }
    "analyst/start" {
        "compared",
        "find",
        "learners",
        "overview",
        "policies",
    }
    "analyst/strength" {
        "expiring",
        "fading",
        "hot",
        "picture",
        "strongest",
    }
    "analyst/trajectories" {
        "outcomes",
        "parts",
        "picture",
        "queue",
        "steps",
    }
    "analyst/use" {
        "hit_rates",
        "never_helped",
        "never_returned",
        "picture",
        "retrievals",
        "unanswered",
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

/// A served file.
pub(crate) struct File {
    /// Path.
    pub(crate) path: &'static str,
    /// Media type.
    pub(crate) media: &'static str,
    /// Contents.
    pub(crate) bytes: Vec<u8>,
}

/// Media type of plain text.
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";
/// Path of the style sheet.
pub(crate) const STYLE_PATH: &str = "/hindlore.grass";
/// Path of the guide.
pub(crate) const GUIDE_PATH: &str = "/guide.html";
/// Path of the queries.
pub(crate) const PACK_PATH: &str = "/hindlore.zip";

/// The analysts' queries that answer with rows: name and text. Those of pictures answer with nodes, for the Browser.
#[cfg(feature = "neo4j")]
pub(crate) fn analyst_queries() -> impl Iterator<Item = (&'static str, &'static str)> {
    let named = PACK.iter().filter_map(|(path, text)| {
        let name = path.strip_prefix("hindlore/analyst/")?;
        Some((name.strip_suffix(".cypher")?, *text))
    });
    named.filter(|(name, _)| !name.starts_with("picture/") && !name.ends_with("/picture"))
}

/// All served files.
pub(crate) fn files() -> Vec<File> {
    let file = |path, media, bytes| File { path, media, bytes };
    vec![
        file(STYLE_PATH, TEXT, STYLE.into()),
        file(GUIDE_PATH, "text/html; charset=utf-8", GUIDE.into()),
        file(PACK_PATH, "application/zip", archive(PACK)),
    ]
}
