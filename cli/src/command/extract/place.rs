//! File names for objects: safe on every system, and no two alike.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// No system takes longer parts of a path.
const LONGEST_PART: usize = 100;

/// Names that Windows gives to devices, with any extension.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];

/// The files that are taken.
#[derive(Debug)]
pub struct Places {
    folder: PathBuf,
    taken: HashSet<String>,
}

impl Places {
    /// None yet.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), taken: HashSet::new() }
    }

    /// A file for the object of this path: its groups are folders. Objects that would share a file get
    /// numbers: `Rough.png`, `Rough~2.png`.
    pub fn take(&mut self, path: &str, extension: &str) -> PathBuf {
        let parts: Vec<_> = path.split('.').map(safe).collect();
        let extension = safe(extension);
        let mut number = 1;
        loop {
            let suffix = if number == 1 { String::new() } else { format!("~{number}") };
            let inside = format!("{}{suffix}.{extension}", parts.join("/"));
            if self.taken.insert(inside.to_lowercase()) {
                return self.folder.join(inside);
            }
            number += 1;
        }
    }
}

/// A part of a path without what some system forbids.
fn safe(part: &str) -> String {
    let keep =
        |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | ' ' | '(' | ')' | '+');
    let mut text: String =
        part.chars().map(|char| if keep(char) { char } else { '_' }).take(LONGEST_PART).collect();
    // The length that counts is in bytes.
    while text.len() > 2 * LONGEST_PART {
        text.pop();
    }
    let trimmed = text.trim().len();
    let lower = text.to_lowercase();
    let numbered = |device: &str| {
        lower.strip_prefix(device).is_some_and(|rest| matches!(rest.as_bytes(), [b'0'..=b'9']))
    };
    if trimmed != text.len() || text.is_empty() {
        text = format!("{}_", text.trim());
    } else if DEVICES.contains(&lower.as_str()) || numbered("com") || numbered("lpt") {
        text.push('_');
    }
    text
}

/// Writes a new file, with the folders around it; one that is there only if that is wanted.
pub fn write(file: &Path, bytes: &[u8], overwrite: bool) -> Result<(), Failure> {
    let fail = |error| Failure::from(farchive::Error::io(file, error));
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(fail)?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true);
    match overwrite {
        true => options.create(true).truncate(true),
        false => options.create_new(true),
    };
    let mut target = options.open(file).map_err(|error| {
        if error.kind() == std::io::ErrorKind::AlreadyExists {
            let next = "name another folder, or --overwrite";
            let file = file.display();
            return Failure::failed(format!("'{file}' is there already\n  next: {next}"));
        }
        fail(error)
    })?;
    target.write_all(bytes).map_err(fail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_never_shared() {
        let mut places = Places::new(Path::new("out"));
        let mut take = |path| places.take(path, "png").display().to_string().replace('\\', "/");
        assert_eq!(take("Walls.Stone"), "out/Walls/Stone.png");
        assert_eq!(take("walls.STONE"), "out/walls/STONE~2.png");
        assert_eq!(take("Walls.Stone~2"), "out/Walls/Stone_2.png");
        assert_eq!(take("a/../b:c"), "out/a_/_/_b_c.png");
        assert_eq!(take("Con.com1.nul"), "out/Con_/com1_/nul_.png");
        assert_eq!(take("..x. "), "out/_/_/x/_.png");
    }
}
