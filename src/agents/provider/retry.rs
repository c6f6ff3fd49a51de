//! Retries of transport failures, with the same request, after a growing pause.

use std::time::Duration;

use crate::model::ModelError;

/// The first pause.
const FIRST: Duration = Duration::from_millis(200);
/// The longest pause that is waited out; a longer one is reported to the caller instead.
const LONGEST: Duration = Duration::from_secs(20);

/// How long to wait before the next attempt; `None` if there is to be none. `attempt` counts from 1.
pub(super) fn pause(error: &ModelError, attempt: u32, retries: u32) -> Option<Duration> {
    if !error.is_transport() || attempt > retries {
        return None;
    }
    let grown = FIRST
        .saturating_mul(1 << (attempt - 1).min(10))
        .min(LONGEST);
    match error {
        ModelError::RateLimited { after: Some(after) } => {
            (*after <= LONGEST).then_some((*after).max(grown))
        }
        _ => Some(grown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_failed_on_the_way_is_tried_again() {
        let broken = ModelError::Unreachable(String::new());
        assert_eq!(pause(&broken, 1, 2), Some(Duration::from_millis(200)));
        assert_eq!(pause(&broken, 2, 2), Some(Duration::from_millis(400)));
        assert_eq!(pause(&broken, 3, 2), None);
        let refused = ModelError::Refused {
            status: 400,
            said: String::new(),
        };
        assert_eq!(pause(&refused, 1, 2), None);
    }

    #[test]
    fn a_vendor_says_how_long_to_wait() {
        let limited = |seconds| ModelError::RateLimited {
            after: Some(Duration::from_secs(seconds)),
        };
        assert_eq!(pause(&limited(3), 1, 2), Some(Duration::from_secs(3)));
        assert_eq!(pause(&limited(3600), 1, 2), None);
        assert_eq!(pause(&limited(0), 1, 2), Some(Duration::from_millis(200)));
    }
}
