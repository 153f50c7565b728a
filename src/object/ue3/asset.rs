//! Textures, sounds, meshes, animations, materials, shader caches.

use crate::Versions;
use crate::object::Maker;

/// What the class of this name adds, if it is one of this room's.
pub(super) fn maker_for(class: &str, versions: &Versions) -> Option<Maker> {
    let _ = (class, versions);
    None
}

/// Classes whose body is their parent's: child, parent.
pub(super) const PARENTS: &[(&str, &str)] = &[];
