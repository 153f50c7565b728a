//! What a run of a command costs.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Whether instructions can be counted here.
pub fn can_count() -> bool {
    let version = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// Instructions of a run.
pub fn instructions(program: &Path, arguments: &[String]) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments)
        .env("RAYON_NUM_THREADS", "1")
        .stdout(Stdio::null())
        .output()
        .expect("valgrind runs");
    check(output.status.code(), arguments, &output.stderr);
    let report = String::from_utf8_lossy(&output.stderr);
    // `I refs:`, in older versions `I   refs:`.
    let count = report.lines().find_map(|line| {
        let (before, count) = line.split_once("refs:")?;
        before.trim_end().ends_with(" I").then_some(count)
    });
    let count = count.unwrap_or_else(|| panic!("no count in:\n{report}"));
    count.replace(',', "").trim().parse().expect("a number")
}

/// The most memory that a run has had of its own, without mapped files, bytes.
pub fn own_memory(program: &Path, arguments: &[String]) -> u64 {
    let mut child = Command::new(program)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command runs");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    loop {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let anonymous = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let kilobytes = anonymous.and_then(|text| text.trim().strip_suffix("kB"));
        let kilobytes: u64 = kilobytes.and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        most = most.max(kilobytes * 1024);
        if let Some(status) = child.try_wait().expect("a child") {
            check(status.code(), arguments, b"");
            return most;
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}

/// Commands that compare may find a difference.
fn check(code: Option<i32>, arguments: &[String], said: &[u8]) {
    let said = String::from_utf8_lossy(said);
    assert!(matches!(code, Some(0 | 1)), "upk {}: {code:?}\n{said}", arguments.join(" "));
}
