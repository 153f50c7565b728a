//! Sockets of UE1 and UE2: the bone that holds a weapon, and tags of bones.

use std::collections::{HashMap, HashSet};

use super::matrix::MatrixRows;
use super::shape::{Mesh, MeshPlacement, Socket};
use super::source::MeshSource;
use crate::object::geometry::Coords;
use crate::object::{ue1, ue2};
use crate::package::native_as;

/// The name of the one socket of UE1, which has none. C++: `WeaponBoneIndex`.
const WEAPON: &str = "Weapon";

/// Gives a mesh its sockets, if its class is of UE1 or UE2.
pub(super) fn add(source: &MeshSource<'_>, mesh: &mut Mesh) {
    let mut found = ClassicSockets::default();
    if let Some(stored) = native_as::<ue1::SkeletalMesh>(source.body) {
        // -1 where it holds none.
        if let Ok(bone) = usize::try_from(stored.weapon_bone_index) {
            let bone = Some(bone).filter(|bone| *bone < mesh.bones.len());
            found.add(WEAPON.to_owned(), bone, &stored.weapon_adjust);
        }
    } else if let Some(stored) = native_as::<ue2::SkeletalMesh>(source.body) {
        let bones = mesh.bones.iter().enumerate().rev();
        let bones: HashMap<_, _> = bones.map(|(at, bone)| (bone.name.to_lowercase(), at)).collect();
        let mut seen = HashSet::new();
        let tags = stored.attach_aliases.iter().zip(&stored.attach_bones);
        let tags = tags.zip(&stored.attach_coords);
        found.unread = stored.attach_aliases.len() - tags.len();
        for ((name, bone), coords) in tags {
            let name = source.name_text(*name);
            // The engine takes the first of a name.
            if seen.insert(name.to_lowercase()) {
                let bone = bones.get(&source.name_text(*bone).to_lowercase()).copied();
                found.add(name, bone, coords);
            }
        }
    }
    found.add_to(mesh);
}

/// The sockets so far.
#[derive(Default)]
struct ClassicSockets {
    list: Vec<Socket>,
    /// Of bones that the mesh has not.
    boneless: usize,
    /// Whose axes are no rotation, or that have none.
    unread: usize,
    turned: usize,
}

impl ClassicSockets {
    fn add(&mut self, name: String, bone: Option<usize>, coords: &Coords) {
        match (bone, MatrixRows::of_coords(coords).placement()) {
            (None, _) => self.boneless += 1,
            (_, None) => self.unread += 1,
            (Some(bone), Some(place)) => {
                self.turned += usize::from(place.rotation != MeshPlacement::default().rotation);
                self.list.push(Socket { name, bone: Some(bone), place });
            }
        }
    }

    fn add_to(self, mesh: &mut Mesh) {
        let mut note = |count: usize, what: &str| {
            if count > 0 {
                mesh.notes.push(format!("{what}: {count}"));
            }
        };
        note(self.boneless, "sockets of bones that it has not, left out");
        note(self.unread, "sockets without a place that is read, left out");
        // Axes point somewhere in the space of the bone: that is what coordinate systems of these engines mean elsewhere.
        note(self.turned, "sockets that are turned, as no known file shows it");
        mesh.sockets.extend(self.list);
    }
}
