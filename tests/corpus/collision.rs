//! Collision shapes of meshes, beside what engines have computed of them: boxes, faces, volumes, other forms of the same shape.

use std::collections::BTreeMap;
use std::path::Path;

use unreal_packages::inspect::PackageValues;
use unreal_packages::mesh::{CollisionForm, Mesh, MeshOptions, PackageMeshes};
use unreal_packages::object::ue4::asset::body_setup::BodySetup;
use unreal_packages::object::ue4::asset::cooked_shape::body::BodyShapes;
use unreal_packages::object::ue4::asset::cooked_shape::chaos::ChaosShape;
use unreal_packages::object::ue4::asset::cooked_shape::part::ShapeBounds;
use unreal_packages::object::{ue2, ue3, ue4};
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::ObjectRef;
use unreal_packages::version::UnrealVersions;

use crate::folders::corpus;
use crate::meshes::{every_package, validate};
use crate::solids::{
    Corners, bounds, box_corners, corners, extent, is_closed, is_same, is_within, placed, used,
    volume,
};
use crate::terrains::One;

fn made(package: &Package, row: usize) -> Option<Mesh> {
    let options = MeshOptions { collision: true, ..MeshOptions::default() };
    package.mesh(row, &options).ok()
}

/// The object that a mesh names as its body.
fn body(package: &Package, row: usize) -> Option<usize> {
    let decoded = package.decode(row).unwrap();
    let body = &decoded.body;
    let late = native_as::<ue4::asset::static_mesh::StaticMesh>(body).map(|it| it.body_setup);
    let early = || native_as::<ue3::asset::static_mesh::StaticMesh>(body).map(|it| it.body_setup);
    match late.or_else(early)?.target() {
        ObjectRef::Export(row) => Some(row),
        _ => None,
    }
}

/// The numbers of a value: one, those of a vector, or of a list.
fn numbers(package: &Package, row: usize, path: &str) -> Option<Vec<f64>> {
    let text = package.values().property(&format!("#{row}"), path).ok()?.text;
    let number = |part: &str| part.rsplit('=').next().unwrap().trim_matches(['(', ')']).parse();
    Some(text.split(',').map(|part| number(part).unwrap()).collect())
}

/// Points and faces.
type Hull<'a> = (&'a [[f32; 3]], &'a [[u32; 3]]);

fn convexes(mesh: &Mesh) -> Vec<Hull<'_>> {
    (mesh.collision.iter())
        .filter_map(|shape| match &shape.form {
            CollisionForm::Convex { points, triangles } => Some((&points[..], &triangles[..])),
            _ => None,
        })
        .collect()
}

#[derive(Debug, Default)]
struct Seen {
    meshes: usize,
    boxes: usize,
    spheres: usize,
    capsules: usize,
    convexes: usize,
    /// Hulls whose points have the box that is stored.
    elem_boxes: usize,
    /// Hulls with stored faces, which are closed and around the volume of the hull that is computed.
    stored_faces: usize,
    /// Shapes that the mesh is around.
    within: usize,
    around: usize,
    /// Hulls that were cooked, of the same box and volume.
    cooked: usize,
    wrong: Vec<String>,
}

impl Seen {
    fn count(&mut self, mesh: &Mesh) {
        self.meshes += usize::from(!mesh.collision.is_empty());
        for shape in &mesh.collision {
            *match shape.form {
                CollisionForm::Box { .. } => &mut self.boxes,
                CollisionForm::Sphere { .. } => &mut self.spheres,
                CollisionForm::Capsule { .. } => &mut self.capsules,
                CollisionForm::Convex { .. } => &mut self.convexes,
            } += 1;
            if shape.bone.is_none() {
                let is_within = is_within(&extent(shape), &bounds(&mesh.lods[0]), 0.02);
                *if is_within { &mut self.within } else { &mut self.around } += 1;
            }
        }
    }

    fn hulls(&mut self, package: &Package, row: usize, mesh: &Mesh, place: &str) {
        let convexes = convexes(mesh);
        let mut stored = 0;
        while numbers(package, row, &format!("AggGeom.ConvexElems[{stored}].ElemBox")).is_some() {
            stored += 1;
        }
        if stored != convexes.len() {
            self.wrong.push(format!(
                "{place}: {} hulls of {stored}: {:?}",
                convexes.len(),
                mesh.notes
            ));
            return;
        }
        for (at, (points, triangles)) in convexes.into_iter().enumerate() {
            let of =
                |name: &str| numbers(package, row, &format!("AggGeom.ConvexElems[{at}].{name}"));
            let elem_box = of("ElemBox").unwrap();
            let elem_box = [0, 3].map(|at| std::array::from_fn(|axis| elem_box[at + axis]));
            match is_same(&corners(used(points, triangles)), &elem_box, 1e-4) {
                true => self.elem_boxes += 1,
                false => self.wrong.push(format!("{place} {at}: another box than {elem_box:?}")),
            }
            let own = CollisionForm::convex_hull(points.to_vec()).unwrap();
            let CollisionForm::Convex { triangles: own, .. } = own else { panic!() };
            let (own_volume, volume) = (volume(points, &own), volume(points, triangles));
            let is_fine = is_closed(&own) && own_volume > 0.0;
            let is_like = (own_volume - volume).abs() <= own_volume * 3e-3;
            if !is_fine || !is_like || !is_closed(triangles) {
                self.wrong.push(format!(
                    "{place} {at}: volume {volume}, computed {own_volume}, closed {} {}",
                    is_closed(triangles),
                    is_closed(&own)
                ));
            } else if of("FaceTriData").or(of("IndexData")).is_some_and(|faces| faces.len() > 3) {
                self.stored_faces += 1;
            }
        }
    }

    /// What was cooked from the same elements.
    fn cooked(&mut self, package: &Package, row: usize, mesh: &Mesh, place: &str) {
        let decoded = package.decode(row).unwrap();
        let Some(stored) = native_as::<BodySetup>(&decoded.body) else { return };
        let own = convexes(mesh);
        for shapes in stored.formats.0.iter().filter_map(|(_, bulk)| bulk.shapes.as_deref()) {
            let cooked: Vec<(Corners, f64)> = match shapes {
                BodyShapes::Physx(shapes) => {
                    let hulls = shapes.convexes.iter().filter_map(|hull| hull.0.as_deref());
                    hulls.map(|hull| (two(&hull.bounds), hull.mass.into())).collect()
                }
                BodyShapes::Chaos(shapes) => {
                    let hull = |shape: &ChaosShape| match shape {
                        ChaosShape::Convex(hull) => Some((two(&hull.bounds), hull.volume.into())),
                        _ => None,
                    };
                    shapes.convexes.iter().filter_map(|it| hull(it.shape.as_ref()?)).collect()
                }
            };
            if cooked.len() != own.len() {
                self.wrong.push(format!("{place}: {} cooked, {} own", cooked.len(), own.len()));
                continue;
            }
            for ((bounds, mass), (points, triangles)) in cooked.iter().zip(&own) {
                let volume = volume(points, triangles);
                let is_like = (volume - mass).abs() <= volume * 0.02;
                match is_like && is_same(&corners(used(points, triangles)), bounds, 0.01) {
                    true => self.cooked += 1,
                    false => self.wrong.push(format!("{place}: {mass} cooked, {volume} own")),
                }
            }
        }
    }
}

fn two(bounds: &ShapeBounds) -> Corners {
    [&bounds.min, &bounds.max].map(|corner| [corner.x, corner.y, corner.z].map(f64::from))
}

fn look(name: &str, package: &Package, seen: &mut BTreeMap<&'static str, Seen>) {
    for row in 0..package.exports().len() {
        let class = package.exports().get(row).unwrap().class();
        if !class.ends_with("StaticMesh") || !package.is_mesh(row).unwrap() {
            continue;
        }
        let Some(mesh) = made(package, row) else { continue };
        let engine = match package.versions().ue4() {
            _ if package.versions().ue5() > 0 => "UE5",
            1.. => "UE4",
            0 if package.versions().file() < 200 => "UE2",
            0 => "UE3",
        };
        let seen = seen.entry(engine).or_default();
        seen.count(&mesh);
        if let Some(body) = body(package, row) {
            let place = format!("{name} {}", package.exports().path(row));
            seen.hulls(package, body, &mesh, &place);
            seen.cooked(package, body, &mesh, &place);
        }
    }
}

pub fn shapes_are_those_that_engines_have_measured() {
    let mut seen = BTreeMap::new();
    for path in every_package() {
        let Ok(package) = Package::open(&path) else { continue };
        look(&path.display().to_string(), &package, &mut seen);
    }
    println!("{seen:#?}");
    assert!(seen.values().all(|seen| seen.wrong.is_empty()));
    let [ue2, ue3, ue4, ue5] = ["UE2", "UE3", "UE4", "UE5"].map(|engine| &seen[engine]);
    assert!(ue2.convexes >= 6 && ue2.within == ue2.convexes);
    // One of a console's is larger than its mesh.
    assert!(ue3.elem_boxes >= 42 && ue3.stored_faces >= 42 && ue3.within >= 41);
    assert!(ue4.elem_boxes >= 29 && ue4.cooked >= 6 && ue4.within >= 32);
    assert!(ue4.boxes >= 6 && ue4.spheres >= 2);
    assert!(ue5.elem_boxes >= 3 && ue5.stored_faces >= 3);
}

pub fn shapes_of_containers_are_within_their_meshes() {
    let mut seen = BTreeMap::new();
    crate::containers::fixtures(|_| true, &mut |name, package| look(name, &package, &mut seen));
    println!("{seen:#?}");
    let seen = &seen["UE5"];
    assert!(seen.boxes >= 2 && seen.within == seen.boxes && seen.wrong.is_empty());
}

/// What a physics engine is given, the model that everything else collides with, and a box of a bone: of one body.
pub fn shapes_of_ue2_are_those_of_their_models_and_bones() {
    let mut models = 0;
    let package =
        Package::open(corpus().join("wild/classic/126_29_X_MiscPhysicsMeshes.usx")).unwrap();
    for row in 0..package.exports().len() {
        let decoded = package.decode(row).unwrap();
        let Some(stored) = native_as::<ue2::StaticMesh>(&decoded.body) else { continue };
        let mesh = made(&package, row).unwrap();
        let ObjectRef::Export(model) = stored.collision_model.target() else { panic!() };
        let model = package.mesh(model, &MeshOptions::default()).unwrap();
        // The model says the same as the convex hull, and is left out.
        let [shape] = &mesh.collision[..] else { panic!("{:?}", mesh.collision) };
        assert!(is_same(&extent(shape), &bounds(&model.lods[0]), 1e-4));
        assert!(mesh.notes.is_empty(), "{:?}", mesh.notes);
        models += 1;
    }
    let package = Package::open(corpus().join("classic/128_29_U_AtariTank_rc.u")).unwrap();
    let row = package.find_export("AtariTankMesh").unwrap();
    let mesh = made(&package, row).unwrap();
    let [shape, whole] = &mesh.collision[..] else { panic!("{:?}", mesh.collision) };
    let mut points = box_corners(shape);
    let mut bone = shape.bone;
    while let Some(at) = bone {
        points.iter_mut().for_each(|point| *point = placed(&mesh.bones[at].rest, *point));
        bone = mesh.bones[at].parent;
    }
    points.iter_mut().for_each(|point| *point = placed(&mesh.placement, *point));
    // The box of the bone is in the units of the mesh, that of the whole mesh in those of the physics engine.
    assert_eq!(whole.bone, None);
    assert!(is_same(&corners(points.iter()), &corners(box_corners(whole).iter()), 1e-6));
    println!("{models} models, a box {:?}", corners(points.iter()));
    assert_eq!(models, 2);
}

/// The bodies of a physics asset in another package are around the vertices that move with their bones.
pub fn shapes_of_bones_are_around_their_vertices() {
    let modern = corpus().join("modern");
    let package = Package::open(modern.join("482_0_Cannon_Export_base.uasset")).unwrap();
    let row = (0..package.exports().len()).find(|row| package.is_mesh(*row).unwrap()).unwrap();
    let alone = made(&package, row).unwrap();
    assert!(alone.collision.is_empty());
    let asset = modern.join("482_0_Cannon_Export_base_base_PhysicsAsset.uasset");
    let asset = One(Package::open(asset).unwrap());
    let options = MeshOptions { objects: Some(&asset), collision: true, ..MeshOptions::default() };
    let mesh = package.mesh(row, &options).unwrap();
    let [shape] = &mesh.collision[..] else { panic!("{:?}", mesh.collision) };
    let CollisionForm::Capsule { radius, length } = &shape.form else { panic!("{shape:?}") };
    let ends = [length / 2.0, -length / 2.0, length / 2.0 + radius];
    let mut points = ends.map(|end| placed(&shape.place, [0.0, 0.0, end]));
    let mut bone = shape.bone;
    while let Some(at) = bone {
        points = points.map(|point| placed(&mesh.bones[at].rest, point));
        bone = mesh.bones[at].parent;
    }
    // Bones of this mesh have sizes: the radius is that from an end of the middle part to that of the capsule.
    let [first, last, tip] = points;
    let radius = (0..3).map(|axis| (tip[axis] - first[axis]).powi(2)).sum::<f32>().sqrt();
    let around = [-radius, radius].map(|by| [first, last].map(|end| end.map(|side| side + by)));
    let around = corners(around.iter().flatten());
    let lod = &mesh.lods[0];
    let own = lod.influences.iter().zip(&lod.positions);
    let own = own.filter(|(influences, _)| Some(usize::from(influences.bones[0])) == shape.bone);
    let own: Vec<_> = own.map(|(_, position)| *position).collect();
    println!("{} vertices {:?} within {around:?}", own.len(), corners(own.iter()));
    assert!(own.len() >= 330 && is_within(&corners(own.iter()), &around, 0.0));
    // It is no box around anything: as wide as they are up to a twentieth.
    let wide = |corners: &Corners| corners[1][0] - corners[0][0];
    assert!(wide(&around) < wide(&corners(own.iter())) * 1.05);
}

pub fn shapes_are_files_without_errors() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("collision");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut written: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for path in every_package() {
        let Ok(package) = Package::open(&path) else { continue };
        for row in 0..package.exports().len() {
            if !package.is_mesh(row).unwrap() {
                continue;
            }
            let Some(mesh) = made(&package, row).filter(|mesh| !mesh.collision.is_empty()) else {
                continue;
            };
            let mut triangles = mesh.lods[0].triangle_count();
            triangles += (mesh.collision.iter())
                .map(|shape| match &shape.form {
                    CollisionForm::Box { .. } => 12,
                    CollisionForm::Sphere { .. } => 2 * 16 * 7,
                    CollisionForm::Capsule { .. } => 2 * 16 * 8,
                    CollisionForm::Convex { triangles, .. } => triangles.len(),
                })
                .sum::<usize>();
            let name = format!("{:04}.glb", written.len());
            std::fs::write(folder.join(&name), mesh.to_glb().unwrap()).unwrap();
            let place = format!("{} {}", path.display(), package.exports().path(row));
            written.insert(name, (place, triangles));
        }
    }
    let said = validate(&folder);
    for (name, (place, triangles)) in &written {
        let report = &said[name];
        assert_eq!(report["errors"].as_array().map(Vec::len), Some(0), "{place}: {report}");
        assert_eq!(report["triangles"].as_u64(), Some(*triangles as u64), "{place}");
    }
    println!("{} files", written.len());
    assert!(written.len() > 50);
}
