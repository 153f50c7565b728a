//! The list of all types: complete, by comparison with the source.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use unreal_packages::archive::Layout;
use unreal_packages::archive::layout::{Field, Link, Shape};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Versions, imhex_pattern};

/// Types around structs that only users of the library declare; `tests/environment` runs them.
const OF_USERS: [&str; 3] = [
    "farchive::primitive::shared::Shared",
    "unreal_model::object::typed::TypedBody",
    "unreal_model::property::mirror::mirrored::Mirrored",
];

/// Types of the language's own library, and the box of rare fields.
const OF_RUST: [&str; 19] = [
    "BTreeMap",
    "BTreeSet",
    "Box",
    "Cow",
    "Duration",
    "HashMap",
    "HashSet",
    "IpAddr",
    "Option",
    "Ordering",
    "PhantomData",
    "Range",
    "RangeInclusive",
    "Rare",
    "SocketAddr",
    "String",
    "SystemTime",
    "Vec",
    "VecDeque",
];

/// Every path of a type that is `Archived`, and whether it has parameters, as the source declares them.
fn declared() -> BTreeMap<String, bool> {
    let mut types = BTreeMap::new();
    for source in super::rooms::sources() {
        let path = source.path.with_extension("");
        let parts = path.iter().map(|part| part.to_str().unwrap().to_owned());
        let module = std::iter::once(source.in_code()).chain(parts).collect::<Vec<_>>().join("::");
        declared_in(&source.text, &module, &mut types);
    }
    types
}

/// The types of one file: the name behind each `derive` that lists the trait, and behind each `impl` of it.
fn declared_in(text: &str, module: &str, types: &mut BTreeMap<String, bool>) {
    let mut derives = false;
    let mut in_derive = false;
    for line in text.lines() {
        // A type within a function or macro is not one of the room's.
        let by_hand = line.starts_with("impl").then(|| line.split_once(" Archived for ")).flatten();
        let line = line.trim();
        // What other text derives is no type.
        in_derive |= line.starts_with("#[derive(") && !line.ends_with('\\');
        let words = line.split(|it: char| !it.is_alphanumeric() && it != '_');
        derives |= in_derive && words.clone().any(|word| word == "Archived");
        in_derive &= !line.contains(']');
        let item = words.clone().position(|word| matches!(word, "struct" | "enum"));
        let is_item =
            line.starts_with("pub") || line.starts_with("struct") || line.starts_with("enum");
        if let Some(name) =
            item.filter(|_| derives && is_item).and_then(|at| words.clone().nth(at + 1))
        {
            types.insert(format!("{module}::{name}"), line.contains(&format!("{name}<")));
            derives = false;
        }
        if let Some((_, name)) = by_hand {
            let name = name.split(|it: char| !it.is_alphanumeric() && it != '_').next().unwrap();
            // Numbers, arrays and tuples of the language, and what macros name.
            if name.starts_with(|it: char| it.is_ascii_uppercase()) && !OF_RUST.contains(&name) {
                // A GUID is stored like a primitive, but versions know it as well.
                let module = if name == "Guid" { "farchive::version::guid" } else { module };
                types.insert(format!("{module}::{name}"), line.contains(&format!("{name}<")));
            }
        }
    }
}

#[test]
fn every_type_is_listed() {
    let listed: BTreeSet<&str> = unreal_packages::layouts()
        .iter()
        .filter_map(|link| link.layout())
        .map(|it| it.place())
        .collect();
    let mut declared = declared();
    for path in OF_USERS {
        assert!(declared.remove(path).is_some(), "{path} is gone");
    }
    if cfg!(not(feature = "container")) {
        // Of its room only the packages in containers are there.
        let (room, packages) = ("unreal_package::container::", "unreal_package::container::zen::");
        declared.retain(|path, _| !path.starts_with(room) || path.starts_with(packages));
    }
    if cfg!(not(feature = "content")) {
        declared.retain(|path, _| !path.starts_with("unreal_content::"));
    }
    println!("{} types are Archived, {} are listed", declared.len(), listed.len());
    let missing: Vec<_> = declared.keys().filter(|path| !listed.contains(path.as_str())).collect();
    assert!(
        missing.is_empty(),
        "{} types are not listed in unreal/src/layouts.rs: {missing:#?}",
        missing.len()
    );
}

#[test]
fn every_listed_type_can_be_made() {
    let declared = declared();
    let mut bad = Vec::new();
    for link in unreal_packages::layouts() {
        let layout = link.layout().unwrap();
        if link.value.is_none() && declared.contains_key(layout.place()) {
            bad.push((layout.path)());
        }
    }
    assert!(bad.is_empty(), "no law can run over these types, which have no default: {bad:#?}");
}

#[test]
fn names_have_no_modules() {
    let named = |path| Layout { path, doc: "", shape: Shape::Struct { fields: &[] } }.name();
    assert_eq!(named(|| "unreal_model::table::export::Export"), "Export");
    let lazy = named(|| "a::Lazy<b::c::Mip<4>, alloc::vec::Vec<d::E>>");
    assert_eq!(lazy, "Lazy<Mip<4>, Vec<E>>");
    assert_eq!(named(|| "(u8, a::B)"), "(u8, B)");
}

/// Fields that are names all the same.
const ASKED_FOR: [(&str, &str); 7] = [
    // Rows of tables that packages have many of: whoever reads them asks the version first.
    ("unreal_model::table::import::Import", "outer_name"),
    ("unreal_model::table::import::Import", "package_name"),
    ("unreal_model::table::soft_package_reference::SoftPackageReference", "name"),
    // Nothing reads them.
    ("unreal_model::primitive::lazy::LazyArray", "package"),
    ("unreal_model::primitive::lazy::LazyPayload", "package"),
    // Groups that are absent as a whole, and that nothing reads.
    ("unreal_model::object::ue4::asset::old_shader::MaterialParameters", "layout"),
    ("unreal_model::object::ue4::graph::pin_type::PinType", "member"),
];

/// Whether a value of this field holds a name itself, not in a list that may be empty or a value that may be
/// missing.
fn holds_name(field: &Field, ty: &str, depth: usize) -> bool {
    if ty == "Name" {
        return true;
    }
    if let Some(inner) = ty.strip_prefix("Box<").and_then(|inner| inner.strip_suffix('>')) {
        return holds_name(field, inner, depth);
    }
    if ty.contains('<') || depth == 0 {
        return false;
    }
    let mut layouts = field.links.iter().filter_map(Link::layout);
    let Some(layout) = layouts.find(|layout| layout.name() == ty) else { return false };
    match layout.shape {
        Shape::Struct { fields } => fields
            .iter()
            .filter(|inner| inner.bounds.is_empty() && inner.when.is_none())
            .any(|inner| holds_name(inner, inner.ty, depth - 1)),
        // Which variant it is, is the first one's to say; types by hand are their author's.
        Shape::Enum { .. } | Shape::Manual { .. } => false,
    }
}

/// The default of a name is the first row of the table: a field that a version lacks must not look like it.
#[test]
fn absent_names_are_no_rows() {
    let mut faults = Vec::new();
    for link in unreal_packages::layouts() {
        let layout = link.layout().unwrap();
        for field in layout.fields() {
            let may_be_absent = !field.bounds.is_empty() || field.when.is_some();
            let is_asked_for = ASKED_FOR.contains(&(layout.place(), field.name));
            if may_be_absent && !is_asked_for && holds_name(field, field.ty, 8) {
                faults.push(format!(
                    "(\"{}\", \"{}\"), // {}",
                    layout.place(),
                    field.name,
                    field.ty
                ));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} fields read as the first name where they are absent:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// Every name that a pattern uses is declared before, and what opens closes.
#[test]
fn patterns_of_all_types_are_whole() {
    let all = unreal_packages::layouts().iter().filter_map(Link::layout);
    let own = all.filter(|layout| unreal_packages::is_own_layout(layout));
    let versions =
        [Versions::ue1_to_3(69, 0), Versions::ue1_to_3(868, 0), Versions::ue4_and_5(522, 1012)];
    for layout in own {
        for versions in &versions {
            let text = imhex_pattern(layout, versions);
            for (open, close) in [('{', '}'), ('(', ')'), ('<', '>')] {
                // What stands behind a remark is no code.
                let code = || text.lines().filter_map(|it| it.split("//").next());
                let count = |sign| {
                    let plain = |line: &str| {
                        [" << ", " <= ", " >= ", " < ", " > "]
                            .iter()
                            .fold(line.to_owned(), |line, sign| line.replace(sign, ""))
                    };
                    code().map(|line| plain(line).matches(sign).count()).sum::<usize>()
                };
                assert_eq!(count(open), count(close), "{open}{close}: {text}");
            }
            let mut known: HashSet<&str> = HashSet::new();
            for line in text.lines().filter(|it| !it.trim_start().starts_with("//")) {
                let words: Vec<&str> = line
                    .split(|it: char| !it.is_alphanumeric() && it != '_')
                    .filter(|it| !it.is_empty())
                    .collect();
                match words.as_slice() {
                    ["struct" | "enum" | "using", name, ..] => _ = known.insert(name),
                    [name, field] if line.starts_with("    ") && line.ends_with(';') => {
                        let plain = ["double", "float"].contains(name)
                            || name.starts_with(char::is_lowercase)
                            || name.len() == 1;
                        assert!(plain || known.contains(name), "{name} {field}: {text}");
                    }
                    _ => {}
                }
            }
        }
    }
}
