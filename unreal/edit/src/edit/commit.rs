//! The end of an edit: one layout, one proof.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;

use super::Edit;
use crate::archive::Context;
use crate::compression::{Container, ContainerForm};
use crate::error::{Error, Result};
use crate::inspect::PackageValues;
use crate::object::Body;
use crate::package::scan::shows_positions;
use crate::package::{Decoded, Ground, LayoutKind, Moved, Package, SaveOptions, Saved};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

/// Names of the table that an edit has given other texts.
enum RenamedNames {
    None,
    /// Any body may be read in the light of them.
    OfAll,
    /// They are used by these bodies, in the order of their rows.
    Of(Vec<usize>),
}

impl Edit {
    /// Saves what was changed and proves it: opened again, it saves to the same bytes, and every object is
    /// read as what it is here. Costs twice what opening, decoding and saving cost.
    pub(super) fn commit(&mut self, options: &SaveOptions) -> Result<Saved> {
        if self.undo_log.is_empty() {
            return options.save(&mut self.package);
        }
        let moves = self.close_gaps()?;
        self.drop_unneeded()?;
        let renaming = self.renaming();
        // Saving copies bodies that are shared, and what copies use is looked up anew in any case.
        self.package.parts_kept().caches.uses = Arc::default();
        let (saved, typed) = self.saved(options)?;
        let reopened = self.prove(&saved, moves, &renaming)?;
        if typed {
            self.package.save_typed_from_now_on();
        }
        if let Some(reopened) = reopened {
            // What rows mean has changed: ranges of the source that is left behind would say something else.
            let baseline = self.package.baseline().cloned();
            self.package = self.package.replaced_by(reopened, &saved);
            self.package.set_baseline(baseline);
            if self.had_decoded {
                self.package.decode_all();
            }
        }
        Ok(saved)
    }

    /// Saves; where opaque bodies would have to move, with all that can be
    /// decoded, so that they may; says whether that was so.
    fn saved(&mut self, options: &SaveOptions) -> Result<(Saved, bool)> {
        let known = |moved: &Moved| matches!(moved.ground, Ground::Decoded | Ground::Replaced);
        let is_plain = |saved: &Saved| match saved.report.layout {
            LayoutKind::InPlace => true,
            LayoutKind::Canonical => saved.report.moved.iter().all(known),
            LayoutKind::Keep => false,
        };
        if !self.package.header_grows() {
            let saved = options.save(&mut self.package);
            if let Ok(saved) = saved
                && is_plain(&saved)
            {
                return Ok((saved, false));
            }
        }
        if let Ok(saved) = options.save_own_looking(&mut self.package, &mut |_, _, _| Ok(())) {
            return Ok((saved, true));
        }
        Ok((options.save(&mut self.package)?, false))
    }

    /// The saved package, opened again and proved; `moves` where objects have other numbers than in the source,
    /// and what was opened takes the place of this one.
    fn prove(
        &mut self,
        saved: &Saved,
        moves: bool,
        renaming: &RenamedNames,
    ) -> Result<Option<Package>> {
        // What is known beside the tables is as large as these, and hardly asked for meanwhile.
        self.package.parts_kept().caches.forget();
        let image = saved.image.as_ref().unwrap_or(&saved.bytes);
        let opened = self.prove_image(image, moves, renaming)?;
        let Some(image) = &saved.image else { return Ok(moves.then_some(opened)) };
        let compressed = self.package.reopened(saved.bytes.clone())?;
        let is_same = match compressed.container().map(Container::form) {
            Some(ContainerForm::Zen) => compressed.is_zen_of(&opened, &saved.bytes)?,
            _ => image == compressed.source(),
        };
        drop(opened);
        if !is_same {
            let reason = "the changed package does not come out of its file again";
            return Err(Error::invalid(reason));
        }
        Ok(moves.then_some(compressed))
    }

    /// The names that have other texts now, and who uses them.
    fn renaming(&mut self) -> RenamedNames {
        let rows = self.undo_log.renamed_rows(&self.package);
        if rows.is_empty() {
            return RenamedNames::None;
        }
        // What bodies hold goes by names that are not in them: of classes, and of what is declared.
        if self.versions().unversioned_properties()
            || self.package.has_declarations()
            || self.names_classes(&rows)
        {
            return RenamedNames::OfAll;
        }
        RenamedNames::Of(self.package.body_uses().users_of_names(rows))
    }

    /// Opens an image and saves it again; meanwhile each object is compared with what it is here.
    fn prove_image(
        &mut self,
        image: &Bytes,
        moves: bool,
        renaming: &RenamedNames,
    ) -> Result<Package> {
        let unsound = |what: &str| Error::invalid(format!("the changed package {what}"));
        let mut again = self.package.reopened(image.clone())?;
        let (ours, theirs) = (self.package.tables(), again.tables());
        if (ours.names.len(), ours.imports.len(), ours.exports.len())
            != (theirs.names.len(), theirs.imports.len(), theirs.exports.len())
        {
            return Err(unsound("has other tables when it is opened again"));
        }
        let contexts = (self.package.source_context(), again.source_context());
        let mut decoder = None;
        let other_resources = self.undo_log.has_other_resources(&self.package);
        let mut before = None;
        let mut met = vec![false; self.package.export_count()];
        let is_same = SaveOptions::of_image().saves_to(
            image.clone(),
            &mut again,
            &mut |again, row, theirs| {
                met[row] = true;
                if self.package.bodies().replaced.contains_key(&row) {
                    return Ok(());
                }
                if other_resources && let Some(error) = &theirs.error {
                    let before = before.get_or_insert_with(|| self.before());
                    self.refuse_broken(row, before, error)?;
                }
                let opaque = self.package.decoded(row).map(|decoded| decoded.opaque);
                let known = opaque.is_some();
                // The same bytes and names mean the same, also where rows have moved: none that they refer to has.
                let is_read = opaque.map_or(!moves, |opaque| theirs.opaque == opaque);
                let names_stay = match renaming {
                    RenamedNames::None => true,
                    RenamedNames::OfAll => false,
                    RenamedNames::Of(bodies) => known && bodies.binary_search(&row).is_err(),
                };
                if is_read && names_stay && self.has_bytes_of(row, again) {
                    return Ok(());
                }
                let decoded = self.package.parts_kept().bodies.decoded.take(row);
                let mut mine = match decoded {
                    Some(decoded) => decoded,
                    None => {
                        let decoder = decoder.get_or_insert_with(|| self.package.decoder());
                        let decoded = decoder.decode(&self.package, row, |_| true);
                        decoded.unwrap_or_else(|| {
                            let context = self.package.decoding_context();
                            Arc::new(self.package.decode_with(row, &context))
                        })
                    }
                };
                let compared = self.compare_body(row, &mut mine, (again, theirs), &contexts);
                if known {
                    self.package.parts_kept().bodies.decoded.set(row, Some(mine));
                }
                compared
            },
        )?;
        if !is_same {
            return Err(unsound("is saved to other bytes when it is opened again"));
        }
        if !moves {
            // Where rows have moved it was done before.
            self.check_given(&again)?;
        }
        let mut unproved = Vec::new();
        for row in (0..met.len()).filter(|&row| !met[row]) {
            let is_own = self.package.bodies().replaced.contains_key(&row);
            if is_own || again.body_range(row).1 == 0 {
                continue;
            }
            let may_differ = moves || !matches!(renaming, RenamedNames::None);
            if may_differ || self.package.decoded(row).is_some() {
                return Err(self.shares_bytes(row));
            }
            unproved.push(row);
        }
        self.have_bytes_of(unproved, &again)?;
        Ok(again)
    }

    /// Whether the body of an export has the bytes that it has in the source.
    fn has_bytes_of(&self, row: usize, again: &Package) -> bool {
        let (start, size) = self.package.body_range(row);
        let before = self.package.source().get(start as usize..(start + size) as usize);
        size > 0 && before.is_some_and(|before| again.body(row).is_ok_and(|now| now == before))
    }

    /// Fails unless these bodies, which may share bytes, have those that they have in the source. However they
    /// overlap, each byte is compared once where they have moved together.
    fn have_bytes_of(&self, rows: Vec<usize>, again: &Package) -> Result<()> {
        let (before, after) = (self.package.source(), again.source());
        let mut ranges = Vec::with_capacity(rows.len());
        for row in rows {
            let (old, new) = (self.package.body_range(row), again.body_range(row));
            if old.1 != new.1 {
                return Err(self.shares_bytes(row));
            }
            ranges.push((new.0.wrapping_sub(old.0), old.0, old.0.saturating_add(old.1), row));
        }
        ranges.sort_unstable();
        fn part(bytes: &[u8], start: u64, end: u64) -> Option<&[u8]> {
            bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
        }
        let mut compared = (0, 0);
        for (moved, start, end, row) in ranges {
            let from = if compared.0 == moved { start.max(compared.1).min(end) } else { start };
            let old = part(before, from, end);
            let new = part(after, from.wrapping_add(moved), end.wrapping_add(moved));
            if old.is_none() || old != new {
                return Err(self.shares_bytes(row));
            }
            compared = (moved, if compared.0 == moved { end.max(compared.1) } else { end });
        }
        Ok(())
    }

    fn shares_bytes(&self, row: usize) -> Error {
        let reason = "it shares its bytes with something else now".to_owned();
        self.values().about(row, Error::invalid(reason))
    }

    /// Whether classes of exports, or what these derive from, are called by these rows of the name table.
    fn names_classes(&self, rows: &BTreeSet<i32>) -> bool {
        let tables = self.tables();
        let name = |index: PackageIndex| match index.target() {
            ObjectRef::Null => None,
            ObjectRef::Import(row) => tables.imports.get(row).map(|import| import.object_name),
            ObjectRef::Export(row) => tables.exports.get(row).map(|export| export.object_name),
        };
        let mut last = None;
        let mut classes = tables.exports.iter().filter_map(|export| {
            let class = (export.class_index, export.super_index);
            (last.replace(class) != Some(class)).then_some(class)
        });
        classes.any(|(class, parent)| {
            let names = [name(class), name(parent)];
            names.into_iter().flatten().any(|name| rows.contains(&name.index.value()))
        })
    }

    /// The package as it was before the edit.
    fn before(&self) -> Package {
        let mut edit = self.clone();
        edit.undo_all();
        edit.package
    }

    /// Fails where a body was decoded whole before the edit: what says how it is read has changed under it. Objects have
    /// the numbers that they had: they can't move in a package whose bodies are not all decoded.
    fn refuse_broken(&self, row: usize, before: &Package, error: &Error) -> Result<()> {
        let is_there = row < before.export_count() && before.body_range(row).1 > 0;
        match is_there && before.decode(row).is_ok_and(|decoded| decoded.error.is_none()) {
            true => Err(self.values().about(
                row,
                Error::invalid(format!("it could not be read whole any more ({error})")),
            )),
            false => Ok(()),
        }
    }

    /// Whether a body is read back as what it is here.
    fn compare_body(
        &self,
        row: usize,
        mine: &mut Arc<Decoded>,
        (again, theirs): (&Package, &mut Decoded),
        contexts: &(Arc<Context>, Arc<Context>),
    ) -> Result<()> {
        let about = |reason: String| self.values().about(row, Error::invalid(reason));
        let depends = "the class's own data depends on this property, or its type has another form \
                       than this value";
        let ((old_start, old_size), (start, size)) =
            (self.package.body_range(row), again.body_range(row));
        if mine.opaque > 0 && old_size > 0 && size != old_size {
            let old_body = self.package.source().get(old_start as usize..).unwrap_or_default();
            let old_body = old_body.get(..old_size as usize).unwrap_or_default();
            if self.may_hold_positions(row, old_body, old_start, start) {
                return Err(about(
                    "part of its body is not decoded and seems to hold file positions, so its size \
                     can't change"
                        .to_owned(),
                ));
            }
        }
        if let (None, Some(error)) = (&mine.error, &theirs.error) {
            return Err(about(format!(
                "changed so, it could not be read again ({error}): {depends}"
            )));
        }
        // Writing a body changes nothing in it; one that others share is copied for that.
        let mut copy;
        let mine = match Arc::get_mut(mine) {
            Some(mine) => &mut mine.body,
            None => {
                copy = mine.body.clone();
                &mut copy
            }
        };
        let ours = self.outline(mine, start, &contexts.0)?;
        let found = self.outline(&mut theirs.body, start, &contexts.1)?;
        if ours == found {
            return Ok(());
        }
        let records = |body: &mut Body, context: &Arc<Context>| -> Result<_> {
            Ok(self.package.written(body, start, context.clone())?.1)
        };
        let ours = records(mine, &contexts.0)?;
        let found = records(&mut theirs.body, &contexts.1)?;
        let first = ours.iter().zip(&found).find(|(a, b)| a != b);
        let place = first.map_or("its end", |(record, _)| record.path.as_str());
        Err(about(format!(
            "changed so, it would be read as something else from {place} on: {depends}"
        )))
    }

    /// Whether opaque bytes of a body may be positions in the file.
    fn may_hold_positions(&self, row: usize, body: &[u8], old_start: u64, start: u64) -> bool {
        match self.bulk_scan() {
            Some(scan) => {
                let is_held = |class: &String| scan.class_has_positions(class);
                self.class_chain(row).iter().any(is_held) || scan.shows_absolute(body, old_start)
            }
            None => shows_positions(body, old_start, start, self.versions()),
        }
    }
}
