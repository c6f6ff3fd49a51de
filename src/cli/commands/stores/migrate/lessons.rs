//! Copies the lessons of learners to another store along with their memories: one transaction per learner,
//! read back from the target before it counts as copied.

use crate::output::{Page, Tone};
use crate::session::Session;
use hindlore::Engine;
use hindlore_api::problem::Problem;
use hindlore_api::responses::migrated::MovedLessons;
use hindlore_domain::lesson::lesson::LearnerId;

/// Copies the lessons of one learner, or of all of a tenant.
pub(super) async fn copy(
    session: &Session,
    source: &Engine,
    target: &Engine,
    tenant: &str,
    learner: Option<&str>,
) -> Result<Vec<MovedLessons>, Problem> {
    let learners = match learner {
        Some(learner) => vec![learner.to_owned()],
        None => source.lesson_learners(tenant).await?,
    };
    let mut moved = Vec::new();
    for learner in learners {
        let owner = LearnerId::new(tenant, &learner)?;
        let work = source.copy_lessons_to(target, &owner);
        let copied = session
            .wait(&format!("copying the lessons of {learner}"), work)
            .await?;
        moved.extend(copied.map(MovedLessons::from));
    }
    Ok(moved)
}

pub(super) fn write(page: &mut Page, moved: &[MovedLessons]) {
    for one in moved {
        let (tenant, learner) = (&one.tenant, &one.learner);
        page.line(Tone::Heading, format_args!("lessons of {tenant}/{learner}"));
        page.field("lessons", one.lessons);
        page.field("runs", one.runs);
        page.field("errors", one.errors);
        let what = if one.skipped {
            "equal; was there already"
        } else {
            "equal"
        };
        page.line(Tone::Good, what);
    }
}
