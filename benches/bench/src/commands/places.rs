//! Command `bench places`: the program as a user calls it, compared with its alternatives.

use super::say;
use crate::Report;
use crate::args::PlacesArgs;
use crate::places::{PlacesPlan, places};
use hindlore_api::problem::Problem;
use hindlore_cli::program::TempStore;

/// Measures in a folder that is thrown away.
pub(super) async fn measure(args: PlacesArgs) -> Result<Report, Problem> {
    let plan = PlacesPlan {
        peers: args.peers.peers(),
        rows: args.rows,
        sizes: args.sizes,
        megabytes: args.megabytes,
        events: args.events,
        quick: args.quick,
        program: args.program,
    };
    let temp = TempStore::new()?;
    Ok(places(temp.folder(), &plan, &say).await?)
}
