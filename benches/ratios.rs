//! Prints how our times relate to those of others, as a table.
//!
//! ```text
//! cargo bench --bench ratios
//! cargo bench --bench ratios -- --quick    # small tables: only shows that everything runs
//! cargo bench --bench ratios -- --check    # fails when a bar is missed
//! ```
//! Both sides of a case run in turn, in one process; a ratio is the median over all turns, so that
//! whatever else the machine does meets both sides alike.

mod support;

use std::process::ExitCode;
use std::time::Duration;

use support::{Case, GROUPS, Scale};

/// Turns of one case; odd, so that there is a middle one.
const TURNS: usize = 21;
/// The shortest time that is worth comparing: quicker passes are repeated.
const SHORTEST: Duration = Duration::from_millis(10);

fn main() -> ExitCode {
    let has = |flag| std::env::args().any(|argument| argument == flag);
    let (scale, turns) = if has("--quick") { (Scale::QUICK, 3) } else { (Scale::FULL, TURNS) };
    println!("| work | against | ours, ms | theirs, ms | ratio | bar | |");
    println!("|---|---|---:|---:|---:|---:|---|");
    let mut missed = 0;
    let filter = std::env::var("CASE").unwrap_or_default();
    for mut case in
        GROUPS.iter().flat_map(|group| group(scale)).filter(|case| case.title.contains(&filter))
    {
        let (ours, other, ratio) = compare(&mut case, turns);
        let Case { title, rival, bar, .. } = case;
        let verdict = if ratio <= bar { "met" } else { "missed" };
        missed += u32::from(ratio > bar);
        println!(
            "| {title} | {rival} | {ours:.2} | {other:.2} | {ratio:.2} | {bar:.2} | {verdict} |"
        );
    }
    if missed > 0 && has("--check") { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The median times in milliseconds, and the median of the turns' ratios.
fn compare(case: &mut Case, turns: usize) -> (f64, f64, f64) {
    // The first passes fill caches and lists, and say how often a pass must run to be measurable.
    let warm = (case.ours)().min((case.ours)()).max((case.other)().min((case.other)()));
    let repeat = SHORTEST.as_nanos().div_ceil(warm.as_nanos().max(1)).clamp(1, 1000) as u32;
    let mean = |pass: &mut dyn FnMut() -> Duration| {
        (0..repeat).map(|_| pass()).sum::<Duration>().as_secs_f64() * 1e3 / f64::from(repeat)
    };
    let mut all = (Vec::new(), Vec::new(), Vec::new());
    for turn in 0..turns {
        // Who comes first changes, so that neither gains by it.
        let (ours, other) = if turn % 2 == 0 {
            let ours = mean(&mut case.ours);
            (ours, mean(&mut case.other))
        } else {
            let other = mean(&mut case.other);
            (mean(&mut case.ours), other)
        };
        all.0.push(ours);
        all.1.push(other);
        all.2.push(ours / other);
    }
    (median(all.0), median(all.1), median(all.2))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
