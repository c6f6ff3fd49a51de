//! The answers of the model to each query with the texts of each memory.

use crate::session::Session;
use hindlore_agents::model::Model;
use hindlore_agents::roles::Shown;
use hindlore_agents::roles::generator::{Task, generate};
use hindlore_api::problem::Problem;
use hindlore_api::responses::compared::{ComparedAnswer, ComparedMemory};

/// Lets the model answer, and returns its name. A query without an answer has a reason; the others continue.
///
/// # Errors
/// `no_model` without a model.
pub(super) async fn answered(
    session: &Session,
    rows: &mut [ComparedMemory],
) -> Result<String, Problem> {
    let Some(metered) = session.metered_model()? else {
        return Err(
            Problem::new("no_model", "no model is configured to answer").with_hint(
                "`model check` says how to configure one; without --answers none is needed",
            ),
        );
    };
    let name = metered.name().to_owned();
    let work = async {
        for answer in rows.iter_mut().flat_map(|row| &mut row.answers) {
            answer_one(&metered, answer).await;
        }
        Ok::<(), Problem>(())
    };
    session.wait("answering", work).await?;
    Ok(name)
}

async fn answer_one(model: &dyn Model, answer: &mut ComparedAnswer) {
    let shown = |text: &hindlore_api::responses::compared::ComparedText| Shown {
        id: text.id.clone(),
        content: text.content.clone(),
        section: None,
        votes: (0, 0),
    };
    let shown: Vec<Shown> = answer.results.iter().map(shown).collect();
    let task = Task {
        question: &answer.query,
        context: "",
        shown: &shown,
        reflections: &[],
    };
    match generate(model, task, None).await.answer {
        Ok(generated) => answer.answer = Some(generated.final_answer),
        Err(why) => answer.unanswered = Some(why.to_string()),
    }
}
