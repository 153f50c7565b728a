//! Packages that the engines' own compilers have made: their texts and values give them back byte for byte.

use std::collections::BTreeMap;
use std::sync::Arc;

use unreal_packages::compare::diff;
use unreal_packages::compile::{ClassDeclarations, parse};
use unreal_packages::decompile::Decompiler;
use unreal_packages::generate::Profile;
use unreal_packages::make::order::export_order;
use unreal_packages::make::{MadePackage, Maker};
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
            let in_defaults = package.lies_in_default(row) || class_default(package, row);
            let is_made = ScriptObject::blank(&class).is_some()
                || ["TextBuffer", "MetaData"].contains(&class.as_str())
                || in_defaults;
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

/// Whether an object holds the defaults of a class.
fn class_default(package: &Package, row: usize) -> bool {
    let export = &package.tables().exports[row];
    export.object_flags.is_class_default(package.versions())
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

/// The packages of UE1 and UE2 that hold nothing but code, made again from their own texts and values.
fn classic_again(
    orders_anew: bool,
    mut each: impl FnMut(&'static str, String, &Package, Option<Package>),
) {
    let tables = ["ut99-469d.tsv.gz", "ut2004.tsv.gz"].map(Environment::of);
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
        let mut maker = classic_maker(table, &package, &sources);
        if orders_anew {
            maker.order_anew();
        }
        each(engine, name, &package, maker.make().unwrap().package);
    }
}

fn classic_maker(table: &Environment, package: &Package, sources: &[(String, String)]) -> Maker {
    let versions = package.versions();
    let mut profile =
        if versions.engine() == Engine::Ue1 { Profile::UT99 } else { Profile::UT2004 };
    profile.file_version = (versions.file(), versions.licensee());
    profile.game = versions.game();
    let mut maker = Maker::new("Package", profile);
    for (package, declared) in &table.classes {
        maker.declarations(package, declared.clone());
    }
    for (class, text) in sources {
        maker.source(class, text);
    }
    maker.like(package.clone());
    maker
}

fn classic(
    table: &Environment,
    package: &Package,
    sources: &[(String, String)],
) -> Option<Package> {
    classic_maker(table, package, sources).make().unwrap().package
}

pub fn pure_packages_come_back_from_their_texts() {
    let mut counts: BTreeMap<&str, Counts> = BTreeMap::new();
    classic_again(false, |engine, name, package, made| {
        let counts = counts.entry(engine).or_default();
        counts.met += 1;
        match made {
            Some(made) if made.source() == package.source() => counts.same += 1,
            Some(_) => counts.differ.push(name),
            None => counts.missing += 1,
        }
    });
    for (engine, counts) in &counts {
        let Counts { met, same, missing, differ } = counts;
        println!(
            "{engine}: {same} of {met} identical, symbols missing in {missing}, other: {differ:?}"
        );
    }
    assert!(counts["UE1"].same >= 8, "{counts:?}");
    assert!(counts["UE2"].same >= 12, "{counts:?}");
    assert!(counts.values().all(|it| it.differ.is_empty()), "{counts:?}");
}

/// Exports of UE1 and UE2 fall as the engine's sort leaves them; names and imports need the order of its built-in names.
pub fn exports_of_ue1_and_ue2_fall_as_the_sort_leaves_them() {
    let (mut met, mut same, mut rows, mut others) = (0, 0, 0, Vec::new());
    classic_again(true, |_, name, package, made| {
        let Some(made) = made else { return };
        met += 1;
        let paths = |package: &Package| -> Vec<String> {
            let rows = 0..package.exports().len();
            rows.map(|row| package.path(PackageIndex::export(row))).collect()
        };
        if paths(package) == paths(&made) {
            same += 1;
            rows += package.exports().len();
        } else {
            others.push(name);
        }
    });
    println!("{same} of {met} tables of exports exact ({rows} rows), other: {others:?}");
    assert!(same >= 15, "{same} of {met}");
}

pub fn exports_of_ue3_stand_where_the_walk_puts_them() {
    let (mut same, mut met) = (0, 0);
    for (name, package) in packages_of_udk() {
        met += 1;
        let order = export_order(&package);
        let is_same = order.iter().copied().eq(0..package.exports().len());
        same += usize::from(is_same);
        if !is_same {
            let first = order.iter().copied().enumerate().find(|(at, row)| at != row);
            let shown = first.map(|(at, row)| {
                let path = |row| package.path(PackageIndex::export(row));
                (at, path(at), path(row))
            });
            let right = order.iter().copied().enumerate().filter(|(at, row)| at == row).count();
            println!("{name}: {right} of {} rows, first {shown:?}", order.len());
        }
    }
    println!("{same} of {met} tables of exports exact");
    assert!(same >= 11, "{same} of {met}");
}

/// The declarations of UDK's packages, with those that their table has not read and the sources use.
struct Udk(Environment);

impl Udk {
    fn new() -> Self {
        let mut table = Environment::of("udk-2012.tsv.gz");
        let added = [
            ("Actor", "var const bool bStatic, bMovable, bNoDelete;"),
            ("PostProcessVolume", ""),
            (
                "UIDataProvider",
                "var enum EProviderAccessType {ACCESS_ReadOnly,ACCESS_PerField,ACCESS_WriteAll} WriteAccessType;",
            ),
        ];
        for (package, declared) in &mut table.classes {
            let Some((name, more)) = added.iter().find(|it| it.0 == declared.name) else {
                continue;
            };
            let text = declared.syntax.as_ref().unwrap().source.text();
            // What an older engine has.
            let text = text.replacen(
                "bool bEnableDOF;",
                "bool bEnableDOF, bTwoLayerSimpleDepthOfField;",
                1,
            );
            let parsed = parse(format!("{package}.{name}"), format!("{text}\n{more}\n"));
            *declared = Arc::new(ClassDeclarations::of(Arc::new(parsed.syntax)).unwrap());
        }
        Self(table)
    }

    /// The package made again from its own texts and values.
    fn make(
        &self,
        name: &str,
        package: &Package,
        sources: &[(String, String)],
        orders_anew: bool,
    ) -> MadePackage {
        let versions = package.versions();
        let mut profile = Profile::UDK;
        profile.file_version = (versions.file(), versions.licensee());
        let stem = name.split('.').next().unwrap().splitn(3, '_').last().unwrap();
        let mut maker = Maker::new(stem, profile);
        for (package, declared) in &self.0.classes {
            if !sources.iter().any(|it| it.0.eq_ignore_ascii_case(&declared.name)) {
                maker.declarations(package, declared.clone());
            }
        }
        for (class, text) in sources {
            maker.source(class, text);
        }
        maker.like(package.clone());
        if orders_anew {
            maker.order_anew();
        }
        maker.make().unwrap()
    }
}

pub fn packages_of_ue3_come_back_from_their_texts() {
    // One package alone, with all that differs.
    let filter = std::env::var("MAKE_ONLY").ok();
    let udk = Udk::new();
    let (mut met, mut same, mut others) = (0, 0, Vec::new());
    for (name, package) in packages_of_udk() {
        if filter.as_ref().is_some_and(|it| !name.contains(it.as_str())) {
            continue;
        }
        let Some(sources) = sources(&package) else { continue };
        met += 1;
        let made = udk.make(&name, &package, &sources, false);
        let Some(again) = made.package else {
            others.push(format!("{name}: {}", made.diagnostics[0]));
            continue;
        };
        if again.source() == package.source() {
            same += 1;
            continue;
        }
        let diff = diff(&package, &again);
        others.push(format!("{name}: {} objects differ", diff.changed.len()));
        if filter.is_some() {
            println!("{:#?} {:?} {:?}", diff.header, diff.added, diff.removed);
            diff.changed.iter().for_each(|object| println!("{object:?}"));
        }
    }
    println!("UE3: {same} of {met} identical, other: {others:?}");
    assert!(filter.is_some() || same >= 14, "{same} of {met}");
}

/// The same without the order of the older package: tables stand as the engine sorts them.
pub fn packages_of_ue3_are_ordered_as_the_engine_does() {
    let udk = Udk::new();
    let (mut met, mut same, mut others) = (0, 0, Vec::new());
    for (name, package) in packages_of_udk() {
        let Some(sources) = sources(&package) else { continue };
        let Some(made) = udk.make(&name, &package, &sources, true).package else { continue };
        met += 1;
        match made.source() == package.source() {
            true => same += 1,
            false => others.push(name),
        }
    }
    println!("UE3: {same} of {met} identical without an order given, other: {others:?}");
    assert!(same >= 9, "{same} of {met}");
}

/// Objects of packages that hold nothing but code: what their texts make is what is stored.
pub fn objects_of_texts_are_the_stored_ones() {
    let tables = ["ut99-469d.tsv.gz", "ut2004.tsv.gz"].map(Environment::of);
    let udk = Udk::new();
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for (folder, (name, bytes)) in FOLDERS
        .into_iter()
        .flat_map(|folder| files::of(folder).into_iter().map(move |file| (folder, file)))
    {
        let Ok(package) = Package::from_bytes(bytes) else { continue };
        let versions = package.versions().clone();
        let is_cooked = package.summary().package_flags.0 & 8 != 0;
        let Some(sources) = sources(&package) else { continue };
        let (engine, made) = match versions.engine() {
            Engine::Ue1 => ("UE1", classic(&tables[0], &package, &sources)),
            Engine::Ue2 if versions.licensee() != 27 => {
                ("UE2", classic(&tables[1], &package, &sources))
            }
            Engine::Ue3 if (813..=868).contains(&versions.file()) && !is_cooked => {
                ("UE3", udk.make(&name, &package, &sources, false).package)
            }
            _ => continue,
        };
        let counts = counts.entry(engine).or_default();
        counts[0] += 1;
        let Some(made) = made else { continue };
        let diff = diff(&package, &made);
        let differ = diff.added.len() + diff.removed.len() + diff.changed.len();
        counts[1] += 1;
        counts[2] += package.exports().len();
        counts[3] += differ;
        for object in &diff.changed {
            let class = object.class.rsplit('.').next().unwrap_or_default();
            let change: String = format!("{:?}", object.changes[0]).chars().take(60).collect();
            *reasons.entry(format!("{folder} {name} {class} {change}")).or_default() += 1;
        }
    }
    for (engine, [met, made, objects, differ]) in &counts {
        println!("{engine}: {made} of {met} packages made, {differ} of {objects} objects differ");
    }
    reasons.iter().for_each(|(reason, count)| println!("    {count} {reason}"));
    for (engine, [_, _, objects, differ]) in &counts {
        // 99.5 %.
        assert!(differ * 200 <= *objects, "{engine}: {differ} of {objects}");
    }
}

const FOLDERS: [&str; 4] = ["classic", "conform", "make", "wild/classic"];

/// The packages of UDK that the editor's own compiler has written, not cooked.
fn packages_of_udk() -> impl Iterator<Item = (String, Package)> {
    files::of("classic").into_iter().filter_map(|(name, bytes)| {
        let package = Package::from_bytes(bytes).ok()?;
        let is_cooked = package.summary().package_flags.0 & 8 != 0;
        let has_class = package.tables().exports.iter().any(|it| it.class_index.is_null());
        let is_udk = (813..=868).contains(&package.versions().file());
        (is_udk && !is_cooked && has_class).then_some((name, package))
    })
}
