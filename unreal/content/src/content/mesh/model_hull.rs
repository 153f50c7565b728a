//! The model that static meshes of UE2 collide with, as a convex hull.

use std::collections::HashMap;

use super::shape_list::ShapeList;
use super::source::MeshSource;
use crate::primitive::{ObjectRef, PackageIndex};

/// Adds the body that the polygons of a model are around, unless it is one of the hulls that the physics engine has: those
/// that were imported together are the same.
pub(super) fn add(source: &MeshSource<'_>, model: PackageIndex, shapes: &mut ShapeList) {
    let row = match model.target() {
        ObjectRef::Null => return,
        ObjectRef::Export(row) => row,
        ObjectRef::Import(_) => {
            shapes.unread += 1;
            return;
        }
    };
    let made = source.package.decode(row).ok().and_then(|decoded| {
        super::bsp::mesh(&MeshSource::of(source.package, row, &decoded.body), &decoded.body).ok()?
    });
    let Some(lod) = made.and_then(|(mesh, _)| mesh.lods.into_iter().next()) else {
        shapes.unread += 1;
        return;
    };
    // Polygons have corners of their own: those at one place are one.
    let mut numbers = HashMap::new();
    let mut points = Vec::new();
    let mut number = |corner: u32| {
        let point = *lod.positions.get(corner as usize)?;
        let number = *numbers.entry(point.map(f32::to_bits)).or_insert_with(|| {
            points.push(point);
            (points.len() - 1) as u32
        });
        Some(number)
    };
    let corners = lod.sections.iter().flat_map(|section| section.indices.as_chunks::<3>().0);
    let triangles: Option<Vec<[u32; 3]>> =
        corners.map(|[a, b, c]| Some([number(*a)?, number(*b)?, number(*c)?])).collect();
    shapes.push_polygons(points, triangles.unwrap_or_default());
}
