//! Commands `key`: the API keys of a tenant.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::responses::keys::{KeyMadeResponse, KeyResponse};
use hindlore_api::verbs::keys::{CreateKey, ListKeys, RevokeKey, RotateKey};

pub(crate) const CREATE: Form = Form::new("key.create", &[("name", Typed::Word("NAME"))])
    .with_after_help(
        "A server admits the holder that sends `Authorization: Bearer TOKEN`. `serve --require-keys` requires one.",
    );
pub(crate) const LIST: Form = Form::new("key.list", &[]);
pub(crate) const REVOKE: Form = Form::new("key.revoke", &[("name", Typed::Word("NAME"))]);
pub(crate) const ROTATE: Form = Form::new("key.rotate", &[("name", Typed::Word("NAME"))]);

/// Makes a key.
pub(crate) async fn create(session: &Session, request: Request) -> CommandResult {
    let made = session.answer::<CreateKey>("making a key", request).await?;
    session.output.show(&made, |page| shown_once(page, &made))?;
    Ok(Outcome::Done)
}

/// Replaces a key.
pub(crate) async fn rotate(session: &Session, request: Request) -> CommandResult {
    let made = session.answer::<RotateKey>("making a key", request).await?;
    session.output.show(&made, |page| shown_once(page, &made))?;
    Ok(Outcome::Done)
}

fn shown_once(page: &mut Page, made: &KeyMadeResponse) {
    page.line(Tone::Plain, &made.token);
    page.gap();
    page.line(
        Tone::Faint,
        "it is not shown again; the store keeps its hash",
    );
    page.field("name", &made.key.name);
    page.field("lets in to", reach(&made.key));
    page.field("rights", made.key.rights);
    if let Some(expires) = &made.key.expires_at {
        page.field("expires", expires);
    }
}

/// Lists keys.
pub(crate) async fn list(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ListKeys>("reading", request).await?;
    session.output.show(&shown, |page| {
        let row = |key: &KeyResponse| {
            vec![
                key.name.clone(),
                key.key_id.clone(),
                reach(key),
                key.rights.to_string(),
                state(key),
            ]
        };
        let rows: Vec<Vec<String>> = shown.keys.iter().map(row).collect();
        page.table(&["NAME", "ID", "LETS IN TO", "RIGHTS", "STATE"], &rows);
    })?;
    Ok(Outcome::found(!shown.keys.is_empty()))
}

/// Ends a key.
pub(crate) async fn revoke(session: &Session, request: Request) -> CommandResult {
    let ended = session.answer::<RevokeKey>("ending a key", request).await?;
    session.output.show(&ended, |page| {
        page.line(
            Tone::Good,
            format_args!("the key {} is revoked", ended.name),
        );
    })?;
    Ok(Outcome::Done)
}

fn reach(key: &KeyResponse) -> String {
    match &key.only_learner {
        Some(learner) => format!("learner {learner}"),
        None => "the tenant".to_owned(),
    }
}

fn state(key: &KeyResponse) -> String {
    match (key.revoked_at, key.expires_at) {
        (Some(at), _) => format!("revoked {at}"),
        (None, Some(at)) if !key.in_use => format!("expired {at}"),
        (None, Some(at)) => format!("until {at}"),
        (None, None) => "in use".to_owned(),
    }
}
