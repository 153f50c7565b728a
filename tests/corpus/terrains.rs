//! Terrains and landscapes as meshes, beside what the engines have computed of them: boxes, normals, heights of what collides.

use unreal_packages::inspect::PackageValues;
use unreal_packages::inspect::payload;
use unreal_packages::mesh::{Mesh, MeshObjects, MeshOptions, PackageMeshes};
use unreal_packages::object::ue2::{TerrainInfo, TerrainSector};
use unreal_packages::object::ue3::world::terrain_component::TerrainComponent;
use unreal_packages::object::ue4::component::landscape::HeightfieldCollisionComponent;
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::PackageIndex;

use crate::folders::corpus;

fn mesh(package: &Package, row: usize) -> Mesh {
    package.mesh(row, &MeshOptions::default()).unwrap()
}

fn rows_of(package: &Package, class: &str) -> Vec<usize> {
    let is = |row: &usize| package.exports().get(*row).unwrap().class().ends_with(class);
    (0..package.exports().len()).filter(is).collect()
}

fn number(package: &Package, row: usize, property: &str) -> usize {
    let value = package.values().property(&format!("#{row}"), property);
    value.map_or(0, |value| value.text.parse().unwrap())
}

fn near(a: f32, b: f32, by: f32) -> bool {
    (a - b).abs() <= by
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect()
}

pub fn grids_stand_where_the_sectors_of_ue2_say() {
    let package =
        Package::open(corpus().join("wild/classic/126_0_Beanstalk_bonus_dawn.unr")).unwrap();
    let row = rows_of(&package, ".TerrainInfo")[0];
    let made = mesh(&package, row);
    let decoded = package.decode(row).unwrap();
    let info = native_as::<TerrainInfo>(&decoded.body).unwrap();
    let [columns, _] = info.height_map_size.map(|side| side as usize);
    let positions = &made.lods[0].positions;
    let (mut boxes, mut others) = (0, 0);
    for row in rows_of(&package, ".TerrainSector") {
        let decoded = package.decode(row).unwrap();
        let sector = native_as::<TerrainSector>(&decoded.body).unwrap();
        let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
        let [x0, y0] = sector.offset.map(|at| at as usize);
        let [wide, deep] = sector.quad_counts.map(|count| count as usize);
        for (x, y) in (y0..=y0 + deep).flat_map(|y| (x0..=x0 + wide).map(move |x| (x, y))) {
            let Some(at) = positions.get(y * columns + x) else { continue };
            for axis in 0..3 {
                low[axis] = low[axis].min(at[axis]);
                high[axis] = high[axis].max(at[axis]);
            }
        }
        let stored = [&sector.bounding_box.min, &sector.bounding_box.max];
        let stored = stored.map(|corner| [corner.x, corner.y, corner.z]);
        let is_same = (0..3).all(|axis| {
            near(low[axis], stored[0][axis], 1.0) && near(high[axis], stored[1][axis], 1.0)
        });
        if is_same {
            boxes += 1
        } else {
            others += 1
        };
        if !is_same {
            println!("{low:?} {high:?}, stored {stored:?}");
        }
    }
    println!("{boxes} boxes, {others} others");
    // Two normals of each quad: those of its triangles.
    let normals = floats(info.face_normals.0.bytes(package.source()).unwrap());
    let quads = normals.len() / 6;
    let (mut seen, mut same) = (0, 0);
    for triangles in made.lods[0].sections[0].indices.chunks(6) {
        let at = *triangles.iter().min().unwrap() as usize;
        let Some(stored) = (at < quads).then(|| &normals[at * 6..at * 6 + 6]) else { continue };
        let normal = |corners: &[u32]| {
            let [a, b, c] = [0, 1, 2].map(|at| positions[corners[at] as usize]);
            let (u, v) = ([0, 1, 2].map(|i| c[i] - a[i]), [0, 1, 2].map(|i| b[i] - a[i]));
            let n =
                [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            let length = n.iter().map(|n| n * n).sum::<f32>().sqrt();
            n.map(|axis| axis / length)
        };
        let own = [normal(&triangles[..3]), normal(&triangles[3..])];
        let theirs = [&stored[..3], &stored[3..]];
        let is = |a: &[f32; 3], b: &[f32]| (0..3).all(|axis| near(a[axis], b[axis], 0.01));
        seen += 1;
        same += usize::from(
            is(&own[0], theirs[0]) && is(&own[1], theirs[1])
                || is(&own[0], theirs[1]) && is(&own[1], theirs[0]),
        );
    }
    println!("{same} of {seen} quads have the stored normals, {quads} stored");
    assert!(boxes > 10 && others == 0 && seen > 500 && same == seen);
}

pub fn grids_have_the_heights_that_the_components_of_ue3_say() {
    let (mut patches, mut terrains) = (0, 0);
    for file in ["491_1008_testterrain.SFM", "684_153_BIOA_LAV60_00_LAY.XXX"] {
        let package = Package::open(corpus().join("classic").join(file)).unwrap();
        for row in rows_of(&package, ".Terrain") {
            let made = mesh(&package, row);
            terrains += 1;
            let columns = number(&package, row, "NumVerticesX");
            for component in rows_of(&package, ".TerrainComponent") {
                let outer = package.outer(PackageIndex::export(component));
                assert_eq!(outer, PackageIndex::export(row));
                let [x0, y0, wide, deep] =
                    ["SectionBaseX", "SectionBaseY", "SectionSizeX", "SectionSizeY"]
                        .map(|name| number(&package, component, name));
                let decoded = package.decode(component).unwrap();
                let stored = native_as::<TerrainComponent>(&decoded.body).unwrap();
                if patches == 0 {
                    println!("{x0} {y0} {wide} {deep}: {:?}", stored.patches.first());
                }
                if stored.patches.len() != wide * deep {
                    println!("{} patches of {wide} by {deep}", stored.patches.len());
                    continue;
                }
                for (at, patch) in stored.patches.iter().enumerate() {
                    let (x, y) = (x0 + at % wide, y0 + at / wide);
                    let corners = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
                    let heights = corners.map(|(x, y)| made.lods[0].positions[y * columns + x][2]);
                    let low = heights.iter().copied().fold(f32::MAX, f32::min);
                    let high = heights.iter().copied().fold(f32::MIN, f32::max);
                    assert!(
                        near(low, patch.min_height, 0.01) && near(high, patch.max_height, 0.01),
                        "{file} {x} {y}: {low} to {high}, stored {patch:?}"
                    );
                    patches += 1;
                }
            }
        }
    }
    println!("{patches} patches of {terrains} terrains");
    assert!(terrains == 2 && patches > 1000);
}

pub fn landscapes_are_what_actors_collide_with() {
    let file = "wild/modern/522_1017_5E5M8U03KHQYTL2OPFTDPV.uasset";
    let package = Package::open(corpus().join(file)).unwrap();
    let made = mesh(&package, rows_of(&package, ".LandscapeStreamingProxy")[0]);
    assert_eq!(made.placement.scale, [100.0; 3]);
    let positions = &made.lods[0].positions;
    let components = rows_of(&package, ".LandscapeHeightfieldCollisionComponent");
    let side = 127;
    assert_eq!(positions.len(), components.len() * side * side);
    let mut heights = 0;
    for (at, row) in components.into_iter().enumerate() {
        let decoded = package.decode(row).unwrap();
        let stored = native_as::<HeightfieldCollisionComponent>(&decoded.body).unwrap();
        let bytes = payload(&package, &stored.heights).unwrap().0;
        let own = &positions[at * side * side..(at + 1) * side * side];
        for (height, position) in bytes.chunks(2).zip(own) {
            let height = u16::from_le_bytes([height[0], height[1]]);
            assert_eq!((f32::from(height) - 32768.0) / 128.0, position[2], "component {at}");
            heights += 1;
        }
    }
    println!("{heights} heights");
    assert!(heights > 60_000);
}

/// Finds one package, whatever is asked for.
#[derive(Debug)]
pub struct One(pub Package);

impl MeshObjects for One {
    fn find(&self, package: &Package, import: PackageIndex) -> Option<(Package, usize)> {
        let path = package.path(import);
        let row = self.0.find_export(path.rsplit('.').next()?).ok()?;
        Some((self.0.clone(), row))
    }

    fn find_path(&self, _: &str) -> Option<(Package, usize)> {
        None
    }
}

pub fn sockets_are_at_bones() {
    let modern = corpus().join("modern");
    let package = Package::open(modern.join("482_0_Cannon_Export_base.uasset")).unwrap();
    let row = rows_of(&package, ".SkeletalMesh")[0];
    assert!(mesh(&package, row).sockets.is_empty(), "they are the skeleton's");
    let skeleton = modern.join("482_0_Cannon_Export_base_base_Skeleton.uasset");
    let skeleton = One(Package::open(skeleton).unwrap());
    let options = MeshOptions { objects: Some(&skeleton), ..MeshOptions::default() };
    let made = package.mesh(row, &options).unwrap();
    println!("{:#?}", made.sockets);
    let stored = rows_of(&skeleton.0, ".SkeletalMeshSocket");
    assert_eq!(made.sockets.len(), stored.len());
    for (socket, row) in made.sockets.iter().zip(stored) {
        let text = |name| {
            let value = skeleton.0.values().property(&format!("#{row}"), name);
            value.map(|value| value.text).unwrap_or_default()
        };
        assert_eq!(socket.name, text("SocketName"));
        assert_eq!(made.bones[socket.bone.unwrap()].name, text("BoneName"));
    }
    let mut count = 0;
    for file in ["684_194_BioD_Cat002_120TurretEnemies.pcc", "737_0_PRO_Mawhonic.upk"] {
        let package = Package::open(corpus().join("classic").join(file)).unwrap();
        for row in rows_of(&package, ".SkeletalMesh") {
            let Ok(made) = package.mesh(row, &MeshOptions::default()) else { continue };
            assert!(made.sockets.iter().all(|socket| socket.bone.is_some()), "{file}");
            count += made.sockets.len();
        }
    }
    println!("{count} sockets of UE3");
    assert!(count > 20);
}
