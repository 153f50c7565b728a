//! A level as a scene: its meshes, where they are placed, its lights.

use std::sync::Arc;

use super::scene_light::SceneLight;
use super::shape::{Mesh, MeshMaterial};
use crate::inspect::ActorTransform;

/// A level as a scene. Coordinates are Unreal's, as those of a [`Mesh`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LevelScene {
    /// Name of the package's level.
    pub name: String,
    /// The meshes that nodes place, each once, with its finest level of detail and without bones.
    pub meshes: Vec<SceneMesh>,
    /// The materials of all of them.
    pub materials: Vec<MeshMaterial>,
    /// The placed meshes and lights.
    pub nodes: Vec<SceneNode>,
    /// Objects of the level that the scene leaves out, with the reason.
    pub notes: Vec<String>,
}

/// A mesh of a scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SceneMesh {
    /// The mesh, whose sections name its slots for materials.
    pub mesh: Mesh,
    /// For each slot the number of the scene's material.
    pub slots: Vec<usize>,
}

/// A placed mesh or light.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneNode {
    /// Path of the actor or component.
    pub name: String,
    /// Axes and place in the world, in units.
    pub place: ActorTransform,
    /// The mesh or light.
    pub shown: SceneContent,
}

/// The mesh or light of a [`SceneNode`].
#[derive(Debug, Clone, PartialEq)]
pub enum SceneContent {
    /// A mesh.
    Mesh {
        /// Index in [`LevelScene::meshes`].
        mesh: usize,
        /// For each slot the index of the scene's material, where the actor has others than the mesh.
        slots: Option<Arc<[usize]>>,
    },
    /// A light, which shines along the first axis.
    Light(SceneLight),
}

/// A turn with factors along its axes, and a turn before it: together they are any three axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TurnedScale {
    /// The images of the axes behind the first turn, at right angles to each other.
    pub axes: [[f64; 3]; 3],
    /// The first turn, where one is needed.
    pub before: Option<[[f64; 3]; 3]>,
}

/// Cosine of the angle between two axes below which they count as perpendicular.
const UPRIGHT: f64 = 1e-6;
/// Rounds of turning two axes after another until all are at right angles; each squares what is left.
const ROUNDS: usize = 16;

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl TurnedScale {
    /// Of these images of the three axes; `None` where one of them has no length, which shows nothing.
    ///
    /// Files of glTF take only places that are a turn with factors along its axes. Where axes are sheared, as those of a
    /// brush that is stretched behind its rotation, the images of other three axes, which are at right angles before, are
    /// at right angles behind (by Jacobi's rotations): these are turned first.
    pub fn of(axes: [[f64; 3]; 3]) -> Option<Self> {
        let mut images = axes;
        let mut before = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut is_turned = false;
        for _ in 0..ROUNDS {
            let mut is_done = true;
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                let (a, b) = (dot(images[p], images[p]), dot(images[q], images[q]));
                let between = dot(images[p], images[q]);
                if between.abs() <= UPRIGHT * (a * b).sqrt() {
                    continue;
                }
                (is_done, is_turned) = (false, true);
                let ratio = (b - a) / (2.0 * between);
                let tangent = ratio.signum() / (ratio.abs() + (1.0 + ratio * ratio).sqrt());
                let cos = 1.0 / (1.0 + tangent * tangent).sqrt();
                let sin = cos * tangent;
                for rows in [&mut images, &mut before] {
                    let (one, other) = (rows[p], rows[q]);
                    rows[p] = [0, 1, 2].map(|at| cos * one[at] - sin * other[at]);
                    rows[q] = [0, 1, 2].map(|at| sin * one[at] + cos * other[at]);
                }
            }
            if is_done {
                break;
            }
        }
        if axes.iter().flatten().any(|part| !part.is_finite()) {
            return None;
        }
        let longest = images.iter().map(|image| dot(*image, *image)).fold(0.0, f64::max);
        let is_flat = images.iter().any(|image| dot(*image, *image) <= longest * 1e-18);
        if !longest.is_finite() || longest <= 0.0 || is_flat {
            return None;
        }
        // The way to the turned axes and not back: its columns are their rows.
        let way = [0, 1, 2].map(|at| [0, 1, 2].map(|axis: usize| before[axis][at]));
        Some(Self { axes: images, before: is_turned.then_some(way) })
    }
}
