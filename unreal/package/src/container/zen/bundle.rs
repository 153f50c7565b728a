//! Export bundles, up to 5.2: objects that are made and read together, and what bundles wait for.

use crate::Archived;
use crate::primitive::array;
use crate::version::UE5;
use crate::version::threshold::ue5;

/// A bundle: a range of the steps of loading.
///
/// Spec: ue4-5/12 §4, §9. C++: `FExportBundleHeader`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ZenBundle {
    /// Start of its first body, from the end of the header.
    #[since(ue5 = ue5::INITIAL_VERSION)]
    pub serial_offset: u64,
    /// Its first step.
    pub first: u32,
    /// How many steps it has.
    pub count: u32,
}

/// A bundle waits for another one.
///
/// Spec: ue4-5/12 §4, §9. C++: `FArc`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ZenArc {
    /// The bundle that must be there; -1 for the last one of the other package.
    pub from: i32,
    /// The bundle that waits.
    pub to: i32,
}

/// A bundle waits for a step of an imported object, 9 bytes.
///
/// Spec: ue4-5/12 §9. C++: `FExternalArc`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ZenImportArc {
    /// Row of the imports.
    pub import: i32,
    /// 0 it is made, 1 its body is read.
    pub command: u8,
    /// The bundle that waits.
    pub to: i32,
}

/// Dependencies of bundles on one other package.
///
/// From 5.0 the packages stand in the order in which the container lists them. Spec: ue4-5/12 §4, §9.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct ZenPackageArcs {
    /// The number of the package.
    #[until(ue5 = ue5::INITIAL_VERSION)]
    pub package: u64,
    /// Its bundles.
    #[until(ue5 = ue5::INITIAL_VERSION)]
    #[archive(with = array::counted_u32)]
    pub bundles: Vec<ZenArc>,
    /// Its objects.
    #[since(ue5 = ue5::INITIAL_VERSION)]
    #[archive(with = array::counted_u32)]
    pub imports: Vec<ZenImportArc>,
}
