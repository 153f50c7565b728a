//! The boxes that engines have computed around meshes.

use unreal_packages::inspect::PackageValues;
use unreal_packages::mesh::Lod;
use unreal_packages::object::geometry::{self, BoundingBox};
use unreal_packages::object::ue3::asset as ue3;
use unreal_packages::object::ue4::asset as ue4;
use unreal_packages::object::{ue1, ue2, ue4::geometry::Bounds};
use unreal_packages::package::{Package, native_as};
use unreal_packages::version::UnrealVersions;

/// Lowest and highest corner.
pub type Corners = [[f64; 3]; 2];

/// The box around the vertices of a mesh as the engine has computed it, in units and before the mesh is placed; `None` where its
/// type has none.
pub fn of(package: &Package, row: usize) -> Option<Corners> {
    let decoded = package.decode(row).unwrap();
    let body = &decoded.body;
    let classic = |it: &BoundingBox| {
        [&it.min, &it.max].map(|corner| [corner.x, corner.y, corner.z].map(f64::from))
    };
    if let Some(stored) = native_as::<ue1::Mesh>(body) {
        return stored.bounding_boxes.first().map(classic);
    }
    if let Some(stored) = native_as::<ue1::LodMesh>(body) {
        return stored.mesh.bounding_boxes.first().map(classic);
    }
    if let Some(stored) = native_as::<ue1::SkeletalMesh>(body) {
        return Some(halved(classic(&stored.lod_mesh.mesh.bounding_box)));
    }
    if let Some(stored) = native_as::<ue2::SkeletalMesh>(body) {
        return Some(tucked(classic(&stored.base.primitive.bounding_box)));
    }
    if let Some(stored) = native_as::<ue2::StaticMesh>(body) {
        return Some(classic(&stored.bounding_box));
    }
    let middle = |it: &geometry::Bounds| {
        let parts = [&it.origin, &it.box_extent].map(|v| [v.x, v.y, v.z].map(f64::from));
        corners(parts)
    };
    if let Some(stored) = native_as::<ue3::static_mesh::StaticMesh>(body) {
        return Some(middle(&stored.bounds));
    }
    if let Some(stored) = native_as::<ue3::skeletal_mesh::SkeletalMesh>(body) {
        return Some(tucked(middle(&stored.head.bounds)));
    }
    let late = |it: &Bounds| {
        corners([&it.origin, &it.box_extent].map(|v| [&v.x, &v.y, &v.z].map(|it| it.value())))
    };
    if let Some(stored) = native_as::<ue4::skeletal_mesh::SkeletalMesh>(body) {
        let bounds = late(&stored.imported_bounds);
        return Some(if package.versions().ue5() > 0 { bounds } else { tucked(bounds) });
    }
    let stored = native_as::<ue4::static_mesh::StaticMesh>(body)?;
    if stored.cooked {
        return Some(late(&stored.render_data.bounds));
    }
    let numbers = |name: &str| {
        let path = format!("ExtendedBounds.{name}");
        let text = package.values().property(&format!("#{row}"), &path).ok()?.text;
        let parts = text.trim_matches(['(', ')']).split(',');
        let parts = parts.map(|part| part.rsplit('=').next().unwrap().parse().ok());
        parts.collect::<Option<Vec<f64>>>()?.try_into().ok()
    };
    Some(corners([numbers("Origin")?, numbers("BoxExtent")?]))
}

/// Whether vertices fill a box, to a hundredth of its size; else what differs.
pub fn check(stored: &Corners, lod: &Lod) -> Result<(), String> {
    let size = (0..3).map(|axis| stored[1][axis] - stored[0][axis]).fold(1.0, f64::max);
    let around = around(lod);
    for axis in 0..3 {
        let (low, high) = (around[0][axis], around[1][axis]);
        let away = (low - stored[0][axis]).abs().max((high - stored[1][axis]).abs());
        if away > size / 100.0 {
            return Err(format!("{low} to {high} on axis {axis}, stored {stored:?}"));
        }
    }
    Ok(())
}

/// Whether a coarser level of detail lies where the finest one lies, and is about as large; else what differs.
pub fn check_coarser(finest: &Lod, coarser: &Lod) -> Result<(), String> {
    let (fine, coarse) = (around(finest), around(coarser));
    let size = |corners: &Corners| {
        (0..3).map(|axis| corners[1][axis] - corners[0][axis]).fold(0.0, f64::max)
    };
    let share = size(&fine) / 4.0;
    let is_within = (0..3).all(|axis| {
        coarse[0][axis] > fine[0][axis] - share && coarse[1][axis] < fine[1][axis] + share
    });
    match is_within && size(&coarse) > size(&fine) / 3.0 {
        true => Ok(()),
        false => Err(format!("a coarser level fills {coarse:?}, the finest {fine:?}")),
    }
}

/// The box around the vertices of a level of detail.
fn around(lod: &Lod) -> Corners {
    let fold = |from: f64, pick: fn(f64, f64) -> f64| {
        std::array::from_fn(|axis| {
            lod.positions.iter().map(|it| f64::from(it[axis])).fold(from, pick)
        })
    };
    [fold(f64::MAX, f64::min), fold(f64::MIN, f64::max)]
}

fn corners([origin, extent]: [[f64; 3]; 2]) -> Corners {
    [-1.0, 1.0].map(|side| [0, 1, 2].map(|axis| origin[axis] + side * extent[axis]))
}

/// Boxes of skeletal meshes are twice as large, so that animations stay within them.
fn halved([low, high]: Corners) -> Corners {
    let quarter = [0, 1, 2].map(|axis| (high[axis] - low[axis]) / 4.0);
    [
        [0, 1, 2].map(|axis| low[axis] + quarter[axis]),
        [0, 1, 2].map(|axis| high[axis] - quarter[axis]),
    ]
}

/// From UE2 on but for their floor, below which animations rarely go: a tenth of what it would be lowered by.
fn tucked(stored: Corners) -> Corners {
    let [mut low, mut high] = halved(stored);
    // Below the lowest vertex lies 0.1 of half the height, above the highest half the height.
    let height = (stored[1][2] - stored[0][2]) / 1.55;
    low[2] = stored[0][2] + height * 0.05;
    high[2] = low[2] + height;
    [low, high]
}
