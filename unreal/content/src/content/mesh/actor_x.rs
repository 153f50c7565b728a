//! Files of the exporters for Unreal's importers (ActorX): `.psk` meshes with bones, `.psa` animations, and `.pskx`,
//! which other tools have made of `.psk`.
//!
//! A file is chunks, one after the other, each 32 bytes and its records: a name of 20 bytes, `u32` 1999801, `u32` bytes
//! of a record, `u32` records. All numbers are little-endian. Axes are right-handed: Y the other way than in packages.
//!
//! Layout: wiki.beyondunreal.com/PSK_%26_PSA_file_formats; chunks of `.pskx`: the reader `psk_psa_py` (MIT). 390 `.psk` and
//! 359 `.psa` of a public project (metallicafan212/HP2UScriptDecompile) have these chunks in this order and end with the last
//! record. In them 370 meshes enclose their volume with corners as `Mesh::to_psk` writes them, most bones lie nearest
//! to their vertices with rotations as it writes them, and 73 of 76 characters have their left where it is right-handed.

mod padded_text;
mod records;

pub use padded_text::PaddedText;
pub use records::{
    ActorXBone, ActorXFace, ActorXKey, ActorXMaterial, ActorXMorph, ActorXMorphPoint,
    ActorXScaleKey, ActorXSequence, ActorXWedge, ActorXWeight,
};

use farchive::Archived;

use crate::archive::{Archive, ArchiveExt, Loader, Saver};
use crate::error::{Error, Result};
use crate::version::Versions;

/// What stands behind the name of every chunk.
const TYPE_FLAGS: u32 = 1_999_801;

/// A file: all of its chunks, one after the other up to its end.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ActorXFile {
    /// Its chunks; the first one has no records, and its name says of which kind the file is.
    pub chunks: Vec<ActorXChunk>,
}

/// Records of one kind.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ActorXChunk {
    /// What its records are: `PNTS0000`.
    pub name: PaddedText<20>,
    /// 1999801 in all files that are known.
    pub type_flags: u32,
    /// Bytes of a record.
    #[archive(computed = self.records.size())]
    pub size: u32,
    /// Records.
    #[archive(computed = self.records.count())]
    pub count: u32,
    /// The records themselves.
    #[archive(with = records(&self.name, self.size, self.count))]
    pub records: ActorXRecords,
}

/// Records that nobody reads here, those of heads, and those of another size.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OtherRecords {
    /// Bytes of a record.
    pub size: u32,
    /// Records.
    pub count: u32,
    /// Their bytes.
    pub bytes: Vec<u8>,
}

/// Lists the kinds of records: their variant, the name of their chunk, the bytes of a record, their type.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal $size:literal $type:ty;)*) => {
        /// The records of a chunk.
        #[derive(Debug, Clone, PartialEq)]
        pub enum ActorXRecords {
            $($(#[$doc])* $kind(Vec<$type>),)*
            /// Others.
            Other(OtherRecords),
        }

        impl ActorXRecords {
            /// Records of this name and size, none as yet.
            fn empty(name: &str, size: u32, count: u32) -> Self {
                match (name, size) {
                    $(($name, $size) => Self::$kind(Vec::new()),)*
                    // More sets of texture coordinates are counted in the name: `EXTRAUVS0`.
                    (name, 8) if name.starts_with("EXTRAUV") => Self::ExtraUvs(Vec::new()),
                    _ => Self::Other(OtherRecords { size, count, bytes: Vec::new() }),
                }
            }

            fn size(&self) -> u32 {
                match self {
                    $(Self::$kind(_) => $size,)*
                    Self::Other(other) => other.size,
                }
            }

            fn count(&self) -> u64 {
                match self {
                    $(Self::$kind(records) => records.len() as u64,)*
                    Self::Other(other) => other.count.into(),
                }
            }

            fn name(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => $name,)*
                    Self::Other(_) => "",
                }
            }

            /// When loading as many records as `count` says.
            fn serialize_records<A: Archive + ?Sized>(&mut self, count: usize, ar: &mut A) -> Result<()> {
                match self {
                    $(Self::$kind(records) => elements(records, count, ar),)*
                    Self::Other(other) => {
                        elements(&mut other.bytes, count.saturating_mul(other.size as usize), ar)
                    }
                }
            }
        }
    };
}
kinds! {
    /// Places.
    Points "PNTS0000" 12 [f32; 3];
    /// Corners.
    Wedges "VTXW0000" 16 ActorXWedge;
    /// Triangles.
    Faces "FACE0000" 12 ActorXFace<u16>;
    /// Triangles with wide numbers.
    WideFaces "FACE3200" 18 ActorXFace<u32>;
    /// Materials.
    Materials "MATT0000" 88 ActorXMaterial;
    /// Bones at rest.
    Bones "REFSKELT" 120 ActorXBone;
    /// Which bones move points.
    Weights "RAWWEIGHTS" 12 ActorXWeight;
    /// A colour for each wedge: red, green, blue, alpha.
    Colors "VERTEXCOLOR" 4 [u8; 4];
    /// Further texture coordinates for each wedge.
    ExtraUvs "EXTRAUVS" 8 [f32; 2];
    /// A normal for each point.
    Normals "VTXNORMS" 12 [f32; 3];
    /// Morphs.
    Morphs "MRPHINFO" 68 ActorXMorph;
    /// Points that morphs move.
    MorphPoints "MRPHDATA" 28 ActorXMorphPoint;
    /// Bones of animations.
    BoneNames "BONENAMES" 120 ActorXBone;
    /// Animations.
    Sequences "ANIMINFO" 168 ActorXSequence;
    /// Keys: of each frame those of all bones.
    Keys "ANIMKEYS" 32 ActorXKey;
    /// Sizes likewise.
    ScaleKeys "SCALEKEYS" 16 ActorXScaleKey;
}

impl Default for ActorXRecords {
    fn default() -> Self {
        Self::Other(OtherRecords::default())
    }
}

fn elements<T: Archived + Default, A: Archive + ?Sized>(
    values: &mut Vec<T>,
    count: usize,
    ar: &mut A,
) -> Result<()> {
    crate::primitive::array::elements(values, count, ar)
}

/// The records of a chunk of this name, of so many bytes each.
fn records<A: Archive + ?Sized>(
    records: &mut ActorXRecords,
    name: &PaddedText<20>,
    size: u32,
    count: u32,
    ar: &mut A,
) -> Result<()> {
    if ar.is_loading() {
        *records = ActorXRecords::empty(&name.text(), size, count);
    }
    records.serialize_records(count as usize, ar)
}

impl ActorXFile {
    /// A file without records, whose first chunk has this name.
    pub fn of(head: &str) -> Self {
        let mut made = Self::default();
        made.push_named(head, ActorXRecords::default());
        made
    }

    /// Adds records under the name of their kind.
    pub fn push(&mut self, records: ActorXRecords) {
        self.push_named(records.name(), records);
    }

    /// Adds records under a name of their own.
    pub fn push_named(&mut self, name: &str, records: ActorXRecords) {
        let (name, _) = PaddedText::of(name);
        let type_flags = TYPE_FLAGS;
        self.chunks.push(ActorXChunk { name, type_flags, records, ..ActorXChunk::default() });
    }

    /// The file of these bytes, whose first chunk must have the name `head`.
    ///
    /// # Errors
    /// `Invalid` for another file; `UnexpectedEnd` or `TooLong` for one that is damaged.
    pub fn read(bytes: &[u8], head: &str) -> Result<Self> {
        if bytes.get(..head.len()) != Some(head.as_bytes()) {
            return Err(Error::invalid(format!("the file does not begin with {head}")));
        }
        let mut made = Self::default();
        let mut loader = Loader::new(bytes, Versions::default());
        while loader.remaining() > 0 {
            let mut chunk = ActorXChunk::default();
            chunk.serialize(&mut loader)?;
            made.chunks.push(chunk);
        }
        loader.finish()?;
        Ok(made)
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// `OutOfRange` for more records of a kind than 32 bits count.
    pub fn write(mut self) -> Result<Vec<u8>> {
        let mut saver = Saver::new(Versions::default());
        self.chunks.iter_mut().try_for_each(|chunk| chunk.serialize(&mut saver))?;
        Ok(saver.into_bytes())
    }

    /// The records of all chunks, in their order.
    pub fn records(self) -> impl Iterator<Item = ActorXRecords> {
        self.chunks.into_iter().map(|chunk| chunk.records)
    }
}
