//! File names for objects: safe on every system, and no two alike.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use farchive::file::{self, Replacement, safe_file_name};

use crate::failure::Failure;
use crate::input;
use crate::output::Output;
use crate::target::unwritten;

/// A folder that results are written to, file by file, or standard output for one of them.
#[derive(Debug)]
pub struct Places {
    folder: PathBuf,
    overwrite: bool,
    /// Whether nothing is written.
    dry_run: bool,
    taken: HashSet<String>,
    /// Folders that are there and free of what killed runs have left.
    ready: HashSet<PathBuf>,
    /// The one file for standard output: written when it is known to be the only one.
    only: Option<Vec<u8>>,
}

impl Places {
    /// None is taken yet; `-` is standard output.
    pub fn new(folder: &Path, overwrite: bool, dry_run: bool, out: &mut Output) -> Self {
        if input::is_standard(folder) {
            out.divert();
        }
        let (taken, ready) = (HashSet::new(), HashSet::new());
        Self { folder: folder.to_owned(), overwrite, dry_run, taken, ready, only: None }
    }

    /// What reports call the place.
    pub fn shown(&self, file: &Path) -> String {
        match input::is_standard(&self.folder) {
            true => "standard output".to_owned(),
            false => file.display().to_string(),
        }
    }

    /// A file for the object of this path: its groups are folders. Objects that would share a file get
    /// numbers: `Rough.png`, `Rough~2.png`.
    pub fn take(&mut self, path: &str, extension: &str) -> PathBuf {
        let parts: Vec<_> = path.split('.').map(safe_file_name).collect();
        let extension = safe_file_name(extension);
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

    /// Writes what goes to standard output; called at the end.
    pub fn finish(&self, out: &mut Output) -> Result<(), Failure> {
        self.only.as_ref().map_or(Ok(()), |bytes| out.raw(bytes))
    }

    /// Writes a file that was taken, with the folders around it; one that is there only if that is wanted.
    pub fn write(&mut self, file: &Path, bytes: &[u8]) -> Result<(), Failure> {
        self.write_set(&[(file, bytes)])
    }

    /// The same for files of one folder that belong together: all of them, or none.
    pub fn write_set(&mut self, files: &[(&Path, &[u8])]) -> Result<(), Failure> {
        let Some(((file, bytes), members)) = files.split_first() else { return Ok(()) };
        if self.dry_run {
            return Ok(());
        }
        if input::is_standard(&self.folder) {
            if self.only.is_some() || !members.is_empty() {
                let next = "name one object, or a folder with -o";
                return Err(Failure::usage(format!(
                    "standard output takes one file\n  next: {next}"
                )));
            }
            self.only = Some(bytes.to_vec());
            return Ok(());
        }
        let folder = file.parent().unwrap_or(Path::new("."));
        if !self.ready.contains(folder) {
            std::fs::create_dir_all(folder).map_err(|error| farchive::Error::io(folder, error))?;
            file::recover(file)?;
            self.ready.insert(folder.to_owned());
        }
        if let Some((file, _)) = files.iter().find(|(file, _)| input::is_input(file)) {
            let file = file.display();
            let next = "name another folder";
            return Err(Failure::failed(format!("'{file}' is the input itself\n  next: {next}")));
        }
        // Content can be extracted again: thousands of files need not wait for the disk one by one.
        // What they replace may not be.
        let head = Replacement::new(*file, bytes);
        let set = members.iter().fold(head, |set, (file, bytes)| set.with(*file, bytes));
        let replacement = set.overwrite(self.overwrite);
        replacement.unsynced(!self.overwrite).commit().map(drop).map_err(unwritten)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_never_shared() {
        let mut places = Places::new(Path::new("out"), false, true, &mut Output::new(false));
        let mut take = |path| places.take(path, "png").display().to_string().replace('\\', "/");
        assert_eq!(take("Walls.Stone"), "out/Walls/Stone.png");
        assert_eq!(take("walls.STONE"), "out/walls/STONE~2.png");
        assert_eq!(take("Walls.Stone~2"), "out/Walls/Stone_2.png");
        assert_eq!(take("a/../b:c"), "out/a_/_/_b_c.png");
        assert_eq!(take("Con.com1.nul"), "out/Con_/com1_/nul_.png");
        assert_eq!(take("..x. "), "out/_/_/x/_.png");
    }
}
