//! Assets as games have cooked them, made anew from what they say: stored like one of the game's own, they are what the
//! cooker has made.

use std::collections::{BTreeMap, BTreeSet};

use unreal_packages::EngineRelease;
use unreal_packages::compare::{Difference, FieldDifference, ObjectDifference, diff};
use unreal_packages::content::{
    Column, PackageContents, TableEdits, TableFormat, rows_from, strings_from,
};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{NewAsset, NewRows};
use unreal_packages::inspect::{Explanation, PackageValues, package_path};
use unreal_packages::object::Native;
use unreal_packages::object::ue4::table::data_table::DataTable;
use unreal_packages::object::ue4::table::string_table::StringTable;
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::{ObjectFlags, PackageFlags, PackageIndex};
use unreal_packages::property::Value;
use unreal_packages::version::UnrealVersions;

use crate::manifest;

/// Whether its one object says all of itself by properties, rows or texts.
fn is_plain(package: &Package) -> bool {
    if package.exports().len() != 1
        || !package.summary().package_flags.contains(PackageFlags::FILTER_EDITOR_ONLY)
    {
        return false;
    }
    let Ok(decoded) = package.decode(0) else { return false };
    let body = &decoded.body;
    let is_known = matches!(body.native, Native::None)
        || native_as::<DataTable>(body).is_some()
        || native_as::<StringTable>(body).is_some();
    is_known && decoded.error.is_none() && decoded.opaque == 0
}

/// The path of the struct that the rows of a data table are of.
fn row_struct(package: &Package) -> String {
    let values = package.values().properties("#0").unwrap();
    let row_struct = values.iter().find(|value| value.path == "RowStruct").unwrap();
    let Some(Value::Object(index)) = &row_struct.value else { panic!("{row_struct:?}") };
    package.path(*index)
}

/// The package made anew from its values, of a package that `make` makes of the asset without them.
fn made(
    package: &Package,
    make: impl Fn(&NewAsset) -> unreal_packages::Result<Package>,
) -> unreal_packages::Result<Package> {
    let name = package.object_name(PackageIndex::export(0));
    let path = package_path(package).unwrap_or_else(|| format!("/Game/{name}"));
    let class = package.exports().get(0).unwrap().class().to_string();
    let decoded = package.decode(0)?;
    let values = package.values().properties("#0")?;
    let is_table = native_as::<DataTable>(&decoded.body).is_some();
    let asset = if is_table {
        NewAsset::data_table(&path, NewRows::of(&row_struct(package)))
    } else if native_as::<StringTable>(&decoded.body).is_some() {
        let file = package.contents().table(0)?.file(TableFormat::Json)?;
        let (namespace, entries) = strings_from(&file, TableFormat::Json)?;
        NewAsset::string_table(&path, &namespace.unwrap_or_default(), entries)
    } else {
        NewAsset::object(&path, &class)
    };
    let mut made = make(&asset)?;
    made.edit(|edit| {
        for value in values.iter().filter(|value| !value.path.starts_with('[')) {
            edit.set_property("#0", &value.path, &value.text)?;
        }
        if is_table {
            let file = package.contents().table(0)?.with_types().file(TableFormat::Csv)?;
            edit.replace_table(0, &file, TableFormat::Csv)?;
        }
        Ok(())
    })?;
    Ok(made)
}

/// Whether it is the flag that tells that the editor can undo changes of an object: some assets have got it there.
pub fn is_of_the_editor(change: &Difference) -> bool {
    let Difference::Attribute(FieldDifference { field, old: Some(old), new: Some(new), .. }) =
        change
    else {
        return false;
    };
    let bits = |text: &str| text.split(' ').next().and_then(|number| number.parse::<u64>().ok());
    let transactional = ObjectFlags::UE4_TRANSACTIONAL.0;
    field == "object_flags"
        && bits(old).zip(bits(new)).is_some_and(|(old, new)| old ^ new == transactional)
}

/// Whether both say the same. Packages without tags store a zero in two ways, of which an edit takes one: of these the values
/// are compared.
fn says_the_same(old: &Package, new: &Package, has_model: bool) -> Result<(), String> {
    let mut found = diff(old, new);
    if !has_model {
        // GUIDs and hashes of the save, and a name that nothing uses.
        found.header.retain(|field| field.origin.is_stored());
        for one in &mut found.changed {
            one.changes.retain(|change| !is_of_the_editor(change));
        }
        found.changed.retain(|one| !one.changes.is_empty());
    }
    let text = |package: &Package| -> Vec<(String, String)> {
        let values = package.values().properties("#0").unwrap();
        values.into_iter().map(|value| (value.path, value.text)).collect()
    };
    let is_unversioned = old.summary().package_flags.contains(PackageFlags::UNVERSIONED_PROPERTIES);
    let only_values = |one: &ObjectDifference| {
        one.changes.iter().all(|it| matches!(it, Difference::Property { .. }))
    };
    if is_unversioned && text(old) == text(new) {
        found.changed.retain(|one| !only_values(one));
    }
    if found.says_nothing() { Ok(()) } else { Err(format!("{found:?}")) }
}

pub fn cooked_assets_are_made_anew_as_their_cooker_has_made_them() {
    let [mut like, mut alone] =
        [true, false].map(|has_model| Outcome { has_model, ..Outcome::default() });
    for entry in manifest::packages() {
        let Ok(package) = entry.options_with_readable_mappings().open(&entry.path) else {
            continue;
        };
        if !is_plain(&package) {
            continue;
        }
        // With itself as the model: nothing of its object is left when it is used.
        like.add(entry.name(), &package, made(&package, |asset| asset.build_like(&package)));
        // What its own cooker knows of a game is told by no release: versions in the header.
        if let Some(release) = package.versions().release()
            && release >= EngineRelease::new(4, 15)
            && package.summary().versions.is_unversioned()
        {
            let is_unversioned = package.versions().unversioned_properties();
            let mappings = package.mappings().filter(|_| is_unversioned).cloned();
            let make = |asset: &NewAsset| asset.build_cooked(release, mappings.clone());
            alone.add(entry.name(), &package, made(&package, make));
        }
    }
    like.holds(7);
    alone.holds(6);
}

/// Rows of games' tables, whose types mappings say, become tables of the editor, and their cells give the game's table what it
/// has: numbers of enums have become names. A native struct that is zero and not stored has no fields to be made of.
pub fn tables_of_games_become_those_of_the_editor() {
    let (mut tables, mut identical, mut refused) = (0, 0, 0);
    for entry in manifest::packages() {
        let Ok(mut package) = entry.options_with_readable_mappings().open(&entry.path) else {
            continue;
        };
        let Some(mappings) = package.mappings().cloned().filter(|_| is_plain(&package)) else {
            continue;
        };
        if native_as::<DataTable>(&package.decode(0).unwrap().body).is_none() {
            continue;
        }
        let place = entry.name();
        let csv = |package: &Package| {
            let table = package.contents().table(0).unwrap();
            table.file(TableFormat::Csv).unwrap()
        };
        let (before, row_struct) = (csv(&package), row_struct(&package));
        let columns = Column::of_struct(&mappings, &row_struct).unwrap();
        let rows = rows_from(&before, TableFormat::Csv, &row_struct, &columns).unwrap();
        let asset = NewAsset::data_table("/Game/DT", rows);
        let release = EngineRelease::new(5, 4);
        let made = match asset.build_with(release, mappings) {
            Ok(made) => made,
            Err(error) => {
                let error = error.to_string();
                assert!(
                    error.contains("is missing: the value is not stored yet"),
                    "{place}: {error}"
                );
                refused += 1;
                continue;
            }
        };
        let stored = package.to_bytes().unwrap();
        package.edit(|edit| edit.replace_table(0, &csv(&made), TableFormat::Csv)).unwrap();
        assert!(csv(&package) == before, "{place}");
        tables += 1;
        identical += usize::from(package.to_bytes().unwrap() == stored);
    }
    println!("{tables} tables, {identical} byte for byte, {refused} refused");
    assert!(tables >= 2 && identical >= 1 && refused <= 2);
}

/// What came of assets that were made anew.
#[derive(Default)]
struct Outcome {
    has_model: bool,
    same: usize,
    other: Vec<String>,
    refused: Vec<String>,
}

impl Outcome {
    fn add(&mut self, name: &str, package: &Package, made: unreal_packages::Result<Package>) {
        match made.map(|made| says_the_same(package, &made, self.has_model)) {
            Ok(Ok(())) => self.same += 1,
            Ok(Err(found)) => self.other.push(format!("{name}: {found}")),
            Err(error) => self.refused.push(format!("{name}: {error}")),
        }
    }

    fn holds(&self, least: usize) {
        let (others, refusals) = (self.other.join("\n"), self.refused.join("\n"));
        println!("{} the same, {} others:\n{others}\n{refusals}", self.same, self.other.len());
        assert!(self.other.is_empty() && self.same >= least);
        // Without mappings nothing says what a struct holds.
        let is_known = |reason: &&String| reason.contains("is not known, so nothing says its type");
        assert_eq!(self.refused.iter().filter(is_known).count(), self.refused.len());
    }
}

/// The fields of the header with their values: of offsets and counts whether they are zero, above or below it, since what
/// stands where is the content's.
fn header(package: &Package) -> BTreeMap<String, String> {
    let end = package.summary().name_offset as u64;
    let of_storage = PackageFlags::FILTER_EDITOR_ONLY
        .with(PackageFlags::UE4_COOKED)
        .with(PackageFlags::UNVERSIONED_PROPERTIES);
    let mut explained = Vec::new();
    Explanation::each::<unreal_packages::Error>(package, 0..end, &mut |field| {
        explained.push(field);
        Ok(())
    })
    .unwrap();
    let fields = explained.into_iter().filter_map(|field| {
        let path = field.record.path.strip_prefix("summary.")?.to_owned();
        let is_own = [
            "generations[",
            "saved_hash",
            "package_source",
            "folder_name",
            "guid",
            "persistent",
            "localization_id",
            "saved_by",
            "custom_versions",
            "late_custom_versions",
            "versions.custom_versions[",
        ];
        if is_own.iter().any(|own| path.starts_with(own)) {
            return None;
        }
        let value = match (&*path, field.record.value.to_string()) {
            ("package_flags", _) => {
                let flags = package.summary().package_flags;
                format!("{:x}", flags.0 & of_storage.0)
            }
            (_, value) => value,
        };
        let is_place =
            ["_offset", "_count", "total_header_size"].iter().any(|end| path.ends_with(end));
        let sign = value.parse::<i64>().map(|value| value.signum().to_string());
        let value = if is_place { sign.unwrap_or(value) } else { value };
        Some((path, value))
    });
    fields.collect()
}

/// Whether the content or the project makes this field what it is, or the program that took the package out of a container.
fn is_of_content(field: &str, value: Option<&String>, is_cooked: bool) -> bool {
    let value = value.map_or("", String::as_str);
    match field {
        "data_resource_offset" => value == "1",
        "names_referenced_from_export_data_count" | "preload_dependency_count" => value == "0",
        // Of the editor's packages some say where it would stand and some do not.
        "gatherable_text_data_offset" => value == "0" && !is_cooked,
        _ => false,
    }
}

/// What a header says otherwise than that of an asset which is made for the same release, by field, with how many do.
type Others = BTreeMap<String, usize>;

fn compare_headers(package: &Package, made: &Package, others: &mut Others) {
    let (theirs, ours) = (header(package), header(made));
    let is_cooked = !package.versions().has_editor_only_data();
    for key in theirs.keys().chain(ours.keys()).collect::<BTreeSet<_>>() {
        // How much of a thing an asset of the editor has is its own, as is what it is stored by.
        let is_own = key.ends_with("_count") || key.starts_with("versions.");
        if !is_cooked && is_own {
            continue;
        }
        let (old, new) = (theirs.get(key), ours.get(key));
        if old != new && !is_of_content(key, old, is_cooked) {
            let release = package.versions().release();
            *others.entry(format!("{release:?} {key}: {old:?}, made {new:?}")).or_default() += 1;
        }
    }
}

pub fn headers_of_new_assets_say_what_others_of_their_release_say() {
    let (mut cooked, mut uncooked, mut others) = (0, 0, Others::new());
    for entry in manifest::packages() {
        let Ok(package) = entry.options_with_readable_mappings().open(&entry.path) else {
            continue;
        };
        let (summary, versions) = (package.summary(), package.versions());
        let release = versions.release().filter(|release| *release >= EngineRelease::new(4, 15));
        let Some(release) = release else { continue };
        let asset = NewAsset::object("/Game/DA_New", "/Script/Engine.DataAsset");
        if !summary.package_flags.contains(PackageFlags::FILTER_EDITOR_ONLY) {
            // Not one that was saved on the way to the release.
            let known = release.versions();
            if (versions.ue4(), versions.ue5()) == (known.ue4(), known.ue5()) {
                compare_headers(&package, &asset.build(release).unwrap(), &mut others);
                uncooked += 1;
            }
            continue;
        }
        let is_unversioned = versions.unversioned_properties();
        let mappings = package.mappings().filter(|_| is_unversioned).cloned();
        // A project whose loader is not driven by events keeps header and bodies together, and lists nothing to preload.
        let is_odd = summary.preload_dependency_count < 0 || !summary.versions.is_unversioned();
        if is_odd || is_unversioned && mappings.is_none() {
            continue;
        }
        let made = asset.build_cooked(release, mappings).unwrap();
        assert_eq!(made.split_at().is_some(), package.split_at().is_some(), "{}", entry.name());
        compare_headers(&package, &made, &mut others);
        cooked += 1;
    }
    println!("headers of {cooked} cooked packages, {uncooked} of the editor");
    assert!(others.is_empty() && cooked >= 50 && uncooked >= 100, "{others:#?}");
}
