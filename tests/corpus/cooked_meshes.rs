//! Meshes of 5.8 and 6.0 as games have cooked them, beside what the engine says of what they were made from.

use unreal_packages::archive::Record;
use unreal_packages::inspect::{Explanation, PackageValues};
use unreal_packages::mesh::{Lod, Mesh, MeshLods, MeshOptions, PackageMeshes};
use unreal_packages::object::ue4::asset::static_mesh::StaticMesh;
use unreal_packages::object::ue4::asset::static_mesh_lod::LodBuffers;
use unreal_packages::object::ue4::bulk::BulkArray;
use unreal_packages::package::{Package, native_as};

use crate::containers::fixtures;

/// The numbers of a value: one, or those of a vector.
fn numbers(package: &Package, object: &str, path: &str) -> Vec<f32> {
    let value = package.values().property(object, path);
    let text = value.unwrap_or_else(|error| panic!("{object}.{path}: {error}")).text;
    let parts = text.trim_matches(['(', ')']).split(',');
    parts.map(|part| part.rsplit('=').next().unwrap().parse().unwrap()).collect()
}

/// Lowest and highest corner of the vertices.
fn bounds(lod: &Lod) -> [[f32; 3]; 2] {
    let corner = |pick: fn(f32, f32) -> f32, from: f32| {
        [0, 1, 2].map(|axis| lod.positions.iter().fold(from, |found, at| pick(found, at[axis])))
    };
    [corner(f32::min, f32::MAX), corner(f32::max, f32::MIN)]
}

fn is_source_of(package: &Package, row: usize, made: &Mesh) {
    let object = format!("#{row}");
    for (level, lod) in made.lods.iter().enumerate() {
        let model = format!("SourceModels[{level}]");
        let of = |name: &str| numbers(package, &object, &format!("{model}.{name}"));
        assert_eq!(lod.triangle_count(), of("TriangleCount")[0] as usize);
        assert_eq!(lod.positions.len(), of("VertexCount")[0] as usize);
        let ([low, high], origin) = (bounds(lod), of("Bounds.Origin"));
        for (axis, extent) in of("Bounds.BoxExtent").into_iter().enumerate() {
            assert!((low[axis] - (origin[axis] - extent)).abs() < 0.01, "{level} {low:?}");
            assert!((high[axis] - (origin[axis] + extent)).abs() < 0.01, "{level} {high:?}");
        }
    }
}

/// Buffers in a file of their own are those that stand in the package, one behind the other: these are read as if they stood
/// elsewhere.
fn reads_its_buffers_alone(package: &Package, row: usize) -> usize {
    let decoded = package.decode(row).unwrap();
    let mesh = native_as::<StaticMesh>(&decoded.body).unwrap();
    let source = package.source();
    let mut explained: Vec<Record> = Vec::new();
    Explanation::each::<unreal_packages::Error>(package, 0..source.len() as u64, &mut |field| {
        explained.push(field.record);
        Ok(())
    })
    .unwrap();
    for (level, lod) in mesh.render_data.lods.iter().enumerate() {
        let head = format!("bodies[{row}].render_data.lods[{level}].buffers.");
        let own: Vec<_> = explained.iter().filter(|it| it.path.starts_with(&head)).collect();
        let start = own.iter().map(|it| it.start).min().unwrap() as usize;
        let end = own.iter().map(|it| it.end).max().unwrap() as usize;
        let bytes = &source[start..end];
        let read = LodBuffers::read(bytes, lod, package.versions()).unwrap();
        let stored = lod.buffers.as_ref().unwrap();
        let is_same = |one: &BulkArray, other: &BulkArray| {
            one.data.bytes(bytes).unwrap() == other.data.bytes(source).unwrap()
        };
        assert!(is_same(&read.positions.data, &stored.positions.data));
        assert!(is_same(&read.vertices.uvs, &stored.vertices.uvs));
        assert!(is_same(&read.colors.data, &stored.colors.data));
        assert_eq!(read.indices.len(), stored.indices.len());
        assert_eq!(read.samplers, stored.samplers);
        assert!(LodBuffers::read(&bytes[..bytes.len() - 1], lod, package.versions()).is_err());
    }
    mesh.render_data.lods.len()
}

pub fn cooked_meshes_are_what_they_were_made_from() {
    let (mut skeletal, mut others, mut alone, mut refused) = (0, 0, 0, Vec::new());
    fixtures(|_| true, &mut |name, package| {
        for row in 0..package.exports().len() {
            if !package.is_mesh(row).unwrap() {
                continue;
            }
            let class = package.exports().get(row).unwrap().class();
            let options = MeshOptions { lods: MeshLods::All, ..MeshOptions::default() };
            let made = match package.mesh(row, &options) {
                Ok(made) => made,
                Err(error) => {
                    refused.push(format!("{name}: {error}"));
                    continue;
                }
            };
            assert!(!made.to_glb().unwrap().is_empty());
            println!(
                "{name} {class}: {:?} {:?}",
                made.lods.iter().map(Lod::triangle_count).collect::<Vec<_>>(),
                made.notes
            );
            if !class.ends_with(".SkeletalMesh") {
                others += 1;
                alone += reads_its_buffers_alone(&package, row);
                continue;
            }
            is_source_of(&package, row, &made);
            assert_eq!(made.lods.len(), 2, "{name}");
            for lod in &made.lods {
                assert_eq!(lod.influences.len(), lod.positions.len(), "{name}");
                assert!(lod.influences.iter().all(|it| it.weights.iter().sum::<f32>() > 0.99));
                assert!(lod.normals.iter().any(|normal| normal[2].abs() > 0.5), "{name}");
            }
            skeletal += 1;
        }
    });
    println!(
        "{skeletal} skeletal, {others} others, {alone} levels read alone; refused: {refused:#?}"
    );
    assert!(skeletal >= 2 && others >= 4 && alone >= 6);
}
