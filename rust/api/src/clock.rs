//! Time, as the operations are told it.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::store::Millis;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Milliseconds since the epoch.
    fn now(&self) -> Millis;
}

/// The clock of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Millis {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
    }
}

/// A time as ISO 8601 in UTC, to the millisecond: `2026-06-13T09:30:00.000Z`.
///
/// ```
/// use wf_api::clock::iso_time;
///
/// assert_eq!(iso_time(0), "1970-01-01T00:00:00.000Z");
/// assert_eq!(iso_time(951_827_696_789), "2000-02-29T12:34:56.789Z");
/// ```
pub fn iso_time(millis: Millis) -> String {
    let (seconds, millis) = (millis / 1_000, millis % 1_000);
    let (days, second_of_day) = (seconds / 86_400, seconds % 86_400);
    // Years are counted from March on, so that the day of a leap year comes last.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (second_of_day / 3_600, second_of_day / 60 % 60, second_of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}
