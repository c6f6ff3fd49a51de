//! Whose memory a request is about, and who asks: what its head names, else the server's own.

use std::sync::Arc;

use axum::http::HeaderMap;

use super::description::{AS, AUTHOR, SUBJECT};
use super::problem::Routes;
use super::{App, guard, request_id};
use crate::api::access::Access;
use crate::api::audit::Deed;
use crate::api::problem::Problem;
use crate::api::verb::Effect;
use crate::domain::memory::key::MemoryKey;
use crate::domain::sharing::caller::Caller;
use crate::domain::sharing::subject::Principal;

/// The subject and author of a request.
///
/// # Errors
/// `unauthenticated` and `rate_limited` before anything else; then names that cannot be.
pub(super) async fn access(app: &App, headers: &HeaderMap) -> Result<Access, Problem> {
    guard::check(&app.entry, headers)?;
    let holder = app.credentials.holder(&app.engine, headers).await;
    if let (Err(problem), Some(auditor)) = (&holder, &app.auditor) {
        let nobody = Deed {
            holder: None,
            caller: None,
            verb: "",
            effect: Effect::Reads,
            request: request_id::of(headers),
            key: app.key.clone(),
        };
        auditor.note(&nobody, Some(problem.code))?;
    }
    let holder = holder?;
    let own = &app.key;
    let mut names = [own.tenant(), own.learner(), own.scope()];
    if let Some(holder) = &holder {
        names[0] = &holder.tenant;
        names[1] = holder.learner.as_deref().unwrap_or(names[1]);
    }
    for (place, (header, _)) in names.iter_mut().zip(SUBJECT) {
        if let Some(name) = text(headers, header)? {
            *place = name;
        }
    }
    let [tenant, learner, scope] = names;
    let author = text(headers, AUTHOR.0)?.map(str::to_owned);
    let key = MemoryKey::new(tenant, learner, scope)?;
    let caller = match text(headers, AS.0)? {
        None => None,
        Some(named) => {
            let principal: Principal = named.parse().map_err(|reason: String| {
                Problem::new("invalid_principal", reason)
                    .with_hint("name `agent:NAME` or `user:NAME`")
            })?;
            Some(Caller::new(key.tenant(), principal))
        }
    };
    // What the holder of a key changes is not the server's own doing.
    let own = app.author.clone().filter(|_| holder.is_none());
    let author = author.or(own);
    Ok(Access::new(app.engine.clone(), key, Arc::new(Routes))
        .with_agents(app.agents.clone())
        .by(author)
        .held_by(holder.clone())
        .audited(app.auditor.clone())
        .asked_in(request_id::of(headers))
        .calling(caller))
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Result<Option<&'h str>, Problem> {
    // A header without a value names nothing.
    let Some(value) = headers.get(name).filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    // Header values are bytes; names of learners may have any letters.
    std::str::from_utf8(value.as_bytes())
        .map(Some)
        .map_err(|_| {
            Problem::new("invalid_key", format!("the header `{name}` is not UTF-8"))
                .with_hint("send it as UTF-8")
        })
}
