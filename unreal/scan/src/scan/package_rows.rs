//! The rows of one file, whatever it holds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::PackageRows;
use super::depot::{FileFault, FileToScan, KnownFile};
use crate::container::Containers;
use crate::environment::is_passed_over;
use crate::error::{Error, UnrealError, UnrealErrors};
use crate::file::{self, FileOrigin};
use crate::inspect::package_path;
use crate::package::{CompanionKind, OpenOptions, Package};

/// A file of a scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannedFile {
    /// The path by which it was found.
    pub path: String,
    /// That below the scanned folder: [`FileToScan::relative_path`].
    pub relative_path: String,
    /// What other packages call it.
    pub mount_path: String,
    /// Size, bytes: of header and bodies together.
    pub bytes: u64,
    /// When it was written, or the container that it lies in, nanoseconds since 1970.
    pub modified: Option<i64>,
    /// The hash of its bytes, hexadecimal; `None` where it can't be read.
    pub blake3: Option<String>,
    /// What stands for that hash in the key: [`FileToScan::content_key`].
    pub content_key: Option<String>,
}

impl ScannedFile {
    /// That of an open package with this path.
    pub fn of(package: &Package, path: &str) -> Self {
        let states = package.read_from();
        let hash = match states {
            [] => blake3::hash(package.file()),
            [one] => one.hash(),
            several => {
                let mut hasher = blake3::Hasher::new();
                for state in several {
                    hasher.update(state.hash().as_bytes());
                }
                hasher.finalize()
            }
        };
        let modified = states.iter().filter_map(|state| state.modified()).max();
        Self {
            path: path.to_owned(),
            relative_path: path.to_owned(),
            mount_path: package_path(package).unwrap_or_else(|| stem(path)),
            bytes: package.file().len() as u64,
            modified: modified.and_then(nanoseconds),
            blake3: Some(hash.to_hex().to_string()),
            content_key: None,
        }
    }

    /// That of what can't be looked into: nothing of it is read.
    fn unread(to_scan: &FileToScan) -> Self {
        let metadata = std::fs::metadata(&to_scan.file).ok();
        let modified = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
        Self {
            path: to_scan.path.clone(),
            relative_path: to_scan.relative_path.clone(),
            mount_path: to_scan.mount_path.clone().unwrap_or_else(|| stem(&to_scan.path)),
            bytes: metadata.filter(std::fs::Metadata::is_file).map_or(0, |file| file.len()),
            modified: modified.and_then(nanoseconds),
            blake3: None,
            content_key: to_scan.content_key.clone(),
        }
    }

    /// That of a file which can't be opened as a package.
    fn unopened(to_scan: &FileToScan, containers: &Containers) -> Self {
        let path = &to_scan.path;
        let file = &*to_scan.file;
        if let Some((container, _)) = Containers::split(file) {
            let content = containers.read(file).and_then(Result::ok);
            return Self {
                path: path.clone(),
                relative_path: to_scan.relative_path.clone(),
                mount_path: to_scan.mount_path.clone().unwrap_or_else(|| stem(path)),
                bytes: content.as_ref().map_or(0, |bytes| bytes.len() as u64),
                modified: modified_of(&container),
                blake3: content.map(|bytes| content_hash(&bytes)),
                content_key: to_scan.content_key.clone(),
            };
        }
        let metadata = std::fs::metadata(file).ok();
        let content = file::hash_of(file, to_scan.origin()).ok();
        let bodies = CompanionKind::Exports.path_beside(file);
        let is_split = CompanionKind::may_have_bodies(file);
        let bodies_modified = std::fs::metadata(&bodies).ok().filter(|_| is_split);
        let bodies = is_split.then(|| file::hash_of(&bodies, FileOrigin::Found).ok()).flatten();
        let more = bodies_modified.as_ref().filter(|_| bodies.is_some());
        let more = more.map_or(0, std::fs::Metadata::len);
        let hash = match (content, bodies) {
            (Some(first), Some(second)) => {
                let mut hasher = blake3::Hasher::new();
                hasher.update(first.as_bytes()).update(second.as_bytes());
                Some(hasher.finalize())
            }
            (first, second) => first.or(second),
        };
        let both = metadata.iter().chain(&bodies_modified);
        let modified = both.filter_map(|metadata| metadata.modified().ok()).max();
        Self {
            path: path.clone(),
            relative_path: to_scan.relative_path.clone(),
            mount_path: to_scan.mount_path.clone().unwrap_or_else(|| stem(path)),
            bytes: metadata.map_or(0, |metadata| metadata.len()) + more,
            modified: modified.and_then(nanoseconds),
            blake3: hash.map(|hash| hash.to_hex().to_string()),
            content_key: to_scan.content_key.clone(),
        }
    }

    /// What a later scan must know of it.
    pub(super) fn known(&self, id: i64) -> KnownFile {
        let bytes = i64::try_from(self.bytes).unwrap_or(i64::MAX);
        KnownFile { id, path: self.path.as_str().into(), bytes, modified: self.modified }
    }

    /// The key of the package.
    pub fn id(&self) -> i64 {
        let mut hasher = blake3::Hasher::new();
        // Not by where the folder lies: scans of equal folders on two machines have equal keys.
        hasher.update(self.relative_path.as_bytes()).update(&[0]);
        let content = self.content_key.as_deref().or(self.blake3.as_deref());
        hasher.update(content.unwrap_or_default().as_bytes());
        let hash = hasher.finalize();
        let (first, _) = hash.as_bytes().as_chunks::<8>();
        i64::from_le_bytes(first[0])
    }
}

/// What a file's name says its package is called.
pub(super) fn stem(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

/// When a file was written, nanoseconds since 1970.
pub(super) fn modified_of(file: &Path) -> Option<i64> {
    std::fs::metadata(file).and_then(|metadata| metadata.modified()).ok().and_then(nanoseconds)
}

/// A time as a number of nanoseconds since 1970.
pub(super) fn nanoseconds(time: SystemTime) -> Option<i64> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_nanos()).ok()
}

/// Adds the rows of a file; `prepare` gets the package first. Says what the file was, or `None` for a file that is
/// no package, that nobody has named and that is not called like one.
///
/// A file that can't be opened is a row with its error, and so is one over which the library panics.
pub fn rows_of_file(
    rows: &mut PackageRows,
    file: &FileToScan,
    options: &OpenOptions,
    prepare: impl Fn(&mut Package),
) -> Option<ScannedFile> {
    match rows_of_changed(rows, file, options, prepare, None) {
        FileRows::NoPackage => None,
        FileRows::Same(file) | FileRows::Added { file, .. } => Some(file),
    }
}

/// What became of a file.
pub(super) enum FileRows {
    NoPackage,
    /// Its content is the known one: there are no new rows.
    Same(ScannedFile),
    Added {
        file: ScannedFile,
        is_open: bool,
    },
}

/// The same; no rows are made where the file's key is the known one.
pub(super) fn rows_of_changed(
    rows: &mut PackageRows,
    file: &FileToScan,
    options: &OpenOptions,
    prepare: impl Fn(&mut Package),
    known: Option<i64>,
) -> FileRows {
    if let Some(fault) = &file.fault {
        let scanned = ScannedFile::unread(file);
        if known == Some(scanned.id()) {
            return FileRows::Same(scanned);
        }
        rows.add_failure(&scanned, fault.is_unsupported, &fault.reason);
        return FileRows::Added { file: scanned, is_open: false };
    }
    let options = &options.clone().origin(file.origin());
    let failure = match catch(|| options.open(&file.file)) {
        Ok(Ok(mut package)) => {
            let mut scanned = ScannedFile::of(&package, &file.path);
            if let Some((container, _)) = Containers::split(&file.file) {
                scanned.modified = modified_of(&container);
            }
            if let Some(mount_path) = &file.mount_path {
                scanned.mount_path.clone_from(mount_path);
            }
            scanned.relative_path.clone_from(&file.relative_path);
            scanned.content_key.clone_from(&file.content_key);
            if known == Some(scanned.id()) {
                return FileRows::Same(scanned);
            }
            let added = catch(|| {
                prepare(&mut package);
                rows.add_package(&scanned, &package);
            });
            match added {
                Ok(()) => return FileRows::Added { file: scanned, is_open: true },
                Err(failure) => failure,
            }
        }
        Ok(Err(error)) if !file.is_named && is_passed_over(&file.file, &error) => {
            return FileRows::NoPackage;
        }
        Ok(Err(error)) => FileFault::of(&error),
        Err(failure) => failure,
    };
    let scanned = ScannedFile::unopened(file, options.open_containers());
    if known == Some(scanned.id()) {
        return FileRows::Same(scanned);
    }
    rows.add_failure(&scanned, failure.is_unsupported, &failure.reason);
    FileRows::Added { file: scanned, is_open: false }
}

impl FileFault {
    pub(super) fn of(error: &Error) -> Self {
        match error.unreal() {
            Some(UnrealError::Unsupported { reason, .. }) => {
                Self { is_unsupported: true, reason: reason.clone() }
            }
            Some(UnrealError::NeedsKey { .. }) => {
                Self { is_unsupported: true, reason: error.to_string() }
            }
            _ => Self { is_unsupported: false, reason: error.to_string() },
        }
    }
}

/// One file that makes the library panic must not end a scan of thousands.
pub(super) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, FileFault> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "no message".to_owned());
        let reason = format!("panic (please report this file): {text}");
        FileFault { is_unsupported: false, reason }
    })
}

/// The hash of bytes, hexadecimal.
pub fn content_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// The same of all that a reader gives, piece by piece; and how many bytes that are.
///
/// # Errors
/// Those of the reader.
pub fn content_hash_of(reader: impl std::io::Read) -> std::io::Result<(String, u64)> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(reader)?;
    Ok((hasher.finalize().to_hex().to_string(), hasher.count()))
}
