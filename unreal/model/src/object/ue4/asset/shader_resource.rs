//! The parts of a shader map, UE5.0 to 5.7.

use crate::archive::{Kind, Role, Span};
use crate::error::{ErrorKind, Result};
use crate::object::ue4::condition::from_release;
use crate::primitive::Payload;
use crate::{Archive, ArchiveExt, Archived};

/// The shader map of a feature level and a quality. C++: `FMaterial::SerializeInlineShaderMap`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ShaderResource {
    /// Whether it was cooked.
    pub cooked: bool,
    /// Whether there is a map.
    #[archive(when = self.cooked)]
    pub valid: bool,
    /// The map.
    #[archive(when = self.cooked && self.valid)]
    pub map: ShaderMap,
}

/// A name of the shader maps' own list. C++: `FName`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ShaderName {
    /// Its row there.
    pub row: i32,
    /// Its number plus one; 0 for none.
    pub number: i32,
}

/// Hash of the kind SHA-1.
type Sha = [u8; 20];

/// A shader map. C++: `FMaterialShaderMap`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ShaderMap {
    /// Quality: four bytes below UE5.2.
    #[archive(with = quality)]
    pub quality_level: i32,
    /// Feature level.
    pub feature_level: i32,
    /// Hash of what it was made for.
    pub id_hash: Sha,
    /// How its id lies in memory.
    pub id_layout: TypeLayoutParameters,
    /// The memory image of its shaders.
    pub content: MemoryImage,
    /// Whether the code is in a library of its own.
    pub share_code: bool,
    /// The platform, below UE5.2.
    #[archive(when = !from_release(ar, 5, 2))]
    pub platform_number: u8,
    /// The platform.
    #[archive(when = from_release(ar, 5, 2))]
    pub platform: ShaderName,
    /// Hash of the code.
    pub resource_hash: Sha,
    /// The code, where it is here.
    #[archive(when = !self.share_code, with = code)]
    pub code: ShaderCode,
}

fn quality<A: Archive + ?Sized>(value: &mut i32, ar: &mut A) -> Result<()> {
    match from_release(ar, 5, 2) {
        true => crate::archive::private::narrow(value, ar, A::serialize_u8),
        false => ar.serialize_i32(value),
    }
}

/// From UE5.5 on the code has another form.
fn code<A: Archive + ?Sized>(value: &mut ShaderCode, ar: &mut A) -> Result<()> {
    if ar.is_loading() && from_release(ar, 5, 5) {
        return Err(ar.error(ErrorKind::NonCanonical { form: "code of shaders" }));
    }
    value.serialize(ar)
}

/// How types lie in memory. C++: `FPlatformTypeLayoutParameters`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TypeLayoutParameters {
    /// The widest alignment of fields, bytes.
    pub max_field_alignment: u32,
    /// 1 for parameters that were set, 2 for 32 bits, 4 for bases that are aligned.
    pub flags: u32,
}

/// An object as it lay in memory, with what the loader patches. C++: `FMemoryImageResult`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MemoryImage {
    /// How types lie in it.
    pub layout: TypeLayoutParameters,
    /// The memory, which is not decoded.
    #[archive(with = frozen)]
    pub frozen: Span,
    /// The types that lie in it.
    pub type_dependencies: Vec<TypeDependency>,
    /// Types of shaders.
    pub shader_type_count: i32,
    /// Types of vertex factories.
    pub vertex_factory_type_count: i32,
    /// Hashes of the names of types of shaders.
    #[archive(count = shader_type_count)]
    pub shader_types: Vec<u64>,
    /// Hashes of the names of types of vertex factories.
    #[archive(count = vertex_factory_type_count)]
    pub vertex_factory_types: Vec<u64>,
    /// Tables of virtual functions.
    pub vtable_count: i32,
    /// Names of properties and scripts.
    pub script_name_count: i32,
    /// Other names.
    pub minimal_name_count: i32,
    /// Where addresses of tables of virtual functions stand.
    #[archive(count = vtable_count)]
    pub vtables: Vec<VTablePatches>,
    /// Where names of properties and scripts stand.
    #[archive(count = script_name_count)]
    pub script_names: Vec<NamePatches>,
    /// Where other names stand.
    #[archive(count = minimal_name_count)]
    pub minimal_names: Vec<NamePatches>,
}

/// Memory, after its size.
fn frozen<A: Archive + ?Sized>(memory: &mut Span, ar: &mut A) -> Result<()> {
    let mut size = u32::try_from(memory.len())
        .map_err(|_| ar.error(ErrorKind::OutOfRange { value: memory.len().into(), bits: 32 }))?;
    ar.serialize_u32(&mut size)?;
    ar.role(Role::Size);
    ar.serialize_span(memory, size.into(), Kind::Opaque)
}

/// A type that lies in memory. C++: `FTypeLayoutDesc`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TypeDependency {
    /// Its name.
    pub name: ShaderName,
    /// Its size, bytes.
    pub layout_size: u32,
    /// Hash of its fields.
    pub layout_hash: Sha,
}

/// Where addresses of a table of virtual functions stand. C++: `FMemoryImageVTable`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct VTablePatches {
    /// Hash of the name of the type.
    pub type_name_hash: u64,
    /// Where the table is among those of the type, and where its address stands in memory.
    pub patches: Vec<[i32; 2]>,
}

/// Where a name stands in memory. C++: `FMemoryImageName`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct NamePatches {
    /// The name.
    pub name: ShaderName,
    /// The places.
    pub patches: Vec<i32>,
}

/// Code of shaders, UE5.0 to 5.4. C++: `FShaderMapResourceCode`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ShaderCode {
    /// Hash of each.
    pub hashes: Vec<Sha>,
    /// The code of each.
    pub entries: Vec<ShaderEntry>,
}

/// Code of a shader. C++: `FShaderMapResourceCode::FShaderEntry`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ShaderEntry {
    /// The code, packed where its size is not that below.
    pub code: Payload<1>,
    /// Its size when unpacked, bytes.
    pub uncompressed_size: i32,
    /// Its stage. C++: `EShaderFrequency`.
    pub frequency: u8,
}
