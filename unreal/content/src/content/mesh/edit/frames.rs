//! Vertices for each frame, as meshes of UE1 store them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::change::MeshChange;
use super::ue2_static::{SPHERE, vector};
use crate::content::mesh::classic_skeletal::placement;
use crate::content::mesh::numbers::{Element, conjugated, turned};
use crate::content::mesh::shape::{Lod, Mesh};
use crate::error::{Error, Result};
use crate::object::geometry::{BoundingBox, Rotator, Sphere, Vector};
use crate::object::ue1;

/// How far numbers of 11 and of 10 bits reach; on the other side one further.
const NARROW: [f32; 3] = [1023.0, 1023.0, 511.0];
/// How far numbers of 16 bits reach, in Deus Ex.
const WIDE: [f32; 3] = [32767.0; 3];
/// Points of a mesh: those that a frame of the engine's own files can have.
const MOST_POINTS: usize = 16_384;
/// Triangles of a mesh.
const MOST_TRIANGLES: usize = 65_535;
/// Normals that differ by less are one.
const NORMAL_STEPS: f32 = 100.0;
/// Vertices have numbers of 16 bits.
const MOST_VERTICES: usize = 65_535;

/// Points of a mesh in whole numbers, with what makes places of them.
#[derive(Debug, Default)]
pub(super) struct MeshFrames {
    pub scale: Vector,
    pub origin: Vector,
    pub rotation: Rotator,
    pub is_wide: bool,
    /// The points of each frame.
    pub frames: Vec<Vec<[i16; 3]>>,
    /// Wedges: a point and a place in the texture.
    pub wedges: Vec<(u16, [u8; 2])>,
    /// Triangles: three wedges, and the material of the mesh.
    pub faces: Vec<([u16; 3], usize)>,
    /// Where the points of the first frame are.
    pub places: Vec<[f32; 3]>,
}

impl MeshFrames {
    /// The frames of a mesh of a file, in the numbers of `stored`, or in others where they do not reach. `materials` says
    /// the number in the mesh for each material of the file.
    ///
    /// # Errors
    /// `Invalid` for more points or wedges than 16 bits can number.
    pub fn of(
        stored: &ue1::Mesh,
        new: &Mesh,
        materials: &[usize],
        (is_new, has_special): (bool, bool),
        change: &mut MeshChange,
    ) -> Result<Self> {
        let lod = &new.lods[0];
        note_left_out(new, change);
        let reach = if stored.vertices.is_wide { WIDE } else { NARROW };
        let mut made = Self { is_wide: stored.vertices.is_wide, ..Self::default() };
        (made.scale, made.origin, made.rotation) = (stored.scale, stored.origin, stored.rotation);
        let positions =
            || std::iter::once(&lod.positions).chain(lod.morphs.iter().map(|it| &it.positions));
        if is_new || !positions().flatten().all(|v| made.reaches(made.numbers(*v), reach)) {
            if has_special {
                // Its points stand in the old numbers, and nothing else says where they are.
                return Err(Error::invalid(
                    "its numbers do not reach so far at its scale, which the triangle that a weapon is held by needs",
                ));
            }
            made.fit(positions().flatten(), reach);
            if !is_new {
                let Vector { x, y, z } = made.scale;
                change.notes.push(format!(
                    "its numbers did not reach so far: it has another scale, {x}, {y}, {z}"
                ));
            }
        }
        let frames: Vec<Vec<[i16; 3]>> = positions()
            .map(|frame| {
                frame.iter().map(|v| made.numbers(*v).map(|number| number as i16)).collect()
            })
            .collect();
        let points = made.points(lod, &frames)?;
        made.faces(lod, &points, materials, change)?;
        Ok(made)
    }

    /// The frames of files of the engine's own, in the numbers that these have. `faces` are three points with their places
    /// in the texture, and the slot of the material.
    ///
    /// # Errors
    /// `Invalid` for more wedges than 16 bits can number.
    pub fn of_numbers(
        stored: &ue1::Mesh,
        frames: Vec<Vec<[i16; 3]>>,
        faces: impl IntoIterator<Item = ([(u16, [u8; 2]); 3], usize)>,
    ) -> Result<Self> {
        let mut made = Self { is_wide: stored.vertices.is_wide, frames, ..Self::default() };
        (made.scale, made.origin, made.rotation) = (stored.scale, stored.origin, stored.rotation);
        let scale = [made.scale.x, made.scale.y, made.scale.z];
        let place = |v: &[i16; 3]| [0, 1, 2].map(|axis: usize| f32::from(v[axis]) * scale[axis]);
        made.places = made.frames.first().into_iter().flatten().map(place).collect();
        let mut known = HashMap::new();
        for (corners, slot) in faces {
            let mut face = [0; 3];
            for (place, wedge) in face.iter_mut().zip(corners) {
                *place = made.wedge(wedge, &mut known)?;
            }
            made.faces.push((face, slot));
        }
        Ok(made)
    }

    /// The number of a wedge, which is added where it is not there.
    fn wedge(
        &mut self,
        wedge: (u16, [u8; 2]),
        known: &mut HashMap<(u16, [u8; 2]), u16>,
    ) -> Result<u16> {
        if let Some(known) = known.get(&wedge) {
            return Ok(*known);
        }
        let new = number(
            self.wedges.len(),
            MOST_VERTICES,
            "corners with texture coordinates of their own",
        )?;
        self.wedges.push(wedge);
        known.insert(wedge, new);
        Ok(new)
    }

    /// A place in the numbers of the mesh: without its rotation, its size, its origin.
    fn numbers(&self, v: [f32; 3]) -> [f32; 3] {
        let turn = placement(vector([1.0; 3]), Vector::default(), self.rotation).rotation;
        let [x, y, z] = turned(conjugated(turn), v);
        let number = |at: f32, scale: f32, origin: f32| match scale == 0.0 {
            true => origin,
            false => (at / scale + origin).round(),
        };
        [
            number(x, self.scale.x, self.origin.x),
            number(y, self.scale.y, self.origin.y),
            number(z, self.scale.z, self.origin.z),
        ]
    }

    fn reaches(&self, numbers: [f32; 3], reach: [f32; 3]) -> bool {
        let scale = [self.scale.x, self.scale.y, self.scale.z];
        let within = |axis: usize| (-reach[axis] - 1.0..=reach[axis]).contains(&numbers[axis]);
        (0..3).all(|axis| within(axis) && scale[axis] != 0.0)
    }

    /// Takes the smallest scale whose numbers reach all places, without origin and rotation. As engines have it, heights
    /// have a step of twice the size where their numbers have half the reach.
    fn fit<'a>(&mut self, places: impl Iterator<Item = &'a [f32; 3]>, reach: [f32; 3]) {
        let mut most = [0.0_f32; 3];
        for v in places {
            most = [0, 1, 2].map(|axis| most[axis].max(v[axis].abs()));
        }
        let tall = reach[0] / reach[2];
        let step = (most[0] / reach[0]).max(most[1] / reach[1]).max(most[2] / reach[2] / tall);
        let step = if step > 0.0 { step * (1.0 + f32::EPSILON * 4.0) } else { 1.0 };
        self.scale = vector([step, step, step * tall]);
        (self.origin, self.rotation) = (Vector::default(), Rotator::default());
    }

    /// The point of each vertex of the file: vertices that are in one place in all frames and have one normal are one.
    fn points(&mut self, lod: &Lod, frames: &[Vec<[i16; 3]>]) -> Result<Vec<u16>> {
        let mut known: HashMap<(Vec<[i16; 3]>, [i16; 3]), u16> = HashMap::new();
        let mut points = Vec::with_capacity(lod.positions.len());
        self.frames = vec![Vec::new(); frames.len()];
        for (at, place) in lod.positions.iter().enumerate() {
            let key: Vec<[i16; 3]> = frames.iter().map(|frame| frame[at]).collect();
            let normal = lod.normals.get(at).copied().unwrap_or_default();
            let normal = normal.map(|number| (number * NORMAL_STEPS).round() as i16);
            let next = self.places.len();
            let point = match known.entry((key, normal)) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => *new.insert(number(next, MOST_POINTS, "points")?),
            };
            points.push(point);
            if usize::from(point) < next {
                continue;
            }
            self.places.push(*place);
            for (own, frame) in self.frames.iter_mut().zip(frames) {
                own.push(frame[at]);
            }
        }
        Ok(points)
    }

    fn faces(
        &mut self,
        lod: &Lod,
        points: &[u16],
        materials: &[usize],
        change: &mut MeshChange,
    ) -> Result<()> {
        let mut known: HashMap<(u16, [u8; 2]), u16> = HashMap::new();
        let (mut outside, mut without_area) = (0_usize, 0_usize);
        let mut wedges = Vec::with_capacity(points.len());
        for (at, point) in points.iter().enumerate() {
            let uv = lod.uvs.first().and_then(|set| set.get(at)).copied().unwrap_or_default();
            outside += usize::from(uv.iter().any(|it| !(-0.002..=1.002).contains(it)));
            let wedge = (*point, uv.map(|it| (it.clamp(0.0, 1.0) * 255.0).round() as u8));
            wedges.push(self.wedge(wedge, &mut known)?);
        }
        let Vector { x, y, z } = self.scale;
        let is_mirrored = x * y * z < 0.0;
        for section in &lod.sections {
            let material = materials.get(section.material).copied().unwrap_or_default();
            for corners in section.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|at| wedges.get(corners[at] as usize).copied());
                let (Some(a), Some(b), Some(c)) = (a, b, c) else {
                    return Err(Error::invalid("a triangle has a vertex that is not there"));
                };
                let [p, q, r] = [a, b, c].map(|wedge| self.wedges[usize::from(wedge)].0);
                if p == q || q == r || r == p {
                    without_area += 1;
                    continue;
                }
                // The order of corners is the other one here, unless sizes mirror the mesh.
                let face = if is_mirrored { [a, b, c] } else { [a, c, b] };
                self.faces.push((face, material));
            }
        }
        for (count, what) in [
            (without_area, "left out: triangles with two corners in one place"),
            (
                outside,
                "texture coordinates beyond the edge of the picture, which this engine can't store: brought to it",
            ),
        ] {
            if count > 0 {
                change.notes.push(format!("{what} ({count})"));
            }
        }
        if self.faces.len() > MOST_TRIANGLES {
            return Err(Error::invalid(format!("it has more than {MOST_TRIANGLES} triangles")));
        }
        change.triangles = self.faces.len();
        change.vertices = self.wedges.len();
        match self.faces.is_empty() {
            true => Err(Error::invalid("it has no triangles with an area")),
            false => Ok(()),
        }
    }

    /// Puts the points in another order: `old` says the number that each had.
    pub fn reorder(&mut self, old: &[usize]) {
        let mut new = vec![0_u16; old.len()];
        old.iter().enumerate().for_each(|(number, at)| new[*at] = number as u16);
        for frame in &mut self.frames {
            *frame = old.iter().map(|at| frame[*at]).collect();
        }
        self.places = old.iter().map(|at| self.places[*at]).collect();
        self.wedges.iter_mut().for_each(|(point, _)| *point = new[usize::from(*point)]);
        // Wedges stand in the order of their points.
        let mut order: Vec<usize> = (0..self.wedges.len()).collect();
        order.sort_by_key(|at| self.wedges[*at]);
        let mut moved = vec![0_u16; order.len()];
        order.iter().enumerate().for_each(|(number, at)| moved[*at] = number as u16);
        self.wedges = order.iter().map(|at| self.wedges[*at]).collect();
        for (wedges, _) in &mut self.faces {
            *wedges = wedges.map(|wedge| moved[usize::from(wedge)]);
        }
    }

    /// The points of a triangle.
    pub fn corners(&self, wedges: [u16; 3]) -> [u16; 3] {
        wedges.map(|wedge| self.wedges.get(usize::from(wedge)).map_or(0, |(point, _)| *point))
    }

    /// The vertices of all frames as they are stored, behind those of `before` in each.
    pub fn bytes(&self, before: &[Vec<[i16; 3]>]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (at, frame) in self.frames.iter().enumerate() {
            let special = before.get(at).map(Vec::as_slice).unwrap_or_default();
            for [x, y, z] in special.iter().chain(frame) {
                if self.is_wide {
                    [*x, *y, *z, 0]
                        .iter()
                        .for_each(|it| bytes.extend_from_slice(&it.to_le_bytes()));
                    continue;
                }
                let bits = |number: &i16, mask: u32| (i32::from(*number)).cast_unsigned() & mask;
                let packed = bits(x, 0x7ff) | bits(y, 0x7ff) << 11 | bits(z, 0x3ff) << 22;
                bytes.extend_from_slice(&packed.to_le_bytes());
            }
        }
        bytes
    }

    /// The box and the sphere around each frame, and around all.
    pub fn bounds(&self) -> (Vec<(BoundingBox, Sphere)>, (BoundingBox, Sphere)) {
        let all = self.frames.iter().flatten();
        (self.frames.iter().map(|frame| around(frame.iter())).collect(), around(all))
    }
}

/// The numbers of a stored vertex: 11, 11 and 10 bits, or 16 each.
pub(super) fn vertex_numbers(it: Element<'_>, is_wide: bool) -> [i16; 3] {
    if is_wide {
        return [it.i16(0), it.i16(2), it.i16(4)];
    }
    let bits = it.u32(0).cast_signed();
    [bits << 21 >> 21, bits << 10 >> 21, bits >> 22].map(|number| number as i16)
}

/// What of a mesh of a file meshes of UE1 have no place for.
fn note_left_out(new: &Mesh, change: &mut MeshChange) {
    let lod = &new.lods[0];
    let is_colored = lod.colors.iter().any(|color| *color != [255; 4]);
    for (count, what) in [
        (new.lods.len() - 1, "levels of detail, which this engine makes of the finest"),
        (lod.uvs.len().saturating_sub(1), "sets of texture coordinates"),
        (usize::from(is_colored), "colours of vertices"),
    ] {
        if count > 0 {
            change.notes.push(format!("left out: {what} ({count})"));
        }
    }
}

fn number(number: usize, most: usize, what: &str) -> Result<u16> {
    u16::try_from(number).ok().filter(|_| number < most).ok_or_else(|| {
        Error::invalid(format!("it has more than the {most} {what} that this engine can number"))
    })
}

/// A sphere is around the middle of the box.
fn around<'a>(points: impl Iterator<Item = &'a [i16; 3]> + Clone) -> (BoundingBox, Sphere) {
    let (mut min, mut max) = ([i16::MAX; 3], [i16::MIN; 3]);
    for v in points.clone() {
        for axis in 0..3 {
            min[axis] = min[axis].min(v[axis]);
            max[axis] = max[axis].max(v[axis]);
        }
    }
    let centre = [0, 1, 2].map(|axis| (f32::from(min[axis]) + f32::from(max[axis])) / 2.0);
    let far = |v: &[i16; 3]| {
        (0..3).map(|axis| f64::from(f32::from(v[axis]) - centre[axis]).powi(2)).sum::<f64>()
    };
    let radius = points.map(far).fold(0.0, f64::max).sqrt() * f64::from(SPHERE);
    let corner = |v: [i16; 3]| vector(v.map(f32::from));
    let around = BoundingBox { min: corner(min), max: corner(max), is_valid: 1 };
    (around, Sphere { centre: vector(centre), radius: radius as f32 })
}
