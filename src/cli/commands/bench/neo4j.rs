//! Command `bench neo4j`: on the server that the store names.

use crate::api::problem::Problem;
use crate::cli::args::bench::Neo4jBenchArgs;
use crate::cli::session::Session;
use crate::eval::Report;

/// Measures on the server that --store or NEO4J_URI names.
#[cfg(feature = "neo4j")]
pub(super) async fn measure(session: &Session, args: Neo4jBenchArgs) -> Result<Report, Problem> {
    use super::say;
    use crate::eval::neo4j::{Plan, run};
    let mut plan = if args.quick {
        Plan::quick()
    } else {
        Plan::full()
    };
    if !args.items.is_empty() {
        plan.items = args.items;
    }
    let options = session.server_to_measure()?;
    Ok(run(options, plan, &args.peers.peers(), &say).await?)
}

#[cfg(not(feature = "neo4j"))]
pub(super) async fn measure(_: &Session, _: Neo4jBenchArgs) -> Result<Report, Problem> {
    let message = "a Neo4j cannot be measured: this build has no Neo4j backend";
    Err(Problem::new("cannot_measure", message).with_hint("build with the feature `neo4j`"))
}
