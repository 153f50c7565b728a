//! Shader maps in cooked materials of UE4.10, 4.13 and 4.14.

use super::material_instance::StaticParameters;
use super::old_shader::{OldShader, Sha, material_shaders, mesh_shaders};
use super::uniform_expression::Expression;
use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::{ErrorKind, Result};
use crate::object::ue4::condition::ue4;
use crate::primitive::{FString, Guid, Name};
use crate::version::UE4;
use crate::{Archive, ArchiveExt, Archived, Described};

/// The error for a form that stays opaque.
pub(super) const FORM: ErrorKind = ErrorKind::NonCanonical { form: "an old shader map" };
/// Versions whose shader maps are known: those of 4.10, 4.13 and 4.14. The releases between them and after
/// them, up to 4.19, have others.
const KNOWN: [u32; 3] = [482, 505, 508];

/// Shaders of a feature level and a quality.
///
/// Spec: ue4-5/09 §7. C++: `FMaterial::SerializeInlineShaderMap`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct OldShaderResource {
    /// Whether it was cooked.
    pub cooked: bool,
    /// The shaders, if there are any: a bool, then they.
    pub map: Option<Box<OldShaderMap>>,
}

impl Archived for OldShaderResource {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("cooked", ar, |ar| self.cooked.serialize(ar))?;
        let mut valid = self.map.is_some();
        in_field("valid", ar, |ar| valid.serialize(ar))?;
        if ar.is_loading() {
            self.map = None;
            if valid {
                if !KNOWN.contains(&ue4(ar)) {
                    return Err(ar.error(FORM));
                }
                ar.claim(1, size_of::<OldShaderMap>())?;
                self.map = Some(Box::default());
            }
        }
        match &mut self.map {
            Some(map) => in_field("map", ar, |ar| map.serialize(ar)),
            None => Ok(()),
        }
    }
}

/// A shader map: names are those of the package, ends of shaders are positions in the file.
///
/// Spec: ue4-5/09 §7. C++: `FMaterialShaderMap`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct OldShaderMap {
    /// The material, quality and platform that it was made for.
    pub id: ShaderMapId,
    /// The platform. C++: `EShaderPlatform`.
    pub platform: i32,
    /// Name of the material.
    pub friendly_name: FString,
    /// The output of the material's compilation.
    pub output: CompilationOutput,
    /// How it was compiled, for people.
    pub debug_description: FString,
    /// Shaders that draw no mesh.
    #[archive(with = material_shaders)]
    pub shaders: Vec<OldShader>,
    /// Combinations of them: none is known.
    #[since(ue4 = 505)]
    #[archive(with = no_pipelines)]
    pub pipeline_count: i32,
    /// Shaders that draw meshes.
    pub meshes: Vec<MeshShaders>,
}

/// Shaders for meshes of a kind. C++: `FMeshMaterialShaderMap`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MeshShaders {
    /// The kind of meshes. C++: `FVertexFactoryType`.
    pub factory: Name,
    /// The shaders.
    #[archive(with = mesh_shaders)]
    pub shaders: Vec<OldShader>,
    /// Combinations of them: none is known.
    #[since(ue4 = 505)]
    #[archive(with = no_pipelines)]
    pub pipeline_count: i32,
}

/// The identity of a shader map. C++: `FMaterialShaderMapId`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ShaderMapId {
    /// The use of the material. C++: `EMaterialShaderMapUsage`.
    pub usage: u32,
    /// State of the material.
    pub base_material_id: Guid,
    /// Quality.
    pub quality_level: i32,
    /// Feature level.
    pub feature_level: i32,
    /// Parameters that it was made for.
    pub parameters: StaticParameters,
    /// States of the functions that the material calls.
    pub functions: Vec<Guid>,
    /// States of the parameter collections that it reads.
    pub collections: Vec<Guid>,
    /// Types of shaders.
    pub shader_types: Vec<TypeHash>,
    /// Types of combinations: none is known.
    #[since(ue4 = 505)]
    #[archive(with = no_pipelines)]
    pub pipeline_type_count: i32,
    /// Kinds of meshes.
    pub factory_types: Vec<TypeHash>,
    /// Hash of the textures.
    pub texture_references_hash: Sha,
    /// Hash of what an instance does otherwise than its parent.
    pub base_property_overrides_hash: Sha,
}

/// A type and the hash of its source. C++: `FShaderTypeDependency`, `FVertexFactoryTypeDependency`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TypeHash {
    /// The type.
    pub name: Name,
    /// Hash of its source.
    pub source_hash: Sha,
}

/// The output of a material's compilation. C++: `FMaterialCompilationOutput`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct CompilationOutput {
    /// Expressions whose values are vectors.
    pub vectors: Vec<Expression>,
    /// Expressions whose values are numbers.
    pub scalars: Vec<Expression>,
    /// Textures.
    pub textures: Vec<Expression>,
    /// Cube maps.
    pub cube_textures: Vec<Expression>,
    /// Parameter collections.
    pub collections: Vec<Guid>,
    /// Numbers that change with each frame.
    pub frame_scalars: Vec<Expression>,
    /// Vectors that change with each frame.
    pub frame_vectors: Vec<Expression>,
    /// Numbers as they were in the frame before.
    pub previous_scalars: Vec<Expression>,
    /// Vectors as they were in the frame before.
    pub previous_vectors: Vec<Expression>,
    /// Whether it needs the colours of the scene.
    pub requires_scene_color: bool,
    /// Whether it needs the scene as textures.
    pub needs_scene_textures: bool,
    /// Further features that it needs.
    pub features: [bool; 4],
    /// The same, from UE4 version 505 on.
    #[since(ue4 = 505)]
    pub more_features: [bool; 2],
    /// The same, from UE4 version 508 on.
    #[since(ue4 = 508)]
    pub last_feature: bool,
}

/// Of combinations only their absence is known.
fn no_pipelines<A: Archive + ?Sized>(count: &mut i32, ar: &mut A) -> Result<()> {
    ar.serialize_i32(count)?;
    match *count {
        0 => Ok(()),
        _ => Err(ar.error(FORM)),
    }
}
