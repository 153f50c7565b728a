//! Programs of tests that need what a machine may lack. Where it is missing a test is ignored, with the
//! reason; none passes without having looked.
//!
//! The programs have no harness of the compiler's: `#[test]` means nothing in them, [`trials`] lists what
//! runs, and a function that it does not list is dead code.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Completion, Trial};

/// Whether something is there; if not, the reason for which the test is ignored.
pub type Need = fn() -> Result<(), String>;

/// A test with what it needs.
pub struct Test {
    name: &'static str,
    needs: &'static [Need],
    run: fn(),
}

/// Tests that all need the same.
pub fn behind<const COUNT: usize>(
    needs: &'static [Need],
    tests: [(&'static str, fn()); COUNT],
) -> [Test; COUNT] {
    tests.map(|(name, run)| Test { name, needs, run })
}

/// Lists tests behind what they need: `trials![python => [reader::reads]; classic, python => [...];]`.
macro_rules! trials {
    ($($(#[$condition:meta])* $($need:path),+ => [$($test:path),+ $(,)?];)+) => {{
        let mut tests = Vec::new();
        $(
            $(#[$condition])*
            tests.extend($crate::needs::behind(&[$($need),+], [$((stringify!($test), $test)),+]));
        )+
        tests
    }};
}
pub(crate) use trials;

/// What is said last: of a program that takes minutes one wants to know where they went.
#[derive(Default)]
struct Report {
    /// How many tests were ignored, by reason.
    ignored: BTreeMap<String, usize>,
    slow: Vec<(Duration, &'static str)>,
}

/// A test that takes longer is named with its time.
const SLOW: Duration = Duration::from_secs(10);

impl Test {
    fn trial(self, report: &Arc<Mutex<Report>>) -> Trial {
        let report = report.clone();
        Trial::ignorable_test(self.name, move || {
            let mut missing: Vec<_> = self.needs.iter().filter_map(|need| need().err()).collect();
            // Every folder of a corpus that is not there has the same reason.
            missing.dedup();
            if missing.is_empty() {
                let start = Instant::now();
                (self.run)();
                let took = start.elapsed();
                if took >= SLOW {
                    report.lock().unwrap().slow.push((took, self.name));
                }
                return Ok(Completion::Completed);
            }
            let reason = missing.join("; ");
            *report.lock().unwrap().ignored.entry(reason.clone()).or_default() += 1;
            Ok(Completion::ignored_with(reason))
        })
    }
}

/// Runs the tests that the command line asks for, and says last which took long, and how many were ignored and why.
pub fn run(tests: Vec<Test>) -> ExitCode {
    let report = Arc::<Mutex<Report>>::default();
    let trials = tests.into_iter().map(|test| test.trial(&report)).collect();
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    let mut report = report.lock().unwrap();
    report.slow.sort_unstable_by(|a, b| b.cmp(a));
    for (took, name) in &report.slow {
        println!("{:4} s  {name}", took.as_secs());
    }
    for (reason, count) in &report.ignored {
        println!("{count} ignored: {reason}");
    }
    conclusion.exit_code()
}
