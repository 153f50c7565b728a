//! Materials.

use super::shader_map::ShaderMaps;
use crate::archive::layout::Layout;
use crate::object::ue4::condition::has_editor_data;
use crate::object::ue4::prepared::Flagged;
use crate::object::ue4::value::StructValue;
use crate::version::custom;
use crate::{Archive, Archived, Described, Result};

/// A material.
///
/// The fields stand in the order below; each says its versions. Spec: ue4-5/09 §7. C++: `UMaterial`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Material {
    /// What its expressions were found to use.
    #[since(custom = custom::UE5_RELEASE, 14)]
    pub cached_data: Flagged<CachedExpressionData>,
    /// Shader maps.
    #[since(ue4 = 260)]
    pub shader_maps: ShaderMaps,
    /// The same in its old place.
    #[since(custom = custom::UE5_MAIN, 36)]
    #[until(custom = custom::UE5_RELEASE, 14)]
    #[archive(when = has_editor_data(ar))]
    pub cached_data_old: Flagged<CachedExpressionData>,
    /// Whether it is used for virtualised geometry in any case.
    #[since(custom = custom::RENDERING, 47)]
    pub force_nanite_usage: bool,
}

/// What only the editor needs of materials. Spec: ue4-5/09 §7. C++: `UMaterialEditorOnlyData`,
/// `UMaterialInstanceEditorOnlyData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MaterialEditorOnlyData {
    /// What its expressions were found to use.
    pub cached_data: Flagged<CachedEditorData>,
}

/// What the expressions of a material were found to use.
///
/// Spec: ue4-5/09 §7. C++: `FMaterialCachedExpressionData`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct CachedExpressionData(pub StructValue);

impl Archived for CachedExpressionData {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.0.serialize_as("MaterialCachedExpressionData", ar)
    }
}

/// What an instance's parents were found to use.
///
/// Spec: ue4-5/09 §7. C++: `FMaterialInstanceCachedData`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct InstanceCachedData(pub StructValue);

impl Archived for InstanceCachedData {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.0.serialize_as("MaterialInstanceCachedData", ar)
    }
}

/// The cached data that only the editor needs. C++: `FMaterialCachedExpressionEditorOnlyData`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct CachedEditorData(pub StructValue);

impl Archived for CachedEditorData {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.0.serialize_as("MaterialCachedExpressionEditorOnlyData", ar)
    }
}
