//! Reads basic-memory notes: Markdown with `- [category] text #tag (context)` and `- relation [[Target]]`.
//!
//! The title of the note comes before an observation, which means little without it. A text with a `#tag` is an
//! observation too, with or without a category.

use super::Import;
use super::bullet_record::titled;
use super::markdown::{Entry, outline_with, split_front_matter};
use super::record::words;
use crate::problem::Problem;
use hindlore_domain::memory::bullet::{Kind, Source};
use hindlore_domain::memory::delta::{NewBullet, Operation};

/// Reads a note.
pub(super) fn read(text: &str) -> Result<Import, Problem> {
    let (front, _, _) = split_front_matter(text);
    let title = field(front, "title").map(str::to_owned);
    let tags = list(front, "tags");
    let read = outline_with(text, |item| observation(item).is_some());
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

/// The list in a field of front matter: `[a, b]`, `a, b`, or an item on each of the lines below.
fn list(front: &str, name: &str) -> Vec<String> {
    if let Some(value) = field(front, name) {
        return words(value);
    }
    let is_field = |line: &&str| line.trim_end().strip_suffix(':') == Some(name);
    let below = front.lines().skip_while(|line| !is_field(line)).skip(1);
    let items = below.map_while(|line| line.trim_start().strip_prefix("- "));
    items.flat_map(words).collect()
}

fn first_heading(entry: &Entry) -> Option<String> {
    let section = entry.section.as_deref()?;
    Some(section.split(" > ").next().unwrap_or(section).to_owned())
}

fn bullet(entry: &Entry, title: Option<&str>) -> NewBullet {
    let mut tags = entry.tags.clone();
    let (before, own) = entry
        .text
        .split_at_checked(entry.own_at)
        .unwrap_or(("", &entry.text));
    let content = if let Some((category, text)) = observation(own) {
        tags.push(category.to_owned());
        titled(title, &format!("{before}{}", without_tags(text, &mut tags)))
    } else if let Some((verb, target)) = relation(&entry.text) {
        let title = title.unwrap_or("this note");
        format!("{title} {} {target}", verb.replace('_', " "))
    } else if own.split_whitespace().any(|word| tag(word).is_some()) {
        // The tags of a text without a category are often words of its sentence.
        tags.extend(own.split_whitespace().filter_map(tag).map(str::to_owned));
        titled(title, &entry.text)
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
    let category = category.trim();
    let is_category = category.contains(char::is_alphanumeric)
        && !category.contains(['[', '(', ')'])
        && !category.eq_ignore_ascii_case("x");
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
        match tag(word) {
            Some(tag) => tags.push(tag.to_owned()),
            None => words.push(word),
        }
    }
    words.join(" ")
}

/// The tag in a word `#tag`; a number is none.
fn tag(word: &str) -> Option<&str> {
    let tag = word.strip_prefix('#')?;
    let tag = tag.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']);
    let is_tag = tag.starts_with(char::is_alphanumeric)
        && tag.contains(char::is_alphabetic)
        && tag
            .chars()
            .all(|c| c.is_alphanumeric() || "_-/.".contains(c));
    is_tag.then_some(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of a note without their tags, and the tags of each.
    fn rows(body: &str) -> Vec<(String, String)> {
        let note = format!("---\ntitle: Tea\npermalink: notes/tea\n---\n\n{body}");
        let import = read(&note).unwrap();
        let row = |operation: &Operation| match operation {
            Operation::Add(new) => (new.content.clone(), new.tags.join(" ")),
            other => panic!("{other:?}"),
        };
        let records = import.records.iter();
        records.map(|record| row(&record.operation)).collect()
    }

    #[test]
    fn every_observation_is_a_text_with_its_category_and_tags() {
        for (body, expected) in [
            (
                "- [v1.2] needs soft water",
                &[("Tea: needs soft water", "v1.2")][..],
            ),
            ("- [2026] a dry year", &[("Tea: a dry year", "2026")]),
            ("- [a/b & c] text (why)", &[("Tea: text (why)", "a/b & c")]),
            (
                "- [brew] rinse the pot\n  - [why] it keeps the heat #pot\n    - [how.1] with hot water",
                &[
                    ("Tea: rinse the pot", "brew"),
                    ("Tea: it keeps the heat", "why pot"),
                    ("Tea: with hot water", "how.1"),
                ],
            ),
            (
                "- Brewing\n  - [why] it keeps the heat",
                &[("Tea: Brewing: it keeps the heat", "why")],
            ),
            (
                "- [brew] rinse the pot\n  - then dry it",
                &[("Tea: rinse the pot", "brew"), ("then dry it", "")],
            ),
            (
                "- plain item with #tag",
                &[("Tea: plain item with #tag", "tag")],
            ),
            (
                "Grown on #hills/north, and #1 there.",
                &[("Tea: Grown on #hills/north, and #1 there.", "hills/north")],
            ),
            (
                "- issue #12 is open\n- C# is a language\n- `#x` and #!x",
                &[
                    ("issue #12 is open", ""),
                    ("C# is a language", ""),
                    ("`#x` and #!x", ""),
                ],
            ),
            (
                "- [docs](a.md) are here\n- [[Pot]] is a link\n- [-] dropped",
                &[
                    ("[docs](a.md) are here", ""),
                    ("[[Pot]] is a link", ""),
                    ("[-] dropped", ""),
                ],
            ),
        ] {
            let rows = rows(body);
            let rows: Vec<(&str, &str)> = rows.iter().map(|(a, b)| (&**a, &**b)).collect();
            assert_eq!(rows, expected, "{body}");
        }
    }

    #[test]
    fn front_matter_has_its_tags_on_one_line_or_on_several() {
        for tags in [
            "[a, \"b c\"]",
            "a, b c",
            "\n  - a\n  - 'b c'\ntype: note",
            "\n- a\n- b c",
        ] {
            let note = format!("---\npermalink: x\ntags: {tags}\n---\nA text.\n");
            let import = read(&note).unwrap();
            let Operation::Add(new) = &import.records[0].operation else {
                panic!("{note}");
            };
            assert_eq!(new.tags, ["a", "b c"], "{note}");
        }
    }

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
