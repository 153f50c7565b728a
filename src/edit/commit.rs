//! The end of an edit: one layout, one proof.

use std::collections::HashSet;
use std::sync::Arc;

use bytes::Bytes;

use super::Edit;
use crate::archive::Context;
use crate::error::{Error, Result};
use crate::object::Body;
use crate::package::scan::shows_positions;
use crate::package::{Decoded, Ground, LayoutKind, Moved, Package, SaveOptions, Saved};

impl Edit {
    /// Saves what was changed and proves it: opened again, it saves to the same bytes, and every object is
    /// read as what it is here. Costs twice what opening, decoding and saving cost.
    pub(super) fn commit(&mut self, options: &SaveOptions) -> Result<Saved> {
        if self.undo_log.is_empty() {
            return options.save(&mut self.package);
        }
        let moves = self.close_gaps()?;
        self.drop_unneeded()?;
        let saved = self.saved(options)?;
        let reopened = self.prove(&saved, moves)?;
        if moves {
            // What rows mean has changed: ranges of the source that is left behind would say something else.
            let baseline = self.package.baseline().cloned();
            *self.whole() = self.package.clone().replaced_by(reopened, &saved);
            self.package.set_baseline(baseline);
        }
        Ok(saved)
    }

    /// Saves; where bodies would have to move of which nobody knows what is in them, with all that can be
    /// decoded, so that they may.
    fn saved(&mut self, options: &SaveOptions) -> Result<Saved> {
        let saved = options.save(&mut self.package);
        let known = |moved: &Moved| matches!(moved.ground, Ground::Decoded | Ground::Replaced);
        let is_plain = |saved: &Saved| match saved.report.layout {
            LayoutKind::InPlace => true,
            LayoutKind::Canonical => saved.report.moved.iter().all(known),
            LayoutKind::Keep => false,
        };
        if saved.as_ref().is_ok_and(is_plain) {
            return saved;
        }
        let decoded: HashSet<usize> = self.package.bodies().decoded.keys().collect();
        self.package.decode_all();
        match options.save(&mut self.package) {
            Ok(again) => Ok(again),
            Err(_) => {
                self.package.parts_kept().bodies.decoded.retain(|row| decoded.contains(&row));
                saved
            }
        }
    }

    /// The saved package, opened again; `moves` where objects have other numbers than in the source.
    fn prove(&mut self, saved: &Saved, moves: bool) -> Result<Package> {
        let unsound = |what: &str| Error::invalid(format!("the changed package {what}"));
        let image = Bytes::from(saved.image.clone().unwrap_or_else(|| saved.bytes.clone()));
        let mut compressed = None;
        if saved.image.is_some() {
            let opened = self.package.reopened(saved.bytes.clone().into())?;
            if opened.source() != image {
                return Err(unsound("does not come out of its compressed file again"));
            }
            compressed = Some(opened);
        }
        let mut again = self.package.reopened(image.clone())?;
        let (ours, theirs) = (self.package.tables(), again.tables());
        if (ours.names.len(), ours.imports.len(), ours.exports.len())
            != (theirs.names.len(), theirs.imports.len(), theirs.exports.len())
        {
            return Err(unsound("has other tables when it is opened again"));
        }
        again.decode_all();
        if SaveOptions::of_image().save(&mut again)?.bytes != image {
            return Err(unsound("is saved to other bytes when it is opened again"));
        }
        let renamed = self.undo_log.renames(&self.package);
        let mut settled = None;
        for row in 0..self.package.export_count() {
            if self.package.bodies().replaced.contains_key(&row) {
                continue;
            }
            // The same bytes and names mean the same.
            let (start, size) = self.package.body_range(row);
            let before = self.package.source().get(start as usize..(start + size) as usize);
            if !renamed && !moves && size > 0 && before == Some(again.body(row)?) {
                continue;
            }
            if let Some(mine) = self.package.bodies().decoded.shared(row).cloned() {
                self.compare_body(row, mine, &mut again)?;
                continue;
            }
            let context = settled.get_or_insert_with(|| self.package.settled_context());
            let mine = Arc::new(self.package.decode_with(row, context));
            self.compare_body(row, mine, &mut again)?;
        }
        Ok(compressed.unwrap_or(again))
    }

    /// Whether a body is read back as what it is here.
    fn compare_body(&self, row: usize, mut mine: Arc<Decoded>, again: &mut Package) -> Result<()> {
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
        let Some(mut theirs) = again.bodies().decoded.shared(row).cloned() else {
            return match size {
                0 => Ok(()),
                _ => Err(about("it shares its bytes with something else now".to_owned())),
            };
        };
        if let (None, Some(error)) = (&mine.error, &theirs.error) {
            return Err(about(format!(
                "changed so, it could not be read again ({error}): {depends}"
            )));
        }
        let contexts = (self.package.source_context(), again.source_context());
        let ours = self.outline(&mut Arc::make_mut(&mut mine).body, start, &contexts.0)?;
        let found = self.outline(&mut Arc::make_mut(&mut theirs).body, start, &contexts.1)?;
        if ours == found {
            return Ok(());
        }
        let records = |body: &mut Body, context: Arc<Context>| -> Result<_> {
            Ok(self.package.written(body, start, context)?.1)
        };
        let ours = records(&mut Arc::make_mut(&mut mine).body, contexts.0)?;
        let found = records(&mut Arc::make_mut(&mut theirs).body, contexts.1)?;
        let first = ours.iter().zip(&found).find(|(a, b)| a != b);
        let place = first.map_or("its end", |(record, _)| record.path.as_str());
        Err(about(format!(
            "changed so, it would be read as something else from {place} on: {depends}"
        )))
    }

    /// Whether bytes of a body that nobody decodes may be positions in the file.
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
