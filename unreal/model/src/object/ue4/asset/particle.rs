//! Particles.

use crate::Archived;
use crate::object::ue4::prepared::Flagged;
use crate::primitive::Real;
use crate::version::custom;

/// The shape around what is seen of a sheet of images. C++: `FSubUVDerivedData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct BoundingGeometry {
    /// Corners, as many for each image.
    pub corners: Vec<[Real; 2]>,
}

/// The module that every emitter has. C++: `UParticleModuleRequired`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ParticleModuleRequired {
    /// The shape of its images, in cooked packages.
    #[since(custom = custom::RENDERING, custom::rendering::MOVED_PARTICLE_CUTOUTS_TO_REQUIRED_MODULE)]
    pub derived_data: Flagged<BoundingGeometry>,
}

/// A sheet of images. C++: `USubUVAnimation`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SubUvAnimation {
    /// The shape of its images, in cooked packages.
    pub derived_data: Flagged<BoundingGeometry>,
}
