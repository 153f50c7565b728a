//! Classes of UE3.

pub mod asset;
pub mod world;

use super::Maker;
use super::registry::ClassEntry;
use crate::Versions;

/// What the class of this name adds, if it is one of this room's.
pub(super) fn maker_for(class: &str, versions: &Versions) -> Option<Maker> {
    asset::maker_for(class, versions).or_else(|| world::maker_for(class, versions))
}

pub(super) const CLASSES: &[&[ClassEntry]] =
    &[asset::CLASSES, world::CLASSES, world::MASS_EFFECT_1_2, world::MASS_EFFECT_3, world::XCOM_2];

/// Classes whose body is their parent's: child, parent.
pub(super) const PARENTS: &[&[(&str, &str)]] = &[asset::PARENTS, world::PARENTS];
