//! Saving: every section from the model, at the place that the layout gives it.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;

use super::decode::Decoded;
use super::drafts::Look;
use super::layout::FileLayout;
use super::open::OpenOptions;
use super::save_target::SaveTarget;
use super::saving::{Lent, Saving};
use super::{LayoutChoice, LayoutKind, Package, SaveReport, Saved, Section, SectionPlace};
use crate::archive::{ArchiveExt, Saver};
use crate::compression::{Container, Rewrap, Storage, store};
use crate::error::{Error, ErrorKind, Result};
use crate::version::UnrealVersions;

/// How a package is saved.
#[derive(Debug, Clone, Default)]
pub struct SaveOptions {
    pub(super) layout: LayoutChoice,
    pub(super) strict: bool,
    pub(super) force: bool,
    pub(super) storage: Storage,
    pub(super) source: Option<Bytes>,
    file: Option<Bytes>,
    /// Only whether these bytes come out is asked.
    against: Option<Bytes>,
    /// Where the bodies start at the earliest, for packages that are made.
    pub(super) header_size: u64,
}

impl SaveOptions {
    /// The usual way: the layout is chosen, and bodies without visible file positions may move.
    pub fn new() -> Self {
        Self::default()
    }

    /// The package as it lies in memory, whatever the file around it is.
    #[doc(hidden)]
    pub fn of_image() -> Self {
        Self::new().storage(Storage::Plain)
    }

    /// Has zeros behind a header that ends before.
    pub(super) fn header_size(self, bytes: u64) -> Self {
        Self { header_size: bytes, ..self }
    }

    /// Saves a package as [`Package::save`] does, without a copy of a decoded body unless others share it. Only
    /// the caller may use the package meanwhile, and it stays what it is.
    ///
    /// # Errors
    /// As [`Package::save`].
    pub fn save(&self, package: &mut Package) -> Result<Saved> {
        self.save_lent(Lent::Own(package), None)
    }

    /// The same with every body from its typed form: those that are not decoded are, one after the other, shown
    /// to `look`, which must leave them as they are, saved, and not kept. Memory is that of the tables and of what
    /// differs.
    ///
    /// ```
    /// use unreal_packages::{Package, generate::Builder};
    /// use unreal_packages::package::SaveOptions;
    ///
    /// # fn main() -> unreal_packages::Result<()> {
    /// let bytes = Builder::new(69).export("Thing", "Engine.Actor", vec![0]).build()?;
    /// let package = Package::from_bytes(bytes)?;
    /// let mut typed = 0;
    /// SaveOptions::new().save_typed(&package, |_, _, body| typed += usize::from(body.is_complete()))?;
    /// assert_eq!(typed, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Package::save`].
    pub fn save_typed(
        &self,
        package: &Package,
        mut look: impl FnMut(&Package, usize, &mut Decoded),
    ) -> Result<Saved> {
        self.save_looking(package, &mut |package, row, decoded| {
            look(package, row, decoded);
            Ok(())
        })
    }

    /// The same; what `look` reports ends it.
    #[doc(hidden)]
    pub fn save_looking(&self, package: &Package, look: Look<'_>) -> Result<Saved> {
        self.save_lent(Lent::Shared(package), Some(look))
    }

    /// The same for a package that nobody else uses, as [`SaveOptions::save`] has it.
    #[doc(hidden)]
    pub fn save_own_looking(&self, package: &mut Package, look: Look<'_>) -> Result<Saved> {
        self.save_lent(Lent::Own(package), Some(look))
    }

    /// Saves; bodies that are not decoded are where somebody looks at them or where they may not stay as they are.
    fn save_lent(&self, package: Lent<'_>, look: Option<Look<'_>>) -> Result<Saved> {
        package.refuse_unknown_release()?;
        let mut nothing = |_: &Package, _: usize, _: &mut Decoded| Ok(());
        let former = package.former.clone();
        let look: Look<'_> = match look {
            Some(look) => look,
            None if package.typed || former.is_some() => &mut nothing,
            None => return Saving::new(package, self, None)?.finish(),
        };
        let saved = Saving::new(package, self, Some(look))?.finish()?;
        former.map_or(Ok(()), |former| former.check())?;
        Ok(saved)
    }

    /// Whether a package is saved to these bytes, every body from its typed form; where nothing moves, without
    /// making them again.
    #[doc(hidden)]
    pub fn saves_to(self, bytes: Bytes, package: &mut Package, look: Look<'_>) -> Result<bool> {
        let options = Self { against: Some(bytes), ..self };
        Ok(options.save_own_looking(package, look)?.is_same)
    }

    /// The same with what the save has done; its bytes are none where it did not make them.
    #[doc(hidden)]
    pub fn compare(self, bytes: Bytes, package: &Package, look: Look<'_>) -> Result<(Saved, bool)> {
        let options = Self { against: Some(bytes), ..self };
        let saved = options.save_looking(package, look)?;
        let is_same = saved.is_same;
        Ok((saved, is_same))
    }

    /// Uses this layout or refuses.
    #[must_use]
    pub fn layout(mut self, layout: LayoutChoice) -> Self {
        self.layout = layout;
        self
    }

    /// Moves no body that is not decoded unless its class is known to hold no file positions.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Compresses or decompresses instead of storing the package as it was opened.
    #[must_use]
    pub fn storage(mut self, storage: Storage) -> Self {
        self.storage = storage;
        self
    }

    /// Moves bodies whatever they hold. They may be corrupt afterwards.
    #[must_use]
    pub fn force(mut self, force: bool) -> Self {
        self.force = force;
        self
    }

    /// Takes characters, undecoded bodies and gaps from these bytes of the same length instead of the
    /// source: the proof that nothing but the spans of [`Package::coverage`] is taken from it.
    #[must_use]
    pub fn source(mut self, source: impl Into<Bytes>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Takes what the container keeps from these bytes of the same length instead of the file: the proof
    /// that nothing but the container's spans is taken from it.
    #[must_use]
    pub fn file(mut self, file: impl Into<Bytes>) -> Self {
        self.file = Some(file.into());
        self
    }
}

impl Package {
    /// The package as bytes, rebuilt from the model.
    ///
    /// # Errors
    /// `Refused` with the objects that stand in the way when saving would corrupt them; `NotFound` with the path of
    /// a reference in the header to a row that its table does not have, unless the package was opened with it;
    /// otherwise the field that can't be stored.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        Ok(self.save(&SaveOptions::new())?.bytes.into())
    }

    /// The package as bytes with a report. Write it with [`Saved::write_file`].
    ///
    /// # Errors
    /// As [`Package::to_bytes`]; `Invalid` where the bytes of [`SaveOptions::source`] or
    /// [`SaveOptions::file`] have another length than those that they stand for.
    pub fn save(&self, options: &SaveOptions) -> Result<Saved> {
        options.save_lent(Lent::Shared(self), None)
    }

    /// Saved and opened again, so that ranges of the source, claims and rows agree once more.
    #[doc(hidden)]
    pub fn rebuilt(&self) -> Result<Self> {
        let saved = self.save(&SaveOptions::new())?;
        let package = self.reopened(saved.bytes.clone())?;
        Ok(self.replaced_by(package, &saved))
    }

    /// This package as it was saved and opened again.
    #[doc(hidden)]
    pub fn replaced_by(&self, reopened: Self, saved: &Saved) -> Self {
        Self {
            read_from: self.read_from.clone(),
            companions: self.companions.clone(),
            split: saved.split,
            ..reopened
        }
    }

    /// These bytes opened as this package was: what versions and context it does not say itself is known.
    #[doc(hidden)]
    pub fn reopened(&self, bytes: Bytes) -> Result<Self> {
        let mut options = OpenOptions::new().game(self.versions.game());
        options.mappings = self.mappings.clone();
        options.zen = self.zen_known();
        // What the file does not say.
        options.written = Some(self.versions.clone());
        let package = options.open_bytes(bytes)?;
        Ok(Self { known: self.known.clone(), ..package })
    }
}

impl Saving<'_> {
    /// Lays out and writes.
    fn finish(mut self) -> Result<Saved> {
        self.check_rows()?;
        let container = self.container()?;
        let original_hash = self.package.saved_hash_is_right_in(&self.source);
        let context = self.drafts.context().clone();
        let layout = self.lay_out()?;
        self.apply(&layout)?;
        let summary = &self.settled.tables.summary;
        if summary.bulk_data_start_offset != self.package.tables.summary.bulk_data_start_offset {
            let context = self.package.with_bulk_data_start(summary, &self.source_context());
            self.drafts.count_from(context, &self.package.versions);
        }
        let length = usize::try_from(layout.length).map_err(|_| ErrorKind::OutOfRange {
            value: layout.length.into(),
            bits: usize::BITS,
        })?;
        let in_place = layout.kind == LayoutKind::InPlace;
        let against = self.options.against.as_ref();
        let against = against.filter(|_| in_place && self.package.settles_nothing());
        let mut out = match against {
            Some(bytes) => SaveTarget::Compared(bytes.clone(), bytes.len() == length),
            None => SaveTarget::Made(vec![0; length]),
        };
        if in_place {
            self.copy_unmoved(&mut out)?;
        }
        // In reverse, so that where sections share bytes the first claim has the last word.
        for place in layout.places.iter().rev() {
            match place.section {
                // Copied above, each byte once however bodies overlap.
                Section::Body(row) if in_place && !self.is_rebuilt(row as usize) => {}
                Section::Body(row) => {
                    let row = row as usize;
                    let kept = self.drafts.kept();
                    let has_bytes = |saving: &Self| {
                        saving.drafts.bytes(row, place.start, &saving.source).is_some()
                    };
                    if self.drafts.has(row) && !has_bytes(&self) {
                        self.draft_again(row, place.start)?;
                    }
                    let span;
                    let body = match self.drafts.bytes(row, place.start, &self.source) {
                        Some(bytes) => bytes,
                        None => {
                            span = self.package.body_span(row);
                            span.bytes(&self.source)?
                        }
                    };
                    if body.len() as u64 != place.size {
                        let (left, size) = (body.len() as u64, place.size);
                        let error = Error::from(ErrorKind::LeftOver { left, size });
                        return Err(error.at_index(row).in_field("bodies"));
                    }
                    out.put(place, body)?;
                    // Nobody asks for a body twice.
                    self.drafts.truncate(kept);
                }
                section => {
                    let mut saver = Saver::new(self.package.versions.clone())
                        .at(place.start)
                        .with_capacity(place.size as usize)
                        .with_context(context.clone());
                    self.save_section(section, &mut saver)?;
                    let written = saver.bytes().len() as u64;
                    if written != place.size {
                        let (left, size) = (place.size.abs_diff(written), place.size);
                        let error = saver.error(ErrorKind::LeftOver { left, size });
                        return Err(error.in_field(section.step()));
                    }
                    out.put(place, saver.bytes())?;
                }
            }
        }
        let mut out = match out {
            SaveTarget::Made(out) => out,
            SaveTarget::Compared(bytes, is_same) => {
                self.check_dead_offsets(&layout, &bytes)?;
                let report = SaveReport { layout: layout.kind, moved: layout.moved };
                let (split, read_from) = (self.settled.split, self.package.read_from.clone());
                let bytes = Bytes::new();
                let companions = self.package.changed_companions();
                return Ok(Saved {
                    bytes,
                    split,
                    image: None,
                    companions,
                    report,
                    read_from,
                    is_same,
                });
            }
        };
        self.check_dead_offsets(&layout, &out)?;
        // A package that is built has no hash yet.
        let follows_rule = self.source.is_empty() || original_hash == Some(true);
        let Self { package, settled, options, .. } = &self;
        package.seal(&settled.tables.summary, &mut out, follows_rule);
        let stored = package.store(container.as_deref(), &out, &layout, options.storage)?;
        let report = SaveReport { layout: layout.kind, moved: layout.moved };
        let (split, read_from) = (settled.split, package.read_from.clone());
        let is_same = options.against.as_ref().is_some_and(|against| *against == out);
        let companions = package.changed_companions();
        let (bytes, image) = match stored {
            Some(bytes) => (bytes.into(), Some(out.into())),
            None => (out.into(), None),
        };
        Ok(Saved { bytes, split, image, companions, report, read_from, is_same })
    }

    /// The file around the package, over other bytes where these stand for it.
    fn container(&self) -> Result<Option<Arc<Container>>> {
        let container = &self.package.container;
        let Some(file) = &self.options.file else { return Ok(container.clone()) };
        let container =
            container.as_ref().ok_or_else(|| Error::invalid("the file is the package itself"))?;
        Ok(Some(Arc::new(container.over(file.clone())?)))
    }

    /// Whether a body is not simply a range of the source.
    fn is_rebuilt(&self, row: usize) -> bool {
        self.package.bodies.replaced.contains_key(&row) || self.drafts.has(row)
    }

    /// Bodies and gaps of an in-place save: the ranges that they own alone.
    fn copy_unmoved(&self, out: &mut SaveTarget) -> Result<()> {
        let source = &self.source;
        if matches!(out, SaveTarget::Compared(bytes, _) if bytes.as_ptr_range() == source.as_ptr_range())
        {
            return Ok(());
        }
        let claims = self.package.claims();
        let bodies = claims
            .owned()
            .filter(|(_, section)| {
                matches!(section, Section::Body(row) if !self.is_rebuilt(*row as usize))
            })
            .map(|(range, _)| range);
        for range in bodies.chain(claims.gaps.iter().cloned()) {
            let bytes = source.get(range.start as usize..range.end as usize);
            let bytes = bytes.ok_or_else(|| Error::invalid("a shorter source"))?;
            out.put_at(range.start, bytes)?;
        }
        Ok(())
    }
}

impl Package {
    /// The compressed or encrypted file around a saved image; `None` when it is the file itself.
    fn store(
        &self,
        container: Option<&Container>,
        image: &[u8],
        layout: &FileLayout,
        storage: Storage,
    ) -> Result<Option<Vec<u8>>> {
        if storage == Storage::Plain || storage == Storage::AsOpened && container.is_none() {
            return Ok(None);
        }
        let claims = self.claims();
        let gaps = claims.gaps.iter().enumerate();
        let gaps = gaps.map(|(row, gap)| (Section::Gap(row as u32), gap.start));
        let places = claims.places.iter().map(|place| (place.section, place.start));
        let old: HashMap<_, _> = places.chain(gaps).collect();
        let to = |place: &SectionPlace| Some((*old.get(&place.section)?, place.start));
        let mut moves: Vec<_> = layout.places.iter().filter_map(to).collect();
        moves.sort_unstable();
        let is_body = |place: &&SectionPlace| matches!(place.section, Section::Body(_));
        let bodies = layout.places.iter().filter(is_body);
        let mut bodies: Vec<_> = bodies.map(|place| place.start).collect();
        bodies.sort_unstable();
        store(container, storage, &Rewrap { image, versions: &self.versions, moves, bodies })
    }

    /// Whether a save in place writes each byte once, and none that follows from others.
    fn settles_nothing(&self) -> bool {
        self.claims().overlaps.is_empty() && self.container.is_none() && !self.has_saved_hash()
    }
}
