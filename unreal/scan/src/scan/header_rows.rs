//! The rows of packages of which only the header is there: those of names, imports and exports need no more.

use super::depot::FileToScan;
use super::package_rows::{catch, stem};
use super::{PackageRows, ScannedFile, TableKind};
use crate::archive::{Archive, Archived, Loader};
use crate::inspect::package_path;
use crate::package::OpenOptions;
use crate::table::Summary;
use crate::version::{UnrealVersions, Versions};

/// Bytes of a package that zeros stand for.
const LARGEST: u64 = 1 << 28;
/// Columns of exports that are made of bodies.
const OF_BODIES: [&str; 9] = [
    "body_hash",
    "total_size",
    "inline_bulk",
    "package_bulk",
    "trailer_bulk",
    "ubulk",
    "uptnl",
    "upayload",
    "tfc",
];

impl TableKind {
    /// Whether these columns are made of bodies. Where they are not, the header of a package of UE4 or UE5 is enough
    /// ([`rows_of_header`]), and no body need be decoded ([`PackageRows::without_bodies`]).
    pub fn needs_bodies(self, columns: &[&str]) -> bool {
        match self {
            Self::Names | Self::Imports | Self::Tags => false,
            Self::Exports => columns.iter().any(|column| OF_BODIES.contains(column)),
            _ => true,
        }
    }
}

/// Bytes of the header of a package of UE4 or UE5 that starts so. `None` where its tables stand elsewhere (UE1 to UE3),
/// where it says no version, so that its bodies tell the release, and where these bytes are too few.
pub fn header_size(start: &[u8]) -> Option<u64> {
    let mut loader = Loader::new(start, Versions::unreal());
    let mut summary = Summary::default();
    summary.serialize(&mut loader).ok()?;
    let says_versions = loader.versions().ue4() > 0;
    let size = u64::try_from(summary.total_header_size).ok()?;
    (says_versions && size > 0).then_some(size)
}

/// Adds the rows of a package of `size` bytes whose first bytes are these, as far as they are not made of bodies.
/// Says whether that could be done: else the whole package is wanted.
pub fn rows_of_header(
    rows: &mut PackageRows,
    file: &FileToScan,
    header: &[u8],
    size: u64,
    options: &OpenOptions,
) -> bool {
    let Some(rest) = size.checked_sub(header.len() as u64) else { return false };
    if size > LARGEST || header_size(header).is_none() {
        return false;
    }
    // What stands there is not looked at.
    let mut bytes = Vec::with_capacity(size as usize);
    bytes.extend_from_slice(header);
    bytes.resize(header.len() + rest as usize, 0);
    let Ok(Ok(package)) = catch(|| options.open_bytes(bytes)) else { return false };
    let mount_path = file.mount_path.clone().or_else(|| package_path(&package));
    let scanned = ScannedFile {
        path: file.path.clone(),
        relative_path: file.relative_path.clone(),
        mount_path: mount_path.unwrap_or_else(|| stem(&file.path)),
        bytes: size,
        modified: None,
        blake3: None,
        content_key: file.content_key.clone(),
    };
    catch(|| rows.add_package(&scanned, &package)).is_ok()
}
