//! Header entries of copied objects: thumbnails, entries of the asset registry, lists of actors, soft
//! paths.

use std::collections::{BTreeMap, HashMap};

use super::gather::Fate;
use super::needed::Needed;
use crate::archive::{Archived, Context, References};
use crate::edit::Edit;
use crate::edit::level::{Placing, STANDS_BESIDE};
use crate::error::{Error, ErrorKind, Result, UnrealErrors};
use crate::primitive::{SoftObjectPath, Visit, Visitor, Way};
use crate::table::AssetTag;
use crate::version::UnrealVersions;
use crate::version::threshold::ue5;

/// Counts soft paths in full.
#[derive(Default)]
struct FullPaths(usize);

impl Visitor for FullPaths {
    fn takes_paths(&self) -> bool {
        false
    }

    fn soft_path(&mut self, _: &mut SoftObjectPath, _: &Way) {
        self.0 += 1;
    }
}

impl Edit {
    /// Soft paths that copied bodies refer to by row, added to the list of this package where they are not in
    /// it: old rows and new ones.
    pub(in crate::edit) fn adopt_soft_paths(
        &mut self,
        source: &Edit,
        needed: &Needed,
    ) -> Result<BTreeMap<i32, i32>> {
        if self.versions().ue5() < ue5::ADD_SOFTOBJECTPATH_LIST {
            return Ok(BTreeMap::new());
        }
        let (theirs, ours) = (source.soft_object_paths().is_empty(), self.soft_object_paths());
        let mut references = References::new(source.versions().clone());
        let mut full = FullPaths::default();
        for row in needed.copied() {
            if let Some(decoded) = source.bodies().decoded.get(&row) {
                let mut body = decoded.body.clone();
                let versions = source.versions().of_bodies();
                // Visiting never fails: it neither reads nor writes.
                let _ = body.serialize(&mut references);
                let _ = body.serialize(&mut Visit::new(&mut full, versions, Context::nothing()));
            }
        }
        let mixed = || {
            let reason = "one package lists its soft paths and the other has them in full, which bodies \
                          have to do alike";
            Error::refused(reason, vec![source.exports().path(needed.roots[0])])
        };
        if theirs && full.0 > 0 && !ours.is_empty() {
            return Err(mixed());
        }
        let rows = references.rows(&SoftObjectPath::SPACE).clone();
        if rows.is_empty() {
            return Ok(BTreeMap::new());
        }
        if ours.is_empty() {
            // With the first row every body reads rows: there must be no path in full yet.
            let mut full = FullPaths::default();
            let context = self.decoding_context();
            self.package.visit_sections(&mut full, &context, |_, _| {});
            let mut unseen = false;
            self.package.each_body(|_, body| unseen |= !body.is_complete());
            if full.0 > 0 || unseen {
                return Err(mixed());
            }
            // Above zero, so that it is settled when the section has its place.
            let offset = &mut self.tables_mut().summary.soft_object_paths_offset;
            *offset = (*offset).max(1);
        }
        let context = source.context();
        let mut found = BTreeMap::new();
        for &row in rows.keys() {
            let path = usize::try_from(row).ok();
            let Some(path) = path.and_then(|row| source.soft_object_paths().get(row)) else {
                return Err(ErrorKind::NotMapped { what: "soft path", index: row }.into());
            };
            // The form of the sub path is the version's own.
            let sub_path_utf8 = path.sub_path_utf8.clone();
            let blank = SoftObjectPath { sub_path_utf8, ..SoftObjectPath::default() };
            let new = self.soft_path_of(&blank, &path.text(&context))?;
            found.insert(row, self.soft_path_row(new)?);
        }
        Ok(found)
    }

    /// Adds the asset registry's rows of copied assets, with their tags.
    pub(in crate::edit) fn adopt_assets(
        &mut self,
        source: &Edit,
        needed: &Needed,
        first: usize,
    ) -> Result<()> {
        let Some(registry) = &source.tables().further.asset_registry else { return Ok(()) };
        for (at, row) in needed.copied().enumerate() {
            let path = source.exports().path(row);
            let known = registry.assets.iter().find(|asset| {
                asset.object_path.text(source.source()).is_ok_and(|text| text == path)
            });
            let Some(known) = known else { continue };
            let mut tags = Vec::with_capacity(known.tags.len());
            for tag in &known.tags {
                let [key, value] = [&tag.key, &tag.value].map(|text| text.text(source.source()));
                tags.push(AssetTag { key: self.string(&key?), value: self.string(&value?) });
            }
            self.note_asset(first + at, tags);
        }
        Ok(())
    }

    /// Actors come into the list of the level that they are in now; before UE3 that of the package.
    pub(super) fn adopt_actors(
        &mut self,
        source: &Edit,
        needed: &Needed,
        first: usize,
        actors: &HashMap<usize, usize>,
    ) -> Result<()> {
        for (at, row) in needed.copied().enumerate() {
            if !actors.contains_key(&row) {
                continue;
            }
            let outer = self.tables().exports[first + at].outer_index;
            match self.level_at(outer) {
                Some(level) => self.place_actor(level, first + at, Placing::Copied)?,
                None if outer.is_null() && self.levels().is_empty() => {}
                None => {
                    let reason = match self.actors_stand_beside() && !outer.is_null() {
                        true => STANDS_BESIDE,
                        false => "an actor lies in a level: name the level that it is copied into",
                    };
                    return Err(Error::refused(reason, vec![source.exports().path(row)]));
                }
            }
        }
        Ok(())
    }

    /// Thumbnails of what was copied, with their images.
    pub(in crate::edit) fn adopt_thumbnails(
        &mut self,
        source: &Edit,
        needed: &Needed,
        first: usize,
    ) -> Result<()> {
        if source.tables().thumbnails.is_empty() || self.check_thumbnails().is_err() {
            return Ok(());
        }
        let copied = needed.fates.iter().filter(|(_, fate)| **fate == Fate::Copied);
        let paths: BTreeMap<String, usize> = copied
            .enumerate()
            .map(|(at, (&row, _))| (source.exports().path(row).to_ascii_lowercase(), first + at))
            .collect();
        for thumbnail in &source.tables().thumbnails {
            let path = thumbnail.object_path.text(source.source())?;
            let (colon, path) = (path.contains(':'), path.replace(':', ".").to_ascii_lowercase());
            let (Some(&row), Some(image)) = (paths.get(&path), source.tables().image(thumbnail))
            else {
                continue;
            };
            let (mut thumbnail, mut image) = (thumbnail.clone(), image.clone());
            image.image.materialize(source.source())?;
            thumbnail.class_name.materialize(source.source())?;
            // Images are known by their offsets; this one gets its true one when it is saved.
            let last = self.tables().images.last().map_or(0, |(at, _)| *at);
            let taken = self
                .tables()
                .thumbnails
                .iter()
                .filter_map(|row| u64::try_from(row.file_offset).ok());
            let place = taken.fold(last, u64::max) + 1;
            thumbnail.file_offset = i32::try_from(place)
                .map_err(|_| ErrorKind::OutOfRange { value: place.into(), bits: 31 })?;
            let path = self.exports().path(row);
            let path = if colon { path.replacen('.', ":", 1) } else { path };
            thumbnail.object_path = self.string(&path);
            self.tables_mut().images.push((place, image));
            self.tables_mut().thumbnails.push(thumbnail);
        }
        Ok(())
    }
}
