//! Calls: a verb for a client, about the memory that its request means.
//!
//! It runs in a task of its own: a client that hangs up or cancels leaves a change whole.

use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::names::ToolNames;
use crate::api::access::Access;
use crate::api::catalog::{Answer, Registered};
use crate::api::compute::compute;
use crate::api::hint::worded;
use crate::api::problem::Problem;
use crate::api::server::{STEPS_MAX, ToolProfile};

/// Runs verbs.
#[derive(Clone)]
pub(super) struct Calls {
    /// The memory and the caller of a request that names none.
    pub(super) access: Access,
    /// The tools that a client has, by which hints are worded.
    pub(super) profile: ToolProfile,
    /// Time for a verb to answer; one that takes longer continues without its caller.
    pub(super) time: Duration,
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
        let (caller, limits) = (Arc::new(()), (verb.effect, STEPS_MAX));
        let work = compute(&Handle::current(), limits, Arc::downgrade(&caller), call);
        tokio::select! {
            done = tokio::time::timeout(self.time, work) => match done {
                Ok(Ok(answer)) => answer,
                Ok(Err(_)) => Err(
                    Problem::new("internal_error", "the verb ended before it had an answer")
                        .with_hint("this is a fault of the program; report it with your call"),
                ),
                Err(_) => {
                    let message = format!("there was no answer within {} s", self.time.as_secs());
                    Err(Problem::new("answer_late", message)
                        .with_hint("the work continues; send the same request again to get the result"))
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
