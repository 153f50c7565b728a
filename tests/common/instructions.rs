//! Instructions of a program, as valgrind counts them: whatever else the machine does, they are the same.

use std::process::{Command, Stdio};

/// Whether instructions can be counted here.
pub fn valgrind() -> Result<(), String> {
    let run = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    match run {
        Ok(status) if status.success() => Ok(()),
        _ => Err("needs valgrind".to_owned()),
    }
}

/// Runs a program with what `prepare` gives it; what it prints, and its instructions.
pub fn instructions(what: &str, prepare: impl FnOnce(&mut Command)) -> (Vec<u8>, u64) {
    let mut command = Command::new("valgrind");
    command.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    command.env("RAYON_NUM_THREADS", "1");
    prepare(&mut command);
    let output = command.output().unwrap();
    let report = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{what}: {report}");
    // `I refs:`, in older versions `I   refs:`.
    let count = report.lines().find_map(|line| {
        let (before, count) = line.split_once("refs:")?;
        before.trim_end().ends_with(" I").then_some(count)
    });
    let count = count.unwrap_or_else(|| panic!("no count in:\n{report}"));
    (output.stdout, count.replace(',', "").trim().parse().unwrap())
}
