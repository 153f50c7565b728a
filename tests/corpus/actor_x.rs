//! Meshes and animations of all engines as files of Unreal's importers, judged by another reader of them: `psk_psa_py`
//! (MIT), which add-ons of Blender are built upon.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use unreal_packages::mesh::{
    ActorXOutput, Mesh, MeshLods, MeshOptions, MeshPlacement, PackageMeshes,
};
use unreal_packages::package::Package;

use crate::animations::{Neighbors, skeletons};
use crate::meshes::{engine, every_package, volume};

/// The folder with the package `psk_psa_py`: what `FARCHIVE_PSK` names, or `target/psk`.
fn modules() -> Option<PathBuf> {
    let folder = match std::env::var_os("FARCHIVE_PSK") {
        Some(folder) => folder.into(),
        None => {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
            root.map(|it| it.join("target/psk")).find(|it| it.is_dir())?
        }
    };
    folder.join("psk_psa_py").is_dir().then_some(folder)
}

/// The other reader.
pub fn reader() -> Result<(), String> {
    match modules() {
        Some(_) => Ok(()),
        None => Err("psk_psa_py is not there".to_owned()),
    }
}

/// Prints what the reader finds in every file of a folder, by file, as JSON: counts, the sum of all coordinates, and six
/// times the volume that triangles enclose.
const SCRIPT: &str = "
import json, os, sys, warnings
from psk_psa_py.psk.reader import read_psk_from_file
from psk_psa_py.psa.reader import PsaReader
warnings.simplefilter('error')
def volume(psk):
    points = [(p.x, p.y, p.z) for p in psk.points]
    whole = 0.0
    for face in psk.faces:
        a, b, c = (points[psk.wedges[at].point_index] for at in face.wedge_indices)
        whole += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                  + a[2] * (b[0] * c[1] - b[1] * c[0]))
    return whole
all = {}
for name in os.listdir(sys.argv[1]):
    path = os.path.join(sys.argv[1], name)
    if name.endswith('.psa'):
        with PsaReader.from_path(path) as psa:
            frames, keys, places = 0, 0, 0.0
            for sequence in psa.sequences:
                frames += psa.sequences[sequence].frame_count
                read = psa.read_sequence_keys(sequence)
                keys += len(read)
                places += sum(key.location.x - key.location.y + key.location.z for key in read)
            all[name] = dict(bones=len(psa.bones), sequences=len(psa.sequences), frames=frames, keys=keys,
                             places=places, scaled=psa.has_scale_keys)
        continue
    psk = read_psk_from_file(path)
    corners = [psk.points[psk.wedges[at].point_index] for face in psk.faces for at in face.wedge_indices]
    uvs = [psk.wedges[at] for face in psk.faces for at in face.wedge_indices]
    by_point = {}
    for weight in psk.weights:
        by_point[weight.point_index] = by_point.get(weight.point_index, 0.0) + weight.weight
    all[name] = dict(points=len(psk.points), wedges=len(psk.wedges), faces=len(psk.faces), bones=len(psk.bones),
        materials=len(psk.materials), weighted=len(by_point), uneven=sum(abs(it - 1) > 1e-3 for it in by_point.values()),
        unknown=sum(weight.bone_index >= len(psk.bones) for weight in psk.weights),
        normals=len(psk.vertex_normals), colors=len(psk.vertex_colors), uvs=[len(it) for it in psk.extra_uvs],
        morphs=len(psk.morph_infos), moved=len(psk.morph_data) - sum(it.vertex_count for it in psk.morph_infos),
        corners=[sum(it.x for it in corners), sum(-it.y for it in corners), sum(it.z for it in corners)],
        texture=[sum(it.u for it in uvs), sum(it.v for it in uvs)], volume=volume(psk))
json.dump(all, sys.stdout)
";

fn read_all(folder: &Path) -> BTreeMap<String, Value> {
    let said = Command::new("python3")
        .args(["-c", SCRIPT])
        .arg(folder)
        .env("PYTHONPATH", modules().expect("the test needs it"))
        .output()
        .unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    serde_json::from_slice(&said.stdout).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn near(a: f64, b: f64, of: usize) -> bool {
    (a - b).abs() <= (a.abs().max(b.abs()) + of as f64) * 1e-3
}

/// What must be in the file of a level of detail.
fn check_mesh(place: &str, mesh: &Mesh, level: usize, extension: &str, said: &Value) {
    let lod = &mesh.lods[level];
    let count = |name: &str| said[name].as_u64().unwrap() as usize;
    assert_eq!(count("faces"), lod.triangle_count(), "{place}");
    assert_eq!(count("bones"), mesh.bones.len(), "{place}");
    assert!(count("points") <= count("wedges"), "{place}");
    let is_skinned = !mesh.bones.is_empty() && !lod.influences.is_empty();
    assert_eq!(count("weighted"), if is_skinned { count("points") } else { 0 }, "{place}");
    assert_eq!(
        (count("uneven"), count("unknown"), said["moved"].as_i64()),
        (0, 0, Some(0)),
        "{place}"
    );
    match extension {
        "psk" => {
            assert_eq!((count("normals"), count("colors"), count("morphs")), (0, 0, 0), "{place}")
        }
        _ => {
            assert_eq!(count("normals"), count("points"), "{place}");
            assert_eq!(count("morphs"), lod.morphs.len(), "{place}");
            let uvs = said["uvs"].as_array().unwrap();
            assert_eq!(uvs.len(), lod.uvs.len().saturating_sub(1), "{place}");
            assert!(uvs.iter().all(|uvs| uvs.as_u64() == said["wedges"].as_u64()), "{place}");
        }
    }
    let corners = lod.sections.iter().flat_map(|section| &section.indices).map(|at| *at as usize);
    let (corners, of): (Vec<_>, _) = (corners.collect(), lod.triangle_count());
    if is_skinned || mesh.placement == MeshPlacement::default() {
        for axis in 0..3 {
            let own: f64 = corners.iter().map(|at| f64::from(lod.positions[*at][axis])).sum();
            assert!(near(own, number(&said["corners"][axis]), of), "{place} axis {axis}");
        }
        // The mirror has the same volume, and corners stand the other way.
        let size =
            lod.positions.iter().flatten().fold(1.0_f64, |most, at| most.max(at.abs().into()));
        let away = volume(lod) + number(&said["volume"]);
        assert!(away.abs() <= size.powi(3) * of as f64 * 1e-6, "{place}: volume {away}");
    }
    if let Some(uvs) = lod.uvs.first() {
        for axis in 0..2 {
            let own: f64 = corners.iter().map(|at| f64::from(uvs[*at][axis])).sum();
            assert!(near(own, number(&said["texture"][axis]), of), "{place} texture {axis}");
        }
    }
}

#[derive(Default)]
struct Count {
    meshes: u32,
    psk: u32,
    pskx: u32,
    psa: u32,
    inwards: u32,
    frames: u64,
    refused: BTreeMap<String, u32>,
}

struct Written {
    engine: &'static str,
    place: String,
    extension: &'static str,
    mesh: Mesh,
    level: usize,
}

/// Every mesh of every corpus that comes out, with all levels of detail, and what moves it.
pub fn every_mesh_is_read_by_another_reader() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("actor_x");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut counts = BTreeMap::<&str, Count>::new();
    let mut written = BTreeMap::<String, Written>::new();
    let files = every_package();
    let skeletons = skeletons(&files);
    for path in &files {
        let Ok(package) = Package::open(path) else { continue };
        let engine = engine(&package);
        for row in 0..package.exports().len() {
            let options = MeshOptions { lods: MeshLods::All, ..MeshOptions::default() };
            let made = match (package.is_mesh(row).unwrap(), package.is_animation(row).unwrap()) {
                (true, _) => package.mesh(row, &options),
                (_, true) => {
                    let around = Neighbors::of(&package, row, &skeletons);
                    package.animation(row, &MeshOptions { objects: Some(&around), ..options })
                }
                _ => continue,
            };
            let Ok(mesh) = made.and_then(|mesh| mesh.to_glb().map(|_| mesh)) else { continue };
            let place = format!("{} {}", path.display(), package.exports().path(row));
            let count = counts.entry(engine).or_default();
            count.meshes += 1;
            let mesh = Mesh { materials: Vec::new(), ..mesh };
            let mut put = |made: unreal_packages::Result<ActorXOutput>, level| match made {
                Ok(made) => {
                    let name = format!("{:05}.{}", written.len(), made.extension);
                    std::fs::write(folder.join(&name), made.bytes).unwrap();
                    let (place, mesh) = (place.clone(), mesh.clone());
                    let extension = made.extension;
                    written.insert(name, Written { engine, place, extension, mesh, level });
                }
                Err(error) => *count.refused.entry(error.to_string()).or_default() += 1,
            };
            for level in (0..mesh.lods.len()).filter(|at| mesh.lods[*at].triangle_count() > 0) {
                put(mesh.to_psk(level), level);
            }
            if mesh.animations.iter().any(|animation| !animation.tracks.is_empty()) {
                put(mesh.to_psa(), 0);
            }
        }
    }
    let said = read_all(&folder);
    assert_eq!(said.len(), written.len());
    for (name, Written { engine, place, extension, mesh, level }) in &written {
        let (said, count) = (&said[name], counts.get_mut(engine).unwrap());
        match *extension {
            "psa" => {
                count.psa += 1;
                count.frames += said["frames"].as_u64().unwrap();
                let of = |name: &str| said[name].as_u64().unwrap() as usize;
                assert_eq!(of("bones"), mesh.bones.len(), "{place}");
                assert_eq!(of("keys"), of("frames") * of("bones"), "{place}");
                let names: std::collections::BTreeSet<_> =
                    mesh.animations.iter().map(|animation| &animation.name).collect();
                assert_eq!(of("sequences"), names.len(), "{place}");
                continue;
            }
            "psk" => count.psk += 1,
            _ => count.pskx += 1,
        }
        check_mesh(place, mesh, *level, extension, said);
        count.inwards += u32::from(number(&said["volume"]) < 0.0);
    }
    let mut refused = 0;
    for (engine, count) in &counts {
        let Count { meshes, psk, pskx, psa, inwards, frames, .. } = count;
        println!(
            "{engine}: {meshes} meshes and animations as {psk} .psk, {pskx} .pskx and {psa} .psa of {frames} frames; \
             corners as importers have them in {inwards}; refused {:?}",
            count.refused
        );
        refused += count.refused.values().sum::<u32>();
    }
    assert_eq!(refused, 0, "what comes out as glTF comes out so");
}
