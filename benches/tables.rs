//! The cases of `ratios`, one time each, with criterion's statistics and history.
//!
//! ```text
//! cargo bench -p farchive-benches --bench tables
//! cargo bench -p farchive-benches --bench tables -- 'read exports'
//! ```

mod support;

use std::time::Duration;

use criterion::{Criterion, SamplingMode};
use support::{Case, GROUPS, Scale};

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    // Criterion's own flag for running each case once.
    let test = std::env::args().any(|argument| argument == "--test");
    let scale = if test { Scale::QUICK } else { Scale::FULL };
    for Case { title, rival, bar, mut ours, mut other } in
        GROUPS.iter().flat_map(|group| group(scale))
    {
        let mut group = criterion.benchmark_group(title);
        group.sampling_mode(SamplingMode::Flat);
        for (who, pass) in [
            (format!("farchive, beside {rival}"), &mut ours),
            (format!("{rival}, bar {bar:.2}"), &mut other),
        ] {
            group.bench_function(who, |bencher| {
                bencher.iter_custom(|passes| (0..passes).map(|_| pass()).sum());
            });
        }
        group.finish();
    }
    criterion.final_summary();
}
