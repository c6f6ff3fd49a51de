//! The memory and the caller of a request: named in its head, else the server's own.

use std::sync::Arc;

use axum::http::{HeaderMap, header};

use super::description::{AS, AUTHOR, IDEMPOTENCY_KEY, SUBJECT};
use super::problem::Routes;
use super::{App, origin_check, request_id};
use hindlore_api::access::Access;
use hindlore_api::problem::Problem;
use hindlore_api::standing::Standing;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::sharing::api_key::KeyHolder;
use hindlore_domain::sharing::caller::Caller;
use hindlore_domain::sharing::subject::Principal;

/// The access of a request, which counts as one of those that its holder has.
///
/// # Errors
/// `repeated_header`, `unauthenticated` and `rate_limited` before anything else; then names that cannot be, or that the
/// credential does not cover.
pub(super) async fn access(app: &App, headers: &HeaderMap) -> Result<Access, Problem> {
    known(app, headers, true).await
}

/// The subject, looked up again for a request that was counted.
///
/// # Errors
/// As for `access`, but `rate_limited`.
pub(super) async fn access_again(app: &App, headers: &HeaderMap) -> Result<Access, Problem> {
    known(app, headers, false).await
}

async fn known(app: &App, headers: &HeaderMap, is_charged: bool) -> Result<Access, Problem> {
    origin_check::check(&app.entry, headers)?;
    said_once(headers)?;
    let credentials = &app.credentials;
    let holder = credentials.holder(&app.engine, headers, is_charged).await;
    let author = holder.as_ref().ok().and_then(Option::as_ref);
    let author = author.map(|holder| holder.author());
    let access = holder.and_then(|holder| identified(app, headers, holder));
    if let (Err(problem), Some(auditor)) = (&access, &app.auditor) {
        auditor.refused(author.as_deref(), "", problem.code)?;
    }
    access
}

/// The access of a holder, or of the operator, about the memory that the head names.
fn identified(
    app: &App,
    headers: &HeaderMap,
    holder: Option<Arc<KeyHolder>>,
) -> Result<Access, Problem> {
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
    let named = match text(headers, AS.0)? {
        None => None,
        Some(named) => Some(named.parse::<Principal>().map_err(|reason| {
            Problem::new("invalid_principal", reason).with_hint("name `agent:NAME` or `user:NAME`")
        })?),
    };
    let standing = match holder {
        Some(holder) => Standing::holder(holder, named)?,
        // Where a credential is needed, there is a holder.
        None => Standing::operator(named.map(|named| Caller::new(key.tenant(), named))),
    };
    if let Some(claimed) = &author {
        standing.check_author(claimed)?;
    }
    Ok(Access::new(app.engine.clone(), key, Arc::new(Routes))
        .with_agents(app.agents.clone())
        .by(author.or_else(|| app.author.clone()))
        .of(standing)
        .audited(app.auditor.clone())
        .asked_in(request_id::of(headers)))
}

/// Refuses a head that names the caller or the memory twice: another reader of it, such as a proxy, may take the other
/// one.
fn said_once(headers: &HeaderMap) -> Result<(), Problem> {
    let names = SUBJECT.iter().map(|(name, _)| *name);
    let names = names.chain([
        AUTHOR.0,
        AS.0,
        IDEMPOTENCY_KEY.0,
        header::AUTHORIZATION.as_str(),
    ]);
    for name in names {
        if headers.get_all(name).iter().nth(1).is_some() {
            let message = format!("the header `{name}` comes twice");
            return Err(Problem::new("repeated_header", message)
                .with_hint("send it once; nothing was read or changed"));
        }
    }
    Ok(())
}

/// The text of a header; an empty one is as if it were not there.
pub(super) fn text<'h>(headers: &'h HeaderMap, name: &str) -> Result<Option<&'h str>, Problem> {
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
