//! Navigation.

use super::actor::Actor;
use crate::archive::layout::Layout;
use crate::archive::{Kind, Span, in_field};
use crate::error::{ErrorKind, Result};
use crate::{Archive, ArchiveExt, Archived, Described};

/// Tiles of a navigation mesh.
///
/// Spec: ue4-5/09 §6. C++: `ARecastNavMesh`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct RecastNavMesh {
    /// What every actor has.
    pub base: Actor,
    /// Version of the tiles.
    pub version: u32,
    /// The tiles, which nobody decodes; their size stands before them.
    pub tiles: Span,
}

impl Archived for RecastNavMesh {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("base", ar, |ar| self.base.serialize(ar))?;
        in_field("version", ar, |ar| ar.serialize_u32(&mut self.version))?;
        let size = self.tiles.len() + 4;
        let mut stored = u32::try_from(size)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: size.into(), bits: 32 }))?;
        in_field("size", ar, |ar| ar.serialize_u32(&mut stored))?;
        let Some(length) = stored.checked_sub(4) else {
            return Err(ar.error(ErrorKind::OutOfRange { value: stored.into(), bits: 32 }));
        };
        in_field("tiles", ar, |ar| ar.serialize_span(&mut self.tiles, length.into(), Kind::Opaque))
    }
}
