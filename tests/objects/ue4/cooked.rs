//! What objects of cooked packages leave out and add from release to release.

use unreal_packages::object::ue4::asset::{audio_analysis, morph_target, skeleton, texture};
use unreal_packages::object::ue4::component::landscape;
use unreal_packages::object::ue4::field::{Declaration, Field, FieldData};
use unreal_packages::object::ue4::world::{map_build_data, partition};
use unreal_packages::primitive::Real;
use unreal_packages::version::{EngineRelease, UnrealVersions};
use unreal_packages::{FString, Map, Name, PackageIndex, Versions};

use super::{inline, laws_at, releases, saved, thresholds, versions_around};

fn cooked(major: u8, minor: u8) -> Versions {
    let release = EngineRelease::new(major, minor);
    let versions = release.versions().with_release(Some(release));
    versions.with_cooked(true).with_filter_editor_only(true)
}

fn counter(array_dim: i32) -> Field {
    let declaration = Declaration {
        name: Name::new(3),
        array_dim,
        element_size: 4,
        data: FieldData::None,
        ..Declaration::default()
    };
    Field { type_name: Name::new(1), declaration: Some(Box::new(declaration)) }
}

#[test]
fn cooked_declarations_have_no_dimension_from_5_8_on() {
    for minor in [7, 8, 9] {
        let length = |versions: &Versions| saved(&mut counter(1), versions, 0).unwrap().len();
        let (stripped, whole) = (cooked(5, minor), cooked(5, minor).with_filter_editor_only(false));
        // The editor's own have it always.
        let expected = length(&whole) - if minor < 8 { 0 } else { 4 };
        assert_eq!(length(&stripped), expected, "5.{minor}");
        laws_at(&counter(1), &Field::default(), &stripped);
        laws_at(&counter(1), &Field::default(), &whole);
        let several = saved(&mut counter(3), &stripped, 0);
        assert_eq!(several.is_err(), minor >= 8, "5.{minor}: three values are no single one");
    }
}

#[test]
fn cooked_skeletons_have_no_smart_names_from_5_8_on() {
    let smart_names = Map(vec![(Name::new(3), skeleton::NameMapping::default())]);
    let mut named = skeleton::Skeleton { smart_names, ..Default::default() };
    for (minor, refused) in [(7, false), (8, true)] {
        let versions = cooked(5, minor);
        assert_eq!(saved(&mut named, &versions, 0).is_err(), refused, "5.{minor}");
        let blank = skeleton::Skeleton::default();
        laws_at(if refused { &blank } else { &named }, &blank, &versions);
    }
}

#[test]
fn morph_targets_hold_the_laws() {
    let blank = morph_target::MorphTarget::default();
    let mut all = releases();
    all.extend(versions_around(thresholds(&blank)));
    for versions in all {
        let mut level = morph_target::MorphTargetLevel {
            base_vertex_count: 7,
            vertices: vec![Default::default(); 2],
            ..Default::default()
        };
        level.vertices[1].vertex = 6;
        let filled = morph_target::MorphTarget { levels: vec![level], ..Default::default() };
        laws_at(&filled, &blank, &versions);
    }
    // Vertices left out, and packed for the processor.
    let level = morph_target::MorphTargetLevel {
        stripped: true,
        vertex_count: 2,
        sections: vec![0],
        source_file: FString::from("smile.fbx"),
        ..Default::default()
    };
    let packed = morph_target::PackedMorphLevel {
        batches: vec![Default::default()],
        data: vec![1, 2],
        position_precision: 0.5,
        ..Default::default()
    };
    let filled = morph_target::MorphTarget {
        cooked: true,
        levels: vec![level],
        has_packed: true,
        packed: vec![packed],
        ..Default::default()
    };
    laws_at(&filled, &blank, &cooked(5, 8));
    assert!(saved(&mut filled.clone(), &cooked(5, 0), 0).is_err());
}

#[test]
fn what_was_heard_in_sounds_holds_the_laws() {
    for versions in releases() {
        let frame =
            audio_analysis::ConstantQFrame { spectrum: vec![-90.0; 3], ..Default::default() };
        let spectra = audio_analysis::ConstantQ {
            duration: 1.0,
            frames: Map(vec![(-1, vec![frame])]),
            intervals: Map(vec![(0, [-90.0, 0.0])]),
            ..Default::default()
        };
        laws_at(&spectra, &audio_analysis::ConstantQ::default(), &versions);
        let loudness = audio_analysis::Loudness {
            values: Map(vec![(0, vec![Default::default(); 2])]),
            ..Default::default()
        };
        laws_at(&loudness, &audio_analysis::Loudness::default(), &versions);
    }
}

#[test]
fn height_maps_keep_their_texels_elsewhere() {
    for minor in [3, 8] {
        let mip = landscape::HeightMip {
            size_x: 4,
            compressed: true,
            bulk: inline(b"heights"),
            ..Default::default()
        };
        let factory = landscape::TextureStorageProviderFactory {
            grid_scale: [Real::new(100.0); 3],
            mips: vec![mip],
            texture: PackageIndex::export(0),
            ..Default::default()
        };
        let blank = landscape::TextureStorageProviderFactory::default();
        laws_at(&factory, &blank, &cooked(5, minor));
        let component = landscape::LandscapeComponent {
            element_count: -1,
            weights: vec![1, 2, 3],
            cooked: true,
            ..Default::default()
        };
        laws_at(&component, &landscape::LandscapeComponent::default(), &cooked(5, minor));
    }
    // The texture says that its mips have no texels, and has none then.
    let mut with =
        texture::ImageTexture { cooked: true, serialize_mip_data: true, ..Default::default() };
    let platform = unreal_packages::object::ue4::asset::platform_data::CookedPlatform {
        format: Name::new(3),
        ..Default::default()
    };
    with.platforms.platforms.push(platform);
    let mip = unreal_packages::object::ue4::asset::platform_data::Mip {
        size_x: 4,
        size_y: 4,
        size_z: 1,
        ..Default::default()
    };
    with.platforms.platforms[0].data.mips.push(mip);
    let mut without = with.clone();
    without.serialize_mip_data = false;
    let versions = cooked(5, 8);
    let length = |value: &mut texture::ImageTexture| saved(value, &versions, 0).unwrap().len();
    assert!(length(&mut without) < length(&mut with));
    laws_at(&without, &texture::ImageTexture::default(), &versions);
}

#[test]
fn partitions_and_baked_data_hold_the_laws() {
    for (minor, has_name) in [(2, false), (3, true), (8, true)] {
        let versions = cooked(5, minor);
        let world =
            partition::WorldPartition { cooked: true, streaming_policy: PackageIndex::export(1) };
        laws_at(&world, &partition::WorldPartition::default(), &versions);
        let mut cell = partition::RuntimeCellData { debug_name: FString::from("L0_X0_Y0") };
        assert_eq!(saved(&mut cell, &versions, 0).is_ok(), has_name, "5.{minor}");
        let blank = map_build_data::MapBuildDataRegistry::default();
        laws_at(&blank, &blank, &versions);
    }
}
