//! Meshes as binary glTF 2.0.
//!
//! Unreal's axes (left-handed; X forwards, Y right, Z up; centimetres) become glTF's (right-handed, Y up, metres) by
//! one exchange: `(x, y, z)` becomes `(x, z, y) / 100`, so that forwards stays +X. As the exchange mirrors, the order of
//! corners stays and what is outside stays outside.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::animation::{Channel, Interpolation, Property, Sampler, Target};
use gltf_json::buffer;
use gltf_json::material::{
    AlphaMode, NormalTexture, PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor,
};
use gltf_json::mesh::{Mode, MorphTarget, Primitive, Semantic};
use gltf_json::scene::UnitQuaternion;
use gltf_json::validation::{Checked, USize64};
use gltf_json::{Accessor, Index, Node, Root, Value};

use super::affine::Affine;
use super::shape::{Animation, INFLUENCES, Lod, Mesh, MeshMaterial, MeshPlacement};
use crate::error::{Error, Result};

/// Metres of a unit.
const METRES: f32 = 0.01;
/// Units of a metre.
pub(super) const UNITS: f64 = 100.0;
/// What accessors must be filled to.
const ALIGNMENT: usize = 4;
/// What a file of this form may hold: its numbers of bytes have 32 bits.
const LARGEST: usize = u32::MAX as usize;

impl Mesh {
    /// The mesh as a binary glTF file (`.glb`) with these levels of detail, each a node of its own.
    ///
    /// # Errors
    /// `Invalid` for a mesh without triangles or bones, one whose parts do not fit each other, and what a file of 4 GiB
    /// can't hold.
    pub fn to_glb(&self) -> Result<Vec<u8>> {
        let mut mesh = self.clone();
        mesh.settle_places()?;
        let bones = mesh.bones.len();
        for lod in &mut mesh.lods {
            lod.settle(bones)?;
        }
        mesh.lods.retain(|lod| lod.triangle_count() > 0);
        if mesh.lods.is_empty() && mesh.bones.is_empty() {
            return Err(Error::invalid("it has no triangles"));
        }
        GlbWriter::default().mesh(&mesh)
    }
}

pub(super) fn position(v: [f32; 3]) -> [f32; 3] {
    [v[0] * METRES, v[2] * METRES, v[1] * METRES]
}

pub(super) fn direction(v: [f32; 3]) -> [f32; 3] {
    [v[0], v[2], v[1]]
}

/// A rotation with the length 1; none where it has no length.
pub(super) fn quaternion(q: [f32; 4]) -> [f32; 4] {
    super::numbers::unit([-q[0], -q[2], -q[1], q[3]]).unwrap_or([0.0, 0.0, 0.0, 1.0])
}

#[derive(Default)]
pub(super) struct GlbWriter {
    pub root: Root,
    data: Vec<u8>,
    /// Pictures that are there already.
    textures: HashMap<*const u8, (Arc<[u8]>, Index<gltf_json::Texture>)>,
}

impl GlbWriter {
    fn mesh(mut self, mesh: &Mesh) -> Result<Vec<u8>> {
        self.begin(&mesh.materials);
        let mut top = Vec::new();
        let whole = placed(&mesh.placement, &mesh.name);
        let mut skin = None;
        let mut joints = Vec::new();
        if !mesh.bones.is_empty() {
            joints = self.joints(mesh)?;
            let roots = mesh.bones.iter().zip(&joints).filter(|(bone, _)| bone.parent.is_none());
            let children = Some(roots.map(|(_, node)| *node).collect());
            let name = Some("Skeleton".to_owned());
            top.push(self.root.push(Node { children, name, ..whole.clone() }));
            skin = Some(self.skin(mesh, &joints)?);
        }
        let mut holders = Vec::new();
        for (level, lod) in mesh.lods.iter().enumerate() {
            let name = match mesh.lods.len() {
                1 => mesh.name.clone(),
                _ => format!("{} LOD{level}", mesh.name),
            };
            let is_skinned = skin.is_some() && !lod.influences.is_empty();
            let made = self.lod(lod, &name, is_skinned)?;
            let bare = if is_skinned { Node::default() } else { whole.clone() };
            let skin = skin.filter(|_| is_skinned);
            let node = Node { mesh: Some(made), skin, name: Some(name), ..bare };
            holders.push(self.root.push(node));
        }
        top.extend(&holders);
        for socket in &mesh.sockets {
            let node = self.root.push(placed(&socket.place, &socket.name));
            match socket.bone.and_then(|bone| joints.get(bone)) {
                Some(joint) => {
                    let parent = &mut self.root.nodes[joint.value()];
                    parent.children.get_or_insert_default().push(node);
                }
                None => top.push(node),
            }
        }
        self.collision(mesh, &joints, &mut top);
        for animation in &mesh.animations {
            self.animation(animation, mesh, &joints, &holders)?;
        }
        self.end(None, top, &mesh.notes)
    }

    /// Who writes it, and the materials.
    pub fn begin(&mut self, materials: &[MeshMaterial]) {
        self.root.asset.generator = Some(concat!("upk ", env!("CARGO_PKG_VERSION")).to_owned());
        self.materials(materials);
    }

    /// A file with these nodes.
    pub fn end(
        mut self,
        name: Option<String>,
        nodes: Vec<Index<Node>>,
        notes: &[String],
    ) -> Result<Vec<u8>> {
        let scene = gltf_json::Scene { name, nodes, extensions: None, extras: None };
        self.root.scene = Some(self.root.push(scene));
        if !notes.is_empty() {
            let notes = serde_json::json!({ "notes": notes }).to_string();
            self.root.asset.extras = serde_json::value::RawValue::from_string(notes).ok();
        }
        self.finish()
    }

    fn finish(mut self) -> Result<Vec<u8>> {
        self.fill(0);
        if !self.data.is_empty() {
            self.root.buffers.push(gltf_json::Buffer {
                byte_length: USize64::from(self.data.len()),
                name: None,
                uri: None,
                extensions: None,
                extras: None,
            });
        }
        let mut json = self.root.to_vec().map_err(|error| Error::invalid(error.to_string()))?;
        while json.len() % ALIGNMENT != 0 {
            json.push(b' ');
        }
        let total =
            12 + 8 + json.len() + if self.data.is_empty() { 0 } else { 8 + self.data.len() };
        if total > LARGEST {
            return Err(Error::invalid(format!(
                "{total} bytes are more than a .glb file can hold"
            )));
        }
        let mut file = Vec::with_capacity(total);
        let number = |number: usize, file: &mut Vec<u8>| {
            file.extend_from_slice(&(number as u32).to_le_bytes());
        };
        file.extend_from_slice(b"glTF");
        number(2, &mut file);
        number(total, &mut file);
        number(json.len(), &mut file);
        file.extend_from_slice(b"JSON");
        file.append(&mut json);
        if !self.data.is_empty() {
            number(self.data.len(), &mut file);
            file.extend_from_slice(b"BIN\0");
            file.append(&mut self.data);
        }
        Ok(file)
    }

    fn fill(&mut self, byte: u8) {
        while !self.data.len().is_multiple_of(ALIGNMENT) {
            self.data.push(byte);
        }
    }

    fn view(&mut self, bytes: &[u8], target: Option<buffer::Target>) -> Index<buffer::View> {
        self.fill(0);
        let offset = self.data.len();
        self.data.extend_from_slice(bytes);
        self.root.push(buffer::View {
            buffer: Index::new(0),
            byte_length: USize64::from(bytes.len()),
            byte_offset: Some(USize64::from(offset)),
            byte_stride: None,
            name: None,
            target: target.map(Checked::Valid),
            extensions: None,
            extras: None,
        })
    }

    fn accessor(
        &mut self,
        bytes: &[u8],
        count: usize,
        form: (ComponentType, Type),
        target: Option<buffer::Target>,
    ) -> Index<Accessor> {
        let view = self.view(bytes, target);
        self.root.push(Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            count: USize64::from(count),
            component_type: Checked::Valid(GenericComponentType(form.0)),
            type_: Checked::Valid(form.1),
            min: None,
            max: None,
            name: None,
            normalized: false,
            sparse: None,
            extensions: None,
            extras: None,
        })
    }

    pub fn floats<const N: usize>(
        &mut self,
        rows: &[[f32; N]],
        target: Option<buffer::Target>,
        bounded: bool,
    ) -> Index<Accessor> {
        let form = match N {
            1 => Type::Scalar,
            2 => Type::Vec2,
            3 => Type::Vec3,
            4 => Type::Vec4,
            _ => Type::Mat4,
        };
        let bytes: Vec<u8> =
            rows.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        let made = self.accessor(&bytes, rows.len(), (ComponentType::F32, form), target);
        if bounded {
            let (mut min, mut max) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
            for row in rows {
                for at in 0..N {
                    min[at] = min[at].min(row[at]);
                    max[at] = max[at].max(row[at]);
                }
            }
            let accessor = &mut self.root.accessors[made.value()];
            accessor.min = Some(Value::from(min.to_vec()));
            accessor.max = Some(Value::from(max.to_vec()));
        }
        made
    }

    pub fn lod(&mut self, lod: &Lod, name: &str, skinned: bool) -> Result<Index<gltf_json::Mesh>> {
        let vertices = Some(buffer::Target::ArrayBuffer);
        let mut attributes = BTreeMap::new();
        let positions: Vec<_> = lod.positions.iter().map(|v| position(*v)).collect();
        attributes.insert(Semantic::Positions, self.floats(&positions, vertices, true));
        let normals: Vec<_> = lod.normals.iter().map(|v| direction(*v)).collect();
        attributes.insert(Semantic::Normals, self.floats(&normals, vertices, false));
        for (set, uvs) in (0..).zip(&lod.uvs) {
            attributes.insert(Semantic::TexCoords(set), self.floats(uvs, vertices, false));
        }
        // One colour for all says nothing, and would tint the mesh.
        if lod.colors.windows(2).any(|pair| pair[0] != pair[1]) {
            let bytes = lod.colors.as_flattened();
            let form = (ComponentType::U8, Type::Vec4);
            let made = self.accessor(bytes, lod.colors.len(), form, vertices);
            self.root.accessors[made.value()].normalized = true;
            attributes.insert(Semantic::Colors(0), made);
        }
        if skinned {
            let sets = if lod.influences.iter().any(|it| it.weights[4] > 0.0) { 2 } else { 1 };
            for set in 0..sets {
                let part = set * 4..set * 4 + 4;
                let bones = lod.influences.iter().flat_map(|it| &it.bones[part.clone()]);
                let bones: Vec<u8> = bones.flat_map(|bone| bone.to_le_bytes()).collect();
                let form = (ComponentType::U16, Type::Vec4);
                let made = self.accessor(&bones, lod.influences.len(), form, vertices);
                attributes.insert(Semantic::Joints(set as u32), made);
                let weights: Vec<[f32; 4]> = (lod.influences.iter())
                    .map(|it| std::array::from_fn(|at| it.weights[part.start + at]))
                    .collect();
                let made = self.floats(&weights, vertices, false);
                attributes.insert(Semantic::Weights(set as u32), made);
            }
        }
        let attributes: BTreeMap<_, _> =
            attributes.into_iter().map(|(name, index)| (Checked::Valid(name), index)).collect();
        let mut targets = Vec::new();
        for morph in &lod.morphs {
            let moved = morph.positions.iter().map(|v| position(*v)).zip(&positions);
            let deltas: Vec<_> = moved.map(|(to, from)| super::numbers::less(to, *from)).collect();
            let positions = Some(self.floats(&deltas, vertices, true));
            targets.push(MorphTarget { positions, normals: None, tangents: None });
        }
        let mut primitives = Vec::new();
        for section in &lod.sections {
            let indices = self.indices(&section.indices);
            let has_material = section.material < self.root.materials.len();
            primitives.push(Primitive {
                attributes: attributes.clone(),
                indices: Some(indices),
                material: has_material.then(|| Index::new(section.material as u32)),
                mode: Checked::Valid(Mode::Triangles),
                targets: (!targets.is_empty()).then(|| targets.clone()),
                extensions: None,
                extras: None,
            });
        }
        let names: Vec<_> = lod.morphs.iter().map(|morph| morph.name.as_str()).collect();
        let extras = serde_json::json!({ "targetNames": names }).to_string();
        let extras = serde_json::value::RawValue::from_string(extras).ok();
        let has_morphs = !lod.morphs.is_empty();
        Ok(self.root.push(gltf_json::Mesh {
            primitives,
            name: Some(name.to_owned()),
            weights: has_morphs.then(|| vec![0.0; lod.morphs.len()]),
            extras: extras.filter(|_| has_morphs),
            extensions: None,
        }))
    }

    pub fn indices(&mut self, indices: &[u32]) -> Index<Accessor> {
        let target = Some(buffer::Target::ElementArrayBuffer);
        // The largest number of each width is reserved.
        let narrow: Option<Vec<u16>> = indices
            .iter()
            .map(|index| u16::try_from(*index).ok().filter(|index| *index < u16::MAX))
            .collect();
        let (bytes, width): (Vec<u8>, _) = match narrow {
            Some(narrow) => {
                (narrow.iter().flat_map(|index| index.to_le_bytes()).collect(), ComponentType::U16)
            }
            None => {
                (indices.iter().flat_map(|index| index.to_le_bytes()).collect(), ComponentType::U32)
            }
        };
        self.accessor(&bytes, indices.len(), (width, Type::Scalar), target)
    }

    fn materials(&mut self, materials: &[MeshMaterial]) {
        for material in materials {
            let mut texture =
                |png: &Option<Arc<[u8]>>| png.as_ref().map(|png| self.texture(png, &material.name));
            let base_color_texture = texture(&material.picture);
            let metallic_roughness_texture = texture(&material.levels);
            let normal_texture = texture(&material.normals).map(|it| NormalTexture {
                index: it.index,
                scale: 1.0,
                tex_coord: 0,
                extensions: None,
                extras: None,
            });
            let [r, g, b] = if material.picture.is_some() { [1.0; 3] } else { material.color };
            // A picture of levels says them itself.
            let factor = |level: f32| if material.levels.is_some() { 1.0 } else { level };
            let mode = match material.opacity {
                _ if material.masked => AlphaMode::Mask,
                Some(_) => AlphaMode::Blend,
                None => AlphaMode::Opaque,
            };
            let alpha = material.opacity.unwrap_or(1.0);
            self.root.materials.push(gltf_json::Material {
                name: Some(material.name.clone()),
                alpha_mode: Checked::Valid(mode),
                double_sided: material.two_sided,
                normal_texture,
                pbr_metallic_roughness: PbrMetallicRoughness {
                    base_color_factor: PbrBaseColorFactor([r, g, b, alpha]),
                    base_color_texture,
                    metallic_roughness_texture,
                    metallic_factor: StrengthFactor(factor(material.metallic)),
                    roughness_factor: StrengthFactor(factor(material.roughness)),
                    ..PbrMetallicRoughness::default()
                },
                ..gltf_json::Material::default()
            });
        }
    }

    /// A picture as a texture; materials that have the same one share it.
    fn texture(&mut self, png: &Arc<[u8]>, name: &str) -> gltf_json::texture::Info {
        let index = match self.textures.get(&png.as_ptr()).map(|(_, index)| *index) {
            Some(index) => index,
            None => {
                let view = self.view(png, None);
                let source = self.root.push(gltf_json::Image {
                    buffer_view: Some(view),
                    mime_type: Some(gltf_json::image::MimeType("image/png".to_owned())),
                    name: Some(name.to_owned()),
                    uri: None,
                    extensions: None,
                    extras: None,
                });
                let made = self.root.push(gltf_json::Texture {
                    name: None,
                    sampler: None,
                    source,
                    extensions: None,
                    extras: None,
                });
                self.textures.insert(png.as_ptr(), (png.clone(), made));
                made
            }
        };
        gltf_json::texture::Info { index, tex_coord: 0, extensions: None, extras: None }
    }

    fn joints(&mut self, mesh: &Mesh) -> Result<Vec<Index<Node>>> {
        let mut joints: Vec<Index<Node>> = Vec::new();
        for (at, bone) in mesh.bones.iter().enumerate() {
            let node = self.root.push(placed(&bone.rest, &bone.name));
            joints.push(node);
            if let Some(parent) = bone.parent {
                let parent = joints.get(parent).filter(|_| parent < at).ok_or_else(|| {
                    Error::invalid(format!(
                        "bone {at} hangs on bone {parent}, which is not before it"
                    ))
                })?;
                let children = &mut self.root.nodes[parent.value()].children;
                children.get_or_insert_default().push(node);
            }
        }
        Ok(joints)
    }

    fn skin(&mut self, mesh: &Mesh, joints: &[Index<Node>]) -> Result<Index<gltf_json::Skin>> {
        let mut whole: Vec<Affine> = Vec::new();
        let mut inverse = Vec::new();
        for bone in &mesh.bones {
            let own = Affine::of(&bone.rest);
            let placed = match bone.parent.and_then(|parent| whole.get(parent)) {
                Some(parent) => parent.then(&own),
                None => own,
            };
            let Some(back) = placed.inverse() else {
                let name = &bone.name;
                return Err(Error::invalid(format!("bone {name} has no size: it can't be undone")));
            };
            inverse.push(back.columns());
            whole.push(placed);
        }
        let matrices = self.floats(&inverse, None, false);
        Ok(self.root.push(gltf_json::Skin {
            inverse_bind_matrices: Some(matrices),
            joints: joints.to_vec(),
            name: None,
            skeleton: None,
            extensions: None,
            extras: None,
        }))
    }

    fn animation(
        &mut self,
        animation: &Animation,
        mesh: &Mesh,
        joints: &[Index<Node>],
        holders: &[Index<Node>],
    ) -> Result<()> {
        let mut made = gltf_json::Animation {
            name: Some(animation.name.clone()),
            channels: Vec::new(),
            samplers: Vec::new(),
            extensions: None,
            extras: None,
        };
        for track in &animation.tracks {
            let Some(joint) = joints.get(track.bone) else { continue };
            let keys = track.translations.iter().map(|(time, v)| (*time, position(*v)));
            self.channel(&mut made, *joint, Property::Translation, keys.collect());
            let mut before: Option<[f32; 4]> = None;
            let keys = track.rotations.iter().map(|(time, q)| {
                // The shorter way round.
                let mut q = quaternion(*q);
                if before.is_some_and(|b| (0..4).map(|at| b[at] * q[at]).sum::<f32>() < 0.0) {
                    q = q.map(|number| -number);
                }
                before = Some(q);
                (*time, q)
            });
            self.channel(&mut made, *joint, Property::Rotation, keys.collect());
            let keys = track.scales.iter().map(|(time, v)| (*time, direction(*v)));
            self.channel(&mut made, *joint, Property::Scale, keys.collect());
        }
        if !animation.frames.is_empty() {
            let seconds = animation.frame_seconds;
            let times: Vec<_> =
                (0..animation.frames.len()).map(|frame| [frame as f32 * seconds]).collect();
            for (lod, holder) in mesh.lods.iter().zip(holders) {
                let count = lod.morphs.len();
                if count == 0 {
                    continue;
                }
                let input = self.floats(&times, None, true);
                let mut weights = vec![[0.0]; times.len() * count];
                for (row, frame) in animation.frames.iter().enumerate() {
                    if let Some(morph) = (*frame as usize).checked_sub(1).filter(|m| *m < count) {
                        weights[row * count + morph] = [1.0];
                    }
                }
                let output = self.floats(&weights, None, false);
                add_channel(&mut made, *holder, Property::MorphTargetWeights, input, output);
            }
        }
        if !made.channels.is_empty() {
            self.root.animations.push(made);
        }
        Ok(())
    }

    fn channel<const N: usize>(
        &mut self,
        made: &mut gltf_json::Animation,
        node: Index<Node>,
        property: Property,
        mut keys: Vec<(f32, [f32; N])>,
    ) {
        // Times must rise.
        let mut last = -1.0_f32;
        keys.retain(|(time, row)| {
            let rises = *time > last && time.is_finite() && row.iter().all(|n| n.is_finite());
            last = if rises { *time } else { last };
            rises
        });
        if keys.is_empty() {
            return;
        }
        let (times, rows): (Vec<_>, Vec<_>) =
            keys.into_iter().map(|(time, row)| ([time], row)).unzip();
        let input = self.floats(&times, None, true);
        let output = self.floats(&rows, None, false);
        add_channel(made, node, property, input, output);
    }
}

fn add_channel(
    made: &mut gltf_json::Animation,
    node: Index<Node>,
    property: Property,
    input: Index<Accessor>,
    output: Index<Accessor>,
) {
    let sampler = Index::push(
        &mut made.samplers,
        Sampler {
            input,
            output,
            interpolation: Checked::Valid(Interpolation::Linear),
            extensions: None,
            extras: None,
        },
    );
    made.channels.push(Channel {
        sampler,
        target: Target { node, path: Checked::Valid(property), extensions: None, extras: None },
        extensions: None,
        extras: None,
    });
}

pub(super) fn placed(place: &MeshPlacement, name: &str) -> Node {
    let plain = MeshPlacement::default();
    Node {
        name: Some(name.to_owned()),
        translation: (place.translation != plain.translation).then(|| position(place.translation)),
        rotation: (place.rotation != plain.rotation)
            .then(|| UnitQuaternion(quaternion(place.rotation))),
        scale: (place.scale != plain.scale).then(|| direction(place.scale)),
        ..Node::default()
    }
}

const _: () = assert!(INFLUENCES == 8, "two sets of four");
