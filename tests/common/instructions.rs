//! Instructions of a program, as valgrind counts them: whatever else the machine does, they are the same.

use std::process::{Command, Output, Stdio};

/// Whether instructions can be counted here.
pub fn valgrind() -> Result<(), String> {
    let run = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    match run {
        Ok(status) if status.success() => Ok(()),
        _ => Err("needs valgrind".to_owned()),
    }
}

/// Runs a program with what `prepare` gives it, one thread for what it does side by side: how it ended, and its
/// instructions.
pub fn instructions(prepare: impl FnOnce(&mut Command)) -> (Output, u64) {
    let mut command = Command::new("valgrind");
    command.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    command.env("RAYON_NUM_THREADS", "1");
    prepare(&mut command);
    let output = command.output().expect("valgrind runs");
    let report = String::from_utf8_lossy(&output.stderr);
    // `I refs:`, in older versions `I   refs:`.
    let count = report.lines().find_map(|line| {
        let (before, count) = line.split_once("refs:")?;
        before.trim_end().ends_with(" I").then_some(count)
    });
    let count = count.unwrap_or_else(|| panic!("no count in:\n{report}"));
    let count = count.replace(',', "").trim().parse().expect("a number");
    (output, count)
}
