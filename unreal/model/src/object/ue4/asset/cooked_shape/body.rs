//! Shapes that a body collides with.

use super::chaos::ChaosShapes;
use super::physx::PhysxShapes;
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::object::ue4::condition::choose;
use crate::{Archive, ArchiveExt, Archived, Described};

/// Shapes that a body collides with, as a physics engine stores them. Spec: ue4-5/09 §6.
#[derive(Described, Debug, Clone, PartialEq)]
pub enum BodyShapes {
    /// PhysX, up to UE4.27.
    Physx(Box<PhysxShapes>),
    /// Chaos, from UE5.0 on.
    Chaos(Box<ChaosShapes>),
}

impl Default for BodyShapes {
    fn default() -> Self {
        Self::Chaos(Box::default())
    }
}

impl Archived for BodyShapes {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        const ENGINES: [&str; 2] = ["chaos", "physx"];
        let known = i64::from(matches!(self, Self::Physx(_)));
        // PhysX starts with the byte 1, Chaos with the size of a float as an `i32`.
        let form = choose(&ENGINES, known, ar, |ar| i64::from(ar.peek(1) == [1]));
        if ar.is_loading() {
            *self = match form {
                0 => Self::Chaos(Box::default()),
                _ => Self::Physx(Box::default()),
            };
        }
        match self {
            Self::Chaos(shapes) => shapes.serialize(ar),
            Self::Physx(shapes) => shapes.serialize(ar),
        }
    }
}
