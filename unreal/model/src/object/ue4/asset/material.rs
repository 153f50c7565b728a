//! Materials.

use super::shader_map::ShaderMaps;
use crate::archive::layout::Layout;
use crate::object::ue4::condition::has_editor_data;
use crate::object::ue4::prepared::Flagged;
use crate::object::ue4::value::StructValue;
use crate::version::{UE4, custom};
use crate::{Archive, Archived, Described, Result};

/// A material.
///
/// Spec: ue4-5/09 §7. C++: `UMaterial`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Material {
    /// Data cached from its expressions.
    #[since(custom = custom::UE5_RELEASE, custom::ue5_release::MATERIAL_INTERFACE_SAVED_CACHED_DATA)]
    pub cached_data: Flagged<CachedExpressionData>,
    /// Shader maps.
    #[since(ue4 = 260)]
    pub shader_maps: ShaderMaps,
    /// The same in its old place.
    #[since(custom = custom::UE5_MAIN, custom::ue5_main::MATERIAL_SAVED_CACHED_DATA)]
    #[until(custom = custom::UE5_RELEASE, custom::ue5_release::MATERIAL_INTERFACE_SAVED_CACHED_DATA)]
    #[archive(when = has_editor_data(ar))]
    pub cached_data_old: Flagged<CachedExpressionData>,
    /// Whether it is used for virtualised geometry in any case.
    #[since(custom = custom::RENDERING, custom::rendering::NANITE_FORCE_MATERIAL_USAGE)]
    pub force_nanite_usage: bool,
}

/// The part of materials that only the editor needs. Spec: ue4-5/09 §7. C++: `UMaterialEditorOnlyData`,
/// `UMaterialInstanceEditorOnlyData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MaterialEditorOnlyData {
    /// Data cached from its expressions.
    pub cached_data: Flagged<CachedEditorData>,
}

/// Structs by their names.
macro_rules! struct_values {
    ($($(#[$doc:meta])* $name:ident = $structure:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Described, Debug, Clone, Default, PartialEq)]
        pub struct $name(pub StructValue);

        impl Archived for $name {
            const LAYOUT: &'static Layout = Self::DESCRIBED;

            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                self.0.serialize_as($structure, ar)
            }
        }
    )* };
}

struct_values! {
    /// Data cached from the expressions of a material.
    ///
    /// Spec: ue4-5/09 §7. C++: `FMaterialCachedExpressionData`.
    CachedExpressionData = "MaterialCachedExpressionData";
    /// Data cached from the parents of an instance.
    ///
    /// Spec: ue4-5/09 §7. C++: `FMaterialInstanceCachedData`.
    InstanceCachedData = "MaterialInstanceCachedData";
    /// The cached data that only the editor needs. C++: `FMaterialCachedExpressionEditorOnlyData`.
    CachedEditorData = "MaterialCachedExpressionEditorOnlyData";
}
