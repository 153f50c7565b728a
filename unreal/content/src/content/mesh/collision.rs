//! Where the collision shapes of a mesh are: objects of their own, which the mesh names.

use std::collections::{HashMap, HashSet};

use super::material::MeshOptions;
use super::shape::Mesh;
use super::shape_list::ShapeList;
use super::source::{MeshSource, class_name, value};
use super::{agg_geom, karma, model_hull};
use crate::object::ue3::asset::fractured_mesh::FracturedStaticMesh;
use crate::object::{ue2, ue3, ue4};
use crate::package::{Package, native_as};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{Elements, Value};

/// Gives a mesh its collision shapes, if they are asked for.
pub(super) fn add(source: &MeshSource<'_>, mesh: &mut Mesh, options: &MeshOptions<'_>) {
    if !options.collision {
        return;
    }
    let body = source.body;
    let mut shapes = ShapeList::default();
    let fractured = native_as::<FracturedStaticMesh>(body).map(|it| &it.base);
    if let Some(stored) = native_as::<ue2::StaticMesh>(body) {
        karma::add(source, stored.karma_props, &mut shapes);
        model_hull::add(source, stored.collision_model, &mut shapes);
    } else if let Some(stored) = native_as::<ue2::SkeletalMesh>(body) {
        karma::add_of_bones(source, stored, mesh, &mut shapes);
    } else if let Some(stored) =
        native_as::<ue3::asset::static_mesh::StaticMesh>(body).or(fractured)
    {
        add_body(source.package, stored.body_setup, None, &mut shapes);
    } else if let Some(stored) = native_as::<ue4::asset::static_mesh::StaticMesh>(body) {
        add_body(source.package, stored.body_setup, None, &mut shapes);
    } else {
        add_of_bones(source, mesh, options, &mut shapes);
    }
    shapes.add_to(mesh);
    if mesh.collision.is_empty() {
        mesh.notes.push("it has no simple collision shapes that are read".to_owned());
    }
}

/// Adds the shapes of a body, unless it is none; those of the bone that it names, where bones are given.
fn add_body(
    package: &Package,
    body: PackageIndex,
    bones: Option<&HashMap<String, usize>>,
    shapes: &mut ShapeList,
) {
    let row = match body.target() {
        ObjectRef::Null => return,
        ObjectRef::Export(row) if class_name(package, row).ends_with("BodySetup") => Some(row),
        _ => None,
    };
    let decoded = row.and_then(|row| package.decode(row).ok());
    let Some(list) = decoded.as_ref().and_then(|decoded| decoded.body.lists().next()) else {
        shapes.unread += 1;
        return;
    };
    let bone = match (bones, value(package, list, "BoneName")) {
        (None, _) => None,
        (Some(bones), Some(Value::Name(name))) => {
            match bones.get(&package.name_text(*name).to_lowercase()) {
                Some(bone) => Some(*bone),
                None => {
                    shapes.boneless += 1;
                    return;
                }
            }
        }
        (Some(_), _) => {
            shapes.boneless += 1;
            return;
        }
    };
    agg_geom::add(package, list, bone, shapes);
}

/// Adds the shapes of the bodies of a physics asset, which UE4 and UE5 call so; UE3 names it in components alone, but for
/// the one that bounds are computed with.
fn add_of_bones(
    source: &MeshSource<'_>,
    mesh: &mut Mesh,
    options: &MeshOptions<'_>,
    shapes: &mut ShapeList,
) {
    let asset = ["PhysicsAsset", "BoundsPreviewAsset"].iter().find_map(|name| source.value(name));
    let Some(Value::Object(asset)) = asset else { return };
    let package = source.package;
    let bones = mesh.bones.iter().enumerate().rev();
    let bones = bones.map(|(at, bone)| (bone.name.to_lowercase(), at)).collect();
    match asset.target() {
        ObjectRef::Null => {}
        ObjectRef::Export(row) => add_asset(package, row, &bones, shapes),
        ObjectRef::Import(_) => {
            match options.objects.and_then(|objects| objects.find(package, *asset)) {
                Some((other, row)) => add_asset(&other, row, &bones, shapes),
                None => {
                    let path = package.path(*asset);
                    mesh.notes.push(format!("its physics asset is not at hand: {path}"));
                }
            }
        }
    }
}

fn add_asset(
    package: &Package,
    row: usize,
    bones: &HashMap<String, usize>,
    shapes: &mut ShapeList,
) {
    let decoded = package.decode(row).ok();
    let Some(list) = decoded.as_ref().and_then(|decoded| decoded.body.lists().next()) else {
        shapes.unread += 1;
        return;
    };
    let bodies = ["SkeletalBodySetups", "BodySetup"];
    let bodies = bodies.iter().find_map(|name| value(package, list, name));
    let bodies = match bodies {
        None => return,
        Some(Value::Array(Elements::Object(bodies))) => bodies,
        Some(_) => {
            shapes.unread += 1;
            return;
        }
    };
    let mut seen = HashSet::new();
    for body in bodies.iter().filter(|body| seen.insert(body.value())) {
        add_body(package, *body, Some(bones), shapes);
    }
}
