//! Reads `.learnings`: entries such as `## [ERR-20260102-001] name` with a summary, an error and a suggested fix.
//!
//! An entry is a bullet. One with an error and its cure is also an error and a lesson, so that it is offered when the
//! error comes again. Ids are not unique in real files, so they identify nothing.

mod entry;
mod failure;

use super::Import;
use super::bullet_record::titled;
use crate::problem::Problem;
use entry::{Written, entries};
use hindlore_domain::memory::bullet::{Kind, Source};
use hindlore_domain::memory::delta::{NewBullet, Operation};

pub(crate) use failure::{Failure, LearnedFailures, learned_failures};

/// Reads a file.
pub(super) fn read(text: &str) -> Result<Import, Problem> {
    let mut import = Import::default();
    for entry in entries(text) {
        match bullet(&entry) {
            Some(new) => {
                import.failures.extend(failure(&entry, &new));
                import.add(entry.line, Ok(Operation::Add(Box::new(new))));
            }
            None => import.leave_out(entry.line, "an entry without text".to_owned()),
        }
    }
    Ok(import)
}

/// True for a text with entries of this kind.
pub(super) fn is_learnings(text: &str) -> bool {
    let has_id = text.lines().any(|line| {
        let id = line.trim_start_matches('#').trim().strip_prefix('[');
        let id = id
            .and_then(|rest| rest.split_once(']'))
            .map_or("", |(id, _)| id);
        line.starts_with("## ") && entry::is_id(id)
    });
    let marks = ["**Logged**", "### Suggested Fix", "### Suggested Action"];
    has_id
        || (text.contains("\n## ")
            && marks.iter().filter(|mark| text.contains(**mark)).count() >= 2)
}

fn bullet(entry: &Written) -> Option<NewBullet> {
    let content = said(entry)?;
    let kind = if entry.is_error() && entry.cure().is_none() {
        Kind::Experience
    } else {
        Kind::Strategy
    };
    Some(NewBullet {
        content,
        section: entry.section.clone(),
        tags: entry.tags(),
        kind: Some(kind),
        source: Some(Source::Import),
        created_at: entry.logged(),
        ..NewBullet::default()
    })
}

/// The whole text of an entry, its summary first and its cure last.
fn said(entry: &Written) -> Option<String> {
    let summary = entry.part("summary").or(entry.title.as_deref());
    let mut lines: Vec<String> = Vec::new();
    lines.extend(entry.text().map(str::to_owned));
    for (name, text) in entry.others() {
        lines.push(titled(Some(name), text));
    }
    let has_more = !lines.is_empty();
    match summary {
        // A title that is only a name means something only with the text below it.
        Some(summary) if has_more || entry.part("summary").is_some() || summary.contains(' ') => {
            lines.insert(0, summary.to_owned());
        }
        _ if has_more => {}
        _ => return None,
    }
    Some(lines.join("\n"))
}

fn failure(entry: &Written, new: &NewBullet) -> Option<Failure> {
    let error = entry.part("error")?;
    Some(Failure {
        line: entry.line,
        error: error.to_owned(),
        cure: entry.cure().map(str::to_owned),
        tags: new.tags.clone(),
        at: new.created_at,
    })
}

#[cfg(test)]
mod tests;
