//! Days since 1970-01-01 and their place in the Gregorian calendar.

/// A day in the calendar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Day {
    pub(super) year: i32,
    pub(super) month: u32,
    day: u32,
}

impl Day {
    /// Returns the day that lies `days` after 1970-01-01.
    pub(super) fn of(days: i64) -> Self {
        // Years begin in March, so that the leap day is the last of its year.
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 {
            shifted_month + 3
        } else {
            shifted_month - 9
        };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Self {
            year: i32::try_from(year).unwrap_or(i32::MAX),
            month: u32::try_from(month).unwrap_or(1),
            day: u32::try_from(day).unwrap_or(1),
        }
    }

    /// Returns the days from 1970-01-01 to a day.
    pub(super) fn from_civil(year: i32, month: u32, day: u32) -> i64 {
        let year = i64::from(year) - i64::from(month <= 2);
        let era = year.div_euclid(400);
        let of_era = year.rem_euclid(400);
        let shifted_month = (i64::from(month) + 9) % 12;
        let of_year = (153 * shifted_month + 2) / 5 + i64::from(day) - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }

    /// Returns the weekday, 0 for Monday.
    pub(super) fn weekday(days: i64) -> i64 {
        (days + 3).rem_euclid(7)
    }

    /// Returns the label of the day, such as 20230819; 0 before the year 0.
    pub(super) fn label(self) -> u32 {
        u32::try_from(self.year).unwrap_or_default() * 10_000 + self.month * 100 + self.day
    }
}

/// Returns the month that lies `count` months after one, as year and month.
pub(super) fn month_after((year, month): (i32, u32), count: i64) -> (i32, u32) {
    let months = i64::from(year) * 12 + i64::from(month) - 1 + count;
    let year = i32::try_from(months.div_euclid(12)).unwrap_or_default();
    let month = u32::try_from(months.rem_euclid(12)).unwrap_or_default() + 1;
    (year, month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_agree() {
        for days in -800_000..800_000_i64 {
            let day = Day::of(days);
            assert_eq!(Day::from_civil(day.year, day.month, day.day), days);
        }
        assert_eq!(Day::of(0).label(), 19_700_101);
        assert_eq!(Day::weekday(0), 3);
        assert_eq!(month_after((2023, 1), -1), (2022, 12));
    }
}
