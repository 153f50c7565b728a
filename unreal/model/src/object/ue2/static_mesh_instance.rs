//! Light on placed static meshes.

use super::{Stream, Zeros};
use crate::Archived;
use crate::object::VengeanceHeader;
use crate::object::game::swat;
use crate::primitive::{PackageIndex, Payload};

/// Light on a static mesh that is placed in a level.
///
/// Spec: ue1-3/10 §10.2, §10.6. C++: `UStaticMeshInstance`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticMeshInstance {
    /// Version 2, 5.
    #[archive(when = swat(ar))]
    pub header: VengeanceHeader,
    /// Colours of vertices.
    pub colors: Stream<4>,
    /// Which vertices each light reaches.
    pub lights: Vec<InstanceLight>,
    /// The part that SWAT 4 adds.
    #[archive(when = swat(ar))]
    pub swat: SwatInstanceColors,
}

/// Which vertices a light reaches. C++: `FStaticMeshLightInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct InstanceLight {
    /// Version 1, 2.
    #[archive(when = swat(ar))]
    pub header: VengeanceHeader,
    /// The light.
    pub light: PackageIndex,
    /// One bit a vertex.
    pub visibility_bits: Payload<1>,
    /// Whether it reaches anything.
    pub visible: i32,
    /// Two empty things.
    #[archive(when = swat(ar))]
    pub zeros: Zeros<2>,
}

/// The part that SWAT 4 adds to a [`StaticMeshInstance`].
///
/// Spec: ue1-3/10 §10.6.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SwatInstanceColors {
    /// Two empty things.
    pub zeros: Zeros<2>,
    /// Version 0, 2.
    pub header: VengeanceHeader,
    /// A colour and four floats for each vertex.
    pub data: Stream<20>,
}
