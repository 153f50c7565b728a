//! Collision shapes of UE2: those of a whole mesh are in the units of its physics engine, those of bones in the mesh's.

use std::collections::HashMap;

use super::collision_shape::CollisionForm;
use super::matrix::MatrixRows;
use super::shape::{Mesh, MeshPlacement};
use super::shape_list::ShapeList;
use super::source::MeshSource;
use crate::object::geometry::Vector;
use crate::object::ue2::{KMeshProps, SkeletalMesh};
use crate::package::native_as;
use crate::primitive::{Name, ObjectRef, PackageIndex};

/// Units of a length of the physics engine. C++: `K_ME2UScale`.
const UNITS: f32 = 50.0;

fn vector(v: &Vector) -> [f32; 3] {
    [v.x, v.y, v.z]
}

/// Adds the shapes that the physics engine is given for a mesh as a whole, in the space of its object.
pub(super) fn add(source: &MeshSource<'_>, props: PackageIndex, shapes: &mut ShapeList) {
    let decoded = match props.target() {
        ObjectRef::Null => return,
        ObjectRef::Export(row) => source.package.decode(row).ok(),
        ObjectRef::Import(_) => None,
    };
    let props = decoded.as_ref().and_then(|decoded| native_as::<KMeshProps>(&decoded.body));
    let Some(props) = props else {
        shapes.unread += 1;
        return;
    };
    let place = |matrix| MatrixRows::of(matrix).in_units(UNITS).placement();
    for sphere in &props.spheres {
        match place(&sphere.matrix) {
            Some(place) => {
                let form = CollisionForm::Sphere { radius: sphere.radius * UNITS };
                shapes.push(None, place, form);
            }
            None => shapes.unread += 1,
        }
    }
    for cuboid in &props.boxes {
        match place(&cuboid.matrix) {
            Some(place) => {
                let size = vector(&cuboid.size).map(|side| side * UNITS);
                shapes.push(None, place, CollisionForm::Box { size });
            }
            None => shapes.unread += 1,
        }
    }
    // No known file has one, which would show along which axis they stand.
    shapes.unread += props.cylinders.len();
    for convex in &props.convexes {
        let points = convex.points.iter().map(|point| vector(point).map(|side| side * UNITS));
        match place(&convex.matrix) {
            Some(place) => shapes.push_convex(None, place, points.collect(), &[]),
            None => shapes.unread += 1,
        }
    }
}

/// Adds the spheres and boxes of the bones of a skeletal mesh.
pub(super) fn add_of_bones(
    source: &MeshSource<'_>,
    stored: &SkeletalMesh,
    mesh: &Mesh,
    shapes: &mut ShapeList,
) {
    let bones = mesh.bones.iter().enumerate().rev();
    let bones: HashMap<_, _> = bones.map(|(at, bone)| (bone.name.to_lowercase(), at)).collect();
    let mut add_one = |bone: Name, offset: &Vector, form| match bones
        .get(&source.name_text(bone).to_lowercase())
    {
        Some(bone) => {
            let place = MeshPlacement { translation: vector(offset), ..MeshPlacement::default() };
            shapes.push(Some(*bone), place, form);
        }
        None => shapes.boneless += 1,
    };
    for sphere in &stored.spheres {
        add_one(sphere.bone, &sphere.offset, CollisionForm::Sphere { radius: sphere.radius });
    }
    for cuboid in &stored.boxes {
        let size = vector(&cuboid.radii).map(|half| half * 2.0);
        add_one(cuboid.bone, &cuboid.offset, CollisionForm::Box { size });
    }
    add(source, stored.karma_props, shapes);
    // Meshes in place of shapes: no known file has one.
    let others = stored.bone_meshes.iter().chain([&stored.collision_mesh]);
    shapes.unread += others.filter(|index| !index.is_null()).count();
}
