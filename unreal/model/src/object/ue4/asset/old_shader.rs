//! Shaders in shader maps of UE4.10, 4.13 and 4.14.

use super::old_shader_map::FORM;
use super::shader_registers::Registers;
use crate::archive::in_field;
use crate::error::Result;
use crate::object::ue4::condition::{fixed, ue4, when};
use crate::primitive::{
    Announced, FString, Name, NameContext, Payload, Position, StoredName, array,
};
use crate::version::UE4;
use crate::{Archive, ArchiveExt, Archived};

/// First UE4 version with combinations of shaders.
const PIPELINES: u32 = 505;

/// Hash of the kind SHA-1.
pub(super) type Sha = [u8; 20];

/// A shader: its type, the position of its end, what its code is given, and the code.
///
/// How many registers there are depends on the type, so that their end is found by what follows them.
///
/// Spec: ue4-5/09 §7. C++: `FShader`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OldShader {
    /// The type; the position of the shader's end, four bytes, stands behind it.
    pub shader_type: Name,
    /// Parameters of every material's shaders.
    pub material: MaterialParameters,
    /// Parameters of the vertex factory.
    pub factory: FactoryParameters,
    /// Parameters of the type's shaders.
    pub parameters: Registers,
    /// The source that the shader was compiled from, and the code.
    pub compiled: CompiledShader,
}

/// Parameters of every material's shaders. C++: `FMaterialShader`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MaterialParameters {
    /// Where the material's own numbers are.
    pub uniform_buffer: BufferBinding,
    /// Where parameter collections are.
    pub collections: Vec<BufferBinding>,
    /// Registers of the scene's textures.
    #[archive(with = scene)]
    pub scene: Vec<u16>,
    /// Numbers of expressions: vectors, scalars, textures, cube maps, scalars and vectors of each frame.
    pub expression_counts: [i32; 6],
    /// How the material's own numbers lie.
    #[since(ue4 = 505)]
    pub layout: BufferLayout,
    /// Name of the material.
    pub debug_description: FString,
    /// Other registers.
    #[archive(with = others)]
    pub others: Vec<u16>,
}

/// Where a buffer of numbers is. C++: `FShaderUniformBufferParameter`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BufferBinding {
    /// Its register.
    pub index: u16,
    /// Whether it has one.
    pub bound: bool,
}

/// How numbers lie in a buffer. C++: `FRHIUniformBufferLayout`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct BufferLayout {
    /// Its name.
    pub name: Name,
    /// Bytes of numbers.
    pub constant_size: u32,
    /// Where its textures are, bytes.
    pub resource_offset: u32,
    /// Their kinds. C++: `EUniformBufferBaseType`.
    pub resources: Vec<u8>,
}

/// Parameters of the vertex factory. C++: `FVertexFactoryParameterRef`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FactoryParameters {
    /// The kind of meshes.
    pub factory: Name,
    /// Whether vertices or pixels are computed. C++: `EShaderFrequency`.
    pub frequency: u8,
    /// Hash of the source; a position behind the parameters, four bytes, follows.
    pub source_hash: Sha,
    /// Registers of these parameters.
    pub parameters: Registers,
}

/// The source that a shader was compiled from, and the code. C++: `FShader::SerializeBase`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct CompiledShader {
    /// Hash of the code.
    pub output_hash: Sha,
    /// Hash of the shader map's id.
    pub map_hash: Sha,
    /// The combination that it is for.
    #[since(ue4 = 505)]
    pub pipeline: StoredName,
    /// The kind of meshes; none for shaders that draw none.
    pub factory: Name,
    /// Hash of its source.
    pub factory_hash: Sha,
    /// The type once more.
    pub shader_type: Name,
    /// Hash of its source.
    pub source_hash: Sha,
    /// The stage that it computes.
    pub target: ShaderTarget,
    /// Where buffers are, by the names of their structures.
    pub buffers: Vec<NamedBinding>,
    /// The type that the code is special to, or none.
    pub specific_type: Name,
    /// The stage that the code computes.
    pub code_target: ShaderTarget,
    /// Byte code of the graphics card, packed where its size is not that below.
    pub code: Payload<1>,
    /// Hash of the code once more.
    pub code_hash: Sha,
    /// Number of instructions.
    pub instruction_count: u32,
    /// Number of textures that it reads.
    pub sampler_count: u32,
    /// Size of the code when unpacked, bytes.
    #[since(ue4 = 508)]
    pub uncompressed_size: i32,
}

/// The stage and platform of a shader. C++: `FShaderTarget`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ShaderTarget {
    /// Vertices, pixels or others. C++: `EShaderFrequency`.
    pub frequency: u32,
    /// The platform. C++: `EShaderPlatform`.
    pub platform: u32,
}

/// Where a buffer is.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct NamedBinding {
    /// Name of its structure.
    pub structure: FString,
    /// The place.
    pub binding: BufferBinding,
}

/// Shaders that draw no mesh.
pub(super) fn material_shaders<A: Archive + ?Sized>(
    shaders: &mut Vec<OldShader>,
    ar: &mut A,
) -> Result<()> {
    array::counted_i32_by(shaders, ar, |shader, ar| shader.serialize_in(false, ar))
}

/// Shaders that draw meshes.
pub(super) fn mesh_shaders<A: Archive + ?Sized>(
    shaders: &mut Vec<OldShader>,
    ar: &mut A,
) -> Result<()> {
    array::counted_i32_by(shaders, ar, |shader, ar| shader.serialize_in(true, ar))
}

fn scene<A: Archive + ?Sized>(registers: &mut Vec<u16>, ar: &mut A) -> Result<()> {
    fixed(registers, if ue4(ar) >= PIPELINES { 71 } else { 69 }, ar)
}

fn others<A: Archive + ?Sized>(registers: &mut Vec<u16>, ar: &mut A) -> Result<()> {
    fixed(registers, if ue4(ar) >= PIPELINES { 10 } else { 49 }, ar)
}

/// The place that was announced: a number that means another one is not understood.
fn settle<A: Archive + ?Sized>(announced: Announced, ar: &mut A) -> Result<()> {
    let mut end = Position::Here;
    end.settle(announced, ar)?;
    match end {
        Position::Here => Ok(()),
        Position::Stale(_) => Err(ar.error(FORM)),
    }
}

impl Archived for FactoryParameters {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("factory", ar, |ar| self.factory.serialize(ar))?;
        in_field("frequency", ar, |ar| ar.serialize_u8(&mut self.frequency))?;
        in_field("source_hash", ar, |ar| self.source_hash.serialize(ar))?;
        let stored = ar.peek_number(0, 4);
        let announced = in_field("end", ar, |ar| Position::Here.announce(ar))?;
        let length = match stored {
            Some(end) => Some(end.checked_sub(ar.position()).ok_or_else(|| ar.error(FORM))?),
            None => None,
        };
        self.parameters.serialize_for(self.factory, length, ar)?;
        settle(announced, ar)
    }
}

impl OldShader {
    fn serialize_in<A: Archive + ?Sized>(&mut self, is_mesh: bool, ar: &mut A) -> Result<()> {
        in_field("type", ar, |ar| self.shader_type.serialize(ar))?;
        let stored = ar.peek_number(0, 4);
        let announced = in_field("end", ar, |ar| Position::Here.announce(ar))?;
        in_field("material", ar, |ar| self.material.serialize(ar))?;
        when(is_mesh, &mut self.factory, "factory", ar)?;
        let length = match stored {
            Some(end) => {
                Some(self.parameter_length(is_mesh, end, ar).ok_or_else(|| ar.error(FORM))?)
            }
            None => None,
        };
        self.parameters.serialize_for(self.shader_type, length, ar)?;
        in_field("compiled", ar, |ar| self.compiled.serialize(ar))?;
        settle(announced, ar)
    }

    /// Bytes of registers before [`CompiledShader`], of a shader that ends at `end`: the kind of meshes, the hash of its
    /// source and the type of the shader, which are known by now, stand nowhere else one behind the other.
    fn parameter_length<A: Archive + ?Sized>(
        &self,
        is_mesh: bool,
        end: u64,
        ar: &A,
    ) -> Option<u64> {
        const NAME: usize = size_of::<[i32; 2]>();
        const HASH: usize = size_of::<Sha>();
        let is_big = ar.versions().byte_order.is_big();
        let number = |bytes: &[u8]| {
            let bytes = <[u8; 4]>::try_from(bytes).unwrap_or_default();
            if is_big { i32::from_be_bytes(bytes) } else { i32::from_le_bytes(bytes) }
        };
        let name = |bytes: &[u8]| Name::numbered(number(&bytes[..4]), number(&bytes[4..NAME]));
        let is_factory = |found: Name| match is_mesh {
            true => found == self.factory.factory,
            false => ar.context().is_none(&found),
        };
        let pipeline = if ue4(ar) >= PIPELINES { NAME } else { 0 };
        let bytes = ar.peek(usize::try_from(end.checked_sub(ar.position())?).ok()?);
        let mut windows = bytes.get(2 * HASH + pipeline..)?.windows(2 * NAME + HASH);
        let found = windows.position(|window| {
            window[NAME..NAME + HASH] == self.factory.source_hash
                && name(&window[NAME + HASH..]) == self.shader_type
                && is_factory(name(window))
        })?;
        Some(found as u64)
    }
}
