//! Reads basic-memory notes: Markdown with `- [category] text #tag (context)` and `- relation [[Target]]`.
//!
//! The title of the note comes before an observation, which means little without it.

use super::Import;
use super::bullet_record::titled;
use super::markdown::{Entry, outline_of, split_front_matter};
use crate::problem::Problem;
use hindlore_domain::memory::bullet::{Kind, Source};
use hindlore_domain::memory::delta::{NewBullet, Operation};

/// Reads a note.
pub(super) fn read(text: &str) -> Result<Import, Problem> {
    let (front, _, _) = split_front_matter(text);
    let title = field(front, "title").map(str::to_owned);
    let tags: Vec<String> = field(front, "tags").map(list).unwrap_or_default();
    let read = outline_of(text);
    let title = title.or_else(|| read.entries.iter().find_map(first_heading));
    let mut import = Import::default();
    for entry in read.entries {
        let mut new = bullet(&entry, title.as_deref());
        new.tags.extend(tags.iter().cloned());
        import.add(entry.line, Ok(Operation::Add(Box::new(new))));
    }
    import.leave_out_all(read.left_out);
    import.notes.extend(read.notes);
    Ok(import)
}

/// True for a note of basic-memory: its front matter has a permalink, or it has observations and relations.
pub(super) fn is_note(text: &str) -> bool {
    let (front, body, _) = split_front_matter(text);
    let is_observed = body
        .lines()
        .filter(|line| observation(item(line)).is_some())
        .count();
    let is_related = body.lines().any(|line| relation(item(line)).is_some());
    field(front, "permalink").is_some() || (is_observed > 0 && is_related)
}

fn item(line: &str) -> &str {
    line.trim_start()
        .strip_prefix("- ")
        .unwrap_or_default()
        .trim()
}

/// The value of a field of front matter.
fn field<'t>(front: &'t str, name: &str) -> Option<&'t str> {
    let value = front
        .lines()
        .find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix(':'));
    let value = value.map(|value| value.trim().trim_matches(['"', '\'']).trim());
    value.filter(|value| !value.is_empty())
}

/// `[a, b]` or `a, b`.
fn list(value: &str) -> Vec<String> {
    let inner = value.trim_start_matches('[').trim_end_matches(']');
    let words = inner
        .split(',')
        .map(|word| word.trim().trim_matches(['"', '\'', '#']));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn first_heading(entry: &Entry) -> Option<String> {
    let section = entry.section.as_deref()?;
    Some(section.split(" > ").next().unwrap_or(section).to_owned())
}

fn bullet(entry: &Entry, title: Option<&str>) -> NewBullet {
    let mut tags = entry.tags.clone();
    let content = if let Some((category, text)) = observation(&entry.text) {
        tags.push(category.to_owned());
        titled(title, &without_tags(text, &mut tags))
    } else if let Some((verb, target)) = relation(&entry.text) {
        let title = title.unwrap_or("this note");
        format!("{title} {} {target}", verb.replace('_', " "))
    } else {
        entry.text.clone()
    };
    NewBullet {
        content,
        section: entry.section.clone(),
        tags,
        // A note is kept for good: an observation is no passing experience.
        kind: Some(Kind::Fact),
        source: Some(Source::Import),
        ..NewBullet::default()
    }
}

/// `[category] text`; a box to tick and a link are none.
fn observation(text: &str) -> Option<(&str, &str)> {
    let (category, rest) = text.strip_prefix('[')?.split_once(']')?;
    let is_category = category.chars().any(char::is_alphabetic)
        && category
            .chars()
            .all(|c| c.is_alphanumeric() || "_- ".contains(c))
        && category != "x";
    let text = rest.strip_prefix(' ')?.trim();
    (is_category && !text.is_empty()).then_some((category, text))
}

/// `relation [[Target]]`.
fn relation(text: &str) -> Option<(&str, &str)> {
    let (verb, rest) = text.split_once("[[")?;
    let (target, behind) = rest.split_once("]]")?;
    let verb = verb.trim();
    let is_verb = !verb.is_empty()
        && verb
            .chars()
            .all(|c| c.is_alphanumeric() || "_- ".contains(c));
    let is_all = behind.trim().is_empty() || behind.trim_start().starts_with('(');
    (is_verb && is_all && !target.trim().is_empty()).then(|| (verb, target.trim()))
}

/// Takes `#tag` words out of a text.
fn without_tags(text: &str, tags: &mut Vec<String>) -> String {
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        match word.strip_prefix('#') {
            Some(tag) if tag.chars().any(char::is_alphabetic) && !tag.contains('#') => {
                tags.push(tag.to_owned())
            }
            _ => words.push(word),
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observations_and_relations_carry_the_title_of_their_note() {
        let text = "---\ntitle: Tea\npermalink: notes/tea\ntags: [drink]\n---\n\n# Tea\n\nGrown on hills.\n\n## Observations\n\
            - [method] Steep three minutes #green (own tests)\n- [ ] buy a pot\n\n## Relations\n- pairs_with [[Rice cake]]\n";
        assert!(is_note(text));
        let import = read(text).unwrap();
        let found: Vec<(String, Vec<String>)> = import
            .records
            .iter()
            .map(|record| match &record.operation {
                Operation::Add(new) => (new.content.clone(), new.tags.clone()),
                other => panic!("{other:?}"),
            })
            .collect();
        let tags =
            |own: &[&str]| -> Vec<String> { own.iter().map(|&tag| tag.to_owned()).collect() };
        assert_eq!(
            found,
            [
                ("Grown on hills.".to_owned(), tags(&["drink"])),
                (
                    "Tea: Steep three minutes (own tests)".to_owned(),
                    tags(&["method", "green", "drink"])
                ),
                ("buy a pot".to_owned(), tags(&["todo", "drink"])),
                ("Tea pairs with Rice cake".to_owned(), tags(&["drink"])),
            ]
        );
        assert!(!is_note("# Rules\n- [docs](a.md) are here\n- [x] done\n"));
    }
}
