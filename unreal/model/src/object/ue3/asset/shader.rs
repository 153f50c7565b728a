//! Compiled shaders.

use super::expression::{self, Expression};
use super::static_parameters::StaticParameterSet;
use crate::archive::layout::Layout;
use crate::archive::{Kind, Span, in_field};
use crate::error::{ErrorKind, Result};
use crate::primitive::{FString, Guid, Map, Name, Payload, Position};
use crate::version::UnrealVersions;
use crate::{Archive, ArchiveExt, Archived, Described};

/// First file version with hashes of the source.
const HASHES: u32 = 796;
/// First file version whose uniform expressions are in the shader map.
const EXPRESSIONS_MOVED: u32 = 656;

/// A compiled shader; a position behind it stands between head and code.
///
/// The parameters depend on the type of the shader and stay opaque. **Most of them hold a name and a
/// file position**: a package with a shader cache must neither move it nor renumber its names.
///
/// Spec: ue1-3/11 §11.9. C++: `FShader`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct Shader {
    /// Type, guid, hash.
    pub head: ShaderHead,
    /// Code.
    pub code: ShaderCode,
    /// The parameters of the code.
    pub parameters: Span,
}

/// The start of a [`Shader`].
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ShaderHead {
    /// Type.
    pub shader_type: Name,
    /// The shader.
    pub id: Guid,
    /// Hash of the source.
    #[since(HASHES)]
    pub hash: [u8; 20],
}

/// The code of a [`Shader`] and what describes it.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ShaderCode {
    /// Sizes of the parts.
    #[since(HASHES)]
    pub serializations: Vec<u16>,
    /// Platform.
    pub platform: u8,
    /// Whether vertices or pixels are computed.
    pub frequency: u8,
    /// Byte code of the graphics card.
    pub code: Payload<1>,
    /// Checksum of the parameters.
    pub parameter_crc: u32,
    /// The shader.
    pub id: Guid,
    /// Type.
    pub shader_type: Name,
    /// Hash of the source.
    #[since(HASHES)]
    pub hash: [u8; 20],
    /// Number of instructions.
    pub instruction_count: i32,
}

impl Archived for Shader {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("head", ar, |ar| self.head.serialize(ar))?;
        let stored = ar.peek_number(0, 4);
        let mut end = Position::Here;
        let announced = in_field("end", ar, |ar| end.announce(ar))?;
        in_field("code", ar, |ar| self.code.serialize(ar))?;
        let length = match ar.is_loading() {
            true => stored.map_or(Some(0), |stored| stored.checked_sub(ar.position())).ok_or_else(
                || {
                    let offset = stored.unwrap_or_default() as i64;
                    ar.error(ErrorKind::BadOffset { offset, length: ar.position() })
                },
            )?,
            false => self.parameters.len(),
        };
        in_field("parameters", ar, |ar| {
            ar.serialize_span(&mut self.parameters, length, Kind::Opaque)
        })?;
        end.settle(announced, ar)
    }
}

/// Which shaders a material uses, by type.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MeshShaders {
    /// Guid and type of each shader, by type.
    pub shaders: Map<Name, (Guid, Name)>,
    /// The vertex factory they were compiled for.
    pub vertex_factory: Name,
}

/// The shaders of a material for one set of static parameters.
///
/// Spec: ue1-3/11 §11.9. C++: `FMaterialShaderMap`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct ShaderMap {
    /// Versions.
    pub head: ShaderMapHead,
    /// The position behind the map.
    pub end: Position,
    /// Shaders.
    pub body: ShaderMapBody,
    /// Expressions, from 656: pixel vectors, pixel scalars, textures, cube textures, vertex vectors, vertex
    /// scalars.
    pub expressions: [Vec<Expression>; 6],
    /// Further expressions, from 796; empty in every known file.
    pub more_expressions: [Vec<Expression>; 7],
    /// Platform.
    pub platform: i32,
}

/// The start of a [`ShaderMap`].
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ShaderMapHead {
    /// File version that it was compiled with.
    #[since(600)]
    pub version: i32,
    /// Licensee version that it was compiled with.
    #[since(600)]
    pub licensee: i32,
}

/// The shaders of a [`ShaderMap`].
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ShaderMapBody {
    /// Shaders for every mesh.
    pub shaders: Map<Name, (Guid, Name)>,
    /// Shaders by vertex factory.
    pub mesh_shaders: Vec<MeshShaders>,
    /// The material.
    pub material: Guid,
    /// Its name.
    pub friendly_name: FString,
    /// Its static parameters.
    pub parameters: StaticParameterSet,
}

impl Archived for ShaderMap {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("head", ar, |ar| self.head.serialize(ar))?;
        let announced = in_field("end", ar, |ar| self.end.announce(ar))?;
        in_field("body", ar, |ar| self.body.serialize(ar))?;
        let file = ar.versions().file();
        in_field("expressions", ar, |ar| {
            expression::lists(&mut self.expressions, file >= EXPRESSIONS_MOVED, ar)
        })?;
        in_field("more_expressions", ar, |ar| {
            expression::lists(&mut self.more_expressions, file >= HASHES, ar)
        })?;
        in_field("platform", ar, |ar| ar.serialize_i32(&mut self.platform))?;
        self.end.settle(announced, ar)
    }
}
