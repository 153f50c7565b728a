//! Materials and their instances.

use super::expression::{self, Expression};
use super::static_parameters::StaticParameterSet;
use crate::archive::in_field;
use crate::archive::private::absent;
use crate::error::{ErrorKind, Result};
use crate::object::Facts;
use crate::object::game::{is_mass_effect, is_mass_effect_1, is_mass_effect_3, is_xcom_2};
use crate::object::optional::present;
use crate::primitive::{FString, Guid, Map, PackageIndex, array};
use crate::version::UnrealVersions;
use crate::{Archive, ArchiveExt, Archived};

/// First file version whose uniform expressions are in the shader cache.
const EXPRESSIONS_MOVED: u32 = 656;
/// First file version that stores a resource for each quality level.
const QUALITY_LEVELS: u32 = 858;
/// Version 391 stores one resource, 491 two shader models.
const SHADER_MODEL_2_ADDED: u32 = 392;
/// First file version that stores one resource instead of two shader models.
const SHADER_MODEL_2_REMOVED: u32 = 711;

/// The resources of a compiled material; terrain materials have them as well.
///
/// Spec: ue1-3/11 §11.8. C++: `FMaterial`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MaterialResource {
    /// Errors of the compiler.
    pub compile_errors: Vec<FString>,
    /// How many texture lookups depend on each other, by expression.
    pub texture_dependency_lengths: Map<PackageIndex, i32>,
    /// The longest of them.
    pub max_texture_dependency_length: i32,
    /// Changes with every compilation.
    pub id: Guid,
    /// Texture coordinates that are used.
    pub user_tex_coords: u32,
    /// Expressions: pixel vectors, pixel scalars, textures, cube textures.
    #[archive(with = old_expressions)]
    pub expressions: [Vec<Expression>; 4],
    /// Textures.
    #[since(EXPRESSIONS_MOVED)]
    pub textures: Vec<PackageIndex>,
    /// Whether the colour behind is read.
    pub uses_scene_color: u32,
    /// Whether the depth behind is read.
    pub uses_scene_depth: u32,
    /// Whether particles give parameters.
    #[since(558)]
    pub uses_dynamic_parameter: u32,
    /// Whether the coordinates of light maps are read.
    #[since(645)]
    pub uses_lightmap_uvs: u32,
    /// Whether vertices are moved.
    #[since(647)]
    pub uses_vertex_offset: u32,
    /// A flag of Mass Effect 3.
    #[archive(when = is_mass_effect_3(ar))]
    pub mass_effect_flag: u32,
    /// Numbers of XCOM 2 of unknown meaning.
    #[archive(when = is_xcom_2(ar))]
    pub xcom: [u32; 8],
    /// Which spaces are transformed to.
    pub using_transforms: u32,
    /// Mass Effect 1: more expressions, and the end.
    #[archive(when = is_mass_effect_1(ar))]
    pub mass_effect: MassEffectTail,
    /// Texture lookups.
    #[archive(when = !is_mass_effect_1(ar))]
    pub lookups: Vec<TextureLookup>,
    /// Components that had no place in the light map.
    #[archive(when = !is_mass_effect_1(ar))]
    pub dropped_fallback_components: u32,
}

/// Reads a texture at scaled coordinates.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct TextureLookup {
    /// Number of the coordinates.
    pub tex_coord_index: i32,
    /// Number of the texture.
    pub texture_index: i32,
    /// Scale of U.
    pub u_scale: f32,
    /// Scale of V.
    pub v_scale: f32,
}

/// How [`MaterialResource`] ends in Mass Effect 1. Spec: ue1-3/11 §11.8, from reference only.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MassEffectTail {
    /// More expressions.
    pub groups: Vec<MassEffectGroup>,
    /// Unknown.
    pub unknown_1: i32,
    /// Entries; version 391 lacks them, 491 has them.
    #[since(SHADER_MODEL_2_ADDED)]
    #[archive(with = counted_entries)]
    pub entries: MassEffectEntries,
}

/// Expressions of Mass Effect 1.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MassEffectGroup {
    /// Pixel vectors, pixel scalars, textures, cube textures.
    pub expressions: [Vec<Expression>; 4],
    /// Unknown.
    pub unknown: [i32; 4],
}

/// Entries of Mass Effect 1; a number stands between their count and them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MassEffectEntries {
    /// Unknown.
    pub unknown: i32,
    /// The entries.
    pub items: Vec<(i32, f32, i32)>,
}

fn counted_entries<A: Archive + ?Sized>(entries: &mut MassEffectEntries, ar: &mut A) -> Result<()> {
    let length = entries.items.len();
    let count = in_field("count", ar, |ar| array::serialize_i32_list_count(length, ar))?;
    in_field("unknown", ar, |ar| ar.serialize_i32(&mut entries.unknown))?;
    array::elements(&mut entries.items, count, ar)
}

fn old_expressions<A: Archive + ?Sized>(
    lists: &mut [Vec<Expression>; 4],
    ar: &mut A,
) -> Result<()> {
    let present = ar.versions().file() < EXPRESSIONS_MOVED;
    expression::lists(lists, present, ar)
}

/// A resource of a material, with what an instance may override.
///
/// Spec: ue1-3/11 §11.8. C++: `FMaterialResource`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct OwnResource {
    /// The resource.
    pub resource: MaterialResource,
    /// How pixels are mixed with those behind, where overridden.
    #[since(853)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub blend_mode: u32,
    /// Whether the blend mode is overridden.
    #[since(853)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub is_blend_mode_overridden: u32,
    /// Whether the material then counts as masked.
    #[since(853)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub is_masked: u32,
}

/// A resource of an instance and the static parameters it was made for.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct InstanceResource {
    /// The resource.
    pub resource: OwnResource,
    /// The parameters.
    pub parameters: StaticParameterSet,
}

/// Resources: two shader models in old versions and Mass Effect, one, or one a quality level. Version 391 has one, 392 to 710 and Mass Effect two, 711 to 857 one; from 858 each bit that is set in the
/// mask has its own.
///
/// Spec: ue1-3/11 §11.8.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Resources<T> {
    /// The quality levels that are there.
    pub quality_mask: u32,
    /// The resources.
    pub items: Vec<T>,
}

impl<T: Archived + Default> Archived for Resources<T> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let (file, is_mass_effect) = (ar.versions().file(), is_mass_effect(ar));
        let count = if file >= QUALITY_LEVELS && !is_mass_effect {
            in_field("quality_mask", ar, |ar| ar.serialize_u32(&mut self.quality_mask))?;
            self.quality_mask.count_ones() as usize
        } else {
            absent(&mut self.quality_mask, ar, "quality_mask")?;
            let two = file < SHADER_MODEL_2_REMOVED || is_mass_effect;
            if two && file >= SHADER_MODEL_2_ADDED { 2 } else { 1 }
        };
        if !ar.is_loading() && self.items.len() != count {
            let (value, bits) = (self.items.len() as i128, 32);
            return Err(ar.error(ErrorKind::OutOfRange { value, bits }));
        }
        in_field("items", ar, |ar| array::elements(&mut self.items, count, ar))
    }
}

/// A material. Spec: ue1-3/11 §11.8. C++: `UMaterial`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Material {
    /// The compiled shaders.
    pub resources: Resources<OwnResource>,
}

/// An instance of a material: resources of its own only if a property says so.
///
/// Spec: ue1-3/11 §11.8. C++: `UMaterialInstance`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MaterialInstance {
    /// The shaders that were compiled for it; whether there are any is known before.
    #[archive(with = present)]
    pub resources: Option<Resources<InstanceResource>>,
}

impl MaterialInstance {
    /// An empty instance with or without resources, to be loaded.
    pub fn blank(permuted: bool) -> Self {
        Self { resources: permuted.then(Resources::default) }
    }

    /// An empty instance for these properties.
    pub(in crate::object) fn prepared(facts: &Facts<'_>) -> Self {
        Self::blank(facts.flag("bHasStaticPermutationResource"))
    }
}
