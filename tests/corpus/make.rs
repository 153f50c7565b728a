//! Packages that the engines' own compilers have made: their texts and values give them back byte for byte.

use std::collections::BTreeMap;

use unreal_packages::decompile::Decompiler;
use unreal_packages::generate::Profile;
use unreal_packages::make::Maker;
use unreal_packages::make::order::export_order;
use unreal_packages::object::Native;
use unreal_packages::object::script_object::ScriptObject;
use unreal_packages::object::text::TextBuffer;
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::{ObjectRef, PackageIndex};
use unreal_packages::version::{Engine, UnrealVersions};

use crate::compile::Environment;
use crate::files;

/// The classes of a package with their texts and values, by name; `None` where one has no text, or where the
/// package holds what no text makes.
fn sources(package: &Package) -> Option<Vec<(String, String)>> {
    let mut sources = Vec::new();
    let decompiler = Decompiler::new(package);
    for (row, export) in package.tables().exports.iter().enumerate() {
        let class = package.object_name(export.class_index);
        if !export.class_index.is_null() {
            let is_made = ScriptObject::blank(&class).is_some() || class == "TextBuffer";
            is_made.then_some(())?;
            continue;
        }
        let body = package.decode(row).ok()?;
        let Native::Script(object) = &body.body.native else { return None };
        let ObjectRef::Export(text) = object.structure()?.script_text.target() else { return None };
        let text = package.decode(text).ok()?;
        let text = native_as::<TextBuffer>(&text.body)?.text.text(package.source()).ok()?;
        let mut text = (!text.trim().is_empty()).then(|| text.into_owned())?;
        text.push_str(&decompiler.defaults(row).ok()??);
        sources.push((package.object_name(PackageIndex::export(row)), text));
    }
    sources.sort_by_key(|(name, _)| name.to_lowercase());
    (!sources.is_empty()).then_some(sources)
}

/// Counts of one engine.
#[derive(Debug, Default)]
struct Counts {
    met: usize,
    same: usize,
    /// Symbols of packages that are not at hand.
    missing: usize,
    differ: Vec<String>,
}

pub fn pure_packages_come_back_from_their_texts() {
    let tables = ["ut99-469d.tsv.gz", "ut2004.tsv.gz"].map(Environment::of);
    let mut counts: BTreeMap<&str, Counts> = BTreeMap::new();
    for (name, bytes) in files::of("classic") {
        let Ok(package) = Package::from_bytes(bytes) else { continue };
        let versions = package.versions().clone();
        let (engine, table) = match versions.engine() {
            Engine::Ue1 => ("UE1", &tables[0]),
            Engine::Ue2 if versions.licensee() != 27 => ("UE2", &tables[1]),
            _ => continue,
        };
        if package.summary().generations.len() > 1 {
            continue;
        }
        let Some(sources) = sources(&package) else { continue };
        let mut profile = if engine == "UE1" { Profile::UT99 } else { Profile::UT2004 };
        profile.file_version = (versions.file(), versions.licensee());
        profile.game = versions.game();
        let mut maker = Maker::new("Package", profile);
        for (package, declared) in &table.classes {
            maker.declarations(package, declared.clone());
        }
        for (class, text) in &sources {
            maker.source(class, text);
        }
        maker.like(package.clone());
        let counts = counts.entry(engine).or_default();
        counts.met += 1;
        match maker.make() {
            Ok(made) => match made.package {
                Some(made) if made.source() == package.source() => counts.same += 1,
                Some(_) => counts.differ.push(name),
                None => counts.missing += 1,
            },
            Err(error) => counts.differ.push(format!("{name}: {error}")),
        }
    }
    for (engine, counts) in &counts {
        let Counts { met, same, missing, differ } = counts;
        println!(
            "{engine}: {same} of {met} identical, symbols missing in {missing}, other: {differ:?}"
        );
    }
    assert!(counts["UE1"].same >= 6, "{counts:?}");
    assert!(counts["UE2"].same >= 10, "{counts:?}");
}

pub fn exports_of_ue3_stand_where_the_walk_puts_them() {
    let (mut same, mut met) = (0, 0);
    for (name, bytes) in files::of("classic") {
        let Ok(package) = Package::from_bytes(bytes) else { continue };
        let is_cooked = package.summary().package_flags.0 & 8 != 0;
        let has_class = package.tables().exports.iter().any(|it| it.class_index.is_null());
        if !(813..=868).contains(&package.versions().file()) || is_cooked || !has_class {
            continue;
        }
        met += 1;
        let order = export_order(&package);
        let is_same = order.iter().copied().eq(0..package.exports().len());
        same += usize::from(is_same);
        if !is_same {
            println!("{name}: other order");
        }
    }
    println!("{same} of {met} tables of exports exact");
    assert!(same >= 8, "{same} of {met}");
}
