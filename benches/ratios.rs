//! Prints how our times relate to those of others, as a table.
//!
//! ```text
//! cargo bench -p farchive-benches --bench ratios
//! cargo bench -p farchive-benches --bench ratios -- --quick    # small tables: only shows that everything runs
//! cargo bench -p farchive-benches --bench ratios -- --check    # fails when a bar is missed
//! cargo bench -p farchive-benches --bench ratios -- 'names'    # only the cases whose title contains this
//! ```
//! Both sides of a case run in turn, in one process; a ratio is the median over all turns, so that
//! whatever else the machine does meets both sides alike.

mod support;
#[path = "support/turns.rs"]
mod turns;

use std::process::ExitCode;

use support::{Case, GROUPS, Scale};
use turns::compare;

/// Turns of one case; odd, so that there is a middle one.
const TURNS: usize = 21;

fn main() -> ExitCode {
    let has = |flag| std::env::args().any(|argument| argument == flag);
    let (scale, turns) = if has("--quick") { (Scale::QUICK, 3) } else { (Scale::FULL, TURNS) };
    println!("| work | against | ours, ms | theirs, ms | ratio | bar | |");
    println!("|---|---|---:|---:|---:|---:|---|");
    let mut missed = 0;
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let wanted = |case: &Case| wanted.as_ref().is_none_or(|part| case.title.contains(part));
    for mut case in GROUPS.iter().flat_map(|group| group(scale)).filter(wanted) {
        let (ours, other, ratio) = compare(&mut case.ours, &mut case.other, turns);
        let Case { title, rival, bar, .. } = case;
        let verdict = if ratio <= bar { "met" } else { "missed" };
        missed += u32::from(ratio > bar);
        println!(
            "| {title} | {rival} | {ours:.2} | {other:.2} | {ratio:.2} | {bar:.2} | {verdict} |"
        );
    }
    if missed > 0 && has("--check") { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
