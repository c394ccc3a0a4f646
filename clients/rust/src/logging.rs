//! Log lines on stderr, as the other SDKs write them; a logger that the program installed counts.

use std::time::{SystemTime, UNIX_EPOCH};

use log::{Level, LevelFilter, Log, Metadata, Record};

struct Stderr;

/// Log to stderr from this level on, unless the program has a logger of its own.
pub(crate) fn install(level: LevelFilter) {
    if log::set_logger(&Stderr).is_ok() {
        log::set_max_level(level);
    }
}

impl Log for Stderr {
    fn enabled(&self, metadata: &Metadata) -> bool {
        // What the libraries say beside our lines says the same in their own words.
        metadata.target().starts_with("paddock") || metadata.level() == Level::Error
    }

    fn log(&self, record: &Record) {
        if self.enabled(record.metadata()) {
            let level = match record.level() {
                Level::Warn => "WARNING",
                level => level.as_str(),
            };
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            eprintln!("{},{:03} {level} {}", time(now.as_secs()), now.subsec_millis(), record.args());
        }
    }

    fn flush(&self) {}
}

/// Seconds since 1970 as a date and a time of UTC.
fn time(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let days = days + 719_468; // since 0000-03-01, so that the leap day comes last in a year
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(super::time(0), "1970-01-01 00:00:00");
        assert_eq!(super::time(951_827_696), "2000-02-29 12:34:56");
        assert_eq!(super::time(1_794_970_800), "2026-11-18 03:00:00");
    }
}
