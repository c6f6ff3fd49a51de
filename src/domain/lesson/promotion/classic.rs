//! The gate of the original program: reliability rounded at every step, and a suppression that is final.

use crate::lesson::evidence::utility::utility;
use crate::lesson::lesson::{Counts, RELIABILITY_AT_BIRTH, Status};
use crate::lesson::lesson_policy::UtilityNumbers;

/// Outcomes before the classic gate decides.
const OUTCOMES_MIN: usize = 3;
/// The mean utility of a classic promotion.
const PROMOTE_MEAN_MIN: f64 = 0.20;

/// A lesson under the classic gate.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassicLesson {
    /// Its status.
    pub status: Status,
    /// Rounded to four decimals.
    pub reliability: f64,
    /// Uses and outcomes; 0 is harmful.
    pub counts: Counts,
    utilities: Vec<f64>,
}

impl Default for ClassicLesson {
    fn default() -> Self {
        Self {
            status: Status::Candidate,
            reliability: RELIABILITY_AT_BIRTH,
            counts: Counts::default(),
            utilities: Vec::new(),
        }
    }
}

impl ClassicLesson {
    /// Takes an outcome and returns its utility.
    pub fn take(&mut self, error_reduction: f64, step_gain: f64, score_gain: Option<f64>) -> f64 {
        let utility = utility(
            error_reduction,
            step_gain,
            score_gain,
            &UtilityNumbers::default(),
        );
        self.utilities.push(utility);
        self.counts.retrieved += 1;
        if utility > 0.0 {
            self.counts.helpful += 1;
        } else {
            self.counts.harmful += 1;
        }
        let target = f64::midpoint(utility, 1.0).clamp(0.0, 1.0);
        self.reliability = round4(0.7 * self.reliability + 0.3 * target);
        if self.status != Status::Suppressed && self.utilities.len() >= OUTCOMES_MIN {
            let mean = self.utilities.iter().sum::<f64>() / self.utilities.len() as f64;
            if mean >= PROMOTE_MEAN_MIN {
                self.status = Status::Promoted;
            } else if mean <= 0.0 {
                self.status = Status::Suppressed;
            }
        }
        utility
    }
}

/// Rounds as Python does: the exact binary value to the nearest decimal.
fn round4(value: f64) -> f64 {
    format!("{value:.4}").parse().unwrap_or(value)
}
