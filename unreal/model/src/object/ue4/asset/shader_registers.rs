//! Registers of shaders in shader maps of UE4.10, 4.13 and 4.14.

use crate::archive::{Kind, Span, in_field};
use crate::error::Result;
use crate::object::ue4::condition::choose;
use crate::primitive::{Name, NameContext, array};
use crate::{Archive, ArchiveExt};

/// Prefixes of the types whose registers were seen: many are a template with its arguments. Which
/// registers there are depends on the template, which has nothing but numbers of two bytes.
const SEEN: &[&str] = &[
    "FConvertToUniformMesh",
    "FEvaluateSurfelMaterial",
    "FFPostProcessMaterial",
    "FInstancedStaticMeshVertexFactory",
    "FLocalVertexFactory",
    "FPostProcessMaterial",
    "TBasePass",
    "TShadowDepth",
    "TTranslucencyShadowDepth",
];
/// Names of the two forms in documents.
const WORDS: [&str; 2] = ["numbers", "bytes"];

/// Registers of the parameters of a type's shaders, or of a kind of meshes.
///
/// C++: `FShaderParameter` (register, bytes, buffer), `FShaderResourceParameter` (register, number of them),
/// `FShaderUniformBufferParameter` (register, and whether there is one).
#[derive(Debug, Clone, PartialEq)]
pub enum Registers {
    /// Numbers of two bytes: registers, how many, and of which buffers.
    Numbers(Vec<u16>),
    /// Bytes of types that were not seen, which may hold something else.
    Opaque(Span),
}

impl Default for Registers {
    fn default() -> Self {
        Self::Numbers(Vec::new())
    }
}

impl Registers {
    /// Serialises the registers of a type, of so many bytes where bytes are loaded.
    pub(super) fn serialize_for<A: Archive + ?Sized>(
        &mut self,
        kind: Name,
        bytes: Option<u64>,
        ar: &mut A,
    ) -> Result<()> {
        let known = matches!(self, Self::Opaque(_)).into();
        let form = choose(&WORDS, known, ar, |ar| {
            let text = ar.context().name_text(&kind).unwrap_or_default();
            let is_seen = SEEN.iter().any(|seen| text.starts_with(seen));
            let bytes = bytes.unwrap_or_default();
            (!bytes.is_multiple_of(2) || bytes > 0 && !is_seen).into()
        });
        if ar.is_loading() {
            *self = match form {
                0 => Self::Numbers(Vec::new()),
                _ => Self::Opaque(Span::default()),
            };
        }
        match self {
            Self::Numbers(numbers) => {
                let count = numbers.len() as i64;
                // Documents say how many there are.
                let count = ar.form("register_count", &[], count);
                let stored = bytes.unwrap_or_default() / 2;
                let count = count.map_or(Ok(stored), u64::try_from).unwrap_or(u64::MAX);
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                in_field("registers", ar, |ar| array::elements(numbers, count, ar))
            }
            Self::Opaque(span) => {
                let length = bytes.unwrap_or(span.len());
                in_field("opaque_registers", ar, |ar| ar.serialize_span(span, length, Kind::Opaque))
            }
        }
    }
}
