//! Whether what a line prints and writes makes sense.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::line::Command;
use crate::run::verify;
use crate::world::Copy;

/// What a program has left behind.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: Vec<u8>,
    pub err: String,
}

/// Every file of a world with its bytes.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Options before the place that is written to.
const OUTPUTS: &[&str] = &["-o", "--output", "--markdown", "--svg", "--t3d", "--glb"];

/// Extensions of packages.
const PACKAGES: &[&str] =
    &["u", "utx", "uax", "umx", "unr", "upk", "udk", "xxx", "uasset", "umap", "uxx"];

/// The value of an option: `-o Out.u`.
fn value<'a>(command: &'a Command, names: &[&str]) -> Option<&'a str> {
    let at = command.words.iter().position(|word| names.contains(&word.as_str()))?;
    command.words.get(at + 1).map(String::as_str)
}

fn has(command: &Command, option: &str) -> bool {
    command.words.iter().any(|word| word == option)
}

/// What `upk` writes to, unless it is standard output.
pub fn output(command: &Command) -> Option<&str> {
    if command.words[0] != "upk" {
        return None;
    }
    match command.words.get(1).map(String::as_str) {
        Some("man") => command.words.get(2).map(String::as_str),
        Some("maps") => value(command, &["--csv", "--html"]).filter(|file| *file != "-"),
        _ => value(command, OUTPUTS).filter(|file| *file != "-"),
    }
}

/// The exit code, and what stands on standard output and standard error.
pub fn check_run(command: &Command, run: &Run, code: i32) -> Result<(), String> {
    let text = String::from_utf8_lossy(&run.out);
    let shown = || format!("\n    out: {}\n    err: {}", text.trim_end(), run.err.trim_end());
    if run.code != code {
        return Err(format!("ends with {}, not with {code}{}", run.code, shown()));
    }
    // Where the package goes to standard output, the report goes elsewhere.
    let binary = value(command, OUTPUTS) == Some("-");
    // A warning, and what to do then, is none.
    let warns = |line: &str| line.starts_with("warning: ") || line.starts_with("  next: ");
    if code == 0 && !binary && !run.err.lines().all(warns) {
        return Err(format!("prints errors although all is well{}", shown()));
    }
    if run.out.is_empty() && run.err.is_empty() {
        return Err("prints nothing".to_owned());
    }
    if has(command, "--json") && !binary {
        for line in text.lines() {
            serde_json::from_str::<serde_json::Value>(line)
                .map_err(|error| format!("prints what is no JSON: {error}{}", shown()))?;
        }
    }
    Ok(())
}

/// Which files are new or other than before, and whether that is what the line says.
pub fn check_files(line: &[Command], code: i32, before: &Files, copy: &Copy) -> Result<(), String> {
    let after = copy.files();
    // A backup may go when it was brought back.
    let gone = before.keys().filter(|file| !after.contains_key(*file) && !is_backup(file));
    let gone: Vec<_> = gone.collect();
    let changed: Vec<&Path> = after
        .iter()
        .filter(|(file, bytes)| before.get(*file) != Some(bytes))
        .map(|(file, _)| file.as_path())
        .collect();
    let shown = || changed.iter().map(|file| file.display().to_string()).collect::<Vec<_>>();
    let only_looks = |command: &Command| has(command, "--dry-run") || has(command, "--check");
    let silent = code != 0 || line.iter().any(only_looks);
    let writes = line.iter().any(is_writing);
    if !gone.is_empty() {
        return Err(format!("has removed {gone:?}"));
    }
    if (silent || !writes) && !changed.is_empty() {
        return Err(format!("has written {:?}", shown()));
    }
    if silent {
        return Ok(());
    }
    for command in line {
        let named = output(command).into_iter().chain(command.output.as_deref());
        for output in named {
            let output = copy.path(output);
            if !changed.iter().any(|file| file.starts_with(&output)) {
                return Err(format!("has written {:?}, not {}", shown(), output.display()));
            }
        }
        let backup = changed.iter().any(|file| is_backup(file));
        if has(command, "--in-place") && !has(command, "--no-backup") && !backup {
            return Err(format!("has left no backup: {:?}", shown()));
        }
    }
    let packages: Vec<_> = changed.iter().copied().filter(|file| is_package(file)).collect();
    if packages.is_empty() { Ok(()) } else { verify(&packages, copy) }
}

/// Whether a command may write files: it says where, or it is one that always does.
fn is_writing(command: &Command) -> bool {
    let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
    let always = matches!(words[..], ["upk", "restore", ..] | ["upk", "cache", "add", ..]);
    let writing = ["--in-place", "--keep", "--save", "--write-baseline"];
    let said = writing.iter().any(|option| has(command, option));
    always || said || output(command).is_some() || command.output.is_some()
}

fn extension(file: &Path) -> String {
    file.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

fn is_backup(file: &Path) -> bool {
    extension(file).starts_with("bak")
}

pub fn is_package(file: &Path) -> bool {
    PACKAGES.contains(&extension(file).as_str())
}
