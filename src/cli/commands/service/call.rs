//! Command `call`: any verb by name, JSON in and JSON out.
//!
//! It reaches the whole catalogue without a command line per verb; programs get the same answer as on every
//! surface.

use std::path::Path;

use serde_json::Value;

use crate::args::call::CallArgs;
use crate::commands::{CommandResult, intake_for};
use crate::output::Outcome;
use crate::session::Session;
use crate::{confirm, input};
use hindlore_api::catalog::{self, Registered};
use hindlore_api::problem::Problem;
use hindlore_api::responses::catalog::{SchemasResponse, VerbRow, VerbsResponse};
use hindlore_api::verb::Effect;

/// Calls a verb, or lists verbs and schemas.
pub(crate) async fn run(session: &Session, args: CallArgs) -> CommandResult {
    let Some(name) = &args.name else {
        return list(session);
    };
    let verb = catalog::find(name)?;
    if args.schema {
        return schema(session, verb);
    }
    let request = request(&args.request).await?;
    if verb.effect == Effect::Destroys {
        let question = format!("{}: this cannot be undone", verb.title());
        confirm::ask(question, args.yes).await?;
    }
    intake_for(session, verb).await;
    let access = session.access_for(verb).await?;
    let answer = session
        .wait("calling the verb", verb.call(access, request))
        .await?;
    print(session, &answer.value())?;
    Outcome::from_answer(answer)
}

/// The typed request, or the contents of a file or stdin.
async fn request(typed: &str) -> Result<Value, Problem> {
    let text = match typed.strip_prefix('@') {
        Some(path) => input::text(Path::new(path)).await?,
        None if typed == "-" => input::text(Path::new("-")).await?,
        None => typed.to_owned(),
    };
    catalog::parse(&text)
}

fn print(session: &Session, answer: &Value) -> Result<(), Problem> {
    session.output.raw(format!("{answer}\n").as_bytes())
}

fn list(session: &Session) -> CommandResult {
    let verbs = catalog::all();
    let about = |verb: &Registered| VerbRow {
        name: verb.name,
        title: verb.title(),
        subject: verb.subject,
        effect: verb.effect,
        idempotent: verb.idempotent,
    };
    let shown = VerbsResponse {
        verbs: verbs.iter().map(about).collect(),
    };
    let row = |verb: &Registered| {
        vec![
            verb.name.to_owned(),
            word(&verb.subject),
            word(&verb.effect),
            verb.title(),
        ]
    };
    session.output.show(&shown, |page| {
        let rows: Vec<Vec<String>> = verbs.iter().map(row).collect();
        page.table(&["VERB", "ABOUT", "EFFECT", "EFFECT IN WORDS"], &rows);
    })?;
    Ok(Outcome::Done)
}

/// The JSON name of an enum value.
fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

fn schema(session: &Session, verb: &Registered) -> CommandResult {
    let shown = SchemasResponse {
        name: verb.name,
        request: verb.request().clone(),
        answer: verb.answer(),
    };
    if session.output.is_json() {
        session.output.show(&shown, |_| {})?;
    } else {
        let text = serde_json::to_string_pretty(&shown).unwrap_or_default();
        session.output.raw(format!("{text}\n").as_bytes())?;
    }
    Ok(Outcome::Done)
}
