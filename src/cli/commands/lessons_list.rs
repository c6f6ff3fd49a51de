//! Command `lessons list`: the lessons of a learner, newest first.

use serde::Serialize;

use super::CommandResult;
use crate::api::responses::lessons::LessonResponse;
use crate::cli::args::lessons::LessonListArgs;
use crate::cli::output::{Outcome, lessons};
use crate::cli::session::Session;
use crate::store::lessons::reading::LessonPage;

#[derive(Serialize)]
struct Shown {
    lessons: Vec<LessonResponse>,
    /// There are more than were asked for.
    more: bool,
}

/// Lists lessons.
pub(crate) async fn run(session: &Session, args: LessonListArgs) -> CommandResult {
    let page = LessonPage {
        status: args.status.map(Into::into),
        after: None,
        limit: args.limit,
    };
    let opened = session.open_lessons_there()?;
    let work = opened.engine.lessons(&opened.owner, page);
    let listed = session.wait("listing", work).await?;
    let shown = Shown {
        more: listed.next.is_some(),
        lessons: listed.rows.iter().map(LessonResponse::from).collect(),
    };
    session
        .output
        .show(&shown, |page| lessons::table(page, &shown.lessons))?;
    Ok(Outcome::found(!shown.lessons.is_empty()))
}
