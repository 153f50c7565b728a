//! Tables that list, count or name rows otherwise than by a reference that could follow.

use std::collections::HashSet;

use super::numbers::Numbers;
use crate::edit::Edit;
use crate::error::Result;
use crate::inspect::{package_path, plain};
use crate::primitive::PackageIndex;
use crate::table::{AssetData, BitArray, ExportPreload, ObjectMetaData, Thumbnail, next_row};
use crate::version::UnrealVersions;
use crate::version::threshold::ue5;

impl Edit {
    /// How many of the first names bodies may use, where the summary says it.
    pub(super) fn names_of_bodies(&self) -> usize {
        let count = self.tables().summary.names_referenced_from_export_data_count;
        usize::try_from(count).unwrap_or(0)
    }

    /// Names that bodies use stay among the first ones (spec: ue4-5/03 §1).
    pub(super) fn settle_names_of_bodies(&mut self, count: usize) -> Result<()> {
        if self.versions().ue5() >= ue5::NAMES_REFERENCED_FROM_EXPORT_DATA {
            self.tables_mut().summary.names_referenced_from_export_data_count = next_row(count)?;
        }
        Ok(())
    }

    /// Lists that only name rows lose those that are dropped.
    pub(super) fn drop_listed(&mut self, numbers: &Numbers) {
        let tables = self.tables();
        let lists = |row: &usize| tables.depends[*row].objects.iter().any(|it| numbers.drops(*it));
        let listing: Vec<usize> = (0..tables.depends.len()).filter(lists).collect();
        for row in listing {
            let mut depends = self.tables().depends[row].clone();
            depends.objects.retain(|&index| !numbers.drops(index));
            self.set_depends(row, depends);
        }
        if !self.tables().summary.texture_allocations.is_empty() {
            for allocation in &mut self.summary_mut().texture_allocations {
                // A row that is outside the table has no number either.
                let stays = |index: &PackageIndex| numbers.object(index.value()).is_some();
                allocation.export_indices.retain(stays);
            }
        }
        self.drop_preloads(numbers);
        if !self.lists_dropped(numbers) {
            return;
        }
        let further = self.further_mut();
        if let Some(names) = &mut further.searchable_names {
            names.retain(|row| !numbers.drops(row.object));
        }
        further.import_type_hierarchies.retain(|row| !numbers.drops(row.import));
        if let Some(dependencies) = &mut further.asset_dependencies
            && numbers.moves_imports()
        {
            let used = &mut dependencies.import_used_in_game;
            let mut moved = vec![None; numbers.imports.len()];
            for (old, new) in numbers.imports.iter().enumerate() {
                if let Some(place) = new.and_then(|new| moved.get_mut(new as usize)) {
                    *place = used.get(old);
                }
            }
            // A list that ends early says nothing of the rows behind it.
            let mut bits = BitArray::default();
            moved.into_iter().map_while(|bit| bit).for_each(|bit| bits.push(bit));
            *used = bits;
        }
    }

    /// Whether one of the sections that few packages have names rows that are dropped, or counts imports that
    /// move.
    fn lists_dropped(&self, numbers: &Numbers) -> bool {
        let further = &self.tables().further;
        let names = further.searchable_names.iter().flatten();
        further.allocated() > 0
            && (further.asset_dependencies.is_some() && numbers.moves_imports()
                || names.map(|row| row.object).any(|index| numbers.drops(index))
                || further.import_type_hierarchies.iter().any(|row| numbers.drops(row.import)))
    }

    /// Drops preload dependencies, which are one list for all exports: each knows its own range of it
    /// (spec: ue4-5/03 §14).
    fn drop_preloads(&mut self, numbers: &Numbers) {
        let listed = self.tables().further.preload_dependencies.len();
        if listed == 0 {
            return;
        }
        // Where each export's range starts and ends.
        let range = |preload: &ExportPreload| {
            let first = usize::try_from(preload.first).ok().filter(|&first| first <= listed)?;
            Some(first..first.saturating_add(preload.counts_sum()).min(listed))
        };
        // How many more ranges begin than end at each place, of exports that go and of those that stay:
        // ranges may lie one over the other, and each is walked once.
        let mut edges = vec![[0_i64; 2]; listed + 1];
        for (row, export) in self.tables().exports.iter().enumerate() {
            let Some(range) = range(&export.preload) else { continue };
            let stays = usize::from(!numbers.drops_export(row));
            edges[range.start][stays] += 1;
            edges[range.end][stays] -= 1;
        }
        let mut open = [0_i64; 2];
        let keeps = edges.iter().take(listed).map(|edge| {
            open = [open[0] + edge[0], open[1] + edge[1]];
            // What another export has as well stays.
            open[1] > 0 || open[0] == 0
        });
        let mut keeps: Vec<bool> = keeps.collect();
        for (keeps, &index) in keeps.iter_mut().zip(&self.tables().further.preload_dependencies) {
            *keeps &= !numbers.drops(index);
        }
        if keeps.iter().all(|&keeps| keeps) {
            return;
        }
        // How many stay before each place.
        let mut before = Vec::with_capacity(listed + 1);
        before.push(0);
        for &keeps in &keeps {
            before.push(before.last().copied().unwrap_or(0) + i32::from(keeps));
        }
        let at = |place: i32| {
            let place = usize::try_from(place).unwrap_or(0).min(listed);
            before.get(place).copied().unwrap_or(0)
        };
        let tables = self.tables_mut();
        for export in tables.exports.iter_mut() {
            export.preload.follow(at);
        }
        for cell in &mut tables.further.cell_exports {
            let mut preload = ExportPreload {
                first: cell.first_export_dependency,
                serialization_before_serialization: cell.serialization_before_serialization,
                create_before_serialization: cell.create_before_serialization,
                ..ExportPreload::default()
            };
            preload.follow(at);
            cell.first_export_dependency = preload.first;
            cell.serialization_before_serialization = preload.serialization_before_serialization;
            cell.create_before_serialization = preload.create_before_serialization;
        }
        let mut keeps = keeps.into_iter();
        tables.further.preload_dependencies.retain(|_| keeps.next().unwrap_or(true));
        self.sync_preloads();
    }

    /// The count of what must be loaded first; below zero where there is no list.
    pub(in crate::edit) fn sync_preloads(&mut self) {
        let tables = self.tables_mut();
        let rows = tables.further.preload_dependencies.len();
        if tables.summary.preload_dependency_count >= 0 || rows > 0 {
            // No more than there were.
            tables.summary.preload_dependency_count = i32::try_from(rows).unwrap_or(i32::MAX);
        }
    }

    /// Drops what knows objects by their paths: thumbnails, metadata, assets of the registry.
    pub(super) fn drop_titled(&mut self, numbers: &Numbers) {
        // Of empty rows nobody knows any more how they were called.
        let is_dropped = |&row: &usize| numbers.drops_export(row) && !self.exports().is_null(row);
        let dropped = (0..numbers.exports.len()).filter(is_dropped);
        let dropped: HashSet<_> = dropped.map(|row| plain(&self.exports().path(row))).collect();
        if dropped.is_empty() {
            return;
        }
        self.drop_thumbnails(&dropped);
        let further = &self.tables().further;
        if further.meta_data.is_none() && further.asset_registry.is_none() {
            return;
        }
        let own = package_path(self).map(|own| plain(&own)).unwrap_or_default();
        // Most paths are too long or too short.
        let mut lengths = Vec::new();
        for length in dropped.iter().map(String::len) {
            lengths.resize(lengths.len().max(length + 1), false);
            lengths[length] = true;
        }
        let is_length = |length: usize| lengths.get(length) == Some(&true);
        let may_be = |length: usize| {
            is_length(length) || length.checked_sub(own.len() + 1).is_some_and(is_length)
        };
        let is_dropped = |path: &str| {
            if !may_be(path.len()) {
                return false;
            }
            let path = plain(path);
            let within = path.strip_prefix(&own).and_then(|path| path.strip_prefix('.'));
            dropped.contains(within.unwrap_or(&path))
        };
        let (source, context) = (self.source_bytes(), self.decoding_context());
        let assets = further.asset_registry.iter().flat_map(|registry| &registry.assets);
        let is_titled = |asset: &AssetData| {
            let stored = asset.object_path.comparable(&source).unwrap_or_default();
            // Only what is one byte a letter has the length that it has in full.
            (may_be(stored.len()) || !stored.is_ascii())
                && is_dropped(&asset.object_path.text(&source).unwrap_or_default())
        };
        let titled = assets.enumerate().filter(|(_, asset)| is_titled(asset));
        let titled: Vec<usize> = titled.map(|(row, _)| row).collect();
        let described = further.meta_data.iter().flat_map(|data| &data.objects);
        let is_described = |row: &ObjectMetaData| is_dropped(&row.object.text(&context));
        if described.clone().any(is_described)
            && let Some(meta_data) = &mut self.further_mut().meta_data
        {
            meta_data.objects.retain(|row| !is_described(row));
        }
        titled.into_iter().rev().for_each(|row| self.remove_asset(row));
    }

    fn drop_thumbnails(&mut self, dropped: &HashSet<String>) {
        let source = self.source_bytes();
        let is_dropped = |thumbnail: &Thumbnail| {
            let path = thumbnail.object_path.text(&source).unwrap_or_default();
            dropped.contains(&plain(&path))
        };
        if !self.tables().thumbnails.iter().any(is_dropped) {
            return;
        }
        self.tables_mut().thumbnails.retain(|thumbnail| !is_dropped(thumbnail));
        let used: HashSet<_> =
            self.tables().thumbnails.iter().map(|row| i64::from(row.file_offset)).collect();
        let images = self.tables().images.iter();
        let keeps: Vec<bool> = images.map(|(at, _)| used.contains(&(*at as i64))).collect();
        self.package.keep_images(&keeps);
    }
}
