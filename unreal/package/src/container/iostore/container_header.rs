//! The container header: dependencies of the container's packages.

use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Span, in_field, private};
use crate::container::pak::rest;
use crate::container::zen::{NameBatch, ZenName};
use crate::error::{ErrorKind, Result, UnrealError};
use crate::primitive::{Bool32, FString, array};
use crate::version::{UnrealVersions, Versions};
use crate::{Archived, Counter, Described, Loader, Saver};

/// Names with `nCoI` before them, from version 1.
const SIGNATURE: u32 = 0x496f_436e;
/// The layouts' file versions: one more than the header's own, which start at -1.
const INITIAL: u32 = 1;
const LOCALIZED_PACKAGES: u32 = 2;
const OPTIONAL_PACKAGES: u32 = 3;
const NO_EXPORT_INFO: u32 = 4;
const SOFT_REFERENCES: u32 = 5;
const SOFT_REFERENCES_OFFSET: u32 = 6;

/// The chunk of a container that says which packages it holds and what each of them imports.
///
/// Spec: ue4-5/11 §7. C++: `FIoContainerHeader`.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct ContainerHeader {
    /// -1 to 5; below 1 the header does not say it.
    pub version: i32,
    /// Number of the container.
    pub container_id: u64,
    /// How many packages there are, below version 2.
    pub package_count: u32,
    /// Names, below version 1: empty in every file seen.
    pub names: Vec<u8>,
    /// Their hashes, behind the number of the kind of hash.
    pub name_hashes: Vec<u8>,
    /// Numbers of the packages, ascending.
    pub package_ids: Vec<u64>,
    /// The dependencies of each of them.
    pub store_entries: Vec<StoreEntry>,
    /// Packages that have an optional part, from version 2.
    pub optional_ids: Vec<u64>,
    /// The dependencies of these parts.
    pub optional_entries: Vec<StoreEntry>,
    /// Names of the rows below, from version 1.
    pub redirect_names: NameBatch,
    /// Packages that stand for another one in some language.
    pub localized_packages: Vec<LocalizedPackage>,
    /// Packages of other names.
    pub redirects: Vec<PackageRedirect>,
    /// The same by language, below version 1.
    pub cultures: Vec<CulturePackages>,
    /// The packages that each refers to softly, from version 4; the flag before it says whether they are there.
    pub soft_references: Option<SoftPackageReferences>,
    /// The bytes behind it: zeros where it was cut out of a block.
    pub rest: Span,
}

/// The dependencies of a package: the order of rows depends on the version.
///
/// Spec: ue4-5/11 §7. C++: `FFilePackageStoreEntry`.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreEntry {
    /// Bytes of the package's chunk, version 0.
    pub export_bundles_size: u64,
    /// How many objects it has, below version 3.
    pub export_count: i32,
    /// In how many bundles, below version 3.
    pub export_bundle_count: i32,
    /// Its place in the order of loading, version 0.
    pub load_order: u32,
    /// Numbers of the packages that it imports, ascending from version 1.
    pub imported_packages: Vec<u64>,
    /// Hashes of its shader maps, from version 1.
    pub shader_maps: Vec<[u8; 20]>,
}

/// A package that stands for another one in some language.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LocalizedPackage {
    /// The other one.
    pub source: u64,
    /// Its name.
    pub source_name: ZenName,
}

/// A package that stands for another one.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PackageRedirect {
    /// The other one.
    pub source: u64,
    /// This one.
    pub target: u64,
    /// Name of the other one, from version 1.
    #[since(LOCALIZED_PACKAGES)]
    pub source_name: ZenName,
}

/// Packages of one language, below version 1.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct CulturePackages {
    /// The language.
    pub culture: FString,
    /// The other one and this one.
    pub packages: Vec<[u64; 2]>,
}

/// The packages that each refers to softly.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct SoftPackageReferences {
    /// Numbers of packages.
    pub package_ids: Vec<u64>,
    /// Which of them each package means, as views into one buffer.
    pub indices: Vec<u8>,
}

/// Rows of a table of store entries.
struct StoreRows {
    /// Bytes of a row.
    size: u64,
    /// Where in it the views are.
    views: u64,
}

impl StoreRows {
    fn of(versions: &Versions) -> Self {
        match versions.file() {
            0 => Self { size: 16, views: 8 },
            INITIAL => Self { size: 32, views: 24 },
            LOCALIZED_PACKAGES | OPTIONAL_PACKAGES => Self { size: 24, views: 8 },
            _ => Self { size: 16, views: 0 },
        }
    }
}

impl Archived for StoreEntry {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    /// An entry by itself; in a table its lists stand behind all rows.
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut entries = vec![std::mem::take(self)];
        let result = entries_of(&mut entries, 1, ar);
        *self = entries.pop().unwrap_or_default();
        result
    }
}

/// A count and a place that counts from the view itself; nothing is 0 and 0.
fn view<A: Archive + ?Sized>(
    count: &mut usize,
    data: &mut u64,
    unit: u64,
    ar: &mut A,
) -> Result<()> {
    let place = ar.position();
    let mut number = array::u32_count(*count, ar)?;
    let expected = if number == 0 { 0 } else { data.saturating_sub(place) };
    let mut offset = expected as u32;
    ar.serialize_u32(&mut number)?;
    if ar.is_loading() {
        ar.serialize_u32(&mut offset)?;
        // Views of nothing have no place.
        let wanted = if number == 0 { 0 } else { data.saturating_sub(place) };
        if u64::from(offset) != wanted {
            let reason = "lists of packages that do not stand one behind the other".to_owned();
            return Err(ar.error(UnrealError::unsupported(reason)));
        }
        *count = number as usize;
    } else {
        ar.serialize_u32(&mut offset)?;
    }
    *data = data.saturating_add(*count as u64 * unit);
    Ok(())
}

/// A table of `count` entries: rows, then their lists in the same order.
fn entries_of<A: Archive + ?Sized>(
    entries: &mut Vec<StoreEntry>,
    count: usize,
    ar: &mut A,
) -> Result<()> {
    let versions = ar.versions().clone();
    let (rows, file) = (StoreRows::of(&versions), versions.file());
    if ar.is_loading() {
        ar.claim(count as u64 * rows.size, 1)?;
        ar.claim(count as u64, size_of::<StoreEntry>() + size_of::<[usize; 2]>())?;
        entries.clear();
        entries.resize_with(count, StoreEntry::default);
    }
    let mut data = ar.position().saturating_add(rows.size.saturating_mul(entries.len() as u64));
    let mut counts = Vec::with_capacity(entries.len());
    for entry in entries.iter_mut() {
        let start = ar.position();
        match file == INITIAL {
            true => in_field("export_bundles_size", ar, |ar| {
                ar.serialize_u64(&mut entry.export_bundles_size)
            })?,
            false => private::absent(&mut entry.export_bundles_size, ar, "export_bundles_size")?,
        }
        if file < NO_EXPORT_INFO {
            in_field("export_count", ar, |ar| ar.serialize_i32(&mut entry.export_count))?;
            in_field("export_bundle_count", ar, |ar| {
                ar.serialize_i32(&mut entry.export_bundle_count)
            })?;
        } else {
            private::absent(&mut entry.export_count, ar, "export_count")?;
            private::absent(&mut entry.export_bundle_count, ar, "export_bundle_count")?;
        }
        if file == INITIAL {
            in_field("load_order", ar, |ar| ar.serialize_u32(&mut entry.load_order))?;
            let mut zero = 0;
            ar.serialize_u32(&mut zero)?;
            if zero != 0 {
                let reason = "a number where every container has 0".to_owned();
                return Err(ar.error(UnrealError::unsupported(reason)));
            }
        } else {
            private::absent(&mut entry.load_order, ar, "load_order")?;
        }
        debug_assert_eq!(ar.position() - start, rows.views);
        let mut both = [entry.imported_packages.len(), entry.shader_maps.len()];
        view(&mut both[0], &mut data, 8, ar)?;
        match file >= LOCALIZED_PACKAGES {
            true => view(&mut both[1], &mut data, 20, ar)?,
            false => both[1] = 0,
        }
        counts.push(both);
    }
    for (entry, [packages, shaders]) in entries.iter_mut().zip(counts) {
        in_field("imported_packages", ar, |ar| {
            array::elements(&mut entry.imported_packages, packages, ar)
        })?;
        match file >= LOCALIZED_PACKAGES {
            true => in_field("shader_maps", ar, |ar| {
                array::elements(&mut entry.shader_maps, shaders, ar)
            })?,
            false => private::absent(&mut entry.shader_maps, ar, "shader_maps")?,
        }
    }
    Ok(())
}

/// Numbers of packages, and what each needs: bytes of the table before it.
fn packages<A: Archive + ?Sized>(
    ids: &mut Vec<u64>,
    entries: &mut Vec<StoreEntry>,
    ar: &mut A,
) -> Result<()> {
    in_field("package_ids", ar, |ar| ids.serialize(ar))?;
    if !ar.is_loading() && ids.len() != entries.len() {
        let reason = format!("{} packages and {} entries of them", ids.len(), entries.len());
        return Err(ar.error(ErrorKind::Invalid { reason }));
    }
    let count = ids.len();
    let mut size = match ar.is_saving() {
        true => {
            let mut counter = Counter::new(ar.versions().clone());
            entries_of(entries, count, &mut counter)?;
            array::u32_count(usize::try_from(counter.length()).unwrap_or(usize::MAX), ar)?
        }
        false => 0,
    };
    in_field("store_entries", ar, |ar| {
        ar.serialize_u32(&mut size)?;
        if !ar.is_loading() {
            return entries_of(entries, count, ar);
        }
        ar.part(size.into(), &mut |ar| entries_of(entries, count, ar))
    })
}

impl Archived for ContainerHeader {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let file = ar.versions().file();
        if file >= LOCALIZED_PACKAGES {
            let mut signature = SIGNATURE;
            in_field("signature", ar, |ar| ar.serialize_u32(&mut signature))?;
            in_field("version", ar, |ar| ar.serialize_i32(&mut self.version))?;
            if signature != SIGNATURE || Self::file_version(self.version) != file {
                return Err(ar.error(does_not_fit()));
            }
        } else if ar.is_loading() {
            self.version = file.cast_signed() - 1;
        }
        in_field("container_id", ar, |ar| ar.serialize_u64(&mut self.container_id))?;
        match file <= LOCALIZED_PACKAGES {
            true => in_field("package_count", ar, |ar| ar.serialize_u32(&mut self.package_count))?,
            false => private::absent(&mut self.package_count, ar, "package_count")?,
        }
        match file < LOCALIZED_PACKAGES {
            true => {
                in_field("names", ar, |ar| self.names.serialize(ar))?;
                in_field("name_hashes", ar, |ar| self.name_hashes.serialize(ar))?;
            }
            false => {
                private::absent(&mut self.names, ar, "names")?;
                private::absent(&mut self.name_hashes, ar, "name_hashes")?;
            }
        }
        packages(&mut self.package_ids, &mut self.store_entries, ar)?;
        match file >= OPTIONAL_PACKAGES {
            true => packages(&mut self.optional_ids, &mut self.optional_entries, ar)?,
            false => {
                private::absent(&mut self.optional_ids, ar, "optional_ids")?;
                private::absent(&mut self.optional_entries, ar, "optional_entries")?;
            }
        }
        if file >= LOCALIZED_PACKAGES {
            in_field("redirect_names", ar, |ar| self.redirect_names.serialize(ar))?;
            in_field("localized_packages", ar, |ar| self.localized_packages.serialize(ar))?;
            private::absent(&mut self.cultures, ar, "cultures")?;
        } else {
            in_field("cultures", ar, |ar| self.cultures.serialize(ar))?;
            private::absent(&mut self.localized_packages, ar, "localized_packages")?;
        }
        in_field("redirects", ar, |ar| self.redirects.serialize(ar))?;
        in_field("soft_references", ar, |ar| self.soft_references(file, ar))?;
        in_field("rest", ar, |ar| rest(&mut self.rest, ar))
    }
}

impl ContainerHeader {
    /// The file version of the layouts.
    fn file_version(version: i32) -> u32 {
        u32::try_from(version + 1).unwrap_or(0)
    }

    /// Versions for the layouts of a version of the header.
    pub fn versions(version: i32) -> Versions {
        Versions::own(Self::file_version(version))
    }

    fn soft_references<A: Archive + ?Sized>(&mut self, file: u32, ar: &mut A) -> Result<()> {
        if file < SOFT_REFERENCES {
            return private::absent(&mut self.soft_references, ar, "soft_references");
        }
        let places = if file >= SOFT_REFERENCES_OFFSET { 16 } else { 0 };
        let start = ar.position() + places;
        let (mut offset, mut size) = (start as i64, 0);
        let mut place = None;
        if file >= SOFT_REFERENCES_OFFSET {
            place = Some(ar.position() + 8);
            ar.serialize_i64(&mut offset)?;
            ar.serialize_i64(&mut size)?;
            if offset.cast_unsigned() != start {
                return Err(ar.error(does_not_fit()));
            }
        }
        let mut has = Bool32::from(self.soft_references.is_some());
        has.serialize(ar)?;
        if ar.is_loading() {
            self.soft_references = has.is_true().then(SoftPackageReferences::default);
        }
        if let Some(references) = &mut self.soft_references {
            references.serialize(ar)?;
        }
        let length = (ar.position() - start) as i64;
        match place {
            Some(_) if ar.is_loading() && size != length => Err(ar.error(does_not_fit())),
            Some(place) if ar.is_saving() => ar.patch_i64(place, length),
            _ => Ok(()),
        }
    }

    /// The header in a chunk: of the version that it says, or of the one below 1 that fits.
    ///
    /// # Errors
    /// The field that does not fit; `Unsupported` for versions that are not known.
    pub fn load(bytes: &[u8]) -> Result<Self> {
        let load = |version: i32| {
            let mut header = Self::default();
            header.serialize(&mut Loader::new(bytes, Self::versions(version)))?;
            Ok::<_, crate::Error>(header)
        };
        let word = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        if word(0) == Some(SIGNATURE) {
            let version = word(4).unwrap_or_default().cast_signed();
            return match version {
                1..=5 => load(version),
                version => {
                    let reason = format!("version {version} of container headers");
                    Err(UnrealError::unsupported(reason).into())
                }
            };
        }
        load(0).or_else(|error| load(-1).map_err(|_| error))
    }

    /// The chunk's bytes; `source` is what it was loaded from.
    ///
    /// # Errors
    /// `NotInVersion` for what the version lacks.
    pub fn to_bytes(&mut self, source: bytes::Bytes) -> Result<Vec<u8>> {
        let context = std::sync::Arc::new(crate::archive::Context::of(source));
        let mut saver = Saver::new(Self::versions(self.version)).with_context(context);
        self.serialize(&mut saver)?;
        Ok(saver.into_bytes())
    }

    /// The dependencies of a package.
    pub fn store_entry(&self, package: u64) -> Option<&StoreEntry> {
        let row = self.package_ids.iter().position(|id| *id == package)?;
        self.store_entries.get(row)
    }
}

fn does_not_fit() -> ErrorKind {
    ErrorKind::Invalid { reason: "its parts do not stand one behind the other".to_owned() }
}
