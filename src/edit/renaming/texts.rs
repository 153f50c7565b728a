//! Paths within longer texts of the header: tags of the asset registry, thumbnails, places of texts.

use super::Renamed;
use crate::edit::Edit;
use crate::package::path_map::PathMap;
use crate::primitive::FString;

impl Edit {
    /// Every text of the header that says an old path says the new one.
    pub(super) fn rename_texts(&mut self, map: &PathMap, renamed: &mut Renamed) {
        let source = self.source_bytes();
        let (order, game) = (self.versions().byte_order, self.versions().game);
        let mut change = |string: &mut FString,
                          field: &dyn Fn() -> String,
                          new: &dyn Fn(&str) -> Option<String>| {
            let Ok(old) = string.text(&source) else { return };
            if let Some(new) = new(&old).filter(|new| *new != *old) {
                renamed.note(field(), &old, &new);
                *string = FString::new_in(&new, order, game);
            }
        };
        let path = |old: &str| match old.starts_with('/') {
            true => map.path(old),
            false => map.object(old),
        };
        let text = |old: &str| map.text(old);
        if !self.tables().thumbnails.is_empty() {
            for thumbnail in &mut self.tables_mut().thumbnails {
                change(&mut thumbnail.object_path, &|| "thumbnail".to_owned(), &path);
            }
        }
        let further = self.further_mut();
        for reference in &mut further.soft_package_references {
            change(&mut reference.path, &|| "soft package reference".to_owned(), &|old| {
                map.path(old)
            });
        }
        for row in &mut further.gatherable_text {
            for context in &mut row.contexts {
                change(&mut context.site, &|| "place of a text".to_owned(), &text);
            }
        }
        let assets = further.asset_registry.iter_mut().flat_map(|registry| &mut registry.assets);
        for asset in assets {
            change(&mut asset.object_path, &|| "asset registry: path".to_owned(), &path);
            for tag in &mut asset.tags {
                let key = tag.key.text(&source).unwrap_or_default().into_owned();
                // The module of a blueprint's class is its package.
                let module = key == "ModuleName" && map.whole;
                let module = |old: &str| map.object(old).filter(|_| module);
                let new = |old: &str| map.text(old).or_else(|| module(old));
                change(&mut tag.value, &|| format!("asset registry: {key}"), &new);
            }
        }
    }
}
