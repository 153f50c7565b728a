//! Caches of compiled shaders.

use super::shader::{Shader, ShaderMap};
use super::static_parameters::StaticParameterSet;
use crate::Archived;
use crate::object::game::{is_mass_effect_1, is_mass_effect_3};
use crate::primitive::{Map, Name, PackageIndex};
use crate::version::UnrealVersions;

/// Compiled shaders of materials. It must neither move nor have its names renumbered: see [`Shader`].
///
/// Spec: ue1-3/11 §11.9. C++: `UShaderCache`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ShaderCache {
    /// Which cache wins.
    #[since(805)]
    pub priority: i32,
    /// 0 PC, 1 PlayStation 3, 2 Xbox 360, 4 and 5 PC with newer shaders.
    pub platform: u8,
    /// Checksums of the sources, by type of shader.
    pub shader_type_crcs: Map<Name, u32>,
    /// Unknown number of Mass Effect 3.
    #[archive(when = is_mass_effect_3(ar))]
    pub mass_effect_3: i32,
    /// Checksums of the sources, by vertex factory; in this place in Mass Effect 1.
    #[until(796)]
    #[archive(when = is_mass_effect_1(ar))]
    pub early_vertex_factory_crcs: Map<Name, u32>,
    /// The shaders.
    pub shaders: Vec<Shader>,
    /// Checksums of the sources, by vertex factory.
    #[until(796)]
    #[archive(when = !is_mass_effect_1(ar))]
    pub vertex_factory_crcs: Map<Name, u32>,
    /// Which shaders a material uses.
    pub material_shader_maps: Map<StaticParameterSet, ShaderMap>,
    /// Objects that hold shaders; consoles.
    #[archive(when = is_mass_effect_3(ar) && ar.versions().mass_effect_port().is_none())]
    pub payloads: Vec<PackageIndex>,
    /// Unknown number of Mass Effect 1.
    #[archive(when = is_mass_effect_1(ar))]
    pub mass_effect_1: i32,
}

/// Shaders of a cache that are stored apart: Mass Effect 3 on consoles.
///
/// Spec: ue1-3/11 §11.9.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ShaderCachePayload {
    /// Platform.
    pub platform: u8,
    /// Checksums, empty.
    pub shader_type_crcs: Map<Name, u32>,
    /// Unknown.
    pub unknown: i32,
    /// The shaders.
    pub shaders: Vec<Shader>,
    /// Which shaders a material uses.
    pub material_shader_maps: Map<StaticParameterSet, ShaderMap>,
}
