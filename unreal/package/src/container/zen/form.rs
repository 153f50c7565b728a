//! The forms that the header of a zen package had.

use crate::version::threshold::ue5;
use crate::version::{EngineRelease, UnrealVersions, Versions};

/// The first release that says the names of imported packages.
const BUNDLES_GONE: EngineRelease = EngineRelease::new(5, 3);

/// A form of the header, by the first release that writes it.
///
/// Spec: ue4-5/12, table of forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ZenForm {
    /// 4.26 and 4.27: 64 bytes of summary, hashes of names apart, imports by the hash of their path.
    Ue4_26,
    /// 5.0 and 5.1: export bundles and the arcs between them, imports by public hashes.
    Ue5_0,
    /// 5.2: the same with the map of bulk data.
    Ue5_2,
    /// 5.3: dependency bundles, the names of imported packages.
    Ue5_3,
    /// 5.4 and 5.5: the map of bulk data on a multiple of 8.
    Ue5_4,
    /// 5.6 to 6.0: the places of Verse cells.
    Ue5_6,
}

impl ZenForm {
    /// The form that a release of these versions writes.
    pub fn of(versions: &Versions) -> Self {
        match versions.ue5() {
            0 => Self::Ue4_26,
            1..ue5::DATA_RESOURCES => Self::Ue5_0,
            ue5::DATA_RESOURCES if !versions.is_release(BUNDLES_GONE) => Self::Ue5_2,
            ue5::DATA_RESOURCES => Self::Ue5_3,
            ue5::SCRIPT_SERIALIZATION_OFFSET..ue5::VERSE_CELLS => Self::Ue5_4,
            _ => Self::Ue5_6,
        }
    }

    /// Whether exports are bundled: what waits for what is then known for bundles only, and the container says
    /// which packages are imported.
    pub fn has_bundles(self) -> bool {
        self < Self::Ue5_3
    }
}
