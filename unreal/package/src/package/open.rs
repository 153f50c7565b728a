//! Opening: from a file or bytes to the typed tables.

#[cfg(feature = "container")]
mod contained;
mod detect;
mod end;
mod other;
mod pair;
mod release;
mod tables;

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;

pub use self::other::recognise_file;
use super::zen::ZenKnown;
use super::{CompanionKind, Package, companion};
use crate::archive::Loader;
use crate::compression::{Container, starts_encrypted};
use crate::container::zen::ZenHeader;

use crate::container::zen::ImportNames;
use crate::error::{Error, ErrorKind, Result, UnrealError, UnrealErrors};
use crate::file::{self, FileOrigin, FileStart, FileState, Links};
use crate::property::mappings::Mappings;
use crate::table::{KILLING_FLOOR_TAG, PACKAGE_TAG};
use crate::version::{EngineRelease, Game, UnrealVersions, Versions};

/// How a package is opened.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    pub(super) game: Game,
    /// The versions of packages that do not say theirs.
    pub(super) written: Option<Versions>,
    /// Whether those are a release that the caller has named.
    written_by_release: bool,
    partly: bool,
    threads: Option<usize>,
    max_image: Option<u64>,
    pub(super) mappings: Option<Arc<Mappings>>,
    pub(super) zen: ZenKnown,
    origin: FileOrigin,
    links: Links,
    /// The containers that paths lead into.
    #[cfg(feature = "container")]
    containers: Arc<crate::container::Containers>,
}

impl OpenOptions {
    /// The usual way: the game is detected.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses this game's layout instead of the one that the versions suggest.
    #[must_use]
    pub fn game(mut self, game: Game) -> Self {
        self.game = game;
        self
    }

    /// Reads packages of UE4 and UE5 that do not say their versions as this release has written them, and
    /// settles with it what no version tells. Without it, those releases whose header fits are tried
    /// ([`ReleaseDetection`](super::ReleaseDetection)).
    #[must_use]
    pub fn engine(mut self, engine: EngineRelease) -> Self {
        self.written = Some(engine.versions());
        self.written_by_release = true;
        self
    }

    /// Opens packages that say no version also where no release is known to read them, as far as the tables of
    /// one can be loaded: to be looked at, not to be saved. Their
    /// [`ReleaseDetection::release`](super::ReleaseDetection::release) is `None`.
    #[must_use]
    pub fn partly(mut self) -> Self {
        self.partly = true;
        self
    }

    /// Decompresses on this many threads instead of one for each core.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Lets compressed packages become this many bytes. Without it they may become 256 MiB, or 64 bytes for
    /// each byte of the file where that is more: no real package comes near, and a file of a few megabytes
    /// can't take gigabytes.
    #[must_use]
    pub fn max_image(mut self, bytes: u64) -> Self {
        self.max_image = Some(bytes);
        self
    }

    /// Where the paths come from that are opened. What was found must be a file; what the user names, as paths are
    /// taken for without this, may be a pipe as well. Files that belong to a package are never named.
    #[must_use]
    pub fn origin(mut self, origin: FileOrigin) -> Self {
        self.origin = origin;
        self
    }

    /// Which links are followed of the files that belong to a package: `.uexp` and bulk data.
    #[must_use]
    pub fn links(mut self, links: Links) -> Self {
        self.links = links;
        self
    }

    /// Decodes bodies of packages that leave the names and types of properties out with these mappings.
    #[must_use]
    pub fn mappings(mut self, mappings: Arc<Mappings>) -> Self {
        self.mappings = Some(mappings);
        self
    }

    /// Calls imported objects by these names in packages of containers, which know them by hashes. Those that it
    /// does not know are called `@` and their hash.
    #[must_use]
    pub fn import_names(mut self, names: Arc<dyn ImportNames>) -> Self {
        self.zen.import_names = Some(names);
        self
    }

    /// The numbers of the packages that a package of a container imports from, as the container lists them: up to
    /// 5.2 it does not say them itself.
    #[must_use]
    pub fn imported_packages(mut self, ids: impl Into<Arc<[u64]>>) -> Self {
        self.zen.imported = Some(ids.into());
        self
    }

    /// Opens the package at `path`, which may lead into a container: `Game.pak/Content/Town.umap`. A compressed or encrypted one is opened through its image; one of UE4
    /// or UE5 with the bodies in the `.uexp` file beside it, if there is one.
    ///
    /// # Errors
    /// `Io`; `NotAPackage`; `Unsupported` for packages that are newer, whose method or cipher is not known,
    /// and where [`OpenOptions::engine`] is needed or wrong; `Compression` for damaged blocks; `TooLarge`
    /// ([`OpenOptions::max_image`]); `MixedPair` for a header and a `.uexp` file that do not belong together;
    /// `Unfinished` where a replacement was cut short ([`crate::file::recover`] ends it); otherwise what does
    /// not fit, with its field.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Package> {
        let path = path.as_ref();
        #[cfg(feature = "container")]
        if let Some((container, inside)) = crate::container::Containers::split(path) {
            return self.open_contained(&container, &inside);
        }
        #[cfg(feature = "container")]
        self.refuse_container(path)?;
        let start = |start: &mut FileStart<'_>| check_start(path, start);
        let (header, state) = file::read_with(path, self.origin, start)?;
        if recognise(&header).is_ok_and(|form| form == Form::ObjectVersions) {
            return self.open_beside(path, header, state);
        }
        companion::refuse(path)?;
        let mut package = self.open_bytes(header)?;
        package.read_from = state.into_iter().collect();
        Ok(package)
    }

    fn open_beside(&self, path: &Path, header: Bytes, state: Option<FileState>) -> Result<Package> {
        // Even where none is seen: it may just be replaced.
        let bodies = CompanionKind::Exports.path_beside(path);
        let mut package = self.open_pair(path, (header, state), &bodies)?;
        package.companions = companion::find(path, self.links)?;
        Ok(package)
    }

    fn open_pair(&self, path: &Path, header: file::File, bodies_path: &Path) -> Result<Package> {
        let ((header, state), bodies) =
            file::read_pair_with(path, header, bodies_path, self.links)?;
        let states = |bodies: Option<FileState>| state.clone().into_iter().chain(bodies).collect();
        if let Some((bodies, bodies_state)) = bodies {
            match self.open_both(&header, &bodies) {
                Ok(Ok(mut package)) => {
                    package.read_from = states(bodies_state);
                    return Ok(package);
                }
                // Its bodies stand behind it in its own file: the one beside it belongs to another package.
                Ok(Err(Split::NotNeeded(stored))) => {
                    let length = header.len();
                    let mut alone = self.open_bytes(header).map_err(|_| {
                        let reason = format!(
                            "the header says that it has {stored} bytes, its file has {length}"
                        );
                        pair::mixed(path, bodies_path, reason)
                    })?;
                    alone.read_from = states(None);
                    return Ok(alone);
                }
                Ok(Err(Split::Mixed(reason))) => {
                    return Err(pair::mixed(path, bodies_path, reason));
                }
                Err(error) => {
                    // A header that is whole by itself needs no other file, whatever stands in that.
                    let Ok(mut alone) = self.open_bytes(header) else { return Err(error) };
                    alone.read_from = states(None);
                    return Ok(alone);
                }
            }
        }
        let mut package = self.open_bytes(header)?;
        package.read_from = states(None);
        Ok(package)
    }

    /// A header with the file of bodies beside it, if there is one.
    #[cfg(feature = "container")]
    fn open_parts(&self, path: &Path, header: Bytes, bodies: Option<Bytes>) -> Result<Package> {
        let is_header = recognise(&header).is_ok_and(|form| form == Form::ObjectVersions);
        let Some(bodies) = bodies.filter(|_| is_header) else { return self.open_bytes(header) };
        match self.open_both(&header, &bodies)? {
            Ok(package) => Ok(package),
            Err(Split::NotNeeded(_)) => self.open_bytes(header),
            Err(Split::Mixed(reason)) => {
                let bodies = CompanionKind::Exports.path_beside(path);
                Err(pair::mixed(path, &bodies, reason))
            }
        }
    }

    /// The outer error is one of the header.
    fn open_both(&self, header: &[u8], bodies: &[u8]) -> Result<Result<Package, Split>> {
        let mut package = match self.open_bytes([header, bodies].concat()) {
            Ok(package) => package,
            // Bodies that lie outside both files.
            Err(error) => match error.kind() {
                &ErrorKind::BadOffset { offset, length } if error.is_in_row_of("exports") => {
                    let reason = format!(
                        "a body stands at {offset} of {length} bytes ({}): the .uexp file is cut short, or of another \
                         save",
                        error.path()
                    );
                    return Ok(Err(Split::Mixed(reason)));
                }
                _ => return Err(error),
            },
        };
        let end = u64::try_from(package.tables.summary.total_header_size).unwrap_or(0);
        let (header, bodies) = (header.len() as u64, bodies.len() as u64);
        if end < header {
            return Ok(Err(Split::NotNeeded(end)));
        }
        if let Err(reason) = package.check_pair(header, bodies) {
            return Ok(Err(Split::Mixed(reason)));
        }
        package.split = Some(header);
        Ok(Ok(package))
    }

    /// Opens a package of UE4 or UE5 whose header (`.uasset`) and bodies (`.uexp`) are in memory.
    ///
    /// # Errors
    /// As [`OpenOptions::open`], without `Io`; `NotAPackage` for a header of UE1 to UE3, whose packages are
    /// one file.
    pub fn open_split(&self, header: &[u8], bodies: &[u8]) -> Result<Package> {
        if recognise(header)? != Form::ObjectVersions {
            let reason = "packages of UE1 to UE3 have no file of bodies beside them".to_owned();
            return Err(UnrealError::NotAPackage { is: None, reason }.into());
        }
        self.open_both(header, bodies)?.map_err(|split| {
            let reason = match split {
                Split::NotNeeded(_) => "the bodies stand behind the header already".to_owned(),
                Split::Mixed(reason) => reason,
            };
            pair::mixed(Path::new("the header"), Path::new("the bodies"), reason)
        })
    }

    /// Opens a package that is in memory.
    ///
    /// # Errors
    /// As [`OpenOptions::open`], without `Io`.
    pub fn open_bytes(&self, source: impl Into<Bytes>) -> Result<Package> {
        let mut source = source.into();
        if recognise(&source).is_ok_and(|form| form == Form::ObjectVersions) {
            return Package::open_by_release(source, self);
        }
        if let Some(package) = self.open_zen(&source) {
            return package;
        }
        let versions = Versions::unreal().with_game(self.game);
        let container = Container::open(&source, versions.clone(), self.threads, self.max_image)?;
        let container = container.map(Arc::new);
        if let Some(container) = &container {
            source = container.image();
        }
        if recognise(&source)? == Form::ObjectVersions {
            return Err(Error::unsupported("a package of UE4 or UE5 inside a compressed file"));
        }
        // The handle is cheap; the loader borrows from it while the package takes the other.
        let bytes = source.clone();
        let mut loader = Loader::new(&bytes, versions);
        let mut package = Package::empty(source);
        package.container = container;
        package.load(&bytes, &mut loader)?;
        Ok(package)
    }
}

/// Why a header and a file of bodies are not opened as one package.
enum Split {
    /// The header, of so many bytes, has its bodies behind it.
    NotNeeded(u64),
    /// They do not belong together.
    Mixed(String),
}

/// The form in which a header says its versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// UE1 to UE3.
    FileVersion,
    /// UE4 and UE5.
    ObjectVersions,
}

/// Whether a file may be a package, by its first bytes: what is none is not read to its end.
///
/// # Errors
/// As [`OpenOptions::open`] has them for what is no package.
fn check_start(path: &Path, start: &mut FileStart<'_>) -> Result<()> {
    if ZenHeader::may_start_within(start.bytes, start.length) || starts_encrypted(start.bytes) {
        return Ok(());
    }
    let is_none = match recognise(start.bytes) {
        Ok(_) => return Ok(()),
        Err(error) if !matches!(error.unreal(), Some(UnrealError::NotAPackage { .. })) => {
            return Err(error);
        }
        Err(error) => error,
    };
    companion::refuse(path)?;
    let end = start.end();
    match other::recognise_parts(start.bytes, &end, start.length) {
        Some(file) => Err(UnrealError::from(file).into()),
        None => Err(is_none),
    }
}

/// Whether a file of `length` bytes that starts so may be a package: of what is none, nothing more need be fetched.
#[doc(hidden)]
pub fn may_be_package(start: &[u8], length: u64) -> bool {
    let is_none = |error: &Error| matches!(error.unreal(), Some(UnrealError::NotAPackage { .. }));
    ZenHeader::may_start_within(start, length)
        || starts_encrypted(start)
        || recognise(start).err().is_none_or(|error| !is_none(&error))
}

/// Tells what can't be opened apart from what is no package at all, and the two forms of headers.
fn recognise(source: &[u8]) -> Result<Form> {
    let word = |at: usize| source.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
    let Some(tag) = word(0) else {
        let reason = format!("{} bytes are too few", source.len());
        return Err(UnrealError::NotAPackage { is: None, reason }.into());
    };
    let swap = u32::from_le_bytes(tag) == PACKAGE_TAG.swap_bytes();
    let number = |bytes: [u8; 4]| match swap {
        true => u32::from_be_bytes(bytes),
        false => u32::from_le_bytes(bytes),
    };
    match (number(tag), word(4).map(number)) {
        (PACKAGE_TAG, Some(version)) if (-16..0).contains(&(version as i32)) => {
            Ok(Form::ObjectVersions)
        }
        (PACKAGE_TAG | KILLING_FLOOR_TAG, _) => Ok(Form::FileVersion),
        (tag, _) => {
            if let Some(file) = other::recognise_file(source) {
                return Err(UnrealError::from(file).into());
            }
            let reason = format!("the file starts with {tag:#010x} instead of {PACKAGE_TAG:#010x}");
            Err(UnrealError::NotAPackage { is: None, reason }.into())
        }
    }
}

impl Package {
    /// Opens the package at `path`.
    ///
    /// # Errors
    /// As [`OpenOptions::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        OpenOptions::new().open(path)
    }

    /// Opens a package that is in memory.
    ///
    /// # Errors
    /// As [`OpenOptions::open`].
    pub fn from_bytes(source: impl Into<Bytes>) -> Result<Self> {
        OpenOptions::new().open_bytes(source)
    }

    #[doc(hidden)]
    pub fn empty(source: Bytes) -> Self {
        Self {
            source,
            versions: Versions::unreal(),
            tables: Default::default(),
            bodies: Default::default(),
            rows_changed: false,
            typed: false,
            former: None,
            baseline: None,
            caches: Default::default(),
            known: Default::default(),
            places: Vec::new(),
            claims: Default::default(),
            container: None,
            read_from: Default::default(),
            split: None,
            companions: Vec::new(),
            mappings: None,
            kept_mappings: Default::default(),
            hash_was_right: None,
            detection: None,
        }
    }
}
