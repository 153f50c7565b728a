//! Table entries of objects that come back.

use std::collections::HashSet;

use super::places::CurrentPlaces;
use crate::archive::{Archived, Context, Remap};
use crate::edit::Edit;
use crate::edit::remove::KeptObjects;
use crate::edit::rows::export_row;
use crate::error::Result;
use crate::inspect::{package_path, plain};
use crate::primitive::{NameRemap, PackageIndex};
use crate::property::PackageContext;
use crate::table::ExportPreload;

/// Puts back what a list has lost: where nothing else has changed it becomes what it was, else each row comes
/// to its old place, as far as there is such.
fn rejoin<T: Archived + Clone + PartialEq>(
    now: &mut Vec<T>,
    before: &[T],
    is_gone: impl Fn(&T) -> bool,
    remap: &mut Remap<'_>,
) -> Result<()> {
    if !before.iter().any(&is_gone) {
        return Ok(());
    }
    let mut moved = before.to_vec();
    for row in &mut moved {
        row.serialize(remap)?;
    }
    let rest = || moved.iter().zip(before).filter(|(_, before)| !is_gone(before));
    if now.len() == rest().count() && now.iter().zip(rest()).all(|(now, (row, _))| now == row) {
        *now = moved;
        return Ok(());
    }
    for (at, (row, before)) in moved.into_iter().zip(before).enumerate() {
        if is_gone(before) {
            now.insert(at.min(now.len()), row);
        }
    }
    Ok(())
}

impl Edit {
    /// Whether what must be loaded first is listed as the removal has left it.
    pub(super) fn preloads_are(&self, kept: &KeptObjects, places: &CurrentPlaces) -> bool {
        let (list, ranges) = &kept.preloads;
        let tables = self.tables();
        let left = list.iter().map(|&index| places.object(index));
        tables.further.preload_dependencies.iter().copied().eq(left)
            && ranges.iter().enumerate().all(|(old, range)| {
                places.export(old).is_none_or(|row| tables.exports[row].preload == *range)
            })
    }

    /// Brings back what tables said of the objects.
    pub(super) fn restore_tables(
        &mut self,
        kept: &KeptObjects,
        places: &CurrentPlaces,
        preloads_stay: bool,
    ) -> Result<()> {
        let (by_name, by_object) = places.rules();
        let mut remap = Remap::names_and_objects(self.versions().clone(), &by_name, &by_object)
            .materializing()
            .with_context(places.context(kept));
        self.restore_depends(kept, places, &mut remap)?;
        self.restore_preloads(kept, places, preloads_stay, &mut remap)?;
        self.restore_generations(kept);
        let gone = |index: PackageIndex| kept.is_gone(index);
        let components = self.restore_components(kept, places, &mut remap)?;
        for (at, before) in kept.tables().summary.texture_allocations.iter().enumerate() {
            let allocations = &mut self.tables_mut().summary.texture_allocations;
            let Some(now) = allocations.get_mut(at) else { continue };
            let before = &before.export_indices;
            rejoin(&mut now.export_indices, before, |&index| gone(index), &mut remap)?;
        }
        if kept.tables().further.allocated() > 0 {
            self.restore_further(kept, &mut remap)?;
        }
        // Their names may be others', or they others, by now.
        components.into_iter().for_each(|row| self.settle_component(row));
        self.restore_thumbnails(kept)
    }

    /// Brings components back into the lists that had them, and what started from what comes back to that; says which
    /// components may have another name there now.
    fn restore_components(
        &mut self,
        kept: &KeptObjects,
        places: &CurrentPlaces,
        remap: &mut Remap<'_>,
    ) -> Result<Vec<usize>> {
        let mut components = Vec::new();
        for (old, export) in kept.tables().exports.iter().enumerate() {
            let Some(row) = places.export(old) else { continue };
            if kept.rows.binary_search(&old).is_ok() {
                continue;
            }
            let before = [export.archetype_index, export.template_index];
            if before.iter().any(|index| kept.is_gone(*index)) {
                self.change_export(row, |now| {
                    let now = [&mut now.archetype_index, &mut now.template_index];
                    for (now, before) in now.into_iter().zip(before) {
                        if kept.is_gone(before) && now.is_null() {
                            *now = places.object(before);
                        }
                    }
                });
                components.push(row);
            }
            let map = &export.details.component_map;
            if map.iter().any(|entry| kept.is_gone(entry.export)) {
                let now = &mut self.tables_mut().exports[row].details.component_map;
                rejoin(now, map, |entry| kept.is_gone(entry.export), remap)?;
                let back = map.iter().map(|entry| entry.export).filter(|it| kept.is_gone(*it));
                components.extend(back.filter_map(|index| export_row(places.object(index))));
            }
        }
        Ok(components)
    }

    fn restore_depends(
        &mut self,
        kept: &KeptObjects,
        places: &CurrentPlaces,
        remap: &mut Remap<'_>,
    ) -> Result<()> {
        let exports = self.tables().exports.len();
        if !kept.tables().depends.is_empty() && self.tables().depends.len() < exports {
            // Without rows there is no table.
            self.tables_mut().depends.resize(exports, Default::default());
        }
        for (old, before) in kept.tables().depends.iter().enumerate() {
            let Some(row) = places.export(old) else { continue };
            let Some(now) = self.tables_mut().depends.get_mut(row) else { continue };
            match kept.rows.binary_search(&old) {
                Ok(_) => {
                    *now = before.clone();
                    now.serialize(remap)?;
                }
                Err(_) => {
                    let is_gone = |&index: &PackageIndex| kept.is_gone(index);
                    rejoin(&mut now.objects, &before.objects, is_gone, remap)?;
                }
            }
        }
        // A table that ended early does so again.
        let rows = kept.tables().depends.len();
        let depends = &mut self.tables_mut().depends;
        if rows < kept.tables().exports.len()
            && depends.iter().skip(rows).all(|row| row.objects.is_empty())
        {
            depends.truncate(rows);
        }
        Ok(())
    }

    fn restore_preloads(
        &mut self,
        kept: &KeptObjects,
        places: &CurrentPlaces,
        stay: bool,
        remap: &mut Remap<'_>,
    ) -> Result<()> {
        let before = &kept.tables().further.preload_dependencies;
        if before.is_empty() {
            return Ok(());
        }
        if stay {
            let mut list = before.clone();
            for index in &mut list {
                PackageIndex::fixed(index, remap)?;
            }
            self.tables_mut().further.preload_dependencies = list;
            for (old, export) in kept.tables().exports.iter().enumerate() {
                if let Some(row) = places.export(old) {
                    self.tables_mut().exports[row].preload = export.preload;
                }
            }
            self.sync_preloads();
            return Ok(());
        }
        for &old in &kept.rows {
            let Some(row) = places.export(old) else { continue };
            let preload = kept.tables().exports[old].preload;
            let first = usize::try_from(preload.first).unwrap_or(usize::MAX);
            let own = first..first.saturating_add(preload.counts_sum());
            let Some(own) = before.get(own).filter(|own| !own.is_empty()) else {
                self.tables_mut().exports[row].preload = ExportPreload::NONE;
                continue;
            };
            let mut own = own.to_vec();
            for index in &mut own {
                PackageIndex::fixed(index, remap)?;
            }
            let tables = self.tables_mut();
            let list = &mut tables.further.preload_dependencies;
            tables.exports[row].preload =
                ExportPreload { first: crate::table::next_row(list.len())?, ..preload };
            list.extend(own);
        }
        self.sync_preloads();
        Ok(())
    }

    fn restore_generations(&mut self, kept: &KeptObjects) {
        let before = &kept.tables().summary.generations;
        let nets = kept.bodies.iter().filter_map(|(_, decoded)| decoded.body.net_index);
        let least = nets.max().map_or(0, |index| index.saturating_add(1));
        let exports = kept.rows.len() as i32;
        let generations = &mut self.tables_mut().summary.generations;
        // The empty rows are counted by now.
        let is_as_left = generations.len() == kept.generations.len()
            && generations.iter().zip(&kept.generations).all(|(now, left)| {
                now.net_object_count == left.net_object_count
                    && (now.export_count == left.export_count
                        || now.export_count == left.export_count.saturating_add(exports))
            });
        if is_as_left {
            generations.clone_from(before);
        } else if let Some(newest) = generations.last_mut() {
            newest.net_object_count = newest.net_object_count.max(least);
        }
    }

    fn restore_further(&mut self, kept: &KeptObjects, remap: &mut Remap<'_>) -> Result<()> {
        let gone = |index: PackageIndex| kept.is_gone(index);
        let before = &kept.tables().further;
        let own = package_path(self).map(|own| plain(&own)).unwrap_or_default();
        let paths: HashSet<String> = kept.rows.iter().map(|&row| plain(kept.path(row))).collect();
        let is_gone = |path: &str| {
            let path = plain(path);
            let within = path.strip_prefix(&own).and_then(|path| path.strip_prefix('.'));
            paths.contains(within.unwrap_or(&path))
        };
        let context = Context::with_names(kept.source(), kept.tables().names.clone())
            .with_soft_object_paths(before.soft_object_paths.clone());
        let further = &mut self.tables_mut().further;
        if let (Some(now), Some(before)) = (&mut further.searchable_names, &before.searchable_names)
        {
            rejoin(now, before, |row| gone(row.object), remap)?;
        }
        let now = &mut further.import_type_hierarchies;
        rejoin(now, &before.import_type_hierarchies, |row| gone(row.import), remap)?;
        if let (Some(now), Some(before)) = (&mut further.meta_data, &before.meta_data) {
            let is_gone = |row: &crate::table::ObjectMetaData| is_gone(&row.object.text(&context));
            rejoin(&mut now.objects, &before.objects, is_gone, remap)?;
        }
        if let (Some(now), Some(before)) = (&mut further.asset_registry, &before.asset_registry) {
            let is_gone = |asset: &crate::table::AssetData| {
                is_gone(&asset.object_path.text(&kept.source()).unwrap_or_default())
            };
            rejoin(&mut now.assets, &before.assets, is_gone, remap)?;
        }
        Ok(())
    }

    /// Thumbnails stand at their old places, and so do their images.
    fn restore_thumbnails(&mut self, kept: &KeptObjects) -> Result<()> {
        let paths: HashSet<String> = kept.rows.iter().map(|&row| plain(kept.path(row))).collect();
        let source = kept.source();
        for (at, thumbnail) in kept.tables().thumbnails.iter().enumerate() {
            let path = thumbnail.object_path.text(&source).unwrap_or_default();
            if !paths.contains(&plain(&path)) {
                continue;
            }
            let mut thumbnail = thumbnail.clone();
            thumbnail.object_path.materialize(&source)?;
            thumbnail.class_name.materialize(&source)?;
            let offset = u64::try_from(thumbnail.file_offset).unwrap_or(0);
            let images = &kept.tables().images;
            if let Ok(image_at) = images.binary_search_by_key(&offset, |(offset, _)| *offset) {
                let mut image = images[image_at].1.clone();
                image.image.materialize(&source)?;
                let offset = self.package.insert_image(image_at, image);
                thumbnail.file_offset = crate::table::next_row(offset as usize)?;
            }
            let rows = &mut self.tables_mut().thumbnails;
            rows.insert(at.min(rows.len()), thumbnail);
        }
        Ok(())
    }
}
