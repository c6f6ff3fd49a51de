//! `hindlore-bench places`: the program as a user calls it, compared with the tools that the user would call instead.
//!
//! Each row was a place where the program was slower or larger than its alternative, so each has a goal. Both sides are
//! measured in turns in one run. A row that cannot be measured does not end the others; one whose peer is not
//! installed names it and has no verdict.

mod adds;
mod child;
mod cold;
mod events;
mod graph;
mod hooks;
mod imports;
mod mcp;
mod python;
mod served;
mod session;
mod sessions;
mod user;

use std::path::{Path, PathBuf};

use super::{EvalError, Peers, Progress, Ratio, Report, Row, Samples};
use user::User;

/// The numbers of the rows. Two more places, 10 and 12, are on Neo4j and belong to another command.
const ROWS: [u8; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11];

/// How much is measured.
#[derive(Clone, Debug)]
pub struct PlacesPlan {
    /// Numbers of the rows; empty: all.
    pub rows: Vec<u8>,
    /// Entities of row 1, bullets of rows 3 and 4, texts of row 7; empty: the usual ones of each.
    pub sizes: Vec<u64>,
    /// Sizes of the sessions of row 8 in megabytes, the smallest first; empty: 10 and 100.
    pub megabytes: Vec<u64>,
    /// Recorded events of row 11, the fewest first; empty: 10,000 and 1,000,000.
    pub events: Vec<u64>,
    /// A first impression: small sizes, few calls.
    pub quick: bool,
    /// The program to measure; absent: the one in the folder of this program.
    pub program: Option<PathBuf>,
    /// Where the scripts of the peers are.
    pub peers: Peers,
}

/// The surroundings of every row.
struct Run<'a> {
    user: User,
    plan: &'a PlacesPlan,
    progress: Progress<'a>,
}

impl Run<'_> {
    fn say(&self, text: &str) {
        (self.progress)(text);
    }

    /// The sizes that were asked for, or the usual ones.
    fn sizes(&self, usual: &[u64], quick: &[u64]) -> Vec<u64> {
        let plan = self.plan;
        match (plan.sizes.is_empty(), plan.quick) {
            (false, _) => plan.sizes.clone(),
            (true, true) => quick.to_vec(),
            (true, false) => usual.to_vec(),
        }
    }

    /// A number of calls or rounds.
    fn often(&self, usual: usize, quick: usize) -> usize {
        if self.plan.quick { quick } else { usual }
    }
}

/// Measures in a folder that may be thrown away.
///
/// # Errors
/// When there is no program to measure.
pub async fn places(
    folder: &Path,
    plan: &PlacesPlan,
    progress: Progress<'_>,
) -> Result<Report, EvalError> {
    let run = Run {
        user: User::new(folder, plan.program.as_deref())?,
        plan,
        progress,
    };
    let mut report = Report::new("places");
    let is_wanted = |row: &u8| plan.rows.is_empty() || plan.rows.contains(row);
    for row in ROWS.into_iter().filter(is_wanted) {
        let measured = match row {
            1 => graph::rows(&run, &mut report),
            2 => imports::consolidation(&run, &mut report),
            3 => adds::rows(&run, &mut report),
            4 => cold::first_answers(&run, &mut report),
            5 => cold::small_calls(&run, &mut report),
            6 => served::rows(&run, &mut report),
            7 => imports::room(&run, &mut report),
            8 => sessions::rows(&run, &mut report),
            9 => hooks::rows(&run, &mut report),
            _ => events::rows(&run, &mut report).await,
        };
        if let Err(error) = measured {
            let mut missing = Row::missing(format!("{row} as a whole"), "", error.message);
            missing.holds = Some(false);
            report.push(missing);
        }
        // An interrupt is noticed here: the rows themselves wait for processes.
        tokio::task::yield_now().await;
    }
    Ok(report)
}

/// The row of a figure that has a limit of its own: the ratio is the used part of it.
fn within_limit(row: Row, limit: f64) -> Row {
    row.beside("its limit", limit, Ratio::OursToTheirs)
        .with_goal(super::Goal::RatioAtMost(1.0))
}

fn median(values: &[f64]) -> f64 {
    Samples::new(values.to_vec()).p50()
}

fn failed(why: impl ToString) -> EvalError {
    EvalError::new(
        why.to_string(),
        "see that the program runs, and that the folder for temporary files (TMPDIR) has room",
    )
}
