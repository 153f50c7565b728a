//! The files that a run writes into a folder, under names that come from inside of files.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use unreal_packages::file::{self, FileOrigin, Replacement, safe_file_name};

use crate::failure::Failure;
use crate::input;
use crate::output::{Output, printable};
use crate::taken::{Refused, TakenNames};
use crate::target::unwritten;

/// A folder that results are written to, file by file, or standard output for one of them.
#[derive(Debug)]
pub struct Places {
    folder: PathBuf,
    overwrite: bool,
    /// Whether nothing is written.
    dry_run: bool,
    names: TakenNames,
    /// Folders that are there and free of what killed runs have left.
    ready: HashSet<PathBuf>,
    /// The one file for standard output: written when it is known to be the only one.
    only: Option<Vec<u8>>,
    failed: u64,
}

impl Places {
    /// None is taken yet; `-` is standard output.
    pub fn new(folder: &Path, overwrite: bool, dry_run: bool, out: &mut Output) -> Self {
        if input::is_standard(folder) {
            out.divert();
        }
        let (names, ready) = (TakenNames::default(), HashSet::new());
        Self { folder: folder.to_owned(), overwrite, dry_run, names, ready, only: None, failed: 0 }
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
    pub fn take(&mut self, path: &str, extension: &str) -> Result<PathBuf, Failure> {
        self.take_part(path, "", extension)
    }

    /// A file for a part of the object, with what stands behind its name: `~mip1`, as no object is called.
    pub fn take_part(
        &mut self,
        path: &str,
        part: &str,
        extension: &str,
    ) -> Result<PathBuf, Failure> {
        let inside = format!("{}{part}.{}", stem_of(path), safe_file_name(extension));
        let refused = |refused: Refused| Failure::failed(format!("{path}: {}", refused.reason()));
        Ok(self.folder.join(self.names.take(&inside).map_err(refused)?))
    }

    /// Files for these paths in a container, from the folder.
    pub fn plan<'a>(
        &mut self,
        paths: impl Iterator<Item = &'a str> + Clone,
    ) -> Vec<Result<String, Refused>> {
        self.names.plan(paths)
    }

    /// Writes a file, and says whether it did: one that can't be written is named, and the others go on.
    ///
    /// # Errors
    /// Wrong usage, which every file would have.
    pub fn try_write(
        &mut self,
        file: &Path,
        bytes: &[u8],
        out: &mut Output,
    ) -> Result<bool, Failure> {
        self.try_write_set(&[(file, bytes)], out)
    }

    /// The same for files of one folder that belong together: all of them, or none.
    ///
    /// # Errors
    /// Wrong usage, which every file would have.
    pub fn try_write_set(
        &mut self,
        files: &[(&Path, &[u8])],
        out: &mut Output,
    ) -> Result<bool, Failure> {
        match self.write_set(files) {
            Ok(()) => Ok(true),
            Err(failure @ Failure::Failed(_)) => {
                self.failed += files.len() as u64;
                let file = files.first().map_or(Path::new(""), |(file, _)| file);
                let text = match failure.parts() {
                    (message, Some(next)) => format!("{message}; next: {next}"),
                    (message, None) => message,
                };
                let file = self.shown(file);
                let line = if failure.names(&file) { text } else { format!("{file}: {text}") };
                out.warn(printable(&line))?;
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Files that [`Self::try_write`] could not write.
    pub fn failed(&self) -> u64 {
        self.failed
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
            self.refuse_links(folder)?;
            std::fs::create_dir_all(folder)
                .map_err(|error| unreal_packages::Error::io(folder, error))?;
            file::recover(file)?;
            self.ready.insert(folder.to_owned());
        }
        if let Some((file, _)) = files.iter().find(|(file, _)| input::is_input(file)) {
            let file = file.display().to_string();
            let message = format!("'{file}' is the input itself\n  next: name another folder");
            return Err(Failure::naming(file, message));
        }
        if let Some((file, _)) = files.iter().find(|(file, _)| file.is_symlink()) {
            return Err(is_link(file));
        }
        // Content can be extracted again: thousands of files need not wait for the disk one by one.
        // What they replace may not be.
        let head = Replacement::new(*file, bytes);
        let set = members.iter().fold(head, |set, (file, bytes)| set.with(*file, bytes));
        let replacement = set.origin(FileOrigin::Found).overwrite(self.overwrite);
        replacement.unsynced(!self.overwrite).commit().map(drop).map_err(unwritten)
    }

    /// A link below the folder would lead what is written out of it.
    fn refuse_links(&self, folder: &Path) -> Result<(), Failure> {
        let inside = folder.strip_prefix(&self.folder).unwrap_or(Path::new(""));
        let mut path = self.folder.clone();
        for part in inside.components().filter(|part| matches!(part, Component::Normal(_))) {
            path.push(part);
            if path.is_symlink() {
                return Err(is_link(&path));
            }
        }
        Ok(())
    }
}

/// The path of an object's file without its extension, from the folder that everything was extracted to: what stands
/// in names never leads out of it.
pub fn stem_of(path: &str) -> String {
    path.split('.').map(safe_file_name).collect::<Vec<_>>().join("/")
}

fn is_link(path: &Path) -> Failure {
    let shown = path.display().to_string();
    let message = format!("'{shown}' is a link\n  next: remove it, or name another folder");
    Failure::naming(shown, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_never_shared() {
        let mut places = Places::new(Path::new("out"), false, true, &mut Output::new(false));
        let mut take =
            |path| places.take(path, "png").unwrap().display().to_string().replace('\\', "/");
        assert_eq!(take("Walls.Stone"), "out/Walls/Stone.png");
        assert_eq!(take("walls.STONE"), "out/Walls/STONE~2.png");
        assert_eq!(take("Walls.Stone~2"), "out/Walls/Stone_2.png");
        assert_eq!(take("a/../b:c"), "out/a_/_/_b_c.png");
        assert_eq!(take("Con.com1.nul"), "out/Con_/com1_/nul_.png");
        assert_eq!(take("..x. "), "out/_/_/x/_.png");
    }
}
