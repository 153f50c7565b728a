//! Meshes as the editor keeps them.

use crate::archive::layout::Layout;
use crate::archive::{in_field, private};
use crate::error::{ErrorKind, Result, UnrealError};
use crate::object::ue4::bulk::BulkArray;
use crate::object::ue4::condition::custom as custom_version;
use crate::primitive::{FString, array};
use crate::table::BitArray;
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived, Described};

/// A mesh as the editor keeps it, from UE4.22 on: what a [`MeshDescriptionBulkData`] or a source model of a
/// [`StaticMesh`] stores. Bulk data holds it, so that names are texts and places stay as they are.
///
/// Inferred from files, 223 of 4.22 to 5.8, each of which ends where its payload does. C++: `FMeshDescription`.
///
/// [`MeshDescriptionBulkData`]: super::small::MeshDescriptionBulkData
/// [`StaticMesh`]: super::static_mesh::StaticMesh
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MeshDescription {
    /// The mesh as UE4 keeps it.
    #[until(custom = custom::UE5_MAIN, custom::ue5_main::MESH_DESCRIPTION_NEW_FORMAT)]
    pub fixed: FixedMeshElements,
    /// Its elements by their kinds: `Vertices`, `VertexInstances`, `UVs`, `Edges`, `Triangles`, `Polygons`,
    /// `PolygonGroups`.
    #[since(custom = custom::UE5_MAIN, custom::ue5_main::MESH_DESCRIPTION_NEW_FORMAT)]
    pub elements: Vec<MeshElementType>,
}

/// The elements of a [`MeshDescription`] of UE4: which elements there are stands before their attributes.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct FixedMeshElements {
    /// Which vertices there are.
    pub vertices: BitArray,
    /// The vertex of each corner of a polygon.
    pub vertex_instances: MeshElementList<i32>,
    /// The vertices of each edge.
    pub edges: MeshElementList<[i32; 2]>,
    /// Polygons.
    pub polygons: MeshElementList<MeshPolygon>,
    /// Which groups of polygons there are: one for each material.
    pub polygon_groups: BitArray,
    /// Attributes of vertices.
    pub vertex_attributes: MeshAttributeSet,
    /// Attributes of corners.
    pub vertex_instance_attributes: MeshAttributeSet,
    /// Attributes of edges.
    pub edge_attributes: MeshAttributeSet,
    /// Attributes of polygons.
    pub polygon_attributes: MeshAttributeSet,
    /// Attributes of groups of polygons.
    pub polygon_group_attributes: MeshAttributeSet,
    /// Triangles.
    #[since(custom = custom::EDITOR, custom::editor::MESH_DESCRIPTION_TRIANGLES)]
    pub triangles: MeshElementList<MeshTriangle>,
    /// Attributes of triangles.
    #[since(custom = custom::EDITOR, custom::editor::MESH_DESCRIPTION_TRIANGLES)]
    pub triangle_attributes: MeshAttributeSet,
}

/// A polygon of a [`MeshDescription`] of UE4. C++: `FMeshPolygon`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MeshPolygon {
    /// Its corners: of triangles none where [`FixedMeshElements::triangles`] has them.
    pub vertex_instances: Vec<i32>,
    /// Its group.
    pub polygon_group: i32,
}

/// A triangle of a [`MeshDescription`] of UE4. C++: `FMeshTriangle`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct MeshTriangle {
    /// Its corners.
    pub vertex_instances: [i32; 3],
    /// The polygon that it is a part of.
    pub polygon: i32,
}

/// Elements by number, of which some may be missing: only those that are there are stored. C++: `TMeshElementArray`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshElementList<T> {
    /// Which numbers there are.
    pub used: BitArray,
    /// Those that are there.
    pub elements: Vec<T>,
}

impl<T: Archived + Default> Archived for MeshElementList<T> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("used", ar, |ar| self.used.serialize(ar))?;
        let count = self.used.count_ones();
        if !ar.is_loading() && self.elements.len() != count {
            let value = self.elements.len() as i128;
            return Err(ar.error(ErrorKind::OutOfRange { value, bits: 32 }));
        }
        in_field("elements", ar, |ar| array::elements(&mut self.elements, count, ar))
    }
}

/// Elements of one kind. C++: `FMeshElementTypeWrapper`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MeshElementType {
    /// Their kind.
    pub name: FString,
    /// The elements: one channel, and for `UVs` one for each set of texture coordinates.
    pub channels: Vec<MeshElementChannel>,
}

/// Elements of one kind in one channel. C++: `FMeshElementContainer`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MeshElementChannel {
    /// Which numbers there are.
    pub used: BitArray,
    /// How many below the last one are not there. C++: `NumHoles`.
    pub hole_count: i32,
    /// Attributes of the elements.
    pub attributes: MeshAttributeSet,
}

/// Attributes of elements. C++: `FAttributesSetBase`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MeshAttributeSet {
    /// Elements, those that are not there included.
    pub element_count: i32,
    /// The attributes.
    pub attributes: Vec<MeshAttribute>,
}

/// A value of each element, such as its position or its normal. C++: `TMeshAttributeArraySet`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct MeshAttribute {
    /// Its name.
    pub name: FString,
    /// The type of its values: 0 four f32, 1 three, 2 two, 3 one, 4 i32, 5 bool, 6 name.
    pub value_type: u32,
    /// Values that an element has in each channel, from the new form on.
    pub extent: i32,
    /// Elements, those that are not there included.
    pub element_count: i32,
    /// The values, once for each channel.
    pub channels: Vec<MeshAttributeChannel>,
    /// The value of elements that were given none, if it is no name.
    pub default: [u32; 4],
    /// That value, if it is a name.
    pub default_name: FString,
    /// C++: `EMeshAttributeFlags`.
    pub flags: u32,
}

/// The values of an attribute in one channel. C++: `TMeshAttributeArrayBase`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct MeshAttributeChannel {
    /// As that of the attribute.
    pub extent: i32,
    /// The values, if they are no names.
    pub values: BulkArray,
    /// The values, if they are names.
    pub names: Vec<FString>,
}

/// The number of [`MeshAttribute::value_type`] for names.
const NAMES: u32 = 6;

impl MeshAttribute {
    /// Words of 32 bits that a value takes as [`MeshAttribute::default`].
    fn default_words(&self) -> Option<usize> {
        Some(match self.value_type {
            0 => 4,
            1 => 3,
            2 => 2,
            3..=5 => 1,
            NAMES => 0,
            _ => return None,
        })
    }
}

impl Archived for MeshAttribute {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let has_extent =
            custom_version(ar, custom::UE5_MAIN) >= custom::ue5_main::MESH_DESCRIPTION_NEW_FORMAT;
        in_field("name", ar, |ar| self.name.serialize(ar))?;
        in_field("value_type", ar, |ar| ar.serialize_u32(&mut self.value_type))?;
        let Some(words) = self.default_words() else {
            let reason = format!("values of type {} in a mesh description", self.value_type);
            return Err(ar.error(UnrealError::unsupported(reason)));
        };
        if has_extent {
            in_field("extent", ar, |ar| ar.serialize_i32(&mut self.extent))?;
            if self.extent == 0 {
                let reason = "lists of values in a mesh description".to_owned();
                return Err(ar.error(UnrealError::unsupported(reason)));
            }
        } else {
            private::absent(&mut self.extent, ar, "extent")?;
        }
        in_field("element_count", ar, |ar| ar.serialize_i32(&mut self.element_count))?;
        let are_names = self.value_type == NAMES;
        in_field("channels", ar, |ar| {
            array::counted_i32_by(&mut self.channels, ar, |channel, ar| {
                channel.archive(has_extent, are_names, ar)
            })
        })?;
        in_field("default", ar, |ar| {
            let (stored, absent) = self.default.split_at_mut(words);
            stored.iter_mut().try_for_each(|word| ar.serialize_u32(word))?;
            if let Some(word) = absent.iter().find(|word| **word != 0).filter(|_| !ar.is_loading())
            {
                let value = i128::from(*word);
                return Err(ar.error(ErrorKind::OutOfRange { value, bits: 0 }));
            }
            absent.fill(0);
            Ok(())
        })?;
        match are_names {
            true => in_field("default_name", ar, |ar| self.default_name.serialize(ar))?,
            false => private::absent(&mut self.default_name, ar, "default_name")?,
        }
        in_field("flags", ar, |ar| ar.serialize_u32(&mut self.flags))
    }
}

impl MeshAttributeChannel {
    fn archive<A: Archive + ?Sized>(
        &mut self,
        has_extent: bool,
        are_names: bool,
        ar: &mut A,
    ) -> Result<()> {
        match has_extent {
            true => in_field("extent", ar, |ar| ar.serialize_i32(&mut self.extent))?,
            false => private::absent(&mut self.extent, ar, "extent")?,
        }
        if are_names {
            private::absent(&mut self.values, ar, "values")?;
            return in_field("names", ar, |ar| self.names.serialize(ar));
        }
        private::absent(&mut self.names, ar, "names")?;
        in_field("values", ar, |ar| self.values.serialize(ar))
    }
}
