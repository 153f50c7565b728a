//! The files of one package: header, bodies, bulk data.

use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::error::{Error, ErrorKind, Result};

/// A file beside a package that belongs to it (spec: ue4-5/06 §1).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Companion {
    /// What it holds.
    pub kind: CompanionKind,
    /// The file.
    pub path: PathBuf,
    /// Its size, bytes.
    pub size: u64,
    /// Where it is, if it is in a container.
    #[cfg(feature = "container")]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(in crate::package) container: Option<ContainedCompanion>,
}

/// A companion in a container.
#[cfg(feature = "container")]
#[derive(Debug, Clone)]
pub(in crate::package) struct ContainedCompanion {
    container: std::sync::Arc<crate::container::GameContainer>,
    row: usize,
}

#[cfg(feature = "container")]
impl From<(std::sync::Arc<crate::container::GameContainer>, usize)> for ContainedCompanion {
    fn from((container, row): (std::sync::Arc<crate::container::GameContainer>, usize)) -> Self {
        Self { container, row }
    }
}

#[cfg(feature = "container")]
impl PartialEq for ContainedCompanion {
    fn eq(&self, other: &Self) -> bool {
        std::sync::Arc::ptr_eq(&self.container, &other.container) && self.row == other.row
    }
}

#[cfg(feature = "container")]
impl Eq for ContainedCompanion {}

/// What a companion file holds.
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

    /// What stands behind the package's name in place of `uasset`.
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
    #[cfg(feature = "scan")]
    pub(crate) fn may_have_bodies(path: &Path) -> bool {
        let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        ["uasset", "umap"].iter().any(|known| known.eq_ignore_ascii_case(end))
    }

    /// The file of this kind that belongs to the package at `path`.
    pub fn path_beside(self, path: &Path) -> PathBuf {
        path.with_extension(self.extension())
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
            container: None,
        }
    }

    /// The file's bytes: companions with bulk data are not read before they are asked for.
    ///
    /// # Errors
    /// `Io`; what a container is damaged by.
    pub fn read(&self) -> Result<Bytes> {
        #[cfg(feature = "container")]
        if let Some(place) = &self.container {
            return place.container.read(place.row);
        }
        std::fs::read(&self.path).map(Bytes::from).map_err(|error| Error::io(&self.path, error))
    }
}

/// The companions that are there beside the package at `path`.
pub(in crate::package) fn find(path: &Path) -> Vec<Companion> {
    let there = |kind: CompanionKind| {
        let path = kind.path_beside(path);
        let metadata = std::fs::metadata(&path).ok().filter(|metadata| metadata.is_file())?;
        Some(Companion::new(kind, path, metadata.len()))
    };
    CompanionKind::ALL.into_iter().filter_map(there).collect()
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
        return Err(ErrorKind::NotAPackage { reason }.into());
    }
    if extension.eq_ignore_ascii_case("ushaderbytecode") {
        let reason = format!("it is {}", super::OtherFile::ShaderLibrary);
        return Err(ErrorKind::NotAPackage { reason }.into());
    }
    if ends.any(|end| end.eq_ignore_ascii_case(extension)) {
        let reason = format!(
            "a .{extension} file belongs to the .uasset or .umap file beside it: open that"
        );
        return Err(ErrorKind::NotAPackage { reason }.into());
    }
    Ok(())
}
