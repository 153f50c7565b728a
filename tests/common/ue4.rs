//! Packages of UE4 and UE5 with every section that their versions have.

use unreal_packages::generate::Builder;
use unreal_packages::package::FurtherSections;
use unreal_packages::primitive::{PackageFlags, SoftObjectPath, Utf8String};
use unreal_packages::table::{
    AssetData, AssetRegistryData, AssetTag, CellExport, CellImport, DataResource, DataResources,
    GatherableText, HierarchyType, MetaData, MetaDataValue, ObjectMetaData, PackageDependency,
    SearchableNames, SoftPackageReference, TextContext, Trailer, TrailerEntry, TypeHierarchy,
    WorldTileInfo, WorldTileLod,
};
use unreal_packages::version::UnrealVersions;
use unreal_packages::version::custom::{FORTNITE_MAIN, fortnite_main};
use unreal_packages::version::threshold::{ue4, ue5};
use unreal_packages::{FString, Name, PackageIndex, Span, Versions};

use super::GUID;

/// A small package: names, imports, exports within exports, one of them without a body.
pub fn builder(versions: &Versions) -> Builder {
    Builder::for_versions(versions.clone())
        .guid(GUID)
        .name("Alpha")
        .name("Größe")
        .import("/Script/Engine.Actor", "/Script/CoreUObject.Class")
        .import("/Game/Other", "/Script/CoreUObject.Package")
        .export("Notes", "/Script/Engine.TextAsset", b"\x00\x00\x00\x00hello".to_vec())
        .export("Empty", "/Script/Engine.Thing", Vec::new())
        .export("Group", "/Script/Engine.Thing", vec![0])
        .export("Group.Skin", "/Script/Engine.Thing", vec![7; 300])
        .export("Group.Skin.Inner", "/Script/Engine.Thing", (0..=255).collect::<Vec<u8>>())
        .export("Last", "/Script/Engine.Thing", vec![9])
}

/// The same with every section that the versions have.
pub fn rich(versions: &Versions, flags: PackageFlags) -> Builder {
    let (v4, v5) = (versions.ue4(), versions.ue5());
    let editor = !flags.contains(PackageFlags::FILTER_EDITOR_ONLY);
    let order = versions.byte_order;
    let text = |text: &str| FString::new_in(text, order, versions.game());
    let (none, alpha) = (Name::new(0), Name::numbered(1, 4));
    let mut sections = FurtherSections::default();
    let soft_path = || {
        let mut path = SoftObjectPath::default();
        let utf8 =
            versions.custom(&FORTNITE_MAIN) >= fortnite_main::SOFT_OBJECT_PATH_UTF8_SUB_PATHS;
        if v4 < ue4::ADDED_SOFT_OBJECT_PATH {
            path.path = text("/Game/A.A:B");
            return path;
        }
        if utf8 {
            path.sub_path_utf8 = Utf8String::new("Über");
        } else {
            path.sub_path = text("Über");
        }
        if v5 >= ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES {
            (path.package_name, path.asset_name) = (alpha, none);
        } else {
            path.asset_path_name = alpha;
        }
        path
    };
    if v5 >= ue5::ADD_SOFTOBJECTPATH_LIST && editor {
        sections.soft_object_paths = vec![soft_path(), soft_path()];
    }
    if v4 >= ue4::SERIALIZE_TEXT_IN_PACKAGES && editor {
        sections.gatherable_text = vec![GatherableText {
            namespace: text("ns"),
            source_string: text("Größe"),
            contexts: vec![TextContext { key: text("key"), ..TextContext::default() }],
            ..GatherableText::default()
        }];
    }
    let value = |key| MetaDataValue { key, value: text("value") };
    if v5 >= ue5::METADATA_SERIALIZATION_OFFSET && editor {
        let object = unreal_packages::primitive::SoftPath::Listed(1);
        let objects = vec![ObjectMetaData { object, values: vec![value(alpha)] }];
        sections.meta_data = Some(MetaData { objects, root: vec![value(none), value(alpha)] });
    }
    if v5 >= ue5::VERSE_CELLS {
        let verse_path = Utf8String::new("/verse/x");
        sections.cell_imports =
            vec![CellImport { package: PackageIndex::new(-1), verse_path: verse_path.clone() }];
        sections.cell_exports =
            vec![CellExport { cpp_class_info: alpha, verse_path, ..CellExport::default() }];
    }
    if v4 >= ue4::ADD_STRING_ASSET_REFERENCES_MAP && editor {
        let reference = match v4 {
            ue4::ADDED_SOFT_OBJECT_PATH.. => {
                SoftPackageReference { name: alpha, ..SoftPackageReference::default() }
            }
            _ => SoftPackageReference { path: text("/Game/B"), ..SoftPackageReference::default() },
        };
        sections.soft_package_references = vec![reference.clone(), reference];
    }
    if v4 >= ue4::ADDED_SEARCHABLE_NAMES && editor {
        let object = PackageIndex::new(-1);
        sections.searchable_names = Some(vec![SearchableNames { object, names: vec![alpha] }]);
    }
    if v5 >= ue5::IMPORT_TYPE_HIERARCHIES {
        let types = vec![HierarchyType { type_name: alpha, ..HierarchyType::default() }];
        sections.import_type_hierarchies =
            vec![TypeHierarchy { import: PackageIndex::new(-1), types }];
    }
    let tags = vec![AssetTag { key: text("Key"), value: text("Wert ß") }];
    let asset =
        AssetData { object_path: text("Notes"), object_class_name: text("TextAsset"), tags };
    sections.asset_registry =
        Some(AssetRegistryData { assets: vec![asset], ..AssetRegistryData::default() });
    if v4 >= ue4::ASSETREGISTRY_DEPENDENCYFLAGS && editor {
        let dependencies = sections.asset_dependencies.get_or_insert_default();
        (0..40).for_each(|at| dependencies.soft_package_used_in_game.push(at % 3 == 0));
        if v5 >= ue5::ASSETREGISTRY_PACKAGEBUILDDEPENDENCIES {
            let dependency = PackageDependency { package: alpha, flags: 3 };
            dependencies.extra_package_dependencies = vec![dependency];
        }
    }
    if v4 >= ue4::WORLD_LEVEL_INFO_ZORDER {
        sections.world_tile_info = Some(WorldTileInfo {
            position: [3, -4],
            parent_tile_package_name: text("/Game/Map"),
            lods: vec![WorldTileLod::default()],
            z_order: 7,
            ..WorldTileInfo::default()
        });
    }
    if v4 >= ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS && !editor {
        sections.preload_dependencies = [-1, 1, 2].map(PackageIndex::new).to_vec();
    }
    if v5 >= ue5::DATA_RESOURCES && !editor {
        let rows = vec![DataResource { serial_size: 5, ..DataResource::default() }; 2];
        sections.data_resources = Some(DataResources { version: 1, rows });
    }
    if editor {
        sections.bulk_data = Span::owned(&b"bulk data of the bodies"[..]);
    }
    if v5 >= ue5::PAYLOAD_TOC && editor {
        let entry = TrailerEntry { identifier: [3; 20], raw_size: 9, ..TrailerEntry::default() };
        sections.trailer = Some(Trailer {
            version: 2,
            entries: vec![entry],
            payloads: Span::owned(&b"payloads"[..]),
            ..Trailer::default()
        });
    }
    builder(versions).flags(flags).sections(sections)
}

/// Texels of the mip that stands in the body of [`cooked_texture`].
pub const TEXELS: &[u8; 16] = b"texels in a body";

/// The end of a list of properties, no GUID.
fn no_properties(release: unreal_packages::EngineRelease) -> Vec<u8> {
    vec![0; usize::from(release.ue5() >= 1011) + 8 + 4]
}

fn int(number: i32) -> Vec<u8> {
    number.to_le_bytes().to_vec()
}

/// The body of a texture with a mip in a companion and one in it, by this row of the table of data resources and
/// the next one; and where the second one's texels start.
fn cooked_texture_body(release: unreal_packages::EngineRelease, first_row: i32) -> (Vec<u8>, i64) {
    let name = |row: i32| [row.to_le_bytes(), [0; 4]].concat();
    let format = b"PF_B8G8R8A8\0";
    let mip =
        |row, texels: &[u8], size| [&int(row), texels, &int(size), &int(size), &int(1)].concat();
    let data = [
        vec![0; 16],
        [int(4), int(4), int(1)].concat(),
        [&int(format.len() as i32)[..], format].concat(),
        [int(0), int(2)].concat(),
        mip(first_row, b"", 4),
        mip(first_row + 1, TEXELS, 2),
        // No virtual texture.
        int(0),
    ]
    .concat();
    let skip = (8 + data.len() as i64).to_le_bytes().to_vec();
    let mips_are_stored = if release.minor() >= 3 { int(1) } else { vec![] };
    let properties = no_properties(release);
    let before = [properties, vec![1, 0, 1, 0], int(1), mips_are_stored, name(1), skip];
    let texture = [before.concat(), data, name(0)].concat();
    let start = texture.windows(16).position(|bytes| bytes == TEXELS).unwrap() as i64;
    (texture, start)
}

/// A row of the table of data resources.
fn resource(flags: u32, export: usize, serial_offset: i64, size: i64) -> DataResource {
    DataResource {
        serial_offset,
        duplicate_serial_offset: -1,
        serial_size: size,
        raw_size: size,
        outer_index: PackageIndex::export(export),
        legacy_bulk_data_flags: flags,
        ..DataResource::default()
    }
}

/// A cooked package with these exports behind those of [`builder`], and these rows of the table of data resources.
pub fn cooked(
    release: unreal_packages::EngineRelease,
    rows: Vec<DataResource>,
    exports: &[(&str, &str, Vec<u8>)],
) -> Vec<u8> {
    let mut sections = FurtherSections::default();
    let version = if release.minor() >= 5 { 2 } else { 1 };
    sections.data_resources = Some(DataResources { version, rows });
    let builder = exports.iter().fold(builder(&release.versions()), |builder, export| {
        builder.export(export.0, export.1, export.2.clone())
    });
    builder
        .flags(PackageFlags(PackageFlags::COOKED.0 | PackageFlags::FILTER_EDITOR_ONLY.0))
        .sections(sections)
        .build()
        .unwrap()
}

/// Exports of [`builder`].
const BUILT: usize = 6;
const TEXTURE: &str = "/Script/Engine.Texture2D";

/// A cooked package whose texture, `Picture`, has a mip in a companion and one in its body, by rows 0 and 1 of
/// the table of data resources; and `Riddle`, of which nobody knows where the payload of row 2 stands,
/// and `Puzzle`, the same without a row.
pub fn cooked_texture(release: unreal_packages::EngineRelease) -> Vec<u8> {
    let (texture, start) = cooked_texture_body(release, 0);
    let riddle = [no_properties(release), int(2), TEXELS.to_vec(), vec![0xee; 5]].concat();
    let hidden = riddle.windows(16).position(|bytes| bytes == TEXELS).unwrap() as i64;
    let rows = vec![
        resource(0x1_0501, BUILT, 77, 64),
        resource(0x48, BUILT, start, 16),
        resource(0x48, BUILT + 1, hidden, 16),
    ];
    let riddles = "/Script/Engine.Riddle";
    let exports = [
        ("Picture", TEXTURE, texture),
        ("Riddle", riddles, riddle.clone()),
        ("Puzzle", riddles, riddle),
    ];
    cooked(release, rows, &exports)
}

/// A cooked package of textures called so, each with two rows of the table of data resources as in
/// [`cooked_texture`], and no body that is not decoded.
pub fn cooked_textures(release: unreal_packages::EngineRelease, names: &[&str]) -> Vec<u8> {
    let (mut rows, mut exports) = (Vec::new(), Vec::new());
    for (at, &name) in names.iter().enumerate() {
        let (texture, start) = cooked_texture_body(release, 2 * at as i32);
        rows.push(resource(0x1_0501, BUILT + at, 77 + 64 * at as i64, 64));
        rows.push(resource(0x48, BUILT + at, start, 16));
        exports.push((name, TEXTURE, texture));
    }
    cooked(release, rows, &exports)
}

/// Where the table says that the payload of row 1 stands, and what stands there; the other rows.
pub fn inline_texels(package: &unreal_packages::Package) -> (i64, Vec<u8>, [i64; 2]) {
    let rows = &package.tables().further.data_resources.as_ref().unwrap().rows;
    let body = package.body(package.find_export("Picture").unwrap()).unwrap();
    let start = rows[1].serial_offset;
    let found = body[start as usize..][..TEXELS.len()].to_vec();
    (start, found, [rows[0].serial_offset, rows[2].serial_offset])
}
