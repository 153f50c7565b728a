//! Numbers that meshes of UE1 and UE2 store.

use unreal_packages::inspect::PackageValues;
use unreal_packages::object::{ue1, ue2};
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::{Index, ObjectRef};

use crate::stored_counts::{StoredCounts, StoredLevel, number};

pub fn of(package: &Package, row: usize) -> Option<StoredCounts> {
    let decoded = package.decode(row).unwrap();
    let body = &decoded.body;
    if let Some(stored) = native_as::<ue1::Mesh>(body) {
        let triangles = number(stored.triangles.data.count());
        // Corners of all triangles are vertices of their own.
        return Some(framed(
            StoredLevel::exactly(triangles, triangles * 3),
            stored.frame_count,
            &stored.sequences,
        ));
    }
    if let Some(stored) = native_as::<ue1::LodMesh>(body) {
        return Some(framed(
            StoredLevel::exactly(number(stored.faces.count()), number(stored.wedges.count())),
            stored.mesh.frame_count,
            &stored.mesh.sequences,
        ));
    }
    if let Some(stored) = native_as::<ue2::VertMesh>(body) {
        let base = &stored.base;
        return Some(framed(
            StoredLevel::exactly(number(base.faces.count()), number(base.wedges.count())),
            stored.frame_count,
            &stored.sequences,
        ));
    }
    if let Some(stored) = native_as::<ue1::SkeletalMesh>(body) {
        let wedges = match stored.ext_wedges.count() {
            0 => stored.lod_mesh.wedges.count(),
            wedges => wedges,
        };
        let level = StoredLevel::exactly(number(stored.lod_mesh.faces.count()), number(wedges));
        let bones = stored.bones.len();
        return Some(StoredCounts { bones, ..StoredCounts::of_levels(vec![level]) });
    }
    if let Some(stored) = native_as::<ue2::SkeletalMesh>(body) {
        return Some(skeletal(package, stored));
    }
    if let Some(stored) = native_as::<ue2::StaticMesh>(body) {
        let triangles = stored.sections.iter().map(|it| usize::from(it.face_count)).sum();
        let vertices = number(stored.vertices.stream.data.count());
        return Some(StoredCounts::of_levels(vec![StoredLevel::exactly(triangles, vertices)]));
    }
    if let Some(stored) = native_as::<ue2::TerrainInfo>(body) {
        return Some(terrain(package, row, stored));
    }
    let polygons = |nodes: &[ue1::BspNode], flags: &dyn Fn(Index) -> Option<u32>| {
        let polygons = nodes.iter().map(|node| (flags(node.surface), node.vertex_count.into()));
        Some(StoredCounts::of_levels(vec![StoredLevel::of_polygons(polygons)]))
    };
    if let Some(stored) = native_as::<ue1::Model>(body) {
        let flags = |surface: Index| Some(stored.surfs.get(number(surface.value()))?.poly_flags);
        return polygons(&stored.nodes, &flags);
    }
    let stored = native_as::<ue2::Model>(body)?;
    let flags = |surface: Index| Some(stored.surfaces.get(number(surface.value()))?.flags);
    polygons(&stored.nodes, &flags)
}

/// A mesh whose vertices are stored for each frame.
fn framed(level: StoredLevel, frames: i32, sequences: &[ue1::AnimSequence]) -> StoredCounts {
    // One frame alone moves nothing.
    let moving = sequences.iter().filter(|_| frames > 1);
    StoredCounts {
        shapes: number(frames - 1),
        frames: moving.map(|sequence| number(sequence.frame_count)).collect(),
        ..StoredCounts::of_levels(vec![level])
    }
}

/// A mesh of UE2 with bones: as it was imported, then its coarser levels of detail.
fn skeletal(package: &Package, stored: &ue2::SkeletalMesh) -> StoredCounts {
    let mut levels = Vec::new();
    let raw = stored.raw_triangles.data.count();
    if raw > 0 {
        let wedges = stored.raw_wedges.data.count();
        levels.push(StoredLevel::exactly(number(raw), number(wedges)));
    }
    for model in stored.lod_models.iter().skip(usize::from(raw > 0)) {
        let (faces, wedges) = (model.faces.data.count(), model.wedges.data.count());
        levels.push(StoredLevel::exactly(number(faces), number(wedges)));
    }
    let mut frames = Vec::new();
    if let ObjectRef::Export(row) = stored.animation.target() {
        let decoded = package.decode(row).unwrap();
        if let Some(animation) = native_as::<ue2::MeshAnimation>(&decoded.body) {
            for (sequence, motion) in animation.sequences.iter().zip(&animation.motions) {
                let keys =
                    |track: &ue1::AnalogTrack| track.rotations.count().max(track.positions.count());
                let keys = motion.tracks.iter().map(keys).max().unwrap_or(0);
                assert!(number(keys) <= number(sequence.frame_count));
                frames.push(number(keys));
            }
        }
    }
    StoredCounts { levels, bones: stored.bones.len(), frames, ..StoredCounts::default() }
}

/// A terrain: two triangles for each quad that is seen.
fn terrain(package: &Package, row: usize, stored: &ue2::TerrainInfo) -> StoredCounts {
    let [columns, rows] = stored.height_map_size.map(number);
    assert_eq!(columns * rows, number(stored.vertices.count()));
    let is_seen = |quad: &usize| {
        let path = format!("QuadVisibilityBitmap[{}]", quad / 32);
        let word = package.values().property(&format!("#{row}"), &path);
        let word = word.map_or(-1, |word| word.text.parse::<i32>().unwrap());
        word >> (quad % 32) & 1 == 1
    };
    let quads = (0..rows - 1).flat_map(|y| (0..columns - 1).map(move |x| y * columns + x));
    let triangles = quads.filter(is_seen).count() * 2;
    StoredCounts::of_levels(vec![StoredLevel::exactly(triangles, columns * rows)])
}
