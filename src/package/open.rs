//! Opening: from a file or bytes to the typed tables.

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;

use super::modern::companion;
use super::{Companion, CompanionKind, Package, Section, SectionPlace};
use crate::archive::{Archive, Archived, Counter, Loader};
use crate::compression::Container;
use crate::error::{Error, ErrorKind, Result};
use crate::property::mappings::Mappings;
use crate::table::{PACKAGE_TAG, Summary, ThumbnailImage};
use crate::version::{EngineRelease, Game, Versions, threshold};

/// How a package is opened.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    pub(super) game: Game,
    pub(super) engine: Option<EngineRelease>,
    threads: Option<usize>,
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
        self.engine = Some(engine);
        self
    }

    /// Decompresses on this many threads instead of one for each core.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
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
    /// and where [`OpenOptions::engine`] is needed; `Compression` for damaged blocks; otherwise what does
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
        let container = Container::open(&source, versions.clone(), self.threads)?.map(Arc::new);
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

    fn load<'a>(&mut self, source: &'a [u8], loader: &mut Loader<'a>) -> Result<()> {
        let end = source.len() as u64;
        self.serialize_section(Section::Summary, loader)?;
        self.versions = loader.versions().clone();
        self.note_place(Section::Summary, 0, loader.position());
        self.refuse_unreadable(loader)?;
        let summary = &self.summary;
        let tables = [
            (Section::Heritage, summary.heritage_count, summary.heritage_offset),
            (Section::Names, summary.name_count, summary.name_offset),
            (Section::Imports, summary.import_count, summary.import_offset),
            (Section::Exports, summary.export_count, summary.export_offset),
        ];
        for (section, count, offset) in tables {
            if count < 0 {
                let kind = ErrorKind::NegativeCount { count: count.into() };
                return Err(loader.error(kind).in_field(section.step()));
            }
            if count > 0 {
                let start = u64::try_from(offset).unwrap_or(u64::MAX);
                loader.seek(source, start, end).map_err(|error| error.in_field(section.step()))?;
                self.serialize_section(section, loader)?;
                self.note_place(section, start, loader.position() - start);
            }
        }
        self.check_bodies(loader)?;
        self.load_thumbnails(source, loader)?;
        self.load_guids(source, loader)?;
        self.load_depends(source, loader)
    }

    pub(super) fn note_place(&mut self, section: Section, start: u64, size: u64) {
        self.places.push(SectionPlace { section, start, size });
    }

    /// The tables of Rocket League are encrypted (spec: ue1-3/02 §2.5); and what came out of a stream is
    /// not decompressed a second time.
    fn refuse_unreadable(&self, loader: &Loader<'_>) -> Result<()> {
        let reason = match &self.summary {
            summary
                if self.versions.game == Game::RocketLeague && summary.compression_flags != 0 =>
            {
                "header encrypted (Rocket League)"
            }
            summary if !summary.compressed_chunks.is_empty() => {
                "compressed twice (chunks in a stream)"
            }
            _ => return Ok(()),
        };
        Err(loader.error(ErrorKind::Unsupported { reason: reason.to_owned() }))
    }

    /// Every body lies in the file; nothing else about bodies is looked at.
    pub(super) fn check_bodies<A: Archive>(&self, loader: &A) -> Result<()> {
        let length = self.source.len() as u64;
        let classic = self
            .exports
            .iter()
            .map(|export| (export.serial_size.value().into(), export.serial_offset.value().into()));
        let modern = self.modern_exports().iter();
        let modern = modern.map(|export| (export.serial_size, export.serial_offset));
        for (row, (size, offset)) in classic.chain(modern).enumerate() {
            let end = u64::try_from(offset).ok().zip(u64::try_from(size).ok());
            let end = end.and_then(|(offset, size)| offset.checked_add(size));
            let fault = if size < 0 {
                ("serial_size", ErrorKind::NegativeCount { count: size })
            } else if size > 0 && end.is_none_or(|end| end > length) {
                let header = i64::from(self.modern_summary().total_header_size);
                if self.is_modern() && header > 0 && length as i64 == header {
                    let reason = "its bodies are in a .uexp file that is not there".to_owned();
                    return Err(loader.error(ErrorKind::Unsupported { reason }));
                }
                ("serial_offset", ErrorKind::BadOffset { offset, length })
            } else {
                continue;
            };
            let error = loader.error(fault.1).in_field(fault.0);
            return Err(error.at_index(row).in_field(Section::Exports.step()));
        }
        Ok(())
    }

    /// The offset of an optional section, unless it points nowhere or into a section that is known:
    /// then the number is stale and is kept as it is.
    fn optional_start(&self, offset: i32) -> Option<u64> {
        let start = u64::try_from(offset).ok().filter(|&start| start > 0)?;
        let inside = |place: &SectionPlace| place.start <= start && start < place.end();
        (start <= self.source.len() as u64 && !self.places.iter().any(inside)).then_some(start)
    }

    fn load_thumbnails<'a>(&mut self, source: &'a [u8], loader: &mut Loader<'a>) -> Result<()> {
        self.load_thumbnails_at(self.summary.thumbnail_table_offset, source, loader)
    }

    pub(super) fn load_thumbnails_at<'a>(
        &mut self,
        offset: i32,
        source: &'a [u8],
        loader: &mut Loader<'a>,
    ) -> Result<()> {
        let end = source.len() as u64;
        let Some(start) = self.optional_start(offset) else { return Ok(()) };
        loader.seek(source, start, end)?;
        self.serialize_section(Section::ThumbnailTable, loader)?;
        self.note_place(Section::ThumbnailTable, start, loader.position() - start);
        let mut offsets: Vec<u64> = self
            .thumbnails
            .iter()
            .filter_map(|row| u64::try_from(row.file_offset).ok())
            .filter(|&offset| offset > 0)
            .collect();
        offsets.sort_unstable();
        offsets.dedup();
        // Images that share bytes could be far larger together than the file, and so would saving be.
        let mut left = end;
        for offset in offsets {
            // An image that is not there leaves its row as it is: the offset stays a number.
            let mut image = ThumbnailImage::default();
            if loader.seek(source, offset, end).is_ok() && image.serialize(loader).is_ok() {
                let count = loader.position() - offset;
                left = left.checked_sub(count).ok_or_else(|| {
                    let kind = ErrorKind::TooLong { count, remaining: left };
                    loader.error(kind).in_field("thumbnail_images")
                })?;
                self.images.push((offset, image));
            }
        }
        for row in 0..self.images.len() {
            let offset = self.images[row].0;
            let section = Section::ThumbnailImage(row as u32);
            let size = self.count_section(section, offset)?;
            self.note_place(section, offset, size);
        }
        Ok(())
    }

    fn load_guids<'a>(&mut self, source: &'a [u8], loader: &mut Loader<'a>) -> Result<()> {
        let summary = &self.summary;
        if summary.import_guids_count <= 0 && summary.export_guids_count <= 0 {
            return Ok(());
        }
        let start = u64::try_from(summary.import_export_guids_offset).unwrap_or(u64::MAX);
        loader.seek(source, start, source.len() as u64)?;
        self.serialize_section(Section::Guids, loader)?;
        self.note_place(Section::Guids, start, loader.position() - start);
        Ok(())
    }

    fn load_depends<'a>(&mut self, source: &'a [u8], loader: &mut Loader<'a>) -> Result<()> {
        if self.versions.file < threshold::DEPENDS_ADDED {
            return Ok(());
        }
        let Some(start) = self.optional_start(self.summary.depends_offset) else { return Ok(()) };
        loader.seek(source, start, self.next_start(start))?;
        self.serialize_section(Section::Depends, loader)?;
        // Counted, since the last row read may not have fitted.
        let size = self.count_section(Section::Depends, start)?;
        self.note_place(Section::Depends, start, size);
        Ok(())
    }

    /// Where the section at `start` must end: at the next one, known by its place or its offset.
    fn next_start(&self, start: u64) -> u64 {
        let summary = &self.summary;
        let offsets = [
            summary.import_export_guids_offset,
            summary.thumbnail_table_offset,
            summary.total_header_size,
        ];
        let bodies = self.body_ranges().filter(|body| body.1 > 0);
        offsets
            .into_iter()
            .filter_map(|offset| u64::try_from(offset).ok())
            .chain(self.places.iter().map(|place| place.start))
            .chain(bodies.map(|body| body.0))
            .filter(|&other| other > start)
            .fold(self.source.len() as u64, u64::min)
    }

    /// How many bytes a section takes that stands at `start`.
    pub(super) fn count_section(&mut self, section: Section, start: u64) -> Result<u64> {
        let mut counter =
            Counter::new(self.versions.clone()).at(start).with_context(self.source_context());
        self.serialize_section(section, &mut counter)?;
        Ok(counter.length())
    }
}
