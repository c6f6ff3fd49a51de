//! The text playbook of the published ACE experiments, written so that it can be read back.
//!
//! A content line that looks like a bullet or heading is indented by one space, which the reader takes away
//! again, so no text can pass for another bullet.

use std::collections::HashSet;
use std::io::{self, Write};

use crate::import::{split_bullet, split_heading};
use hindlore_domain::memory::bullet::Bullet;

/// Heading of bullets without a section.
const NO_SECTION: &str = "OTHERS";

/// Writes active bullets by section, in order of first appearance, without the general advice of a new memory.
pub fn write_ace_playbook<'m>(
    out: &mut dyn Write,
    bullets: impl Iterator<Item = &'m Bullet>,
) -> io::Result<()> {
    let bullets: Vec<&Bullet> = bullets
        .filter(|bullet| bullet.is_active() && !bullet.is_seed())
        .collect();
    let mut taken: HashSet<String> = bullets.iter().filter_map(|bullet| own_id(bullet)).collect();
    let mut given = HashSet::new();
    let mut number = 0;
    for (place, (section, members)) in by_section(&bullets, NO_SECTION).into_iter().enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        writeln!(out, "## {section}")?;
        for bullet in members {
            let id = match own_id(bullet) {
                Some(id) if given.insert(id.clone()) => id,
                _ => make_id(&section, &mut number, &mut taken),
            };
            let counts = bullet.counts;
            write!(
                out,
                "[{id}] helpful={} harmful={} ",
                counts.helpful, counts.harmful
            )?;
            if counts.neutral > 0 {
                write!(out, "neutral={} ", counts.neutral)?;
            }
            writeln!(out, ":: {}", harmless(bullet.content.as_str()))?;
        }
    }
    Ok(())
}

/// Groups by section, in order; bullets without a section share the section `without`.
pub(super) fn by_section<'m>(
    bullets: &[&'m Bullet],
    without: &str,
) -> Vec<(String, Vec<&'m Bullet>)> {
    let mut groups: Vec<(String, Vec<&Bullet>)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for bullet in bullets {
        let words = bullet
            .section
            .as_deref()
            .unwrap_or(without)
            .split_whitespace();
        let section = words.collect::<Vec<_>>().join(" ");
        let place = *places.entry(section.clone()).or_insert_with(|| {
            groups.push((section, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(bullet);
    }
    groups
}

/// The bullet's id in this format, if it has one.
fn own_id(bullet: &Bullet) -> Option<String> {
    let id = bullet.legacy_id.clone()?;
    split_bullet(&format!("[{id}] helpful=0 ::"))
        .is_some_and(|(found, _)| found == id)
        .then_some(id)
}

fn make_id(section: &str, number: &mut u64, taken: &mut HashSet<String>) -> String {
    let letters = section.chars().filter(char::is_ascii_alphabetic).take(4);
    let slug = letters.collect::<String>().to_lowercase();
    let slug = if slug.is_empty() { "misc" } else { &slug };
    loop {
        *number += 1;
        let id = format!("{slug}-{number:05}");
        if taken.insert(id.clone()) {
            return id;
        }
    }
}

fn harmless(content: &str) -> String {
    let mut text = String::with_capacity(content.len());
    for (place, line) in content.trim().lines().enumerate() {
        if place > 0 {
            text.push('\n');
            if split_bullet(line).is_some() || split_heading(line, 1).is_some() {
                text.push(' ');
            }
        }
        text.push_str(line);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::samples::{bullet, key};
    use crate::import::{Format, parse};
    use hindlore_domain::memory::delta::{DeltaId, Operation};

    #[test]
    fn a_written_playbook_is_read_back_and_no_text_poses_as_a_bullet() {
        let mut bullets = [
            bullet(1, "plain"),
            bullet(
                2,
                "two\n\nlines\n## NOT A SECTION\n[abc-00009] not a bullet",
            ),
            bullet(3, "starts with helpful=1 :: x"),
            bullet(4, "std::mem"),
        ];
        bullets[0].legacy_id = Some("shr-00007".to_owned());
        bullets[2].section = Some("HARD\nRULES".to_owned());
        bullets[3].counts.neutral = 3;
        let mut out = Vec::new();
        write_ace_playbook(&mut out, bullets.iter()).unwrap();
        let text = String::from_utf8(out.clone()).unwrap();
        assert!(
            text.starts_with("## OTHERS\n[shr-00007] helpful=2 harmful=0 :: plain\n"),
            "{text}"
        );
        let delta = DeltaId::parse("d").unwrap();
        let import = parse(Format::AcePlaybook, &out, &key(), &delta).unwrap();
        assert_eq!((import.read, import.bad.len()), (4, 0), "{text}");
        let mut back: Vec<_> = import
            .records
            .iter()
            .map(|record| match &record.operation {
                Operation::Add(new) => (
                    new.content.split_whitespace().collect::<Vec<_>>(),
                    new.neutral,
                ),
                other => panic!("{other:?}"),
            })
            .collect();
        back.sort();
        let mut sent: Vec<_> = bullets
            .iter()
            .map(|b| {
                (
                    b.content.as_str().split_whitespace().collect(),
                    b.counts.neutral,
                )
            })
            .collect();
        sent.sort();
        assert_eq!(back, sent);
    }
}
