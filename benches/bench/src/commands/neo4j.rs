//! Command `hindlore-bench neo4j`: on the server that the store names.

use crate::Report;
use crate::args::Neo4jBenchArgs;
use hindlore_api::problem::Problem;
use hindlore_cli::program::Session;

/// Measures on the server that --store or NEO4J_URI names.
pub(super) async fn measure(session: &Session, args: Neo4jBenchArgs) -> Result<Report, Problem> {
    use super::say;
    use crate::neo4j::{Plan, run};
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
