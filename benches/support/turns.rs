//! Two ways to do the same work, measured in turn.

use std::time::Duration;

/// The shortest time that is worth comparing: quicker passes are repeated.
const SHORTEST: Duration = Duration::from_millis(20);

/// The median times in milliseconds, and the median of the turns' ratios, ours by the other's.
pub fn compare(
    ours: &mut dyn FnMut() -> Duration,
    other: &mut dyn FnMut() -> Duration,
    turns: usize,
) -> (f64, f64, f64) {
    // Both sides run about as long in each turn, so that pauses of the system meet both alike.
    let (own, others) = (repeats(ours), repeats(other));
    let mean = |pass: &mut dyn FnMut() -> Duration, repeat: u32| {
        (0..repeat).map(|_| pass()).sum::<Duration>().as_secs_f64() * 1e3 / f64::from(repeat)
    };
    let mut all = (Vec::new(), Vec::new(), Vec::new());
    for turn in 0..turns {
        // Who comes first changes, so that neither gains by it.
        let (ours, other) = if turn % 2 == 0 {
            let ours = mean(ours, own);
            (ours, mean(other, others))
        } else {
            let other = mean(other, others);
            (mean(ours, own), other)
        };
        all.0.push(ours);
        all.1.push(other);
        all.2.push(ours / other);
    }
    (median(all.0), median(all.1), median(all.2))
}

/// How often a pass must run to be measurable; its first runs fill caches and lists.
fn repeats(pass: &mut dyn FnMut() -> Duration) -> u32 {
    let time = (0..3).map(|_| pass()).min().unwrap_or_default();
    SHORTEST.as_nanos().div_ceil(time.as_nanos().max(1)).clamp(1, 1000) as u32
}

/// The one in the middle.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
