//! C++ headers of native classes of UE1 to UE3, checked by a compiler.

use std::collections::{BTreeMap, BTreeSet};

use unreal_packages::environment::Classes;
use unreal_packages::package::Package;
use unreal_packages::version::{Engine, UnrealVersions};

use crate::common::headers::compile;
use crate::files;
use crate::folders::corpus;

/// By file.
fn headers() -> impl Iterator<Item = (&'static str, String)> {
    ["820_0_Core.u", "865_0_Core.u", "868_0_Core.u"].into_iter().map(|file| {
        let mut classes = Classes::default();
        classes.add(&Package::open(corpus().join("classic").join(file)).unwrap(), "Core");
        (file, classes.cpp_header("Core", &[]))
    })
}

pub fn headers_assert_the_layouts_that_were_computed() {
    for (file, header) in headers() {
        assert!(header.matches("static_assert(sizeof").count() > 50, "{file}");
        assert!(header.contains("static_assert(sizeof(UObject) == 60"), "{file}");
        assert!(header.contains("static_assert(offsetof(UObject, ObjectFlags) == 0x"), "{file}");
    }
}

/// What a file of the corpus was called in its game: without the version, the hash or the generation that
/// the corpus puts into its name.
fn package_name(file: &str) -> String {
    let stem = file.split(['.', '~']).next().unwrap();
    let number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let hash = |part: &str| part.len() == 6 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut parts: Vec<&str> = stem.split('_').collect();
    parts.retain(|part| {
        let generation = part.strip_prefix("gen").is_some_and(number);
        !(number(part) || hash(part) || generation)
    });
    parts.join("_")
}

/// Packages of UE1 to UE3 that declare native classes or others that these may build on, by game: the
/// versions of file and licensee.
fn games(folder: &str) -> BTreeMap<(u32, u32), Vec<(String, Package)>> {
    let mut games: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (file, bytes) in files::of(folder) {
        let Ok(package) = Package::from_bytes(bytes) else { continue };
        let declares = package.exports().iter().any(|export| export.entry().class_index.is_null());
        if declares && package.versions().engine() <= Engine::Ue3 {
            let versions = package.versions();
            let game = (versions.file(), versions.licensee());
            games.entry(game).or_default().push((file, package));
        }
    }
    games
}

/// The packages that a package's classes derive from, first those that derive from nothing.
fn before(classes: &Classes, package: &str, order: &mut Vec<String>) {
    if order.iter().any(|known| known.eq_ignore_ascii_case(package)) {
        return;
    }
    order.push(package.to_owned());
    let own = classes.iter().filter(|class| class.package.eq_ignore_ascii_case(package));
    let parents: BTreeSet<&str> =
        own.filter_map(|class| class.parent.as_deref()?.split('.').next()).collect();
    for parent in parents {
        before(classes, parent, order);
    }
    // Behind those that it needs.
    let at = order.iter().position(|known| known == package).unwrap();
    let own = order.remove(at);
    order.push(own);
}

/// Bytes of the structs of `Core` that layouts count on without it.
const CORE_STRUCTS: [(&str, usize); 12] = [
    ("FVector", 12),
    ("FRotator", 12),
    ("FColor", 4),
    ("FPlane", 16),
    ("FVector2D", 8),
    ("FQuat", 16),
    ("FLinearColor", 16),
    ("FGuid", 16),
    ("FCoords", 48),
    ("FScale", 20),
    ("FBoundingBox", 28),
    ("FMatrix", 64),
];

/// Declarations of what headers build on without declaring it: classes and structs of packages that are not
/// at hand.
fn missing(headers: &str) -> String {
    let words = |line: &str| -> Vec<String> {
        let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let stub = include_str!("native_stub.h");
    let (mut declared, mut bases, mut types) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for line in stub.lines().chain(headers.lines()) {
        let all = words(line);
        let is_type = ["class ", "struct "].iter().any(|start| line.starts_with(start));
        if is_type && !line.ends_with(';') {
            let head = line.split(" : ").next().unwrap();
            let (head, _) = head.split_once(" {").unwrap_or((head, ""));
            declared.insert(words(head).pop().unwrap());
            if let Some((_, base)) = line.split_once(" : public ") {
                bases.insert(words(base).remove(0));
            }
        } else if line.starts_with("    ") {
            types.extend(all.iter().filter(|word| word.starts_with('F')).cloned());
        }
    }
    for line in stub.lines().filter(|line| line.contains("struct F")) {
        let name = words(line.split_once("struct ").unwrap().1).remove(0);
        declared.insert(name);
    }
    let mut text = String::new();
    for base in bases.iter().filter(|base| !declared.contains(*base)) {
        let kind = if base.starts_with('F') { "struct" } else { "class" };
        text += &format!("{kind} {base} {{ char Unknown; }};\n");
    }
    let undeclared = types.difference(&declared).filter(|name| !bases.contains(*name));
    for name in undeclared.filter(|name| *name != "FLOAT") {
        let known = CORE_STRUCTS.iter().find(|(known, _)| known == name);
        let words = known.map_or(1, |(_, bytes)| bytes / 4);
        text += &format!("struct {name} {{ int Unknown[{words}]; }};\n");
    }
    text
}

/// Compiles the headers of every package with native classes behind those of the packages of its game that
/// it builds on; returns how many packages and classes there were.
fn compile_folder(folder: &str) -> (usize, usize) {
    let (mut packages, mut count) = (0, 0);
    for (game, files) in games(folder) {
        for (file, package) in &files {
            let name = package_name(file);
            let mut classes = Classes::default();
            classes.add(package, &name);
            let own = classes.iter().filter(|class| class.native && class.package == name).count();
            if own == 0 {
                continue;
            }
            (packages, count) = (packages + 1, count + own);
            for (other, package) in files.iter().filter(|(other, _)| other != file) {
                classes.add(package, &package_name(other));
            }
            let mut order = Vec::new();
            before(&classes, &name, &mut order);
            let headers: String = order.iter().map(|name| classes.cpp_header(name, &[])).collect();
            let mut defines =
                "#define WITH_NOEXPORT\n#define NO_CPPTEXT\n#define CHECK_LAYOUTS".to_owned();
            if package.versions().engine() == Engine::Ue3 {
                defines += "\n#define UE3";
            }
            eprintln!("{folder}/{file} {game:?}: {own} native classes, headers of {order:?}");
            compile(&missing(&headers), &headers, &defines);
        }
    }
    (packages, count)
}

pub fn headers_compile() {
    let (packages, classes) = compile_folder("classic");
    assert!(packages >= 40 && classes > 1000, "{packages} packages, {classes} classes");
}

pub fn headers_of_official_releases_compile() {
    let (packages, classes) = compile_folder("conform");
    assert!(packages >= 7 && classes >= 14, "{packages} packages, {classes} classes");
}
