//! Sockets of UE3 to UE5: objects of their own, which a list of the mesh or its skeleton names.

use super::material::MeshOptions;
use super::numbers::{rotation, rotation_degrees};
use super::shape::{Bone, Mesh, MeshPlacement, Socket};
use super::source::{MeshSource, value};
use crate::package::Package;
use crate::primitive::ObjectRef;
use crate::property::{Elements, PropertyList, Value};
use crate::version::{Engine, UnrealVersions};

/// Gives a mesh its sockets, and those of its skeleton of which it has none of the name.
pub(super) fn add(source: &MeshSource<'_>, mesh: &mut Mesh, options: &MeshOptions<'_>) {
    let package = source.package;
    let mut lost = of_list(package, source.value("Sockets"), mesh);
    if let Some(Value::Object(skeleton)) = source.value("Skeleton") {
        let elsewhere = match skeleton.target() {
            ObjectRef::Import(_) => {
                options.objects.and_then(|objects| objects.find(package, *skeleton))
            }
            _ => None,
        };
        let (package, row) = match (&elsewhere, skeleton.target()) {
            (Some((other, row)), _) => (other, Some(*row)),
            (None, ObjectRef::Export(row)) => (package, Some(row)),
            _ => (package, None),
        };
        if let Some(row) = row
            && let Ok(decoded) = package.decode(row)
            && let Some(list) = decoded.body.lists().next()
        {
            lost += of_list(package, value(package, list, "Sockets"), mesh);
        }
    }
    if lost > 0 {
        mesh.notes.push(format!("sockets of bones that it has not: {lost}, left out"));
    }
}

/// Adds the sockets of a list; how many are of bones that the mesh has not.
fn of_list(package: &Package, sockets: Option<&Value>, mesh: &mut Mesh) -> usize {
    let Some(Value::Array(Elements::Object(sockets))) = sockets else { return 0 };
    let mut lost = 0;
    for index in sockets {
        let ObjectRef::Export(row) = index.target() else { continue };
        let Ok(decoded) = package.decode(row) else { continue };
        let Some(list) = decoded.body.lists().next() else { continue };
        let name = text(package, list, "SocketName").unwrap_or_else(|| package.object_name(*index));
        if mesh.sockets.iter().any(|known| known.name.eq_ignore_ascii_case(&name)) {
            continue;
        }
        // Those of static meshes name no bone.
        let bone = match text(package, list, "BoneName") {
            None => None,
            Some(bone) => {
                let is = |known: &Bone| known.name.eq_ignore_ascii_case(&bone);
                let Some(at) = mesh.bones.iter().position(is) else {
                    lost += 1;
                    continue;
                };
                Some(at)
            }
        };
        mesh.sockets.push(Socket { name, bone, place: place(package, list) });
    }
    lost
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
    if let Some([pitch, yaw, roll]) = three("RelativeRotation") {
        placed.rotation = match package.versions().engine() {
            Engine::Ue3 => rotation(pitch as i32, yaw as i32, roll as i32),
            _ => rotation_degrees(pitch as f32, yaw as f32, roll as f32),
        };
    }
    if let Some(scale) = three("RelativeScale") {
        placed.scale = scale.map(|number| number as f32);
    }
    placed
}
