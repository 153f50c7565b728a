//! Sockets of UE3 to UE5: objects of their own, which a list of the mesh or its skeleton names.

use std::collections::{HashMap, HashSet};

use super::material::MeshOptions;
use super::numbers::{rotation, rotation_degrees};
use super::shape::{Mesh, MeshPlacement, Socket};
use super::source::{MeshSource, class_name, value};
use crate::object::ue4::asset::static_mesh::StaticMesh;
use crate::package::{Package, native_as};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{Elements, PropertyList, Value};

/// Gives a mesh its sockets, and those of its skeleton of which it has none of the name.
pub(super) fn add(source: &MeshSource<'_>, mesh: &mut Mesh, options: &MeshOptions<'_>) {
    let package = source.package;
    let mut found = Sockets::of(mesh);
    match source.value("Sockets") {
        Some(Value::Array(Elements::Object(sockets))) => found.add(package, sockets),
        _ => {
            if let Some(stored) = native_as::<StaticMesh>(source.body) {
                found.add(package, &stored.sockets);
            }
        }
    }
    let mut missing = None;
    if let Some(Value::Object(skeleton)) = source.value("Skeleton") {
        match skeleton.target() {
            ObjectRef::Null => {}
            ObjectRef::Export(row) => found.add_of_skeleton(package, row),
            ObjectRef::Import(_) => {
                match options.objects.and_then(|objects| objects.find(package, *skeleton)) {
                    Some((other, row)) => found.add_of_skeleton(&other, row),
                    None => missing = Some(package.path(*skeleton)),
                }
            }
        }
    }
    let Sockets { list, boneless, unread, .. } = found;
    mesh.sockets = list;
    if boneless > 0 {
        mesh.notes.push(format!("sockets of bones that it has not: {boneless}, left out"));
    }
    if unread > 0 {
        mesh.notes.push(format!("sockets that are not here or not decoded: {unread}, left out"));
    }
    if let Some(path) = missing {
        mesh.notes
            .push(format!("its skeleton is not at hand, nor are the sockets of that: {path}"));
    }
}

/// The sockets so far.
struct Sockets {
    bones: HashMap<String, usize>,
    names: HashSet<String>,
    list: Vec<Socket>,
    /// Of bones that the mesh has not.
    boneless: usize,
    unread: usize,
}

impl Sockets {
    fn of(mesh: &Mesh) -> Self {
        let bones = mesh.bones.iter().enumerate().rev();
        let bones = bones.map(|(at, bone)| (bone.name.to_lowercase(), at)).collect();
        Self { bones, names: HashSet::new(), list: Vec::new(), boneless: 0, unread: 0 }
    }

    /// Adds those that a skeleton lists.
    fn add_of_skeleton(&mut self, package: &Package, row: usize) {
        let Ok(decoded) = package.decode(row) else { return };
        let list = decoded.body.lists().next();
        let sockets = list.and_then(|list| value(package, list, "Sockets"));
        if let Some(Value::Array(Elements::Object(sockets))) = sockets {
            self.add(package, sockets);
        }
    }

    /// Adds those of a list.
    fn add(&mut self, package: &Package, sockets: &[PackageIndex]) {
        let mut seen = HashSet::new();
        for index in sockets.iter().filter(|index| !index.is_null() && seen.insert(index.value())) {
            let row = match index.target() {
                ObjectRef::Export(row) if class_name(package, row).ends_with("Socket") => Some(row),
                _ => None,
            };
            let decoded = row.and_then(|row| package.decode(row).ok());
            let list = decoded.as_ref().and_then(|decoded| decoded.body.lists().next());
            let Some(list) = list else {
                self.unread += 1;
                continue;
            };
            let name =
                text(package, list, "SocketName").unwrap_or_else(|| package.object_name(*index));
            if self.names.contains(&name.to_lowercase()) {
                continue;
            }
            // Those of static meshes name no bone.
            let bone = match text(package, list, "BoneName") {
                None => None,
                Some(bone) => match self.bones.get(&bone.to_lowercase()) {
                    Some(at) => Some(*at),
                    None => {
                        self.boneless += 1;
                        continue;
                    }
                },
            };
            self.names.insert(name.to_lowercase());
            self.list.push(Socket { name, bone, place: place(package, list) });
        }
    }
}

fn text(package: &Package, list: &PropertyList, name: &str) -> Option<String> {
    match value(package, list, name) {
        Some(Value::Name(name)) => Some(package.name_text(*name).to_string()),
        _ => None,
    }
}

fn place(package: &Package, list: &PropertyList) -> MeshPlacement {
    let three = |name| value(package, list, name).and_then(Value::three_numbers);
    let mut placed = MeshPlacement::default();
    if let Some(location) = three("RelativeLocation") {
        placed.translation = location.map(|number| number as f32);
    }
    let turn = value(package, list, "RelativeRotation");
    if let Some([pitch, yaw, roll]) = turn.and_then(Value::three_numbers) {
        // Degrees are no integers, which stand for 65536 a turn.
        placed.rotation = match turn {
            Some(Value::Float3(_) | Value::Double3(_)) => {
                rotation_degrees(pitch as f32, yaw as f32, roll as f32)
            }
            _ => rotation(pitch as i32, yaw as i32, roll as i32),
        };
    }
    if let Some(scale) = three("RelativeScale") {
        placed.scale = scale.map(|number| number as f32);
    }
    placed
}
