//! The JSON playbooks of kayba and of SessionPlaybook, written so that their programs and our import read them.
//!
//! Both are bullets by id with a counter for the next id, so one writer serves both, and a table holds the names.

use std::collections::HashSet;
use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::ace_playbook::by_section;
use super::classic::plain;
use crate::import::kayba_legacy_id;
use hindlore_domain::memory::bullet::Bullet;

/// Section of bullets without one; both programs require a section.
const NO_SECTION: &str = "general";

/// The names of a program's playbook.
pub(super) struct Form {
    bullets: &'static str,
    section: &'static str,
    /// Helpful, harmful and neutral votes.
    votes: [&'static str; 3],
    /// Time of the last change.
    last: &'static str,
    /// Whether the file lists the ids of each section, too.
    lists_sections: bool,
    /// The id of the `number`-th bullet, which has none yet.
    id: fn(section: &str, number: u64) -> String,
    first_number: u64,
}

pub(super) const KAYBA: Form = Form {
    bullets: "bullets",
    section: "section",
    votes: ["helpful", "harmful", "neutral"],
    last: "updated_at",
    lists_sections: true,
    id: kayba_legacy_id,
    first_number: 1,
};

pub(super) const SESSION_PLAYBOOK: Form = Form {
    bullets: "strategies",
    section: "category",
    votes: ["helpful_count", "harmful_count", "neutral_count"],
    last: "last_used",
    lists_sections: false,
    id: strategy_id,
    first_number: 0,
};

/// The id that a SessionPlaybook gives: three letters of the category, and a number.
fn strategy_id(category: &str, number: u64) -> String {
    let letters: String = category.chars().take(3).collect();
    format!("{letters}-{number:05}")
}

/// Writes active bullets by section, in order of first appearance, without the general advice of a new memory.
pub(super) fn write_json_playbook<'m>(
    out: &mut dyn Write,
    form: &Form,
    bullets: impl Iterator<Item = &'m Bullet>,
) -> io::Result<()> {
    let bullets: Vec<&Bullet> = bullets
        .filter(|bullet| bullet.is_active() && !bullet.is_seed())
        .collect();
    let own = bullets.iter().filter_map(|bullet| bullet.legacy_id.clone());
    let mut taken: HashSet<String> = own.collect();
    let mut given = HashSet::new();
    let mut number = form.first_number;
    let mut sections = Map::new();
    write!(out, "{{\n\"{}\": {{", form.bullets)?;
    for (section, members) in by_section(&bullets, NO_SECTION) {
        let mut ids = Vec::new();
        for bullet in members {
            let own = bullet.legacy_id.clone();
            let id = own.filter(|id| given.insert(id.clone()));
            let id = id.unwrap_or_else(|| next_id(form, &section, &mut number, &mut taken));
            let comma = if sections.is_empty() && ids.is_empty() {
                ""
            } else {
                ","
            };
            let record = record(form, bullet, &section, &id);
            write!(out, "{comma}\n{}: {record}", json!(id))?;
            ids.push(id);
        }
        sections.insert(section, json!(ids));
    }
    write!(out, "\n}},\n")?;
    if form.lists_sections {
        writeln!(out, "\"sections\": {},", Value::Object(sections))?;
    }
    writeln!(out, "\"next_id\": {number}\n}}")
}

fn next_id(form: &Form, section: &str, number: &mut u64, taken: &mut HashSet<String>) -> String {
    loop {
        let id = (form.id)(section, *number);
        *number += 1;
        if taken.insert(id.clone()) {
            return id;
        }
    }
}

fn record(form: &Form, bullet: &Bullet, section: &str, id: &str) -> Value {
    let counts = bullet.counts;
    let mut fields = Map::new();
    fields.insert("id".to_owned(), json!(id));
    fields.insert(form.section.to_owned(), json!(section));
    fields.insert("content".to_owned(), json!(bullet.content.as_str()));
    for (name, votes) in form
        .votes
        .iter()
        .zip([counts.helpful, counts.harmful, counts.neutral])
    {
        fields.insert((*name).to_owned(), json!(votes));
    }
    let last = bullet.last_used.unwrap_or(bullet.created_at);
    fields.insert("created_at".to_owned(), json!(plain(bullet.created_at)));
    fields.insert(form.last.to_owned(), json!(plain(last)));
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::samples::{bullet, key};
    use crate::import::{Format, parse};
    use hindlore_domain::memory::bullet::{Counts, Status};
    use hindlore_domain::memory::delta::{DeltaId, Operation};
    use hindlore_primitives::timestamp::Timestamp;

    #[test]
    fn a_json_playbook_is_read_back_with_ids_sections_votes_and_times() {
        let mut known = bullet(1, "List \"before\" reading\nthen read");
        known.legacy_id = Some("fil-00004".to_owned());
        known.section = Some("file_operations".to_owned());
        known.last_used = Timestamp::parse("2025-03-01T00:00:00Z");
        known.counts = Counts {
            helpful: 4,
            harmful: 1,
            neutral: 2,
        };
        let mut gone = bullet(2, "gone");
        gone.status = Status::Archived;
        let bullets = [known, gone, bullet(3, "third")];
        for (form, format, made) in [
            (&KAYBA, Format::Kayba, "general-00001"),
            (&SESSION_PLAYBOOK, Format::SessionPlaybook, "gen-00000"),
        ] {
            let mut out = Vec::new();
            write_json_playbook(&mut out, form, bullets.iter()).unwrap();
            let delta = DeltaId::parse("d").unwrap();
            let import = parse(format, &out, &key(), &delta).unwrap();
            assert_eq!((import.read, import.bad.len()), (2, 0), "{format}");
            assert!(import.unknown.is_empty(), "{format}: {:?}", import.unknown);
            let added = import.records.iter().map(|one| match &one.operation {
                Operation::Add(new) => new,
                other => panic!("{other:?}"),
            });
            let added: Vec<_> = added.collect();
            let first = added[0];
            assert_eq!(first.content, bullets[0].content.as_str());
            assert_eq!(first.section.as_deref(), Some("file_operations"));
            assert_eq!(first.legacy_id.as_deref(), Some("fil-00004"));
            assert_eq!((first.helpful, first.harmful, first.neutral), (4, 1, 2));
            assert_eq!(first.created_at, Some(bullets[0].created_at));
            if format == Format::SessionPlaybook {
                assert_eq!(first.last_used, bullets[0].last_used);
            }
            assert_eq!(added[1].legacy_id.as_deref(), Some(made));
        }
    }
}
