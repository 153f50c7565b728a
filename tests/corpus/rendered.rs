//! Meshes and maps of all engines, drawn by three.js in a browser: the right way up, in metres, with their fronts outside, textured.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use unreal_packages::mesh::{
    LevelScene, Mesh, MeshOptions, MeshPlacement, PackageMeshes, SceneContent,
};
use unreal_packages::object::ue4::asset::skeletal_mesh::SkeletalMesh;
use unreal_packages::object::ue4::asset::static_mesh::StaticMesh;
use unreal_packages::package::{Package, native_as};

use crate::containers::fixtures;
use crate::folders::corpus;
use crate::gltf_counts::FileCounts;
use crate::meshes::engine;
use crate::rendered_list::{Drawn, MAPS, MESHES, Seen};
use crate::scenes::NamedPackages;
use crate::stored_bounds::{self, Corners};

/// The folder whose `node_modules` have what the page is drawn and tested with: what `FARCHIVE_WEB` names, or `web/`.
fn modules() -> PathBuf {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web");
    std::env::var_os("FARCHIVE_WEB").map_or(web, PathBuf::from)
}

fn chromium() -> PathBuf {
    std::env::var_os("CHROMIUM").unwrap_or("/usr/bin/chromium".into()).into()
}

/// node, three.js, and a browser with what drives it.
pub fn browser() -> Result<(), String> {
    let modules = modules().join("node_modules");
    let node = Command::new("node").arg("--version").output();
    match () {
        () if !node.is_ok_and(|it| it.status.success()) => Err("node is not there".to_owned()),
        () if !chromium().is_file() => {
            Err(format!("{} is not there: set CHROMIUM", chromium().display()))
        }
        () if ["three", "playwright-core"].iter().any(|it| !modules.join(it).is_dir()) => {
            Err("three or playwright-core are not there: npm ci in web/".to_owned())
        }
        () => Ok(()),
    }
}

/// A file to draw, and the figures that it must show.
struct Expected {
    label: String,
    seen: Seen,
    triangles: usize,
    textured: usize,
    /// The numbers of its file, of a mesh.
    mesh: Option<FileCounts>,
    /// The box around it, in units.
    bounds: Corners,
}

/// A vector that a quaternion has turned.
fn turned(q: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let axis = [q[0], q[1], q[2]];
    let twice = cross(axis, v).map(|number| 2.0 * number);
    let more = cross(axis, twice);
    [0, 1, 2].map(|at| v[at] + q[3] * twice[at] + more[at])
}

fn placed(place: &MeshPlacement, v: [f64; 3]) -> [f64; 3] {
    let MeshPlacement { translation, rotation, scale } = place;
    let scaled = [0, 1, 2].map(|at| v[at] * f64::from(scale[at]));
    let turned = turned(rotation.map(f64::from), scaled);
    [0, 1, 2].map(|at| turned[at] + f64::from(translation[at]))
}

fn around(points: impl Iterator<Item = [f64; 3]>) -> Corners {
    points.fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[low, high], point| {
        [[0, 1, 2].map(|at| low[at].min(point[at])), [0, 1, 2].map(|at| high[at].max(point[at]))]
    })
}

/// The box around a mesh where it stands: the one that the engine has computed, else the one of its vertices.
fn bounds(package: &Package, row: usize, mesh: &Mesh) -> (Corners, bool) {
    let own = mesh.lods[0].positions.iter().map(|v| placed(&mesh.placement, v.map(f64::from)));
    let own = around(own);
    let is_right =
        |turn: f64| [0.0, 0.5, 0.5_f64.sqrt(), 1.0].iter().any(|it| (turn.abs() - it).abs() < 1e-3);
    match stored_bounds::of(package, row) {
        // A box that is not turned by right angles says less.
        Some(stored) if mesh.placement.rotation.iter().all(|it| is_right(f64::from(*it))) => {
            let corners = (0..8).map(|corner| {
                placed(&mesh.placement, [0, 1, 2].map(|axis| stored[corner >> axis & 1][axis]))
            });
            (around(corners), true)
        }
        _ => (own, false),
    }
}

/// Adds a mesh of the list.
fn add_mesh(
    drawn: &Drawn,
    package: &Package,
    options: &MeshOptions<'_>,
    folder: &Path,
    all: &mut Vec<Expected>,
) -> bool {
    let Drawn(kind, _, object, seen) = drawn;
    // A class may have the same name.
    let is_it =
        |row: &usize| package.exports().path(*row) == *object && package.is_mesh(*row).unwrap();
    let row = (0..package.exports().len()).find(is_it).unwrap();
    let mesh = package.mesh(row, options).unwrap();
    assert!(kind.starts_with(engine(package)), "{kind}");
    let class = package.exports().get(row).unwrap().class();
    assert_eq!(kind.rsplit(' ').next(), class.rsplit('.').next());
    assert_eq!(kind.contains("cooked"), is_cooked(package, row), "{kind}");
    let file = mesh.to_glb().unwrap();
    std::fs::write(folder.join(format!("{:02}.glb", all.len())), &file).unwrap();
    let (bounds, is_stored) = bounds(package, row, &mesh);
    let label = format!("{kind}: {}", mesh.name);
    let counts = FileCounts::of(&file);
    let (triangles, textured) = (mesh.lods[0].triangle_count(), counts.textured);
    all.push(Expected { label, seen: *seen, triangles, textured, mesh: Some(counts), bounds });
    is_stored
}

/// Whether a mesh of UE4 or UE5 is stored as it is drawn.
fn is_cooked(package: &Package, row: usize) -> bool {
    let decoded = package.decode(row).unwrap();
    let body = &decoded.body;
    native_as::<StaticMesh>(body).is_some_and(|it| it.cooked)
        || native_as::<SkeletalMesh>(body).is_some_and(|it| it.cooked.data.is_some())
}

/// Triangles of all that a scene shows, and the box around it.
fn shown(scene: &LevelScene) -> (usize, Corners) {
    let shown: Vec<_> = (scene.nodes.iter())
        .filter_map(|node| match &node.shown {
            SceneContent::Mesh { mesh, .. } => Some((node, &scene.meshes[*mesh].mesh)),
            SceneContent::Light(_) => None,
        })
        .collect();
    let triangles = shown.iter().map(|(_, mesh)| mesh.lods[0].triangle_count()).sum();
    let positions = shown.iter().flat_map(|(node, mesh)| {
        let positions = mesh.lods[0].positions.iter();
        positions.map(|v| node.place.apply(placed(&mesh.placement, v.map(f64::from))))
    });
    (triangles, around(positions))
}

/// Writes the files, in the order of what is expected.
fn write(folder: &Path) -> (Vec<Expected>, usize) {
    let objects = NamedPackages::of_corpora();
    let options = MeshOptions { objects: Some(&objects), ..MeshOptions::default() };
    let (mut all, mut stored) = (Vec::new(), 0);
    for drawn in MESHES {
        let mut add = |package: &Package| {
            stored += usize::from(add_mesh(drawn, package, &options, folder, &mut all));
        };
        if !drawn.1.ends_with(".utoc") {
            add(&Package::open(corpus().join(drawn.1)).unwrap());
            continue;
        }
        let file = format!("/{}.uasset", drawn.2);
        fixtures(|path| path.ends_with(&file), &mut |name, package| {
            if name.contains(drawn.1) {
                add(&package);
            }
        });
    }
    for (path, seen) in MAPS {
        let package = Package::open(corpus().join(path)).unwrap();
        let scene = package.level_scene(None, &options).unwrap();
        let file = scene.to_glb().unwrap();
        std::fs::write(folder.join(format!("{:02}.glb", all.len())), &file).unwrap();
        let label = format!("{} map: {}", engine(&package), path.rsplit('/').next().unwrap());
        let ((triangles, bounds), textured) = (shown(&scene), FileCounts::of(&file).textured);
        all.push(Expected { label, seen: *seen, triangles, textured, mesh: None, bounds });
    }
    let list: Vec<_> = (all.iter().enumerate())
        .map(|(at, it)| {
            let from = match it.seen {
                Seen::Above => "above",
                Seen::Below => "below",
                _ => "around",
            };
            json!({ "file": format!("{at:02}.glb"), "label": it.label, "from": from })
        })
        .collect();
    std::fs::write(folder.join("list.json"), serde_json::to_vec(&list).unwrap()).unwrap();
    (all, stored)
}

/// Differences between a drawn file and its package.
fn faults(expected: &Expected, seen: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let mut check = |holds: bool, what: String| {
        if !holds {
            faults.push(format!("{}: {what}", expected.label));
        }
    };
    let number = |name: &str| seen[name].as_f64().unwrap_or(f64::NAN);
    check(seen["errors"] == json!([]), format!("errors: {}", seen["errors"]));
    let (front, back) = (number("front"), number("back"));
    let covered = (front + back) / number("all");
    check((0.01..0.95).contains(&covered), format!("covers {covered} of its pictures"));
    let outside = front / (front + back);
    let is_right = match expected.seen {
        Seen::Open => true,
        Seen::Within => outside < 0.02,
        _ => outside > 0.98,
    };
    check(is_right, format!("{outside} of what is seen is a front"));
    if expected.seen != Seen::Open {
        let culled = number("culled") / (front + back);
        check(culled > 0.98, format!("{culled} of it is there where backs are not drawn"));
    }
    // Unreal's X, Z, Y in metres.
    let [low, high] = expected.bounds;
    for (axis, unreal) in [(0, 0), (1, 2), (2, 1)] {
        let size = (0..3).map(|at| high[at] - low[at]).fold(1.0, f64::max) / 100.0;
        for (name, corner) in [("min", low), ("max", high)] {
            let (found, stored) =
                (seen[name][axis].as_f64().unwrap_or(f64::NAN), corner[unreal] / 100.0);
            let differs = (found - stored).abs() / size;
            check(
                differs < 0.01,
                format!("{name} of axis {axis} is {found} m, in the package {stored}"),
            );
        }
    }
    let mut counts = vec![("triangles", expected.triangles)];
    if let Some(file) = &expected.mesh {
        counts.push(("vertices", file.levels[0].vertices));
        counts.push(("shapes", file.levels[0].shapes));
        counts.push(("bones", file.joints));
        counts.push(("animations", file.frames.len()));
    }
    for (name, count) in counts {
        check(number(name) == count as f64, format!("{} {name}, stored {count}", seen[name]));
    }
    if expected.textured > 0 {
        check(number("maps") > 0.0, "has lost its pictures".to_owned());
        check(number("colors") > 8.0, format!("shows {} colours", seen["colors"]));
    }
    faults
}

/// Draws all of them, and leaves their pictures and one sheet of all.
pub fn meshes_and_maps_are_drawn_in_a_browser() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rendered");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let (expected, stored) = write(&folder);
    let made = Command::new("node")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/render.mjs"))
        .arg(&folder)
        .env("MODULES", modules().canonicalize().unwrap())
        .env("CHROMIUM", chromium())
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let seen: Value = serde_json::from_slice(&made.stdout).unwrap();
    let mut wrong = Vec::new();
    for (at, expected) in expected.iter().enumerate() {
        let seen = &seen[format!("{at:02}.glb")];
        println!("{at:02} {}: {seen}", expected.label);
        wrong.extend(faults(expected, seen));
    }
    let textured = expected.iter().filter(|it| it.textured > 0).count();
    println!(
        "{} drawn, {textured} textured, {stored} with a box of the engine: {}",
        expected.len(),
        folder.join("sheet.png").display()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(MESHES.len() >= 24 && MAPS.len() >= 2 && textured >= 10 && stored >= 20);
}
