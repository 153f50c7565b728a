//! Notes of the import framework on an import.

use crate::archive::layout::Layout;
use crate::archive::{Extent, Kind, Role, Span, in_field, private};
use crate::error::{ErrorKind, Result};
use crate::object::ue4::condition::fixed;
use crate::primitive::{FString, Map, array};
use crate::version::custom::{self, interchange};
use crate::{Archive, ArchiveExt, Archived, Described, Versions};

/// From where an asset was imported, and how: the nodes and pipelines of the import, behind the properties.
///
/// C++: `UInterchangeAssetImportData`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct InterchangeAssetImportData {
    /// The nodes by class, in a buffer of their own whose size stands before them.
    pub nodes: Vec<InterchangeNode>,
    /// Whether there is such a buffer: an import without nodes has none.
    pub has_nodes: bool,
    /// Classes of pipelines, and their settings in JSON.
    pub pipelines: Vec<(FString, FString)>,
}

impl Archived for InterchangeAssetImportData {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.serialize_nodes(ar)?;
        in_field("pipelines", ar, |ar| array::counted_i32(&mut self.pipelines, ar))
    }
}

impl InterchangeAssetImportData {
    fn serialize_nodes<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let size_at = ar.position();
        let mut size = 0_i64;
        in_field("node_bytes", ar, |ar| ar.serialize_i64(&mut size))?;
        ar.role(Role::Size);
        let form = ar.form("without", &["", "nodes"], i64::from(!self.has_nodes));
        if ar.is_loading() {
            self.has_nodes = form.map_or(size != 0, |without| without == 0);
        }
        if !self.has_nodes {
            return private::absent(&mut self.nodes, ar, "nodes");
        }
        let start = ar.position();
        if ar.is_loading() {
            let length = u64::try_from(size);
            let length = length.map_err(|_| ar.error(ErrorKind::NegativeCount { count: size }))?;
            let window = ar.open(form.map_or(Extent::Size(length), |_| Extent::Level))?;
            let nodes = &mut self.nodes;
            let read = in_field("nodes", ar, |ar| array::counted_i32(nodes, ar));
            return ar.close(window, read);
        }
        in_field("nodes", ar, |ar| array::counted_i32(&mut self.nodes, ar))?;
        if ar.is_saving() {
            let length = ar.position() - start;
            let error = ErrorKind::OutOfRange { value: length.into(), bits: 63 };
            let length = i64::try_from(length).map_err(|_| ar.error(error))?;
            return ar.patch_i64(size_at, length);
        }
        Ok(())
    }
}

/// Whether what was imported stands behind the properties of import data.
pub(super) fn stores_import(versions: &Versions) -> bool {
    versions.custom(&custom::INTERCHANGE) >= interchange::SERIALIZED_INTERCHANGE_OBJECT_STORING
}

/// A node of an import. C++: `UInterchangeBaseNode`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct InterchangeNode {
    /// Its class: the class of the class, a blank, and the path.
    pub class: FString,
    /// Its attributes.
    pub attributes: AttributeStorage,
}

/// Attributes by name in one block of memory; nodes that are objects have nothing else, not even properties.
/// C++: `UE::Interchange::FAttributeStorage`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct AttributeStorage {
    /// Bytes that no attribute uses any more.
    pub fragmented_bytes: u64,
    /// How much of the block may be such bytes before it is packed: 0.1.
    pub defragment_ratio: f32,
    /// The attributes.
    pub attributes: Map<FString, Attribute>,
    /// The block.
    pub storage: AttributeBytes,
}

/// Where an attribute stands, and what it is. C++: `FAttributeAllocationInfo`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct Attribute {
    /// Where its values stand in the block.
    pub offsets: Vec<u64>,
    /// Bytes of each value.
    pub sizes: Vec<u64>,
    /// Its type. C++: `EAttributeTypes`.
    pub kind: i32,
    /// Whether it counts for hashes. C++: `EAttributeProperty`.
    pub properties: i32,
    /// Hash of its value.
    pub hash: [u32; 4],
}

impl Archived for Attribute {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let many = ar.versions().custom(&custom::INTERCHANGE)
            >= interchange::MULTIPLE_ALLOCATIONS_PER_ATTRIBUTE_IN_STORAGE_FIXED;
        for (values, name) in [(&mut self.offsets, "offsets"), (&mut self.sizes, "sizes")] {
            in_field(name, ar, |ar| match many {
                true => array::counted_i32(values, ar),
                // Several places can't be said there.
                false => fixed(values, 1, ar),
            })?;
        }
        in_field("kind", ar, |ar| ar.serialize_i32(&mut self.kind))?;
        in_field("properties", ar, |ar| ar.serialize_i32(&mut self.properties))?;
        in_field("hash", ar, |ar| self.hash.serialize(ar))
    }
}

/// A block of memory behind a count of 64 bits.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct AttributeBytes {
    /// The bytes.
    pub bytes: Span,
}

impl Archived for AttributeBytes {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut count = self.bytes.len();
        in_field("count", ar, |ar| ar.serialize_u64(&mut count))?;
        ar.role(Role::Count);
        in_field("bytes", ar, |ar| ar.serialize_span(&mut self.bytes, count, Kind::Payload))
    }
}
