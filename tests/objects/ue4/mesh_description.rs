//! Meshes as the editor keeps them, in each of their forms.

use unreal_packages::object::ue4::asset::mesh_description::{
    FixedMeshElements, MeshAttribute, MeshAttributeChannel, MeshAttributeSet, MeshDescription,
    MeshElementChannel, MeshElementList, MeshElementType, MeshPolygon, MeshTriangle,
};
use unreal_packages::object::ue4::bulk::BulkArray;
use unreal_packages::table::BitArray;
use unreal_packages::version::EngineRelease;
use unreal_packages::{Archived, ErrorKind, FString, Loader, Versions};

use super::{context, laws_at, saved, span};

fn versions(major: u8, minor: u8) -> Versions {
    EngineRelease::new(major, minor).versions()
}

fn used(bits: &[bool]) -> BitArray {
    let mut made = BitArray::default();
    bits.iter().for_each(|bit| made.push(*bit));
    made
}

/// Two positions and the name of a group.
fn attributes(extent: i32) -> MeshAttributeSet {
    let floats: Vec<u8> = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0].map(f32::to_le_bytes).concat();
    let values = BulkArray { element_size: 12, count: 2, data: span(&floats) };
    let position = MeshAttribute {
        name: "Position ".into(),
        value_type: 1,
        extent,
        element_count: 2,
        channels: vec![MeshAttributeChannel { extent, values, names: Vec::new() }],
        default: [7, 8, 9, 0],
        default_name: FString::default(),
        flags: 0x21,
    };
    let names = vec!["Bark".into(), "Leaves".into()];
    let slot = MeshAttribute {
        name: "ImportedMaterialSlotName".into(),
        value_type: 6,
        extent,
        element_count: 2,
        channels: vec![MeshAttributeChannel { extent, values: BulkArray::default(), names }],
        default: [0; 4],
        default_name: "None".into(),
        flags: 0x20,
    };
    MeshAttributeSet { element_count: 2, attributes: vec![position, slot] }
}

fn fixed(with_triangles: bool) -> MeshDescription {
    let triangle = MeshTriangle { vertex_instances: [0, 2, 3], polygon: 1 };
    let triangles = MeshElementList { used: used(&[false, true]), elements: vec![triangle] };
    let corners = if with_triangles { Vec::new() } else { vec![0, 2, 3, 5] };
    let polygon = MeshPolygon { vertex_instances: corners, polygon_group: 0 };
    let fixed = FixedMeshElements {
        vertices: used(&[true, true]),
        vertex_instances: MeshElementList {
            used: used(&[true, false, true, true]),
            elements: vec![1, 0, 1],
        },
        edges: MeshElementList { used: used(&[true]), elements: vec![[0, 1]] },
        polygons: MeshElementList { used: used(&[false, true]), elements: vec![polygon] },
        polygon_groups: used(&[true]),
        vertex_attributes: attributes(0),
        triangles: if with_triangles { triangles } else { MeshElementList::default() },
        ..FixedMeshElements::default()
    };
    MeshDescription { fixed, elements: Vec::new() }
}

fn by_kind() -> MeshDescription {
    let channel = MeshElementChannel {
        used: used(&[true, false, true]),
        hole_count: 1,
        attributes: attributes(1),
    };
    let vertices = MeshElementType { name: "Vertices".into(), channels: vec![channel.clone()] };
    let uvs = MeshElementType { name: "UVs".into(), channels: vec![channel, Default::default()] };
    MeshDescription { fixed: FixedMeshElements::default(), elements: vec![vertices, uvs] }
}

#[test]
fn mesh_descriptions_keep_their_elements_in_every_form() {
    for (made, versions) in [
        (fixed(false), versions(4, 22)),
        (fixed(false), versions(4, 23)),
        (fixed(true), versions(4, 25)),
        (fixed(true), versions(4, 27)),
        (by_kind(), versions(5, 0)),
        (by_kind(), versions(5, 6)),
    ] {
        laws_at(&made, &MeshDescription::default(), &versions);
        laws_at(&MeshDescription::default(), &MeshDescription::default(), &versions);
    }
    let mut newer = fixed(true);
    let error = saved(&mut newer, &versions(4, 23), 0).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
}

#[test]
fn values_of_unknown_types_and_lists_of_values_are_refused_by_name() {
    let release = versions(5, 0);
    let mut made = by_kind();
    let bytes = saved(&mut made, &release, 0).unwrap();
    let name = bytes.windows(9).position(|part| part == b"Position ").unwrap();
    for (place, number, expected) in
        [(10, 9, "values of type 9"), (14, 0, "lists of values"), (22, -1, "channels")]
    {
        let mut bytes = bytes.clone();
        bytes[name + place..name + place + 4].copy_from_slice(&i32::to_le_bytes(number));
        let mut loader = Loader::new(&bytes, release.clone()).with_context(context(&bytes));
        let error = MeshDescription::default().serialize(&mut loader).unwrap_err();
        let said = error.to_string();
        assert!(said.contains(expected), "{said}");
        assert!(said.contains("attributes[0]"), "{said}");
    }
}
