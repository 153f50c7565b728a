//! The sections of a package, and the one function that serialises each.

use std::fmt;

use super::Package;
use crate::archive::{Archive, ArchiveExt, Archived, Kind, Span, Step};
use crate::error::Result;
use crate::primitive::array;
use crate::table::{DependsRow, PACKAGE_TAG};
use crate::version::threshold;

/// A part of a package file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Section {
    /// The package file summary, always at the start.
    Summary,
    /// The heritage table, below file version 68.
    Heritage,
    /// The name table.
    Names,
    /// The import table.
    Imports,
    /// The export table.
    Exports,
    /// The depends table, from file version 415.
    Depends,
    /// The import and export GUID tables, from file version 623.
    Guids,
    /// The image of a thumbnail, by its place in the model.
    ThumbnailImage(u32),
    /// The thumbnail table, from file version 584.
    ThumbnailTable,
    /// The list of soft object paths, from UE5.1.
    SoftObjectPaths,
    /// Texts for translators, UE4 and UE5.
    GatherableText,
    /// Metadata of objects, from UE5.6.
    MetaData,
    /// Verse values of other packages, from UE5.6.
    CellImports,
    /// Verse values of the package, from UE5.6.
    CellExports,
    /// Packages that are referred to softly, UE4 and UE5.
    SoftPackageReferences,
    /// Names by which objects are found, from UE4.15.
    SearchableNames,
    /// What the types of imports derive from, from UE5.7.
    ImportTypeHierarchies,
    /// What the asset registry knows of the package, UE4 and UE5.
    AssetRegistry,
    /// How the package depends on others, from UE4.26.
    AssetDependencies,
    /// Where a level lies in its world, UE4 and UE5.
    WorldTileInfo,
    /// What must be loaded before each export, cooked UE4 and UE5.
    PreloadDependencies,
    /// Where bulk data stands, cooked from UE5.2.
    DataResources,
    /// Bulk data behind the bodies, UE4 and UE5.
    BulkData,
    /// The package tag at the end, UE4 and UE5.
    ClosingTag,
    /// Payloads behind the end, from UE5.1.
    Trailer,
    /// The body of an object, by export row.
    Body(u32),
    /// Bytes that no section claims.
    Gap(u32),
}

impl Section {
    /// The step that stands for it in paths.
    pub(super) fn step(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Heritage => "heritage",
            Self::Names => "names",
            Self::Imports => "imports",
            Self::Exports => "exports",
            Self::Depends => "depends",
            Self::Guids => "guids",
            Self::ThumbnailImage(_) => "thumbnail_images",
            Self::ThumbnailTable => "thumbnails",
            Self::SoftObjectPaths => "soft_object_paths",
            Self::GatherableText => "gatherable_text",
            Self::MetaData => "meta_data",
            Self::CellImports => "cell_imports",
            Self::CellExports => "cell_exports",
            Self::SoftPackageReferences => "soft_package_references",
            Self::SearchableNames => "searchable_names",
            Self::ImportTypeHierarchies => "import_type_hierarchies",
            Self::AssetRegistry => "asset_registry",
            Self::AssetDependencies => "asset_dependencies",
            Self::WorldTileInfo => "world_tile_info",
            Self::PreloadDependencies => "preload_dependencies",
            Self::DataResources => "data_resources",
            Self::BulkData => "bulk_data",
            Self::ClosingTag => "closing_tag",
            Self::Trailer => "trailer",
            Self::Body(_) => "bodies",
            Self::Gap(_) => "gaps",
        }
    }

    /// The section of the header that such a step and row stand for.
    #[cfg(feature = "json")]
    pub(super) fn of_step(step: &str, row: Option<u32>) -> Option<Self> {
        let known = [
            Self::Summary,
            Self::Heritage,
            Self::Names,
            Self::Imports,
            Self::Exports,
            Self::Depends,
            Self::Guids,
            Self::ThumbnailTable,
            Self::SoftObjectPaths,
            Self::GatherableText,
            Self::MetaData,
            Self::CellImports,
            Self::CellExports,
            Self::SoftPackageReferences,
            Self::SearchableNames,
            Self::ImportTypeHierarchies,
            Self::AssetRegistry,
            Self::AssetDependencies,
            Self::WorldTileInfo,
            Self::PreloadDependencies,
            Self::DataResources,
            Self::BulkData,
            Self::ClosingTag,
            Self::Trailer,
        ];
        let image = row.map(Self::ThumbnailImage);
        known.into_iter().chain(image).find(|section| section.step() == step)
    }

    pub(super) fn row(self) -> Option<usize> {
        match self {
            Self::ThumbnailImage(row) | Self::Body(row) | Self::Gap(row) => Some(row as usize),
            _ => None,
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.row() {
            Some(row) => write!(f, "{}[{row}]", self.step()),
            None => f.write_str(self.step()),
        }
    }
}

/// Where a section stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SectionPlace {
    /// The section.
    pub section: Section,
    /// First byte, from the start of the file.
    pub start: u64,
    /// Bytes.
    pub size: u64,
}

impl SectionPlace {
    /// Behind the last byte.
    pub fn end(&self) -> u64 {
        self.start + self.size
    }
}

impl Package {
    /// Hands one section of the header to an archive: reading, writing, measuring, visiting and
    /// explaining all come through here. Bodies and gaps are ranges and have no layout.
    pub(super) fn serialize_section<A: Archive + ?Sized>(
        &mut self,
        section: Section,
        ar: &mut A,
    ) -> Result<()> {
        let steps = [Some(Step::Field(section.step())), section.row().map(Step::Index)];
        let steps = steps.into_iter().flatten();
        steps.clone().for_each(|step| ar.enter(step));
        let result = self.serialize_rows(section, ar);
        steps.clone().for_each(|_| ar.leave());
        let steps = steps.rev().filter_map(|step| step.entered(ar.context()));
        result.map_err(|error| steps.fold(error, |error, step| error.within(step)))
    }

    fn serialize_rows<A: Archive + ?Sized>(&mut self, section: Section, ar: &mut A) -> Result<()> {
        let (summary, further) = (&mut self.summary, &mut self.further);
        let rows = |count: i32| usize::try_from(count).unwrap_or(0);
        macro_rules! rows {
            ($list:expr, $count:ident) => {
                array::elements(&mut $list, rows(summary.$count), ar)
            };
        }
        match section {
            Section::Summary => summary.serialize(ar),
            // Below version 42 a row of the heritage table takes no bytes (spec: ue1-3/02 §2.2).
            Section::Heritage if ar.versions().file < threshold::HERITAGE_GUID_ADDED => Ok(()),
            Section::Heritage => rows!(self.heritage, heritage_count),
            Section::Names => rows!(self.names, name_count),
            Section::Imports => rows!(self.imports, import_count),
            Section::Exports => rows!(self.exports, export_count),
            Section::Depends => self.serialize_depends(ar),
            Section::Guids => {
                rows!(self.import_guids, import_guids_count)?;
                rows!(self.export_guids, export_guids_count)
            }
            Section::ThumbnailImage(row) => self.images[row as usize].1.serialize(ar),
            Section::ThumbnailTable => array::counted_i32(&mut self.thumbnails, ar),
            Section::SoftObjectPaths => rows!(further.soft_object_paths, soft_object_paths_count),
            Section::GatherableText => rows!(further.gatherable_text, gatherable_text_data_count),
            Section::MetaData => optional(&mut further.meta_data, ar),
            Section::CellImports => rows!(further.cell_imports, cell_import_count),
            Section::CellExports => rows!(further.cell_exports, cell_export_count),
            Section::SoftPackageReferences => {
                rows!(further.soft_package_references, soft_package_references_count)
            }
            Section::SearchableNames => optional(&mut further.searchable_names, ar),
            Section::ImportTypeHierarchies => {
                rows!(further.import_type_hierarchies, import_type_hierarchies_count)
            }
            Section::AssetRegistry => optional(&mut further.asset_registry, ar),
            Section::AssetDependencies => optional(&mut further.asset_dependencies, ar),
            Section::WorldTileInfo => optional(&mut further.world_tile_info, ar),
            Section::PreloadDependencies => {
                rows!(further.preload_dependencies, preload_dependency_count)
            }
            Section::DataResources => optional(&mut further.data_resources, ar),
            Section::BulkData => {
                let length = further.bulk_data.len();
                ar.serialize_span(&mut further.bulk_data, length, Kind::Payload)
            }
            Section::ClosingTag if further.closing_tag => {
                let mut tag = PACKAGE_TAG;
                ar.serialize_u32(&mut tag)
            }
            Section::ClosingTag => Ok(()),
            Section::Trailer => optional(&mut further.trailer, ar),
            Section::Body(row) => {
                let mut span = self.body_span(row as usize);
                let length = span.len();
                ar.serialize_span(&mut span, length, Kind::Opaque)
            }
            Section::Gap(row) => {
                let gap = self.claims().gaps[row as usize].clone();
                let length = gap.end - gap.start;
                ar.serialize_span(&mut Span::source(gap.start, length), length, Kind::Gap)
            }
        }
    }

    /// One row an export up to the end of the section; rows that are missing there are absent, and so
    /// is everything behind a row that does not fit (spec: ue1-3/03 §3.6).
    fn serialize_depends<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if !ar.is_loading() {
            return array::elements(&mut self.depends, 0, ar);
        }
        self.depends.clear();
        let exports = self.export_count();
        while self.depends.len() < exports && ar.claim(4, 0).is_ok() {
            ar.claim(1, size_of::<DependsRow>())?;
            let index = self.depends.len();
            let mut row = DependsRow::default();
            ar.enter(Step::Index(index));
            let read = row.serialize(ar);
            ar.leave();
            if read.is_err() {
                break;
            }
            self.depends.push(row);
        }
        Ok(())
    }
}

/// A section that may be absent: opening decides whether it is there.
fn optional<T: Archived, A: Archive + ?Sized>(value: &mut Option<T>, ar: &mut A) -> Result<()> {
    value.as_mut().map_or(Ok(()), |value| value.serialize(ar))
}
