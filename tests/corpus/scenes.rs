//! Levels as scenes: files without errors, and meshes where the engines have measured them.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Mutex;

use unreal_packages::mesh::{LevelScene, MeshObjects, MeshOptions, PackageMeshes, SceneContent};
use unreal_packages::object::{ue3, ue4};
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::PackageIndex;

use crate::folders::corpus;
use crate::meshes::{engine, every_package, validate};

/// Packages by their names in lower case, as games find them.
#[derive(Debug)]
pub struct NamedPackages {
    files: HashMap<String, std::path::PathBuf>,
    opened: Mutex<HashMap<String, Option<Package>>>,
}

impl NamedPackages {
    /// Those of all corpora.
    pub fn of_corpora() -> Self {
        let name = |path: &Path| {
            let stem = path.file_stem().unwrap().to_string_lossy().to_lowercase();
            // Two numbers before a name of the corpora are versions.
            let mut parts = stem.splitn(3, '_');
            let is_number = |part: Option<&str>| {
                part.is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
            };
            match is_number(parts.next()) && is_number(parts.next()) {
                true => parts.next().unwrap_or(&stem).to_owned(),
                false => stem,
            }
        };
        let files = every_package().into_iter().map(|path| (name(&path), path)).collect();
        Self { files, opened: Mutex::default() }
    }

    fn open(&self, name: &str) -> Option<Package> {
        let name = name.rsplit('/').next().unwrap().to_lowercase();
        let known = self.opened.lock().unwrap().get(&name).cloned();
        known.unwrap_or_else(|| {
            let made = self.files.get(&name).and_then(|path| Package::open(path).ok());
            self.opened.lock().unwrap().insert(name, made.clone());
            made
        })
    }
}

impl MeshObjects for NamedPackages {
    fn find(&self, package: &Package, import: PackageIndex) -> Option<(Package, usize)> {
        self.find_path(&package.path(import))
    }

    fn find_path(&self, path: &str) -> Option<(Package, usize)> {
        let (name, inner) = path.split_once('.')?;
        let package = self.open(name)?;
        let row = package.find_export(inner).ok()?;
        Some((package, row))
    }
}

/// Every map with its engine and scene.
fn scenes(
    objects: &NamedPackages,
    mut each: impl FnMut(&Path, &Package, &'static str, LevelScene),
) {
    for path in every_package() {
        let Ok(package) = Package::open(&path) else { continue };
        let options = MeshOptions { objects: Some(objects), ..MeshOptions::default() };
        let Ok(scene) = package.level_scene(None, &options) else { continue };
        each(&path, &package, engine(&package), scene);
    }
}

#[derive(Debug, Default)]
struct SceneCount {
    maps: usize,
    shown: usize,
    meshes: usize,
    lights: usize,
    pictures: usize,
}

/// Every map whose level is decoded: what the file shows is what the scene has, and the validator finds no error.
pub fn scenes_of_maps_are_files_without_errors() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scenes");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let objects = NamedPackages::of_corpora();
    let mut counts = BTreeMap::<&str, SceneCount>::new();
    let mut written = BTreeMap::new();
    scenes(&objects, |path, _, engine, scene| {
        let count = counts.entry(engine).or_default();
        count.maps += 1;
        println!(
            "{engine} {}: {} nodes, {} meshes, {} materials; {:?}",
            path.file_name().unwrap().to_string_lossy(),
            scene.nodes.len(),
            scene.meshes.len(),
            scene.materials.len(),
            scene.notes
        );
        if scene.nodes.is_empty() {
            return;
        }
        let is_light = |content: &SceneContent| matches!(content, SceneContent::Light(_));
        let lights = scene.nodes.iter().filter(|node| is_light(&node.shown)).count();
        count.lights += lights;
        count.shown += scene.nodes.len() - lights;
        count.meshes += scene.meshes.len();
        count.pictures += scene.materials.iter().filter(|it| it.picture.is_some()).count();
        let name = format!("{:05}.glb", written.len());
        let file = scene.to_glb().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        std::fs::write(folder.join(&name), file).unwrap();
        written.insert(name, path.to_path_buf());
    });
    for (engine, count) in &counts {
        println!("{engine}: {count:?}");
    }
    let said = validate(&folder);
    assert_eq!(said.len(), written.len());
    let wrong: Vec<String> = written
        .iter()
        .filter(|(name, _)| said[*name]["errors"].as_array().is_none_or(|it| !it.is_empty()))
        .map(|(name, path)| format!("{name} {}: {}", path.display(), said[name]["errors"]))
        .collect();
    println!("{} files, {} with errors", written.len(), wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n").chars().take(3_000).collect::<String>());
}

/// The spheres around what shows a texture, as the engine has stored them in a level.
fn streamed(package: &Package) -> Vec<[f64; 4]> {
    let mut spheres = Vec::new();
    for row in 0..package.exports().len() {
        let decoded = package.decode(row).unwrap();
        if let Some(level) = native_as::<ue3::world::level::Level>(&decoded.body) {
            let all = level.texture_instances.0.iter().flat_map(|(_, all)| all);
            spheres.extend(
                all.map(|it| [it.sphere.x, it.sphere.y, it.sphere.z, it.sphere.w].map(f64::from)),
            );
        }
        if let Some(level) = native_as::<ue4::world::level::Level>(&decoded.body) {
            let all = level.texture_to_instances.0.iter().flat_map(|(_, all)| all);
            spheres.extend(all.map(|it| {
                let [x, y, z, radius, _] = it.numbers.map(f64::from);
                [x, y, z, radius]
            }));
        }
    }
    spheres
}

/// Levels of UE3 and UE4 store a sphere around each thing that shows a streamed texture: around a mesh in the world. The
/// middle of each mesh that is placed is that of such a sphere.
pub fn meshes_stand_where_engines_have_measured_them() {
    let objects = NamedPackages::of_corpora();
    let (mut fit, mut all) = (0, 0);
    scenes(&objects, |path, package, engine, scene| {
        let spheres = streamed(package);
        if spheres.is_empty() {
            return;
        }
        let (mut near, mut count) = (0, 0);
        for node in &scene.nodes {
            let SceneContent::Mesh { mesh, .. } = &node.shown else { continue };
            if node.name.ends_with("Level") {
                continue;
            }
            // Levels have spheres of what does not move.
            if node.name.contains("SkeletalMeshComponent") {
                continue;
            }
            let positions = &scene.meshes[*mesh].mesh.lods[0].positions;
            let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
            for position in positions {
                for axis in 0..3 {
                    min[axis] = min[axis].min(f64::from(position[axis]));
                    max[axis] = max[axis].max(f64::from(position[axis]));
                }
            }
            let middle = [0, 1, 2].map(|axis| f64::midpoint(min[axis], max[axis]));
            let middle = node.place.apply(middle);
            let away = |sphere: &[f64; 4]| {
                (0..3).map(|axis| (sphere[axis] - middle[axis]).powi(2)).sum::<f64>().sqrt()
                    / sphere[3].max(1.0)
            };
            let best = spheres.iter().map(away).fold(f64::INFINITY, f64::min);
            count += 1;
            near += usize::from(best < 0.02);
            if best >= 0.02 && count - near < 4 {
                println!("  {} {middle:?} {best}", node.name);
            }
        }
        if count > 0 {
            println!("{engine} {}: {near} of {count}, {} spheres", path.display(), spheres.len());
        }
        fit += near;
        all += count;
    });
    println!("{fit} of {all}");
    assert!(all >= 40 && fit * 10 >= all * 9);
}

/// Bytes of each map that are changed, one after the other.
const DAMAGES: usize = 150;

/// Maps of which single bytes have changed are scenes, or say why not; no byte makes a panic or a hang.
pub fn damaged_maps_are_scenes_or_errors() {
    let objects = NamedPackages::of_corpora();
    let mut seed = 1_u64;
    let mut next = |below: usize| {
        // Knuth's numbers for a generator of 64 bits.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let maps = [
        "classic/69_0_1HH-TestBox.unr",
        "wild/classic/127_29_NvidiaLogo.ut2",
        "classic/867_0_city.udk",
        "modern/397_0_Minimal_Default.umap",
        "wild/modern/522_1008_Map_Startup.umap",
        "wild/modern/522_1018_M_Echo_Skin.uasset",
    ];
    let (mut opened, mut shown) = (0, 0);
    for map in maps {
        let whole = std::fs::read(corpus().join(map)).unwrap();
        for _ in 0..DAMAGES {
            let mut bytes = whole.clone();
            let at = next(bytes.len());
            bytes[at] = [0, 1, 0x7f, 0xff, bytes[at] ^ (1 << next(8))][next(5)];
            let Ok(package) = Package::from_bytes(bytes) else { continue };
            opened += 1;
            let options = MeshOptions { objects: Some(&objects), ..MeshOptions::default() };
            if let Ok(scene) = package.level_scene(None, &options)
                && scene.to_glb().is_ok()
            {
                shown += 1;
            }
            for row in 0..package.exports().len() {
                if package.exports().get(row).unwrap().class().contains("Material") {
                    let _ = package.mesh_material(row, &options);
                }
            }
        }
    }
    println!("{opened} opened, {shown} scenes");
    assert!(opened > DAMAGES && shown > DAMAGES);
}
