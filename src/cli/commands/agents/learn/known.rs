//! The known lessons about a command before it runs: printed on stderr within a moment. The command runs in any case.

use std::time::Duration;

use serde_json::Value;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::record::{Names, place};
use super::{hint, line};
use crate::args::learn::LearnArgs;
use crate::session::Session;
use hindlore::lessons::{KnownLessons, LessonCall, LessonRequest};
use hindlore_api::problem::Problem;
use hindlore_api::responses::lesson_answers::RetrievedLessonsResponse;
use hindlore_domain::lesson::retrieval::query::RankingMode;

/// How long the start of a command is held up.
const PATIENCE: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });
/// How much of that is spent on a lock.
const BUSY: Duration = Duration::from_millis(500);

/// Prints the known lessons. Within `--run` it is a use like any other. A store that does not answer is no reason to
/// stop: the end of the command reports its fault.
pub(super) async fn say(session: &Session, args: &LearnArgs, names: &Names) {
    let Ok(key) = session.key() else {
        return;
    };
    let (tenant, learner) = (key.tenant().to_owned(), key.learner().to_owned());
    let mut request = request(args, names);
    request.scope = Some(key.scope().to_owned());
    let aside = session.aside(BUSY);
    let runtime = Handle::current();
    let working = tokio::task::spawn_blocking(move || {
        runtime.block_on(async {
            let opened = aside.lessons_there(&tenant, &learner)?;
            let engine = &opened.engine;
            let known = engine.retrieve_lessons(&opened.owner, request).await?;
            aside.settle().await;
            Ok::<RetrievedLessonsResponse, Problem>(known.into())
        })
    });
    if let Ok(Ok(Ok(known))) = timeout(PATIENCE, working).await {
        hint::before(&known, &session.voice());
    }
}

fn request(args: &LearnArgs, names: &Names) -> LessonRequest {
    LessonRequest {
        run: args.run.is_some().then(|| names.run.clone()),
        call: LessonCall::BeforeAction {
            action: Value::from(line::written(&args.command)),
            known: KnownLessons::default(),
        },
        text: String::new(),
        tags: Vec::new(),
        place: place(args),
        max_results: None,
        mode: RankingMode::Direct,
        exact_only: false,
        fit: None,
        scope: None,
    }
}
