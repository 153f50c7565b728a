//! Numbers that meshes of UE3 store.

use unreal_packages::inspect::PackageValues;
use unreal_packages::object::ue3::asset::fractured_mesh::FracturedStaticMesh;
use unreal_packages::object::ue3::asset::skeletal_mesh::SkeletalMesh;
use unreal_packages::object::ue3::asset::static_lod::StaticLod;
use unreal_packages::object::ue3::asset::static_mesh::StaticMesh;
use unreal_packages::object::ue3::world::model::Model;
use unreal_packages::object::ue3::world::terrain::Terrain;
use unreal_packages::package::{Package, native_as};

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
    Some(StoredCounts::of_levels(vec![of_nodes(nodes, flags)]))
}

/// Of the nodes of a model of UE3 to UE5: the surface at byte 20, the number of corners at byte 54.
pub fn of_nodes(nodes: &[u8], flags: impl Fn(i32) -> Option<u32>) -> StoredLevel {
    let (nodes, _) = nodes.as_chunks::<64>();
    StoredLevel::of_polygons(nodes.iter().map(|node| {
        let surface = i32::from_le_bytes([node[20], node[21], node[22], node[23]]);
        (flags(surface), node[54].into())
    }))
}
