//! A windmill: a mesh with two textures whose sails turn, as Unreal Tournament stores meshes.

use unreal_packages::archive::Span;
use unreal_packages::content::{NewTexture, NewTextures};
use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::generate::{Profile, create};
use unreal_packages::object::geometry::Vector;
use unreal_packages::object::ue1::{AnimSequence, LodMesh, Mesh, MeshMaterial, MeshVertices};
use unreal_packages::package::Package;
use unreal_packages::primitive::Payload;
use unreal_packages::property::PropertyList;
use unreal_packages::{PackageIndex, Result};

use super::{bricks, painted};

/// Frames of one turn of four sails by a quarter.
const FRAMES: usize = 12;
const SIDES: usize = 8;
const SAILS: usize = 4;
/// Where the axle is, ahead of the middle and above the ground.
const AXLE: [f32; 3] = [150.0, 0.0, 380.0];

/// A vertex: where it is, and whether it turns with the sails.
type Point = ([f32; 3], bool);

#[derive(Default)]
struct Shape {
    points: Vec<Point>,
    /// Point and texture place.
    wedges: Vec<(usize, [u8; 2])>,
    faces: Vec<([u16; 3], u16)>,
}

impl Shape {
    /// A polygon whose corners go round counter-clockwise as seen from outside.
    fn polygon(&mut self, corners: &[([f32; 3], [u8; 2])], turns: bool, material: u16) {
        let first = self.wedges.len() as u16;
        for (point, place) in corners {
            let known = self.points.iter().position(|it| *it == (*point, turns));
            let at = known.unwrap_or_else(|| {
                self.points.push((*point, turns));
                self.points.len() - 1
            });
            self.wedges.push((at, *place));
        }
        for corner in 1..corners.len() as u16 - 1 {
            self.faces.push(([first, first + corner, first + corner + 1], material));
        }
    }
}

/// A place on a ring around the middle.
fn ring(at: usize, radius: f32, height: f32) -> [f32; 3] {
    let turn = at as f32 / SIDES as f32 * std::f32::consts::TAU;
    [(turn.cos() * radius).round(), (turn.sin() * radius).round(), height]
}

fn shape() -> Shape {
    let mut shape = Shape::default();
    for side in 0..SIDES {
        let next = side + 1;
        let (low, high) = (ring(side, 160.0, 0.0), ring(side, 110.0, 400.0));
        let (low_next, high_next) =
            (ring(next % SIDES, 160.0, 0.0), ring(next % SIDES, 110.0, 400.0));
        let wall = [(low, [0, 255]), (low_next, [255, 255]), (high_next, [255, 0]), (high, [0, 0])];
        shape.polygon(&wall, false, 0);
        let eaves = [ring(side, 130.0, 390.0), ring(next % SIDES, 130.0, 390.0)];
        let roof = [(eaves[0], [0, 255]), (eaves[1], [255, 255]), ([0.0, 0.0, 500.0], [128, 0])];
        shape.polygon(&roof, false, 1);
    }
    for sail in 0..SAILS {
        let turn = sail as f32 / SAILS as f32 * std::f32::consts::TAU;
        let (out, across) = ([turn.cos(), turn.sin()], [-turn.sin(), turn.cos()]);
        // Sails stand a little askew, as the wind wants them.
        let corner = |far: f32, wide: f32| {
            let [y, z] = [0, 1].map(|axis| (out[axis] * far + across[axis] * wide).round());
            [AXLE[0] + wide / 6.0, AXLE[1] + y, AXLE[2] + z].map(f32::round)
        };
        let front = [
            (corner(20.0, 0.0), [0, 0]),
            (corner(230.0, 0.0), [255, 0]),
            (corner(230.0, 60.0), [255, 255]),
            (corner(20.0, 60.0), [0, 255]),
        ];
        let mut back = front;
        back.reverse();
        shape.polygon(&front, true, 1);
        shape.polygon(&back, true, 1);
    }
    shape
}

/// Eleven, eleven and ten bits.
fn packed([x, y, z]: [f32; 3]) -> [u8; 4] {
    let [x, y, z] = [x, y, z].map(|number| number.round() as i32);
    ((x & 0x7ff) | (y & 0x7ff) << 11 | (z & 0x3ff) << 22).cast_unsigned().to_le_bytes()
}

/// Where a vertex is in a frame: whole steps are two units high, as z has one bit less.
fn moved(([x, y, z], turns): Point, frame: usize) -> [u8; 4] {
    let turn = frame as f32 / FRAMES as f32 * std::f32::consts::TAU / SAILS as f32;
    let (sin, cos) = turn.sin_cos();
    let (dy, dz) = (y - AXLE[1], z - AXLE[2]);
    let [y, z] = match turns {
        true => [AXLE[1] + dy * cos - dz * sin, AXLE[2] + dy * sin + dz * cos],
        false => [y, z],
    };
    packed([x, y, z / 2.0])
}

/// Planks from left to right.
fn plank(x: u32, y: u32) -> [u8; 4] {
    let shade = ((x * 5 + (y / 8) * 11) % 20) as u8;
    match y % 8 {
        0 => [70, 46, 26, 255],
        _ => [150 + shade, 108 + shade, 66, 255],
    }
}

pub(super) fn make() -> Result<Package> {
    let mut package = create(&Profile::UT99)?;
    package.edit(fill)?;
    Ok(package)
}

fn fill(edit: &mut Edit) -> Result<()> {
    let textures = [
        edit.add_texture("Skins.Wall", &bricks(64)?, &NewTexture::default())?,
        edit.add_texture("Skins.Planks", &painted(64, plank)?, &NewTexture::default())?,
    ];
    let Shape { points, wedges, faces } = shape();
    let frames: Vec<u8> = (0..=FRAMES)
        .flat_map(|frame| points.iter().flat_map(move |point| moved(*point, frame)))
        .collect();
    let wedge = |(point, [u, v]): (usize, [u8; 2])| {
        let [low, high] = (point as u16).to_le_bytes();
        [low, high, u, v]
    };
    let wedges: Vec<u8> = wedges.into_iter().flat_map(wedge).collect();
    let face = |(corners, material): ([u16; 3], u16)| {
        [corners[0], corners[1], corners[2], material].map(u16::to_le_bytes)
    };
    let faces: Vec<u8> = faces.into_iter().flat_map(face).flatten().collect();
    let sequence = |edit: &mut Edit, name: &str, start_frame, frame_count, rate| {
        let name = edit.add_name(name)?;
        Ok::<_, unreal_packages::Error>(AnimSequence {
            name,
            start_frame,
            frame_count,
            rate,
            ..AnimSequence::default()
        })
    };
    let count = FRAMES as i32 + 1;
    let sequences =
        vec![sequence(edit, "Turn", 0, count, 6.0)?, sequence(edit, "Still", 0, 1, 1.0)?];
    let mesh = Mesh {
        vertices: MeshVertices { data: Span::owned(frames), ..MeshVertices::default() },
        sequences,
        textures: textures.map(PackageIndex::export).to_vec(),
        frame_vertices: points.len() as i32,
        frame_count: count,
        scale: Vector { x: 1.0, y: 1.0, z: 2.0 },
        ..Mesh::default()
    };
    let material = |texture_index| MeshMaterial { texture_index, ..MeshMaterial::default() };
    let mesh = LodMesh {
        mesh,
        faces: Payload(Span::owned(faces)),
        wedges: Payload(Span::owned(wedges)),
        materials: vec![material(0), material(1)],
        model_vertices: points.len() as i32,
        ..LodMesh::default()
    };
    edit.add_object("Windmill", "Engine.LodMesh", PropertyList::default(), mesh).map(drop)
}
