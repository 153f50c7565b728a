//! Numbers that meshes of UE4 and UE5 store.

use unreal_packages::archive::{Archived, Loader};
use unreal_packages::inspect::{PackageValues, editor_payload, payload};
use unreal_packages::object::ue4::asset::mesh_description::MeshDescription;
use unreal_packages::object::ue4::asset::skeletal_mesh::SkeletalMesh;
use unreal_packages::object::ue4::asset::small::MeshDescriptionBulkData;
use unreal_packages::object::ue4::asset::static_mesh::StaticMesh;
use unreal_packages::object::ue4::asset::static_mesh_lod::Lod;
use unreal_packages::object::ue4::world::model::Model;
use unreal_packages::package::{Package, native_as};
use unreal_packages::version::custom;

use crate::stored_counts::{StoredCounts, StoredLevel, StoredVertices, number};
use crate::ue3_counts::of_nodes;

pub fn of(package: &Package, row: usize) -> Option<StoredCounts> {
    let decoded = package.decode(row).unwrap();
    let body = &decoded.body;
    if let Some(stored) = native_as::<StaticMesh>(body) {
        return Some(StoredCounts::of_levels(match stored.cooked {
            true => stored.render_data.lods.iter().map(drawn).collect(),
            false => imported(package, row, stored),
        }));
    }
    if let Some(stored) = native_as::<SkeletalMesh>(body) {
        return Some(skeletal(package, row, stored));
    }
    if let Some(stored) = native_as::<Model>(body) {
        let flags = |surface: i32| Some(stored.surfaces.get(number(surface))?.poly_flags);
        let nodes = stored.nodes.data.bytes(package.source()).unwrap();
        return Some(StoredCounts::of_levels(vec![of_nodes(nodes, flags)]));
    }
    let class = package.exports().get(row)?.class();
    class.contains("Landscape").then(|| landscape(package, row))
}

/// A level of detail as it is drawn.
fn drawn(lod: &Lod) -> StoredLevel {
    let triangles = lod.sections.iter().map(|section| number(section.triangle_count)).sum();
    let last = lod.sections.iter().map(|section| number(section.max_vertex)).max();
    match &lod.buffers {
        Some(buffers) => StoredLevel::exactly(triangles, number(buffers.positions.count)),
        None => StoredLevel::at_most(triangles, last.map_or(0, |last| (last + 1) * 2)),
    }
}

/// Levels of detail as they were imported: those that the editor makes by itself are not stored.
fn imported(package: &Package, row: usize, stored: &StaticMesh) -> Vec<StoredLevel> {
    let versions = package.versions();
    let editor = versions.custom(&custom::EDITOR);
    let mut levels = Vec::new();
    for model in stored.source_models.iter().filter(|model| model.bulk.element_count > 0) {
        let (bytes, _) = payload(package, &model.bulk).unwrap();
        levels.push(match editor < custom::editor::STATIC_MESH_DEPRECATED_RAW_MESH {
            // Behind two versions the material of each triangle, counted.
            true => {
                let triangles = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
                StoredLevel::exactly(triangles, triangles * 3)
            }
            false => described(package, &bytes),
        });
    }
    for other in 0..package.exports().len() {
        let decoded = package.decode(other).unwrap();
        let Some(stored) = native_as::<MeshDescriptionBulkData>(&decoded.body) else { continue };
        let is_own = package.exports().path(other).starts_with(&package.exports().path(row));
        if is_own
            && let (bytes, _) = editor_payload(package, &stored.bulk).unwrap()
            && !bytes.is_empty()
        {
            levels.push(described(package, &bytes));
        }
    }
    levels
}

/// A mesh description.
fn described(package: &Package, bytes: &[u8]) -> StoredLevel {
    let mut stored = MeshDescription::default();
    stored.serialize(&mut Loader::new(bytes, package.versions().clone())).unwrap();
    if stored.elements.is_empty() {
        let polygons = stored.fixed.polygons.elements.iter();
        let triangles = match stored.fixed.triangles.elements.len() {
            0 => polygons.map(|polygon| polygon.vertex_instances.len() - 2).sum(),
            triangles => triangles,
        };
        let corners = stored.fixed.vertex_instances.used.count_ones();
        return StoredLevel::at_most(triangles, corners);
    }
    let count = |kind: &str| {
        let mut kinds = stored.elements.iter();
        let stored = kinds.find(|it| it.name.text(bytes).is_ok_and(|name| name == kind)).unwrap();
        stored.channels[0].used.count_ones()
    };
    StoredLevel::at_most(count("Triangles"), count("VertexInstances"))
}

fn skeletal(package: &Package, row: usize, stored: &SkeletalMesh) -> StoredCounts {
    let mut levels: Vec<_> = (stored.lods.lods.iter())
        .map(|lod| {
            let triangles = lod.sections.iter().map(|it| number(it.triangle_count)).sum();
            StoredLevel::exactly(triangles, number(lod.vertex_count))
        })
        .collect();
    for lod in stored.cooked.data.iter().flat_map(|data| &data.lods) {
        let drawn = lod.sections.iter().filter(|section| !section.disabled);
        let triangles = drawn.map(|section| number(section.triangle_count)).sum();
        let vertices = lod.sections.iter().map(|section| number(section.vertex_count)).sum();
        levels.push(StoredLevel::exactly(triangles, vertices));
    }
    let shapes = (0..).take_while(|shape| {
        let path = format!("MorphTargets[{shape}]");
        package.values().property(&format!("#{row}"), &path).is_ok()
    });
    StoredCounts {
        levels,
        bones: stored.reference.bones.len(),
        shapes: shapes.count(),
        frames: Vec::new(),
    }
}

/// A landscape: the quads of its components.
fn landscape(package: &Package, row: usize) -> StoredCounts {
    let mut level = StoredLevel::exactly(0, 0);
    let landscape = package.exports().path(row);
    for component in 0..package.exports().len() {
        let class = package.exports().get(component).unwrap().class();
        let path = package.exports().path(component);
        if !class.ends_with(".LandscapeComponent") || !path.starts_with(&landscape) {
            continue;
        }
        let count = |name| {
            let value = package.values().property(&format!("#{component}"), name).unwrap();
            value.text.parse::<usize>().unwrap()
        };
        let side = count("SubsectionSizeQuads") * count("NumSubsections");
        level.triangles += side * side * 2;
        let StoredVertices::Exactly(vertices) = &mut level.vertices else { unreachable!() };
        *vertices += (side + 1) * (side + 1);
    }
    StoredCounts::of_levels(vec![level])
}
