//! Reports of measurements: rows of ours, theirs and the goal, in the form that programs may rely on.
//!
//! A goal is part of its row and the row shows whether it holds, so that a report cannot be read as a success when a
//! figure was missed or never taken.

use serde::Serialize;

use super::curve::Curve;
use super::machine::Machine;

/// The rows of one benchmark and the machine that they were taken on.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Which benchmark this is.
    pub bench: &'static str,
    /// The machine.
    pub machine: Machine,
    /// The figures, in the order of measuring.
    pub rows: Vec<Row>,
    /// The varied parameters, for pictures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<Curve>,
}

/// The two sides of the ratio of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ratio {
    /// How many times ours is theirs: for rates and qualities, and for costs that are limited.
    OursToTheirs,
    /// How many times theirs is ours: for times, where ours is to be shorter.
    TheirsToOurs,
}

/// The goal of a row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Goal {
    /// The ratio is this or more.
    RatioAtLeast(f64),
    /// The ratio is this or less.
    RatioAtMost(f64),
    /// Our figure is this or more.
    AtLeast(f64),
    /// Our figure is this or less.
    AtMost(f64),
}

/// One measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The measured operation.
    pub name: String,
    /// Of how many things: bullets, questions, lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Our figure; null when it could not be taken.
    pub ours: Option<f64>,
    /// Unit of both figures: `s`, `1/s`, `bytes`, `share` and the like.
    pub unit: &'static str,
    /// The peer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
    /// The figure of the peer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theirs: Option<f64>,
    /// The quotient of the two; above 1 is better for us unless the goal is an upper limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// The goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<f64>,
    /// The figure with the goal: `ratio >=`, `ratio <=`, `ours >=` or `ours <=`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal_on: Option<&'static str>,
    /// Whether the goal is reached; absent when there is none, false when it could not be measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// Interval of our figure, 95 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// Why a figure is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absent: Option<String>,
    /// Notes that a reader needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Report {
    /// An empty report of the machine that this runs on.
    pub fn new(bench: &'static str) -> Self {
        Self {
            bench,
            machine: Machine::present(),
            rows: Vec::new(),
            curves: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// Counts the goals that hold, and all goals.
    pub fn goals(&self) -> (usize, usize) {
        let goals = self.rows.iter().filter_map(|row| row.holds);
        let held = goals.clone().filter(|holds| *holds).count();
        (held, goals.count())
    }
}

impl Row {
    /// A row of our figure.
    pub fn measured(name: impl Into<String>, ours: f64, unit: &'static str) -> Self {
        Self {
            ours: Some(ours),
            ..Self::absent(name, unit, None)
        }
    }

    /// A row that could not be measured, with the reason.
    pub fn missing(name: impl Into<String>, unit: &'static str, why: impl Into<String>) -> Self {
        Self::absent(name, unit, Some(why.into()))
    }

    fn absent(name: impl Into<String>, unit: &'static str, why: Option<String>) -> Self {
        Self {
            name: name.into(),
            size: None,
            ours: None,
            unit,
            beside: None,
            theirs: None,
            ratio: None,
            goal: None,
            goal_on: None,
            holds: None,
            interval: None,
            absent: why,
            note: None,
        }
    }

    /// Sets the number of things that the figure is about.
    #[must_use]
    pub fn of_size(mut self, size: u64) -> Self {
        self.size = Some(size);
        self
    }

    /// Adds a peer's figure to ours.
    #[must_use]
    pub fn beside(mut self, peer: impl Into<String>, theirs: f64, ratio: Ratio) -> Self {
        self.beside = Some(peer.into());
        self.theirs = Some(theirs);
        self.ratio = self.ours.and_then(|ours| {
            let quotient = match ratio {
                Ratio::OursToTheirs => ours / theirs,
                Ratio::TheirsToOurs => theirs / ours,
            };
            quotient.is_finite().then_some(quotient)
        });
        self
    }

    /// Names a peer that could not be measured, and why.
    #[must_use]
    pub fn beside_absent(mut self, peer: impl Into<String>, why: impl Into<String>) -> Self {
        self.beside = Some(peer.into());
        self.absent = Some(why.into());
        self
    }

    /// Sets the goal and checks it; it does not hold when a figure is missing. Comes last.
    #[must_use]
    pub fn with_goal(mut self, goal: Goal) -> Self {
        let (figure, on, limit) = match goal {
            Goal::RatioAtLeast(limit) => (self.ratio, "ratio >=", limit),
            Goal::RatioAtMost(limit) => (self.ratio, "ratio <=", limit),
            Goal::AtLeast(limit) => (self.ours, "ours >=", limit),
            Goal::AtMost(limit) => (self.ours, "ours <=", limit),
        };
        let is_lower_limit = matches!(goal, Goal::RatioAtLeast(_) | Goal::AtLeast(_));
        self.goal = Some(limit);
        self.goal_on = Some(on);
        self.holds = Some(figure.is_some_and(|figure| {
            if is_lower_limit {
                figure >= limit
            } else {
                figure <= limit
            }
        }));
        self
    }

    /// Gives the 95 % interval of our figure.
    #[must_use]
    pub fn within(mut self, low: f64, high: f64) -> Self {
        self.interval = Some([low, high]);
        self
    }

    /// Adds a note for the reader.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorter_time_is_a_ratio_above_one() {
        let row = Row::measured("top10", 2.0, "s")
            .beside("scan", 30.0, Ratio::TheirsToOurs)
            .with_goal(Goal::RatioAtLeast(10.0));
        assert_eq!((row.ratio, row.holds), (Some(15.0), Some(true)));
    }

    #[test]
    fn a_cost_above_its_limit_does_not_hold() {
        let row = Row::measured("tick", 1.5, "s")
            .beside("bare", 1.0, Ratio::OursToTheirs)
            .with_goal(Goal::RatioAtMost(1.2));
        assert_eq!((row.ratio, row.holds), (Some(1.5), Some(false)));
    }

    #[test]
    fn a_goal_without_a_figure_does_not_hold() {
        let row = Row::measured("add", 1.0, "s")
            .beside_absent("python", "no Python 3 on this machine")
            .with_goal(Goal::RatioAtLeast(10.0));
        assert_eq!(row.holds, Some(false));
        let row = Row::missing("add", "s", "no server").with_goal(Goal::AtMost(1.0));
        assert_eq!(row.holds, Some(false));
    }

    #[test]
    fn a_division_by_nothing_is_no_ratio() {
        let row = Row::measured("add", 0.0, "s").beside("scan", 1.0, Ratio::TheirsToOurs);
        assert_eq!(row.ratio, None);
    }
}
