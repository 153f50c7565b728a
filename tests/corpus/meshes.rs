//! Meshes of all engines as binary glTF, judged by the validator of those who keep the format.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use unreal_packages::mesh::{Lod, MeshLods, MeshOptions, PackageMeshes};
use unreal_packages::object::Native;
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use crate::folders::corpus;
use crate::gltf_counts::FileCounts;
use crate::node_modules;
use crate::stored_bounds;
use crate::stored_counts::StoredCounts;

/// The folder with `gltf-validator` for node: what `FARCHIVE_GLTF` names, or `target/gltf`.
fn modules() -> Option<PathBuf> {
    node_modules::folder("FARCHIVE_GLTF", "gltf", "gltf-validator")
}

/// node and the validator.
pub fn validator() -> Result<(), String> {
    node_modules::are_there(modules(), "gltf-validator is")
}

/// Prints what the validator says of every file of a folder, by file, as JSON.
const SCRIPT: &str = "
const fs = require('fs'), path = require('path'), folder = process.argv[1];
const { validateBytes } = require('gltf-validator');
(async () => {
  const all = {};
  for (const file of fs.readdirSync(folder)) {
    const report = await validateBytes(new Uint8Array(fs.readFileSync(path.join(folder, file))),
      { maxIssues: 0, ignoredIssues: ['UNUSED_OBJECT'] });
    const errors = report.issues.messages.filter(it => it.severity === 0);
    const info = report.info;
    all[file] = { errors, warnings: report.issues.numWarnings, vertices: info.totalVertexCount,
      triangles: info.totalTriangleCount, morphs: info.hasMorphTargets,
      skins: info.hasSkins, animations: info.animationCount };
  }
  process.stdout.write(JSON.stringify(all));
})();";

/// What the validator says of every file of a folder, by file.
pub fn validate(folder: &Path) -> BTreeMap<String, Value> {
    let modules = modules().expect("the test needs it");
    let said = Command::new("node")
        .args(["-e", SCRIPT])
        .arg(folder)
        .env("NODE_PATH", modules.join("node_modules"))
        .output()
        .unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    serde_json::from_slice(&said.stdout).unwrap()
}

fn packages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match () {
            () if path.is_dir() => packages(&path, found),
            () if ["tsv", "md", "uexp", "ubulk", "usmap", "pak", "utoc", "ucas", "txt"]
                .contains(&extension.as_str()) => {}
            () => found.push(path),
        }
    }
    found.sort();
}

/// Every file of the corpora that may be a package.
pub fn every_package() -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for name in ["classic", "conform", "modern", "wild", "make", "modern-ue6"] {
        let place = corpus().join(name);
        if place.is_dir() {
            packages(&place, &mut paths);
        }
    }
    paths
}

/// Six times the volume: above 0 where triangles look outwards.
pub fn volume(lod: &Lod) -> f64 {
    let mut sum = 0.0;
    for triangle in lod.sections.iter().flat_map(|section| section.indices.chunks_exact(3)) {
        let [a, b, c] = [0, 1, 2].map(|at| lod.positions[triangle[at] as usize].map(f64::from));
        // Corners stand in Unreal's order.
        sum += a[0] * (c[1] * b[2] - c[2] * b[1])
            + a[1] * (c[2] * b[0] - c[0] * b[2])
            + a[2] * (c[0] * b[1] - c[1] * b[0]);
    }
    sum
}

/// The share of triangles that look where their normals do.
pub fn agreement(lod: &Lod) -> f64 {
    let (mut fit, mut all) = (0, 0);
    for triangle in lod.sections.iter().flat_map(|section| section.indices.chunks_exact(3)) {
        let [a, b, c] = [0, 1, 2].map(|at| lod.positions[triangle[at] as usize].map(f64::from));
        let less = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let (u, v) = (less(c, a), less(b, a));
        let out = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let normal = lod.normals[triangle[0] as usize].map(f64::from);
        let dot: f64 = (0..3).map(|at| out[at] * normal[at]).sum();
        all += 1;
        fit += usize::from(dot > 0.0);
    }
    fit as f64 / f64::from(all.max(1))
}

/// The engine of a package, by its versions.
pub fn engine(package: &Package) -> &'static str {
    let versions = package.versions();
    match (versions.ue4(), versions.file()) {
        (0, 0..=99) => "UE1",
        (0, 100..=199) => "UE2",
        (0, _) => "UE3",
        _ if versions.ue5() > 0 => "UE5",
        _ => "UE4",
    }
}

#[derive(Default)]
struct Count {
    decoded: u32,
    came: u32,
    outwards: u32,
    agrees: u32,
    bones: u32,
    animations: u32,
    triangles: usize,
    boxes: u32,
    coarser: u32,
    refused: BTreeMap<String, u32>,
}

/// How many meshes come out of the corpora at least, by engine and class; how many of them look outwards as a whole, and how many
/// where their normals do. Levels of UE1 and terrains enclose nothing; UE2 and UE3 have sheets and rooms that are seen from within.
const FLOORS: &[(&str, &str, [u32; 3])] = &[
    ("UE1", "LodMesh", [6, 6, 6]),
    ("UE1", "Mesh", [16, 16, 16]),
    ("UE1", "Model", [32, 9, 32]),
    ("UE1", "SkeletalMesh", [4, 4, 4]),
    ("UE2", "Model", [45, 40, 45]),
    ("UE2", "SkeletalMesh", [7, 7, 7]),
    ("UE2", "StaticMesh", [34, 30, 34]),
    ("UE2", "TerrainInfo", [1, 0, 1]),
    ("UE3", "Model", [78, 78, 78]),
    ("UE3", "SkeletalMesh", [30, 24, 29]),
    ("UE3", "StaticMesh", [141, 95, 140]),
    ("UE3", "Terrain", [2, 0, 2]),
    ("UE4", "Model", [25, 25, 25]),
    ("UE4", "SkeletalMesh", [3, 3, 3]),
    ("UE4", "StaticMesh", [34, 31, 34]),
    ("UE5", "LandscapeStreamingProxy", [1, 0, 1]),
    ("UE5", "Model", [14, 14, 14]),
    ("UE5", "SkeletalMesh", [1, 1, 1]),
    ("UE5", "StaticMesh", [6, 5, 6]),
];

/// Why meshes do not come out: brushes of no shape, what is not decoded, and the actor of a landscape whose
/// components its proxies have.
const REASONS: &[&str] = &[
    "it has no triangles",
    "not decoded",
    "none of its components is here: a landscape with streaming proxies is stored by those",
];

/// Every mesh of every corpus that decodes, with all levels of detail: what its file has is what its object stores.
pub fn every_mesh_that_decodes_is_a_file_without_errors() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("meshes");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut counts: BTreeMap<(&str, String), Count> = BTreeMap::new();
    let mut written: BTreeMap<String, (String, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for path in every_package() {
        let Ok(package) = Package::open(&path) else { continue };
        for row in 0..package.exports().len() {
            if !package.is_mesh(row).unwrap() {
                continue;
            }
            let class = package.exports().get(row).unwrap().class();
            let class = class.rsplit('.').next().unwrap().to_owned();
            let count = counts.entry((engine(&package), class)).or_default();
            if matches!(package.decode(row).unwrap().body.native, Native::Opaque(_)) {
                *count.refused.entry("not decoded".to_owned()).or_default() += 1;
                continue;
            }
            count.decoded += 1;
            let options = MeshOptions { lods: MeshLods::All, ..MeshOptions::default() };
            let made = package.mesh(row, &options);
            let made = made.and_then(|mesh| mesh.to_glb().map(|file| (mesh, file)));
            let (mesh, file) = match made {
                Ok(made) => made,
                Err(error) => {
                    let reason = error.to_string();
                    let reason = reason.split("): ").last().unwrap().to_owned();
                    *count.refused.entry(reason).or_default() += 1;
                    continue;
                }
            };
            count.came += 1;
            count.triangles += mesh.lods[0].triangle_count();
            count.outwards += u32::from(volume(&mesh.lods[0]) > 0.0);
            count.agrees += u32::from(agreement(&mesh.lods[0]) > 0.7);
            count.bones += u32::from(!mesh.bones.is_empty());
            count.animations += mesh.animations.len() as u32;
            let place = format!("{} {}", path.display(), package.exports().path(row));
            let stored = StoredCounts::of(&package, row).unwrap();
            if let Err(differs) = stored.check(&FileCounts::of(&file), &mesh) {
                wrong.push(format!("{place}: {differs}"));
            }
            let stored = stored_bounds::of(&package, row);
            // Cameras are skeletons without triangles.
            if let Some(stored) = stored.filter(|_| !mesh.lods[0].positions.is_empty()) {
                count.boxes += 1;
                if let Err(differs) = stored_bounds::check(&stored, &mesh.lods[0]) {
                    wrong.push(format!("{place}: {differs}"));
                }
            }
            for level in mesh.lods.iter().skip(1).filter(|level| level.triangle_count() > 0) {
                count.coarser += 1;
                if let Err(differs) = stored_bounds::check_coarser(&mesh.lods[0], level) {
                    wrong.push(format!("{place}: {differs}"));
                }
            }
            // The level's and brushes' models are many and alike.
            let name = format!("{:05}.glb", written.len());
            std::fs::write(folder.join(&name), file).unwrap();
            written.insert(name, (place, mesh.lods.iter().map(Lod::triangle_count).sum()));
        }
    }
    for ((engine, class), count) in &counts {
        println!(
            "{engine} {class}: decoded {}, came out {}, triangles {}, outwards {}, as normals {}, with bones {}, \
             animations {}, boxes {}, coarser levels {}, refused {:?}",
            count.decoded,
            count.came,
            count.triangles,
            count.outwards,
            count.agrees,
            count.bones,
            count.animations,
            count.boxes,
            count.coarser,
            count.refused
        );
    }
    println!("{} differ from what is stored: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    assert!(wrong.is_empty());
    for (engine, class, floors) in FLOORS {
        let count = &counts[&(*engine, (*class).to_owned())];
        let figures = [count.came, count.outwards, count.agrees];
        let is_enough = figures.iter().zip(floors).all(|(figure, floor)| figure >= floor);
        assert!(is_enough, "{engine} {class}: {figures:?}, before {floors:?}");
    }
    // All but models, terrains, and imported meshes of releases that do not store it.
    assert!(counts.values().map(|count| count.boxes).sum::<u32>() >= 210);
    for (kind, count) in &counts {
        let mut reasons = count.refused.keys();
        assert!(reasons.all(|it| REASONS.contains(&it.as_str())), "{kind:?}: {:?}", count.refused);
    }
    are_valid(&folder, &written);
}

/// No file has an error, and the validator counts the same triangles.
fn are_valid(folder: &Path, written: &BTreeMap<String, (String, usize)>) {
    let said = validate(folder);
    assert_eq!(said.len(), written.len());
    let mut wrong = Vec::new();
    let mut warnings = 0;
    for (name, (place, triangles)) in written {
        let report = &said[name];
        warnings += report["warnings"].as_u64().unwrap();
        if report["errors"].as_array().is_none_or(|errors| !errors.is_empty()) {
            wrong.push(format!("{name} {place}: {}", report["errors"]));
        }
        assert_eq!(report["triangles"].as_u64().unwrap() as usize, *triangles, "{place}");
    }
    println!("{} files, {warnings} warnings, {} with errors", written.len(), wrong.len());
    assert!(wrong.is_empty(), "{:#?}", &wrong[..wrong.len().min(20)]);
}
