//! Static meshes of UE2.

use std::collections::HashMap;

use super::change::MeshChange;
use super::drawn::{DrawnMesh, bytes_of, push_floats};
use super::kdop::{KdopTriangle, stopping, triangle_bytes, wide};
use super::smoothing;
use super::triangle_tree::{TriangleNode, planes, tree};
use super::triangles::MeshTriangles;
use crate::archive::Span;
use crate::error::{Error, Result};
use crate::object::geometry::{BoundingBox, Color, Plane, Primitive, Sphere, Vector, Vector2D};
use crate::object::ue2::{
    Collision, CollisionTreeForm, CompactCollision, EarlyCollision, EarlyNode, EarlyTriangle,
    SourceTriangle, StaticMesh, StaticSection, UtCollision, UvStream,
};
use crate::primitive::{Index, Payload};

/// Sets of texture coordinates that a triangle can have (spec: ue1-3/10 §10.2).
pub(super) const MOST_SETS: usize = 8;
/// How much larger engines make a sphere: than the vertices of UE1 (216 frames of 13 meshes, to the last digit), than the
/// box of UE2 (33 meshes).
pub(super) const SPHERE: f32 = 1.001;
/// Which section has no vertices.
const NO_VERTEX: u16 = u16::MAX;

/// Puts triangles into a mesh. `collides` says of each material whether it stops things.
pub(super) fn store(
    stored: &mut StaticMesh,
    triangles: &MeshTriangles,
    collides: &[bool],
    form: CollisionTreeForm,
    change: &mut MeshChange,
) -> Result<()> {
    let sets = triangles.sets;
    let drawn = DrawnMesh::of(triangles, collides.len(), |triangle, corner, bytes| {
        push_floats(bytes, &triangle.positions[corner]);
        push_floats(bytes, &triangle.normals[corner]);
        let [red, green, blue, alpha] = triangle.colors[corner];
        bytes.extend_from_slice(&[blue, green, red, alpha]);
        triangles.uvs(triangle, corner).iter().for_each(|uv| push_floats(bytes, uv));
    })?;
    stored.sections = sections(&drawn)?;
    let (min, max) = triangles.bounds();
    stored.bounding_box = boxed(min, max);
    stored.primitive = bounds(min, max);
    renew(
        &mut stored.vertices.stream.data.0,
        &mut stored.vertices.stream.revision,
        drawn.part(0..24),
    );
    renew(&mut stored.colors.data.0, &mut stored.colors.revision, drawn.part(24..28));
    // What stands there but white is not known; no known mesh has it.
    let white = vec![255; drawn.vertices().len() * 4];
    renew(&mut stored.alphas.data.0, &mut stored.alphas.revision, white);
    stored.uv_streams.resize_with(sets, UvStream::default);
    for (set, stream) in stored.uv_streams.iter_mut().enumerate() {
        let start = 28 + set * 8;
        stream.coordinate_index = set as i32;
        renew(&mut stream.data.0, &mut stream.revision, drawn.part(start..start + 8));
    }
    let indices = &mut stored.indices;
    renew(&mut indices.data.0, &mut indices.revision, bytes_of(&drawn.indices));
    let lines = &mut stored.wireframe_indices;
    renew(&mut lines.data.0, &mut lines.revision, bytes_of(&drawn.edges(|vertex| vertex)));
    stored.collision = collision(triangles, &drawn, collides, form)?;
    stored.source_triangles.items = sources(triangles, &stored.source_triangles.items);
    change.vertices = drawn.vertices().len();
    Ok(())
}

fn renew(data: &mut Span, revision: &mut i32, bytes: Vec<u8>) {
    *data = Span::owned(bytes);
    *revision = revision.wrapping_add(1);
}

fn sections(drawn: &DrawnMesh) -> Result<Vec<StaticSection>> {
    let section = |section: &super::drawn::DrawnSection| {
        if section.triangles == 0 {
            let (min_vertex, max_vertex) = (NO_VERTEX, NO_VERTEX);
            return Ok(StaticSection { min_vertex, max_vertex, ..StaticSection::default() });
        }
        let number = |number: usize, what: &str| {
            u16::try_from(number).map_err(|_| {
                Error::invalid(format!(
                    "{what} {number} is more than the 65,535 that this engine can number"
                ))
            })
        };
        let triangles = number(section.triangles, "a number of triangles of one material,")?;
        Ok(StaticSection {
            is_strip: 0,
            first_index: number(section.first_index, "the first index of a material,")?,
            min_vertex: section.min_vertex,
            max_vertex: section.max_vertex,
            unknown: triangles,
            face_count: triangles,
        })
    };
    drawn.sections.iter().map(section).collect()
}

fn boxed(min: [f32; 3], max: [f32; 3]) -> BoundingBox {
    BoundingBox { min: vector(min), max: vector(max), is_valid: 1 }
}

/// The box and the sphere around a mesh: the sphere is around the box, and a thousandth larger.
pub(super) fn bounds(min: [f32; 3], max: [f32; 3]) -> Primitive {
    let centre = [0, 1, 2].map(|axis| (min[axis] + max[axis]) * 0.5);
    let half = [0, 1, 2].map(|axis| f64::from(max[axis]) - f64::from(centre[axis]));
    let radius = half.iter().map(|it| it * it).sum::<f64>().sqrt() * f64::from(SPHERE);
    let radius = radius as f32;
    let bounding_sphere = Sphere { centre: vector(centre), radius };
    Primitive { bounding_box: boxed(min, max), bounding_sphere }
}

pub(super) fn vector([x, y, z]: [f32; 3]) -> Vector {
    Vector { x, y, z }
}

/// The triangles as they are imported. Those that were there in the same places keep what shades them.
fn sources(triangles: &MeshTriangles, old: &[SourceTriangle]) -> Vec<SourceTriangle> {
    let key = |corners: &[Vector; 3]| corners.map(|v| [v.x, v.y, v.z].map(f32::to_bits));
    let known: HashMap<_, _> =
        old.iter().map(|it| (key(&it.vertices), it.smoothing_mask)).collect();
    let masks = smoothing::masks(triangles);
    let made = triangles.list.iter().zip(masks).map(|(triangle, mask)| {
        let vertices = triangle.positions.map(vector);
        let corners = [0, 1, 2].map(|corner| triangles.uvs(triangle, corner));
        let uv = |[x, y]: [f32; 2]| Vector2D { x, y };
        let of_set =
            |set: usize| corners.map(|uvs| uvs.get(set).copied().map(uv).unwrap_or_default());
        SourceTriangle {
            vertices,
            uvs: (0..triangles.sets).map(of_set).collect(),
            colors: triangle.colors.map(|[r, g, b, a]| Color { bytes: [b, g, r, a] }),
            material: triangle.material as i32,
            smoothing_mask: known.get(&key(&vertices)).copied().unwrap_or(mask),
        }
    });
    made.collect()
}

fn collision(
    triangles: &MeshTriangles,
    drawn: &DrawnMesh,
    collides: &[bool],
    form: CollisionTreeForm,
) -> Result<Collision> {
    let mut all = stopping(triangles, drawn, |material| collides[material]);
    let mut made = Collision::default();
    match form {
        CollisionTreeForm::Ut => {
            let nodes = Payload(Span::owned(wide(&mut all)?));
            made.ut = UtCollision { nodes, triangles: Payload(Span::owned(triangle_bytes(&all))) };
        }
        CollisionTreeForm::Compact => made.compact = compact(&all, &tree(&all)?)?,
        CollisionTreeForm::Early => made.early = early(&all, &tree(&all)?),
    }
    Ok(made)
}

/// Small trees: boxes in steps of which the largest number is 32,767, on either side of 0.
fn compact(triangles: &[KdopTriangle], nodes: &[TriangleNode]) -> Result<CompactCollision> {
    let mut scale = [0.0_f32; 3];
    for v in triangles.iter().flat_map(|triangle| triangle.positions) {
        scale = [0, 1, 2].map(|axis| scale[axis].max(v[axis].abs()));
    }
    let scale = scale.map(|most| most / f32::from(i16::MAX));
    let mut bytes = Vec::with_capacity(nodes.len() * 20);
    for node in nodes {
        let link = |node: Option<usize>| node.map_or(u16::MAX, |node| node as u16);
        let links = [node.triangle as u16, link(node.next), link(node.behind), link(node.front)];
        bytes.extend(links.iter().flat_map(|number| number.to_le_bytes()));
        for side in [node.min, node.max] {
            for axis in 0..3 {
                let steps = if scale[axis] > 0.0 { side[axis] / scale[axis] } else { 0.0 };
                bytes.extend_from_slice(&((steps + 0.5) as i16).to_le_bytes());
            }
        }
    }
    let mut all = Vec::with_capacity(triangles.len() * 7);
    for triangle in triangles {
        let [a, b, c, material] = triangle.numbers;
        all.extend([a, b, c].iter().flat_map(|number| number.to_le_bytes()));
        all.push(u8::try_from(material).map_err(|_| {
            Error::invalid(
                "it has more than 256 materials, the most that this engine collides with",
            )
        })?);
    }
    let (triangles, nodes) = (Payload(Span::owned(all)), Payload(Span::owned(bytes)));
    Ok(CompactCollision { triangles, nodes, scale: vector(scale) })
}

fn early(triangles: &[KdopTriangle], nodes: &[TriangleNode]) -> EarlyCollision {
    let triangle = |triangle: &KdopTriangle| EarlyTriangle {
        planes: planes(triangle).map(|([x, y, z], w)| Plane { x, y, z, w }),
        indices: triangle.numbers.map(|number| Index::new(i32::from(number))),
    };
    let link = |node: Option<usize>| Index::new(node.map_or(-1, |node| node as i32));
    let node = |node: &TriangleNode| EarlyNode {
        indices: [
            Index::new(node.triangle as i32),
            link(node.next),
            link(node.behind),
            link(node.front),
        ],
        min: vector(node.min),
        max: vector(node.max),
        is_valid: 1,
    };
    EarlyCollision {
        triangles: triangles.iter().map(triangle).collect(),
        nodes: nodes.iter().map(node).collect(),
    }
}
