//! Many instances of a static mesh.

use super::based_component;
use super::static_mesh::StaticMeshComponent;
use crate::archive::layout::Layout;
use crate::archive::{Kind, Role, Span, in_field};
use crate::error::Result;
use crate::object::optional::optional;
use crate::object::ue4::bulk::BulkArray;
use crate::object::ue4::condition::{custom as custom_version, from_release};
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived, Described};

/// Many instances of a static mesh.
///
/// Spec: ue4-5/09 §9. C++: `UInstancedStaticMeshComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct InstancedStaticMeshComponent {
    /// The mesh that each instance shows.
    pub base: StaticMeshComponent,
    /// Whether it was cooked.
    #[archive(when = has_cooked(ar))]
    pub cooked: bool,
    /// Whether instances follow.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::ISM_COMPONENT_EDITABLE_WHEN_INHERITED_SKIP_SERIALIZATION)]
    pub has_instances: bool,
    /// The instances: 64 or 80 bytes each, 128 in UE5.
    #[archive(when = self.lists_instances(ar))]
    pub instances: BulkArray,
    /// Numbers of instances that materials read.
    #[since(custom = custom::RENDERING, custom::rendering::PER_INSTANCE_CUSTOM_DATA)]
    #[archive(when = self.lists_instances(ar))]
    pub custom_data: BulkArray,
    /// The render data, in cooked packages.
    #[archive(when = self.cooked)]
    pub render_data: InstanceRenderData,
}

based_component!(InstancedStaticMeshComponent: StaticMeshComponent);

impl InstancedStaticMeshComponent {
    fn lists_instances<A: Archive + ?Sized>(&self, ar: &A) -> bool {
        self.has_instances
            || custom_version(ar, custom::FORTNITE_MAIN)
                < custom::fortnite_main::ISM_COMPONENT_EDITABLE_WHEN_INHERITED_SKIP_SERIALIZATION
    }
}

fn has_cooked<A: Archive + ?Sized>(ar: &A) -> bool {
    custom_version(ar, custom::FORTNITE_MAIN)
        >= custom::fortnite_main::SERIALIZE_INSTANCED_STATIC_MESH_RENDER_DATA
        || custom_version(ar, custom::EDITOR)
            >= custom::editor::SERIALIZE_INSTANCED_STATIC_MESH_RENDER_DATA
}

/// The render data of instances. Spec: ue4-5/09 §9.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct InstanceRenderData {
    /// The bytes, below UE5.4.
    pub data: Span,
    /// Two arrays, from UE5.4 on.
    pub arrays: Option<Box<[BulkArray; 2]>>,
}

impl Archived for InstanceRenderData {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if from_release(ar, 5, 4) {
            let mut has = self.arrays.is_some();
            in_field("has_arrays", ar, |ar| has.serialize(ar))?;
            if ar.is_loading() {
                (self.data, self.arrays) = (Span::default(), has.then(Box::default));
            }
            return optional(&mut self.arrays, "arrays", ar);
        }
        let mut size = self.data.len();
        in_field("size", ar, |ar| ar.serialize_u64(&mut size))?;
        ar.role(Role::Size);
        if ar.is_loading() {
            self.arrays = None;
        }
        in_field("data", ar, |ar| ar.serialize_span(&mut self.data, size, Kind::Payload))
    }
}

/// Instances in a tree of clusters.
///
/// Spec: ue4-5/09 §9. C++: `UHierarchicalInstancedStaticMeshComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct HierarchicalInstancedStaticMeshComponent {
    /// The instances in stored order.
    pub base: InstancedStaticMeshComponent,
    /// The tree.
    pub cluster_tree: BulkArray,
}

based_component!(HierarchicalInstancedStaticMeshComponent: InstancedStaticMeshComponent);
