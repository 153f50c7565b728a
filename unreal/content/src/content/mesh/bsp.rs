//! Models of brushes and levels: polygons of a tree of planes.

use std::collections::HashMap;

use super::numbers::{VertexElements, cross, dot, less};
use super::sections::Sections;
use super::shape::{Lod, Mesh};
use super::source::MeshSource;
use crate::PackageIndex;
use crate::error::{Error, Result};
use crate::object::geometry::Vector;
use crate::object::{Body, ue1, ue2, ue3, ue4};
use crate::package::native_as;
use crate::primitive::Index;

/// Flags of polygons that are not drawn: invisible ones, portals.
const NOT_DRAWN: u32 = 0x1 | 0x0400_0000;
/// Texels of a picture that is not known, along each side.
const SIDE: f32 = 256.0;
/// Units of a picture from UE3 on.
const UNITS: f32 = 128.0;

/// A surface, whichever engine made it.
struct Surface {
    material: PackageIndex,
    flags: u32,
    base: i64,
    axes: [i64; 2],
    pan: [f32; 2],
}

/// A polygon.
struct Polygon {
    normal: [f32; 3],
    surface: i64,
    first: i64,
    count: usize,
}

struct ModelParts {
    vectors: Vec<[f32; 3]>,
    points: Vec<[f32; 3]>,
    surfaces: Vec<Surface>,
    /// The point of each corner.
    corners: Vec<i64>,
    nodes: Vec<Polygon>,
    /// Texture coordinates of a unit.
    scale: f32,
}

/// The mesh of a model with the materials of its surfaces; `None` for what is no model.
pub(super) fn mesh(
    source: &MeshSource<'_>,
    body: &Body,
) -> Result<Option<(Mesh, Vec<PackageIndex>)>> {
    let parts = match () {
        () if native_as::<ue1::Model>(body).is_some() => {
            native_as::<ue1::Model>(body).map(ue1).transpose()?
        }
        () if native_as::<ue2::Model>(body).is_some() => native_as::<ue2::Model>(body).map(ue2),
        () => match native_as::<ue3::world::model::Model>(body) {
            Some(model) => Some(ue3(source, model)?),
            None => match native_as::<ue4::world::model::Model>(body) {
                Some(model) => Some(ue4(source, model)?),
                None => return Ok(None),
            },
        },
    };
    parts.map(|parts| parts.mesh(source)).transpose()
}

fn vector(v: &Vector) -> [f32; 3] {
    [v.x, v.y, v.z]
}

fn number(index: Index) -> i64 {
    i64::from(index.value())
}

fn classic_nodes(nodes: &[ue1::BspNode]) -> Vec<Polygon> {
    let node = |it: &ue1::BspNode| Polygon {
        normal: [it.plane.x, it.plane.y, it.plane.z],
        surface: number(it.surface),
        first: number(it.vertex_pool),
        count: it.vertex_count.into(),
    };
    nodes.iter().map(node).collect()
}

fn ue1(model: &ue1::Model) -> Result<ModelParts> {
    if model.nodes.is_empty() && !model.nodes_object.is_null() {
        return Err(Error::invalid(
            "its nodes are objects of their own, which is not put together",
        ));
    }
    let surface = |it: &ue1::BspSurf| Surface {
        material: it.texture,
        flags: it.poly_flags,
        base: number(it.base),
        axes: [number(it.texture_u), number(it.texture_v)],
        pan: [it.pan_u.into(), it.pan_v.into()],
    };
    Ok(ModelParts {
        vectors: model.vectors.iter().map(vector).collect(),
        points: model.points.iter().map(vector).collect(),
        surfaces: model.surfs.iter().map(surface).collect(),
        corners: model.verts.iter().map(|it| number(it.first)).collect(),
        nodes: classic_nodes(&model.nodes),
        scale: 1.0 / SIDE,
    })
}

fn ue2(model: &ue2::Model) -> ModelParts {
    let surface = |it: &ue2::Surface| Surface {
        material: it.material,
        flags: it.flags,
        base: number(it.base),
        axes: [number(it.texture_u), number(it.texture_v)],
        pan: [0.0; 2],
    };
    ModelParts {
        vectors: model.vectors.iter().map(vector).collect(),
        points: model.points.iter().map(vector).collect(),
        surfaces: model.surfaces.iter().map(surface).collect(),
        corners: model.vertices.iter().map(|it| number(it.first)).collect(),
        nodes: classic_nodes(&model.nodes),
        scale: 1.0 / SIDE,
    }
}

/// Plane; first corner, surface; at byte 54 the number of corners: the same from UE3 to UE5.
fn late_nodes(all: VertexElements<'_>) -> Vec<Polygon> {
    nodes(all, [16, 20, 54])
}

/// The same with the zones that can be seen, 8 bytes behind the plane. Seen at 391.
fn early_nodes(all: VertexElements<'_>) -> Vec<Polygon> {
    nodes(all, [24, 28, 58])
}

/// A plane, and at these bytes the first corner, the surface, the number of corners.
fn nodes(all: VertexElements<'_>, [first, surface, count]: [usize; 3]) -> Vec<Polygon> {
    let node = |at: super::numbers::Element<'_>| Polygon {
        normal: at.vector(0),
        first: at.i32(first).into(),
        surface: at.i32(surface).into(),
        count: at.u8(count).into(),
    };
    all.iter().map(node).collect()
}

fn ue3(source: &MeshSource<'_>, model: &ue3::world::model::Model) -> Result<ModelParts> {
    let surface = |it: &ue3::world::model::Surface| Surface {
        material: it.material,
        flags: it.poly_flags,
        base: it.base.into(),
        axes: [it.texture_u.into(), it.texture_v.into()],
        pan: [0.0; 2],
    };
    let nodes = match model.nodes.element_size {
        64 => late_nodes(source.elements(&model.nodes.data, 64)?),
        68 => early_nodes(source.elements(&model.nodes.data, 68)?),
        size => return Err(Error::invalid(format!("nodes of {size} bytes, where 64 are known"))),
    };
    let corner = usize::try_from(model.vertices.element_size).unwrap_or(0).max(1);
    Ok(ModelParts {
        vectors: source.elements(&model.vectors.data, 12)?.iter().map(|at| at.vector(0)).collect(),
        points: source.elements(&model.points.data, 12)?.iter().map(|at| at.vector(0)).collect(),
        surfaces: model.surfaces.iter().map(surface).collect(),
        corners: source
            .elements(&model.vertices.data, corner)?
            .iter()
            .map(|at| at.i32(0).into())
            .collect(),
        nodes,
        scale: 1.0 / UNITS,
    })
}

fn ue4(source: &MeshSource<'_>, model: &ue4::world::model::Model) -> Result<ModelParts> {
    let surface = |it: &ue4::world::model::Surface| Surface {
        material: it.material,
        flags: it.poly_flags,
        base: it.base_point.into(),
        axes: [it.texture_u.into(), it.texture_v.into()],
        pan: [0.0; 2],
    };
    let size = |size: u32| (size as usize).max(1);
    if model.nodes.element_size != 64 {
        let size = model.nodes.element_size;
        return Err(Error::invalid(format!("nodes of {size} bytes, where 64 are known")));
    }
    Ok(ModelParts {
        vectors: source.elements(&model.vectors.data, 12)?.iter().map(|at| at.vector(0)).collect(),
        points: source.elements(&model.points.data, 12)?.iter().map(|at| at.vector(0)).collect(),
        surfaces: model.surfaces.iter().map(surface).collect(),
        corners: source
            .elements(&model.vertices.data, size(model.vertices.element_size))?
            .iter()
            .map(|at| at.i32(0).into())
            .collect(),
        nodes: late_nodes(source.elements(&model.nodes.data, 64)?),
        scale: 1.0 / UNITS,
    })
}

fn at<T>(list: &[T], index: i64) -> Option<&T> {
    usize::try_from(index).ok().and_then(|index| list.get(index))
}

impl ModelParts {
    fn mesh(&self, source: &MeshSource<'_>) -> Result<(Mesh, Vec<PackageIndex>)> {
        let mut lod = Lod { uvs: vec![Vec::new()], ..Lod::default() };
        let (mut materials, mut places) = (Vec::new(), HashMap::new());
        let mut sections = Sections::default();
        let mut hidden = 0_usize;
        // Nodes may share corners: what they name must not be more than the corners by far.
        let most = self.corners.len().saturating_mul(4).saturating_add(64);
        for node in self.nodes.iter().filter(|node| node.count >= 3) {
            let Some(surface) = at(&self.surfaces, node.surface) else { continue };
            if surface.flags & NOT_DRAWN != 0 {
                hidden += 1;
                continue;
            }
            let material = *places.entry(surface.material).or_insert_with(|| {
                materials.push(surface.material);
                materials.len() - 1
            });
            let mut points = Vec::with_capacity(node.count);
            for corner in node.first..node.first + node.count as i64 {
                let point = at(&self.corners, corner).and_then(|point| at(&self.points, *point));
                points.push(*point.ok_or_else(|| {
                    Error::invalid(format!(
                        "a polygon has corner {corner} of {}",
                        self.corners.len()
                    ))
                })?);
            }
            if lod.positions.len() + points.len() > most {
                return Err(Error::invalid("its polygons share their corners too often"));
            }
            let first = lod.positions.len() as u32;
            lod.uvs[0].extend(points.iter().map(|point| self.uv(surface, *point)));
            lod.normals.extend(points.iter().map(|_| node.normal));
            let outwards = |b: usize, c: usize| {
                let (a, b, c) = (points[0], points[b], points[c]);
                dot(cross(less(b, a), less(c, a)), node.normal)
            };
            let sum: f32 = (1..points.len() - 1).map(|at| outwards(at, at + 1)).sum();
            for (b, c) in (first + 1..).zip(first + 2..first + points.len() as u32) {
                let corners = if sum > 0.0 { [first, c, b] } else { [first, b, c] };
                sections.push(material, corners);
            }
            lod.positions.extend(points);
        }
        lod.sections = sections.list;
        let mut mesh = Mesh { name: source.name(), lods: vec![lod], ..Mesh::default() };
        if hidden > 0 {
            mesh.notes.push(format!("{hidden} polygons that are not drawn are left out"));
        }
        Ok((mesh, materials))
    }

    fn uv(&self, surface: &Surface, point: [f32; 3]) -> [f32; 2] {
        let base = at(&self.points, surface.base).copied().unwrap_or_default();
        let along = less(point, base);
        std::array::from_fn(|axis| {
            let direction = at(&self.vectors, surface.axes[axis]).copied().unwrap_or_default();
            (dot(along, direction) + surface.pan[axis]) * self.scale
        })
    }
}
