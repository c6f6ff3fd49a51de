//! Bullets as a table, for people.

use super::Output;
use super::page::Page;
use hindlore_api::problem::Problem;
use hindlore_api::responses::{BulletResponse, BulletsResponse};
use hindlore_domain::memory::bullet::Status;

/// Shows a page of bullets, and how many more exist.
pub(crate) fn show(output: &Output, shown: &BulletsResponse) -> Result<(), Problem> {
    output.show(shown, |page| table(page, &shown.bullets))?;
    if shown.total > shown.bullets.len() {
        let (listed, total) = (shown.bullets.len(), shown.total);
        output.note(&format!("{listed} of {total} bullets; --limit shows more"));
    }
    Ok(())
}

/// Writes bullets, one per line.
fn table(page: &mut Page, bullets: &[BulletResponse]) {
    let rows: Vec<Vec<String>> = bullets.iter().map(|one| row(page, one)).collect();
    page.table(&["ID", "STATUS", "TYPE", "VOTES", "TAGS", "CONTENT"], &rows);
}

fn row(page: &Page, bullet: &BulletResponse) -> Vec<String> {
    vec![
        page.id(bullet.id),
        standing(page, bullet),
        bullet.memory_type.to_string(),
        votes(bullet),
        bullet.tags.join(","),
        bullet.content.clone(),
    ]
}

/// The status of a bullet. People see only unusual ones; programs get the same columns always.
fn standing(page: &Page, bullet: &BulletResponse) -> String {
    let pin = bullet.pinned.then(|| "pinned".to_owned());
    let is_told = page.width().is_none() || bullet.status != Status::Active;
    let put_away = is_told.then(|| bullet.status.to_string());
    let words: Vec<String> = put_away.into_iter().chain(pin).collect();
    words.join(" ")
}

/// The votes on a bullet; none for seed bullets, whose votes are only initial ones.
pub(crate) fn votes(bullet: &BulletResponse) -> String {
    if bullet.planted {
        "advice".to_owned()
    } else {
        format!("+{}/-{}", bullet.helpful, bullet.harmful)
    }
}
