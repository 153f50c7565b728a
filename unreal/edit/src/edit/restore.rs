//! Putting back what was removed.

mod places;
mod resources;
mod tables;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::places::CurrentPlaces;
use super::Edit;
use super::level::ActorLists;
use super::remove::{KeptObjects, Removed};
use super::renumber::Renumbering;
use crate::archive::{Archived, Context, Remap, Saver, Span};
use crate::error::{Error, ErrorKind, Result, UnrealErrors, noun};
use crate::object::Body;
use crate::package::Decoded;
use crate::primitive::{NameRemap, PackageIndex};
use crate::version::UnrealVersions;

/// How a body that referred to what comes back does so again.
enum Return {
    /// It is as it was left: it becomes what it was.
    Whole(Arc<Decoded>),
    /// A level that has changed since: the actors come back to its list.
    Listed(Arc<Decoded>),
}

impl Edit {
    /// Puts back what [`Edit::remove_objects`] has removed, and says the rows: objects stand at their old
    /// places, and what referred to them or listed them does so again. Names and imports that have gone since
    /// come with them.
    ///
    /// A package of which something was removed and put back has the bytes that it had, if it had the layout
    /// that the engine writes.
    ///
    /// ```
    /// use unreal_packages::prelude::*;
    /// use unreal_packages::{edit::RemoveOptions, generate::Builder};
    ///
    /// # fn main() -> unreal_packages::Result<()> {
    /// let builder = Builder::new(69).name("None");
    /// let builder = builder.export("A", "Engine.Info", [0]).export("B", "Engine.Info", [0]);
    /// let mut package = Package::from_bytes(builder.build()?)?;
    /// let before = package.to_bytes()?;
    /// let removed = package.edit(|edit| edit.remove_object("A", RemoveOptions::Refuse))?;
    /// package.edit(|edit| edit.restore(&removed))?;
    /// assert_eq!(package.to_bytes()?, before);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `Exists` where another object has taken the place of one; `Invalid` for what was read from a document,
    /// which says only what was removed; `Refused` with the objects that have changed since they referred to
    /// what comes back.
    pub fn restore(&mut self, removed: &Removed) -> Result<Vec<usize>> {
        let Some(kept) = removed.kept.clone() else {
            let reason =
                "it says what was removed and does not hold it: keep what removing returns";
            return Err(Error::invalid(reason));
        };
        self.restructure(|package| {
            package.decode_all();
            package.restore_kept(&kept)
        })
    }

    fn restore_kept(&mut self, kept: &KeptObjects) -> Result<Vec<usize>> {
        let mut places = CurrentPlaces::of(self, kept);
        if let Some(taken) = places.taken(kept) {
            return Err(ErrorKind::Exists { what: noun::EXPORT, name: taken }.into());
        }
        let returns = self.returns(kept, &places)?;
        let preloads_stay = places.is_plain(kept) && self.preloads_are(kept, &places);
        places.add_missing(self, kept)?;
        let rows = self.make_room(kept, &mut places)?;
        self.return_resources(kept, &mut places)?;
        for (&old, &row) in kept.rows.iter().zip(&rows) {
            self.fill_row(kept, old, row, &places)?;
        }
        for (old, change) in returns {
            let Some(row) = places.export(old) else { continue };
            match change {
                Return::Whole(before) => {
                    let body = places.moved(self, kept, &before.body)?;
                    self.bodies_mut().decoded.insert(row, Decoded { body, ..(*before).clone() });
                }
                Return::Listed(before) => self.list_again(&before, row, kept, &places),
            }
        }
        self.restore_tables(kept, &places, preloads_stay)?;
        self.sync_counts()?;
        self.rebase()?;
        Ok(rows)
    }

    /// How each body that referred to what comes back does so again.
    ///
    /// # Errors
    /// `Refused` with those that have changed in the meantime.
    fn returns(&self, kept: &KeptObjects, places: &CurrentPlaces) -> Result<Vec<(usize, Return)>> {
        let context = self.decoding_context();
        let old = Arc::new(Context::of(kept.source()));
        let mut returns = Vec::new();
        let mut stuck = Vec::new();
        for (row, before, after) in &kept.changed {
            let now = places.export(*row).and_then(|row| self.bodies().decoded.get(&row));
            let left = places.moved(self, kept, &after.body).ok();
            let left = left.and_then(|body| self.plain_bytes(&body, &context));
            let is_as_left =
                left.is_some() && now.and_then(|now| self.plain_bytes(&now.body, &context)) == left;
            let mut only_list = before.body.clone();
            let lists = now.is_some_and(|now| ActorLists::of(&mut now.body.clone()).is_some());
            if is_as_left {
                returns.push((*row, Return::Whole(before.clone())));
            } else if lists && let Some(mut lists) = ActorLists::of(&mut only_list) {
                lists.drop_actors(&|index| kept.is_gone(index));
                match self.plain_bytes(&only_list, &old) == self.plain_bytes(&after.body, &old) {
                    true => returns.push((*row, Return::Listed(before.clone()))),
                    false => stuck.push(*row),
                }
            } else {
                stuck.push(*row);
            }
        }
        if stuck.is_empty() {
            return Ok(returns);
        }
        let reason = "they referred to what was removed and have changed since";
        let shown = stuck.iter().map(|&row| kept.path(row).to_owned()).collect();
        Err(Error::refused(reason, shown))
    }

    /// A body as bytes, wherever it stands.
    fn plain_bytes(&self, body: &Body, context: &Arc<Context>) -> Option<Vec<u8>> {
        let mut saver = Saver::new(self.versions().of_bodies()).with_context(context.clone());
        body.clone().serialize(&mut saver).ok()?;
        Some(saver.into_bytes())
    }

    /// Empty rows at the old places of what comes back: behind what stood before it.
    fn make_room(&mut self, kept: &KeptObjects, places: &mut CurrentPlaces) -> Result<Vec<usize>> {
        let mut behind: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        for &old in &kept.rows {
            let before = (0..old).rev().find_map(|old| places.export(old));
            behind.entry(before).or_default().push(old);
        }
        let mut renumbering = Renumbering::identity(self);
        let mut rows = Vec::with_capacity(kept.rows.len());
        let mut exports = Vec::with_capacity(renumbering.exports.len() + kept.rows.len());
        for row in std::iter::once(None).chain(renumbering.exports.iter().copied()) {
            exports.extend(row.map(Some));
            for old in behind.remove(&row).unwrap_or_default() {
                rows.push((old, exports.len()));
                exports.push(None);
            }
        }
        rows.sort_unstable();
        let rows: Vec<usize> = rows.into_iter().map(|(_, row)| row).collect();
        renumbering.exports = exports;
        self.renumber_rows(&renumbering)?;
        places.follow(&renumbering.exports);
        kept.rows.iter().zip(&rows).for_each(|(&old, &row)| places.set(old, row));
        Ok(rows)
    }

    /// Puts one object back into its row.
    fn fill_row(
        &mut self,
        kept: &KeptObjects,
        old: usize,
        row: usize,
        places: &CurrentPlaces,
    ) -> Result<()> {
        let context = places.context(kept);
        let (by_name, by_object) = places.rules();
        let mut remap = Remap::names_and_objects(self.versions().clone(), &by_name, &by_object)
            .materializing()
            .with_context(context);
        let mut export = kept.tables().exports[old].clone();
        export.serialize(&mut remap).map_err(|error| error.at_index(old).in_field("exports"))?;
        export.serial_size = 0.into();
        export.serial_offset = self.place_before(row).into();
        self.tables_mut().exports[row] = export;
        if let Some((_, decoded)) = kept.bodies.iter().find(|(at, _)| *at == old) {
            let body = places.moved(self, kept, &decoded.body)?;
            if decoded.opaque > 0 && !places.is_identity(kept) {
                return Err(self.undecoded(kept, old));
            }
            self.bodies_mut().decoded.insert(row, Decoded { body, ..(**decoded).clone() });
        }
        if let Some((_, span)) = kept.hidden.iter().find(|(at, _)| *at == old) {
            if !places.is_identity(kept) {
                return Err(self.undecoded(kept, old));
            }
            let bytes = span.bytes(&kept.source())?.to_vec();
            self.bodies_mut().replaced.insert(row, Span::owned(bytes));
        }
        Ok(())
    }

    /// Where a body has to stand so that it comes before those of the next rows: bodies go by their places
    /// where nothing else says their order.
    fn place_before(&self, row: usize) -> i64 {
        if !self.versions().has_tiled_layout() {
            return 0;
        }
        let exports = &self.tables().exports;
        let behind = (row + 1..exports.len()).map(|row| &exports[row]);
        let next = behind.into_iter().find(|export| export.size() > 0);
        let ends = || exports.iter().map(|export| export.offset().saturating_add(export.size()));
        let place = next.map_or_else(|| ends().max().unwrap_or(0), |export| export.offset());
        i64::try_from(place).unwrap_or(0)
    }

    fn undecoded(&self, kept: &KeptObjects, row: usize) -> Error {
        let reason = "rows have moved since it was removed, and numbers in a body that is not decoded \
                      whole can't follow";
        Error::refused(reason, vec![kept.path(row).to_owned()])
    }

    /// Actors come back to the list of their level, at their old places as far as there are such.
    fn list_again(
        &mut self,
        before: &Decoded,
        row: usize,
        kept: &KeptObjects,
        places: &CurrentPlaces,
    ) {
        let mut before = before.body.clone();
        let Some(old) = ActorLists::of(&mut before) else { return };
        let is_gone = |index: &PackageIndex| kept.is_gone(*index);
        let back: Vec<(usize, PackageIndex)> = old
            .actors
            .iter()
            .enumerate()
            .filter(|(_, index)| is_gone(index))
            .map(|(at, &index)| (at, places.object(index)))
            .collect();
        let Some(mut lists) = self.actors_mut(row) else { return };
        lists.change(|actors| {
            for (at, actor) in back {
                actors.insert(at.min(actors.len()), actor);
            }
        });
    }
}
