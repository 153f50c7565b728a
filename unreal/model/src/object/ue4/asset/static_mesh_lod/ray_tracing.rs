//! Copies for ray tracing.

use super::Section;
use crate::Archived;
use crate::object::ue4::bulk::BulkData;
use crate::object::ue4::condition::from_release;
use crate::object::ue4::strip::StripFlags;

/// A copy for ray tracing. Spec: ue4-5/09 §4.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RayTracingProxy {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Whether it is the mesh itself.
    pub uses_mesh: bool,
    /// Levels of detail.
    pub lods: Vec<ProxyLod>,
}

/// A level of detail of a [`RayTracingProxy`]. Spec: ue4-5/09 §4.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ProxyLod {
    /// Whether it has buffers of its own.
    pub owns_buffers: bool,
    /// Parts with the same material.
    #[archive(when = self.owns_buffers)]
    pub sections: Vec<Section>,
    /// Whether it has geometry of its own.
    pub owns_geometry: bool,
    /// Whether its buffers are here: only 0 is known.
    #[archive(when = from_release(ar, 5, 6))]
    pub inlined: bool,
    /// The buffers.
    pub bulk: BulkData,
    /// Sizes and strides of the buffers.
    #[archive(when = from_release(ar, 5, 6) && self.owns_buffers)]
    pub buffer_meta: [u32; 11],
    /// Sizes of the geometry.
    #[archive(when = from_release(ar, 5, 6) && self.owns_geometry)]
    pub geometry_meta: [u32; 8],
}
