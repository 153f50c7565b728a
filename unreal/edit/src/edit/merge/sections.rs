//! Sections of the header, row by row by what identifies a row.

use std::collections::HashMap;

use super::conflict::{BOTH, MergeConflict};
use super::merging::Merging;
use super::numbering::Numbering;
use super::rows::merged_rows;
use crate::archive::Remap;
use crate::edit::Edit;
use crate::error::Result;
use crate::inspect::ReferenceTexts;
use crate::package::Section;
use crate::primitive::{FString, PackageIndex};
use crate::table::{
    AssetData, AssetDependencies, AssetRegistryData, AssetTag, BitArray, GatherableText,
    MetaDataValue, ObjectMetaData, SoftPackageReference, Tables, TextContext, Thumbnail,
    ThumbnailImage, TypeHierarchy,
};

/// Those that are merged by their rows.
pub(super) const SECTIONS: &[Section] = &[
    Section::GatherableText,
    Section::MetaData,
    Section::SoftPackageReferences,
    Section::SearchableNames,
    Section::ImportTypeHierarchies,
    Section::ThumbnailTable,
    Section::AssetRegistry,
    Section::AssetDependencies,
    Section::WorldTileInfo,
];

/// A section as the three packages have it, with the numbers of ours and owning its bytes.
struct ThreeTables {
    base: Tables,
    ours: Tables,
    theirs: Tables,
}

/// The text of a string that owns its bytes.
fn text(string: &FString) -> String {
    string.text(&[]).unwrap_or_default().to_ascii_lowercase()
}

/// A value that is there or not, merged where both have it.
fn optional<T: Clone + PartialEq + Default>(
    base: &Option<T>,
    ours: Option<T>,
    theirs: &Option<T>,
    merge: impl FnOnce(&T, &mut T, &T),
) -> Option<T> {
    match (base, ours, theirs) {
        (base, ours, theirs) if *base == *theirs => ours,
        (base, ours, theirs) if *base == ours => theirs.clone(),
        (base, Some(mut ours), Some(theirs)) => {
            merge(base.as_ref().unwrap_or(&T::default()), &mut ours, theirs);
            Some(ours)
        }
        (_, ours, theirs) => ours.or_else(|| theirs.clone()),
    }
}

impl Merging<'_> {
    /// Takes over what has changed in the header's sections. What the editor makes anew at each save never is a
    /// conflict: where both have made it, ours stays.
    pub(super) fn merge_sections(
        &mut self,
        numbering: &Numbering,
        base_numbers: &Numbering,
    ) -> Result<()> {
        let there = self.theirs.header_sections();
        for &section in SECTIONS {
            let is_there = there.contains(&section)
                || self.base.header_sections().contains(&section)
                || self.edit.header_sections().contains(&section);
            if !is_there {
                continue;
            }
            let three = ThreeTables {
                base: base_numbers.section(&self.base, section)?,
                ours: own_section(self.edit, section)?,
                theirs: numbering.section(&self.theirs, section)?,
            };
            self.merge_section(section, three)?;
        }
        self.merge_used_imports();
        Ok(())
    }

    fn merge_section(&mut self, section: Section, three: ThreeTables) -> Result<()> {
        let ThreeTables { base, ours, theirs } = three;
        let (base, mut ours, theirs) = match section {
            Section::ThumbnailTable => return self.merge_thumbnails(),
            _ => (base.further, ours.further, theirs.further),
        };
        match section {
            Section::GatherableText => {
                ours.gatherable_text = merged_rows(
                    &base.gatherable_text,
                    &ours.gatherable_text,
                    &theirs.gatherable_text,
                    |row| (text(&row.namespace), text(&row.source_string)),
                    merged_texts,
                );
            }
            Section::MetaData => {
                let mut clashes = Vec::new();
                ours.meta_data = optional(
                    &base.meta_data,
                    ours.meta_data.take(),
                    &theirs.meta_data,
                    |base, ours, theirs| {
                        ours.objects = merged_rows(
                            &base.objects,
                            &ours.objects,
                            &theirs.objects,
                            |row| format!("{:?}", row.object),
                            |before, ours, theirs| {
                                let before = before.map(|row| &*row.values).unwrap_or_default();
                                let values =
                                    metadata(before, &ours.values, &theirs.values, &mut clashes);
                                ObjectMetaData { object: ours.object.clone(), values }
                            },
                        );
                        ours.root = metadata(&base.root, &ours.root, &theirs.root, &mut clashes);
                    },
                );
                for [ours, theirs] in clashes {
                    self.conflicts.takes_theirs(MergeConflict {
                        object: String::new(),
                        place: section.to_string(),
                        ours: Some(ours),
                        theirs: Some(theirs),
                        reason: BOTH.to_owned(),
                    });
                }
            }
            Section::SearchableNames => {
                ours.searchable_names = optional(
                    &base.searchable_names,
                    ours.searchable_names.take(),
                    &theirs.searchable_names,
                    |base, ours, theirs| {
                        *ours = merged_rows(
                            base,
                            ours,
                            theirs,
                            |row| row.object.value(),
                            |before, ours, theirs| {
                                let before = before.map(|row| &*row.names).unwrap_or_default();
                                let key = |name: &crate::primitive::Name| {
                                    (name.index.value(), name.number)
                                };
                                let mut merged = ours.clone();
                                merged.names = merged_rows(
                                    before,
                                    &ours.names,
                                    &theirs.names,
                                    key,
                                    |_, it, _| *it,
                                );
                                merged
                            },
                        );
                    },
                );
            }
            Section::ImportTypeHierarchies => {
                ours.import_type_hierarchies = merged_rows(
                    &base.import_type_hierarchies,
                    &ours.import_type_hierarchies,
                    &theirs.import_type_hierarchies,
                    |row: &TypeHierarchy| row.import.value(),
                    |_, ours, _| ours.clone(),
                );
            }
            Section::AssetRegistry => {
                ours.asset_registry = optional(
                    &base.asset_registry,
                    ours.asset_registry.take(),
                    &theirs.asset_registry,
                    merge_registry,
                );
            }
            Section::SoftPackageReferences => {
                // With what the next section says of each row.
                let rows = merged_rows(
                    &soft_packages(&base.soft_package_references, &self.base),
                    &soft_packages(&ours.soft_package_references, self.edit),
                    &soft_packages(&theirs.soft_package_references, &self.theirs),
                    |(row, _)| (row.name.index.value(), row.name.number, text(&row.path)),
                    |_, ours, _| ours.clone(),
                );
                let further = self.edit.further_mut();
                if let Some(known) = &mut further.asset_dependencies {
                    let mut used = BitArray::default();
                    rows.iter().for_each(|(_, is_used)| used.push(*is_used));
                    known.soft_package_used_in_game = used;
                }
                further.soft_package_references = rows.into_iter().map(|(row, _)| row).collect();
                return Ok(());
            }
            Section::AssetDependencies => {
                let extra = |known: &Option<AssetDependencies>| {
                    known.as_ref().map(|it| it.extra_package_dependencies.clone())
                };
                let (before, mine, other) = (
                    extra(&base.asset_dependencies).unwrap_or_default(),
                    extra(&ours.asset_dependencies).unwrap_or_default(),
                    extra(&theirs.asset_dependencies).unwrap_or_default(),
                );
                let key = |row: &crate::table::PackageDependency| {
                    (row.package.index.value(), row.package.number)
                };
                let rows = merged_rows(&before, &mine, &other, key, |_, ours, _| *ours);
                if let Some(known) = &mut self.edit.further_mut().asset_dependencies {
                    known.extra_package_dependencies = rows;
                }
                return Ok(());
            }
            Section::WorldTileInfo => {
                let (before, mine, other) = (
                    &base.world_tile_info,
                    ours.world_tile_info.take(),
                    theirs.world_tile_info.clone(),
                );
                ours.world_tile_info = match () {
                    () if *before == other || mine == other => mine,
                    () if *before == mine => other,
                    () => {
                        let conflict = MergeConflict {
                            object: String::new(),
                            place: section.to_string(),
                            ours: None,
                            theirs: None,
                            reason: BOTH.to_owned(),
                        };
                        if self.conflicts.takes_theirs(conflict) { other } else { mine }
                    }
                };
            }
            _ => return Ok(()),
        }
        let mut tables = Tables::default();
        tables.further = ours;
        self.edit.tables_mut().copy_section(section, &tables);
        Ok(())
    }

    /// Which imports are used outside the editor, as either side says it.
    fn merge_used_imports(&mut self) {
        let title =
            |edit: &Edit, row| edit.reference_text(PackageIndex::import(row)).to_ascii_lowercase();
        let used = |edit: &Edit| -> HashMap<String, bool> {
            let known = edit.tables().further.asset_dependencies.as_ref();
            let bits = known.map(|known| &known.import_used_in_game);
            let rows = 0..edit.imports().len();
            rows.filter_map(|row| Some((title(edit, row), bits?.get(row)?))).collect()
        };
        let (before, after) = (used(&self.base), used(&self.theirs));
        let rows = self.edit.imports().len();
        let Some(known) = &self.edit.tables().further.asset_dependencies else { return };
        let mut merged = BitArray::default();
        for row in 0..rows {
            let title = title(self.edit, row);
            let Some(ours) = known.import_used_in_game.get(row) else { return };
            merged.push(match (before.get(&title), after.get(&title)) {
                (Some(before), Some(after)) if *before == ours => *after,
                (None, Some(after)) => *after,
                _ => ours,
            });
        }
        if merged != known.import_used_in_game
            && let Some(known) = &mut self.edit.further_mut().asset_dependencies
        {
            known.import_used_in_game = merged;
        }
    }

    /// Pictures by their objects, byte for byte.
    fn merge_thumbnails(&mut self) -> Result<()> {
        type Row = (Thumbnail, ThumbnailImage);
        fn rows(edit: &Edit) -> Result<Vec<Row>> {
            let mut found = Vec::new();
            for row in &edit.tables().thumbnails {
                let (mut row, mut image) =
                    (row.clone(), edit.tables().image(row).cloned().unwrap_or_default());
                row.class_name.materialize(edit.source())?;
                row.object_path.materialize(edit.source())?;
                image.image.materialize(edit.source())?;
                row.file_offset = 0;
                found.push((row, image));
            }
            Ok(found)
        }
        let (base, ours, theirs) = (rows(&self.base)?, rows(self.edit)?, rows(&self.theirs)?);
        let key = |(row, _): &Row| (text(&row.class_name), text(&row.object_path));
        let merged = merged_rows(&base, &ours, &theirs, key, |_, ours, _| ours.clone());
        if merged == ours {
            return Ok(());
        }
        self.edit.set_thumbnails(merged)
    }
}

/// A section of ours that owns its bytes.
fn own_section(edit: &Edit, section: Section) -> Result<Tables> {
    let mut model = edit.without_objects();
    let mut remap =
        Remap::new(edit.versions().clone()).with_context(edit.source_context()).materializing();
    model.serialize_section(section, &mut remap)?;
    Ok(std::mem::take(model.parts_mut().tables))
}

/// The packages that are referred to softly, each with whether the game uses it.
fn soft_packages(rows: &[SoftPackageReference], edit: &Edit) -> Vec<(SoftPackageReference, bool)> {
    let known = edit.tables().further.asset_dependencies.as_ref();
    let used = |at| known.and_then(|known| known.soft_package_used_in_game.get(at)).unwrap_or(true);
    rows.iter().enumerate().map(|(at, row)| (row.clone(), used(at))).collect()
}

fn merged_texts(
    before: Option<&GatherableText>,
    ours: &GatherableText,
    theirs: &GatherableText,
) -> GatherableText {
    let before = before.map(|row| &*row.contexts).unwrap_or_default();
    let key = |context: &TextContext| (text(&context.key), text(&context.site));
    let contexts =
        merged_rows(before, &ours.contexts, &theirs.contexts, key, |_, it, _| it.clone());
    GatherableText { contexts, ..ours.clone() }
}

fn metadata(
    base: &[MetaDataValue],
    ours: &[MetaDataValue],
    theirs: &[MetaDataValue],
    clashes: &mut Vec<[String; 2]>,
) -> Vec<MetaDataValue> {
    let key = |row: &MetaDataValue| (row.key.index.value(), row.key.number);
    merged_rows(base, ours, theirs, key, |_, ours, theirs| {
        let shown = |row: &MetaDataValue| row.value.text(&[]).unwrap_or_default().into_owned();
        clashes.push([shown(ours), shown(theirs)]);
        ours.clone()
    })
}

fn merge_registry(
    base: &AssetRegistryData,
    ours: &mut AssetRegistryData,
    theirs: &AssetRegistryData,
) {
    ours.assets = merged_rows(
        &base.assets,
        &ours.assets,
        &theirs.assets,
        |asset| text(&asset.object_path),
        |before, ours, theirs| {
            let before = before.map(|asset| &*asset.tags).unwrap_or_default();
            let key = |tag: &AssetTag| text(&tag.key);
            let tags = merged_rows(before, &ours.tags, &theirs.tags, key, |_, it, _| it.clone());
            AssetData { tags, ..ours.clone() }
        },
    );
}
