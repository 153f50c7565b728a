//! Physics of objects.

use super::cooked_shape::body::BodyShapes;
use super::cooked_shape::bulk::ShapeBulk;
use super::cooked_shape::navigation::NavShapes;
use crate::Archived;
use crate::archive::{ArchiveExt, in_field};
use crate::object::ue4::condition::from_release;
use crate::primitive::{Guid, Map, Name, PackageIndex};
use crate::version::UE4;

/// The shape that an object collides with.
///
/// Spec: ue4-5/09 §6. C++: `UBodySetup`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct BodySetup {
    /// Its name.
    pub guid: Guid,
    /// Whether it was cooked.
    pub cooked: bool,
    /// Whether there is something to collide with.
    #[since(ue4 = 287)]
    #[archive(when = self.cooked)]
    pub has_cooked_collision_data: bool,
    /// Shapes for the physics engine, by format.
    #[archive(when = self.cooked)]
    pub formats: Map<Name, ShapeBulk<BodyShapes>>,
}

/// How an object blocks ways.
///
/// Spec: ue4-5/09 §6. C++: `UNavCollision`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct NavCollision {
    /// The version, behind 0xA237F237 as a `u32`; `None` where it starts with the GUID: version 1.
    #[archive(with = magic)]
    pub version: Option<i32>,
    /// Its name.
    pub guid: Guid,
    /// Whether it was cooked.
    pub cooked: bool,
    /// Shapes, by format; none in 4.0 to 4.2, where the class of the area stands in their place.
    #[archive(when = self.cooked && from_release(ar, 4, 3))]
    pub formats: Map<Name, ShapeBulk<NavShapes>>,
    /// Class of the area.
    #[archive(when = self.version.is_some_and(|version| version >= 2))]
    pub area_class: PackageIndex,
}

const MAGIC: u32 = 0xa237_f237;

fn magic<A: crate::Archive + ?Sized>(version: &mut Option<i32>, ar: &mut A) -> crate::Result<()> {
    let known = i64::from(version.is_none());
    let without = ar.form("without", &["", "magic"], known);
    if ar.is_loading() {
        let word = ar.peek_number(0, 4);
        let found = [MAGIC, MAGIC.swap_bytes()].iter().any(|&magic| word == Some(magic.into()));
        *version = without.map_or(found, |without| without == 0).then_some(0);
    }
    match version {
        Some(version) => {
            in_field("magic", ar, |ar| ar.serialize_u32(&mut { MAGIC }))?;
            in_field("number", ar, |ar| ar.serialize_i32(version))
        }
        None => Ok(()),
    }
}
