//! Paths within longer texts of the header: tags of the asset registry, thumbnails, places of texts.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};

use super::Renamed;
use crate::edit::Edit;
use crate::package::path_map::PathMap;
use crate::primitive::FString;
use crate::version::UnrealVersions;

impl Edit {
    /// Every text of the header that says an old path says the new one.
    pub(super) fn rename_texts(&mut self, map: &PathMap, renamed: &mut Renamed) {
        let source = self.source_bytes();
        let (order, game) = (self.versions().byte_order, self.versions().game());
        let mut change =
            |string: &FString, field: &dyn Fn() -> String, new: &dyn Fn(&str) -> Option<String>| {
                let old = string.text(&source).ok()?;
                let new = new(&old).filter(|new| *new != *old)?;
                renamed.note(field(), &old, &new);
                Some(FString::new_in(&new, order, game))
            };
        let path = |old: &str| match old.starts_with('/') {
            true => map.path(old),
            false => map.object(old),
        };
        let text = |old: &str| map.text(old);
        let mut thumbnails = Vec::new();
        for (row, thumbnail) in self.tables().thumbnails.iter().enumerate() {
            let new = change(&thumbnail.object_path, &|| "thumbnail".to_owned(), &path);
            thumbnails.extend(new.map(|new| (row, new)));
        }
        let further = &self.tables().further;
        let (mut references, mut places) = (Vec::new(), Vec::new());
        for (row, reference) in further.soft_package_references.iter().enumerate() {
            let field = || "soft package reference".to_owned();
            let new = change(&reference.path, &field, &|old| map.path(old));
            references.extend(new.map(|new| (row, new)));
        }
        for (row, gathered) in further.gatherable_text.iter().enumerate() {
            for (at, context) in gathered.contexts.iter().enumerate() {
                let new = change(&context.site, &|| "place of a text".to_owned(), &text);
                places.extend(new.map(|new| (row, at, new)));
            }
        }
        let (mut assets, mut left) = (Vec::new(), Vec::new());
        let known = further.asset_registry.iter().flat_map(|registry| &registry.assets);
        for (row, asset) in known.enumerate() {
            let field = || "asset registry: path".to_owned();
            let may_change =
                asset.object_path.comparable(&source).is_ok_and(|path| map.may_change(&path));
            let object_path = match may_change {
                true => change(&asset.object_path, &field, &path),
                false => None,
            };
            let mut tags = Vec::new();
            for (at, tag) in asset.tags.iter().enumerate() {
                let key = || tag.key.text(&source).unwrap_or_default();
                let within = |old: &str| {
                    let is_within = match key().as_ref() {
                        // The module of a blueprint's class is its package.
                        "ModuleName" => map.whole,
                        // The blueprint's path within its package.
                        "BlueprintPath" => true,
                        _ => false,
                    };
                    map.object(old).filter(|_| is_within)
                };
                let new = |old: &str| map.text(old).or_else(|| within(old));
                let new = change(&tag.value, &|| format!("asset registry: {}", key()), &new);
                if new.is_none() && tag.value.text(&source).is_ok_and(|text| hides_path(&text, map))
                {
                    let asset = asset.object_path.text(&source).unwrap_or_default();
                    left.push(format!(
                        "the asset registry's tag {} of {asset} holds the old path in bytes, which stay: the \
                         editor makes it anew",
                        key()
                    ));
                }
                tags.extend(new.map(|new| (at, new)));
            }
            if object_path.is_some() || !tags.is_empty() {
                let mut asset = asset.clone();
                asset.object_path = object_path.unwrap_or(asset.object_path);
                tags.into_iter().for_each(|(at, new)| asset.tags[at].value = new);
                assets.push((row, asset));
            }
        }
        renamed.care.extend(left);
        for (row, new) in thumbnails {
            self.tables_mut().thumbnails[row].object_path = new;
        }
        for (row, new) in references {
            self.further_mut().soft_package_references[row].path = new;
        }
        for (row, at, new) in places {
            self.further_mut().gatherable_text[row].contexts[at].site = new;
        }
        for (row, asset) in assets {
            self.set_asset(row, asset);
        }
    }
}

/// Whether a text is bytes in Base64 with a path that changes among them, as the descriptions of actors are
/// (C++: `FWorldPartitionActorDesc`).
fn hides_path(text: &str, map: &PathMap) -> bool {
    let Some(bytes) = base64(text) else { return false };
    // Texts in bytes end in a zero; others may begin like them.
    let package = Some(&map.old).filter(|old| map.whole && !old.is_empty());
    let mut texts = package.into_iter().chain(map.objects.iter().map(|(old, _)| old));
    texts.any(|text| {
        let is = |window: &[u8]| match window {
            [head @ .., 0] => head.eq_ignore_ascii_case(text.as_bytes()),
            _ => false,
        };
        !text.is_empty() && bytes.windows(text.len() + 1).any(is)
    })
}

/// Base64 as any program writes it, with its end filled up.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// The bytes of a text in Base64; `None` for other texts.
fn base64(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text).ok().filter(|bytes| !bytes.is_empty())
}
