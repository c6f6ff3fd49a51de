//! Ids as people type them: the beginning of one is enough where it is unique, as in git.
//!
//! A beginning is looked up among all ids of its kind, never guessed; one that several have is refused with all
//! that it may mean.

use std::fmt::Display;

use super::session::OpenLessons;
use crate::api::problem::Problem;
use crate::domain::lesson::event::ErrorEvent;
use crate::domain::lesson::ids::{ActivationId, FingerprintId, LessonId};
use crate::store::lessons::PAGE_MAX;
use crate::store::lessons::reading::{ActivationPage, ErrorFilter, ErrorPage, LessonPage};

/// Hex digits of a whole id.
const DIGITS: usize = 20;
/// Ids that an ambiguous beginning is told to have.
const NAMED_MAX: usize = 10;

/// Tells whether a text is the beginning of an id, and not all of it.
fn is_beginning(raw: &str, prefix: &str) -> bool {
    let digits = raw.strip_prefix(prefix);
    digits.is_some_and(|digits| {
        let is_digit = |c: u8| c.is_ascii_digit() || (b'a'..=b'f').contains(&c);
        (1..DIGITS).contains(&digits.len()) && digits.bytes().all(is_digit)
    })
}

/// The one id that begins like this; absent when none does.
fn only<T: Display>(
    what: &str,
    raw: &str,
    ids: impl Iterator<Item = T>,
) -> Result<Option<T>, Problem> {
    let mut found: Vec<T> = ids.filter(|id| id.to_string().starts_with(raw)).collect();
    if found.len() <= 1 {
        return Ok(found.pop());
    }
    let named = found.iter().take(NAMED_MAX);
    let named: Vec<String> = named.map(|id| format!("`{id}`")).collect();
    let beyond = match found.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "`{raw}` is the beginning of {} ids of a {what}: {}{beyond}",
        found.len(),
        named.join(", ")
    );
    Err(Problem::new("ambiguous_id", message).with_hint("type some more of it"))
}

impl OpenLessons {
    /// The id of a lesson that was typed: whole, or its beginning.
    pub(crate) async fn lesson_id(&self, raw: &str) -> Result<LessonId, Problem> {
        if !is_beginning(raw, "l_") {
            return super::session::id("lesson", raw);
        }
        let found = only("lesson", raw, self.lessons().await?.into_iter())?;
        found.ok_or_else(|| nothing("lesson", raw, "`lessons list` shows the ids"))
    }

    /// The id of a use of a lesson that was typed: whole, or its beginning.
    pub(crate) async fn activation_id(&self, raw: &str) -> Result<ActivationId, Problem> {
        if !is_beginning(raw, "a_") {
            return super::session::id("use", raw);
        }
        let mut all = Vec::new();
        for lesson in self.lessons().await? {
            let mut after = None;
            loop {
                let page = ActivationPage {
                    lesson,
                    after,
                    limit: PAGE_MAX,
                };
                let rows = self.engine.store().activations(&self.owner, page).await?;
                let is_last = rows.len() < PAGE_MAX;
                after = rows
                    .last()
                    .map(|row| (row.activation.at, row.activation.id));
                all.extend(rows.into_iter().map(|row| row.activation.id));
                if is_last {
                    break;
                }
            }
        }
        let found = only("use", raw, all.into_iter())?;
        found.ok_or_else(|| nothing("use", raw, "`lessons explain LESSON` shows the ids"))
    }

    /// The fingerprint of an error that was typed: whole, or its beginning.
    pub(crate) async fn fingerprint_id(&self, raw: &str) -> Result<FingerprintId, Problem> {
        if !is_beginning(raw, "fp_") {
            return super::session::id("fingerprint", raw);
        }
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let page = ErrorPage {
                filter: ErrorFilter::All,
                after,
                limit: PAGE_MAX,
            };
            let listed = self.engine.errors(&self.owner, page).await?;
            let both = |one: &ErrorEvent| [one.fingerprints.fine.id, one.fingerprints.coarse.id];
            all.extend(listed.rows.iter().flat_map(both));
            after = listed.next;
            if after.is_none() {
                break;
            }
        }
        all.sort_unstable();
        all.dedup();
        let found = only("fingerprint", raw, all.into_iter())?;
        found.ok_or_else(|| nothing("fingerprint", raw, "`errors list` shows them"))
    }

    async fn lessons(&self) -> Result<Vec<LessonId>, Problem> {
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let page = LessonPage {
                status: None,
                after,
                limit: PAGE_MAX,
            };
            let listed = self.engine.lessons(&self.owner, page).await?;
            all.extend(listed.rows.iter().map(|lesson| lesson.id));
            after = listed.next;
            if after.is_none() {
                return Ok(all);
            }
        }
    }
}

fn nothing(what: &str, raw: &str, hint: &str) -> Problem {
    let code = match what {
        "lesson" => "no_lesson",
        "use" => "no_activation",
        _ => "invalid_id",
    };
    Problem::new(code, format!("no id of a {what} begins with `{raw}`")).with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_is_shorter_than_an_id() {
        for (raw, is) in [
            ("b_6b36", true),
            ("b_", false),
            ("b_6B36", false),
            ("b_0123456789abcdef0123", false),
            ("l_6b36", false),
            ("6b36", false),
        ] {
            assert_eq!(is_beginning(raw, "b_"), is, "{raw}");
        }
    }

    #[test]
    fn a_beginning_that_several_have_is_refused_with_all_of_them() {
        let ids = || ["b_12a", "b_12b", "b_3"].into_iter();
        assert_eq!(only("bullet", "b_3", ids()).unwrap(), Some("b_3"));
        assert_eq!(only("bullet", "b_4", ids()).unwrap(), None);
        let problem = only("bullet", "b_12", ids()).unwrap_err();
        assert_eq!(problem.code, "ambiguous_id");
        assert!(problem.message.contains("`b_12a`, `b_12b`"), "{problem}");
    }
}
