//! Bullets as a table, for people.

use super::page::Page;
use crate::api::shapes::BulletShown;

/// Shows bullets, one a line.
pub(crate) fn table(page: &mut Page, bullets: &[BulletShown]) {
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
