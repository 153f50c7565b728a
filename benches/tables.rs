//! The cases of `ratios`, one time each, with criterion's statistics and history.
//!
//! ```text
//! cargo bench --bench tables
//! cargo bench --bench tables -- 'read exports'
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
    for Case { title, rival, bar: _, mut ours, mut other } in
        GROUPS.iter().flat_map(|group| group(Scale::FULL))
    {
        let mut group = criterion.benchmark_group(title);
        group.sampling_mode(SamplingMode::Flat);
        for (who, pass) in
            [(format!("farchive, beside {rival}"), &mut ours), (rival.to_owned(), &mut other)]
        {
            group.bench_function(who, |bencher| {
                bencher.iter_custom(|passes| (0..passes).map(|_| pass()).sum());
            });
        }
        group.finish();
    }
    criterion.final_summary();
}
