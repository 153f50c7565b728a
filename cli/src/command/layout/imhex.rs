//! A pattern file for the hex editor ImHex: a type and what it contains, in one version.

use std::collections::{BTreeSet, HashSet};

use unreal_packages::Versions;
use unreal_packages::archive::layout::{Field, Layout, Link, Shape, Variant};
use unreal_packages::version::UnrealVersions;

use super::rows;

/// The pattern of `layout`, placed at the start of what is selected.
pub fn pattern(layout: &'static Layout, versions: &Versions) -> String {
    let mut pattern = Pattern {
        versions,
        done: HashSet::new(),
        open: Vec::new(),
        early: BTreeSet::new(),
        text: String::new(),
    };
    pattern.declare(layout, 0);
    let order = if versions.byte_order.is_big() { "big" } else { "little" };
    let name = identifier(layout);
    let early: String = pattern.early.iter().map(|name| format!("using {name};\n")).collect();
    format!(
        "// {} in version {versions}, written by `upk layout`.\n\
         // Set the base address of the value in the last line.\n\
         #pragma endian {order}\n\n{}\n{early}{}{name} value @ 0x0;\n",
        rows::path(layout),
        ground(versions),
        pattern.text
    )
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
        .map(|it| line(it, versions))
        .collect();
    format!(
        "struct LazyHeader {{\n{header}}};\n\n\
         struct Payload<auto N> {{\n    Index count;\n    u8 data[count.value * N];\n}};\n\n\
         struct LazyArray<T> {{\n    LazyHeader header;\n    Array<T> items;\n}};\n\n\
         struct LazyPayload<auto N> {{\n    LazyHeader header;\n    Payload<N> data;\n}};\n\n"
    )
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

/// Types that contain each other are followed so far.
const DEEPEST: u32 = 64;

struct Pattern<'a> {
    versions: &'a Versions,
    done: HashSet<String>,
    /// Types whose parts are being declared.
    open: Vec<String>,
    /// Those of them that their own parts contain: their names must be known before.
    early: BTreeSet<String>,
    text: String,
}

impl Pattern<'_> {
    /// Declares a type behind all that it contains.
    fn declare(&mut self, layout: &'static Layout, depth: u32) {
        let name = identifier(layout);
        if self.open.contains(&name) {
            self.early.insert(name);
            return;
        }
        let known = GROUND.contains(&name.as_str()) || layout.name().contains('<');
        if known || depth > DEEPEST || (depth > 0 && is_unknown(layout)) {
            return;
        }
        if !self.done.insert(name.clone()) {
            return;
        }
        self.open.push(name.clone());
        let versions = self.versions;
        let present = |it: &&Field| it.is_in(versions);
        for field in layout.fields().filter(present) {
            for inner in field.links.iter().filter_map(Link::layout) {
                self.declare(inner, depth + 1);
            }
        }
        self.open.pop();
        let doc = rows::sentence(layout.doc);
        if !doc.is_empty() {
            self.text += &format!("\n// {doc}");
        }
        let text = match layout.shape {
            Shape::Struct { fields } => {
                let fields: Vec<_> =
                    fields.iter().filter(present).map(|it| line(it, versions)).collect();
                format!("\nstruct {name} {{\n{}}};\n", fields.concat())
            }
            Shape::Enum { repr, variants } => self.enumeration(&name, repr, variants),
            Shape::Manual { .. } => {
                let size = layout.size(versions).unwrap_or_default();
                format!("\nstruct {name} {{\n    u8 bytes[{size}];\n}};\n")
            }
        };
        self.text += &text;
    }

    fn enumeration(&self, name: &str, repr: &str, variants: &'static [Variant]) -> String {
        let present = || variants.iter().filter(|it| it.is_in(self.versions));
        let values: Vec<_> =
            present().map(|it| format!("    {} = {},\n", it.name, it.value)).collect();
        let repr = number(repr).unwrap_or("u8");
        if present().all(|it| it.fields.is_empty()) {
            return format!("\nenum {name} : {repr} {{\n{}}};\n", values.concat());
        }
        let mut text = format!("\nenum {name}Kind : {repr} {{\n{}}};\n", values.concat());
        text += &format!("\nstruct {name} {{\n    {name}Kind kind;\n    match (kind) {{\n");
        for it in present() {
            let fields = it.fields.iter().filter(|field| field.is_in(self.versions));
            let fields: String =
                fields.map(|it| format!("        {}", line(it, self.versions))).collect();
            text += &format!("        ({name}Kind::{}): {{\n{fields}        }}\n", it.name);
        }
        text + "    }\n};\n"
    }
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

/// The line of a field. What a pattern can't say stands in a remark.
fn line(field: &Field, versions: &Versions) -> String {
    // The fields of tuples have numbers, which are no names.
    let name = match field.name.starts_with(|it: char| it.is_ascii_digit()) {
        true => format!("field_{}", field.name),
        false => match WORDS.contains(&field.name) {
            true => format!("{}_", field.name),
            false => field.name.to_owned(),
        },
    };
    let declaration = match field.with {
        None => declaration(field, field.ty, &name),
        Some("PackageIndex::fixed") => Some(format!("s32 {name}")),
        Some("boolean::byte") => Some(format!("u8 {name}")),
        Some(with) if with.ends_with("counted_i32") || with.ends_with("counted_u32") => {
            let element = field.ty.strip_prefix("Vec<").and_then(|it| it.strip_suffix('>'));
            let element = element.and_then(|it| type_name(field, it));
            element.map(|it| format!("CountedArray<{it}> {name}"))
        }
        Some(_) => None,
    };
    let Some(declaration) = declaration else {
        let form = rows::condition(field);
        let unknown = "; not described, what follows it is displaced";
        return format!("    // {name}: {}{}{unknown}\n", field.ty, remark(&form));
    };
    let when = field.when.map(|it| (it, condition(it, versions)));
    match when {
        None => format!("    {declaration};\n"),
        Some((_, Some(condition))) => format!("    if ({condition}) {declaration};\n"),
        Some((written, None)) => format!("    // when {written}: {declaration};\n"),
    }
}

fn remark(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(", {text}") }
}

/// Words of the pattern language that fields may be called.
const WORDS: &[&str] = &[
    "match",
    "parent",
    "this",
    "in",
    "out",
    "float",
    "double",
    "bool",
    "str",
    "auto",
    "from",
    "import",
    "as",
    "using",
    "struct",
    "union",
    "enum",
    "fn",
    "return",
    "value_type",
    "section",
];

fn declaration(field: &Field, ty: &str, name: &str) -> Option<String> {
    if let Some((element, count)) =
        ty.strip_prefix('[').and_then(|it| it.strip_suffix(']')?.rsplit_once("; "))
    {
        let count: u64 = count.parse().ok()?;
        return Some(format!("{} {name}[{count}]", type_name(field, element)?));
    }
    Some(format!("{} {name}", type_name(field, ty)?))
}

/// What patterns call a type; `None` for what they can't name in one word.
fn type_name(field: &Field, ty: &str) -> Option<String> {
    if let Some(number) = number(ty) {
        return Some(number.to_owned());
    }
    let inner = |prefix: &str| ty.strip_prefix(prefix).and_then(|it| it.strip_suffix('>'));
    if let Some(element) = inner("Vec<") {
        return Some(format!("Array<{}>", type_name(field, element)?));
    }
    if let Some(element) = inner("Box<").or_else(|| inner("Rare<")) {
        return type_name(field, element);
    }
    if let Some((key, value)) = inner("Map<").and_then(|it| it.split_once(", ")) {
        return Some(format!("Map<{}, {}>", type_name(field, key)?, type_name(field, value)?));
    }
    if let Some(element) = inner("LazyArray<") {
        return Some(format!("LazyArray<{}>", type_name(field, element)?));
    }
    if ["Payload<", "LazyPayload<"]
        .iter()
        .any(|it| inner(it).is_some_and(|n| n.parse::<u32>().is_ok()))
    {
        return Some(ty.to_owned());
    }
    if ty.contains(['<', '[', '(']) {
        return None;
    }
    let name = ty.rsplit("::").next().unwrap_or(ty);
    let mut links = field.links.iter().filter_map(Link::layout);
    let found = links.find(|layout| layout.name() == name).filter(|it| !is_unknown(it));
    found.map(identifier)
}

/// Whether nobody says in which order and form the values are stored.
fn is_unknown(layout: &Layout) -> bool {
    let ground = GROUND.contains(&layout.name().as_str());
    let sized = layout.size(&Versions::ue1_to_3(868, 0)).is_some();
    matches!(layout.shape, Shape::Manual { .. }) && !ground && !sized
}

fn number(ty: &str) -> Option<&'static str> {
    Some(match ty {
        "u8" => "u8",
        "i8" => "s8",
        "u16" => "u16",
        "i16" => "s16",
        "u32" | "bool" => "u32",
        "i32" => "s32",
        "u64" => "u64",
        "i64" => "s64",
        "f32" => "float",
        "f64" => "double",
        _ => return None,
    })
}

/// A condition on plain fields as patterns write it; `None` for one that calls functions.
fn condition(written: &str, versions: &Versions) -> Option<String> {
    let mut plain = written.replace("self.", "").replace(".value()", ".value");
    // What the version decides is decided here.
    let known = [
        ("has_object_versions()", versions.has_object_versions().to_string()),
        ("has_editor_only_data()", versions.has_editor_only_data().to_string()),
        ("file", versions.file().to_string()),
        ("licensee", versions.licensee().to_string()),
        ("ue4", versions.ue4().to_string()),
        ("ue5", versions.ue5().to_string()),
    ];
    for (name, value) in known {
        plain = plain.replace(&format!("ar.versions().{name}"), &value);
    }
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "_ &|!=<>()+-.".contains(it);
    let calls = plain.contains("()")
        || plain.char_indices().any(|(at, it)| {
            it == '(' && plain[..at].ends_with(|before: char| before.is_ascii_alphanumeric())
        });
    let knows_archive = plain.split(|it: char| !it.is_alphanumeric()).any(|word| word == "ar");
    let is_upper = |word: &str| word.starts_with(|it: char| it.is_ascii_uppercase());
    let names = plain.split(|it: char| !it.is_alphanumeric() && it != '_').any(is_upper);
    (plain.chars().all(is_plain) && !calls && !knows_archive && !names).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_on_plain_fields_are_kept() {
        let condition = |written| condition(written, &Versions::ue1_to_3(69, 0));
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
                            let plain = number(name).is_some()
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
