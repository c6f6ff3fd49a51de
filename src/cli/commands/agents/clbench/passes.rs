//! `clbench grade` and `clbench errors`: by a model where there is one, else by rules.

use super::pass::{Pass, rows};
use crate::args::clbench::PassArgs;
use crate::commands::CommandResult;
use crate::commands::agents::agent::note_no_model;
use crate::session::Session;
use hindlore_agents::agent::clbench::Row;
use hindlore_agents::agent::clbench::grade::{self, Grade};
use hindlore_agents::agent::clbench::labels::{self, Label, Unmet, is_refusal};
use hindlore_agents::model::Metered;
use hindlore_api::problem::Problem;

/// The failure of a row that cannot be labelled yet.
const UNGRADED: &str = "the row is not graded; run `clbench grade` first";

/// Judges answers.
pub(super) async fn grade(session: &Session, args: PassArgs) -> CommandResult {
    let all = rows(&args.file).await?;
    let mut pass = Pass::begin(&args.out, all.len()).await?;
    let model = session.metered_model()?;
    for row in &all {
        if pass.done(row).is_some_and(|done| done.score.is_some()) {
            continue;
        }
        if row.model_output.is_none() {
            let error = Some("there is no answer to judge".to_owned());
            pass.take(Row {
                error,
                ..row.clone()
            })?;
            continue;
        }
        let graded = match (grade::of_nothing(row), &model) {
            (Some(nothing), _) => with_grade(row, nothing),
            (None, Some(model)) => {
                let asked = session
                    .wait::<_, Problem>("judging", async { Ok(grade::by_model(model, row).await) })
                    .await?;
                match asked.answer {
                    Ok(grade) => with_grade(row, grade),
                    Err(why) => Row {
                        error: Some(why.to_string()),
                        ..row.clone()
                    },
                }
            }
            (None, None) => match grade::by_rules(row) {
                Some(grade) => with_grade(row, grade),
                None => {
                    pass.tally.undecided += 1;
                    row.clone()
                }
            },
        };
        pass.take(graded)?;
    }
    note_no_model(session);
    pass.end(session)
}

/// The score is that of the list, regardless of the judge's own.
fn with_grade(row: &Row, grade: Grade) -> Row {
    Row {
        error: None,
        score: Some(grade.derived()),
        judge_score: grade.score,
        grading_rationale: Some(grade.rationale),
        requirement_status: Some(grade.status),
        ..row.clone()
    }
}

/// Labels the requirements that are not met.
pub(super) async fn errors(session: &Session, args: PassArgs) -> CommandResult {
    let all = rows(&args.file).await?;
    let mut pass = Pass::begin(&args.out, all.len()).await?;
    let model = session.metered_model()?;
    for row in &all {
        if pass.done(row).is_some() {
            continue;
        }
        let work = async { Ok::<_, Problem>(labelled(row, model.as_ref()).await) };
        let labelled = session.wait("labelling", work).await?;
        pass.take(labelled)?;
    }
    note_no_model(session);
    pass.end(session)
}

async fn labelled(row: &Row, model: Option<&Metered>) -> Row {
    let mut done = Row {
        error: None,
        ..row.clone()
    };
    match row.score {
        Some(0) => {}
        Some(_) => return done,
        None => {
            done.error = Some(UNGRADED.to_owned());
            return done;
        }
    }
    let answer = row.model_output.as_deref().unwrap_or_default();
    if is_refusal(answer) {
        done.error_labels
            .insert("row".to_owned(), vec![Label::Refusal]);
    }
    if answer.trim().is_empty() {
        return done;
    }
    let context = row.prompt();
    let status = row.requirement_status.clone().unwrap_or_default();
    let unmet = row
        .rubrics
        .iter()
        .zip(status)
        .enumerate()
        .filter(|(_, (_, met))| !met);
    for (place, (rubric, _)) in unmet {
        let found = match model {
            Some(model) => {
                let unmet = Unmet {
                    context: &context,
                    answer,
                    rubric: rubric.text(),
                    rationale: row.grading_rationale.as_deref().unwrap_or_default(),
                };
                match labels::by_model(model, unmet).await.answer {
                    Ok(labels) => labels.0,
                    Err(why) => {
                        return Row {
                            error: Some(format!("requirement {place}: {why}")),
                            ..row.clone()
                        };
                    }
                }
            }
            None => labels::by_rules(rubric.text(), answer),
        };
        done.error_labels.insert(place.to_string(), found);
    }
    done
}
