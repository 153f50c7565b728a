//! Virtualised geometry.

use super::SizedPayload;
use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::{ErrorKind, Result};
use crate::object::ue4::bulk::BulkData;
use crate::object::ue4::condition::from_release;
use crate::object::ue4::strip::StripFlags;
use crate::primitive::Payload;
use crate::{Archive, ArchiveExt, Archived, Described};

/// Virtualised geometry. Spec: ue4-5/09 §4. C++: `Nanite::FResources`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Nanite {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// The geometry.
    #[archive(when = self.strip.has_audio_visual_data())]
    pub resources: NaniteResources,
}

/// The resources of [`Nanite`], unless they were left out. Spec: ue4-5/09 §4.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct NaniteResources {
    /// Flags.
    pub flags: u32,
    /// Pages that are streamed in.
    pub pages: BulkData,
    /// Pages that are always there.
    pub root: Payload<1>,
    /// State of pages: 24 bytes each, 20 from UE5.3.
    pub page_states: SizedPayload,
    /// Nodes of the tree: 208 bytes each, 224 from UE5.7, 240 from UE5.8.
    pub nodes: SizedPayload,
    /// First nodes: 4 bytes each.
    pub hierarchy_roots: SizedPayload,
    /// Pages that others need: 4 bytes each, 2 from UE5.7.
    pub page_dependencies: SizedPayload,
    /// From UE5.6: parts of 48 bytes.
    pub assembly: SizedPayload,
    /// From UE5.7: numbers of 4 bytes.
    pub assembly_numbers: [SizedPayload; 3],
    /// From UE5.6: box and sphere.
    pub bounds: [f32; 7],
    /// Below UE5.8: frames of imposters.
    pub imposter: Payload<2>,
    /// Numbers of roots, triangles, vertices, meshes, clusters: as many as the release has, in halves.
    pub tail: [u16; 20],
}

impl Archived for NaniteResources {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let at = |minor: u8, ar: &A| from_release(ar, 5, minor);
        if ar.is_loading() {
            *self = Self::default();
        }
        in_field("flags", ar, |ar| ar.serialize_u32(&mut self.flags))?;
        in_field("pages", ar, |ar| self.pages.serialize(ar))?;
        in_field("root", ar, |ar| self.root.serialize(ar))?;
        let state = if at(3, ar) { 20 } else { 24 };
        in_field("page_states", ar, |ar| self.page_states.serialize_in(state, ar))?;
        let node = if at(8, ar) {
            240
        } else if at(7, ar) {
            224
        } else {
            208
        };
        in_field("nodes", ar, |ar| self.nodes.serialize_in(node, ar))?;
        in_field("hierarchy_roots", ar, |ar| self.hierarchy_roots.serialize_in(4, ar))?;
        let dependency = if at(7, ar) { 2 } else { 4 };
        in_field("page_dependencies", ar, |ar| {
            self.page_dependencies.serialize_in(dependency, ar)
        })?;
        if at(6, ar) {
            in_field("assembly", ar, |ar| self.assembly.serialize_in(48, ar))?;
            let lists = if at(8, ar) {
                3
            } else if at(7, ar) {
                2
            } else {
                0
            };
            for list in self.assembly_numbers.iter_mut().take(lists) {
                in_field("assembly_numbers", ar, |ar| list.serialize_in(4, ar))?;
            }
            in_field("bounds", ar, |ar| self.bounds.serialize(ar))?;
        }
        if !at(8, ar) {
            in_field("imposter", ar, |ar| self.imposter.serialize(ar))?;
        }
        // i32, i32, [5.2+: i32], u32, u32, [before 5.6: u16, u16], [5.1+: u32], [5.7+: u64], [5.8+: u32].
        let mut halves = 8;
        for (more, count) in
            [(at(2, ar), 2), (!at(6, ar), 2), (at(1, ar), 2), (at(7, ar), 4), (at(8, ar), 2)]
        {
            halves += if more { count } else { 0 };
        }
        let Some((tail, rest)) = self.tail.split_at_mut_checked(halves) else { return Ok(()) };
        if ar.is_saving() && rest.iter().any(|half| *half != 0) {
            return Err(ar.error(ErrorKind::NotInVersion).in_field("tail"));
        }
        in_field("tail", ar, |ar| u16::serialize_slice(tail, ar))
    }
}
