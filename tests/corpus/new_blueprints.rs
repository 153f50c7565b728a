//! Blueprints as games have cooked them, made anew from their parents and their values: what their cooker says of a class
//! and of the object with its defaults, the made ones say.

use unreal_packages::compare::{Difference, diff};
use unreal_packages::container::{ContainerOptions, GameContainer};
use unreal_packages::edit::{PackageEdit, PreloadDependencies};
use unreal_packages::generate::NewAsset;
use unreal_packages::inspect::{PackageValues, package_path};
use unreal_packages::object::ue4::structure::class::Class;
use unreal_packages::package::{OpenOptions, Package, native_as};
use unreal_packages::primitive::{ObjectRef, PackageFlags, PackageIndex};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, table};

use crate::folders::corpus;
use crate::manifest;
use crate::new_assets::is_of_the_editor;

/// What a blueprint says of its own class: Abstract, Interface, Hidden, Deprecated, HideDropDown; and notes of the session that
/// saved it: MatchedSerializers, ReplicationDataIsSetUp, TokenStreamAssembled.
const OF_ITS_OWN: u32 = 0x740_4821;

/// The cooked packages of the corpora whose release is known, those of mods in containers too.
fn each_cooked(look: &mut impl FnMut(&str, Package)) {
    for entry in manifest::packages() {
        if let Ok(package) = entry.options_with_readable_mappings().open(&entry.path) {
            look(entry.name(), package);
        }
    }
    let folder = corpus().join("wild/containers");
    let options = OpenOptions::new().engine(EngineRelease::new(4, 27));
    for pak in ["custom-difficulty2_P.pak", "missionselector_P.pak", "skip-start_P.pak"] {
        let pak = GameContainer::open(&folder.join(pak), &ContainerOptions::new()).unwrap();
        let row = |name: &str| pak.files().iter().position(|file| file == name);
        for (at, name) in pak.files().iter().enumerate() {
            let Some(stem) = name.strip_suffix(".uasset") else { continue };
            let Some(bodies) = row(&format!("{stem}.uexp")) else { continue };
            let read = |row| pak.read_checked(row).unwrap().to_vec();
            look(name, options.open_split(&read(at), &read(bodies)).unwrap());
        }
    }
}

/// The rows of the class that a package is about and of the object with its defaults.
fn blueprint(package: &Package) -> Option<(usize, usize)> {
    let is = |row: &usize| {
        let class = package.exports().get(*row).unwrap().class().to_string();
        class == "/Script/Engine.BlueprintGeneratedClass"
    };
    let class = (0..package.exports().len()).find(is)?;
    let decoded = package.decode(class).ok()?;
    let default = native_as::<Class>(&decoded.body)?.class_default_object;
    match default.target() {
        ObjectRef::Export(default) => Some((class, default)),
        _ => None,
    }
}

fn class_of(package: &Package, row: usize) -> Class {
    native_as::<Class>(&package.decode(row).unwrap().body).unwrap().clone()
}

/// What a row says, with paths.
fn row_says(package: &Package, row: usize) -> Vec<String> {
    let export: &table::Export = package.tables().exports.get(row).unwrap();
    let path = |index: PackageIndex| package.path(index);
    vec![
        package.object_name(PackageIndex::export(row)).to_string(),
        path(export.class_index),
        path(export.super_index),
        path(export.template_index),
        path(export.outer_index),
        // Whether the editor can undo changes of the defaults differs from blueprint to blueprint; a mod that replaces one of
        // the game's says of the class that it is kept without being referred to.
        format!("{:#x} {:?}", export.object_flags.0 & !0xa, export.is_asset),
        format!("{:?} {:?}", export.not_always_loaded_for_editor_game, export.forced_export),
        format!("{:?} {:?}", export.not_for_client, export.not_for_server),
        format!("{:?} {:?}", export.is_inherited_instance, export.generate_public_hash),
    ]
}

/// The lists of what must be there before an export, as paths.
fn preload(package: &Package, row: usize) -> Option<[Vec<String>; 4]> {
    let lists = PreloadDependencies::of(package, row)?;
    Some(lists.lists().map(|list| list.iter().map(|index| package.path(*index)).collect()))
}

/// What the made one says otherwise of the class and of its defaults; nothing is known of what a class adds.
fn differences(theirs: &Package, made: &Package, (class, default): (usize, usize)) -> Vec<String> {
    let mut found = Vec::new();
    for (old, new) in [(class, 0), (default, 1)] {
        let (old_row, new_row) = (row_says(theirs, old), row_says(made, new));
        if old_row != new_row {
            found.push(format!("{old_row:?}, made {new_row:?}"));
        }
        let (Some(old), Some(new)) = (preload(theirs, old), preload(made, new)) else { continue };
        for (list, (old, new)) in old.iter().zip(&new).enumerate() {
            // What the class adds stands there as well.
            if !new.iter().all(|path| old.contains(path)) {
                found.push(format!("preload list {list}: {old:?}, made {new:?}"));
            }
        }
    }
    let (old, new) = (class_of(theirs, class), class_of(made, 0));
    let says = |package: &Package, class: &Class| {
        let flags = class.class_flags & !OF_ITS_OWN;
        let name = package.name_text(class.config_name).to_string();
        (flags, name, package.path(class.within), package.path(class.base.super_struct))
    };
    if says(theirs, &old) != says(made, &new) {
        found.push(format!("{:?}, made {:?}", says(theirs, &old), says(made, &new)));
    }
    found
}

/// With the values that its defaults have.
fn filled(theirs: &Package, mut made: Package, default: usize) -> unreal_packages::Result<Package> {
    let values = theirs.values().properties(&format!("#{default}"))?;
    made.edit(|edit| {
        for value in values.iter().filter(|value| !value.path.starts_with('[')) {
            match edit.set_property("#1", &value.path, &value.text) {
                Ok(_) => {}
                Err(_) => {
                    edit.add_property("#1", &value.path, &value.property_type, &value.text)?;
                }
            }
        }
        Ok(())
    })?;
    Ok(made)
}

pub fn blueprints_are_made_as_their_cookers_have_made_them() {
    let (mut same, mut whole, mut others, mut refused) = (0, 0, Vec::new(), Vec::new());
    each_cooked(&mut |name, package| {
        let flags = package.summary().package_flags;
        let release = package.versions().release();
        let Some(release) = release.filter(|release| *release >= EngineRelease::new(4, 15)) else {
            return;
        };
        if !flags.contains(PackageFlags::FILTER_EDITOR_ONLY) {
            return;
        }
        let Some((class, default)) = blueprint(&package) else { return };
        // A program that took it out of a container did not know that it is one.
        if !package.tables().exports.get(class).unwrap().is_asset.is_true() {
            return;
        }
        let parent = package.path(class_of(&package, class).base.super_struct);
        let own = package.object_name(PackageIndex::export(class)).to_string();
        let path = package_path(&package).unwrap_or_else(|| format!("/Game/{own}"));
        let path = format!("{}/{}", path.rsplit_once('/').unwrap().0, own.trim_end_matches("_C"));
        let asset = NewAsset::blueprint(&path, &parent);
        let mappings = package.mappings().filter(|_| package.versions().unversioned_properties());
        let body = class_of(&package, class);
        let config = package.name_text(body.config_name).to_string();
        let alone = asset.clone().class_flags(body.class_flags & !OF_ITS_OWN).class_config(&config);
        let alone = alone.build_cooked(release, mappings.cloned());
        let like = asset.build_like(&package);
        // What its own cooker knows of a game is told by no release: versions in the header.
        let alone = Some(alone).filter(|_| package.summary().versions.is_unversioned());
        for made in [Some(like), alone].into_iter().flatten() {
            let made = match made {
                Ok(made) => made,
                Err(error) => {
                    others.push(format!("{name}: {error}"));
                    continue;
                }
            };
            let found = differences(&package, &made, (class, default));
            match found.is_empty() {
                true => same += 1,
                false => others.push(format!("{name}: {found:#?}")),
            }
            let body = class_of(&package, class).base;
            let is_plain = package.exports().len() == 2
                && body.properties.is_empty()
                && body.children.is_empty();
            if is_plain {
                let made = match filled(&package, made, default) {
                    Ok(made) => made,
                    Err(error) => {
                        refused.push(format!("{name}: {error}"));
                        continue;
                    }
                };
                let mut found = diff(&package, &made);
                found.header.retain(|field| field.origin.is_stored());
                for one in &mut found.changed {
                    one.changes.retain(|change| !is_of_its_own(change));
                }
                found.changed.retain(|one| !one.changes.is_empty());
                match found.says_nothing() {
                    true => whole += 1,
                    false => others.push(format!("{name}: {found:?}")),
                }
            }
        }
    });
    println!("{same} say the same, {whole} are the same as a whole:\n{}", others.join("\n"));
    // Of an array without elements nothing says what they would be.
    let is_known = |why: &String| why.contains("nothing says which struct its elements are");
    assert!(refused.iter().all(is_known), "{refused:#?}");
    assert!(others.is_empty() && same >= 190 && whole >= 2);
}

fn is_of_its_own(change: &Difference) -> bool {
    matches!(change, Difference::Field(found) if found.field == "class_flags")
        || is_of_the_editor(change)
}
