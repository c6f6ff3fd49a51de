//! Links as relationships between bullets. A removed link has the type UNLINKED, so that no graph pattern matches it; its
//! kind stays in a property.

use serde::Deserialize;

use super::bullets::parsed;
use crate::bolt::values::{Map, bullet_key};
use crate::error::Result;
use crate::upkeep::by_hand::Mended;
use hindlore_domain::memory::link::{Link, LinkId};

/// The type of a removed link.
const UNLINKED: &str = "UNLINKED";

/// A link as read: the ids of its bullets and its properties.
#[derive(Deserialize)]
pub(super) struct LinkRow {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) link: Mended<LinkProperties>,
}

#[derive(Deserialize)]
pub(super) struct LinkProperties {
    kind: String,
    reason: Option<String>,
    similarity: Option<f64>,
    changed_tick: u64,
    #[serde(default)]
    removed: bool,
}

impl LinkRow {
    fn into_link(self) -> Result<Link> {
        let Mended(link) = self.link;
        Ok(Link {
            id: LinkId {
                kind: parsed(&link.kind)?,
                from: parsed(&self.from)?,
                to: parsed(&self.to)?,
            },
            reason: link.reason,
            similarity: link.similarity,
            changed_tick: link.changed_tick,
            removed: link.removed,
        })
    }
}

/// Converts links and sorts them by identity.
pub(super) fn in_order(rows: impl IntoIterator<Item = LinkRow>) -> Result<Vec<Link>> {
    let links = rows.into_iter().map(LinkRow::into_link);
    let mut links = links.collect::<Result<Vec<_>>>()?;
    links.sort_unstable_by_key(|link| link.id);
    Ok(links)
}

/// A link as a row of `bullets/link`.
pub(crate) fn row(memory: &str, link: &Link) -> Result<Map> {
    let kind = link.id.kind.word();
    let properties = Map::new()
        .with("hindlore_memory", memory)
        .with("kind", kind)
        .with("reason", link.reason.clone())
        .with("similarity", link.similarity)
        .whole("changed_tick", link.changed_tick)?
        .flag("removed", link.removed);
    Ok(Map::new()
        .with("from", bullet_key(memory, link.id.from))
        .with("to", bullet_key(memory, link.id.to))
        .with("type", if link.removed { UNLINKED } else { kind })
        .with("link", properties))
}
