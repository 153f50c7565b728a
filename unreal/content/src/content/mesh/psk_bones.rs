//! Bones, axes and names of `.psk` and `.psa` files.

use std::collections::BTreeSet;

use super::actor_x::{ActorXBone, PaddedText};
use super::numbers::conjugated;
use super::shape::Bone;
use crate::error::{Error, Result};

/// How far a size is from 1 that is none.
const SCALED: f32 = 1e-3;

/// Y the other way.
pub(super) fn mirrored([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, -y, z]
}

/// A rotation of a bone as these files have it, and back.
pub(super) fn stored_rotation([x, y, z, w]: [f32; 4], is_root: bool) -> [f32; 4] {
    let turned = [-x, y, -z, w];
    if is_root { turned } else { conjugated(turned) }
}

/// Texts of 63 bytes, with those that were cut.
#[derive(Default)]
pub(super) struct CutNames {
    cut: BTreeSet<String>,
}

impl CutNames {
    pub fn put(&mut self, text: &str) -> PaddedText<64> {
        let (name, is_whole) = PaddedText::of(text);
        if !is_whole {
            self.cut.insert(text.to_owned());
        }
        name
    }

    pub fn note(self, notes: &mut Vec<String>) {
        notes.extend(self.cut.iter().map(|name| format!("the name {name} is cut to 63 bytes")));
    }
}

/// Bones as both kinds of files list them.
pub(super) fn bones(
    bones: &[Bone],
    names: &mut CutNames,
    notes: &mut Vec<String>,
) -> Result<Vec<ActorXBone>> {
    let mut children = vec![0_u32; bones.len()];
    let mut made = Vec::with_capacity(bones.len());
    let mut scaled = 0;
    for (at, bone) in bones.iter().enumerate() {
        let parent = match bone.parent {
            None if at == 0 => 0,
            Some(parent) if parent < at => {
                children[parent] += 1;
                parent as u32
            }
            parent => {
                let on = parent.map_or("no bone".to_owned(), |parent| format!("bone {parent}"));
                let name = &bone.name;
                return Err(Error::invalid(format!(
                    "bone {at} ({name}) hangs on {on}: the file has one root, and parents before their children"
                )));
            }
        };
        scaled += usize::from(bone.rest.scale.iter().any(|size| (size - 1.0).abs() > SCALED));
        made.push(ActorXBone {
            name: names.put(&bone.name),
            parent,
            rotation: stored_rotation(bone.rest.rotation, at == 0),
            translation: mirrored(bone.rest.translation),
            ..ActorXBone::default()
        });
    }
    for (bone, children) in made.iter_mut().zip(children) {
        bone.children = children;
    }
    if scaled > 0 {
        notes.push(format!("sizes of {scaled} bones at rest are left out"));
    }
    Ok(made)
}
