//! The cache of downloaded packages: files under their GUIDs, and the index that knows their names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Ini;
use crate::error::{Error, ErrorKind, Result, Unreadable, UnrealError, UnrealErrors, noun};
use crate::file::{self, FileOrigin, Links, Replacement};
use crate::package::OpenOptions;
use crate::primitive::Guid;

/// The index file and its section.
const INDEX: &str = "Cache.ini";
const SECTION: &str = "Cache";

/// How often the index is read again when others change it meanwhile.
const ATTEMPTS: u32 = 32;

/// A folder of downloaded packages.
///
/// A file is called `<GUID>.uxx`, 32 hexadecimal digits; `Cache.ini` beside them has lines
/// `<GUID>=<OriginalName.ext>` in the section `Cache`. Spec: ue1-3/08 §8.1.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    extension: String,
    index_path: PathBuf,
    index: Ini,
    entries: BTreeMap<Guid, CacheEntry>,
    /// Files with the cache's extension whose names are no GUIDs.
    others: Vec<PathBuf>,
    /// Files that no engine puts into a cache.
    foreign: Vec<PathBuf>,
}

/// One package of a cache.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CacheEntry {
    /// The GUID that its name or the index says.
    pub guid: Guid,
    /// The file.
    pub path: PathBuf,
    /// The name that the package had where it comes from, `Botpack.u`, if the index knows it.
    pub original: Option<String>,
    /// Whether the file is there.
    pub exists: bool,
    /// Size of the file, bytes.
    pub bytes: u64,
}

/// The state of a file of a cache, as a look into it has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "state", rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum CacheState {
    /// All is well.
    Fine,
    /// The index does not know its name.
    NotIndexed,
    /// The index names it, but there is no file.
    FileMissing,
    /// The header has another GUID than the name: an engine would take it for the wrong package.
    GuidDiffers {
        /// The GUID in the header.
        header: Guid,
    },
    /// The file can't be opened.
    Unreadable {
        /// Why not.
        reason: String,
    },
    /// The file has the cache's extension, but its name is no GUID.
    NotNamed,
    /// The file has another extension than those of the cache: no engine looks for it there.
    Foreign,
}

/// A file of a cache that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheFault {
    /// The file.
    pub path: PathBuf,
    /// The fault.
    pub state: CacheState,
}

impl CacheState {
    /// The state for people.
    pub fn describe(&self) -> String {
        match self {
            Self::Fine => "fine".to_owned(),
            Self::NotIndexed => "not in the index".to_owned(),
            Self::FileMissing => "in the index, but there is no file".to_owned(),
            Self::GuidDiffers { header } => format!("its header says {header}"),
            Self::Unreadable { reason } => format!("can't be opened: {reason}"),
            Self::NotNamed => "its name is no GUID".to_owned(),
            Self::Foreign => "no file of the cache: nothing finds it there".to_owned(),
        }
    }
}

impl Cache {
    /// The cache in `folder`, whose files end in `extension` (`.uxx`).
    ///
    /// # Errors
    /// `Io` when the folder or the index can't be read.
    pub fn open(folder: impl Into<PathBuf>, extension: &str) -> Result<Self> {
        let folder = folder.into();
        let extension = extension.trim_start_matches('.').to_ascii_lowercase();
        let io = |error| Error::io(&folder, error);
        let (mut index_path, mut files, mut foreign) = (folder.join(INDEX), Vec::new(), Vec::new());
        for entry in std::fs::read_dir(&folder).map_err(io)? {
            let path = entry.map_err(io)?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.eq_ignore_ascii_case(INDEX) {
                index_path = path;
            } else if has_extension(&path, &extension) {
                files.push(path);
            } else if !name.starts_with('.') && path.is_file() {
                foreign.push(path);
            }
        }
        foreign.sort();
        let index = if index_path.is_file() { Ini::open(&index_path)? } else { Ini::default() };
        let (entries, others) = (BTreeMap::new(), Vec::new());
        let mut cache = Self { folder, extension, index_path, index, entries, others, foreign };
        files.sort();
        cache.note_files(files);
        Ok(cache)
    }

    fn note_files(&mut self, files: Vec<PathBuf>) {
        for path in files {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let Ok(guid) = stem.parse::<Guid>() else {
                self.others.push(path);
                continue;
            };
            let bytes = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
            let entry = CacheEntry { guid, path, original: None, exists: true, bytes };
            self.entries.insert(guid, entry);
        }
        let named: Vec<(Guid, String)> = self
            .index
            .entries(SECTION)
            .filter_map(|(key, value)| Some((key.parse().ok()?, value.to_owned())))
            .collect();
        for (guid, original) in named {
            let path = self.path_of(guid);
            let missing = CacheEntry { guid, path, original: None, exists: false, bytes: 0 };
            self.entries.entry(guid).or_insert(missing).original = Some(original);
        }
    }

    fn path_of(&self, guid: Guid) -> PathBuf {
        self.folder.join(format!("{guid}.{}", self.extension))
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether a file is one of this cache's.
    pub fn holds(&self, file: &Path) -> bool {
        file.parent() == Some(&self.folder) && has_extension(file, &self.extension)
    }

    /// Its packages by GUID: files, and what only the index has.
    pub fn entries(&self) -> impl Iterator<Item = &CacheEntry> {
        self.entries.values()
    }

    /// The package with this GUID.
    pub fn find(&self, guid: Guid) -> Option<&CacheEntry> {
        self.entries.get(&guid)
    }

    /// The packages that had this name, with or without its extension.
    pub fn find_name<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a CacheEntry> {
        self.entries().filter(move |entry| {
            entry.original.as_ref().is_some_and(|original| {
                let stem = Path::new(original).file_stem().and_then(|stem| stem.to_str());
                original.eq_ignore_ascii_case(name)
                    || stem.is_some_and(|stem| stem.eq_ignore_ascii_case(name))
            })
        })
    }

    /// Opens the file of an entry and compares.
    pub fn check(&self, entry: &CacheEntry, options: &OpenOptions) -> CacheState {
        if !entry.exists {
            return CacheState::FileMissing;
        }
        match options.open(&entry.path) {
            Err(error) => CacheState::Unreadable { reason: error.to_string() },
            Ok(package) if package.guid() != entry.guid => {
                CacheState::GuidDiffers { header: package.guid() }
            }
            Ok(_) if entry.original.is_none() => CacheState::NotIndexed,
            Ok(_) => CacheState::Fine,
        }
    }

    /// Everything that is not as it should be.
    pub fn faults(&self, options: &OpenOptions) -> Vec<CacheFault> {
        let fault = |state: CacheState| {
            move |path: &PathBuf| CacheFault { path: path.clone(), state: state.clone() }
        };
        let others = self.others.iter().map(fault(CacheState::NotNamed));
        let others = others.chain(self.foreign.iter().map(fault(CacheState::Foreign)));
        let checked = self.entries().map(|entry| CacheFault {
            path: entry.path.clone(),
            state: self.check(entry, options),
        });
        others.chain(checked.filter(|fault| fault.state != CacheState::Fine)).collect()
    }

    /// Copies a package out of the cache, to `target` or under its original name into the folder
    /// `target`; says where it went. A file that is there is replaced with `overwrite` alone.
    ///
    /// # Errors
    /// `NotFound`; `Exists`; `Invalid` when the index knows no name or one that leads elsewhere; `NotReadable` for a
    /// link that leads out of the cache; `NotReplaceable` for a link of the index's name; `Io`.
    pub fn extract(&self, guid: Guid, target: &Path, overwrite: bool) -> Result<PathBuf> {
        let not_found = || ErrorKind::NotFound {
            what: noun::PACKAGE,
            name: guid.to_string(),
            hint: format!(" in the cache {}", self.folder.display()),
        };
        let entry = self.find(guid).filter(|entry| entry.exists).ok_or_else(not_found)?;
        if !Links::Inside.allow(&entry.path, &[&self.folder]) {
            let reason =
                "it is a link that leads out of the cache: read what it leads to by its own path";
            return Err(file::refused(&entry.path, Unreadable::OutwardLink, reason));
        }
        let (target, origin) = match target.is_dir() {
            false => (target.to_path_buf(), FileOrigin::Named),
            true => {
                let unnamed = format!("the index has no name for {guid}: name a file to write");
                let name = entry.original.as_deref().ok_or_else(|| Error::invalid(unnamed))?;
                (target.join(plain_name(name)?), FileOrigin::Found)
            }
        };
        let (bytes, _) = file::read_found(&entry.path)?;
        Replacement::new(&target, &bytes).origin(origin).overwrite(overwrite).commit()?;
        Ok(target)
    }

    /// Copies the package in the file `from` into the cache under its GUID and notes its name in the index. A file
    /// with this GUID is replaced.
    ///
    /// # Errors
    /// As [`OpenOptions::open`]; `Invalid` for a package without GUID; `NotReplaceable` for a link in the cache, of
    /// which the user has not named the file behind it; `Io`.
    pub fn add(&mut self, from: &Path, options: &OpenOptions) -> Result<CacheEntry> {
        let guid = options.open(from)?.guid();
        if guid.is_zero() {
            return Err(Error::invalid(format!("{} has no GUID to be found by", from.display())));
        }
        let name = from.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let name = plain_name(name)?.to_owned();
        let (bytes, _) = file::read(from)?;
        let path = match self.find(guid) {
            Some(entry) if entry.exists => entry.path.clone(),
            _ => self.path_of(guid),
        };
        // What a killed run has left half done is ended before the index is read.
        if !self.index_path.is_symlink() {
            file::recover(&self.index_path)?;
        }
        // Others may add packages at the same time: their lines stay.
        for attempt in 1.. {
            let (mut index, state) = match file::read_found(&self.index_path) {
                Ok((bytes, state)) => (Ini::parse(&bytes), state),
                Err(error) if error.is_not_found() => (Ini::default(), None),
                Err(error) => return Err(error),
            };
            index.set(SECTION, &guid.to_string(), &name);
            let text = index.to_bytes();
            let is_new = state.is_none();
            let mut replacement = Replacement::new(&self.index_path, &text)
                .origin(FileOrigin::Found)
                .overwrite(!is_new);
            // The line and its file come as one; a new index can't take the place of anything.
            if is_new && path.exists() {
                let file = Replacement::new(&path, &bytes).origin(FileOrigin::Found);
                file.overwrite(true).commit()?;
            } else if !file::holds(&path, &bytes).is_ok_and(|same| same) {
                replacement = replacement.with(&path, &bytes);
            }
            match replacement.read(state.as_slice()).commit() {
                Err(error) if is_raced(&error) && attempt < ATTEMPTS => {}
                Err(error) => return Err(error),
                Ok(_) => {
                    self.index = index;
                    break;
                }
            }
        }
        let (bytes, original) = (bytes.len() as u64, Some(name));
        let entry = CacheEntry { guid, path, original, exists: true, bytes };
        self.entries.insert(guid, entry.clone());
        Ok(entry)
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension()
        .and_then(|end| end.to_str())
        .is_some_and(|end| end.eq_ignore_ascii_case(extension))
}

/// Whether another program has written the file meanwhile.
fn is_raced(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Exists { .. })
        || matches!(error.unreal(), Some(UnrealError::Changed { .. }))
}

/// A file name that leads nowhere else and works on every system: anybody may have written the index.
fn plain_name(name: &str) -> Result<&str> {
    match file::file_name_fault(name) {
        Some(fault) => Err(Error::invalid(format!("'{name}' is no name for a file: {fault}"))),
        None => Ok(name),
    }
}
