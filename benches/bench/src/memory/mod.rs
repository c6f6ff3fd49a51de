//! `hindlore-bench memory`: the cost of a memory of this engine, compared with common alternatives and with limits.
//!
//! Texts are generated, so that the benchmark runs everywhere; they are as long and as varied as those of real
//! memories. Ours and theirs are timed in turns in one run. A ratio is more reliable than a time here.

mod adding;
mod asking;
mod calls;
mod fill;
mod growth;
mod opening;
mod peers;
mod scan;
mod storage;
#[cfg(feature = "peers")]
mod tantivy;
mod texts;

use std::path::Path;
use std::time::{Duration, Instant};

pub use opening::opening;
pub use texts::Texts;

use super::Progress;
use super::error::EvalError;
use super::peer::Peers;
use super::report::Report;
pub(crate) use fill::{Filled, NAMES};

/// Sizes that are measured when none are named.
pub const SIZES: [usize; 5] = [100, 1000, 10_000, 100_000, 1_000_000];
const QUICK_SIZES: [usize; 2] = [100, 1000];
/// Size of the comparison with peers.
const PEER_SIZE: usize = 10_000;
const INGEST: usize = 100_000;

/// The options of a run.
#[derive(Clone, Debug)]
pub struct MemoryOptions {
    /// Numbers of bullets; empty: the usual ones.
    pub sizes: Vec<usize>,
    /// A first impression: small sizes, few calls.
    pub quick: bool,
    /// Also measures in full the parts that take minutes in a peer instead of extrapolating them.
    pub full: bool,
    /// Where the scripts of the peers are.
    pub peers: Peers,
}

/// How many calls are worth waiting for.
struct Pace {
    most: usize,
    least: usize,
    limit: Duration,
}

impl Pace {
    fn of(size: usize, quick: bool) -> Self {
        Self {
            most: if quick { 20 } else { 200 },
            least: if size > 200_000 { 7 } else { 10 },
            limit: Duration::from_secs(if quick { 1 } else { 3 }),
        }
    }

    fn goes_on(&self, done: usize, begin: Instant) -> bool {
        done < self.least || (done < self.most && begin.elapsed() < self.limit)
    }
}

/// Measures in a folder that may be thrown away.
pub async fn memory(
    folder: &Path,
    options: &MemoryOptions,
    progress: Progress<'_>,
) -> Result<Report, EvalError> {
    let mut report = Report::new("memory");
    let sizes = match (options.sizes.is_empty(), options.quick) {
        (false, _) => options.sizes.clone(),
        (true, true) => QUICK_SIZES.to_vec(),
        (true, false) => SIZES.to_vec(),
    };
    let largest = sizes.iter().copied().max().unwrap_or_default();
    let peer_size = sizes
        .iter()
        .copied()
        .filter(|size| *size <= PEER_SIZE)
        .max();
    for size in sizes {
        progress(&format!("{size} bullets: filling"));
        let filled = Filled::new(folder, size, false).await?;
        progress(&format!("{size} bullets: retrieval"));
        asking::rows(&filled, options, &mut report).await?;
        opening::rows(&filled, &mut report);
        progress(&format!("{size} bullets: adding"));
        adding::rows(&filled, options, &mut report).await?;
        if Some(size) == peer_size {
            progress(&format!("{size} bullets: peers"));
            peers::rows(&filled, options, &mut report).await?;
        }
    }
    progress("storing");
    let ingest = if options.quick {
        largest.min(INGEST)
    } else {
        INGEST
    };
    storage::ingest(folder, ingest, &mut report).await?;
    storage::retrievals(folder, options, &mut report).await?;
    growth::curves(&mut report);
    Ok(report)
}
