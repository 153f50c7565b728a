//! A pattern file for the hex editor ImHex: a type and what it contains, in one version.

use unreal_packages::Versions;
use unreal_packages::archive::layout::{Layout, Link};
use unreal_packages::archive::print::expression::Fact;
use unreal_packages::archive::print::imhex::{PatternGround, pattern_on};
use unreal_packages::version::UnrealVersions;

/// The pattern of `layout`, placed at the start of what is selected.
pub fn pattern(layout: &'static Layout, versions: &Versions) -> String {
    let facts = facts(versions);
    let ground = PatternGround {
        text: &ground(versions),
        names: GROUND,
        generics: &[
            ("Vec", "Array"),
            ("Box", ""),
            ("Rare", ""),
            ("Map", "Map"),
            ("LazyArray", "LazyArray"),
            ("Payload", "Payload"),
            ("LazyPayload", "LazyPayload"),
        ],
        facts: &facts,
        identifier: &identifier,
        program: "upk layout",
    };
    pattern_on(layout, versions, &ground)
}

/// What the version decides is decided here.
fn facts(versions: &Versions) -> Vec<Fact<'static>> {
    vec![
        ("ar.versions().has_object_versions()", versions.has_object_versions().to_string()),
        ("ar.versions().has_editor_only_data()", versions.has_editor_only_data().to_string()),
        ("ar.versions().file()", versions.file().to_string()),
        ("ar.versions().licensee()", versions.licensee().to_string()),
        ("ar.versions().ue4()", versions.ue4().to_string()),
        ("ar.versions().ue5()", versions.ue5().to_string()),
    ]
}

/// Types that the file holds everywhere, in the form that this version has.
fn ground(versions: &Versions) -> String {
    let index = match versions.has_compact_index() {
        true => {
            "struct Index {\n\
             \x20   u8 first;\n\
             \x20   s32 value = first & 0x3f;\n\
             \x20   if ((first & 0x40) != 0) {\n\
             \x20       u8 second;\n\
             \x20       value = value | ((second & 0x7f) << 6);\n\
             \x20       if ((second & 0x80) != 0) {\n\
             \x20           u8 third;\n\
             \x20           value = value | ((third & 0x7f) << 13);\n\
             \x20           if ((third & 0x80) != 0) {\n\
             \x20               u8 fourth;\n\
             \x20               value = value | ((fourth & 0x7f) << 20);\n\
             \x20               if ((fourth & 0x80) != 0) {\n\
             \x20                   u8 fifth;\n\
             \x20                   value = value | ((fifth & 0x1f) << 27);\n\
             \x20               }\n\
             \x20           }\n\
             \x20       }\n\
             \x20   }\n\
             \x20   if ((first & 0x80) != 0) value = -value;\n\
             };\n"
        }
        false => "struct Index {\n    s32 value;\n};\n",
    };
    let number = match bytes_of("Name", versions) {
        Some(8) => "    s32 number;\n",
        _ => "",
    };
    let wide = |name| if bytes_of(name, versions) == Some(8) { "u64" } else { "u32" };
    let (object_flags, name_flags) = (wide("ObjectFlags"), wide("NameFlags"));
    let real = if bytes_of("Real", versions) == Some(8) { "double" } else { "float" };
    format!(
        "{index}using CompactIndex = Index;\nusing PackageIndex = Index;\n\n\
         struct Name {{\n    Index index;\n{number}}};\n\nusing StoredName = Name;\n\n\
         struct Guid {{\n    u32 a;\n    u32 b;\n    u32 c;\n    u32 d;\n}};\n\n\
         struct FString {{\n    Index length;\n    if (length.value > 0) char text[length.value];\n    \
         else if (length.value < 0) char16 text[-length.value];\n}};\n\n\
         struct Utf8String {{\n    s32 length;\n    char text[length];\n}};\n\n\
         struct Array<T> {{\n    Index count;\n    T items[count.value];\n}};\n\n\
         struct CountedArray<T> {{\n    u32 count;\n    T items[count];\n}};\n\n\
         struct Pair<K, V> {{\n    K key;\n    V value;\n}};\n\n\
         struct Map<K, V> {{\n    Index count;\n    Pair<K, V> items[count.value];\n}};\n\n\
         using Bool32 = u32;\nusing Real = {real};\nusing Position = u32;\nusing LongPosition = u64;\n\
         using PackageFlags = u32;\nusing ExportFlags = u32;\n\
         using ObjectFlags = {object_flags};\nusing NameFlags = {name_flags};\n\n{}",
        lazy(versions)
    )
}

/// Arrays that the engine may load later; UE4 and UE5 have none.
fn lazy(versions: &Versions) -> String {
    if versions.has_object_versions() {
        return String::new();
    }
    let found = unreal_packages::find_layouts("primitive::LazyPayload");
    let fields = found.first().and_then(Link::layout).into_iter().flat_map(Layout::fields);
    let header: String = fields
        .filter(|it| it.name != "data" && it.is_in(versions))
        .map(|it| format!("    {} {};\n", pattern_number(it.ty), it.name))
        .collect();
    format!(
        "struct LazyHeader {{\n{header}}};\n\n\
         struct Payload<auto N> {{\n    Index count;\n    u8 data[count.value * N];\n}};\n\n\
         struct LazyArray<T> {{\n    LazyHeader header;\n    Array<T> items;\n}};\n\n\
         struct LazyPayload<auto N> {{\n    LazyHeader header;\n    Payload<N> data;\n}};\n\n"
    )
}

/// What patterns call the numbers of a header.
fn pattern_number(ty: &str) -> String {
    match ty.strip_prefix('i') {
        Some(bits) if bits.parse::<u32>().is_ok() => format!("s{bits}"),
        _ => ty.to_owned(),
    }
}

/// Names that [`ground`] declares.
const GROUND: &[&str] = &[
    "Index",
    "CompactIndex",
    "PackageIndex",
    "Name",
    "StoredName",
    "Guid",
    "FString",
    "Utf8String",
    "Bool32",
    "Real",
    "Position",
    "LongPosition",
    "PackageFlags",
    "ExportFlags",
    "ObjectFlags",
    "NameFlags",
];

fn bytes_of(name: &str, versions: &Versions) -> Option<u64> {
    let found = unreal_packages::find_layouts(&format!("primitive::{name}"));
    found.first().and_then(Link::layout).and_then(|layout| layout.size(versions))
}

/// The type's name without parameters, with its module where others have the same name.
fn identifier(layout: &Layout) -> String {
    let place = layout.place();
    let name = place.rsplit("::").next().unwrap_or(place);
    let ground = layout.place_in_crate().starts_with("primitive::");
    match !ground && unreal_packages::find_layouts(name).len() > 1 {
        true => layout.place_in_crate().replace("::", "_"),
        false => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use unreal_packages::archive::print::expression::plain;

    use super::*;

    #[test]
    fn conditions_on_plain_fields_are_kept() {
        let facts = facts(&Versions::ue1_to_3(69, 0));
        let condition = |written| plain(written, &facts);
        assert_eq!(condition("self.flags & 1 != 0").as_deref(), Some("flags & 1 != 0"));
        assert_eq!(condition("!ar.versions().has_object_versions()").as_deref(), Some("!false"));
        assert_eq!(condition("is_me3(ar)"), None);
        assert_eq!(condition("self.kind == Kind::A"), None);
    }

    /// Every name that a pattern uses is declared before, and what opens closes.
    #[test]
    fn patterns_of_all_types_are_whole() {
        let versions =
            [Versions::ue1_to_3(69, 0), Versions::ue1_to_3(868, 0), Versions::ue4_and_5(522, 1012)];
        for layout in crate::command::layout::all() {
            for versions in &versions {
                let text = pattern(layout, versions);
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
}
