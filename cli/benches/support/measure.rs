//! What a run of a command costs.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

#[path = "../../../tests/common/instructions.rs"]
mod valgrind;

pub use valgrind::valgrind;

/// Instructions of a run.
pub fn instructions(program: &Path, arguments: &[String]) -> u64 {
    let (output, count) = valgrind::instructions(|command| {
        command.arg(program).args(arguments).stdout(Stdio::null());
    });
    check(output.status.code(), arguments, &output.stderr);
    count
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
