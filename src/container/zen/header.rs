//! The header of a zen package.

use super::{
    NameBatch, ZenBulkData, ZenCellExport, ZenCellOffsets, ZenCommand, ZenDependencies, ZenExport,
    ZenReference, ZenSummary, ZenVersions,
};
use crate::archive::layout::Layout;
use crate::archive::{at_index, in_field};
use crate::error::{Error, ErrorKind};
use crate::primitive::Bool32;
use crate::version::threshold::ue5;
use crate::version::{EngineRelease, Versions};
use crate::{Archive, ArchiveExt, Archived, Counter, Described, Loader, Result, Saver};

/// All of the header, from UE5.3. Its sections stand one right behind the other.
///
/// | section | versions |
/// |---|---|
/// | summary, versions if it says them | |
/// | places of the tables of cells | from UE5 1015 |
/// | names | |
/// | zeros up to a multiple of 8 (u64 count before them), bulk data (i64 bytes before it) | zeros from UE5 1010 |
/// | hashes of imported objects, imports, exports | |
/// | imported and own cells | from UE5 1015 |
/// | steps of loading, what must be there before, names of imported packages (with an i32 number each) | |
///
/// Spec: ue4-5/12 §5. C++: `FZenPackageHeader`.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct ZenHeader {
    /// What it starts with.
    pub summary: ZenSummary,
    /// The versions, where it says them.
    pub versions: Option<ZenVersions>,
    /// Where the tables of cells start, from UE5 1015.
    pub cells: ZenCellOffsets,
    /// The names: first those that bodies use.
    pub names: NameBatch,
    /// Where payloads stand.
    pub bulk_data: Vec<ZenBulkData>,
    /// What other packages' objects that it uses are known by there.
    pub imported_public_hashes: Vec<u64>,
    /// The objects of other packages.
    pub imports: Vec<ZenReference>,
    /// The objects of the package.
    pub exports: Vec<ZenExport>,
    /// Imported Verse cells.
    pub cell_imports: Vec<ZenReference>,
    /// The package's own.
    pub cell_exports: Vec<ZenCellExport>,
    /// In which order objects are made and read.
    pub commands: Vec<ZenCommand>,
    /// What must be there before each export.
    pub dependencies: Vec<ZenDependencies>,
    /// The exports (above zero) and imports (below) that they count.
    pub dependency_entries: Vec<i32>,
    /// Names of the imported packages, ascending by their hash.
    pub imported_packages: NameBatch,
    /// The numbers of their names.
    pub imported_package_numbers: Vec<i32>,
}

/// Bytes of the rows.
const BULK_DATA: u64 = 32;

impl ZenHeader {
    /// The header at the start of these bytes, and the versions that it is of: as it says, else `written`, else of
    /// the only form that fits.
    ///
    /// # Errors
    /// `Unsupported` for forms before UE5.3 and where several fit; otherwise what does not fit, with its field.
    pub fn load(bytes: &[u8], written: Option<&Versions>) -> Result<(Self, Versions)> {
        let attempt = |versions: Versions| {
            let mut header = Self::default();
            let mut loader = Loader::new(bytes, versions);
            header.serialize(&mut loader)?;
            Ok::<_, Error>((header, loader.versions().clone()))
        };
        let says = bytes.first_chunk::<4>().is_some_and(|it| u32::from_le_bytes(*it) == 1);
        if let Some(versions) = written.filter(|versions| !says || versions.ue5 > 0) {
            return attempt(versions.clone());
        }
        if says {
            return attempt(Versions::ue4_and_5(0, 0));
        }
        // Of the releases of each form the newest; their headers have nothing in common behind the summary.
        let forms = [(5, 8), (5, 5), (5, 3)].map(|(major, minor)| EngineRelease::new(major, minor));
        let mut fitting = forms.into_iter().filter_map(|it| attempt(it.versions()).ok());
        match (fitting.next(), fitting.next()) {
            (Some(found), None) => Ok(found),
            _ => Err(Error::unsupported(
                "the zen package does not say its versions: say which release it is of (--engine 5.6)",
            )),
        }
    }

    /// The header as bytes.
    ///
    /// # Errors
    /// The field that can't be stored.
    pub fn to_bytes(&mut self, versions: &Versions) -> Result<Vec<u8>> {
        self.settle(versions)?;
        let mut saver = Saver::new(versions.clone());
        self.serialize(&mut saver)?;
        Ok(saver.into_bytes())
    }

    /// Brings the sizes and offsets of the summary up to date.
    fn settle(&mut self, versions: &Versions) -> Result<()> {
        let has_cells = versions.ue5 >= ue5::VERSE_CELLS;
        let mut start = Counter::new(versions.clone());
        self.start(&mut start)?;
        let mut at = start.length();
        let mut behind = |bytes: u64| {
            at += bytes;
            i32::try_from(at).map_err(|_| ErrorKind::OutOfRange { value: at.into(), bits: 31 })
        };
        let rows = |count: usize, size: u64| count as u64 * size;
        let summary = &mut self.summary;
        summary.imported_public_hashes_offset = behind(0)?;
        summary.import_offset = behind(rows(self.imported_public_hashes.len(), 8))?;
        summary.export_offset = behind(rows(self.imports.len(), 8))?;
        let exports = rows(self.exports.len(), 72);
        if has_cells {
            self.cells.import_offset = behind(exports)?;
            self.cells.export_offset = behind(rows(self.cell_imports.len(), 8))?;
            summary.command_offset = behind(rows(self.cell_exports.len(), 40))?;
        } else {
            summary.command_offset = behind(exports)?;
        }
        summary.dependencies_offset = behind(rows(self.commands.len(), 8))?;
        summary.dependency_entries_offset = behind(rows(self.dependencies.len(), 20))?;
        summary.imported_packages_offset = behind(rows(self.dependency_entries.len(), 4))?;
        let packages = self.imported_packages.size();
        summary.header_size =
            behind(packages + rows(self.imported_package_numbers.len(), 4))?.cast_unsigned();
        Ok(())
    }

    /// Everything before the tables whose places the summary says.
    fn start<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if !ar.is_loading() {
            self.summary.has_versions = Bool32::from(self.versions.is_some());
        }
        in_field("summary", ar, |ar| self.summary.serialize(ar))?;
        if ar.is_loading() {
            self.versions = match self.summary.has_versions.0 {
                0 => None,
                1 => Some(ZenVersions::default()),
                _ => return Err(ar.error(does_not_fit()).in_field("has_versions")),
            };
        }
        if let Some(said) = &mut self.versions {
            in_field("versions", ar, |ar| said.serialize(ar))?;
            if ar.is_loading() {
                ar.set_versions(said.tell(ar.versions().clone(), &self.summary));
            }
        }
        if ar.is_loading() && ar.versions().ue5 < ue5::DATA_RESOURCES {
            let reason = "zen packages of releases before 5.3".to_owned();
            return Err(ar.error(ErrorKind::Unsupported { reason }));
        }
        if ar.versions().ue5 >= ue5::VERSE_CELLS {
            in_field("cells", ar, |ar| self.cells.serialize(ar))?;
        }
        in_field("names", ar, |ar| self.names.serialize(ar))?;
        if ar.versions().ue5 >= ue5::SCRIPT_SERIALIZATION_OFFSET {
            in_field("pad", ar, pad)?;
        }
        in_field("bulk_data", ar, |ar| {
            let size = i64::try_from(self.bulk_data.len() as u64 * BULK_DATA).ok();
            let range = || ErrorKind::OutOfRange { value: i64::MAX.into(), bits: 63 };
            let mut size = size.ok_or_else(|| ar.error(range()))?;
            ar.serialize_i64(&mut size)?;
            let end = ar.position().checked_add_signed(size);
            rows_until(&mut self.bulk_data, end, BULK_DATA, ar)
        })
    }

    fn tables<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let summary = &self.summary;
        let has_cells = ar.versions().ue5 >= ue5::VERSE_CELLS;
        let offset = |offset: i32| u64::try_from(offset).ok();
        let commands = offset(summary.command_offset);
        let (cell_imports, cell_exports) = match has_cells {
            true => (offset(self.cells.import_offset), offset(self.cells.export_offset)),
            false => (commands, commands),
        };
        let start = offset(summary.imported_public_hashes_offset);
        if ar.is_loading() && start != Some(ar.position()) {
            return Err(ar.error(does_not_fit()).in_field("imported_public_hashes"));
        }
        let summary = summary.clone();
        macro_rules! rows {
            ($field:ident, $end:expr, $size:literal) => {
                in_field(stringify!($field), ar, |ar| {
                    rows_until(&mut self.$field, $end, $size, ar)
                })?
            };
        }
        rows!(imported_public_hashes, offset(summary.import_offset), 8);
        rows!(imports, offset(summary.export_offset), 8);
        rows!(exports, cell_imports, 72);
        if has_cells {
            rows!(cell_imports, cell_exports, 8);
            rows!(cell_exports, commands, 40);
        }
        rows!(commands, offset(summary.dependencies_offset), 8);
        rows!(dependencies, offset(summary.dependency_entries_offset), 20);
        rows!(dependency_entries, offset(summary.imported_packages_offset), 4);
        in_field("imported_packages", ar, |ar| self.imported_packages.serialize(ar))?;
        rows!(imported_package_numbers, Some(summary.header_size.into()), 4);
        let packages = self.imported_packages.texts.len();
        match ar.is_loading() && packages != self.imported_package_numbers.len() {
            true => Err(ar.error(does_not_fit()).in_field("imported_package_numbers")),
            false => Ok(()),
        }
    }
}

impl ZenVersions {
    /// The versions that they say.
    fn tell(&self, mut versions: Versions, summary: &ZenSummary) -> Versions {
        let number = |version: i32| u32::try_from(version).unwrap_or(0);
        versions.ue4 = number(self.ue4);
        versions.ue5 = number(self.ue5);
        versions.licensee = self.licensee.cast_unsigned();
        versions.apply_flags(summary.package_flags);
        let custom = self.custom_versions.iter().map(|it| (it.key, it.version));
        versions.set_custom_versions(custom.collect());
        versions
    }
}

impl Archived for ZenHeader {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.start(ar)?;
        self.tables(ar)
    }
}

fn does_not_fit() -> ErrorKind {
    ErrorKind::Invalid { reason: "the sections do not stand one behind the other".to_owned() }
}

/// A count and so many zeros that a multiple of 8 follows.
fn pad<A: Archive + ?Sized>(ar: &mut A) -> Result<()> {
    let wanted = (ar.position() + 8).next_multiple_of(8) - (ar.position() + 8);
    let mut count = wanted;
    ar.serialize_u64(&mut count)?;
    let mut zeros = [0; 8];
    let zeros = &mut zeros[..(wanted % 8) as usize];
    ar.serialize_bytes(zeros)?;
    match count == wanted && zeros.iter().all(|byte| *byte == 0) {
        true => Ok(()),
        false => Err(ar.error(ErrorKind::Invalid { reason: "they are not the usual ones".into() })),
    }
}

/// Rows up to a place that is known.
fn rows_until<T: Archived + Default, A: Archive + ?Sized>(
    rows: &mut Vec<T>,
    end: Option<u64>,
    size: u64,
    ar: &mut A,
) -> Result<()> {
    if ar.is_loading() {
        let bytes = end.and_then(|end| end.checked_sub(ar.position()));
        let bytes = bytes.filter(|bytes| bytes % size == 0);
        let count = bytes.ok_or_else(|| ar.error(does_not_fit()))? / size;
        rows.clear();
        ar.claim(count, size_of::<T>())?;
        rows.resize_with(count as usize, T::default);
    }
    let row = |(index, row): (usize, &mut T)| at_index(index, ar, |ar| row.serialize(ar));
    rows.iter_mut().enumerate().try_for_each(row)
}
