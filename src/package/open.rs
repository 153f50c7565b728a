//! Opening: from a file or bytes to the typed tables.

mod tables;

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;

use super::modern::companion;
use super::{Companion, CompanionKind, Package};
use crate::archive::Loader;
use crate::compression::Container;
use crate::error::{Error, ErrorKind, Result};
use crate::property::mappings::Mappings;
use crate::table::{PACKAGE_TAG, Summary};
use crate::version::{EngineRelease, Game, Versions};

/// How a package is opened.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    pub(super) game: Game,
    /// What packages that do not say their versions were written with.
    pub(super) written: Option<Versions>,
    threads: Option<usize>,
    max_image: Option<u64>,
    pub(super) mappings: Option<Arc<Mappings>>,
    in_memory: bool,
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
    /// settles with it what no version tells.
    #[must_use]
    pub fn engine(mut self, engine: EngineRelease) -> Self {
        self.written = Some(engine.versions());
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

    /// Decodes bodies of packages that leave the names and types of properties out with these mappings.
    #[must_use]
    pub fn mappings(mut self, mappings: Arc<Mappings>) -> Self {
        self.mappings = Some(mappings);
        self
    }

    /// Reads files into memory even where they could be mapped: for those who replace the file that they
    /// have opened, which not every system allows while it is mapped.
    #[must_use]
    pub fn in_memory(mut self) -> Self {
        self.in_memory = true;
        self
    }

    fn read(&self, path: &Path) -> Result<Bytes> {
        let bytes = if self.in_memory { std::fs::read(path).map(Bytes::from) } else { read(path) };
        bytes.map_err(|error| Error::io(path, error))
    }

    /// Opens the package at `path`. A compressed or encrypted one is opened through its image; one of UE4
    /// or UE5 with the bodies in the `.uexp` file beside it, if there is one.
    ///
    /// # Errors
    /// `Io`; `NotAPackage`; `Unsupported` for packages that are newer, whose method or cipher is not known,
    /// and where [`OpenOptions::engine`] is needed; `Compression` for damaged blocks; `TooLarge`
    /// ([`OpenOptions::max_image`]); otherwise what does
    /// not fit, with its field.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Package> {
        let path = path.as_ref();
        let header = self.read(path)?;
        if recognise(&header).is_ok_and(|form| form == Form::Modern) {
            return self.open_beside(path, header);
        }
        companion::refuse(path)?;
        self.open_bytes(header)
    }

    fn open_beside(&self, path: &Path, header: Bytes) -> Result<Package> {
        let companions = companion::find(path);
        let exports = companions.iter().find(|file| file.kind == CompanionKind::Exports);
        let split = exports.map(Companion::read).transpose()?;
        let split = split.map(|bodies| self.open_split(&header, bodies.as_ref())).transpose()?;
        // A header that has bodies behind it needs no other file: the one beside it is a stranger.
        let ends = |package: &Package| {
            u64::try_from(package.modern_summary().total_header_size).unwrap_or(0)
        };
        let mut package = match split.filter(|package| ends(package) >= header.len() as u64) {
            Some(package) => package,
            None => self.open_bytes(header)?,
        };
        package.modern_mut().companions = companions;
        Ok(package)
    }

    /// Opens a package of UE4 or UE5 whose header (`.uasset`) and bodies (`.uexp`) are in memory.
    ///
    /// # Errors
    /// As [`OpenOptions::open`], without `Io`.
    pub fn open_split(&self, header: &[u8], bodies: &[u8]) -> Result<Package> {
        let mut package = self.open_bytes([header, bodies].concat())?;
        package.modern_mut().split = Some(header.len() as u64);
        Ok(package)
    }

    /// Opens a package that is in memory.
    ///
    /// # Errors
    /// As [`OpenOptions::open`], without `Io`.
    pub fn open_bytes(&self, source: impl Into<Bytes>) -> Result<Package> {
        let mut source = source.into();
        if recognise(&source).is_ok_and(|form| form == Form::Modern) {
            return Package::open_modern(source, self);
        }
        let versions = Versions { game: self.game, ..Versions::default() };
        let container = Container::open(&source, versions.clone(), self.threads, self.max_image)?;
        let container = container.map(Arc::new);
        if let Some(container) = &container {
            source = container.image();
        }
        recognise(&source)?;
        // The handle is cheap; the loader borrows from it while the package takes the other.
        let bytes = source.clone();
        let mut loader = Loader::new(&bytes, versions);
        let mut package = Package::empty(source);
        package.container = container;
        package.load(&bytes, &mut loader)?;
        Ok(package)
    }
}

#[cfg(feature = "mmap")]
fn read(path: &Path) -> std::io::Result<Bytes> {
    let file = std::fs::File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(Bytes::new());
    }
    // SAFETY: a map is sound as long as nobody truncates or changes the file meanwhile. Saving never
    // writes into an existing file (it renames a new one over it), and tools that edit packages in
    // place while another one reads them break every reader alike.
    #[allow(unsafe_code)]
    let map = unsafe { memmap2::Mmap::map(&file)? };
    Ok(Bytes::from_owner(map))
}

#[cfg(not(feature = "mmap"))]
fn read(path: &Path) -> std::io::Result<Bytes> {
    std::fs::read(path).map(Bytes::from)
}

/// The two forms of headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Classic,
    Modern,
}

/// Tells what can't be opened apart from what is no package at all, and the two forms of headers.
fn recognise(source: &[u8]) -> Result<Form> {
    let word = |at: usize| source.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
    let unsupported = |reason: String| Err(ErrorKind::Unsupported { reason }.into());
    let Some(tag) = word(0) else {
        let reason = format!("{} bytes are too few", source.len());
        return Err(ErrorKind::NotAPackage { reason }.into());
    };
    let swap = u32::from_le_bytes(tag) == PACKAGE_TAG.swap_bytes();
    let number = |bytes: [u8; 4]| match swap {
        true => u32::from_be_bytes(bytes),
        false => u32::from_le_bytes(bytes),
    };
    match (number(tag), word(4).map(number)) {
        (PACKAGE_TAG, Some(version)) if (-16..0).contains(&(version as i32)) => Ok(Form::Modern),
        (0x9e2a_83c2, _) => unsupported("encrypted (Killing Floor)".to_owned()),
        (PACKAGE_TAG, _) => Ok(Form::Classic),
        (tag, _) => {
            let reason = format!("the file starts with {tag:#010x} instead of {PACKAGE_TAG:#010x}");
            Err(ErrorKind::NotAPackage { reason }.into())
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

    pub(super) fn empty(source: Bytes) -> Self {
        Self {
            source,
            versions: Versions::default(),
            summary: Summary::default(),
            heritage: Vec::new(),
            names: Vec::new(),
            imports: Vec::new(),
            exports: Vec::new(),
            modern: None,
            depends: Vec::new(),
            import_guids: Vec::new(),
            export_guids: Vec::new(),
            thumbnails: Vec::new(),
            images: Vec::new(),
            replaced: Default::default(),
            decoded: Default::default(),
            pinned: Default::default(),
            known: Default::default(),
            places: Vec::new(),
            claims: Default::default(),
            lookup: Default::default(),
            container: None,
        }
    }
}
