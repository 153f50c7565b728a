//! Static meshes of UE4 and UE5 as they were imported, judged by what the editor has computed from them: bounds, and
//! numbers of triangles.

use std::collections::BTreeMap;
use std::sync::Arc;

use unreal_packages::archive::{Archived, Context, Loader, Saver};
use unreal_packages::inspect::{editor_payload, payload};
use unreal_packages::mesh::{Lod, MeshOptions, PackageMeshes};
use unreal_packages::object::ue4::asset::mesh_description::MeshDescription;
use unreal_packages::object::ue4::asset::small::MeshDescriptionBulkData;
use unreal_packages::object::ue4::asset::static_mesh::StaticMesh;
use unreal_packages::package::{Package, native_as};
use unreal_packages::property::{Elements, PropertyList, Value};
use unreal_packages::version::{UnrealVersions, custom};

use crate::meshes::{agreement, every_package};

/// A mesh description, as it is stored.
fn round_trip(package: &Package, bytes: &[u8], place: &str) -> MeshDescription {
    let mut stored = MeshDescription::default();
    let mut loader = Loader::new(bytes, package.versions().clone());
    stored.serialize(&mut loader).unwrap_or_else(|error| panic!("{place}: {error}"));
    loader.finish().unwrap_or_else(|error| panic!("{place}: {error}"));
    let context = Arc::new(Context::of(bytes.to_vec()));
    let mut saver = Saver::new(package.versions().clone()).with_context(context);
    stored.serialize(&mut saver).unwrap();
    assert!(saver.finish().unwrap() == bytes, "{place}");
    stored
}

pub fn mesh_descriptions_are_read_to_their_end_and_written_as_they_were() {
    let mut forms = BTreeMap::<&str, u32>::new();
    for path in every_package() {
        let Ok(package) = Package::open(&path) else { continue };
        if package.versions().ue4() < 517 {
            continue;
        }
        for row in 0..package.exports().len() {
            let decoded = package.decode(row).unwrap();
            let place = format!("{} {}", path.display(), package.exports().path(row));
            let class = package.exports().get(row).unwrap().class();
            if let Some(stored) = native_as::<MeshDescriptionBulkData>(&decoded.body) {
                let (bytes, _) = editor_payload(&package, &stored.bulk).unwrap();
                // Those of skeletal meshes have lists of values.
                if !bytes.is_empty() && class.ends_with(".StaticMeshDescriptionBulkData") {
                    assert!(!round_trip(&package, &bytes, &place).elements.is_empty());
                    *forms.entry("by kind").or_default() += 1;
                }
            }
            let editor = package.versions().custom(&custom::EDITOR);
            if let Some(stored) = native_as::<StaticMesh>(&decoded.body)
                && editor >= custom::editor::STATIC_MESH_DEPRECATED_RAW_MESH
            {
                for model in stored.source_models.iter().filter(|it| it.bulk.element_count > 0) {
                    let (bytes, _) = payload(&package, &model.bulk).unwrap();
                    let stored = round_trip(&package, &bytes, &place).fixed;
                    let form = match stored.triangles.elements.is_empty() {
                        true => "polygons",
                        false => "triangles",
                    };
                    *forms.entry(form).or_default() += 1;
                }
            }
        }
    }
    println!("mesh descriptions: {forms:?}");
    assert!(["by kind", "polygons", "triangles"].iter().all(|form| forms.contains_key(form)));
}

fn value<'a>(package: &Package, list: &'a PropertyList, name: &str) -> Option<&'a Value> {
    let mut all = list.properties.iter();
    all.find(|it| it.name_text(|name| package.name_text(name)) == name).map(|it| it.value())
}

fn bounds(lod: &Lod) -> ([f64; 3], [f64; 3]) {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for position in &lod.positions {
        for axis in 0..3 {
            low[axis] = low[axis].min(position[axis].into());
            high[axis] = high[axis].max(position[axis].into());
        }
    }
    (low, high)
}

pub fn imported_meshes_fill_the_bounds_that_the_editor_has_computed() {
    let (mut judged, mut counted, mut wrong) = (0, 0, Vec::new());
    for path in every_package() {
        let Ok(package) = Package::open(&path) else { continue };
        if package.versions().ue4() == 0 {
            continue;
        }
        for row in 0..package.exports().len() {
            let decoded = package.decode(row).unwrap();
            let Some(stored) = native_as::<StaticMesh>(&decoded.body) else { continue };
            let Some(list) = decoded.body.lists().next().filter(|_| !stored.cooked) else {
                continue;
            };
            let place = format!("{} {}", path.display(), package.exports().path(row));
            let mesh = package.mesh(row, &MeshOptions::default()).unwrap();
            let lod = &mesh.lods[0];
            assert!(agreement(lod) > 0.7, "{place}: triangles look where their normals do");
            let number = |name: &str| {
                let models = match value(&package, list, "SourceModels")? {
                    Value::Array(all) => all,
                    Value::StructArray(all) => &all.elements,
                    _ => return None,
                };
                let Elements::Values(models) = models else { return None };
                match value(&package, models.first()?.as_list()?, name)? {
                    Value::UInt32(number) => Some(*number as usize),
                    Value::Int(number) => usize::try_from(*number).ok(),
                    _ => None,
                }
            };
            if let Some(triangles) = number("CacheMeshDescriptionTrianglesCount") {
                assert_eq!(lod.triangle_count(), triangles, "{place}");
                counted += 1;
            }
            let Some(stored) = value(&package, list, "ExtendedBounds").and_then(Value::as_list)
            else {
                continue;
            };
            let part = |name| value(&package, stored, name).and_then(Value::three_numbers);
            let Some((origin, extent)) = part("Origin").zip(part("BoxExtent")) else { continue };
            // Users may have widened them.
            let widened = ["PositiveBoundsExtension", "NegativeBoundsExtension"];
            if widened.iter().any(|name| value(&package, list, name).is_some()) {
                continue;
            }
            judged += 1;
            let (low, high) = bounds(lod);
            let size = extent.iter().fold(1.0_f64, |a, b| a.max(*b));
            let fits = (0..3).all(|axis| {
                let (a, b) = (origin[axis] - extent[axis], origin[axis] + extent[axis]);
                (low[axis] - a).abs() < size * 1e-3 && (high[axis] - b).abs() < size * 1e-3
            });
            if !fits {
                wrong.push(format!("{place}: {low:?} {high:?}, {origin:?} ± {extent:?}"));
            }
        }
    }
    println!("{judged} bounds, {counted} counts; others: {wrong:#?}");
    assert!(judged >= 12 && counted >= 3 && wrong.is_empty());
}
