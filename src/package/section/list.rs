//! The list of sections: what each is called, where its place and its count stand, and what its rows are.
//!
//! Opening, layout, renumbering, JSON and explaining go by this list; a new section is one entry of it.

use super::Section;
use crate::archive::{Archive, Archived, Kind};
use crate::error::Result;
use crate::package::tables::Tables;
use crate::primitive::array;
use crate::table::{PACKAGE_TAG, Summary};
use crate::version::{Versions, threshold};

/// How opening finds a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::package) enum Loading {
    /// The summary has its offset and a count, without which it is not there.
    Counted,
    /// The summary has its offset, which is above zero where it is there.
    Placed,
    /// It has rules of its own.
    Own,
}

/// What is known of a section.
pub(in crate::package) struct Entry {
    pub section: Section,
    /// The step that stands for it in paths.
    pub step: &'static str,
    /// Where the summary has its offset.
    pub offset: Option<fn(&mut Summary) -> &mut i32>,
    /// How many rows the summary says it has.
    pub count: Option<fn(&Summary) -> i32>,
    pub loading: Loading,
    /// Whether packages of these versions can have it.
    pub is_in: fn(&Versions) -> bool,
}

/// Of all sections but images of thumbnails, bodies and gaps, of which there are many.
macro_rules! sections {
    ($($name:ident $step:literal {
        offset: $offset:ident, count: $count:ident, loading: $loading:ident,
        is_in: |$versions:ident| $is_in:expr,
        rows: |$tables:ident, $ar:ident| $rows:expr,
    })*) => {
        /// The sections in the order in which the engines write them: bodies stand before the bulk data, below
        /// file version 178 before the imports (spec: ue1-3/03 §3.9, ue4-5/06 §2).
        pub(in crate::package) static SECTIONS: &[Entry] = &[$(Entry {
            section: Section::$name,
            step: $step,
            offset: sections!(@offset $offset),
            count: sections!(@count $count),
            loading: Loading::$loading,
            is_in: {
                fn is_in($versions: &Versions) -> bool {
                    $is_in
                }
                is_in
            },
        }),*];

        impl Tables {
            /// The rows of a section; nothing for one that is not in the list.
            pub(super) fn serialize_listed<A: Archive + ?Sized>(
                &mut self,
                section: Section,
                ar: &mut A,
            ) -> Result<()> {
                match section {
                    $(Section::$name => {
                        let ($tables, $ar) = (self, ar);
                        $rows
                    })*
                    _ => Ok(()),
                }
            }
        }
    };
    (@offset none) => { None };
    (@offset $offset:ident) => {{
        fn place(summary: &mut Summary) -> &mut i32 {
            &mut summary.$offset
        }
        Some(place)
    }};
    (@count none) => { None };
    (@count $count:ident) => {{
        fn count(summary: &Summary) -> i32 {
            summary.$count
        }
        Some(count)
    }};
}

/// As many rows as the summary says.
macro_rules! rows {
    ($tables:ident . $list:ident, $count:ident, $ar:ident) => {
        array::elements(&mut $tables.$list, number($tables.summary.$count), $ar)
    };
    ($tables:ident . further . $list:ident, $count:ident, $ar:ident) => {
        array::elements(&mut $tables.further.$list, number($tables.summary.$count), $ar)
    };
}

sections! {
    Summary "summary" {
        offset: none, count: none, loading: Own, is_in: |_versions| true,
        rows: |tables, ar| tables.summary.serialize(ar),
    }
    Heritage "heritage" {
        offset: heritage_offset, count: heritage_count, loading: Counted,
        is_in: |versions| versions.file < threshold::HERITAGE_REMOVED,
        // Below version 42 a row takes no bytes (spec: ue1-3/02 §2.2).
        rows: |tables, ar| match ar.versions().file < threshold::HERITAGE_GUID_ADDED {
            true => Ok(()),
            false => rows!(tables.heritage, heritage_count, ar),
        },
    }
    Names "names" {
        offset: name_offset, count: name_count, loading: Counted, is_in: |_versions| true,
        rows: |tables, ar| rows!(tables.names, name_count, ar),
    }
    SoftObjectPaths "soft_object_paths" {
        offset: soft_object_paths_offset, count: soft_object_paths_count, loading: Counted,
        is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| rows!(tables.further.soft_object_paths, soft_object_paths_count, ar),
    }
    GatherableText "gatherable_text" {
        offset: gatherable_text_data_offset, count: gatherable_text_data_count, loading: Own,
        is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| rows!(tables.further.gatherable_text, gatherable_text_data_count, ar),
    }
    MetaData "meta_data" {
        offset: meta_data_offset, count: none, loading: Own,
        is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| optional(&mut tables.further.meta_data, ar),
    }
    Imports "imports" {
        offset: import_offset, count: import_count, loading: Counted, is_in: |_versions| true,
        rows: |tables, ar| rows!(tables.imports, import_count, ar),
    }
    Exports "exports" {
        offset: export_offset, count: export_count, loading: Counted, is_in: |_versions| true,
        rows: |tables, ar| rows!(tables.exports, export_count, ar),
    }
    CellImports "cell_imports" {
        offset: cell_import_offset, count: cell_import_count, loading: Counted,
        is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| rows!(tables.further.cell_imports, cell_import_count, ar),
    }
    CellExports "cell_exports" {
        offset: cell_export_offset, count: cell_export_count, loading: Counted,
        is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| rows!(tables.further.cell_exports, cell_export_count, ar),
    }
    Depends "depends" {
        offset: depends_offset, count: none, loading: Own,
        is_in: |versions| versions.file >= threshold::DEPENDS_ADDED,
        rows: |tables, ar| tables.serialize_depends(ar),
    }
    Guids "guids" {
        offset: import_export_guids_offset, count: none, loading: Own,
        is_in: |versions| versions.file >= threshold::IMPORT_EXPORT_GUIDS_ADDED
            && !versions.has_object_versions(),
        rows: |tables, ar| {
            rows!(tables.import_guids, import_guids_count, ar)?;
            rows!(tables.export_guids, export_guids_count, ar)
        },
    }
    SoftPackageReferences "soft_package_references" {
        offset: soft_package_references_offset, count: soft_package_references_count,
        loading: Counted, is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| {
            rows!(tables.further.soft_package_references, soft_package_references_count, ar)
        },
    }
    SearchableNames "searchable_names" {
        offset: searchable_names_offset, count: none, loading: Placed,
        is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| optional(&mut tables.further.searchable_names, ar),
    }
    ImportTypeHierarchies "import_type_hierarchies" {
        offset: import_type_hierarchies_offset, count: import_type_hierarchies_count,
        loading: Counted, is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| {
            rows!(tables.further.import_type_hierarchies, import_type_hierarchies_count, ar)
        },
    }
    ThumbnailTable "thumbnails" {
        offset: thumbnail_table_offset, count: none, loading: Own,
        is_in: |versions| versions.file >= threshold::THUMBNAILS_ADDED,
        rows: |tables, ar| array::counted_i32(&mut tables.thumbnails, ar),
    }
    AssetRegistry "asset_registry" {
        offset: asset_registry_data_offset, count: none, loading: Placed,
        is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| optional(&mut tables.further.asset_registry, ar),
    }
    AssetDependencies "asset_dependencies" {
        offset: none, count: none, loading: Own, is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| optional(&mut tables.further.asset_dependencies, ar),
    }
    WorldTileInfo "world_tile_info" {
        offset: world_tile_info_data_offset, count: none, loading: Placed,
        is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| optional(&mut tables.further.world_tile_info, ar),
    }
    PreloadDependencies "preload_dependencies" {
        offset: preload_dependency_offset, count: none, loading: Own,
        is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| {
            rows!(tables.further.preload_dependencies, preload_dependency_count, ar)
        },
    }
    DataResources "data_resources" {
        offset: data_resource_offset, count: none, loading: Placed,
        is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| optional(&mut tables.further.data_resources, ar),
    }
    BulkData "bulk_data" {
        offset: none, count: none, loading: Own, is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| {
            let length = tables.further.bulk_data.len();
            ar.serialize_span(&mut tables.further.bulk_data, length, Kind::Payload)
        },
    }
    ClosingTag "closing_tag" {
        offset: none, count: none, loading: Own, is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| match tables.further.closing_tag {
            true => ar.serialize_u32(&mut { PACKAGE_TAG }),
            false => Ok(()),
        },
    }
    Trailer "trailer" {
        offset: none, count: none, loading: Own, is_in: |versions| versions.has_object_versions(),
        rows: |tables, ar| optional(&mut tables.further.trailer, ar),
    }
}

fn number(count: i32) -> usize {
    usize::try_from(count).unwrap_or(0)
}

/// A section that may be absent: opening decides whether it is there.
fn optional<T: Archived, A: Archive + ?Sized>(value: &mut Option<T>, ar: &mut A) -> Result<()> {
    value.as_mut().map_or(Ok(()), |value| value.serialize(ar))
}
