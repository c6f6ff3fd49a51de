//! Bullets as a table, for people.

use super::page::Page;
use super::{Outcome, Output};
use crate::api::problem::Problem;
use crate::api::shapes::{BulletShown, BulletsShown};
use crate::domain::memory::bullet::Bullet;
use crate::engine::MemoryView;

/// Shows the first of the chosen bullets of a memory; nothing found when none was chosen.
pub(crate) fn show(
    output: &Output,
    view: &MemoryView,
    chosen: &[&Bullet],
    limit: usize,
) -> Result<Outcome, Problem> {
    let first = chosen.iter().copied().take(limit);
    let shown = BulletsShown {
        total: chosen.len(),
        bullets: first.map(BulletShown::from).collect(),
        revision: view.revision,
        clock: view.clock,
    };
    output.show(&shown, |page| table(page, &shown.bullets))?;
    if shown.total > shown.bullets.len() {
        let (listed, total) = (shown.bullets.len(), shown.total);
        output.note(&format!("{listed} of {total} bullets; --limit shows more"));
    }
    Ok(Outcome::found(!shown.bullets.is_empty()))
}

/// Shows bullets, one a line.
fn table(page: &mut Page, bullets: &[BulletShown]) {
    let rows: Vec<Vec<String>> = bullets.iter().map(row).collect();
    page.table(&["ID", "STATUS", "TYPE", "VOTES", "TAGS", "CONTENT"], &rows);
}

fn row(bullet: &BulletShown) -> Vec<String> {
    let pin = if bullet.pinned { " pinned" } else { "" };
    vec![
        bullet.id.to_string(),
        format!("{}{pin}", bullet.status),
        bullet.memory_type.to_string(),
        format!("+{}/-{}", bullet.helpful, bullet.harmful),
        bullet.tags.join(","),
        bullet.content.clone(),
    ]
}
