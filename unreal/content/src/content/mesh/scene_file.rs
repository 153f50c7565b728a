//! Scenes as binary glTF 2.0.

use std::collections::HashMap;

use gltf_json::extensions::root::KhrLightsPunctual as Lights;
use gltf_json::extensions::scene::khr_lights_punctual::{KhrLightsPunctual, Light, Spot, Type};
use gltf_json::extensions::{Root as RootExtensions, scene::Node as NodeExtensions};
use gltf_json::validation::Checked;
use gltf_json::{Index, Node};

use super::affine::Affine;
use super::glb::{GlbWriter, UNITS};
use super::scene::{LevelScene, SceneContent, TurnedScale};
use super::scene_light::{LightShape, SceneLight};
use crate::error::{Error, Result};

impl LevelScene {
    /// The scene as a binary glTF file (`.glb`): a node for each of [`LevelScene::nodes`], lights by
    /// `KHR_lights_punctual`. What has no size in one direction is left out.
    ///
    /// # Errors
    /// `Invalid` for a scene that shows nothing, for one whose parts do not fit each other, and what a file of 4 GiB can't
    /// hold.
    pub fn to_glb(&self) -> Result<Vec<u8>> {
        if self.nodes.is_empty() {
            return Err(Error::invalid("nothing stands in it that could be shown"));
        }
        let mut writer = GlbWriter::default();
        writer.begin(&self.materials);
        let (mut top, mut made) = (Vec::new(), HashMap::new());
        let (mut plain, mut lights) = (HashMap::new(), Vec::new());
        for node in &self.nodes {
            let name = Some(node.name.clone());
            match &node.shown {
                SceneContent::Mesh { mesh, slots } => {
                    let stored = self.meshes.get(*mesh).ok_or_else(|| {
                        Error::invalid(format!(
                            "{} shows mesh {mesh}, which is not there",
                            node.name
                        ))
                    })?;
                    let Some(turned) = TurnedScale::of(node.place.axes) else { continue };
                    let slots = slots.as_deref().unwrap_or(&stored.slots);
                    let index = match made.get(&(*mesh, slots)) {
                        Some(index) => *index,
                        None => {
                            let index = self.mesh(*mesh, slots, &mut plain, &mut writer)?;
                            made.insert((*mesh, slots), index);
                            index
                        }
                    };
                    let inner = Affine::of(&stored.mesh.placement);
                    let way = match turned.before {
                        Some(before) => Affine::of_axes(before, [0.0; 3]).then(&inner),
                        None => inner,
                    };
                    let outer = Affine::of_axes(turned.axes, node.place.place);
                    let shown = Node { mesh: Some(index), ..Node::default() };
                    top.push(match way == Affine::IDENTITY {
                        true => writer.root.push(Node { name, matrix: matrix(&outer), ..shown }),
                        false => {
                            let child = writer.root.push(Node { matrix: matrix(&way), ..shown });
                            let children = Some(vec![child]);
                            let matrix = matrix(&outer);
                            writer.root.push(Node { name, matrix, children, ..Node::default() })
                        }
                    });
                }
                SceneContent::Light(light) => {
                    let Some(axes) = shining(node.place.axes) else { continue };
                    let place = Affine::of_axes_in_file(axes, node.place.place);
                    let light_index = Index::new(lights.len() as u32);
                    lights.push(punctual(light, &node.name));
                    let extensions = Some(NodeExtensions {
                        khr_lights_punctual: Some(KhrLightsPunctual { light: light_index }),
                    });
                    let matrix = matrix(&place);
                    top.push(writer.root.push(Node {
                        name,
                        matrix,
                        extensions,
                        ..Node::default()
                    }));
                }
            }
        }
        if !lights.is_empty() {
            writer.root.extensions_used.push("KHR_lights_punctual".to_owned());
            let khr_lights_punctual = Some(Lights { lights });
            writer.root.extensions = Some(RootExtensions { khr_lights_punctual });
        }
        if top.is_empty() {
            return Err(Error::invalid("nothing that stands in it has a size"));
        }
        writer.end(Some(self.name.clone()), top, &self.notes)
    }

    /// A mesh with the materials of these slots; vertices are written once for all of them.
    fn mesh(
        &self,
        number: usize,
        slots: &[usize],
        plain: &mut HashMap<usize, Index<gltf_json::Mesh>>,
        writer: &mut GlbWriter,
    ) -> Result<Index<gltf_json::Mesh>> {
        let stored = &self.meshes[number].mesh;
        let lod = stored
            .lods
            .first()
            .ok_or_else(|| Error::invalid(format!("{} has no level of detail", stored.name)))?;
        let index = match plain.get(&number) {
            Some(first) => {
                let again = writer.root.meshes[first.value()].clone();
                writer.root.push(again)
            }
            None => {
                let mut lod = lod.clone();
                lod.settle(0)?;
                let index = writer.lod(&lod, &stored.name, false)?;
                plain.insert(number, index);
                index
            }
        };
        let sections = lod.sections.iter().filter(|section| !section.indices.is_empty());
        let mesh = &mut writer.root.meshes[index.value()];
        for (primitive, section) in mesh.primitives.iter_mut().zip(sections) {
            let material = slots.get(section.material).filter(|it| **it < self.materials.len());
            primitive.material = material.map(|it| Index::new(*it as u32));
        }
        Ok(index)
    }
}

fn matrix(place: &Affine) -> Option<[f32; 16]> {
    (*place != Affine::IDENTITY).then(|| place.columns())
}

/// The axes of a node in a file whose third axis points against the first of these: lights of files shine that way.
fn shining(axes: [[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
    let unit = |v: [f64; 3]| {
        let length = v.iter().map(|part| part * part).sum::<f64>().sqrt();
        (length.is_finite() && length > 1e-9).then(|| v.map(|part| part / length))
    };
    let exchanged = |[x, y, z]: [f64; 3]| [x, z, y];
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let back = unit(exchanged(axes[0]))?.map(|part| -part);
    let up = if back[1].abs() > 0.99 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let right = unit(cross(up, back))?;
    Some([right, cross(back, right), back])
}

fn punctual(light: &SceneLight, name: &str) -> Light {
    let (type_, spot) = match light.shape {
        LightShape::Point => (Type::Point, None),
        LightShape::Sun => (Type::Directional, None),
        LightShape::Spot { inner, outer } => {
            let spot = Spot { inner_cone_angle: inner, outer_cone_angle: outer };
            (Type::Spot, Some(spot))
        }
    };
    Light {
        color: light.color,
        extensions: None,
        extras: None,
        intensity: light.intensity,
        name: Some(name.to_owned()),
        range: light.radius.map(|units| units / UNITS as f32),
        spot,
        type_: Checked::Valid(type_),
    }
}
