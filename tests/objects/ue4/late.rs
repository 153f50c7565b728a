//! What packages of 5.6 to 5.8 hold: height fields, foliage, columns, attributes.

use unreal_packages::archive::Loader;
use unreal_packages::object::ue4::asset::compressed_block::CompressedBlocks;
use unreal_packages::object::ue4::asset::cooked_shape::bulk::ShapeArray;
use unreal_packages::object::ue4::asset::cooked_shape::chaos::{ChaosPointer, ChaosShape};
use unreal_packages::object::ue4::asset::cooked_shape::height_field::{
    ChaosHeightField, CookedHeightField,
};
use unreal_packages::object::ue4::asset::dynamic_mesh::{
    DynamicMesh, DynamicMeshBuffer, DynamicMeshGroups,
};
use unreal_packages::object::ue4::asset::managed_array::{
    GeometryCollection, ManagedArray, ManagedArrayCollection, ManagedArrayGroup,
};
use unreal_packages::object::ue4::asset::pcg_metadata::{
    PcgAttribute, PcgDomain, PcgDomainId, PcgMetadata, PcgPath, PcgValues,
};
use unreal_packages::object::ue4::asset::texture::ImageTexture;
use unreal_packages::object::ue4::component::landscape::HeightfieldCollisionComponent;
use unreal_packages::object::ue4::prepared::Flagged;
use unreal_packages::object::ue4::world::actor::{FoliageInstances, InstancedFoliageActor};
use unreal_packages::version::{EngineRelease, UnrealVersions};
use unreal_packages::{Archived, ErrorKind, FString, Map, Name, PackageIndex, Versions};

use super::{context, laws, laws_at, saved, span, thresholds};

fn cooked(major: u8, minor: u8) -> Versions {
    let release = EngineRelease::new(major, minor);
    let versions = release.versions().with_release(Some(release));
    versions.with_cooked(true).with_filter_editor_only(true)
}

#[test]
fn landscapes_collide_with_height_fields_or_with_bytes() {
    let field = ChaosHeightField {
        heights: vec![7, 8, 9, 10],
        min_value: -2.5,
        rows: 2,
        columns: 2,
        material_indices: vec![0],
        low_resolution: vec![[7, 10]],
        ..Default::default()
    };
    let shape = ChaosPointer {
        exists: true,
        tag: 0,
        shape: Some(ChaosShape::HeightField(Box::new(field))),
    };
    let shapes = Some(Box::new(CookedHeightField { shape, ..Default::default() }));
    let typed = HeightfieldCollisionComponent {
        cooked: true,
        cooked_collision: ShapeArray { element_size: 1, shapes, ..Default::default() },
        ..Default::default()
    };
    let blank = HeightfieldCollisionComponent::default();
    let mut bytes = typed.clone();
    bytes.cooked_collision =
        ShapeArray { element_size: 1, data: span(b"another engine's"), ..Default::default() };
    for (major, minor) in [(4, 14), (4, 27), (5, 0), (5, 8)] {
        laws_at(&typed, &blank, &cooked(major, minor));
        laws_at(&bytes, &blank, &cooked(major, minor));
    }
    // Another number of heights grows what stands around it.
    let versions = cooked(5, 8);
    let length = |value: &HeightfieldCollisionComponent| {
        let bytes = saved(&mut value.clone(), &versions, 0).unwrap();
        let mut loaded = HeightfieldCollisionComponent::default();
        loaded.serialize(&mut Loader::new(&bytes, versions.clone())).unwrap();
        assert_eq!(
            loaded.cooked_collision.shapes.is_some(),
            value.cooked_collision.shapes.is_some()
        );
        bytes.len()
    };
    let mut grown = typed.clone();
    if let Some(shapes) = &mut grown.cooked_collision.shapes
        && let Some(ChaosShape::HeightField(field)) = &mut shapes.shape.shape
    {
        field.heights.push(11);
    }
    assert_eq!(length(&grown), length(&typed) + 2);
    assert!(length(&bytes) < length(&typed));
    // Elements that are no whole number.
    bytes.cooked_collision.element_size = 3;
    assert!(saved(&mut bytes, &versions, 0).is_err());
    assert!(saved(&mut typed.clone(), &cooked(4, 13), 0).is_err());
}

#[test]
fn cooked_foliage_has_components() {
    let filled = InstancedFoliageActor {
        instances: vec![FoliageInstances {
            foliage_type: PackageIndex::import(2),
            component: PackageIndex::export(1),
            ..Default::default()
        }],
        ..Default::default()
    };
    laws_at(&filled, &InstancedFoliageActor::default(), &cooked(5, 8));
    laws_at(&filled, &InstancedFoliageActor::default(), &cooked(4, 26));
    // With what the editor needs, and in older versions, instances have another form.
    for versions in [EngineRelease::new(5, 8).versions(), cooked(4, 10)] {
        let error = saved(&mut filled.clone(), &versions, 0).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NonCanonical { .. }), "{error}");
    }
}

fn blocks(sizes: &[i64]) -> CompressedBlocks {
    let block = |size: &i64| [*size + 2, *size];
    let bytes: i64 = sizes.iter().map(|size| size + 2).sum();
    CompressedBlocks {
        block_size: 16,
        method: 2,
        uncompressed_size: sizes.iter().sum(),
        blocks: sizes.iter().map(block).collect(),
        data: span(&vec![6; bytes as usize]),
    }
}

#[test]
fn dynamic_meshes_are_compressed_in_blocks_that_add_up() {
    let blank = DynamicMesh::default();
    laws(&blank, thresholds(&blank));
    let buffer = |count, sizes: &[i64]| DynamicMeshBuffer {
        count,
        data: blocks(sizes),
        ..Default::default()
    };
    let mut mesh = DynamicMesh {
        vertices: buffer(1, &[16, 8]),
        triangles: buffer(1, &[12]),
        triangle_groups: Flagged(Some(DynamicMeshGroups {
            groups: buffer(1, &[4]),
            group_id_counter: 2,
        })),
        ..Default::default()
    };
    for minor in [1, 8] {
        laws_at(&mesh, &blank, &cooked(5, minor));
    }
    let with_layers =
        DynamicMesh { has_attributes: true, attributes: span(b"layers"), ..mesh.clone() };
    laws_at(&with_layers, &blank, &cooked(5, 8));
    let versions = cooked(5, 8);
    for change in [
        (|data: &mut CompressedBlocks| data.data = span(b"short")) as fn(&mut CompressedBlocks),
        |data| data.uncompressed_size += 1,
        |data| data.uncompressed_size = -1,
        |data| data.blocks[0] = [i64::MAX, i64::MAX],
        |data| data.block_size = 0,
        |data| data.blocks.truncate(1),
    ] {
        let mut wrong = mesh.clone();
        change(&mut wrong.vertices.data);
        assert!(saved(&mut wrong, &versions, 0).is_err(), "{wrong:?}");
    }
    // Another way to compress them is not known.
    let bytes = saved(&mut mesh, &versions, 0).unwrap();
    let mut old = bytes.clone();
    old[20] = 0xc2;
    let load =
        |bytes: &[u8]| DynamicMesh::default().serialize(&mut Loader::new(bytes, versions.clone()));
    assert!(load(&bytes).is_ok() && load(&old).is_err());
}

/// A column of each type that is decoded, with two rows.
fn columns() -> Vec<ManagedArray> {
    let types = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 44];
    let column = |array_type: i32| {
        let mut column =
            ManagedArray { version: 4, array_type, array_version: 1, ..Default::default() };
        let integers = |count| vec![3; count];
        let floats = |count| vec![0.5; count];
        match array_type {
            1 => column.floats = floats(6),
            2 => column.integers = integers(6),
            3 => column.floats = floats(4),
            4 => column.floats = floats(8),
            5 => column.integers = integers(2),
            6 => column.bools = vec![1, 0],
            7 => column.transforms = vec![Default::default(); 2],
            8 => column.strings = vec![FString::from("Rock"); 2],
            9 => column.floats = floats(2),
            12 => column.integers = integers(10),
            13 => column.boxes = vec![Default::default(); 2],
            14 => column.sets = vec![vec![1, 2], Vec::new()],
            _ => column.floats = floats(20),
        }
        column
    };
    types.into_iter().map(column).collect()
}

#[test]
fn geometry_collections_are_decoded_up_to_the_first_unknown_column() {
    let blank = GeometryCollection::default();
    laws(&blank, thresholds(&blank));
    let columns = columns();
    let collection = ManagedArrayCollection {
        version: 10,
        groups: vec![ManagedArrayGroup { version: 4, size: 2, ..Default::default() }],
        column_count: columns.len() as i32,
        columns,
    };
    let whole = GeometryCollection { cooked: true, collection, ..Default::default() };
    assert!(whole.collection.is_whole());
    // A column of convex hulls: its rows and what stands behind them stay bytes.
    let mut partial = whole.clone();
    partial.collection.column_count += 2;
    partial.undecoded = span(&[9; 60]);
    assert!(!partial.collection.is_whole());
    for minor in [1, 5, 8] {
        laws_at(&whole, &blank, &cooked(5, minor));
        laws_at(&partial, &blank, &cooked(5, minor));
    }
    let versions = cooked(5, 8);
    let bytes = saved(&mut partial, &versions, 0).unwrap();
    let mut loaded = GeometryCollection::default();
    let mut loader = Loader::new(&bytes, versions.clone()).with_context(context(&bytes));
    loaded.serialize(&mut loader).unwrap();
    assert_eq!(loaded.collection.columns.len(), whole.collection.columns.len());
    assert_eq!(loaded.undecoded.len(), 60);
    for change in [
        (|column: &mut ManagedArray| column.version = 3) as fn(&mut ManagedArray),
        |column| column.array_type = 42,
        |column| column.floats.truncate(5),
        |column| column.integers = vec![1],
    ] {
        let mut wrong = whole.clone();
        change(&mut wrong.collection.columns[0]);
        assert!(saved(&mut wrong, &versions, 0).is_err(), "{wrong:?}");
    }
    let mut few = whole.clone();
    few.collection.column_count = 1;
    assert!(saved(&mut few, &versions, 0).is_err());
}

#[test]
fn attributes_of_rules_have_values_of_their_type() {
    let blank = PcgMetadata::default();
    laws(&blank, thresholds(&blank));
    let one = |kind: i32| {
        let mut values = PcgValues::default();
        match kind {
            0 => values.floats = vec![0.5],
            1 => values.doubles = vec![0.5],
            2 => values.integers = vec![-1],
            3 => values.longs = vec![-1],
            4 => values.doubles = vec![0.5; 2],
            5 | 11 => values.doubles = vec![0.5; 3],
            6 | 7 => values.doubles = vec![0.5; 4],
            8 => values.doubles = vec![0.5; 10],
            9 => values.strings = vec![FString::from("Tree")],
            10 => values.bools = vec![true],
            12 => values.names = vec![Name::new(3)],
            _ => values.paths = vec![PcgPath { row: 1 }],
        }
        values
    };
    let attribute = |kind: i32| PcgAttribute {
        kind,
        values_by_entry: Map(vec![(7, 0)]),
        parent: -1,
        name: Name::new(3),
        attribute_id: kind,
        values: one(kind),
        default_value: one(kind),
    };
    let attributes = (0..=14).map(|kind| (Name::new(4), attribute(kind))).collect();
    let points =
        PcgDomain { is_valid: true, attributes: Map(attributes), parent_keys: vec![-1, 2] };
    let default = PcgDomain { is_valid: true, ..Default::default() };
    let id = |flag| PcgDomainId { flag, custom_flag: -1 };
    let metadata = PcgMetadata {
        default_domain: id(2),
        domain_ids: vec![id(0), id(1), id(2)],
        domains: vec![default, PcgDomain::default(), points],
    };
    for minor in [6, 7] {
        laws_at(&metadata, &blank, &cooked(5, minor));
    }
    let versions = cooked(5, 7);
    for change in [
        (|it: &mut PcgMetadata| drop(it.domains.pop())) as fn(&mut PcgMetadata),
        // The default domain stands for another one.
        |it| it.domains[0].parent_keys.push(1),
        |it| it.domains[2].attributes.0[0].1.kind = 15,
        |it| it.domains[2].attributes.0[0].1.kind = 2,
        |it| it.domains[2].attributes.0[0].1.default_value.floats.clear(),
    ] {
        let mut wrong = metadata.clone();
        change(&mut wrong);
        assert!(saved(&mut wrong, &versions, 0).is_err(), "{wrong:?}");
    }
}

#[test]
fn textures_of_earlier_releases_keep_their_texels_in_later_ones() {
    let (early, late) = (cooked(5, 2), cooked(5, 3));
    let bytes = saved(&mut ImageTexture { cooked: true, ..Default::default() }, &early, 0).unwrap();
    let mut loaded = ImageTexture { serialize_mip_data: false, ..Default::default() };
    loaded
        .serialize(&mut Loader::new(&bytes, early.clone()).with_context(context(&bytes)))
        .unwrap();
    assert!(loaded.serialize_mip_data, "nothing says that they are elsewhere");
    let later = saved(&mut loaded, &late, 0).unwrap();
    let mut again = ImageTexture::default();
    again.serialize(&mut Loader::new(&later, late).with_context(context(&later))).unwrap();
    assert!(again.serialize_mip_data);
    // Before 5.3 a texture can't say that they are.
    loaded.serialize_mip_data = false;
    let error = saved(&mut loaded, &early, 0).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
}
