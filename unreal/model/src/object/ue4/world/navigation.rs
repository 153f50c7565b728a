//! Navigation.

use super::actor::Actor;
use super::navigation_tile::NavMeshTile;
use crate::archive::layout::Layout;
use crate::archive::{Extent, Kind, Role, Span, in_field, private};
use crate::error::{ErrorKind, Result};
use crate::primitive::Real;
use crate::version::UnrealVersions;
use crate::{Archive, ArchiveExt, Archived, Counter, Described};

/// First version whose tiles the engine still reads; older ones are not decoded.
const OLDEST: u32 = 11;
/// From then on what tiles had stands once for all of them.
const SHARED_PARAMETERS: u32 = 21;
/// From then on there are three resolutions.
const RESOLUTIONS: u32 = 23;

/// Tiles of a navigation mesh.
///
/// Spec: ue4-5/09 §6. C++: `ARecastNavMesh`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct RecastNavMesh {
    /// The part that all actors have.
    pub base: Actor,
    /// Version of the tiles.
    pub version: u32,
    /// Parameters of all tiles, from version 11 on; none where the mesh is empty.
    pub parameters: Option<NavMeshParameters>,
    /// The tiles, in UE5; their size stands before them.
    pub tiles: Vec<NavMeshTile>,
    /// Tiles of another form.
    pub other_tiles: Span,
}

/// Parameters of all tiles. C++: `FPImplRecastNavMesh`, `dtNavMeshParams`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct NavMeshParameters {
    /// Tiles.
    pub tile_count: i32,
    /// Where the first tile is.
    pub origin: [Real; 3],
    /// Width of a tile.
    pub tile_width: Real,
    /// Height of a tile.
    pub tile_height: Real,
    /// Tiles that there can be.
    pub max_tiles: i32,
    /// Polygons that a tile can have.
    pub max_polys: i32,
    /// Height of the walking agent, from version 21 on.
    pub walkable_height: Real,
    /// Radius of the walking agent.
    pub walkable_radius: Real,
    /// Height of a step.
    pub walkable_climb: Real,
    /// Steps a unit of heights: one below version 23, then one for each resolution.
    pub quantization: [Real; 3],
}

impl NavMeshParameters {
    fn serialize_in<A: Archive + ?Sized>(&mut self, version: u32, ar: &mut A) -> Result<()> {
        in_field("tile_count", ar, |ar| ar.serialize_i32(&mut self.tile_count))?;
        in_field("origin", ar, |ar| self.origin.serialize(ar))?;
        in_field("tile_width", ar, |ar| self.tile_width.serialize(ar))?;
        in_field("tile_height", ar, |ar| self.tile_height.serialize(ar))?;
        in_field("max_tiles", ar, |ar| ar.serialize_i32(&mut self.max_tiles))?;
        in_field("max_polys", ar, |ar| ar.serialize_i32(&mut self.max_polys))?;
        let walkers = [
            (&mut self.walkable_height, "walkable_height"),
            (&mut self.walkable_radius, "walkable_radius"),
            (&mut self.walkable_climb, "walkable_climb"),
        ];
        for (value, name) in walkers {
            match version >= SHARED_PARAMETERS {
                true => in_field(name, ar, |ar| value.serialize(ar))?,
                false => private::absent(value, ar, name)?,
            }
        }
        let known = match version {
            RESOLUTIONS.. => 3,
            SHARED_PARAMETERS.. => 1,
            _ => 0,
        };
        let (stored, absent) = self.quantization.split_at_mut(known);
        in_field("quantization", ar, |ar| Real::serialize_slice(stored, ar))?;
        absent.iter_mut().try_for_each(|it| private::absent(it, ar, "quantization"))
    }

    /// Their size, bytes.
    fn size<A: Archive + ?Sized>(version: u32, ar: &A) -> Result<u64> {
        let mut counter = Counter::new(ar.versions().clone());
        Self::default().serialize_in(version, &mut counter)?;
        Ok(counter.length())
    }
}

impl Archived for RecastNavMesh {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("base", ar, |ar| self.base.serialize(ar))?;
        in_field("version", ar, |ar| ar.serialize_u32(&mut self.version))?;
        let parameters = NavMeshParameters::size(self.version, ar)?;
        let tiles = match ar.is_saving() {
            true => self.measure_tiles(ar)?,
            false => 0,
        };
        let size = tiles + self.parameters.as_ref().map_or(0, |_| parameters) + 4;
        let mut stored = u32::try_from(size)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: size.into(), bits: 32 }))?;
        in_field("size", ar, |ar| ar.serialize_u32(&mut stored))?;
        ar.role(Role::Size);
        let Some(mut length) = u64::from(stored).checked_sub(4) else {
            return Err(ar.error(ErrorKind::OutOfRange { value: stored.into(), bits: 32 }));
        };
        if ar.is_loading() {
            let has_parameters = self.version >= OLDEST && length >= parameters;
            self.parameters = has_parameters.then(Default::default);
        }
        if let Some(value) = &mut self.parameters {
            let version = self.version;
            in_field("parameters", ar, |ar| value.serialize_in(version, ar))?;
            length = length.saturating_sub(parameters);
        }
        self.serialize_tiles(length, ar)
    }
}

impl RecastNavMesh {
    /// Tiles in the form that is known, or else as bytes.
    fn serialize_tiles<A: Archive + ?Sized>(&mut self, length: u64, ar: &mut A) -> Result<()> {
        let is_other = self.has_other_tiles();
        let form = ar.form("form", &["tiles", "bytes"], is_other.into());
        if ar.is_loading() {
            (self.tiles, self.other_tiles) = Default::default();
        }
        let other = match form {
            Some(form) => form != 0,
            None => match self.load_tiles(length, ar) {
                Ok(()) => return Ok(()),
                Err(_) => true,
            },
        };
        match other {
            true => {
                self.tiles.clear();
                let span = &mut self.other_tiles;
                let length = if ar.is_loading() { length } else { span.len() };
                in_field("other_tiles", ar, |ar| ar.serialize_span(span, length, Kind::Opaque))
            }
            false => self.serialize_typed(ar),
        }
    }

    /// Whether the tiles are bytes; none at all where the mesh counts tiles and stores none.
    fn has_other_tiles(&self) -> bool {
        let count = self.parameters.as_ref().map_or(0, |parameters| parameters.tile_count);
        !self.other_tiles.is_empty() || self.tiles.is_empty() && count != 0
    }

    /// Loads tiles that must use up so many bytes; the archive goes back where they do not.
    fn load_tiles<A: Archive + ?Sized>(&mut self, length: u64, ar: &mut A) -> Result<()> {
        let window = ar.open(Extent::Size(length))?;
        let known = ar.versions().ue5() > 0 && self.parameters.is_some();
        let loaded = match known || length == 0 {
            true => self.serialize_typed(ar),
            false => Err(ar.error(ErrorKind::NonCanonical { form: "tiles of an old version" })),
        };
        ar.close(window, loaded)
    }

    fn serialize_typed<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let count = self.parameters.as_ref().map_or(0, |parameters| parameters.tile_count);
        let count = usize::try_from(count)
            .map_err(|_| ar.error(ErrorKind::NegativeCount { count: count.into() }))?;
        if ar.is_loading() {
            ar.claim(count as u64, size_of::<NavMeshTile>())?;
            self.tiles.clear();
            self.tiles.resize_with(count, || NavMeshTile::blank(self.version));
        } else if ar.is_saving() && self.tiles.len() != count {
            let value = self.tiles.len() as i128;
            return Err(ar.error(ErrorKind::OutOfRange { value, bits: 32 }).in_field("tiles"));
        }
        let version = self.version;
        if ar.is_saving()
            && let Some(index) = self.tiles.iter().position(|tile| !tile.is_of(version))
        {
            let reason = format!("a tile that is not of version {version}, which the mesh says");
            let error = ar.error(ErrorKind::Invalid { reason });
            return Err(error.at_index(index).in_field("tiles"));
        }
        in_field("tiles", ar, |ar| NavMeshTile::serialize_slice(&mut self.tiles, ar))
    }

    /// Bytes that the tiles take.
    fn measure_tiles<A: Archive + ?Sized>(&mut self, ar: &A) -> Result<u64> {
        if self.has_other_tiles() {
            return Ok(self.other_tiles.len());
        }
        let mut counter = Counter::new(ar.versions().clone());
        self.serialize_typed(&mut counter)?;
        Ok(counter.length())
    }
}
