//! The files of one package: header, bodies, bulk data.

use std::path::{Path, PathBuf};
#[cfg(feature = "container")]
use std::sync::Arc;

use bytes::Bytes;

#[cfg(feature = "container")]
use crate::container::{GameContainer, ReadAt};
#[cfg(feature = "container")]
use crate::error::Error;
use crate::error::{OtherFile, Result, UnrealError};
use crate::file::{self, Links};

/// A file beside a package that belongs to it (spec: ue4-5/06 §1).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Companion {
    /// The kind of its content.
    pub kind: CompanionKind,
    /// The file.
    pub path: PathBuf,
    /// Its size, bytes.
    pub size: u64,
    /// Where its bytes are, if it is no file on disk.
    #[cfg(feature = "container")]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(in crate::package) source: Option<CompanionSource>,
    /// Its bytes, where an edit has changed them: saving writes them.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(in crate::package) changed: Option<Bytes>,
}

/// Where the bytes of a companion are that is no file on disk.
#[cfg(feature = "container")]
#[derive(Debug, Clone)]
pub(in crate::package) enum CompanionSource {
    /// A file of a container, by its row.
    Contained(Arc<GameContainer>, usize),
    /// Whatever the caller reads from.
    Lent(Arc<dyn ReadAt>),
}

#[cfg(feature = "container")]
impl PartialEq for CompanionSource {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Contained(a, row), Self::Contained(b, other)) => {
                Arc::ptr_eq(a, b) && row == other
            }
            (Self::Lent(a), Self::Lent(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

#[cfg(feature = "container")]
impl Eq for CompanionSource {}

/// The kind of content of a companion file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum CompanionKind {
    /// `.uexp`: bodies; read together with the package.
    Exports,
    /// `.ubulk`: bulk data.
    Bulk,
    /// `.uptnl`: optional bulk data.
    OptionalBulk,
    /// `.m.ubulk`: bulk data that is mapped into memory.
    MappedBulk,
    /// `.upayload`: payloads of the editor.
    Payload,
}

impl CompanionKind {
    /// Every kind.
    pub const ALL: [Self; 5] =
        [Self::Exports, Self::Bulk, Self::OptionalBulk, Self::MappedBulk, Self::Payload];

    /// Whether a file is called as one that belongs to a package and is read with it.
    pub fn is_of_a_package(file: &Path) -> bool {
        let end = file.extension().and_then(|end| end.to_str()).unwrap_or_default();
        Self::ALL.into_iter().any(|kind| {
            kind.extension().rsplit('.').next().unwrap_or_default().eq_ignore_ascii_case(end)
        })
    }

    /// The extension that takes the place of `uasset` in the package's name.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Exports => "uexp",
            Self::Bulk => "ubulk",
            Self::OptionalBulk => "uptnl",
            Self::MappedBulk => "m.ubulk",
            Self::Payload => "upayload",
        }
    }

    /// Whether the package at `path` may have its bodies in a file of their own, as far as its name tells.
    #[doc(hidden)]
    pub fn may_have_bodies(path: &Path) -> bool {
        let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        ["uasset", "umap"].iter().any(|known| known.eq_ignore_ascii_case(end))
    }

    /// The file of this kind that belongs to the package at `path`.
    pub fn path_beside(self, path: &Path) -> PathBuf {
        path.with_extension(self.extension())
    }
}

impl super::Package {
    /// The bytes of the package's own file: of header and bodies in two files those of the header.
    pub fn own_file(&self) -> &[u8] {
        let file = self.file();
        let bodies = self.companions().iter().find(|it| it.kind == CompanionKind::Exports);
        let size = bodies.map_or(0, |it| usize::try_from(it.size).unwrap_or_default());
        file.get(..file.len().saturating_sub(size)).unwrap_or(file)
    }
}

impl Companion {
    /// One that is a file by itself.
    pub(in crate::package) fn new(kind: CompanionKind, path: PathBuf, size: u64) -> Self {
        Self {
            kind,
            path,
            size,
            #[cfg(feature = "container")]
            source: None,
            changed: None,
        }
    }

    /// Adds it to its package: those that are opened from bytes know of none.
    pub fn add_to(self, package: &mut super::Package) {
        package.companions.push(self);
    }

    /// One whose bytes are read from `source` when they are asked for: [`Companion::add_to`].
    #[cfg(feature = "container")]
    pub fn lent(kind: CompanionKind, path: PathBuf, source: Arc<dyn ReadAt>) -> Self {
        let size = source.length();
        Self { source: Some(CompanionSource::Lent(source)), ..Self::new(kind, path, size) }
    }

    /// The file's bytes: companions with bulk data are not read before they are asked for.
    ///
    /// # Errors
    /// `Io`; what a container is damaged by.
    pub fn read(&self) -> Result<Bytes> {
        if let Some(bytes) = &self.changed {
            return Ok(bytes.clone());
        }
        #[cfg(feature = "container")]
        match &self.source {
            Some(CompanionSource::Contained(container, row)) => return container.read(*row),
            Some(CompanionSource::Lent(source)) => {
                return self.read_lent(&**source, 0, source.length()).map(Bytes::from);
            }
            None => {}
        }
        file::read_found(&self.path).map(|(bytes, _)| bytes)
    }

    /// The `size` bytes at `offset`: no others are read where that is possible.
    ///
    /// # Errors
    /// As [`Companion::read`]; `BadOffset` for bytes that are not there.
    pub fn read_range(&self, offset: u64, size: usize) -> Result<Bytes> {
        if let Some(bytes) = &self.changed {
            let start = usize::try_from(offset).ok();
            let range = start.and_then(|start| Some(start..start.checked_add(size)?));
            let range = range.filter(|range| range.end <= bytes.len());
            let length = bytes.len() as u64;
            let offset = i64::try_from(offset).unwrap_or(i64::MAX);
            return Ok(bytes.slice(range.ok_or(crate::ErrorKind::BadOffset { offset, length })?));
        }
        #[cfg(feature = "container")]
        match &self.source {
            Some(CompanionSource::Contained(container, row)) => {
                let all = container.read(*row)?;
                let start = usize::try_from(offset).ok();
                let range = start.and_then(|start| Some(start..start.checked_add(size)?));
                let range = range.filter(|range| range.end <= all.len());
                let range = range.ok_or_else(|| outside(offset, all.len() as u64))?;
                return Ok(all.slice(range));
            }
            Some(CompanionSource::Lent(source)) => {
                return self.read_lent(&**source, offset, size as u64).map(Bytes::from);
            }
            None => {}
        }
        file::read_range(&self.path, offset, size).map(Bytes::from)
    }

    /// The BLAKE3 hash of its bytes, hexadecimal; a file is read piece by piece.
    ///
    /// # Errors
    /// As [`Companion::read_range`].
    pub fn content_hash(&self) -> Result<String> {
        const PIECE: u64 = 1 << 22;
        #[cfg(feature = "container")]
        if let Some(CompanionSource::Contained(..)) = &self.source {
            // A container unpacks a file as a whole.
            return self.read().map(|bytes| blake3::hash(&bytes).to_hex().to_string());
        }
        let mut hasher = blake3::Hasher::new();
        let mut at = 0;
        while at < self.size {
            let size = PIECE.min(self.size - at);
            hasher.update(&self.read_range(at, size as usize)?);
            at += size;
        }
        Ok(hasher.finalize().to_hex().to_string())
    }

    #[cfg(feature = "container")]
    fn read_lent(&self, source: &dyn ReadAt, offset: u64, size: u64) -> Result<Vec<u8>> {
        let end = offset.checked_add(size).filter(|end| *end <= source.length());
        let size = end.and_then(|_| usize::try_from(size).ok());
        let mut bytes = vec![0; size.ok_or_else(|| outside(offset, source.length()))?];
        source.read_at(offset, &mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(feature = "container")]
fn outside(offset: u64, length: u64) -> Error {
    let offset = i64::try_from(offset).unwrap_or(i64::MAX);
    crate::ErrorKind::BadOffset { offset, length }.into()
}

/// The companions that are there beside the package at `path`.
///
/// # Errors
/// `NotReadable` for a link that leads out of the folder and is not followed.
pub(in crate::package) fn find(path: &Path, links: Links) -> Result<Vec<Companion>> {
    let there = |kind: CompanionKind| {
        let beside = kind.path_beside(path);
        let Ok(mut metadata) = beside.symlink_metadata() else { return Ok(None) };
        if metadata.is_symlink() {
            let Ok(target) = std::fs::metadata(&beside) else { return Ok(None) };
            links.check_beside(path, &beside)?;
            metadata = target;
        }
        let is_file = metadata.is_file();
        Ok(is_file.then(|| Companion::new(kind, beside, metadata.len())))
    };
    CompanionKind::ALL.into_iter().filter_map(|kind| there(kind).transpose()).collect()
}

/// Companions are no packages by themselves.
///
/// # Errors
/// `NotAPackage` for the name of a companion.
pub(in crate::package) fn refuse(path: &Path) -> Result<()> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let kinds = CompanionKind::ALL.iter();
    let mut ends = kinds.map(|kind| kind.extension().rsplit('.').next().unwrap_or_default());
    if extension.eq_ignore_ascii_case("ucas") {
        let reason = "it holds the blocks of the IoStore container beside it (.utoc)".to_owned();
        return Err(UnrealError::NotAPackage { is: None, reason }.into());
    }
    if extension.eq_ignore_ascii_case("ushaderbytecode") {
        return Err(UnrealError::from(OtherFile::ShaderLibrary).into());
    }
    if ends.any(|end| end.eq_ignore_ascii_case(extension)) {
        let reason = format!(
            "a .{extension} file belongs to the .uasset or .umap file beside it: open that"
        );
        return Err(UnrealError::NotAPackage { is: None, reason }.into());
    }
    Ok(())
}
