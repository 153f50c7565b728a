//! The bytes of an object's body.

use std::sync::Arc;

use super::Package;
use super::decode::{Decoded, Decoder};
use super::settled::SavedPlace;
use crate::Versions;
use crate::archive::{Annotate, Archived, Context, Record, Saver, Span};
use crate::error::{ErrorKind, Result};
use crate::object::Body;
use crate::version::threshold::ue5;

/// Looks at each body that a save decodes, before it is saved.
pub(crate) type Look<'a> = &'a mut dyn FnMut(&Package, usize, &mut Decoded) -> Result<()>;

/// Decoded bodies as bytes, at the places where they stood: most stay there, and those that move are saved
/// once more.
pub(super) struct Drafts<'a> {
    saver: Saver,
    context: Arc<Context>,
    bytes: Vec<u8>,
    /// By export row.
    found: Vec<Option<Draft>>,
    /// For bodies that are not decoded: they are for their draft, and not kept.
    decoding: Option<(Decoder, Look<'a>)>,
}

/// A body as bytes.
#[derive(Clone, Copy)]
struct Draft {
    /// Where it would stand.
    start: u64,
    /// Where its bytes are: among the drafts, or, where they are as before, in the source.
    at: u64,
    size: u64,
    in_source: bool,
    /// Whether nothing of it is opaque.
    is_typed: bool,
}

impl<'a> Drafts<'a> {
    /// No drafts yet of a package of these versions.
    pub fn new(versions: &Versions, context: Arc<Context>) -> Self {
        let saver = Saver::new(versions.of_bodies()).with_context(context.clone());
        Self { saver, context, bytes: Vec::new(), found: Vec::new(), decoding: None }
    }

    /// Bodies that are not decoded are for their draft.
    pub fn decoding(self, package: &Package, look: Look<'a>) -> Self {
        Self { decoding: Some((package.decoder(), look)), ..self }
    }

    /// What archives know about the package that is saved.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Whether there is a draft of a body.
    pub fn has(&self, row: usize) -> bool {
        self.found.get(row).is_some_and(Option::is_some)
    }

    /// Whether a body was decoded for its draft, to the last byte.
    pub fn is_typed(&self, row: usize) -> bool {
        self.found.get(row).copied().flatten().is_some_and(|draft| draft.is_typed)
    }

    /// Saves a body at `start`.
    fn save(&mut self, row: usize, start: u64, body: &mut Body) -> Result<&[u8]> {
        self.saver.restart(start);
        let saved = body.serialize(&mut self.saver);
        saved.map_err(|error| error.at_index(row).in_field("bodies"))?;
        Ok(self.saver.bytes())
    }

    /// Keeps what is saved at `start`; bytes of the source stay there.
    fn keep(&mut self, row: usize, start: u64, in_source: Option<u64>, is_typed: bool) {
        let (mut at, size) = (self.bytes.len() as u64, self.saver.bytes().len() as u64);
        match in_source {
            Some(place) => at = place,
            None => self.bytes.extend_from_slice(self.saver.bytes()),
        }
        if self.found.len() <= row {
            self.found.resize(row + 1, None);
        }
        let in_source = in_source.is_some();
        self.found[row] = Some(Draft { start, at, size, in_source, is_typed });
    }

    /// The bytes of a draft, if it stands at `start`.
    pub fn bytes<'b>(&'b self, row: usize, start: u64, source: &'b [u8]) -> Option<&'b [u8]> {
        let draft = self.found.get(row).copied().flatten().filter(|draft| draft.start == start)?;
        let range = usize::try_from(draft.at).ok()?..usize::try_from(draft.at + draft.size).ok()?;
        if draft.in_source { source.get(range) } else { self.bytes.get(range) }
    }
}

impl Package {
    /// Start and size that an export's row gives to its body.
    pub(crate) fn body_range(&self, row: usize) -> (u64, u64) {
        self.tables.exports.get(row).map_or((0, 0), |row| (row.offset(), row.size()))
    }

    /// The body of an export, as a range of the source or as the bytes that replaced it.
    pub(crate) fn body_span(&self, row: usize) -> Span {
        if let Some(span) = self.bodies.replaced.get(&row) {
            return span.clone();
        }
        match self.body_range(row) {
            // Where nothing stands may be anywhere.
            (_, 0) => Span::default(),
            (start, size) => Span::source(start, size),
        }
    }

    /// Drafts a body at `start`; says how many bytes it takes.
    pub(super) fn draft_body(
        &mut self,
        row: usize,
        start: u64,
        drafts: &mut Drafts<'_>,
    ) -> Result<u64> {
        let mut is_fresh = false;
        if let Some((decoder, look)) = &mut drafts.decoding
            && let Some(mut decoded) = decoder.decode(self, row, |_| true)
        {
            look(self, row, Arc::make_mut(&mut decoded))?;
            self.bodies.decoded.set(row, Some(decoded));
            is_fresh = true;
        }
        let drafted = self.draft_decoded(row, start, is_fresh, drafts);
        if is_fresh {
            self.bodies.decoded.take(row);
        }
        drafted
    }

    fn draft_decoded(
        &mut self,
        row: usize,
        start: u64,
        is_fresh: bool,
        drafts: &mut Drafts<'_>,
    ) -> Result<u64> {
        let (old, size) = self.body_range(row);
        let Some(decoded) = self.bodies.decoded.get_mut(&row) else {
            return Ok(self.body_span(row).len());
        };
        let before = self.source.get(old as usize..(old + size) as usize);
        let bytes = drafts.save(row, start, &mut decoded.body)?;
        let length = bytes.len() as u64;
        let mut is_as_before = before == Some(bytes);
        drafts.keep(row, start, is_as_before.then_some(old), is_fresh && decoded.is_complete());
        if !is_as_before && start != old && length == size {
            // Positions in it may be all that differs.
            is_as_before = before == Some(drafts.save(row, old, &mut decoded.body)?);
        }
        // Bytes that are as they were have their properties where they were.
        if !is_as_before {
            self.settle_script_range(row, &drafts.context)?;
            self.settle_resources(row, start, length != size, &drafts.context)?;
        }
        Ok(length)
    }

    /// Drafts a body at another place than it was drafted for; `old` is where it stands in the source.
    pub(super) fn draft_again(
        &mut self,
        row: usize,
        start: u64,
        old: SavedPlace,
        drafts: &mut Drafts<'_>,
    ) -> Result<()> {
        let mut fresh;
        let body = match self.bodies.decoded.get_mut(&row) {
            Some(decoded) => &mut decoded.body,
            None => {
                let Some((decoder, _)) = &mut drafts.decoding else { return Ok(()) };
                let new = old.put_in(&mut self.tables.exports[row]);
                let decoded = decoder.decode(self, row, |_| true);
                new.put_in(&mut self.tables.exports[row]);
                let Some(decoded) = decoded else { return Ok(()) };
                fresh = decoded;
                &mut Arc::make_mut(&mut fresh).body
            }
        };
        drafts.save(row, start, body)?;
        drafts.keep(row, start, None, drafts.is_typed(row));
        Ok(())
    }

    /// From UE5 1010 the row says where the properties stand: it follows them, unless it said otherwise
    /// before.
    fn settle_script_range(&mut self, row: usize, context: &Arc<Context>) -> Result<()> {
        let versions = &self.versions;
        if versions.ue5 < ue5::SCRIPT_SERIALIZATION_OFFSET || versions.unversioned_properties {
            return Ok(());
        }
        let Some(decoded) = self.bodies.decoded.get_mut(&row) else { return Ok(()) };
        let Some([old, new]) = decoded.body.script_range(&self.versions, context)? else {
            return Ok(());
        };
        if let Some(export) = self.tables.exports.get_mut(row) {
            let start = &mut export.script_serialization_start_offset;
            let end = &mut export.script_serialization_end_offset;
            let signed = |(start, end)| (start as i64, end as i64);
            if old != new && (*start, *end) == signed(old) {
                (*start, *end) = signed(new);
            }
        }
        Ok(())
    }

    /// A body as bytes at `start`, and what they are.
    pub(crate) fn written(
        &self,
        body: &mut Body,
        start: u64,
        context: Arc<Context>,
    ) -> Result<(Vec<u8>, Vec<Record>)> {
        let mut saver = Saver::new(self.versions.of_bodies()).at(start).with_context(context);
        let mut annotate = Annotate::new(&mut saver);
        body.serialize(&mut annotate)?;
        let records = annotate.into_records();
        Ok((saver.into_bytes(), records))
    }

    /// The bytes of an export's body.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn body(&self, row: usize) -> Result<&[u8]> {
        if let Some(bytes) = self.bodies.replaced.get(&row).and_then(Span::as_owned) {
            return Ok(bytes);
        }
        if row >= self.export_count() {
            let hint = format!("; there are {} exports", self.export_count());
            return Err(
                ErrorKind::NotFound { what: "export", name: format!("#{row}"), hint }.into()
            );
        }
        let (start, size) = self.body_range(row);
        // Opening has checked the range.
        Ok(self.source.get(start as usize..(start + size) as usize).unwrap_or_default())
    }
}
