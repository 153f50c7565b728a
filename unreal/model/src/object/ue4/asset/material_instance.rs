//! Material instances.

use super::material::{CachedExpressionData, InstanceCachedData};
use super::shader_map::ShaderMaps;
use crate::Archived;
use crate::object::Facts;
use crate::object::ue4::prepared::{Flagged, Prepared};
use crate::primitive::{Guid, Name};
use crate::version::{UE4, custom};

/// A material with other parameters.
///
/// Spec: ue4-5/09 §7. C++:
/// `UMaterialInstance`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MaterialInstance {
    /// Data cached from its expressions.
    #[since(custom = custom::UE5_RELEASE, custom::ue5_release::MATERIAL_INTERFACE_SAVED_CACHED_DATA)]
    pub cached_expressions: Flagged<CachedExpressionData>,
    /// Data cached from its parents.
    #[since(custom = custom::UE5_MAIN, custom::ue5_main::MATERIAL_SAVED_CACHED_DATA)]
    pub cached_data: Flagged<InstanceCachedData>,
    /// Shader maps of its own: with the property `bHasStaticPermutationResource`.
    pub permutation: Prepared<StaticPermutation>,
    /// Whether overrides follow.
    #[since(ue4 = 304)]
    #[until(ue4 = 382)]
    pub unknown: bool,
    /// Overrides of its parent.
    #[since(ue4 = 304)]
    #[until(ue4 = 382)]
    pub overrides: Flagged<Overrides>,
}

impl MaterialInstance {
    /// An empty instance for these properties.
    pub(in crate::object) fn prepared(facts: &Facts<'_>) -> Self {
        let permutation = Prepared::when(facts.flag("bHasStaticPermutationResource"));
        Self { permutation, ..Self::default() }
    }
}

/// Shader maps of an instance. Spec: ue4-5/09 §7.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticPermutation {
    /// Parameters that they were made for.
    #[until(custom = custom::RENDERING, custom::rendering::MATERIAL_ATTRIBUTE_LAYER_PARAMETERS)]
    pub parameters: StaticParameters,
    /// The shader maps.
    pub shader_maps: ShaderMaps,
}

/// Parameters that shader maps are made for. Spec: ue4-5/09 §7. C++: `FStaticParameterSet`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticParameters {
    /// Switches.
    pub switches: Vec<StaticParameter<bool>>,
    /// Masks: red, green, blue, alpha.
    pub masks: Vec<StaticParameter<[bool; 4]>>,
    /// Layers of landscapes.
    pub terrain_layers: Vec<StaticParameter<i32>>,
}

/// A parameter that shader maps are made for. Spec: ue4-5/09 §7.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct StaticParameter<T> {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: T,
    /// Whether it differs from the parent's.
    pub overridden: bool,
    /// GUID of its expression.
    pub expression_guid: Guid,
}

/// An instance's overrides of its parent. Spec: ue4-5/09 §7.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Overrides {
    /// Whether the clip value is overridden.
    pub overrides_clip_value: bool,
    /// From which opacity on it is drawn.
    pub clip_value: f32,
    /// How it blends, lights and has sides.
    #[since(ue4 = 314)]
    pub more: MoreOverrides,
}

/// The part of [`Overrides`] that UE4 version 314 added.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct MoreOverrides {
    /// Whether the blend mode is overridden.
    pub overrides_blend_mode: bool,
    /// How it blends.
    pub blend_mode: u8,
    /// Whether the shading model is overridden.
    pub overrides_shading_model: bool,
    /// How it is lit.
    pub shading_model: u8,
    /// Whether the sides are overridden.
    pub overrides_two_sided: bool,
    /// Whether both sides are drawn.
    pub two_sided: bool,
}
