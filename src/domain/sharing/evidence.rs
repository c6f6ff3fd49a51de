//! Evidence of others: the verdicts of principals who may read a bullet, and when they suffice to promote it.
//!
//! A viewer changes nothing that it reads; its verdicts are kept apart, each as the viewer's own.

use std::collections::BTreeSet;

use hindlore_primitives::word_enum;

/// Fewest independent principals whom a bullet helped before it is passed on to others.
pub const PRINCIPALS_MIN: usize = 2;
/// Fewest runs in which it helped.
pub const RUNS_MIN: usize = 3;

word_enum! {
    /// A verdict of a viewer.
    ViewerVerdict {
        /// It was used.
        Used = "used",
        /// It helped.
        Helped = "helped",
        /// It did harm.
        Harmed = "harmed",
        /// It was ignored.
        Ignored = "ignored",
    }
}

/// The verdict of one principal on a bullet after one run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Testimony {
    /// The principal.
    pub principal: String,
    /// The run.
    pub run: String,
    /// The verdict.
    pub verdict: ViewerVerdict,
}

/// Testimonies of a bullet, counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Support {
    /// Principals whom it helped, and harmed in no more runs than it helped.
    pub principals: usize,
    /// Runs in which it helped one of them.
    pub runs: usize,
    /// Runs in which it did harm.
    pub harmed: usize,
}

impl Support {
    /// Counts testimonies. A run counts for the principal that reports it, so that two cannot share one.
    pub fn of(testimonies: &[Testimony]) -> Self {
        let runs_with = |verdict, principal: Option<&str>| {
            let said = testimonies.iter().filter(|one| {
                one.verdict == verdict && principal.is_none_or(|name| name == one.principal)
            });
            let runs: BTreeSet<(&str, &str)> = said
                .map(|one| (one.principal.as_str(), one.run.as_str()))
                .collect();
            runs.len()
        };
        let names: BTreeSet<&str> = testimonies
            .iter()
            .map(|one| one.principal.as_str())
            .collect();
        let mut support = Self {
            harmed: runs_with(ViewerVerdict::Harmed, None),
            ..Self::default()
        };
        for name in names {
            let helped = runs_with(ViewerVerdict::Helped, Some(name));
            if helped > 0 && helped >= runs_with(ViewerVerdict::Harmed, Some(name)) {
                support.principals += 1;
                support.runs += helped;
            }
        }
        support
    }

    /// True if the bullet may be passed on: enough independent principals, enough runs, and more help than harm.
    pub fn suffices(&self) -> bool {
        self.principals >= PRINCIPALS_MIN && self.runs >= RUNS_MIN && self.runs > self.harmed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(rows: &[(&str, &str, ViewerVerdict)]) -> Support {
        let rows = rows.iter().map(|(principal, run, verdict)| Testimony {
            principal: (*principal).to_owned(),
            run: (*run).to_owned(),
            verdict: *verdict,
        });
        Support::of(&rows.collect::<Vec<_>>())
    }

    #[test]
    fn two_principals_and_three_runs_suffice() {
        use ViewerVerdict::{Harmed, Helped, Used};
        for (rows, suffices) in [
            (vec![], false),
            (
                vec![("a", "1", Helped), ("a", "2", Helped), ("a", "3", Helped)],
                false,
            ),
            (vec![("a", "1", Helped), ("b", "2", Helped)], false),
            (
                vec![("a", "1", Helped), ("a", "1", Helped), ("b", "2", Helped)],
                false,
            ),
            (
                vec![("a", "1", Helped), ("a", "2", Helped), ("b", "3", Used)],
                false,
            ),
            (
                vec![("a", "1", Helped), ("a", "2", Helped), ("b", "3", Helped)],
                true,
            ),
            (
                vec![("a", "1", Helped), ("a", "2", Helped), ("b", "1", Helped)],
                true,
            ),
            (
                vec![
                    ("a", "1", Helped),
                    ("a", "2", Helped),
                    ("b", "3", Helped),
                    ("b", "4", Harmed),
                    ("b", "5", Harmed),
                ],
                false,
            ),
            (
                vec![
                    ("a", "1", Helped),
                    ("a", "2", Helped),
                    ("b", "3", Helped),
                    ("c", "4", Harmed),
                    ("c", "5", Harmed),
                    ("c", "6", Harmed),
                ],
                false,
            ),
        ] {
            assert_eq!(said(&rows).suffices(), suffices, "{rows:?}");
        }
    }
}
