//! Ids of lessons, of their uses and of errors as people type them: whole, or a beginning that is unique.

use super::session::OpenLessons;
use crate::api::problem::Problem;
use crate::domain::lesson::event::ErrorEvent;
use crate::domain::lesson::ids::{ActivationId, FingerprintId, LessonId};
use crate::engine::id_beginning::{is_beginning, only};
use crate::store::lessons::PAGE_MAX;
use crate::store::lessons::reading::{ActivationPage, ErrorFilter, ErrorPage, LessonPage};

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
