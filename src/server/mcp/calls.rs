//! Calls: a verb for a client, about the memory that its request means.
//!
//! It runs in a task of its own: a client that hangs up or cancels leaves a change whole.

use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::names::ToolNames;
use hindlore_api::access::Access;
use hindlore_api::catalog::{Answer, Registered};
use hindlore_api::compute::{compute, late_hint};
use hindlore_api::hint::worded;
use hindlore_api::problem::Problem;
use hindlore_api::server::{ServerLimits, ToolProfile};

/// Runs verbs.
#[derive(Clone)]
pub(super) struct Calls {
    /// The memory and the caller of a request that names none.
    pub(super) access: Access,
    /// The tools that a client has, by which hints are worded.
    pub(super) profile: ToolProfile,
    /// The limits of a request; a change that takes longer than its time continues without its caller.
    pub(super) limits: ServerLimits,
}

impl Calls {
    /// The access of a request: over HTTP its head may choose the memory, and name who asks.
    fn access(&self, request: &RequestContext<RoleServer>) -> Access {
        let head = request.extensions.get::<http::request::Parts>();
        let named = head.and_then(|head| head.extensions.get::<Access>());
        let access = named.unwrap_or(&self.access).clone();
        access.worded(Arc::new(ToolNames(self.profile)))
    }

    /// Runs a verb to its end, waiting at most so long as the caller does.
    pub(super) async fn ran(
        &self,
        verb: &'static Registered,
        fields: Value,
        request: &RequestContext<RoleServer>,
    ) -> Result<Answer, Problem> {
        // On a thread of its own, so that its computation stops no other call.
        let call = verb.call(self.access(request), fields);
        let (caller, limits) = (Arc::new(()), (verb.effect, self.limits.steps));
        let work = compute(&Handle::current(), limits, Arc::downgrade(&caller), call);
        tokio::select! {
            done = tokio::time::timeout(self.limits.time, work) => match done {
                Ok(Ok(answer)) => answer,
                Ok(Err(_)) => Err(
                    Problem::new("internal_error", "the verb ended before it had an answer")
                        .with_hint("this is a fault of the program; report it with your call"),
                ),
                Err(_) => {
                    let message = format!("there was no answer within {} s", self.limits.time.as_secs());
                    Err(Problem::new("answer_late", message)
                        .with_hint(late_hint(verb.effect)))
                }
            },
            () = request.ct.cancelled() => Err(Problem::new("cancelled", "the caller cancelled it")
                .with_hint("the request may have completed; retry it to get the result")),
        }
    }

    /// A problem as a text that a model and a program can read.
    pub(super) fn said(&self, problem: &Problem) -> String {
        let hint = problem.hint.as_deref();
        let hint = hint.map(|hint| worded(hint, &ToolNames(self.profile)));
        json!({"error": {"code": problem.code, "message": problem.message, "hint": hint}})
            .to_string()
    }
}
