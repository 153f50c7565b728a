//! The header of a zen package.

use super::{
    NameBatch, ZenArc, ZenBulkData, ZenBundle, ZenCellExport, ZenCellOffsets, ZenCommand,
    ZenDependencies, ZenExport, ZenName, ZenPackageArcs, ZenReference, ZenSummary, ZenTarget,
    ZenVersions, section,
};
use crate::archive::layout::Layout;
use crate::error::{Error, ErrorKind, UnrealErrors};
use crate::version::threshold::ue5;
use crate::version::{EngineRelease, LICENSEE, UE4, UE5, UnrealVersions, Versions};
use crate::{Archive, ArchiveExt, Archived, Described, Loader, Result, Saver};

/// The newest release of each form, the newest first.
const NEWEST: [(u8, u8); 6] = [(5, 8), (5, 5), (5, 3), (5, 2), (5, 1), (4, 27)];
/// Bytes of the summary of UE4: there its names start.
const UE4_SUMMARY: u32 = 64;
/// Where the summary of UE4 says that.
const UE4_NAMES: usize = 24;
/// The kind of hashes of names, which every list of them says.
const HASHES: [u8; 8] = 0xc164_0000_u64.to_le_bytes();
/// Where the kind of hashes of the first names is looked for: custom versions stand before it.
const SEARCHED: usize = 1 << 16;
/// Bytes of the shortest summary from 5.0 on.
const LEAST: usize = 44;
/// The number of the header's form in 5.2; later ones have a higher number.
const DATA_RESOURCES: u32 = 1;

/// All of the header. Its sections stand one right behind the other.
///
/// | section | forms |
/// |---|---|
/// | summary | all |
/// | versions, if it says them | from 5.0 |
/// | places of the tables of cells | from 5.6 |
/// | names | from 5.0 |
/// | zeros up to a multiple of 8 (u64 count before them) | from 5.4 |
/// | bulk data (i64 bytes before it) | from 5.2 |
/// | names, zeros up to a multiple of 8, hashes of the names | UE4 |
/// | hashes of imported objects | from 5.0 |
/// | imports, exports | all |
/// | imported and own cells | from 5.6 |
/// | bundles (UE4), steps of loading | all |
/// | bundles and arcs within (from 5.0), arcs to other packages | up to 5.2 |
/// | what must be there before, names of imported packages (with an i32 number each) | from 5.3 |
///
/// Spec: ue4-5/12 §4, §5. C++: `FPackageSummary` and `FZenPackageHeader`.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct ZenHeader {
    /// The summary.
    pub summary: ZenSummary,
    /// The versions, where it says them.
    pub versions: Option<ZenVersions>,
    /// Where the tables of cells start, from 5.6.
    pub cells: ZenCellOffsets,
    /// The names: first those that bodies use; in UE4 all of the package.
    pub names: NameBatch,
    /// Where payloads stand.
    pub bulk_data: Vec<ZenBulkData>,
    /// Public hashes of the objects of other packages that it uses.
    pub imported_public_hashes: Vec<u64>,
    /// The objects of other packages.
    pub imports: Vec<ZenReference>,
    /// The objects of the package.
    pub exports: Vec<ZenExport>,
    /// Imported Verse cells.
    pub cell_imports: Vec<ZenReference>,
    /// The package's own.
    pub cell_exports: Vec<ZenCellExport>,
    /// Ranges of the steps of loading, up to 5.2.
    pub bundles: Vec<ZenBundle>,
    /// In which order objects are made and read.
    pub commands: Vec<ZenCommand>,
    /// Which bundles wait for which, 5.0 to 5.2.
    pub arcs: Vec<ZenArc>,
    /// Dependencies of bundles on other packages, up to 5.2.
    pub package_arcs: Vec<ZenPackageArcs>,
    /// Dependencies of each export, from 5.3.
    pub dependencies: Vec<ZenDependencies>,
    /// The exports (above zero) and imports (below) that they count.
    pub dependency_entries: Vec<i32>,
    /// Names of the imported packages, ascending by their hash, from 5.3.
    pub imported_packages: NameBatch,
    /// The numbers of their names.
    pub imported_package_numbers: Vec<i32>,
}

impl ZenHeader {
    /// Whether a file may start with such a header. Nothing marks it: a file for which this is false starts with
    /// none, others may.
    pub fn may_start(bytes: &[u8]) -> bool {
        Self::may_start_within(bytes, bytes.len() as u64)
    }

    /// The same for a file of this length, of which only the first bytes are at hand.
    pub(crate) fn may_start_within(bytes: &[u8], length: u64) -> bool {
        let hashes_at = |at: u32| match bytes.get(at as usize..) {
            Some(it) if it.len() >= HASHES.len() => it.starts_with(&HASHES),
            _ => bytes.len() as u64 != length && u64::from(at) < length,
        };
        let (Some(first), Some(size)) = (word(bytes, 0), word(bytes, 4)) else { return false };
        if is_ue4(bytes) {
            return word(bytes, UE4_NAMES + 8).is_some_and(hashes_at);
        }
        let start = &bytes[..bytes.len().min(SEARCHED)];
        first <= 1
            && (LEAST as u64..=length).contains(&size.into())
            && start.windows(HASHES.len()).any(|it| it == HASHES)
    }

    /// The header at the start of these bytes, and the versions that it is of: as it says, else `written`, else of
    /// the only form that fits.
    ///
    /// # Errors
    /// `Unsupported` where it does not say its versions and several forms fit, or none; otherwise what does not
    /// fit, with its field.
    pub fn load(bytes: &[u8], written: Option<&Versions>) -> Result<(Self, Versions)> {
        let is_ue4 = is_ue4(bytes);
        let says = !is_ue4 && word(bytes, 0) == Some(1);
        let written = written.filter(|versions| !says || versions.ue5() > 0);
        if let Some(versions) = written {
            let attempt = Self::load_as(bytes, versions.clone());
            if attempt.is_ok() || !says {
                return attempt;
            }
        }
        let forms = NEWEST.map(|(major, minor)| EngineRelease::new(major, minor).versions());
        let forms = forms.into_iter().filter(|versions| (versions.ue5() == 0) == is_ue4);
        let (mut fitting, mut furthest) = (Vec::new(), None::<Error>);
        for mut versions in forms {
            if says {
                versions.set_release(None);
            }
            match Self::load_as(bytes, versions) {
                Ok(found) if says => return Ok(found),
                Ok(found) => fitting.push(found),
                Err(error) if furthest.as_ref().is_none_or(|it| it.offset() < error.offset()) => {
                    furthest = Some(error);
                }
                Err(_) => {}
            }
        }
        let several = fitting.len() > 1;
        match (fitting.pop().filter(|_| !several), furthest) {
            (Some(found), _) => Ok(found),
            (None, Some(error)) if says || is_ue4 => Err(error),
            _ => Err(Error::unsupported(
                "the zen package does not say its versions and fits no form, or several: say which release it \
                 is of (--engine 5.6)",
            )),
        }
    }

    fn load_as(bytes: &[u8], versions: Versions) -> Result<(Self, Versions)> {
        let mut header = Self::default();
        let mut loader = Loader::new(bytes, versions);
        header.serialize(&mut loader)?;
        let versions = loader.versions().clone();
        // What would be written otherwise could not be saved as it was.
        let again = header.clone().to_bytes(&versions)?;
        match bytes.starts_with(&again) && again.len() as u64 == header.size() {
            true => Ok((header, versions)),
            false => Err(section::does_not_fit()),
        }
    }

    /// Bytes of the header.
    pub fn size(&self) -> u64 {
        let summary = &self.summary;
        let end = i64::from(summary.graph_offset) + i64::from(summary.graph_size);
        match summary.header_size {
            0 => u64::try_from(end).unwrap_or(0),
            size => size.into(),
        }
    }

    /// The header as bytes; sizes and offsets of the summary are brought up to date.
    ///
    /// # Errors
    /// The field that can't be stored.
    pub fn to_bytes(&mut self, versions: &Versions) -> Result<Vec<u8>> {
        self.settle(versions)?;
        let mut saver = Saver::new(versions.clone());
        self.serialize(&mut saver)?;
        Ok(saver.into_bytes())
    }

    /// Which export each step of reading is of, in their order: so bodies stand up to 5.2.
    pub fn reading_order(&self) -> impl Iterator<Item = usize> {
        self.commands.iter().filter(|it| it.command == 1).map(|it| it.export as usize)
    }

    /// The name of a row, with its number.
    ///
    /// # Errors
    /// `Invalid` for a row outside the names.
    pub fn name(&self, name: ZenName) -> Result<String> {
        let text = self.names.texts.get(name.row as usize);
        let text = text.ok_or_else(|| Error::invalid(format!("there is no name {}", name.row)))?;
        Ok(match name.number {
            0 => text.clone(),
            number => format!("{text}_{}", number - 1),
        })
    }

    /// The path of an export within its package.
    ///
    /// # Errors
    /// `Invalid` for names and objects that are not there.
    pub fn inner_path(&self, row: usize) -> Result<String> {
        let mut names = Vec::new();
        let mut next = Some(row);
        while let Some(row) = next {
            let export = self.exports.get(row).filter(|_| names.len() <= self.exports.len());
            let export = export
                .ok_or_else(|| Error::invalid("objects lie in one another without an end"))?;
            names.push(self.name(export.object_name)?);
            next = match export.outer.target() {
                ZenTarget::Export(outer) => Some(outer as usize),
                _ => None,
            };
        }
        names.reverse();
        Ok(names.join("."))
    }
}

impl Archived for ZenHeader {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            *self = Self::default();
        }
        self.sections(ar)
    }
}

impl ZenVersions {
    /// The versions that they say; of releases that no version tells apart the one that is known, if it fits.
    pub(super) fn tell(&self, mut versions: Versions, summary: &ZenSummary) -> Versions {
        let number = |version: i32| u32::try_from(version).unwrap_or(0);
        versions.set(UE4, number(self.ue4));
        versions.set(UE5, number(self.ue5));
        versions.set(LICENSEE, self.licensee.cast_unsigned());
        versions.set_release(match self.zen {
            ..=DATA_RESOURCES if versions.ue5() == ue5::DATA_RESOURCES => {
                Some(EngineRelease::new(5, 2))
            }
            _ => versions.release().filter(|release| release.ue5() == versions.ue5()),
        });
        summary.package_flags.apply_to(&mut versions);
        let custom = self.custom_versions.iter().map(|it| (it.key, it.version));
        versions.set_custom_versions(custom.collect());
        versions
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|it| u32::from_le_bytes(*it))
}

/// Whether the names start where they do in UE4; from 5.0 the names stand before what this place counts.
fn is_ue4(bytes: &[u8]) -> bool {
    word(bytes, UE4_NAMES) == Some(UE4_SUMMARY)
}

/// A place outside what 32 bits count.
pub(super) fn too_far(at: u64) -> ErrorKind {
    ErrorKind::OutOfRange { value: at.into(), bits: 31 }
}
