//! Skills: for each section a folder with a `SKILL.md` that agents load when they need it.
//!
//! The name obeys the rules of Agent Skills: 1 to 64 lower-case letters, digits and single hyphens, equal to the name
//! of the folder; the description has 1 to 1,024 characters and no markup.

use std::collections::HashSet;

use super::markdown::item;
use super::strong::{Group, one_line};

/// The line that marks a skill as ours.
pub const MADE_BY: &str = "  generator: hindlore";

/// Maximum characters of a name, with room for a number.
const NAME_MAX: usize = 56;
/// Maximum characters of the heading in a description.
const SUBJECT_MAX: usize = 200;
/// Maximum texts of one skill: an agent loads all of it at once.
const TEXTS_MAX: usize = 100;

/// Words that a name must not have.
const RESERVED: [&str; 2] = ["anthropic", "claude"];

/// A file of an export.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its path below the folder, with `/`.
    pub path: String,
    /// Its contents.
    pub text: String,
}

/// Writes a skill for each group; a large group becomes several.
pub(super) fn skills(groups: &[Group]) -> Vec<File> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut files = Vec::new();
    for group in groups {
        let subject = group.heading.as_deref().map(one_line).unwrap_or_default();
        for texts in group.texts.chunks(TEXTS_MAX) {
            let name = free_name(&base_name(&subject, group.is_learned), &mut taken);
            files.push(File {
                path: format!("{name}/SKILL.md"),
                text: written(&name, &subject, group.is_learned, texts),
            });
        }
    }
    files
}

fn written(name: &str, subject: &str, is_learned: bool, texts: &[String]) -> String {
    let bare: String = subject
        .chars()
        .filter(|c| !"<>".contains(*c))
        .take(SUBJECT_MAX)
        .collect();
    let about = if bare.trim().is_empty() {
        "this project"
    } else {
        bare.trim()
    };
    let description = if is_learned {
        format!(
            "Lessons from earlier failures with {about}. Use before acting with {about}, or when it fails."
        )
    } else {
        format!(
            "Notes about {about} from people and from earlier work. Use when a task touches {about}."
        )
    };
    let title = if subject.is_empty() { "Notes" } else { subject };
    let list: String = texts.iter().map(|text| item(text)).collect();
    // A JSON string is a YAML string as well, with any characters in it.
    let description = serde_json::Value::String(description);
    format!(
        "---\nname: {name}\ndescription: {description}\nmetadata:\n{MADE_BY}\n---\n\n# {title}\n\n{list}"
    )
}

/// Returns a valid name for a heading, without a number.
fn base_name(subject: &str, is_learned: bool) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in subject.split(|c: char| !c.is_ascii_alphanumeric()) {
        let word = word.to_ascii_lowercase();
        if !word.is_empty() && !RESERVED.iter().any(|reserved| word.contains(reserved)) {
            words.push(word);
        }
    }
    let lead = if is_learned { "lessons" } else { "notes" };
    words.insert(0, lead.to_owned());
    let mut name = words.join("-");
    name.truncate(NAME_MAX);
    name.trim_end_matches('-').to_owned()
}

fn free_name(base: &str, taken: &mut HashSet<String>) -> String {
    let mut number = 1_u64;
    loop {
        let name = if number == 1 {
            base.to_owned()
        } else {
            format!("{base}-{number}")
        };
        if taken.insert(name.clone()) {
            return name;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(heading: Option<&str>, count: usize) -> Group {
        Group {
            heading: heading.map(str::to_owned),
            texts: (0..count).map(|number| format!("text {number}")).collect(),
            is_learned: false,
        }
    }

    #[test]
    fn every_heading_becomes_a_valid_skill() {
        let long = "long ".repeat(80);
        let headings = [
            None,
            Some("Build & Release"),
            Some("build release"),
            Some("猫"),
            Some("Claude <b>: \"quoted\"\\"),
            Some(long.as_str()),
            Some("- --"),
        ];
        let groups: Vec<Group> = headings
            .into_iter()
            .map(|heading| group(heading, 1))
            .collect();
        let files = skills(&groups);
        assert_eq!(files.len(), headings.len());
        let mut names = HashSet::new();
        for file in &files {
            let name = file.path.strip_suffix("/SKILL.md").unwrap();
            assert!(names.insert(name.to_owned()), "{name}");
            assert!(
                (1..=64).contains(&name.len()) && !name.contains("--"),
                "{name}"
            );
            assert!(!name.starts_with('-') && !name.ends_with('-'), "{name}");
            assert!(!RESERVED.iter().any(|word| name.contains(word)), "{name}");
            let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(name.chars().all(allowed), "{name}");
            let lines: Vec<&str> = file.text.lines().collect();
            assert_eq!(
                (lines[0], lines[1]),
                ("---", format!("name: {name}").as_str())
            );
            let description = lines[2].strip_prefix("description: ").unwrap();
            let description: String = serde_json::from_str(description).unwrap();
            let length = description.chars().count();
            assert!((1..=1_024).contains(&length) && !description.contains(['<', '>']));
            assert_eq!(lines[3..6], ["metadata:", MADE_BY, "---"]);
        }
    }

    #[test]
    fn a_large_group_becomes_several_skills() {
        let files = skills(&[group(Some("Build"), 2 * TEXTS_MAX + 1)]);
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let expected = ["notes-build", "notes-build-2", "notes-build-3"];
        assert_eq!(paths, expected.map(|name| format!("{name}/SKILL.md")));
    }
}
