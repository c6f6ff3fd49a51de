//! Hints name verbs, fields, and the subject by markers, which each surface replaces by its own words.
//!
//! "`bullets list` shows the ids" does not help an HTTP client. So a hint contains `<verb:bullets.list>`,
//! `<field:lenient>` or `<subject:learner>`, and the surface inserts its command, route, or option.

/// How a surface words the markers of a hint.
pub trait HintFormatter {
    /// A verb, followed by its arguments.
    fn verb(&self, name: &str, behind: &str) -> String;

    /// A field of the request.
    fn field(&self, name: &str) -> String;

    /// A part of the subject: tenant, learner or scope.
    fn subject(&self, part: &str) -> String;
}

/// Names from the catalogue, for surfaces without their own words.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl HintFormatter for Plain {
    fn verb(&self, name: &str, behind: &str) -> String {
        format!("`{name}{behind}`")
    }

    fn field(&self, name: &str) -> String {
        format!("`{name}`")
    }

    fn subject(&self, part: &str) -> String {
        format!("the {part}")
    }
}

/// Words a hint for a surface.
pub fn worded(hint: &str, voice: &dyn HintFormatter) -> String {
    let mut said = String::with_capacity(hint.len());
    let mut rest = hint;
    while let Some(at) = rest.find('<') {
        let (before, marked) = rest.split_at(at);
        said.push_str(before);
        match marker(marked, voice) {
            Some((words, behind)) => {
                said.push_str(&words);
                rest = behind;
            }
            None => {
                said.push('<');
                rest = &marked[1..];
            }
        }
    }
    said.push_str(rest);
    said
}

/// The words for a marker, and the text after it.
fn marker<'h>(marked: &'h str, voice: &dyn HintFormatter) -> Option<(String, &'h str)> {
    let (inner, behind) = marked.strip_prefix('<')?.split_once('>')?;
    let (sort, name) = inner.split_once(':')?;
    let words = match sort {
        "verb" => {
            let end = name.find(' ').unwrap_or(name.len());
            voice.verb(&name[..end], &name[end..])
        }
        "field" => voice.field(name),
        "subject" => voice.subject(name),
        _ => return None,
    };
    Some((words, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_becomes_the_words_of_the_surface_and_all_else_stays() {
        for (hint, said) in [
            (
                "<verb:bullets.list> shows the ids",
                "`bullets.list` shows the ids",
            ),
            (
                "raise it with <verb:policy.set max_bullets=N>",
                "raise it with `policy.set max_bullets=N`",
            ),
            ("check <subject:learner>", "check the learner"),
            ("or set <field:force>", "or set `force`"),
            (
                "a < b, <unknown:x> and <verb",
                "a < b, <unknown:x> and <verb",
            ),
        ] {
            assert_eq!(worded(hint, &Plain), said);
        }
    }
}
