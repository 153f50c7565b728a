//! The command lines that are run in a hostile folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::random::Random;

/// What a command line may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writes {
    /// Nothing that is there; new things only below the folder for outputs.
    Nothing,
    /// Its file with what stands beside it by the same name, and backups of these.
    Named(PathBuf),
}

/// A command line.
#[derive(Debug)]
pub struct Call {
    pub arguments: Vec<OsString>,
    pub writes: Writes,
}

/// What looks at one file.
const LOOKS: &[&[&str]] = &[
    &["info"],
    &["list"],
    &["list", "--tree"],
    &["verify"],
    &["explain"],
    &["dump", "--canonical"],
    &["deps"],
    &["refs", "Text"],
    &["get", "Text"],
    &["ls"],
    &["to-json", "-o", "-"],
    &["detect"],
    &["script"],
    &["source"],
    &["restore", "--dry-run"],
    &["restore", "--list"],
    &["add-name", "New", "--dry-run"],
    &["diff", "Base.u"],
];

/// What looks at a folder.
const FOLDERS: &[&[&str]] = &[&["verify"], &["doctor"], &["grep", "hell"], &["cache", "list"]];

/// What writes to the folder for outputs.
const OUTPUTS: &[&[&str]] = &[
    &["unpack", "FILE", "-o", "OUT"],
    &["unpack", "FILE", "-o", "OUT", "--overwrite"],
    &["extract", "FILE", "-o", "OUT"],
    &["add-name", "FILE", "New", "-o", "OUT/New.u"],
    &["to-json", "FILE", "-o", "OUT/x.json"],
    &["scan", ".", "-o", "OUT"],
    &["pack", ".", "-o", "OUT/x_P.pak"],
    &["compress", "FILE", "-o", "OUT/x.u.uz"],
    &["merge", "Base.u", "FILE", "Base.u", "-o", "OUT/m.u"],
    &["headers", "FILE", "-o", "OUT"],
    &["convert", "FILE", "--to", "69", "-o", "OUT/c.u"],
];

/// What changes its file.
const EDITS: &[&[&str]] = &[
    &["add-name", "FILE", "New", "--in-place"],
    &["set", "FILE", "Text.Value=1", "--in-place"],
    &["duplicate", "FILE", "Text", "Text2", "--in-place"],
    &["edit", "SCRIPT", "FILE", "--in-place"],
    &["set-guid", "FILE", "--in-place"],
    &["restore", "FILE"],
    &["compress", "FILE", "--with", "zlib", "--in-place"],
    &["prune", "FILE", "--in-place"],
];

/// A command line for one of these files, given by their paths in the folder.
pub fn call(files: &[PathBuf], outputs: &Path, random: &mut Random) -> Call {
    let file = files[random.below(files.len())].clone();
    let script = files[random.below(files.len())].clone();
    let fill = |words: &[&str]| -> Vec<OsString> {
        let word = |word: &&str| match *word {
            "FILE" => named(&file),
            "SCRIPT" => named(&script),
            word if word.starts_with("OUT") => {
                outputs.join(word.trim_start_matches("OUT").trim_start_matches('/')).into()
            }
            word => word.into(),
        };
        words.iter().map(word).collect()
    };
    let (arguments, writes) = match random.below(8) {
        0..3 => {
            let words = random.pick(LOOKS);
            let mut arguments = fill(&words[..1]);
            arguments.push(named(&file));
            arguments.extend(fill(&words[1..]));
            (arguments, Writes::Nothing)
        }
        3 => {
            let mut arguments = fill(random.pick(FOLDERS));
            arguments.push(".".into());
            (arguments, Writes::Nothing)
        }
        4 | 5 => (fill(random.pick(OUTPUTS)), Writes::Nothing),
        _ => (fill(random.pick(EDITS)), Writes::Named(file.clone())),
    };
    Call { arguments, writes }
}

/// A path that is not taken for an option.
fn named(file: &Path) -> OsString {
    Path::new(".").join(file).into()
}
