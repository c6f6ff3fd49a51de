//! The results of using a playbook: number, success, and gain over runs without it.

use serde::{Deserialize, Serialize};

/// Weight of the newest use.
const NEWEST: f64 = 0.2;

/// The record of a playbook's uses.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Usage {
    /// Number of uses.
    pub count: u32,
    /// Success rate, 0..=1: the first use sets it, each further one counts for a fifth. `None` before the first use.
    pub success_rate: Option<f64>,
    /// Average improvement, −1..=1, likewise; `None` until a use states one.
    pub average_improvement: Option<f64>,
}

/// The result of one use.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UsageReport {
    /// How well the task went, 0..=1.
    pub success: f64,
    /// By how much better than without the playbook, −1..=1, where that was measured.
    pub improvement: Option<f64>,
}

impl Usage {
    /// Counts one use; `Err` names them number is out of range.
    pub fn after(self, report: UsageReport) -> Result<Self, String> {
        if !(0.0..=1.0).contains(&report.success) {
            return Err(format!(
                "the success {} is not a number from 0 to 1",
                report.success
            ));
        }
        if let Some(improvement) = report.improvement
            && !(-1.0..=1.0).contains(&improvement)
        {
            return Err(format!(
                "the improvement {improvement} is not a number from -1 to 1"
            ));
        }
        Ok(Self {
            count: self.count.saturating_add(1),
            success_rate: Some(averaged(self.success_rate, report.success)),
            average_improvement: match report.improvement {
                Some(newest) => Some(averaged(self.average_improvement, newest)),
                None => self.average_improvement,
            },
        })
    }
}

fn averaged(known: Option<f64>, newest: f64) -> f64 {
    known.map_or(newest, |known| known + NEWEST * (newest - known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_use_sets_the_averages_and_later_ones_move_them_by_a_fifth() {
        let report = |success, improvement| UsageReport {
            success,
            improvement,
        };
        let one = Usage::default().after(report(1.0, None)).unwrap();
        assert_eq!(
            (one.count, one.success_rate, one.average_improvement),
            (1, Some(1.0), None)
        );
        let two = one.after(report(0.0, Some(0.5))).unwrap();
        assert_eq!(
            (two.success_rate, two.average_improvement),
            (Some(0.8), Some(0.5))
        );
        let three = two.after(report(0.0, Some(-0.5))).unwrap();
        let (rate, improvement) = (
            three.success_rate.unwrap(),
            three.average_improvement.unwrap(),
        );
        assert!((rate - 0.64).abs() < 1e-12 && (improvement - 0.3).abs() < 1e-12);
        for wrong in [
            report(1.1, None),
            report(f64::NAN, None),
            report(1.0, Some(-2.0)),
        ] {
            assert!(three.after(wrong).is_err());
        }
    }
}
