//! Values that classes inherit: those that the decompiled defaults of their line say, over packages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use unreal_packages::decompile::Decompiler;
use unreal_packages::environment::{Environment, EnvironmentDefaults, Settings};
use unreal_packages::inspect::{Inherited, PackageValues};
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Engine, PackageIndex};

use crate::folders::corpus;

/// What a class says itself, by property: the value as its text has it; `None` for one whose text has more forms than
/// one: structs, objects.
type Defaults = BTreeMap<String, Option<String>>;

/// A class of the folder: its parent by name, its own variables and its own defaults.
struct Class {
    parent: String,
    variables: BTreeSet<String>,
    defaults: Defaults,
}

/// The names of the variables that a text declares.
fn variables(text: &str) -> BTreeSet<String> {
    let declared =
        text.lines().filter(|line| line.trim_start().to_ascii_lowercase().starts_with("var"));
    let list = declared.filter_map(|line| line.split(';').next());
    let names = list.flat_map(|line| line.split(',').filter_map(|it| it.split_whitespace().last()));
    let bare = |name: &str| name.split('[').next().unwrap_or_default().to_ascii_lowercase();
    names.map(bare).collect()
}

/// The assignments of a text's block of defaults: numbers, truths, names and texts.
fn block(text: &str) -> Defaults {
    let lower = text.to_ascii_lowercase();
    let Some(start) = lower.rfind("defaultproperties") else { return Defaults::new() };
    let mut found = Defaults::new();
    for line in text[start..].lines().map(str::trim) {
        let Some((name, value)) = line.split_once('=') else { continue };
        let is_plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "_.-+".contains(c));
        let inner = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        let is_text = inner.is_some_and(|inner| !inner.contains(['"', '\\']));
        if is_plain(name) {
            let is_comparable = is_text || is_plain(value) && !value.is_empty();
            found.insert(name.to_ascii_lowercase(), is_comparable.then(|| value.to_owned()));
        }
    }
    found
}

fn same(shown: &str, written: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    match (number(shown), number(written)) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-5 * other.abs().max(1.0),
        _ => shown.trim_matches('"').eq_ignore_ascii_case(written.trim_matches('"')),
    }
}

/// The packages of one release under the names that they import each other by.
fn game() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("effective");
    std::fs::create_dir_all(&folder).unwrap();
    let mut newest: BTreeMap<String, (u32, PathBuf)> = BTreeMap::new();
    for of in ["make", "conform"] {
        for entry in std::fs::read_dir(corpus().join(of)).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            let Some((name, generation)) = stem.rsplit_once("_gen") else { continue };
            let generation: u32 = generation.parse().unwrap();
            let known = newest.entry(name.to_owned()).or_default();
            if generation >= known.0 {
                *known = (generation, path);
            }
        }
    }
    for (name, (_, path)) in newest {
        std::fs::write(folder.join(format!("{name}.u")), std::fs::read(path).unwrap()).unwrap();
    }
    folder
}

pub fn inherited_values_are_those_that_decompiled_classes_say() {
    let settings = Settings::detect(game()).unwrap();
    let environment = Arc::new(Environment::new(settings, Default::default()).unwrap());
    let packages: Vec<(String, Package)> = environment
        .files()
        .filter_map(|(id, file)| Some((file.name.to_string(), environment.open_file(id).ok()?)))
        .filter(|(name, package)| {
            package.versions().engine() == Engine::Ue1 && environment.find(name).is_some()
        })
        .collect();
    // By bare names: a class that two packages declare counts for neither.
    let mut classes: BTreeMap<String, Option<Class>> = BTreeMap::new();
    for (_, package) in &packages {
        let decompiler = Decompiler::new(package);
        for row in 0..package.exports().len() {
            let export = package.exports().get(row).unwrap();
            if !export.entry().class_index.is_null() {
                continue;
            }
            let Ok(Some(text)) = decompiler.class(row) else { continue };
            let parent = package.object_name(export.entry().super_index);
            let parent = parent.to_ascii_lowercase();
            let class = Class { parent, variables: variables(&text), defaults: block(&text) };
            let name = export.name().to_ascii_lowercase();
            let is_double = classes.contains_key(&name);
            classes.insert(name, (!is_double).then_some(class));
        }
    }
    let known = EnvironmentDefaults::new(environment.clone());
    let (mut right, mut faults) = (0, Vec::new());
    for (name, package) in &packages {
        let effective = package.values().with_defaults(Some(&known)).effective();
        for row in 0..package.exports().len() {
            let class = package.object_name(PackageIndex::export(row)).to_ascii_lowercase();
            let is_class = package.exports().get(row).unwrap().entry().class_index.is_null();
            if !is_class || !matches!(classes.get(&class), Some(Some(_))) {
                continue;
            }
            // The nearest of the line that says it.
            let mut expected: BTreeMap<&String, &Option<String>> = BTreeMap::new();
            // A variable hides one of its name above it.
            let mut hidden: BTreeSet<&String> = BTreeSet::new();
            let (mut at, mut steps) = (class.clone(), 0);
            while let Some(Some(known)) = classes.get(&at).filter(|_| steps < 64) {
                for (property, value) in &known.defaults {
                    if !hidden.contains(property) {
                        expected.entry(property).or_insert(value);
                    }
                }
                hidden.extend(&known.variables);
                (at, steps) = (known.parent.clone(), steps + 1);
            }
            let is_whole = !matches!(classes.get(&at), Some(None));
            for (property, value) in expected.into_iter().filter(|_| is_whole) {
                let Some(value) = value else { continue };
                match effective.value(row, property) {
                    Ok(Inherited::Value(found)) if same(&found.text, value) => right += 1,
                    found => faults.push(format!("{name}.{class}.{property}={value}: {found:?}")),
                }
            }
        }
    }
    println!("{right} values of {} classes, {} otherwise", classes.len(), faults.len());
    let shown: Vec<_> = faults.iter().take(20).collect();
    assert!(right >= 5000 && faults.is_empty(), "{right} are right: {shown:#?}");
}
