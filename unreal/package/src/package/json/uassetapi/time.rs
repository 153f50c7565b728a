//! Dates and spans of time as text, in ticks of 100 nanoseconds.

use serde_json::Value;

use crate::error::{Error, Result};

const SECOND: i64 = 10_000_000;
const DAY: i64 = 24 * 60 * 60 * SECOND;

/// A date such as `2024-02-29T12:34:56.789`: ticks from the first day of year 1 on.
pub(super) fn date_ticks(value: &Value) -> Result<i64> {
    let ticks = || {
        let text = value.as_str()?.trim_end_matches('Z');
        let (date, time) = text.split_once('T').unwrap_or((text, "0:0:0"));
        let mut parts = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        let fits =
            (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        fits.then_some(())?;
        days_before(year, month)
            .checked_add(day - 1)?
            .checked_mul(DAY)?
            .checked_add(time_ticks(time)?)
    };
    ticks().ok_or_else(|| Error::invalid("it is no date such as \"2024-02-29T12:34:56\""))
}

/// A span such as `1.02:03:04.5`: a day, two hours, three minutes, four and a half seconds.
pub(super) fn span_ticks(value: &Value) -> Result<i64> {
    let ticks = || {
        let text = value.as_str()?;
        let (sign, text) = match text.strip_prefix('-') {
            Some(text) => (-1, text),
            None => (1, text),
        };
        let hours = text.find(':').unwrap_or(text.len());
        let (days, time) = match text[..hours].split_once('.') {
            Some((days, _)) => (days.parse::<i64>().ok()?, &text[days.len() + 1..]),
            None => (0, text),
        };
        days.checked_mul(DAY)?.checked_add(time_ticks(time)?)?.checked_mul(sign)
    };
    ticks().ok_or_else(|| Error::invalid("it is no span such as \"1.02:03:04\""))
}

/// `12:34:56.789`.
fn time_ticks(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, ':');
    let mut whole = || parts.next()?.parse::<i64>().ok().filter(|part| (0..60).contains(part));
    let (hours, minutes) = (whole()?, whole()?);
    let (seconds, rest) = match parts.next()?.split_once('.') {
        Some((seconds, rest)) => (seconds, format!("{rest:0<7}")),
        None => (text.rsplit(':').next()?, "0".to_owned()),
    };
    let seconds = seconds.parse::<i64>().ok().filter(|part| (0..60).contains(part))?;
    let ticks = rest.get(..7.min(rest.len()))?.parse::<i64>().ok().filter(|rest| *rest >= 0)?;
    Some(((hours * 60 + minutes) * 60 + seconds) * SECOND + ticks)
}

/// Days from the first day of year 1 to the first of a month.
fn days_before(year: i64, month: i64) -> i64 {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let past = year - 1;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let month_days = BEFORE.get(usize::try_from(month - 1).unwrap_or(0)).copied().unwrap_or(0);
    past * 365 + past / 4 - past / 100 + past / 400 + month_days + i64::from(leap && month > 2)
}
