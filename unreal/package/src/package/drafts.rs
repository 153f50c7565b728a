//! Bodies as bytes, before it is decided where they stand.

use std::num::NonZeroU64;
use std::sync::Arc;

use super::Package;
use super::ahead::Ahead;
use super::decode::{Decoded, Decoder};
use super::saving::Saving;
use crate::Versions;
use crate::archive::{Archived, Context, Saver};
use crate::error::Result;
use crate::object::Body;
use crate::object::ue4::bulk::BulkDataStart;
use crate::version::UnrealVersions;

/// Looks at each body that a save decodes, before it is saved.
pub(crate) type Look<'a> = &'a mut dyn FnMut(&Package, usize, &mut Decoded) -> Result<()>;

/// Bytes of drafts that are kept at most: bodies beyond them are saved once more when they are written, which is
/// cheap where it happens, since packages of such a size are mostly payloads.
const KEPT: usize = 16 << 20;

/// Decoded bodies as bytes, at the places where they stood: most stay there, and those that move are saved
/// once more.
pub(super) struct Drafts<'a> {
    saver: Saver,
    context: Arc<Context>,
    bytes: Vec<u8>,
    /// By export row.
    found: Vec<Option<BodyDraft>>,
    /// For bodies that are not decoded: they are for their draft, and not kept.
    pub(super) decoder: Option<Decoder>,
    look: Option<Look<'a>>,
    pub(super) ahead: Ahead,
}

/// A body as bytes.
#[derive(Clone, Copy)]
struct BodyDraft {
    /// Where it would stand.
    start: u64,
    size: u64,
    bytes: DraftBytes,
}

/// Where the bytes of a body are, and what is known of them: one number, since there is one for every body.
#[derive(Clone, Copy)]
struct DraftBytes(NonZeroU64);

/// Where the bytes of a body are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DraftHome {
    /// Among those that are kept.
    Kept,
    /// In the source, where they are as before.
    Source,
    /// Nowhere: there was no room.
    Dropped,
}

impl DraftBytes {
    /// At this position of what holds them; typed where nothing of them is opaque.
    fn new(at: u64, home: DraftHome, is_typed: bool) -> Self {
        let home = (home as u64) << 1;
        // Positions in memory are far below 2^60.
        Self(NonZeroU64::MIN | at << 4 | home | u64::from(is_typed) << 3)
    }

    fn at(self) -> u64 {
        self.0.get() >> 4
    }

    fn home(self) -> DraftHome {
        match self.0.get() >> 1 & 3 {
            0 => DraftHome::Kept,
            1 => DraftHome::Source,
            _ => DraftHome::Dropped,
        }
    }

    fn is_typed(self) -> bool {
        self.0.get() & 8 != 0
    }
}

/// The result of saving a body at a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sketch {
    /// Where it would stand.
    pub start: u64,
    /// Bytes.
    pub size: u64,
    /// Whether its bytes are those of the source.
    pub in_source: bool,
    /// Whether they are, but for positions.
    pub is_as_before: bool,
}

impl Sketch {
    /// Saves a body at `start` and hands its bytes to `keep`, but where the source has them at `old`.
    pub fn of(
        saver: &mut Saver,
        (row, body): (usize, &mut Body),
        start: u64,
        (old, size): (u64, u64),
        source: &[u8],
        keep: impl FnOnce(&[u8]),
    ) -> Result<Self> {
        let mut save = |saver: &mut Saver, start: u64| {
            saver.restart(start);
            let saved = body.serialize(saver);
            saved.map_err(|error| error.at_index(row).in_field("bodies"))
        };
        save(saver, start)?;
        let before = source.get(old as usize..(old + size) as usize);
        let bytes = saver.bytes();
        let length = bytes.len() as u64;
        let in_source = before == Some(bytes);
        if !in_source {
            keep(bytes);
        }
        let mut is_as_before = in_source;
        if !in_source && start != old && length == size {
            // Positions in it may be all that differs.
            save(saver, old)?;
            is_as_before = before == Some(saver.bytes());
        }
        Ok(Self { start, size: length, in_source, is_as_before })
    }
}

impl<'a> Drafts<'a> {
    /// No drafts yet of a package of these versions.
    pub fn new(versions: &Versions, context: Arc<Context>) -> Self {
        let saver = Saver::new(versions.of_bodies()).with_context(context.clone());
        let (bytes, found) = Default::default();
        let ahead = Ahead::default();
        Self { saver, context, bytes, found, decoder: None, look: None, ahead }
    }

    /// Bodies that are not decoded are for their draft.
    pub fn decoding(self, package: &Package, look: Look<'a>) -> Self {
        Self { decoder: Some(package.decoder()), look: Some(look), ..self }
    }

    /// The context of archives for the package that is saved.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Bulk data starts elsewhere: drafts with offsets that were counted from there are made again with this
    /// context. Which of them have such is not noted: few packages have any.
    pub fn count_from(&mut self, context: Arc<Context>, versions: &Versions) {
        if self.context.get::<BulkDataStart>().is_some_and(BulkDataStart::is_used) {
            self.found.iter_mut().flatten().for_each(|draft| draft.start = u64::MAX);
        }
        self.saver = Saver::new(versions.of_bodies()).with_context(context);
    }

    /// Whether there is a draft of a body.
    pub fn has(&self, row: usize) -> bool {
        self.found.get(row).is_some_and(Option::is_some)
    }

    /// Whether a body was decoded for its draft, to the last byte.
    pub fn is_typed(&self, row: usize) -> bool {
        self.found.get(row).copied().flatten().is_some_and(|draft| draft.bytes.is_typed())
    }

    /// Notes a body whose bytes, if they are neither those of the source nor dropped, are the last ones.
    fn note(&mut self, row: usize, sketch: Sketch, old: u64, is_kept: bool, is_typed: bool) {
        let Sketch { start, size, in_source, .. } = sketch;
        let (at, home) = match (in_source, is_kept) {
            (true, _) => (old, DraftHome::Source),
            (_, true) => (self.bytes.len() as u64 - size, DraftHome::Kept),
            _ => (0, DraftHome::Dropped),
        };
        if self.found.len() <= row {
            self.found.resize(row + 1, None);
        }
        let bytes = DraftBytes::new(at, home, is_typed);
        self.found[row] = Some(BodyDraft { start, size, bytes });
    }

    /// How many bytes are kept.
    pub fn kept(&self) -> usize {
        self.bytes.len()
    }

    /// Keeps this many bytes: those of drafts that were made since are not asked for any more.
    pub fn truncate(&mut self, kept: usize) {
        self.bytes.truncate(kept);
    }

    /// The bytes of a draft, if it stands at `start` and they were kept.
    pub fn bytes<'b>(&'b self, row: usize, start: u64, source: &'b [u8]) -> Option<&'b [u8]> {
        let draft = self.found.get(row).copied().flatten().filter(|draft| draft.start == start)?;
        let at = draft.bytes.at();
        let range = usize::try_from(at).ok()?..usize::try_from(at + draft.size).ok()?;
        match draft.bytes.home() {
            DraftHome::Kept => self.bytes.get(range),
            DraftHome::Source => source.get(range),
            DraftHome::Dropped => None,
        }
    }
}

impl Saving<'_> {
    /// Drafts a body at `start`; says how many bytes it takes.
    pub(super) fn draft_body(&mut self, row: usize, start: u64) -> Result<u64> {
        let drafts = &mut self.drafts;
        let ready = drafts.ahead.take(row).filter(|sketch| sketch.start == start);
        let decoder = drafts.decoder.as_mut();
        if let Some(mut fresh) =
            decoder.and_then(|decoder| decoder.decode(&self.package, row, |_| true))
        {
            if let Some(look) = &mut drafts.look {
                look(&self.package, row, Arc::make_mut(&mut fresh))?;
            }
            return self.draft_decoded(row, start, ready, &mut fresh, true);
        }
        let Some(mut decoded) = self.package.take_body(row) else {
            return Ok(self.package.body_span(row).len());
        };
        let drafted = self.draft_decoded(row, start, ready, &mut decoded, false);
        self.package.return_body(row, decoded);
        drafted
    }

    fn draft_decoded(
        &mut self,
        row: usize,
        start: u64,
        ready: Option<Sketch>,
        decoded: &mut Arc<Decoded>,
        is_fresh: bool,
    ) -> Result<u64> {
        let (old, size) = self.package.body_range(row);
        let Drafts { saver, bytes, ahead, .. } = &mut self.drafts;
        let mut is_kept = false;
        let mut keep = |saved: &[u8]| {
            is_kept = bytes.len() + saved.len() <= KEPT;
            if is_kept {
                bytes.extend_from_slice(saved);
            }
        };
        let sketch = match ready {
            Some(sketch) => {
                if !sketch.in_source {
                    keep(ahead.bytes());
                }
                sketch
            }
            None => {
                let body = (row, &mut Arc::make_mut(decoded).body);
                Sketch::of(saver, body, start, (old, size), &self.source, keep)?
            }
        };
        self.drafts.note(row, sketch, old, is_kept, is_fresh && decoded.is_complete());
        // Bytes that are as they were have their properties where they were.
        if !sketch.is_as_before {
            self.settle_script_range(row, decoded)?;
            self.settle_resources(row, start, sketch.size != size, decoded)?;
        }
        Ok(sketch.size)
    }

    /// Drafts a body at another place than it was drafted for.
    pub(super) fn draft_again(&mut self, row: usize, start: u64) -> Result<()> {
        let own = self.package.take_body(row);
        let is_fresh = own.is_none();
        let decoder = self.drafts.decoder.as_mut().filter(|_| is_fresh);
        let fresh = decoder.and_then(|decoder| decoder.decode(&self.package, row, |_| true));
        let Some(mut decoded) = own.or(fresh) else { return Ok(()) };
        let is_typed = self.drafts.is_typed(row);
        let Drafts { saver, bytes, .. } = &mut self.drafts;
        let keep = |saved: &[u8]| bytes.extend_from_slice(saved);
        let body = (row, &mut Arc::make_mut(&mut decoded).body);
        // Its bytes are kept wherever they stand.
        let sketch = Sketch::of(saver, body, start, (0, 0), &[], keep);
        if !is_fresh {
            self.package.return_body(row, decoded);
        }
        self.drafts.note(row, sketch?, 0, true, is_typed);
        Ok(())
    }
}
