//! Meshes of glTF files.

use std::collections::HashMap;

use gltf_json::Node;
use gltf_json::animation::{Interpolation, Property};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked;

use super::affine::Affine;
use super::glb::UNITS;
use super::gltf_file::GltfFile;
use super::shape::{Animation, Lod, Mesh, MeshMaterial, MeshSection, Morph};
use super::source::{check_frames, turned};
use crate::error::{Error, Result};

/// Sets of texture coordinates that any engine has.
const MOST_SETS: u32 = 8;
/// Vertices that are blended for a number of the file.
const BLENDED: usize = 64;
/// What names of shapes for collision begin with.
const COLLISION: [&str; 4] = ["UBX_", "UCP_", "USP_", "UCX_"];

impl Mesh {
    /// The mesh of a glTF 2.0 file: of a `.glb`, or of a `.gltf` that holds its buffers.
    ///
    /// All meshes of the scene come together where their nodes put them; those of nodes whose names end with ` LOD1`,
    /// ` LOD2` and so on are further levels of detail, as [`Mesh::to_glb`] names them. Morph targets of the finest level
    /// become [`Morph`]s and the animations of their weights [`Animation`]s. Nodes that show no mesh are passed over; bones,
    /// shapes for collision (`UCX_…`) and what else a mesh here has not are left out, and [`Mesh::notes`] says so. Vertices without a normal get none: (0, 0, 0).
    ///
    /// # Errors
    /// `Invalid` for what is no such file, has its buffers beside it, or holds no triangles.
    pub fn from_gltf(bytes: &[u8]) -> Result<Self> {
        let file = GltfFile::read(bytes)?;
        let mut reader = SceneReader {
            file: &file,
            made: Self::default(),
            materials: HashMap::new(),
            moved: None,
            left: GltfLeftOut::default(),
        };
        reader.scene()?;
        reader.animations()?;
        reader.finish()
    }
}

/// What a file has and meshes that are read have not.
#[derive(Debug, Default)]
struct GltfLeftOut {
    primitives: usize,
    collision: usize,
    bones: usize,
    animations: usize,
    /// Meshes of further levels of detail with morph targets.
    targets: usize,
}

struct SceneReader<'f> {
    file: &'f GltfFile<'f>,
    made: Mesh,
    /// The materials so far by their numbers in the file: two may be called the same.
    materials: HashMap<Option<usize>, usize>,
    /// The node whose morph targets are read: those of the finest level.
    moved: Option<usize>,
    left: GltfLeftOut,
}

/// The vertices that several primitives share: where they begin, how many they are.
type VertexPools = HashMap<Vec<(String, usize)>, (u32, u32)>;

impl SceneReader<'_> {
    fn scene(&mut self) -> Result<()> {
        let root = &self.file.root;
        let scene = root.scene.map_or(0, |scene| scene.value());
        let top: Vec<usize> = match root.scenes.get(scene) {
            Some(scene) => scene.nodes.iter().map(|node| node.value()).collect(),
            None => return Err(Error::invalid("the file has no scene")),
        };
        self.made.name = name_of_scene(self.file, &top);
        let mut seen = vec![false; root.nodes.len()];
        let mut open: Vec<_> = top.into_iter().rev().map(|node| (node, Affine::IDENTITY)).collect();
        while let Some((at, outer)) = open.pop() {
            let node = root
                .nodes
                .get(at)
                .ok_or_else(|| Error::invalid(format!("there is no node {at}")))?;
            if std::mem::replace(&mut seen[at], true) {
                return Err(Error::invalid(format!("node {at} hangs in two places")));
            }
            let place = outer.then(&Affine::of_node(node));
            self.node(at, node, &place)?;
            let children = node.children.as_deref().unwrap_or_default();
            open.extend(children.iter().rev().map(|child| (child.value(), place)));
        }
        Ok(())
    }

    fn node(&mut self, at: usize, node: &Node, place: &Affine) -> Result<()> {
        let Some(mesh) = node.mesh else { return Ok(()) };
        let mesh = self.file.root.meshes.get(mesh.value());
        let mesh = mesh.ok_or_else(|| Error::invalid("a node has a mesh that is not there"))?;
        let name = node.name.as_deref().or(mesh.name.as_deref()).unwrap_or_default();
        if COLLISION.iter().any(|prefix| name.starts_with(prefix)) {
            self.left.collision += 1;
            return Ok(());
        }
        self.left.bones += usize::from(node.skin.is_some());
        let level = level_of(name);
        while self.made.lods.len() <= level {
            self.made.lods.push(Lod::default());
        }
        let has_targets = mesh.primitives.iter().any(|it| it.targets.is_some());
        let mut names = Vec::new();
        match (level, has_targets) {
            (_, false) => {}
            (0, true) if self.moved.is_some() => {
                return Err(Error::invalid("morph targets of several meshes can't come together"));
            }
            (0, true) => {
                self.moved = Some(at);
                names = target_names(mesh);
            }
            _ => self.left.targets += 1,
        }
        let mut pools = VertexPools::new();
        for primitive in &mesh.primitives {
            self.primitive(primitive, level, place, &mut pools, &names)?;
        }
        Ok(())
    }

    fn primitive(
        &mut self,
        primitive: &Primitive,
        level: usize,
        place: &Affine,
        pools: &mut VertexPools,
        names: &[String],
    ) -> Result<()> {
        let Checked::Valid(mode @ (Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)) =
            primitive.mode
        else {
            self.left.primitives += 1;
            return Ok(());
        };
        self.file.charge(1)?;
        let key = parts_of(primitive);
        let (first, count) = match pools.get(&key) {
            Some(known) => *known,
            None => {
                let known = self.vertices(primitive, level, place, names)?;
                pools.insert(key, known);
                known
            }
        };
        let indices = match primitive.indices {
            Some(indices) => self.file.indices(indices)?,
            None => {
                self.file.charge(count as usize)?;
                (0..count).collect()
            }
        };
        if let Some(index) = indices.iter().find(|index| **index >= count) {
            return Err(Error::invalid(format!("a triangle has vertex {index} of {count}")));
        }
        let mut made = Vec::with_capacity(indices.len());
        for triangle in triangles(mode, &indices) {
            let triangle = if place.is_mirrored() { turned(triangle) } else { triangle };
            made.extend(triangle.map(|index| index + first));
        }
        if made.is_empty() {
            return Ok(());
        }
        let material = self.material(primitive);
        self.made.lods[level].sections.push(MeshSection { material, indices: made });
        Ok(())
    }

    /// The number of a primitive's material among those of the mesh.
    fn material(&mut self, primitive: &Primitive) -> usize {
        let number = primitive.material.map(|at| at.value());
        if let Some(known) = self.materials.get(&number) {
            return *known;
        }
        let material = number.and_then(|at| self.file.root.materials.get(at));
        let name = material.and_then(|material| material.name.clone()).unwrap_or_default();
        let new = self.made.materials.len();
        self.made.materials.push(MeshMaterial { name, ..MeshMaterial::default() });
        self.materials.insert(number, new);
        new
    }

    fn vertices(
        &mut self,
        primitive: &Primitive,
        level: usize,
        place: &Affine,
        names: &[String],
    ) -> Result<(u32, u32)> {
        let find = |wanted: Semantic| primitive.attributes.get(&Checked::Valid(wanted)).copied();
        let file = self.file;
        let positions = find(Semantic::Positions);
        let positions = positions.ok_or_else(|| Error::invalid("a mesh has no positions"))?;
        let positions: Vec<[f32; 3]> = file.rows(positions)?.rows(3)?;
        let lod = &mut self.made.lods[level];
        let (first, count) = (lod.positions.len(), positions.len());
        let all = first + count;
        let numbers = u32::try_from(first).ok().zip(u32::try_from(count).ok());
        let numbers = numbers.filter(|_| u32::try_from(all).is_ok());
        let numbers = numbers.ok_or_else(|| Error::invalid("a mesh has too many vertices"))?;
        let check = |what: &str, length: usize| match length == count {
            true => Ok(()),
            false => Err(Error::invalid(format!("{count} positions, but {length} {what}"))),
        };
        for v in &positions {
            lod.positions.push(finite(in_units(place.apply(*v)))?);
        }
        match find(Semantic::Normals) {
            Some(normals) => {
                let normals: Vec<[f32; 3]> = file.rows(normals)?.rows(3)?;
                check("normals", normals.len())?;
                lod.normals.extend(normals.into_iter().map(|v| exchanged(place.normal(v))));
            }
            None => lod.normals.resize(all, [0.0; 3]),
        }
        for set in 0..MOST_SETS {
            let Some(found) = find(Semantic::TexCoords(set)) else { break };
            let rows: Vec<[f32; 2]> = file.rows(found)?.rows(2)?;
            check("texture coordinates", rows.len())?;
            if lod.uvs.len() <= set as usize {
                lod.uvs.push(vec![[0.0; 2]; first]);
            }
            lod.uvs[set as usize].extend(rows);
        }
        lod.uvs.iter_mut().for_each(|set| set.resize(all, [0.0; 2]));
        if let Some(colors) = find(Semantic::Colors(0)) {
            let rows: Vec<[f32; 4]> = file.rows(colors)?.rows(3)?;
            check("colours", rows.len())?;
            lod.colors.resize(first, WHITE);
            let byte = |number: f32| (number.clamp(0.0, 1.0) * 255.0).round() as u8;
            lod.colors.extend(rows.into_iter().map(|row| row.map(byte)));
        } else if !lod.colors.is_empty() {
            lod.colors.resize(all, WHITE);
        }
        let targets = primitive.targets.as_deref().unwrap_or_default();
        let targets = if level == 0 { targets } else { &[] };
        // Vertices of primitives without targets are in all frames too.
        check_frames(all, targets.len().max(lod.morphs.len()))?;
        for (at, target) in targets.iter().enumerate() {
            if lod.morphs.len() <= at {
                let name = names.get(at).cloned().unwrap_or_else(|| format!("Frame {}", at + 1));
                lod.morphs.push(Morph { name, positions: lod.positions[..first].to_vec() });
            }
            let moved: Vec<[f32; 3]> = match target.positions {
                Some(deltas) => {
                    let deltas: Vec<[f32; 3]> = file.rows(deltas)?.rows(3)?;
                    check("positions of a morph target", deltas.len())?;
                    let moved = positions.iter().zip(deltas);
                    moved.map(|(v, d)| [0, 1, 2].map(|axis| v[axis] + d[axis])).collect()
                }
                None => positions.clone(),
            };
            for v in moved {
                lod.morphs[at].positions.push(finite(in_units(place.apply(v)))?);
            }
        }
        for morph in &mut lod.morphs {
            let start = morph.positions.len();
            morph.positions.extend_from_slice(&lod.positions[start..]);
        }
        Ok(numbers)
    }

    fn animations(&mut self) -> Result<()> {
        // Blended keys of one animation are further morphs, which the weights of the next know nothing of.
        let targets = self.made.lods.first().map_or(0, |lod| lod.morphs.len());
        for animation in &self.file.root.animations {
            let of_weights = animation.channels.iter().find(|channel| {
                Some(channel.target.node.value()) == self.moved
                    && matches!(channel.target.path, Checked::Valid(Property::MorphTargetWeights))
            });
            let sampler = of_weights.map(|it| it.sampler.value());
            let Some(sampler) = sampler.and_then(|at| animation.samplers.get(at)) else {
                self.left.animations += 1;
                continue;
            };
            if !matches!(
                sampler.interpolation,
                Checked::Valid(Interpolation::Linear | Interpolation::Step)
            ) {
                self.left.animations += 1;
                continue;
            }
            let times = self.file.rows(sampler.input)?.numbers;
            let weights = self.file.rows(sampler.output)?.numbers;
            let name = animation.name.clone().unwrap_or_default();
            self.frames(name, &times, &weights, targets)?;
        }
        Ok(())
    }

    /// An animation whose keys are weights of morph targets: what is no single target becomes a morph of its own.
    fn frames(
        &mut self,
        name: String,
        times: &[f32],
        weights: &[f32],
        targets: usize,
    ) -> Result<()> {
        let lod = &mut self.made.lods[0];
        if targets == 0 || weights.len() != times.len().saturating_mul(targets) {
            return Err(Error::invalid(format!(
                "animation {name} has {} weights for {} keys of {targets} targets",
                weights.len(),
                times.len()
            )));
        }
        let mut frames = Vec::with_capacity(times.len());
        for weights in weights.chunks_exact(targets) {
            let used: Vec<_> = weights.iter().enumerate().filter(|(_, w)| **w != 0.0).collect();
            frames.push(match used.as_slice() {
                [] => 0,
                [(at, weight)] if **weight == 1.0 => *at as u32 + 1,
                _ => {
                    check_frames(lod.positions.len(), lod.morphs.len() + 1)?;
                    // Each target that takes part is gone through.
                    self.file.charge(used.len().saturating_mul(lod.positions.len()) / BLENDED)?;
                    let mut positions = lod.positions.clone();
                    for (at, weight) in used {
                        let target = lod.morphs[at].positions.iter().zip(&lod.positions);
                        for (sum, (to, from)) in positions.iter_mut().zip(target) {
                            *sum =
                                [0, 1, 2].map(|axis| sum[axis] + weight * (to[axis] - from[axis]));
                        }
                    }
                    let name = format!("{name} {}", frames.len());
                    lod.morphs.push(Morph { name, positions });
                    lod.morphs.len() as u32
                }
            });
        }
        let steps = times.len().saturating_sub(1);
        let span = times.last().unwrap_or(&0.0) - times.first().unwrap_or(&0.0);
        let frame_seconds = match steps {
            0 => 0.0,
            _ => span / steps as f32,
        };
        let uneven = times.windows(2).any(|pair| {
            let away = (pair[1] - pair[0] - frame_seconds).abs();
            away.is_nan() || away > frame_seconds * 0.05
        });
        if uneven {
            self.made.notes.push(format!("keys of animation {name} stand at unequal times"));
        }
        self.made.animations.push(Animation { name, frame_seconds, frames, tracks: Vec::new() });
        Ok(())
    }

    fn finish(mut self) -> Result<Mesh> {
        let GltfLeftOut { primitives, collision, bones, animations, targets } = self.left;
        for (number, what) in [
            (primitives, "lines and points"),
            (collision, "shapes for collision"),
            (bones, "bones"),
            (targets, "morph targets of further levels of detail"),
            (animations, "animations of nodes and bones, or with curves between their keys"),
        ] {
            if number > 0 {
                self.made.notes.push(format!("left out: {what} ({number})"));
            }
        }
        match self.made.lods.first().is_some_and(|lod| lod.triangle_count() > 0) {
            true => Ok(self.made),
            false => Err(Error::invalid("the file has no triangles")),
        }
    }
}

const WHITE: [u8; 4] = [255; 4];

/// A place in glTF's axes and metres as one of Unreal's.
pub(super) fn in_units(v: [f32; 3]) -> [f32; 3] {
    exchanged(v.map(|number| (f64::from(number) * UNITS) as f32))
}

/// A direction in glTF's axes as one of Unreal's, and the other way round.
fn exchanged([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, z, y]
}

/// The accessors of a primitive and what each is for, which say whether it shares its vertices with another.
fn parts_of(primitive: &Primitive) -> Vec<(String, usize)> {
    let attributes =
        primitive.attributes.iter().map(|(name, at)| (format!("{name:?}"), at.value()));
    let targets = primitive.targets.iter().flatten().map(|target| {
        let positions = target.positions.map_or(usize::MAX, |at| at.value());
        ("target".to_owned(), positions)
    });
    attributes.chain(targets).collect()
}

/// Refuses what is no number in the package's units.
fn finite(v: [f32; 3]) -> Result<[f32; 3]> {
    match v.iter().all(|number| number.is_finite()) {
        true => Ok(v),
        false => Err(Error::invalid("a position is no number")),
    }
}

fn triangles(mode: Mode, indices: &[u32]) -> Vec<[u32; 3]> {
    match mode {
        Mode::TriangleStrip => {
            let turn = |(at, it): (usize, &[u32])| match at % 2 {
                0 => [it[0], it[1], it[2]],
                _ => [it[1], it[0], it[2]],
            };
            indices.windows(3).enumerate().map(turn).collect()
        }
        Mode::TriangleFan => {
            let first = indices.first().copied().unwrap_or_default();
            let rest = indices.get(1..).unwrap_or_default();
            rest.windows(2).map(|it| [it[0], it[1], first]).collect()
        }
        _ => indices.chunks_exact(3).map(|it| [it[0], it[1], it[2]]).collect(),
    }
}

/// The level of detail that a name ends with.
fn level_of(name: &str) -> usize {
    let at = name.rfind("LOD").filter(|at| name[..*at].ends_with([' ', '_']));
    let number = at.and_then(|at| name[at + 3..].parse::<usize>().ok());
    number.filter(|level| *level < 64).unwrap_or(0)
}

/// The name of the first node with a mesh.
fn name_of_scene(file: &GltfFile<'_>, top: &[usize]) -> String {
    let nodes = top.iter().filter_map(|at| file.root.nodes.get(*at));
    let named = nodes.filter(|node| node.mesh.is_some()).find_map(|node| node.name.clone());
    named.unwrap_or_default()
}

/// Names of morph targets, where a mesh says them.
fn target_names(mesh: &gltf_json::Mesh) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Names {
        #[serde(rename = "targetNames", default)]
        names: Vec<String>,
    }
    let extras = mesh.extras.as_ref().and_then(|extras| serde_json::from_str(extras.get()).ok());
    extras.map(|Names { names }| names).unwrap_or_default()
}
