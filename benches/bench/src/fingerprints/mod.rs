//! `hindlore-bench fingerprints`: whether lines that one statement of a program wrote share a fingerprint, and lines
//! of two do not.
//!
//! Labelled logs and tool errors are grouped by five rules in one run: the exact text, the naive rule, our
//! two levels, and the Drain3 parser where it is installed. The data are never part of this project: their
//! folder is an argument, and further files of the same form run as well. Diagnostics of two compilers are made here,
//! with the code and the template as the truth. The means are taken apart for
//! the systems that were used for tuning and for all others, because only the second figure describes the rules on
//! unseen lines.

mod diagnostics;
mod grouping;
mod labelled;
mod methods;
mod speed;

use std::path::Path;

pub use grouping::Grouping;
pub use labelled::{LabelledSet, read_sets};

use super::Progress;
use super::error::EvalError;
use super::interval::Estimate;
use super::peer::Peers;
use super::report::{Goal, Ratio, Report, Row};
use methods::{COARSE, DRAIN, FINE, Method};

/// Log systems whose lines were looked at while the rules were written.
const SEEN_SYSTEMS: [&str; 6] = [
    "Apache",
    "HDFS",
    "Linux",
    "OpenSSH",
    "Thunderbird",
    "Zookeeper",
];

/// A figure of a grouping.
type Figure = (&'static str, fn(&Grouping) -> f64);

const GROUPING_ACCURACY: Figure = ("GA", |of| of.accuracy);
const GROUP_F1: Figure = ("FGA", |of| of.group_f1);
const PAIR_PRECISION: Figure = ("pairwise precision", |of| of.pair_precision);
const STREAM_RECALL: Figure = ("stream recall", |of| of.stream_recall);
const STREAM_PRECISION: Figure = ("stream precision", |of| of.stream_precision);
const FIGURES: [Figure; 7] = [
    GROUPING_ACCURACY,
    GROUP_F1,
    ("pairwise F1", |of| of.pair_f1()),
    PAIR_PRECISION,
    ("pairwise recall", |of| of.pair_recall),
    STREAM_RECALL,
    STREAM_PRECISION,
];

/// Goals of fine fingerprints on average over the systems that were used for tuning.
const GOALS_SEEN: [(Figure, f64); 4] = [
    (GROUPING_ACCURACY, 0.86),
    (GROUP_F1, 0.88),
    (STREAM_RECALL, 0.985),
    (STREAM_PRECISION, 0.995),
];
/// Goals on average over all other systems.
const GOALS_OTHER: [(Figure, f64); 1] = [(GROUPING_ACCURACY, 0.80)];
/// Goals on single sets, with the level. The templates of compilers have the missing name as a gap, and the fine level keeps
/// it as identity, so that they are a measure of the coarse one.
const GOALS_OF_SETS: [(&str, Figure, &str, f64); 3] = [
    ("clippy", PAIR_PRECISION, FINE, 0.85),
    ("rustc", GROUPING_ACCURACY, COARSE, 0.9),
    ("tsc", GROUPING_ACCURACY, COARSE, 0.9),
];

/// Measures fingerprints on the labelled sets under a folder.
pub fn fingerprints(
    folder: &Path,
    peers: &Peers,
    progress: Progress<'_>,
) -> Result<Report, EvalError> {
    let mut sets = read_sets(folder)?;
    sets.extend(diagnostics::made());
    let mut report = Report::new("fingerprints");
    let (speed, drain) = speed::measure(&sets, peers, progress);
    let mut methods = Method::ours(&sets);
    let absent = match drain {
        Ok(groups) => {
            methods.push(Method::of_groups(DRAIN, &sets, &groups));
            None
        }
        Err(why) => Some(why),
    };
    let of_logs = |seen: bool| -> Vec<usize> {
        let is_seen = |set: &LabelledSet| SEEN_SYSTEMS.contains(&set.name.as_str());
        let places = 0..sets.len();
        places
            .filter(|at| sets[*at].is_log && is_seen(&sets[*at]) == seen)
            .collect()
    };
    for (name, seen, goals) in [
        ("seen systems", true, &GOALS_SEEN[..]),
        ("other systems", false, &GOALS_OTHER[..]),
    ] {
        let means = Means {
            name,
            places: of_logs(seen),
            goals,
        };
        means.report(&methods, absent.as_deref(), &mut report);
    }
    speed.report(absent.as_deref(), &mut report);
    for (at, set) in sets.iter().enumerate() {
        set_rows(at, set, &methods, &mut report);
    }
    Ok(report)
}

/// Some log systems that a mean is taken over.
struct Means<'a> {
    name: &'a str,
    places: Vec<usize>,
    goals: &'a [(Figure, f64)],
}

impl Means<'_> {
    fn report(&self, methods: &[Method], absent: Option<&str>, report: &mut Report) {
        if self.places.is_empty() {
            return;
        }
        let size = self.places.len() as u64;
        let of = |method: &Method, figure: Figure| -> Estimate {
            let values: Vec<f64> = self
                .places
                .iter()
                .map(|at| figure.1(&method.groupings[*at]))
                .collect();
            Estimate::of(&values)
        };
        let drain = methods.iter().find(|method| method.name == DRAIN);
        for figure in FIGURES {
            for method in methods {
                let mean = of(method, figure);
                let name = format!("mean of {}, {} {}", self.name, figure.0, method.name);
                let mut row = Row::measured(name, mean.mean, "share")
                    .of_size(size)
                    .within(mean.low, mean.high);
                if method.name == FINE {
                    row = match (drain, absent) {
                        (Some(drain), _) => {
                            row.beside(DRAIN, of(drain, figure).mean, Ratio::OursToTheirs)
                        }
                        (None, why) => row.beside_absent(DRAIN, why.unwrap_or_default()),
                    };
                    let goal = self.goals.iter().find(|goal| goal.0.0 == figure.0);
                    if let Some((_, limit)) = goal {
                        row = row.with_goal(Goal::AtLeast(*limit));
                    }
                }
                report.push(row);
            }
        }
    }
}

fn set_rows(at: usize, set: &LabelledSet, methods: &[Method], report: &mut Report) {
    for figure in FIGURES {
        for method in methods {
            // Without quoted text both levels are one, as they nearly are in most logs.
            if method.name == COARSE && set.is_log && figure.0 != GROUPING_ACCURACY.0 {
                continue;
            }
            let name = format!("{} {} {}", set.name, figure.0, method.name);
            let ours = figure.1(&method.groupings[at]);
            let row = Row::measured(name, ours, "share").of_size(set.texts.len() as u64);
            let here = (set.name.as_str(), figure.0, method.name);
            let goal = GOALS_OF_SETS
                .iter()
                .find(|goal| (goal.0, goal.1.0, goal.2) == here);
            report.push(match goal {
                Some((.., limit)) => row.with_goal(Goal::AtLeast(*limit)),
                None => row,
            });
        }
    }
}
