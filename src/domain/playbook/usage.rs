//! The results of using a playbook: number, success, and gain over runs without it.

use serde::{Deserialize, Serialize};

/// The record of a playbook's uses.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Usage {
    /// Number of uses.
    pub count: u32,
    /// Sum of their successes, each 0..=1.
    pub worked: f64,
    /// Number of uses that stated an improvement.
    pub measured: u32,
    /// Sum of the improvements, each −1..=1.
    pub improvement: f64,
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
            worked: self.worked + report.success,
            measured: self
                .measured
                .saturating_add(u32::from(report.improvement.is_some())),
            improvement: self.improvement + report.improvement.unwrap_or_default(),
        })
    }

    /// The success rate: the successes divided by the uses, 0..=1. `None` before the first use.
    pub fn success_rate(&self) -> Option<f64> {
        (self.count > 0).then(|| self.worked / f64::from(self.count))
    }

    /// The mean improvement, −1..=1. `None` until a use states one.
    pub fn average_improvement(&self) -> Option<f64> {
        (self.measured > 0).then(|| self.improvement / f64::from(self.measured))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rates_are_means_over_all_uses() {
        let report = |success, improvement| UsageReport {
            success,
            improvement,
        };
        let one = Usage::default().after(report(1.0, None)).unwrap();
        assert_eq!(
            (one.count, one.success_rate(), one.average_improvement()),
            (1, Some(1.0), None)
        );
        let two = one.after(report(0.0, Some(0.5))).unwrap();
        assert_eq!(
            (two.success_rate(), two.average_improvement()),
            (Some(0.5), Some(0.5))
        );
        let three = two.after(report(0.0, Some(-0.5))).unwrap();
        assert_eq!(
            (three.success_rate(), three.average_improvement()),
            (Some(1.0 / 3.0), Some(0.0))
        );
        for wrong in [
            report(1.1, None),
            report(f64::NAN, None),
            report(1.0, Some(-2.0)),
        ] {
            assert!(three.after(wrong).is_err());
        }
    }
}
