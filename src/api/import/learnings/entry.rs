//! The entries of a `.learnings` file, cut at their headings.

use super::super::moment::moment_in;
use hindlore_primitives::timestamp::Timestamp;

/// Names of a cure, the best first.
const CURES: [&str; 6] = [
    "suggested fix",
    "suggested action",
    "resolution",
    "workaround",
    "fix",
    "solution",
];

/// Fields without content of their own, or read elsewhere.
const ABOUT: [&str; 14] = [
    "reproducible",
    "source",
    "pattern-key",
    "recurrence-count",
    "first-seen",
    "last-seen",
    "logged",
    "priority",
    "status",
    "area",
    "metadata",
    "summary",
    "error",
    "tags",
];

/// One entry as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Written {
    /// Line of its heading, from 1.
    pub(super) line: u64,
    /// Its heading without id and date.
    pub(super) title: Option<String>,
    /// Heading above it.
    pub(super) section: Option<String>,
    /// Its parts by name, in order; the name of the text below the heading is empty.
    parts: Vec<(String, String)>,
}

/// Cuts a text into entries.
pub(super) fn entries(text: &str) -> Vec<Written> {
    let mut all: Vec<Written> = Vec::new();
    let (mut section, mut fence) = (None, None);
    for (line, written) in (1..).zip(text.lines()) {
        let mark = fence_of(written);
        if fence.is_some() || mark.is_some() {
            fence = match (fence, mark) {
                (Some(open), Some(mark)) if mark == open => None,
                (Some(open), _) => Some(open),
                (None, mark) => mark,
            };
            // The fence of a quoted error is no part of it.
            if mark.is_none() {
                push_line(&mut all, written);
            }
            continue;
        }
        if let Some(title) = written.strip_prefix("# ") {
            section = Some(title.trim().to_owned());
        } else if let Some(heading) = written.strip_prefix("## ") {
            all.push(Written {
                line,
                title: title_of(heading),
                section: section.clone(),
                parts: vec![(String::new(), String::new())],
            });
        } else if let Some(name) = written.strip_prefix("### ") {
            if let Some(entry) = all.last_mut() {
                entry
                    .parts
                    .push((name.trim().trim_end_matches(':').to_owned(), String::new()));
            }
        } else if !is_rule(written) {
            push_line(&mut all, written);
        }
    }
    all
}

fn fence_of(line: &str) -> Option<&'static str> {
    let line = line.trim_start();
    ["```", "~~~"]
        .into_iter()
        .find(|fence| line.starts_with(fence))
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.chars().all(|c| c == '-' || c == '*' || c == '_')
}

/// Adds a line to the last entry; a field that is written in a line is a part of its own.
fn push_line(all: &mut [Written], line: &str) {
    let Some(entry) = all.last_mut() else {
        return;
    };
    let is_in_metadata = entry
        .parts
        .last()
        .is_some_and(|(name, _)| name.eq_ignore_ascii_case("metadata"));
    let is_at_top = entry.parts.last().is_some_and(|(name, _)| name.is_empty());
    if (is_in_metadata || is_at_top)
        && let Some((name, value)) = field(line)
    {
        let at = entry.parts.len() - 1;
        return entry.parts.insert(at, (name.to_owned(), value.to_owned()));
    }
    if let Some((_, text)) = entry.parts.last_mut() {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(line.trim_end());
    }
}

/// `**Name**: value` or `- Name: value`.
fn field(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let inner = line.strip_prefix("- ").unwrap_or(line);
    let (name, value) = inner.split_once(':')?;
    let bare = name.trim_matches('*').trim();
    let is_marked = inner.len() < line.len() || name.starts_with("**");
    let is_name = !bare.is_empty()
        && bare.split_whitespace().count() <= 3
        && bare
            .chars()
            .all(|c| c.is_alphanumeric() || " -_".contains(c));
    let value = value.trim().trim_start_matches("**").trim();
    (is_marked && is_name && !value.is_empty()).then_some((bare, value))
}

/// True for an id such as `ERR-20260102-001`.
pub(super) fn is_id(id: &str) -> bool {
    let mut parts = id.split('-');
    let letters = parts.next().unwrap_or_default();
    let is_word =
        (2..=6).contains(&letters.len()) && letters.bytes().all(|b| b.is_ascii_uppercase());
    let rest: Vec<&str> = parts.collect();
    let is_numbered = rest
        .first()
        .is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    let is_plain = |part: &&str| part.chars().all(|c| c.is_ascii_alphanumeric());
    is_word && is_numbered && rest.len() <= 3 && rest.iter().all(is_plain)
}

/// A heading without id and date; a name of one word is read as words.
fn title_of(heading: &str) -> Option<String> {
    let mut title = heading.trim();
    if let Some((id, rest)) = title
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        && is_id(id)
    {
        title = rest.trim();
    }
    let is_date = |c: char| c.is_ascii_digit() || "-/:. T".contains(c);
    let undated = title.trim_start_matches(is_date);
    if title.len() - undated.len() >= 8 {
        title = undated.trim_start_matches(['–', '—', ' ']);
    }
    let words = if title.contains(' ') {
        title.to_owned()
    } else {
        title.replace(['_', '-'], " ")
    };
    (!words.trim().is_empty()).then(|| words.trim().to_owned())
}

impl Written {
    /// A part by its name, if it is not empty.
    pub(super) fn part(&self, name: &str) -> Option<&str> {
        let found = self
            .parts
            .iter()
            .find(|(one, _)| one.eq_ignore_ascii_case(name));
        found
            .map(|(_, text)| text.trim())
            .filter(|text| !text.is_empty())
    }

    /// Its remedy.
    pub(super) fn cure(&self) -> Option<&str> {
        CURES.iter().find_map(|name| self.part(name))
    }

    /// True if it reports an error.
    pub(super) fn is_error(&self) -> bool {
        self.part("error").is_some()
    }

    /// The text below the heading that is no field.
    pub(super) fn text(&self) -> Option<&str> {
        self.part("")
    }

    /// The other parts, the cures last.
    pub(super) fn others(&self) -> Vec<(&str, &str)> {
        let is_cure = |name: &str| CURES.iter().any(|one| one.eq_ignore_ascii_case(name));
        let is_about = |name: &str| ABOUT.iter().any(|one| one.eq_ignore_ascii_case(name));
        let parts = self
            .parts
            .iter()
            .map(|(name, text)| (name.as_str(), text.trim()));
        let told: Vec<(&str, &str)> = parts
            .filter(|(name, text)| !name.is_empty() && !text.is_empty() && !is_about(name))
            .collect();
        let is_first = |(name, _): &&(&str, &str)| !is_cure(name);
        let mut ordered: Vec<(&str, &str)> = Vec::new();
        ordered.extend(self.part("error").map(|text| ("Error", text)));
        ordered.extend(told.iter().filter(is_first));
        ordered.extend(told.iter().filter(|one| !is_first(one)));
        ordered
    }

    /// Its tags and its area.
    pub(super) fn tags(&self) -> Vec<String> {
        let tags = self
            .part("tags")
            .into_iter()
            .flat_map(|tags| tags.split(','));
        let area = self.part("area").into_iter();
        let all = tags
            .chain(area)
            .map(|tag| tag.trim().trim_matches(['#', '`', '[', ']']).to_owned());
        all.filter(|tag| !tag.is_empty()).collect()
    }

    /// When it was written down.
    pub(super) fn logged(&self) -> Option<Timestamp> {
        moment_in(self.part("logged")?)
    }
}
