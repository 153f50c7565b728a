//! Classes of UE2 and SWAT 4.

use super::Maker;
use crate::Versions;

/// What the class of this name adds, if it is one of this room's.
pub(super) fn maker_for(class: &str, versions: &Versions) -> Option<Maker> {
    let _ = (class, versions);
    None
}

/// Classes whose body is their parent's: child, parent.
pub(super) const PARENTS: &[(&str, &str)] = &[];
