//! Header entries of objects by their paths: thumbnails, metadata, entries of the asset registry, names
//! by which they are found.

use std::collections::HashMap;

use super::Edit;
use crate::error::Result;
use crate::object::ue4::asset::small::MetaData;
use crate::package::PathMap;
use crate::package::decode::native_as_mut;
use crate::primitive::{PackageIndex, SoftPath};
use crate::table::{ObjectMetaData, SearchableNames, Thumbnail};

impl Edit {
    /// Copies what the header notes of an object, and of those that were copied with it.
    pub(super) fn copy_listings(
        &mut self,
        old: usize,
        new: usize,
        copies: &HashMap<usize, usize>,
    ) -> Result<()> {
        let (old_path, new_path) = (self.exports().path(old), self.exports().path(new));
        // The copies share the images of their originals.
        for (row, object_path) in self.retitled_thumbnails(&old_path, &new_path)? {
            let copy = Thumbnail { object_path, ..self.tables().thumbnails[row].clone() };
            self.tables_mut().thumbnails.push(copy);
        }
        self.copy_assets(&old_path, &new_path);
        self.copy_searchable_names(copies);
        self.copy_meta_data(&old_path, &new_path)?;
        self.copy_meta_data_object(copies)
    }

    fn copy_assets(&mut self, old: &str, new: &str) {
        let map = PathMap::of_object(("", old), ("", new));
        let source = self.source_bytes();
        let Some(registry) = &self.tables().further.asset_registry else { return };
        let copies: Vec<_> = registry
            .assets
            .iter()
            .filter(|asset| {
                asset.object_path.comparable(&source).is_ok_and(|it| map.may_change(&it))
            })
            .filter_map(|asset| {
                let path = map.object(&asset.object_path.text(&source).ok()?)?;
                let mut copy = asset.clone();
                copy.object_path = self.string(&path);
                Some(copy)
            })
            .collect();
        copies.into_iter().for_each(|copy| self.push_asset(copy));
    }

    /// The table is ordered by object where it was before.
    fn copy_searchable_names(&mut self, copies: &HashMap<usize, usize>) {
        let of = |index: PackageIndex| {
            let mut rows = copies.iter().filter(|(old, _)| PackageIndex::export(**old) == index);
            rows.next().map(|(_, new)| PackageIndex::export(*new))
        };
        let Some(table) = &self.tables().further.searchable_names else { return };
        let copied: Vec<_> = table
            .iter()
            .filter_map(|row| {
                Some(SearchableNames { object: of(row.object)?, names: row.names.clone() })
            })
            .collect();
        if copied.is_empty() {
            return;
        }
        let sorted = table.is_sorted_by_key(|row| row.object.value());
        if let Some(table) = &mut self.further_mut().searchable_names {
            table.extend(copied);
            if sorted {
                table.sort_by_key(|row| row.object.value());
            }
        }
    }

    /// From UE5 1014 the header has the metadata of objects, by soft paths.
    fn copy_meta_data(&mut self, old: &str, new: &str) -> Result<()> {
        let Some(data) = &self.tables().further.meta_data else { return Ok(()) };
        let context = self.decoding_context();
        let mut copied = Vec::new();
        for row in &data.objects {
            let text = row.object.text(&context);
            let Some((package, _)) = text.split_once('.') else { continue };
            let map = PathMap::of_object((package, old), (package, new));
            if let Some(path) = map.path(&text) {
                copied.push((row.object.clone(), path, row.values.clone()));
            }
        }
        for (old, path, values) in copied {
            let object = self.soft_path_like(&old, &path)?;
            if let Some(data) = &mut self.further_mut().meta_data {
                data.objects.push(ObjectMetaData { object, values });
            }
        }
        Ok(())
    }

    /// A soft path of this text, stored as another one is: in full, or as a row of the list.
    pub(super) fn soft_path_like(&mut self, like: &SoftPath, text: &str) -> Result<SoftPath> {
        match like {
            SoftPath::Full(old) => Ok(SoftPath::Full(self.soft_path_of(old, text)?)),
            SoftPath::Listed(row) => {
                let known = usize::try_from(*row).ok();
                let known = known.and_then(|row| self.soft_object_paths().get(row)).cloned();
                let path = self.soft_path_of(&known.unwrap_or_default(), text)?;
                self.soft_path_row(path).map(SoftPath::Listed)
            }
        }
    }

    /// Before that an object of the package has it.
    fn copy_meta_data_object(&mut self, copies: &HashMap<usize, usize>) -> Result<()> {
        let Some(&row) = self.rows_of_class("MetaData").first() else { return Ok(()) };
        self.decode_row(row);
        let Some(decoded) = self.bodies().decoded.get(&row) else { return Ok(()) };
        let held = crate::package::native_as::<MetaData>(&decoded.body);
        let copied: Vec<_> = held
            .iter()
            .flat_map(|data| &data.objects.0)
            .filter_map(|(object, values)| {
                let mut rows =
                    copies.iter().filter(|(old, _)| PackageIndex::export(**old) == *object);
                rows.next().map(|(_, new)| (PackageIndex::export(*new), values.clone()))
            })
            .collect();
        if !copied.is_empty()
            && let Some(decoded) = self.decoded_mut(row)
            && let Some(data) = native_as_mut::<MetaData>(&mut decoded.body)
        {
            data.objects.0.extend(copied);
        }
        Ok(())
    }
}
