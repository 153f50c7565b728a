//! A run of the command whose system calls are counted, or of which one fails or kills it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Calls that change files, and those that make them sure.
const WRITING: &[&str] = &[
    "write",
    "writev",
    "pwrite64",
    "pwritev",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "symlinkat",
    "unlink",
    "unlinkat",
    "rmdir",
    "mkdir",
    "mkdirat",
    "fchmod",
    "fchown",
    "utimensat",
    "ftruncate",
    "fallocate",
    "copy_file_range",
    "sendfile",
];
/// The one that also makes files, and mostly does not.
const OPEN: &str = "openat";

/// The call with this number among those of its name in its thread.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    name: String,
    number: usize,
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Injection {
    /// The process dies at it.
    Kill,
    /// It fails for want of room.
    NoSpace,
    /// It fails.
    Error,
}

impl Injection {
    pub const ALL: [Self; 3] = [Self::Kill, Self::NoSpace, Self::Error];

    fn text(self) -> &'static str {
        match self {
            Self::Kill => "signal=KILL",
            Self::NoSpace => "error=ENOSPC",
            Self::Error => "error=EIO",
        }
    }
}

/// The program that counts and injects.
pub fn is_there() -> Result<(), String> {
    let mut command = Command::new("strace");
    let command = command.args(["-o", "/dev/null", "true"]).stderr(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("needs strace to be allowed to trace".to_owned()),
        Err(_) => Err("needs strace (apt-get install strace)".to_owned()),
    }
}

/// The command itself, in this folder.
pub fn upk(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_upk"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

/// The same, with this call injected; `deep` for what its own processes do, too.
pub fn injected(folder: &Path, arguments: &[&str], call: &Call, injection: Injection) -> Output {
    let Call { name, number } = call;
    let inject = format!("inject={name}:{}:when={number}", injection.text());
    let trace = format!("trace={name}");
    let options = ["-f", "-o", "/dev/null", "-e", &trace, "-e", &inject];
    strace(folder, arguments, &options)
}

/// All calls of a run that change files, and how it ended.
pub fn calls(folder: &Path, arguments: &[&str]) -> (BTreeSet<Call>, Output) {
    let log = tempfile::NamedTempFile::new().unwrap();
    let trace = format!("trace={},{OPEN}", WRITING.join(","));
    let path = log.path().to_str().unwrap();
    let output = strace(folder, arguments, &["-f", "-o", path, "-e", &trace]);
    let text = String::from_utf8_lossy(&std::fs::read(log.path()).unwrap()).into_owned();
    let (mut counts, mut calls) = (BTreeMap::new(), BTreeSet::new());
    for line in text.lines().filter(|line| !line.contains(" resumed>")) {
        let Some((process, rest)) = line.split_once(' ') else { continue };
        let Some((name, arguments)) = rest.trim_start().split_once('(') else { continue };
        let number: &mut usize = counts.entry((process, name)).or_default();
        *number += 1;
        let makes = arguments.contains("O_CREAT");
        if WRITING.contains(&name) || name == OPEN && makes {
            calls.insert(Call { name: name.to_owned(), number: *number });
        }
    }
    (calls, output)
}

/// How often a run makes this call.
pub fn count(folder: &Path, arguments: &[&str], name: &str) -> usize {
    let log = tempfile::NamedTempFile::new().unwrap();
    let (trace, path) = (format!("trace={name}"), log.path().to_str().unwrap());
    let output = strace(folder, arguments, &["-f", "-o", path, "-e", &trace]);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    let text = String::from_utf8_lossy(&std::fs::read(log.path()).unwrap()).into_owned();
    text.lines().filter(|line| line.contains(&format!(" {name}("))).count()
}

fn strace(folder: &Path, arguments: &[&str], options: &[&str]) -> Output {
    let mut command = Command::new("strace");
    command.args(options).arg(env!("CARGO_BIN_EXE_upk")).args(arguments);
    command.current_dir(folder).stdin(Stdio::null()).output().unwrap()
}
