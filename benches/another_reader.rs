//! Another reader of the field reads the assets that are made from nothing.

#[path = "../tests/common/assets.rs"]
mod assets;

use std::io::Cursor;

use assets::{object, strings, weapons};
use unreal_asset::engine_version::EngineVersion;
use unreal_asset::exports::{Export, ExportBaseTrait, ExportNormalTrait};
use unreal_packages::EngineRelease;
use unreal_packages::generate::NewAsset;

fn all() -> [(&'static str, NewAsset); 3] {
    [("DT_Weapons", weapons()), ("ST_Menu", strings()), ("DA_Level", object())]
}

/// Of the releases whose packages of the editor it reads at all: it knows no header from 4.19 on that was not cooked.
#[test]
fn another_reader_reads_them() {
    let known = [
        ("4.15", EngineVersion::VER_UE4_15),
        ("4.16", EngineVersion::VER_UE4_16),
        ("4.17", EngineVersion::VER_UE4_17),
        ("4.18", EngineVersion::VER_UE4_18),
    ];
    for (release, version) in known {
        let release: EngineRelease = release.parse().unwrap();
        for (name, asset) in all() {
            let bytes = asset.to_bytes(release).unwrap();
            let read = unreal_asset::Asset::new(Cursor::new(bytes), None, version)
                .unwrap_or_else(|why| panic!("{release} {name}: {why}"));
            let export = &read.asset_data.exports[0];
            let base = export.get_base_export();
            assert_eq!(base.object_name.get_content(), name, "{release}");
            match export {
                Export::DataTableExport(table) => {
                    assert_eq!(table.table.data.len(), 3, "{release}");
                    assert_eq!(table.table.data[0].value.len(), 5, "{release}");
                }
                Export::StringTableExport(table) => {
                    assert_eq!(table.table.len(), 2, "{release}");
                }
                other => {
                    let normal = other.get_normal_export();
                    let normal = normal.unwrap_or_else(|| panic!("{release} {name} is raw"));
                    assert_eq!(normal.properties.len(), 2, "{release} {name}");
                }
            }
        }
    }
}
