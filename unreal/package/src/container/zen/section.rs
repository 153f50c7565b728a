//! The sections of the header of a zen package, in their order.

use super::header::too_far;
use super::{ZenForm, ZenHeader, ZenVersions};
use crate::archive::{at_index, in_field};
use crate::error::{Error, ErrorKind};
use crate::primitive::{Bool32, array};
use crate::version::{UnrealVersions, Versions};
use crate::{Archive, ArchiveExt, Archived, Counter, Result};

/// Bytes of the rows of tables.
const BULK_DATA: u64 = 32;
const HASH: u64 = 8;
const REFERENCE: u64 = 8;
const EXPORT: u64 = 72;
const CELL_EXPORT: u64 = 40;
const COMMAND: u64 = 8;
const DEPENDENCIES: u64 = 20;
const ENTRY: u64 = 4;

/// A section whose place the summary says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ZenSection {
    Names,
    NameHashes,
    PublicHashes,
    Imports,
    Exports,
    CellImports,
    CellExports,
    Commands,
    Graph,
    Dependencies,
    DependencyEntries,
    ImportedPackages,
}

impl ZenSection {
    /// The sections of a form, in their order.
    fn all(form: ZenForm) -> &'static [Self] {
        use ZenSection::*;
        match form {
            ZenForm::Ue4_26 => &[Names, NameHashes, Imports, Exports, Commands, Graph],
            ZenForm::Ue5_0 | ZenForm::Ue5_2 => &[PublicHashes, Imports, Exports, Commands, Graph],
            ZenForm::Ue5_3 | ZenForm::Ue5_4 => &[
                PublicHashes,
                Imports,
                Exports,
                Commands,
                Dependencies,
                DependencyEntries,
                ImportedPackages,
            ],
            ZenForm::Ue5_6 => &[
                PublicHashes,
                Imports,
                Exports,
                CellImports,
                CellExports,
                Commands,
                Dependencies,
                DependencyEntries,
                ImportedPackages,
            ],
        }
    }
}

impl ZenHeader {
    /// Where the summary says that a section starts.
    fn place(&mut self, part: ZenSection) -> &mut i32 {
        let (summary, cells) = (&mut self.summary, &mut self.cells);
        match part {
            ZenSection::Names => &mut summary.names_offset,
            ZenSection::NameHashes => &mut summary.name_hashes_offset,
            ZenSection::PublicHashes => &mut summary.imported_public_hashes_offset,
            ZenSection::Imports => &mut summary.import_offset,
            ZenSection::Exports => &mut summary.export_offset,
            ZenSection::CellImports => &mut cells.import_offset,
            ZenSection::CellExports => &mut cells.export_offset,
            ZenSection::Commands => &mut summary.command_offset,
            ZenSection::Graph => &mut summary.graph_offset,
            ZenSection::Dependencies => &mut summary.dependencies_offset,
            ZenSection::DependencyEntries => &mut summary.dependency_entries_offset,
            ZenSection::ImportedPackages => &mut summary.imported_packages_offset,
        }
    }

    /// Brings the sizes and offsets of the summary up to date.
    pub(super) fn settle(&mut self, versions: &Versions) -> Result<()> {
        let form = ZenForm::of(versions);
        let mut counter = Counter::new(versions.clone());
        self.start(&mut counter)?;
        for &part in ZenSection::all(form) {
            let at = counter.length();
            *self.place(part) = i32::try_from(at).map_err(|_| too_far(at))?;
            self.part(part, None, &mut counter)?;
        }
        let at = counter.length();
        let end = i32::try_from(at).map_err(|_| too_far(at))?;
        let summary = &mut self.summary;
        if form == ZenForm::Ue4_26 {
            let (text, hashes) = self.names.parts_size();
            summary.names_size = i32::try_from(text).map_err(|_| too_far(text))?;
            summary.name_hashes_size = i32::try_from(hashes).map_err(|_| too_far(hashes))?;
            summary.graph_size = end - summary.graph_offset;
        } else {
            summary.header_size = end.cast_unsigned();
        }
        Ok(())
    }

    /// All of them.
    pub(super) fn sections<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if !ar.is_loading() {
            self.check_form(ar)?;
        }
        self.start(ar)?;
        let parts = ZenSection::all(ZenForm::of(ar.versions()));
        for (index, &part) in parts.iter().enumerate() {
            let start = u64::try_from(*self.place(part)).ok();
            let end = match parts.get(index + 1) {
                Some(&next) => u64::try_from(*self.place(next)).ok(),
                None => Some(self.size()),
            };
            if ar.is_loading() && start != Some(ar.position()) {
                return Err(ar.error(unfit()));
            }
            self.part(part, end, ar)?;
        }
        match ar.is_loading() && ar.position() != self.size() {
            true => Err(ar.error(unfit())),
            false => Ok(()),
        }
    }

    /// Rows that the form has no section for.
    fn check_form<A: Archive + ?Sized>(&self, ar: &A) -> Result<()> {
        let form = ZenForm::of(ar.versions());
        let (since, until) = (|first| form >= first, |last| form <= last);
        let has = [
            ("versions", self.versions.is_none(), since(ZenForm::Ue5_0)),
            ("bulk_data", self.bulk_data.is_empty(), since(ZenForm::Ue5_2)),
            (
                "imported_public_hashes",
                self.imported_public_hashes.is_empty(),
                since(ZenForm::Ue5_0),
            ),
            ("cell_imports", self.cell_imports.is_empty(), since(ZenForm::Ue5_6)),
            ("cell_exports", self.cell_exports.is_empty(), since(ZenForm::Ue5_6)),
            ("bundles", self.bundles.is_empty(), form.has_bundles()),
            ("arcs", self.arcs.is_empty(), form.has_bundles() && since(ZenForm::Ue5_0)),
            ("package_arcs", self.package_arcs.is_empty(), until(ZenForm::Ue5_2)),
            ("dependencies", self.dependencies.is_empty(), !form.has_bundles()),
            ("dependency_entries", self.dependency_entries.is_empty(), !form.has_bundles()),
            ("imported_packages", self.imported_packages.texts.is_empty(), !form.has_bundles()),
        ];
        match has.iter().find(|(_, is_empty, is_in)| !is_empty && !is_in) {
            Some((field, ..)) => Err(ar.error(ErrorKind::NotInVersion).in_field(field)),
            None => Ok(()),
        }
    }

    /// Everything before the sections whose places the summary says.
    fn start<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if !ar.is_loading() {
            self.summary.has_versions = Bool32::from(self.versions.is_some());
        }
        let form = ZenForm::of(ar.versions());
        in_field("summary", ar, |ar| self.summary.serialize(ar))?;
        if ar.is_loading() {
            self.versions = match self.summary.has_versions.0 {
                0 => None,
                1 => Some(ZenVersions::default()),
                _ => return Err(ar.error(unfit()).in_field("has_versions")),
            };
        }
        if let Some(said) = &mut self.versions {
            in_field("versions", ar, |ar| said.serialize(ar))?;
            if ar.is_loading() {
                let told = said.tell(ar.versions().clone(), &self.summary);
                if told.ue5() == 0 || ZenForm::of(&told).has_bundles() != form.has_bundles() {
                    return Err(ar.error(unfit()).in_field("versions"));
                }
                ar.set_versions(told);
            }
        }
        // Those that it has just said.
        let form = ZenForm::of(ar.versions());
        if form == ZenForm::Ue4_26 {
            return Ok(());
        }
        if form >= ZenForm::Ue5_6 {
            in_field("cells", ar, |ar| self.cells.serialize(ar))?;
        }
        in_field("names", ar, |ar| self.names.serialize(ar))?;
        if form >= ZenForm::Ue5_4 {
            in_field("pad", ar, pad)?;
        }
        if form < ZenForm::Ue5_2 {
            return Ok(());
        }
        in_field("bulk_data", ar, |ar| {
            let size = self.bulk_data.len() as i64 * BULK_DATA as i64;
            let mut stored = size;
            ar.serialize_i64(&mut stored)?;
            let end = ar.position().checked_add_signed(stored);
            rows_until(&mut self.bulk_data, end, BULK_DATA, ar)
        })
    }

    fn part<A: Archive + ?Sized>(
        &mut self,
        part: ZenSection,
        end: Option<u64>,
        ar: &mut A,
    ) -> Result<()> {
        macro_rules! rows {
            ($field:ident, $size:expr) => {
                in_field(stringify!($field), ar, |ar| rows_until(&mut self.$field, end, $size, ar))
            };
        }
        match part {
            ZenSection::Names => in_field("names", ar, |ar| {
                let size = u64::try_from(self.summary.names_size).ok();
                self.names.serialize_characters(size, ar)?;
                zeros(ar, |at| at.next_multiple_of(8) - at)
            }),
            ZenSection::NameHashes => {
                in_field("name_hashes", ar, |ar| self.names.serialize_hashes(ar))
            }
            ZenSection::PublicHashes => rows!(imported_public_hashes, HASH),
            ZenSection::Imports => rows!(imports, REFERENCE),
            ZenSection::Exports => rows!(exports, EXPORT),
            ZenSection::CellImports => rows!(cell_imports, REFERENCE),
            ZenSection::CellExports => rows!(cell_exports, CELL_EXPORT),
            ZenSection::Commands => {
                if ZenForm::of(ar.versions()) == ZenForm::Ue4_26 {
                    in_field("bundles", ar, |ar| self.bundles_before(end, ar))?;
                }
                rows!(commands, COMMAND)
            }
            ZenSection::Graph => self.graph(end, ar),
            ZenSection::Dependencies => rows!(dependencies, DEPENDENCIES),
            ZenSection::DependencyEntries => rows!(dependency_entries, ENTRY),
            ZenSection::ImportedPackages => {
                in_field("imported_packages", ar, |ar| self.imported_packages.serialize(ar))?;
                rows!(imported_package_numbers, ENTRY)?;
                let count = self.imported_packages.texts.len();
                match ar.is_loading() && count != self.imported_package_numbers.len() {
                    true => Err(ar.error(unfit()).in_field("imported_package_numbers")),
                    false => Ok(()),
                }
            }
        }
    }

    /// Bundles of UE4: as many as leave room for their steps before `end`.
    fn bundles_before<A: Archive + ?Sized>(&mut self, end: Option<u64>, ar: &mut A) -> Result<()> {
        if !ar.is_loading() {
            return elements(&mut self.bundles, ar);
        }
        let bytes = end.and_then(|end| end.checked_sub(ar.position()));
        let units = bytes.ok_or_else(|| ar.error(unfit()))? / COMMAND;
        self.bundles_for(ar, |bundles, steps| bundles + steps < units)
    }

    fn bundles_for<A: Archive + ?Sized>(
        &mut self,
        ar: &mut A,
        more: impl Fn(u64, u64) -> bool,
    ) -> Result<()> {
        self.bundles.clear();
        let mut steps = 0;
        while more(self.bundles.len() as u64, steps) {
            let mut bundle = super::ZenBundle::default();
            ar.claim(1, size_of_val(&bundle))?;
            at_index(self.bundles.len(), ar, |ar| bundle.serialize(ar))?;
            steps += u64::from(bundle.count);
            self.bundles.push(bundle);
        }
        Ok(())
    }

    /// Dependencies of bundles; from 5.0 the bundles stand before it.
    fn graph<A: Archive + ?Sized>(&mut self, end: Option<u64>, ar: &mut A) -> Result<()> {
        if ZenForm::of(ar.versions()) == ZenForm::Ue4_26 {
            return in_field("package_arcs", ar, |ar| {
                array::counted_u32(&mut self.package_arcs, ar)
            });
        }
        in_field("bundles", ar, |ar| match ar.is_loading() {
            true => {
                let all = self.commands.len() as u64;
                self.bundles_for(ar, |_, steps| steps < all)
            }
            false => elements(&mut self.bundles, ar),
        })?;
        in_field("arcs", ar, |ar| array::counted_u32(&mut self.arcs, ar))?;
        in_field("package_arcs", ar, |ar| {
            if !ar.is_loading() {
                return elements(&mut self.package_arcs, ar);
            }
            self.package_arcs.clear();
            while end.is_some_and(|end| ar.position() < end) {
                let mut arcs = super::ZenPackageArcs::default();
                ar.claim(1, size_of_val(&arcs))?;
                at_index(self.package_arcs.len(), ar, |ar| arcs.serialize(ar))?;
                self.package_arcs.push(arcs);
            }
            Ok(())
        })
    }
}

fn unfit() -> ErrorKind {
    let reason = "the sections do not stand one behind the other".to_owned();
    ErrorKind::Invalid { reason }
}

/// That sections stand otherwise than they would be written.
pub(super) fn does_not_fit() -> Error {
    unfit().into()
}

/// A count and so many zeros that a multiple of 8 follows.
fn pad<A: Archive + ?Sized>(ar: &mut A) -> Result<()> {
    let behind = ar.position() + 8;
    let wanted = behind.next_multiple_of(8) - behind;
    let mut count = wanted;
    ar.serialize_u64(&mut count)?;
    if count != wanted {
        return Err(ar.error(unfit()));
    }
    zeros(ar, |_| wanted)
}

/// So many zeros, below 8.
fn zeros<A: Archive + ?Sized>(ar: &mut A, count: impl Fn(u64) -> u64) -> Result<()> {
    let mut zeros = [0; 8];
    let zeros = &mut zeros[..(count(ar.position()) % 8) as usize];
    ar.serialize_bytes(zeros)?;
    match zeros.iter().all(|byte| *byte == 0) {
        true => Ok(()),
        false => Err(ar.error(ErrorKind::Invalid { reason: "zeros were expected".into() })),
    }
}

fn elements<T: Archived, A: Archive + ?Sized>(rows: &mut [T], ar: &mut A) -> Result<()> {
    let row = |(index, row): (usize, &mut T)| at_index(index, ar, |ar| row.serialize(ar));
    rows.iter_mut().enumerate().try_for_each(row)
}

/// Rows up to a place that is known when loading.
fn rows_until<T: Archived + Default, A: Archive + ?Sized>(
    rows: &mut Vec<T>,
    end: Option<u64>,
    size: u64,
    ar: &mut A,
) -> Result<()> {
    if ar.is_loading() {
        let bytes = end.and_then(|end| end.checked_sub(ar.position()));
        let bytes = bytes.filter(|bytes| bytes % size == 0);
        let count = bytes.ok_or_else(|| ar.error(unfit()))? / size;
        rows.clear();
        ar.claim(count, size_of::<T>())?;
        rows.resize_with(count as usize, T::default);
    }
    elements(rows, ar)
}
