//! Writing saved packages to files, so that a failure leaves what was there.

use std::io::Write;
use std::path::Path;

use super::Saved;
use super::modern::CompanionKind;
use crate::error::{Error, Result};

impl Saved {
    /// Writes the package to a file: beside it first, then renamed over it, so that a failure leaves what
    /// was there. A package of UE4 or UE5 whose bodies were in a `.uexp` file becomes two files again; both
    /// are written before either is renamed.
    ///
    /// # Errors
    /// `Io`.
    pub fn write_file(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let split = self.split.and_then(|at| usize::try_from(at).ok());
        let Some((header, bodies)) = split.and_then(|at| self.bytes.split_at_checked(at)) else {
            return write_file(path, &self.bytes);
        };
        let exports = CompanionKind::Exports.path_beside(path);
        let header = prepare_file(path, |file| file.write_all(header))?;
        let bodies = prepare_file(&exports, |file| file.write_all(bodies))?;
        finish_file(bodies, &exports)?;
        finish_file(header, path)
    }
}

/// Writes a file that is no package in the same way: beside `path`, then renamed over it; keeps the
/// permissions of a file that is there.
///
/// # Errors
/// `Io`; then what was there is still there.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    write_file_by(path, |file| file.write_all(bytes))
}

/// Nothing stands at `path` that has not been written whole.
fn write_file_by(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    finish_file(prepare_file(path, write)?, path)
}

fn prepare_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<tempfile::NamedTempFile> {
    let fail = |error: std::io::Error| Error::io(path, error);
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new().prefix(".upk-").tempfile_in(folder).map_err(fail)?;
    write(&mut file).map_err(fail)?;
    file.as_file().sync_all().map_err(fail)?;
    match std::fs::metadata(path) {
        Ok(old) => file.as_file().set_permissions(old.permissions()).map_err(fail)?,
        Err(_) => set_default_permissions(file.as_file()).map_err(fail)?,
    }
    Ok(file)
}

fn finish_file(file: tempfile::NamedTempFile, path: &Path) -> Result<()> {
    file.persist(path).map_err(|error| Error::io(path, error.error))?;
    Ok(())
}

/// Temporary files are private; a saved package is an ordinary file.
#[cfg(unix)]
fn set_default_permissions(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn set_default_permissions(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::package::Builder;

    /// Takes `left` bytes, then fails as a full disk does; looks at the target after every byte, as
    /// someone would who comes after a crash at that place.
    struct Full<'a> {
        disk: &'a mut dyn Write,
        left: usize,
        look: &'a dyn Fn(),
    }

    impl Write for Full<'_> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            (self.look)();
            let Some(byte) = bytes.first().filter(|_| self.left > 0) else {
                return Err(std::io::ErrorKind::StorageFull.into());
            };
            self.left -= 1;
            self.disk.write_all(&[*byte])?;
            self.disk.flush()?;
            Ok(1)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            self.disk.flush()
        }
    }

    /// A save that ends after any number of bytes leaves the old file, or no file where there was none,
    /// and nothing beside it.
    #[test]
    fn a_save_that_is_cut_short_leaves_what_was_there() {
        let old = Builder::new(69).name("Old").build().unwrap();
        let new = Builder::new(69).name("A_new_name").name("Another").build().unwrap();
        for there in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("Mod.u");
            if there {
                std::fs::write(&path, &old).unwrap();
            }
            let expected = there.then_some(old.clone());
            let read = || std::fs::read(&path).ok();
            let look = || assert_eq!(read(), expected);
            for left in 0..=new.len() {
                let result =
                    write_file_by(&path, |disk| Full { disk, left, look: &look }.write_all(&new));
                if left < new.len() {
                    assert!(matches!(result.unwrap_err().kind(), ErrorKind::Io { .. }), "{left}");
                    look();
                    let beside = std::fs::read_dir(folder.path()).unwrap().count();
                    assert_eq!(beside, usize::from(there), "{left}");
                } else {
                    result.unwrap();
                    assert_eq!(read().as_ref(), Some(&new));
                }
            }
        }
    }
}
