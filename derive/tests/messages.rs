//! What `#[derive(Archived)]` accepts, and what it refuses and how.

use std::process::Command;

/// The compiler whose messages `tests/derive/fail/*.stderr` hold; any other words them differently.
const COMPILER: &str = "rustc 1.95.";

/// `TRYBUILD=overwrite` writes the messages anew.
#[test]
fn accepts_and_refuses() {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output().expect("a compiler to ask");
    let found = String::from_utf8_lossy(&output.stdout);
    if !found.starts_with(COMPILER) {
        eprintln!("skipped: the messages are those of {COMPILER}x, and this is {}", found.trim());
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.pass("tests/derive/pass/*.rs");
    cases.compile_fail("tests/derive/fail/*.rs");
}
