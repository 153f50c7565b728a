//! Hierarchies of rigs.

use super::element::{RigElement, RigKey, RigParents};
use super::metadata::StoredRigMetadata;
use super::rig_version::rig;
use crate::archive::layout::Layout;
use crate::archive::private::absent;
use crate::archive::{Kind, Role, Span, at_index, in_field};
use crate::error::{ErrorKind, Result};
use crate::object::optional::optional;
use crate::object::ue4::condition::{fixed, when, when_counted};
use crate::primitive::{Map, Name, array};
use crate::version::custom::control_rig;
use crate::{Archive, ArchiveExt, Archived, Described};

/// What a rig moves: bones, controls, curves, and what hangs on what. It has nothing else, not even properties.
///
/// From 5.6 on the elements stand in an archive of their own, with names of their own, and compressed.
///
/// C++: `URigHierarchy`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct RigHierarchy {
    /// How transforms are stored.
    pub settings: Option<RigStorage>,
    /// The elements and all that follows, compressed.
    pub compressed: Option<CompressedRig>,
    /// What the elements are called, where that stands before them.
    pub keys: Vec<RigKey>,
    /// The elements.
    pub elements: Vec<RigElement>,
    /// What each of them hangs on.
    pub parents: Vec<RigParents>,
    /// What elements were called before.
    pub previous_names: Vec<(RigKey, RigKey)>,
    /// What elements hung on before.
    pub previous_parents: Vec<(RigKey, RigKey)>,
    /// What scripts keep with elements.
    pub metadata: Map<RigKey, Vec<StoredRigMetadata>>,
    /// Number of components, none of which can be read.
    pub component_count: i32,
}

/// How the transforms of a rig are stored. C++: `FRigHierarchySerializationSettings`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct RigStorage {
    /// The version of control rigs.
    pub version: i32,
    /// Whether it was stored in a package.
    pub is_in_package: bool,
    /// Whether the elements are compressed.
    pub is_compressed: bool,
    /// Whether transforms leave out what is usual.
    pub is_compact: bool,
    /// Whether transforms from the parent are there.
    pub has_local: bool,
    /// Whether transforms from the rig are there.
    pub has_global: bool,
    /// Whether those of the start are there.
    pub has_initial: bool,
    /// Whether those of now are there.
    pub has_current: bool,
    /// 0.
    pub phase: i32,
}

/// The elements of a rig in an archive of their own.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct CompressedRig {
    /// The names that the archive counts.
    pub names: Vec<Name>,
    /// Its size without compression.
    pub size: u32,
    /// Whether it is compressed.
    pub is_compressed: bool,
    /// The archive, compressed by Oodle.
    pub archive: Span,
}

impl Archived for CompressedRig {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("names", ar, |ar| array::counted_i32(&mut self.names, ar))?;
        in_field("size", ar, |ar| ar.serialize_u32(&mut self.size))?;
        in_field("is_compressed", ar, |ar| self.is_compressed.serialize(ar))?;
        let too_long = ErrorKind::OutOfRange { value: self.archive.len().into(), bits: 32 };
        let mut count = u32::try_from(self.archive.len()).map_err(|_| ar.error(too_long))?;
        in_field("count", ar, |ar| ar.serialize_u32(&mut count))?;
        ar.role(Role::Count);
        let kind = if self.is_compressed { Kind::Payload } else { Kind::Opaque };
        in_field("archive", ar, |ar| ar.serialize_span(&mut self.archive, count.into(), kind))
    }
}

impl Archived for RigHierarchy {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let version = rig(ar);
        let has_settings = version >= control_rig::RIG_HIERARCHY_COMPACT_TRANSFORM_SERIALIZATION;
        if ar.is_loading() {
            self.settings = has_settings.then(RigStorage::default);
        }
        if self.settings.is_some() != has_settings {
            let form = "a rig with settings of another version";
            return Err(ar.error(ErrorKind::NonCanonical { form }));
        }
        optional(&mut self.settings, "settings", ar)?;
        if version >= control_rig::RIG_HIERARCHY_COMPRESS_ELEMENTS {
            let mut is_compressed = self.compressed.is_some();
            match &self.settings {
                Some(settings) if ar.is_loading() => is_compressed = settings.is_compressed,
                Some(settings) if settings.is_compressed != is_compressed => {
                    let form = "a rig whose settings say otherwise how it is stored";
                    return Err(ar.error(ErrorKind::NonCanonical { form }));
                }
                Some(_) => {}
                None => in_field("is_compressed", ar, |ar| is_compressed.serialize(ar))?,
            }
            if ar.is_loading() {
                self.compressed = is_compressed.then(CompressedRig::default);
            }
            if self.compressed.is_some() {
                self.without_elements(ar)?;
                return optional(&mut self.compressed, "compressed", ar);
            }
            if self.settings.is_some() {
                let form = "a rig whose transforms leave out what is usual, not compressed";
                return Err(ar.error(ErrorKind::NonCanonical { form }));
            }
        }
        absent(&mut self.compressed, ar, "compressed")?;
        self.serialize_elements(version, ar)
    }
}

impl RigHierarchy {
    /// The parts that stand in the compressed archive.
    fn without_elements<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        absent(&mut self.keys, ar, "keys")?;
        absent(&mut self.elements, ar, "elements")?;
        absent(&mut self.parents, ar, "parents")?;
        absent(&mut self.previous_names, ar, "previous_names")?;
        absent(&mut self.previous_parents, ar, "previous_parents")?;
        absent(&mut self.metadata, ar, "metadata")?;
        absent(&mut self.component_count, ar, "component_count")
    }

    fn serialize_elements<A: Archive + ?Sized>(&mut self, version: i32, ar: &mut A) -> Result<()> {
        let Self { keys, elements, .. } = self;
        if version >= control_rig::RIG_HIERARCHY_INDIRECT_ELEMENT_STORAGE {
            in_field("keys", ar, |ar| array::counted_i32(keys, ar))?;
            let count = keys.len();
            in_field("elements", ar, |ar| fixed(elements, count, ar))?;
        } else {
            absent(keys, ar, "keys")?;
            in_field("elements", ar, |ar| array::counted_i32(elements, ar))?;
        }
        in_field("parents", ar, |ar| self.serialize_parents(ar))?;
        let has_previous = version >= control_rig::RIG_HIERARCHY_STORING_PREVIOUS_NAMES;
        when_counted(has_previous, &mut self.previous_names, "previous_names", ar)?;
        when_counted(has_previous, &mut self.previous_parents, "previous_parents", ar)?;
        let has_metadata = version >= control_rig::RIG_HIERARCHY_STORES_ELEMENT_METADATA;
        when(has_metadata, &mut self.metadata, "metadata", ar)?;
        let has_components = version >= control_rig::RIG_HIERARCHY_STORES_COMPONENTS;
        when(has_components, &mut self.component_count, "component_count", ar)
    }

    /// As many as there are elements, each of the form that its element says.
    fn serialize_parents<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            ar.claim(self.elements.len() as u64, size_of::<RigParents>())?;
            self.parents = vec![RigParents::default(); self.elements.len()];
        }
        let count = self.elements.len();
        if self.parents.len() != count {
            return Err(ar.error(ErrorKind::OutOfRange { value: count as i128, bits: 32 }));
        }
        let pairs = self.elements.iter().zip(&mut self.parents).enumerate();
        for (index, (element, parents)) in pairs {
            at_index(index, ar, |ar| parents.serialize_for(element, ar))?;
        }
        Ok(())
    }
}
