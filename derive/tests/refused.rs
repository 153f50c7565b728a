//! What `#[derive(Archived)]` refuses, and with which words.

use std::process::Command;

/// The compiler whose messages `tests/refused/*.stderr` hold; any other words them differently.
const COMPILER: &str = "rustc 1.95.";

/// `TRYBUILD=overwrite` writes the messages anew.
#[test]
fn messages() {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output().expect("a compiler to ask");
    let found = String::from_utf8_lossy(&output.stdout);
    if !found.starts_with(COMPILER) {
        eprintln!("skipped: the messages are those of {COMPILER}x, and this is {}", found.trim());
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/refused/*.rs");
}
