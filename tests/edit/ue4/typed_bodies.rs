//! Bodies of cooked packages whose layouts are typed: a field changes, a list grows, what stands before them grows,
//! and they say what they should when the package is opened again.

use unreal_packages::archive::{Saver, Span};
use unreal_packages::edit::PackageEdit;
use unreal_packages::object::Native;
use unreal_packages::object::ue4::asset::audio_analysis::Loudness;
use unreal_packages::object::ue4::asset::cooked_shape::bulk::ShapeArray;
use unreal_packages::object::ue4::asset::cooked_shape::chaos::{ChaosPointer, ChaosShape};
use unreal_packages::object::ue4::asset::cooked_shape::height_field::{
    ChaosHeightField, CookedHeightField,
};
use unreal_packages::object::ue4::asset::dynamic_mesh::DynamicMesh;
use unreal_packages::object::ue4::asset::managed_array::{
    GeometryCollection, ManagedArray, ManagedArrayCollection,
};
use unreal_packages::object::ue4::asset::morph_target::{MorphTarget, MorphTargetLevel};
use unreal_packages::object::ue4::asset::pcg_metadata::{PcgDomain, PcgDomainId, PcgMetadata};
use unreal_packages::object::ue4::asset::skeletal_mesh::SkeletalMesh;
use unreal_packages::object::ue4::asset::skeletal_render::{
    DrawnSkeletalMesh, SkeletalRenderData, SkeletalRenderLod,
};
use unreal_packages::object::ue4::asset::skeleton::Skeleton;
use unreal_packages::object::ue4::bulk::BulkData;
use unreal_packages::object::ue4::component::landscape::{
    HeightMip, HeightfieldCollisionComponent, LandscapeComponent, TextureStorageProviderFactory,
};
use unreal_packages::object::ue4::prepared::{Flagged, Prepared};
use unreal_packages::object::ue4::strip::StripFlags;
use unreal_packages::object::ue4::table::curve_table::CurveTable;
use unreal_packages::object::ue4::world::actor::{
    FoliageInstances, InstancedFoliageActor, LevelInstance,
};
use unreal_packages::object::ue4::world::map_build_data::MapBuildDataRegistry;
use unreal_packages::object::ue4::world::navigation::{NavMeshParameters, RecastNavMesh};
use unreal_packages::object::ue4::world::navigation_tile::{
    NavMeshTile, NavMeshTileHeader, NavMeshVertices,
};
use unreal_packages::object::ue4::world::partition::{RuntimeCellData, WorldPartition};
use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::version::{EngineRelease, UnrealVersions};
use unreal_packages::{FString, Guid, Map, Name, Object, PackageIndex};

use super::{empty_body, reopened};
use crate::common::ue4::cooked;

/// A class, a value of its type, how a field of it is set, how it grows, and the parts of it that say so, with the
/// bytes that its texts may stand in.
struct Case<T> {
    class: &'static str,
    value: T,
    set: fn(&mut T),
    grow: fn(&mut T),
    view: fn(&T, &[u8]) -> String,
}

impl<T: Object + Clone> Case<T> {
    fn read(&self, package: &Package, path: &str) -> String {
        let decoded = package.decoded(package.find_export(path).unwrap()).unwrap();
        let error = &decoded.error;
        let Native::Object(object) = &decoded.body.native else {
            panic!("{}: {error:?}", self.class)
        };
        let value =
            object.downcast_ref::<T>().unwrap_or_else(|| panic!("{}: {object:?}", self.class));
        (self.view)(value, package.source())
    }

    /// Changes one of two objects of the class; the other one stands behind it and must stay as it is.
    fn check(self) {
        let release = EngineRelease::new(5, 8);
        let versions = release.versions().with_release(Some(release));
        let versions = versions.with_cooked(true).with_filter_editor_only(true);
        let mut saver = Saver::new(versions);
        self.value.clone().serialize_dyn(&mut saver).unwrap();
        let body = [empty_body(release, 0), saver.into_bytes()].concat();
        let exports = [("Changed", self.class, body.clone()), ("Behind", self.class, body)];
        let options = OpenOptions::new().engine(release);
        let mut package = options.open_bytes(cooked(release, Vec::new(), &exports)).unwrap();
        package.decode_all();
        let was = (self.view)(&self.value, &[]);
        assert_eq!(self.read(&package, "Changed"), was, "{}", self.class);
        let row = package.find_export("Changed").unwrap();
        let change = |package: &mut Package, before: usize, change: fn(&mut T)| {
            let done = package.edit(|edit| {
                if before > 0 {
                    edit.add_name(&"AnotherName".repeat(before))?;
                    let first = edit.find_export("Group.Skin")?;
                    edit.replace_body(first, vec![7; 300 + before])?;
                }
                edit.change_body(row, |body| {
                    if let Native::Object(object) = &mut body.native {
                        change(object.downcast_mut().unwrap());
                    }
                    Ok(())
                })
            });
            done.unwrap_or_else(|error| panic!("{}: {error}", self.class));
            reopened(package, &OpenOptions::new().engine(release))
        };
        let mut expected = self.value.clone();
        (self.set)(&mut expected);
        let set = (self.view)(&expected, &[]);
        assert_ne!(set, was, "{}", self.class);
        let again = change(&mut package, 0, self.set);
        assert_eq!(self.read(&again, "Changed"), set, "{}", self.class);
        assert_eq!(self.read(&again, "Behind"), was, "{}", self.class);
        (self.grow)(&mut expected);
        let again = change(&mut package, 5, self.grow);
        assert_eq!(self.read(&again, "Changed"), (self.view)(&expected, &[]), "{}", self.class);
        assert_eq!(self.read(&again, "Behind"), was, "{}", self.class);
        let skin = again.find_export("Group.Skin").unwrap();
        assert_eq!(again.body(skin).unwrap().len(), 305, "{}", self.class);
    }
}

macro_rules! cases {
    ($($test:ident: $class:literal, $value:expr, $set:expr, $grow:expr, $view:expr;)*) => { $(
        #[test]
        fn $test() {
            Case { class: $class, value: $value, set: $set, grow: $grow, view: $view }.check();
        }
    )* };
}

cases! {
    morph_targets: "/Script/Engine.MorphTarget",
        MorphTarget {
            levels: vec![MorphTargetLevel { vertices: vec![Default::default()], ..Default::default() }],
            ..Default::default()
        },
        |it| it.levels[0].base_vertex_count = 7,
        |it| it.levels[0].vertices.push(Default::default()),
        |it, _| format!("{} {}", it.levels[0].base_vertex_count, it.levels[0].vertices.len());
    loudness: "/Script/AudioSynesthesia.LoudnessNRT",
        Loudness::default(),
        |it| it.duration = 2.5,
        |it| it.values = Map(vec![(3, vec![Default::default(); 2])]),
        |it, _| format!("{it:?}");
    level_instances: "/Script/Engine.LevelInstance",
        LevelInstance { guid: Some(Guid::new(1, 2, 3, 4)), ..Default::default() },
        |it| it.guid = Some(Guid::new(5, 6, 7, 8)),
        |it| it.base.label = Flagged(Some(FString::from("Hall"))),
        |it, source| {
            let label = it.base.label.0.as_ref();
            format!("{:?} {:?}", it.guid, label.map(|label| label.text(source).unwrap()))
        };
    partitions: "/Script/Engine.WorldPartition",
        WorldPartition { cooked: true, streaming_policy: PackageIndex::NULL },
        |it| it.streaming_policy = PackageIndex::export(1),
        |it| it.streaming_policy = PackageIndex::export(2),
        |it, _| format!("{it:?}");
    cells: "/Script/Engine.WorldPartitionRuntimeCellDataSpatialHash",
        RuntimeCellData { debug_name: FString::from("L0") },
        |it| it.debug_name = FString::from("L1"),
        |it| it.debug_name = FString::from("L0_X10_Y12"),
        |it, source| it.debug_name.text(source).unwrap().into_owned();
    landscapes: "/Script/Landscape.LandscapeComponent",
        LandscapeComponent { weights: vec![1, 2], cooked: true, ..Default::default() },
        |it| it.element_count = -1,
        |it| it.weights.push(3),
        |it, _| format!("{it:?}");
    height_maps: "/Script/Landscape.LandscapeTextureStorageProviderFactory",
        TextureStorageProviderFactory {
            mips: vec![HeightMip { size_x: 4, bulk: bulk(b"heights"), ..Default::default() }],
            ..Default::default()
        },
        |it| it.mips[0].size_y = 4,
        |it| it.mips.push(HeightMip { size_x: 2, bulk: bulk(b"more"), ..Default::default() }),
        |it, _| it.mips.iter().map(|mip| format!("{} {} {}, ", mip.size_x, mip.size_y, mip.bulk.payload.len())).collect();
    height_fields: "/Script/Landscape.LandscapeHeightfieldCollisionComponent",
        height_field(),
        |it| heights(it).min_value = -9.5,
        |it| heights(it).heights.push(77),
        |it, _| format!("{:?}", it.cooked_collision.shapes);
    skeletons: "/Script/Engine.Skeleton",
        Skeleton::default(),
        |it| it.guid = Guid::new(1, 2, 3, 4),
        |it| it.reference.bones.push(Default::default()),
        |it, _| format!("{it:?}");
    baked_data: "/Script/Engine.MapBuildDataRegistry",
        MapBuildDataRegistry { sky_atmospheres: vec![Guid::new(1, 2, 3, 4)], ..Default::default() },
        |it| it.sky_atmospheres[0] = Guid::new(4, 3, 2, 1),
        |it| it.sky_atmospheres.push(Guid::new(9, 9, 9, 9)),
        |it, _| format!("{it:?}");
    navigation: "/Script/NavigationSystem.RecastNavMesh",
        navigation_mesh(),
        |it| it.tiles[0].header.layer = 3,
        |it| {
            let tile = it.tiles[0].clone();
            it.tiles.push(tile);
            it.parameters.as_mut().unwrap().tile_count += 1;
        },
        |it, _| format!("{it:?}");
    foliage: "/Script/Foliage.InstancedFoliageActor",
        InstancedFoliageActor { instances: vec![Default::default()], ..Default::default() },
        |it| it.instances[0].component = PackageIndex::export(1),
        |it| it.instances.push(FoliageInstances::default()),
        |it, _| format!("{it:?}");
    dynamic_meshes: "/Script/GeometryFramework.DynamicMesh",
        DynamicMesh { triangle_groups: Flagged(Some(Default::default())), ..Default::default() },
        |it| it.triangle_groups = Flagged(None),
        |it| it.vertex_normals = Flagged(Some(Default::default())),
        |it, _| format!("{it:?}");
    geometry_collections: "/Script/GeometryCollectionEngine.GeometryCollection",
        collection(),
        |it| it.collection.columns[0].floats[1] = 8.0,
        |it| it.collection.columns[0].floats.extend([1.0, 2.0, 3.0]),
        |it, _| format!("{:?} {}", it.collection, it.undecoded.len());
    skeletal_meshes: "/Script/Engine.SkeletalMesh",
        skeletal_mesh(),
        |it| it.cooked.data.as_mut().unwrap().inlined_lods = 1,
        |it| it.cooked.data.as_mut().unwrap().lods[0].required_bones.push(9),
        |it, _| {
            let drawn = it.cooked.data.as_ref().unwrap();
            format!("{} {:?}", drawn.inlined_lods, drawn.lods[0].required_bones)
        };
    composed_curves: "/Script/Engine.CompositeCurveTable",
        CurveTable { mode: 1, curves: vec![(Name::new(1), Default::default())] },
        |it| it.mode = 2,
        |it| it.curves.push((Name::new(2), Default::default())),
        |it, _| format!("{} {:?}", it.mode, it.curves.iter().map(|curve| curve.0).collect::<Vec<_>>());
    attributes: "/Script/PCG.PCGMetadata",
        attributes_of_points(),
        |it| it.domains[0].parent_keys[0] = 5,
        |it| it.domains[0].parent_keys.push(6),
        |it, _| format!("{it:?}");
}

fn bulk(bytes: &[u8]) -> BulkData {
    BulkData {
        flags: 0x48,
        element_count: bytes.len() as i64,
        size_on_disk: bytes.len() as i64,
        payload: Span::owned(bytes),
        ..Default::default()
    }
}

fn height_field() -> HeightfieldCollisionComponent {
    let field = ChaosHeightField { heights: vec![1, 2], ..Default::default() };
    let shape = Some(ChaosShape::HeightField(Box::new(field)));
    let shape = ChaosPointer { exists: true, tag: 0, shape };
    let shapes = Some(Box::new(CookedHeightField { shape, ..Default::default() }));
    let cooked_collision = ShapeArray { element_size: 1, shapes, ..Default::default() };
    HeightfieldCollisionComponent { cooked: true, cooked_collision, ..Default::default() }
}

fn heights(component: &mut HeightfieldCollisionComponent) -> &mut ChaosHeightField {
    let shape = &mut component.cooked_collision.shapes.as_mut().unwrap().shape.shape;
    match shape {
        Some(ChaosShape::HeightField(field)) => field,
        _ => panic!("{shape:?}"),
    }
}

fn navigation_mesh() -> RecastNavMesh {
    let local = || NavMeshVertices::Local(Vec::new());
    let header = NavMeshTileHeader { resolution: Prepared(Some(1)), ..Default::default() };
    let (vertices, detail_vertices) = (local(), local());
    let tile = NavMeshTile { size: 100, header, vertices, detail_vertices, ..Default::default() };
    let parameters = Some(NavMeshParameters { tile_count: 1, ..Default::default() });
    RecastNavMesh { version: 28, parameters, tiles: vec![tile], ..Default::default() }
}

/// A column that is decoded, and one that is not.
fn collection() -> GeometryCollection {
    let floats = vec![0.5; 3];
    let column =
        ManagedArray { version: 4, array_type: 1, array_version: 1, floats, ..Default::default() };
    let collection =
        ManagedArrayCollection { column_count: 2, columns: vec![column], ..Default::default() };
    GeometryCollection { cooked: true, collection, undecoded: Span::owned(vec![3; 50]) }
}

fn skeletal_mesh() -> SkeletalMesh {
    let lod = SkeletalRenderLod { is_cooked_out: true, ..Default::default() };
    let drawn = SkeletalRenderData { lods: vec![lod], ..Default::default() };
    let strip = StripFlags { global: 1, class: 0 };
    SkeletalMesh { strip, cooked: DrawnSkeletalMesh::new(drawn), ..Default::default() }
}

fn attributes_of_points() -> PcgMetadata {
    let id = PcgDomainId { flag: 2, custom_flag: -1 };
    let points = PcgDomain { is_valid: true, parent_keys: vec![-1], ..Default::default() };
    PcgMetadata { default_domain: id, domain_ids: vec![id], domains: vec![points] }
}
