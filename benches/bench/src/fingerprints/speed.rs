//! Lines a second on one core, ours and those of the peer in turn, so that a busy machine slows both.

use serde_json::{Value, json};

use super::labelled::LabelledSet;
use super::methods::DRAIN;
use crate::Progress;
use crate::peer::{Peer, Peers};
use crate::report::{Goal, Ratio, Report, Row};
use crate::samples::Samples;
use hindlore_errors::fingerprint::Fingerprinter;

/// The peer's name among the scripts.
const PEER: &str = "drain3-parser";
/// Passes over a set before and again after the peer's.
const PASSES: usize = 7;
/// Lines that one core is to read in a second; both levels are computed for each.
const LINES_MIN: f64 = 1_000_000.0;
/// How many times the peer's speed ours is to be.
const RATIO_MIN: f64 = 4.0;

/// The seconds that all sets took.
pub(super) struct Speed {
    lines: u64,
    ours: f64,
    theirs: Option<f64>,
}

/// The groups that the peer gave every line of every set, or why there are none.
pub(super) type PeerGroups = Result<Vec<Vec<usize>>, String>;

/// Times our pass over every set, and the peer's where it is installed; returns the groups it made.
pub(super) fn measure(
    sets: &[LabelledSet],
    peers: &Peers,
    progress: Progress<'_>,
) -> (Speed, PeerGroups) {
    let mut peer = peers.start(PEER, &[]);
    let (mut groups, mut theirs) = (Vec::new(), 0.0);
    let mut failed = peer.as_ref().err().cloned();
    let mut speed = Speed {
        lines: 0,
        ours: 0.0,
        theirs: None,
    };
    for set in sets {
        progress(&format!("{}: {} lines", set.name, set.texts.len()));
        speed.lines += set.texts.len() as u64;
        let mut passes = our_passes(set);
        if let (Ok(peer), None) = (&mut peer, &failed) {
            match ask(peer, set) {
                Ok((seconds, of_set)) => {
                    theirs += seconds;
                    groups.push(of_set);
                }
                Err(why) => failed = Some(why),
            }
            passes = passes.and(our_passes(set));
        }
        speed.ours += passes.p50();
    }
    match failed {
        Some(why) => (speed, Err(why)),
        None => {
            speed.theirs = Some(theirs);
            (speed, Ok(groups))
        }
    }
}

fn our_passes(set: &LabelledSet) -> Samples {
    let mut printer = Fingerprinter::default();
    let mut seen = 0_u64;
    let samples = Samples::of_calls(PASSES, |_| {
        for text in &set.texts {
            seen = seen.wrapping_add(u64::from(printer.of_text(text).0.0[0]));
        }
    });
    // A computed value must be used, or the compiler may leave it out.
    std::hint::black_box(seen);
    samples
}

/// Has the peer group a set from the beginning.
fn ask(peer: &mut Peer, set: &LabelledSet) -> Result<(f64, Vec<usize>), String> {
    let answer = peer.ask(&json!({"do": "group", "texts": set.texts}))?;
    let seconds = answer["seconds"].as_f64();
    let groups: Option<Vec<usize>> = answer["groups"]
        .as_array()
        .map(|groups| groups.iter().filter_map(Value::as_u64))
        .map(|groups| groups.map(|group| group as usize).collect());
    match (seconds, groups) {
        (Some(seconds), Some(groups)) if groups.len() == set.texts.len() => Ok((seconds, groups)),
        _ => Err(format!("{DRAIN} did not group all lines of {}", set.name)),
    }
}

impl Speed {
    /// Writes the row.
    pub(super) fn report(&self, absent: Option<&str>, report: &mut Report) {
        let rate = |seconds: f64| self.lines as f64 / seconds;
        let row = |name: &str| Row::measured(name, rate(self.ours), "lines/s").of_size(self.lines);
        let note = "both levels, one thread; the median pass over each set";
        let limit = Goal::AtLeast(LINES_MIN);
        report.push(row("lines/s a core").with_note(note).with_goal(limit));
        let beside = row("lines/s a core beside drain3");
        let beside = match self.theirs {
            Some(theirs) => beside.beside(DRAIN, rate(theirs), Ratio::OursToTheirs),
            None => beside.beside_absent(DRAIN, absent.unwrap_or_default()),
        };
        report.push(beside.with_goal(Goal::RatioAtLeast(RATIO_MIN)));
    }
}
