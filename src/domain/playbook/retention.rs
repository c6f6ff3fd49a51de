//! Which versions of a playbook keep their strategies, and which keep number, digest and summary only.

use hindlore_primitives::timestamp::Timestamp;

/// The versions that stay whole; all others are retired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RetentionRules {
    /// The newest ones.
    pub latest: u32,
    /// Those of the last days.
    pub days: u32,
}

impl Default for RetentionRules {
    fn default() -> Self {
        Self {
            latest: 5,
            days: 90,
        }
    }
}

/// The fields of a version that retention needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VersionMark {
    /// Its number, from 1.
    pub number: u32,
    /// Marked to stay whole for good.
    pub major: bool,
    /// When it was made.
    pub at: Timestamp,
}

/// The numbers of the versions to retire, ascending. `newest` is the number of the present version.
pub fn retired(
    versions: &[VersionMark],
    newest: u32,
    rules: RetentionRules,
    now: Timestamp,
) -> Vec<u32> {
    let is_old = |version: &&VersionMark| {
        !version.major
            && version.number.saturating_add(rules.latest) <= newest
            && version.at.plus_days(rules.days) < now
    };
    let mut numbers: Vec<u32> = versions
        .iter()
        .filter(is_old)
        .map(|one| one.number)
        .collect();
    numbers.sort_unstable();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_the_major_and_the_young_stay_whole() {
        let day = |days: i64| Timestamp::from_millis(days * 86_400_000);
        let versions: Vec<VersionMark> = (1..=10)
            .map(|number| VersionMark {
                number,
                major: number == 2,
                at: day(i64::from(number)),
            })
            .collect();
        let rules = RetentionRules::default();
        assert_eq!(retired(&versions, 10, rules, day(1_000)), [1, 3, 4, 5]);
        assert_eq!(retired(&versions, 10, rules, day(94)), [1, 3]);
        assert_eq!(retired(&versions, 10, rules, day(91)), [0_u32; 0]);
        assert_eq!(retired(&versions[..5], 5, rules, day(1_000)), [0_u32; 0]);
    }
}
