//! Numbers that meshes of UE3 store.

use unreal_packages::inspect::PackageValues;
use unreal_packages::object::ue3::asset::fractured_mesh::FracturedStaticMesh;
use unreal_packages::object::ue3::asset::skeletal_mesh::SkeletalMesh;
use unreal_packages::object::ue3::asset::static_lod::StaticLod;
use unreal_packages::object::ue3::asset::static_mesh::StaticMesh;
use unreal_packages::object::ue3::world::model::Model;
use unreal_packages::object::ue3::world::terrain::Terrain;
use unreal_packages::package::{Package, native_as};
use unreal_packages::version::ByteOrder;

use crate::stored_counts::{StoredCounts, StoredLevel, number};

pub fn of(package: &Package, row: usize) -> Option<StoredCounts> {
    let decoded = package.decode(row).unwrap();
    let body = &decoded.body;
    let fractured = native_as::<FracturedStaticMesh>(body).map(|it| &it.base);
    if let Some(stored) = native_as::<StaticMesh>(body).or(fractured) {
        let level = |lod: &StaticLod| {
            let triangles = lod.elements.iter().map(|it| it.triangle_count as usize).sum();
            // A shadow volume has each vertex twice, and the positions with it.
            StoredLevel::exactly(triangles, number(lod.vertex_count.max(lod.shadow.count)))
        };
        return Some(StoredCounts::of_levels(stored.lods.iter().map(level).collect()));
    }
    if let Some(stored) = native_as::<SkeletalMesh>(body) {
        let levels = stored.lods.iter().map(|lod| {
            let triangles = lod.head.sections.iter().map(|it| it.triangle_count as usize).sum();
            StoredLevel::exactly(triangles, number(lod.head.vertex_count))
        });
        let bones = stored.head.bones.len();
        return Some(StoredCounts { bones, ..StoredCounts::of_levels(levels.collect()) });
    }
    if let Some(stored) = native_as::<Terrain>(body) {
        let side = |name| {
            let value = package.values().property(&format!("#{row}"), name).unwrap();
            value.text.parse::<usize>().unwrap()
        };
        let (columns, rows) = (side("NumVerticesX"), side("NumVerticesY"));
        let marks = stored.info.0.bytes(package.source()).unwrap();
        // C++: `TID_Visibility_Off`.
        let is_seen = |quad: &usize| marks[*quad] & 1 == 0;
        let quads = (0..rows - 1).flat_map(|y| (0..columns - 1).map(move |x| y * columns + x));
        let triangles = quads.filter(is_seen).count() * 2;
        let level = StoredLevel::exactly(triangles, number(stored.heights.count()));
        return Some(StoredCounts::of_levels(vec![level]));
    }
    let stored = native_as::<Model>(body)?;
    let flags = |surface: i32| Some(stored.surfaces.get(number(surface))?.poly_flags);
    let nodes = stored.nodes.data.bytes(package.source()).unwrap();
    let is_big = package.versions().byte_order == ByteOrder::Big;
    let level = match stored.nodes.element_size {
        // Consoles, seen at 391: eight bytes of zones behind the plane, and four less between.
        68 => of_sized_nodes(nodes.as_chunks::<68>().0, (28, 58), is_big, flags),
        _ => of_sized_nodes(nodes.as_chunks::<64>().0, (20, 54), is_big, flags),
    };
    Some(StoredCounts::of_levels(vec![level]))
}

/// Of the nodes of a model of UE4 and UE5.
pub fn of_nodes(nodes: &[u8], flags: impl Fn(i32) -> Option<u32>) -> StoredLevel {
    of_sized_nodes(nodes.as_chunks::<64>().0, (20, 54), false, flags)
}

/// Of nodes with the surface and the number of corners at these bytes.
fn of_sized_nodes<const N: usize>(
    nodes: &[[u8; N]],
    (surface, corners): (usize, usize),
    is_big: bool,
    flags: impl Fn(i32) -> Option<u32>,
) -> StoredLevel {
    StoredLevel::of_polygons(nodes.iter().map(|node| {
        let number = std::array::from_fn(|at| node[surface + at]);
        let number = if is_big { i32::from_be_bytes(number) } else { i32::from_le_bytes(number) };
        (flags(number), node[corners].into())
    }))
}
