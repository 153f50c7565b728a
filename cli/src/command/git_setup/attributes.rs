//! `.gitattributes`: lines that name drivers for files by their extension.

use std::fs;
use std::path::Path;

use unreal_packages::file::{FileOrigin, Replacement};

use crate::failure::Failure;

/// The extensions of packages.
pub const EXTENSIONS: &[&str] = &[
    "uasset", "umap", "u", "upk", "udk", "pcc", "unr", "ut2", "ut3", "utx", "usx", "uax", "umx",
    "ukx",
];
/// What stands before the lines that are added.
const REMARK: &str = "# Unreal packages: shown and merged by upk (upk git-setup)";

/// What the last line that names drivers for an extension says.
#[derive(Debug, PartialEq, Eq)]
pub enum KnownDriver {
    /// Ours.
    Ours,
    /// Git LFS, for which these files are stored: `filter=lfs` stays, and what is shown and merged is ours to say.
    Lfs,
    /// Another one, in the line of this number.
    Other(usize),
}

/// The line for files of this extension; LFS has said `-text` itself.
pub fn line(extension: &str, is_lfs: bool) -> String {
    let text = if is_lfs { "" } else { " -text" };
    format!("*.{extension} diff=upk merge=upk{text}")
}

/// Whether a line was written by this command.
fn is_ours(text: &str) -> bool {
    let text = text.trim_end_matches('\r');
    text == REMARK
        || EXTENSIONS.iter().any(|it| [true, false].iter().any(|lfs| text == line(it, *lfs)))
}

/// The lines of this command, and the text without them.
pub fn without_ours(text: &str) -> (Vec<String>, String) {
    let (ours, others): (Vec<&str>, Vec<&str>) =
        text.split_inclusive('\n').partition(|line| is_ours(line.trim_end_matches('\n')));
    (ours.iter().map(|line| line.trim_end().to_owned()).collect(), others.concat())
}

/// The last line that names drivers for files of this extension, or for all files.
pub fn known_driver(text: &str, extension: &str) -> Option<KnownDriver> {
    let mut found = None;
    for (line, number) in text.lines().zip(1..) {
        let mut words = line.split_whitespace();
        let pattern = words.next().unwrap_or_default().trim_matches('"');
        if !pattern.eq_ignore_ascii_case(&format!("*.{extension}")) {
            continue;
        }
        let words: Vec<&str> = words.collect();
        let names = |key: &str| {
            words
                .iter()
                .any(|word| word.trim_start_matches(['-', '!']).split('=').next() == Some(key))
        };
        let has = |word: &str| words.contains(&word);
        if names("diff") || names("merge") || has("binary") {
            found = Some(match () {
                () if has("diff=upk") && has("merge=upk") => KnownDriver::Ours,
                () if has("filter=lfs") && has("diff=lfs") && has("merge=lfs") => KnownDriver::Lfs,
                () => KnownDriver::Other(number),
            });
        }
    }
    found
}

/// Adds lines behind all others, ended as these are: of several lines for one file the last counts.
pub fn append(
    file: &Path,
    origin: FileOrigin,
    text: &str,
    lines: &[String],
) -> Result<(), Failure> {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut whole = text.to_owned();
    if !whole.is_empty() && !whole.ends_with('\n') {
        whole.push_str(end);
    }
    if !whole.contains(REMARK) {
        whole.push_str(REMARK);
        whole.push_str(end);
    }
    for line in lines {
        whole.push_str(line);
        whole.push_str(end);
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    write(file, origin, &whole)
}

/// Writes what is left; a file that held nothing else goes.
pub fn write(file: &Path, origin: FileOrigin, text: &str) -> Result<(), Failure> {
    if text.is_empty() {
        return Ok(fs::remove_file(file)?);
    }
    Replacement::new(file, text.as_bytes()).origin(origin).overwrite(true).commit()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use unreal_packages::environment::is_named_as_package;

    #[test]
    fn only_packages_are_named() {
        for end in EXTENSIONS {
            assert!(is_named_as_package(Path::new(&format!("Deck.{end}"))), "{end}");
        }
    }
}
