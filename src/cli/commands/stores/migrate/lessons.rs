//! Copies the lessons of learners to another store along with their memories: one transaction per learner,
//! read back from the target before it counts as copied.

use super::parts::{EXISTS, Opened, outcome};
use crate::args::migrate::Existing;
use crate::output::{Page, Tone};
use crate::session::Session;
use hindlore_api::problem::Problem;
use hindlore_api::responses::migrated::{Move, MovedLessons};
use hindlore_domain::lesson::lesson::LearnerId;

/// Copies the lessons of one learner, or of all of a tenant.
pub(super) async fn copy(
    session: &Session,
    stores: &Opened,
    tenant: &str,
    learner: Option<&str>,
) -> Result<Vec<MovedLessons>, Problem> {
    let learners = match learner {
        Some(learner) => vec![learner.to_owned()],
        None => stores.source.learners(tenant).await?.into_iter().collect(),
    };
    let mut moved = Vec::new();
    for learner in learners {
        let owner = LearnerId::new(tenant, &learner)?;
        let work = stores.source.copy_lessons_to(&stores.target, &owner);
        let what = format!("copying the lessons of {learner}");
        match session.wait(&what, work).await {
            Ok(copied) => moved.extend(copied.map(MovedLessons::from)),
            Err(problem) if problem.code == EXISTS => {
                // The verdicts of one history would rest on runs of the other, so lessons are never mixed.
                let outcome = match stores.existing {
                    Existing::Refuse => Move::Refused,
                    Existing::Skip | Existing::Merge => Move::Skipped,
                };
                moved.push(MovedLessons::left(&owner, outcome, problem.message));
            }
            Err(problem) => return Err(problem),
        }
    }
    Ok(moved)
}

pub(super) fn write(page: &mut Page, moved: &[MovedLessons]) {
    for one in moved {
        let (tenant, learner) = (&one.tenant, &one.learner);
        page.line(Tone::Heading, format_args!("lessons of {tenant}/{learner}"));
        let counts = [
            ("lessons", one.lessons),
            ("runs", one.runs),
            ("errors", one.errors),
            ("records", one.records),
        ];
        for (name, count) in counts {
            if let Some(count) = count {
                page.field(name, count);
            }
        }
        outcome(page, one.outcome, one.reason.as_deref());
    }
}
