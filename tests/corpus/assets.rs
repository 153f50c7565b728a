//! New assets beside those that the editor saved.

use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::version::{UnrealVersions, custom};

use crate::common::assets::{object, weapons};
use crate::folders::corpus;

/// What real packages of the editor and made ones have in common: the header of a table of 4.25 and of an
/// object of 5.4.
pub fn real_packages_of_the_editor_have_the_same_header() {
    for (file, name, asset) in [
        ("518_0_DT_RTSGameplayTags.uasset", "DT_Weapons", weapons()),
        ("522_0_TestSoundClass.uasset", "DA_Level", object()),
        ("522_1012_IAU2015_Mars.uasset", "DA_Level", object()),
    ] {
        let path = corpus().join("modern").join(file);
        let opened = OpenOptions::new().open(&path);
        let real = opened.unwrap_or_else(|error| panic!("{file}: {error}"));
        let release = real.versions().release().unwrap();
        let made = asset.build(release).unwrap();
        let sections = |package: &Package| {
            let mut kinds: Vec<_> =
                package.sections().into_iter().map(|place| place.section).collect();
            kinds.retain(|section| !matches!(section, unreal_packages::package::Section::Body(_)));
            kinds
        };
        assert_eq!(sections(&real), sections(&made), "{file}");
        let (one, other) = (real.summary(), made.summary());
        // Which custom versions are listed depends on what is in the bodies.
        let numbers = |summary: &unreal_packages::table::Summary| {
            let mut versions = summary.versions.clone();
            versions.custom_versions = Default::default();
            versions
        };
        assert_eq!(numbers(one), numbers(other), "{file}");
        let customs = |package: &Package| package.versions().custom(&custom::EDITOR);
        assert_eq!(customs(&real), customs(&made), "{file}");
        let zero = |offset: i32| offset == 0;
        for (field, one, other) in [
            (
                "soft_package_references",
                one.soft_package_references_offset,
                other.soft_package_references_offset,
            ),
            ("searchable_names", one.searchable_names_offset, other.searchable_names_offset),
            ("thumbnails", one.thumbnail_table_offset, other.thumbnail_table_offset),
            ("asset_registry", one.asset_registry_data_offset, other.asset_registry_data_offset),
            ("preload", one.preload_dependency_offset, other.preload_dependency_offset),
            ("gatherable_text", one.gatherable_text_data_offset, other.gatherable_text_data_offset),
            ("soft_paths", one.soft_object_paths_offset, other.soft_object_paths_offset),
        ] {
            assert_eq!(zero(one), zero(other), "{file}: {field} {one} {other}");
        }
        let real_row =
            real.exports().entries().iter().find(|export| export.object_flags.0 == 0xb).unwrap();
        let made_row = &made.exports().entries()[made.find_export(name).unwrap()];
        assert_eq!(
            (
                real_row.is_asset,
                real_row.preload,
                real_row.template_index,
                real_row.script_serialization_start_offset
            ),
            (
                made_row.is_asset,
                made_row.preload,
                made_row.template_index,
                made_row.script_serialization_start_offset
            )
        );
        assert_eq!(
            real_row.script_serialization_end_offset > 0,
            made_row.script_serialization_end_offset > 0
        );
    }
}
