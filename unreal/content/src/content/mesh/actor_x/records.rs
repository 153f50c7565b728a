//! Records of the chunks.

use farchive::Archived;

use super::padded_text::PaddedText;

/// A corner that triangles share: a point with texture coordinates and a material.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ActorXWedge {
    /// 16 bits in files of old exporters, which leave the other bits as they find them.
    pub point: u32,
    /// Texture coordinates: to the right, downwards.
    pub uv: [f32; 2],
    /// Number of its material.
    pub material: u8,
    /// Nothing.
    pub reserved: u8,
    /// Nothing; anything in files of old exporters.
    pub padding: u16,
}

/// A triangle whose wedges have numbers of the type `I`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ActorXFace<I> {
    /// Numbers of its wedges.
    pub wedges: [I; 3],
    /// Number of its material.
    pub material: u8,
    /// Nothing is known to use it.
    pub second_material: u8,
    /// Triangles that share a bit look smooth together.
    pub smoothing_groups: u32,
}

/// A material.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ActorXMaterial {
    /// Its name, by which importers look for a texture.
    pub name: PaddedText<64>,
    /// Number of its texture.
    pub texture: u32,
    /// Flags of polygons.
    pub flags: u32,
    /// Nothing is known to use it.
    pub second_material: u32,
    /// Nothing is known to use it.
    pub second_flags: u32,
    /// How much earlier coarser levels of detail come.
    pub lod_bias: u32,
    /// Which levels of detail there are.
    pub lod_style: u32,
}

/// A bone at rest.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ActorXBone {
    /// Its name.
    pub name: PaddedText<64>,
    /// Nothing is known to use them.
    pub flags: u32,
    /// Bones that hang on it.
    pub children: u32,
    /// Of the root 0.
    pub parent: u32,
    /// Of bones but the root the other way round.
    pub rotation: [f32; 4],
    /// Where it is, from its parent.
    pub translation: [f32; 3],
    /// Its length; 0 where nobody has said it.
    pub length: f32,
    /// Its size; 0 likewise.
    pub size: [f32; 3],
}

/// How strongly a bone moves a point.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ActorXWeight {
    /// The share of the bone: those of a point add up to 1.
    pub weight: f32,
    /// Number of the point.
    pub point: u32,
    /// Number of the bone.
    pub bone: u32,
}

/// A morph: the next points of `MRPHDATA`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ActorXMorph {
    /// Its name.
    pub name: PaddedText<64>,
    /// Points that it moves.
    pub points: u32,
}

/// A point that a morph moves. Unlike all else these stand in Unreal's axes.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ActorXMorphPoint {
    /// How far the point goes.
    pub moved: [f32; 3],
    /// How far its normal goes.
    pub normal: [f32; 3],
    /// Number of the point.
    pub point: u32,
}

/// An animation.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ActorXSequence {
    /// Its name.
    pub name: PaddedText<64>,
    /// A group of animations; `None` for none.
    pub group: PaddedText<64>,
    /// Bones that it moves.
    pub bones: u32,
    /// Nothing is known to use it.
    pub root_include: u32,
    /// How importers are to pack it.
    pub compression: u32,
    /// Its keys: frames times bones.
    pub keys: u32,
    /// How many keys importers are to keep.
    pub reduction: f32,
    /// Its length in frames.
    pub duration: f32,
    /// Frames of a second.
    pub rate: f32,
    /// Number of the first bone that it moves.
    pub start_bone: u32,
    /// Number of its first frame, of those of all animations.
    pub first_frame: u32,
    /// Its frames.
    pub frames: u32,
}

/// Where a bone is in a frame.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ActorXKey {
    /// Where the bone is, from its parent.
    pub translation: [f32; 3],
    /// How it is turned: of bones but the root the other way round.
    pub rotation: [f32; 4],
    /// Frames until the next key: 1.
    pub time: f32,
}

/// The size of a bone in a frame.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ActorXScaleKey {
    /// The size.
    pub scale: [f32; 3],
    /// Frames until the next key: 1.
    pub time: f32,
}
