//! Inputs: files, and standard input under the name `-`.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use unreal_packages::Error;
use unreal_packages::container::Containers;
use unreal_packages::error::{OtherFile, UnrealError, UnrealErrors};
use unreal_packages::file::{self, File, Links};
use unreal_packages::package::{OpenOptions, Package};

use crate::containers;

/// The name of standard input and standard output.
pub const STANDARD: &str = "-";

/// The files that were read: none of them may be written over.
static READ: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

static LINKS: OnceLock<Links> = OnceLock::new();

/// Follows links out of folders from here on, if that is wanted.
pub fn set_up(follow_links: bool) {
    let links = if follow_links { Links::Followed } else { Links::Inside };
    // Set once, before anything is opened.
    let _ = LINKS.set(links);
}

/// Which links are followed in folders.
pub fn links() -> Links {
    LINKS.get().copied().unwrap_or_default()
}

/// Whether a path stands for standard input or standard output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new(STANDARD)
}

/// The bytes of an input, and what the file was; standard input has no state.
pub fn read(path: &Path) -> Result<File, Error> {
    if is_standard(path) {
        return Ok((standard()?, None));
    }
    if Containers::split(path).is_some()
        && let Some(bytes) = containers::open(path, None)?.read(path)
    {
        note_container(path);
        return Ok((bytes?, None));
    }
    note(path);
    file::read(path)
}

/// The package in an input.
pub fn open(path: &Path, options: &OpenOptions) -> Result<Package, Error> {
    if is_standard(path) {
        return options.open_bytes(standard()?);
    }
    note(path);
    note_container(path);
    let package = options.open(path).map_err(|error| named(path, error))?;
    package.read_from().iter().for_each(|file| note(file.path()));
    Ok(package)
}

/// An error about a file whose name says what its content does not: texts of the oldest version have no magic.
fn named(path: &Path, error: Error) -> Error {
    let is_unknown = matches!(error.unreal(), Some(UnrealError::NotAPackage { is: None, .. }));
    match is_unknown && path.extension().is_some_and(|it| it.eq_ignore_ascii_case("locres")) {
        true => UnrealError::from(OtherFile::LocalizedTexts).into(),
        false => error,
    }
}

/// Whether a file was read.
pub fn is_input(path: &Path) -> bool {
    let Ok(path) = dunce::canonicalize(path) else { return false };
    READ.lock().unwrap_or_else(PoisonError::into_inner).contains(&path)
}

fn note_container(path: &Path) {
    if let Some((container, _)) = Containers::split(path) {
        note_all(&containers::parts(&container));
    }
}

/// Notes that these files are read: none of them is written over.
pub fn note_all(files: &[PathBuf]) {
    files.iter().for_each(|file| note(file));
}

fn note(path: &Path) {
    if let Ok(path) = dunce::canonicalize(path) {
        READ.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
    }
}

/// Standard input to its end; read once, since some commands look at their input twice.
fn standard() -> Result<Bytes, Error> {
    static BYTES: OnceLock<Bytes> = OnceLock::new();
    if let Some(bytes) = BYTES.get() {
        return Ok(bytes.clone());
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| Error::io(Path::new("standard input"), error))?;
    Ok(BYTES.get_or_init(|| bytes.into()).clone())
}
