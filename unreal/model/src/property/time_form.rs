//! Points in time and spans of time as they are written: `2024-05-01T12:00:00`, `1.02:30:00.5`.
//!
//! Both are stored as ticks of 100 nanoseconds; a point in time counts from the first of January of the year 1
//! (C++: `FDateTime`, `FTimespan`).

use super::number::integer;

/// Ticks of a second, a day, and the first one behind the year 9999.
const SECOND: i128 = 10_000_000;
const DAY: i128 = 86_400 * SECOND;
const END: i128 = 3_652_059 * DAY;

/// The meaning of a struct of ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeForm {
    /// A point in time.
    Date,
    /// A span of time.
    Span,
}

impl TimeForm {
    /// That of the struct of this name.
    pub fn of(structure: &str) -> Option<Self> {
        match structure {
            name if name.eq_ignore_ascii_case("DateTime") => Some(Self::Date),
            name if name.eq_ignore_ascii_case("Timespan") => Some(Self::Span),
            _ => None,
        }
    }

    /// The ticks as text; `None` for a point that no calendar has.
    pub fn display(self, ticks: i64) -> Option<String> {
        let ticks = i128::from(ticks);
        match self {
            Self::Date if !(0..END).contains(&ticks) => None,
            Self::Date => {
                let (year, month, day) = date(ticks / DAY);
                Some(format!("{year:04}-{month:02}-{day:02}T{}", clock(ticks % DAY)))
            }
            Self::Span => {
                let (sign, ticks) = if ticks < 0 { ("-", -ticks) } else { ("", ticks) };
                let days = match ticks / DAY {
                    0 => String::new(),
                    days => format!("{days}."),
                };
                Some(format!("{sign}{days}{}", clock(ticks % DAY)))
            }
        }
    }

    /// The ticks that a text means; numbers are ticks.
    pub fn read(self, text: &str) -> Option<i64> {
        let text = text.trim();
        if let Some(number) = integer(text) {
            return i64::try_from(number).ok();
        }
        let ticks = match self {
            Self::Date => {
                let text = text.strip_suffix(['Z', 'z']).unwrap_or(text);
                let (date, time) = text.split_once(['T', 't', ' ']).unwrap_or((text, "00:00:00"));
                let mut parts = date.split('-').map(digits);
                let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
                let fits = parts.next().is_none()
                    && (1..=9999).contains(&year)
                    && (1..=12).contains(&month)
                    && (1..=days_of(year, month)).contains(&day);
                if !fits {
                    return None;
                }
                day_of(year, month, day) * DAY + time_of_day(time)?
            }
            Self::Span => {
                let (sign, text) = match text.strip_prefix('-') {
                    Some(rest) => (-1, rest),
                    None => (1, text),
                };
                let (hours, rest) = text.split_once(':')?;
                let (days, hours) = hours.split_once('.').unwrap_or(("0", hours));
                sign * (digits(days)? * DAY + time_of_day(&format!("{hours}:{rest}"))?)
            }
        };
        i64::try_from(ticks).ok()
    }
}

/// Digits alone: no sign.
fn digits(text: &str) -> Option<i128> {
    let plain = !text.is_empty() && text.len() <= 18 && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// `12:30`, `12:30:00`, `12:30:00.5`.
fn time_of_day(text: &str) -> Option<i128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = whole.split(':').map(digits);
    let (hours, minutes) = (parts.next()??, parts.next()??);
    let seconds = parts.next().unwrap_or(Some(0))?;
    if parts.next().is_some() || hours > 23 || minutes > 59 || seconds > 59 || fraction.len() > 7 {
        return None;
    }
    let fraction = match fraction {
        "" if text.ends_with('.') => return None,
        "" => 0,
        text => digits(text)? * 10_i128.pow(7 - text.len() as u32),
    };
    Some(((hours * 60 + minutes) * 60 + seconds) * SECOND + fraction)
}

fn clock(ticks: i128) -> String {
    let seconds = ticks / SECOND;
    let text = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match ticks % SECOND {
        0 => text,
        fraction => format!("{text}.{}", format!("{fraction:07}").trim_end_matches('0')),
    }
}

fn is_leap(year: i128) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of(year: i128, month: i128) -> i128 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days before a year.
fn before(year: i128) -> i128 {
    let past = year - 1;
    past * 365 + past / 4 - past / 100 + past / 400
}

fn day_of(year: i128, month: i128, day: i128) -> i128 {
    before(year) + (1..month).map(|month| days_of(year, month)).sum::<i128>() + day - 1
}

fn date(day: i128) -> (i128, i128, i128) {
    let mut year = day * 400 / 146_097 + 1;
    while before(year) > day {
        year -= 1;
    }
    while before(year + 1) <= day {
        year += 1;
    }
    let (mut month, mut left) = (1, day - before(year));
    while left >= days_of(year, month) {
        left -= days_of(year, month);
        month += 1;
    }
    (year, month, left + 1)
}
