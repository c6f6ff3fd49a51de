//! Command `feedback`: what became of the bullets that a retrieval returned.

use super::CommandResult;
use crate::api::problem::Problem;
use crate::api::responses::FeedbackResponse;
use crate::cli::args::retrieve::FeedbackArgs;
use crate::cli::output::words::plural;
use crate::cli::output::{Outcome, Tone, receipts};
use crate::cli::session::{OpenMemory, Session};
use crate::domain::memory::bullet::BulletId;
use crate::engine::{EngineError, Feedback, Verdict};

/// Digits of the largest place of an answer; a longer number is another program's id.
const PLACE_DIGITS: usize = 4;

/// Gives feedback.
pub(crate) async fn run(session: &Session, args: FeedbackArgs) -> CommandResult {
    if lists(&args).iter().all(|(_, ids)| ids.is_empty()) {
        return Err(Problem::new("invalid_request", "the feedback names no bullet")
            .with_hint("name bullets with --used, --helped, --harmed or --ignored: ids, or numbers of the answer"));
    }
    let memory = session.open_there()?;
    let retrieval = memory.retrieval_id(&args.retrieval).await?;
    let verdicts = verdicts(&memory, &retrieval, &args).await?;
    let feedback = Feedback {
        retrieval: retrieval.clone(),
        verdicts,
        author: session.typed_author(),
    };
    let work = memory.engine.give_feedback(&memory.key, feedback);
    let given = session.wait("giving feedback", work).await?;
    let shown = FeedbackResponse::of(retrieval, given);
    session.output.show(&shown, |page| {
        let marked = plural(shown.marked, "bullet");
        page.line(Tone::Good, format_args!("marked {marked}"));
        for delta in &shown.deltas {
            receipts::applied(page, delta);
        }
    })?;
    Ok(Outcome::Done)
}

fn lists(args: &FeedbackArgs) -> [(Verdict, &Vec<String>); 4] {
    [
        (Verdict::Used, &args.used),
        (Verdict::Helped, &args.helped),
        (Verdict::Harmed, &args.harmed),
        (Verdict::Ignored, &args.ignored),
    ]
}

/// The verdicts by our own ids; places in the answer and another program's ids are looked up.
async fn verdicts(
    memory: &OpenMemory,
    retrieval: &str,
    args: &FeedbackArgs,
) -> Result<Vec<(BulletId, Verdict)>, Problem> {
    let mut verdicts = Vec::new();
    for (verdict, ids) in lists(args) {
        for id in ids {
            let bullet = match (id.parse(), place(id)) {
                (Ok(bullet), _) => bullet,
                (_, Some(place)) => at(memory, retrieval, place).await?,
                (Err(_), None) => {
                    let id = memory.bullet_id(id).await?;
                    memory.engine.bullet(&memory.key, &id).await?.bullet.id
                }
            };
            verdicts.push((bullet, verdict));
        }
    }
    Ok(verdicts)
}

/// The number of a bullet in an answer, from 1.
fn place(id: &str) -> Option<usize> {
    let place = id.parse().ok().filter(|place| *place > 0);
    place.filter(|_| id.len() <= PLACE_DIGITS)
}

/// The bullet at a place of an answer.
async fn at(memory: &OpenMemory, retrieval: &str, place: usize) -> Result<BulletId, Problem> {
    let found = memory
        .engine
        .store()
        .retrieval(&memory.key, retrieval)
        .await?;
    let found = found.ok_or_else(|| EngineError::NoRetrieval(retrieval.to_owned()))?;
    let bullet = found.returned.get(place - 1).map(|one| one.bullet);
    bullet.ok_or_else(|| {
        let message = format!(
            "the retrieval `{retrieval}` returned {}, so there is no number {place}",
            plural(found.returned.len(), "bullet")
        );
        Problem::new("no_bullet", message).with_hint("count from 1, or name a bullet by its id")
    })
}
