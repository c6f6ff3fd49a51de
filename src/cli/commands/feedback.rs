//! Command `feedback`: what became of the bullets that a retrieval returned.

use super::CommandResult;
use crate::api::problem::Problem;
use crate::api::shapes::FeedbackShown;
use crate::cli::args::retrieve::FeedbackArgs;
use crate::cli::output::{Outcome, Tone, receipts};
use crate::cli::session::{OpenMemory, Session};
use crate::domain::memory::bullet::BulletId;
use crate::engine::{Feedback, Verdict};

/// Gives feedback.
pub(crate) async fn run(session: &Session, args: FeedbackArgs) -> CommandResult {
    let memory = session.open_there()?;
    let verdicts = verdicts(&memory, &args).await?;
    let feedback = Feedback {
        retrieval: args.retrieval.clone(),
        verdicts,
        author: session.typed_author(),
    };
    let work = memory.engine.give_feedback(&memory.key, feedback);
    let given = session.wait("giving feedback", work).await?;
    let shown = FeedbackShown::of(args.retrieval, given);
    session.output.show(&shown, |page| {
        page.line(Tone::Good, format_args!("marked {} bullets", shown.marked));
        for delta in &shown.deltas {
            receipts::applied(page, delta);
        }
    })?;
    Ok(Outcome::Done)
}

/// The verdicts by our own ids; another program's ids are looked up.
async fn verdicts(
    memory: &OpenMemory,
    args: &FeedbackArgs,
) -> Result<Vec<(BulletId, Verdict)>, Problem> {
    let lists = [
        (Verdict::Used, &args.used),
        (Verdict::Helped, &args.helped),
        (Verdict::Harmed, &args.harmed),
        (Verdict::Ignored, &args.ignored),
    ];
    let mut verdicts = Vec::new();
    for (verdict, ids) in lists {
        for id in ids {
            let bullet = match id.parse() {
                Ok(bullet) => bullet,
                Err(_) => memory.engine.bullet(&memory.key, id).await?.bullet.id,
            };
            verdicts.push((bullet, verdict));
        }
    }
    Ok(verdicts)
}
