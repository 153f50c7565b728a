//! A pattern file for the hex editor ImHex: a type and what it contains, in one version.

use super::facts::facts;
use super::list::find_layouts;
use crate::Versions;
use crate::archive::layout::{Layout, Link};
use crate::archive::print::StoredAs;
use crate::archive::print::imhex::{PatternGround, pattern_on};
use crate::version::UnrealVersions;
use crate::version::threshold::{self, ue4, ue5};

/// The pattern of `layout` in packages of these versions, placed at the start of what is selected.
///
/// What a function of a type's own stores is a remark, but for those of the summary and of the tables' rows.
///
/// ```
/// use unreal_packages::table::Export;
/// use unreal_packages::version::UnrealVersions;
/// use unreal_packages::{Archived, Versions, imhex_pattern};
///
/// let pattern = imhex_pattern(Export::LAYOUT, &Versions::ue1_to_3(69, 0));
/// assert!(pattern.contains("    Name object_name;\n"));
/// ```
pub fn imhex_pattern(layout: &'static Layout, versions: &Versions) -> String {
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
        functions: &[
            ("hash", StoredAs::Named("Hash")),
            ("package_flags", StoredAs::AsItsType),
            ("saved_by", StoredAs::AsItsType),
            ("PackageIndex::fixed", StoredAs::Named("s32")),
            ("PackageIndex::from_zero", StoredAs::Named("s32")),
            ("rows_from_zero", StoredAs::Counted),
            ("array::counted_i32", StoredAs::Counted),
            ("array::counted_u32", StoredAs::Counted),
            ("CustomVersions::serialize_plain", StoredAs::Named("CustomVersions<-9>")),
        ],
        facts: &facts(versions),
        identifier: &identifier,
        program: "unreal-packages",
    };
    pattern_on(layout, versions, &ground)
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
        false => "using Index = s32;\n",
    };
    let value = if versions.has_compact_index() { ".value" } else { "" };
    let number =
        match versions.has_compact_index() || versions.file() < threshold::NAME_NUMBER_ADDED {
            true => "",
            false => "    s32 number;\n",
        };
    let wide_index = match versions.ue4() >= ue4::EXPORT_MAP_SERIAL_SIZES_64_BIT {
        true => "s64",
        false => "Index",
    };
    // Of packages that do not say their versions the caller knows them.
    let is_early = versions.ue5() < ue5::PACKAGE_SAVED_HASH;
    let wide = |name| if bytes_of(name, versions) == Some(8) { "u64" } else { "u32" };
    let (object_flags, name_flags) = (wide("ObjectFlags"), wide("NameFlags"));
    let real = if bytes_of("Real", versions) == Some(8) { "double" } else { "float" };
    format!(
        "{index}using CompactIndex = Index;\nusing PackageIndex = Index;\nusing WideIndex = {wide_index};\n\n\
         struct Name {{\n    Index index;\n{number}}};\n\nusing StoredName = Name;\n\n\
         struct Guid {{\n    u32 a;\n    u32 b;\n    u32 c;\n    u32 d;\n}};\n\n\
         struct FString {{\n    Index length;\n    if (length{value} > 0) char text[length{value}];\n    \
         else if (length{value} < 0) char16 text[-length{value}];\n}};\n\n\
         struct Utf8String {{\n    s32 length;\n    char text[length];\n}};\n\n\
         struct Array<T> {{\n    Index count;\n    T items[count{value}];\n}};\n\n\
         struct Pair<K, V> {{\n    K key;\n    V value;\n}};\n\n\
         struct Map<K, V> {{\n    Index count;\n    Pair<K, V> items[count{value}];\n}};\n\n\
         using Bool32 = u32;\nusing Real = {real};\nusing Position = u32;\nusing LongPosition = u64;\n\
         using PackageFlags = u32;\nusing ExportFlags = u32;\n\
         using ObjectFlags = {object_flags};\nusing NameFlags = {name_flags};\n\n\
         struct Hash {{\n    u8 bytes[20];\n}};\n\n{}{}",
        FILE_VERSIONS.replace("IS_EARLY", &is_early.to_string()),
        lazy(versions)
    )
}

/// The versions at the start: their first number says which others there are, and in which form the list is.
const FILE_VERSIONS: &str = concat!(
    "struct CustomVersion<auto Form> {\n",
    "    if (Form == -2) u32 tag; else u8 key[16];\n",
    "    s32 version;\n",
    "    if (Form <= -3 && Form >= -5) FString friendly_name;\n",
    "};\n",
    "\n",
    "struct CustomVersions<auto Form> {\n",
    "    u32 count;\n",
    "    CustomVersion<Form> rows[count];\n",
    "};\n",
    "\n",
    "struct FileVersions {\n",
    "    s32 legacy_file_version;\n",
    "    if (legacy_file_version < 0 && legacy_file_version >= -16) {\n",
    "        if (legacy_file_version != -4) s32 legacy_ue3_version;\n",
    "        s32 ue4;\n",
    "        if (legacy_file_version <= -8) s32 ue5;\n",
    "        s32 licensee;\n",
    "        if (legacy_file_version <= -2 && IS_EARLY) CustomVersions<legacy_file_version> custom_versions;\n",
    "    }\n",
    "};\n",
    "\n",
);

/// Arrays that the engine may load later, of UE1 to UE3.
fn lazy(versions: &Versions) -> String {
    let value = if versions.has_compact_index() { ".value" } else { "" };
    let found = find_layouts("primitive::LazyPayload");
    let fields = found.first().and_then(Link::layout).into_iter().flat_map(Layout::fields);
    let header: String = fields
        .filter(|it| it.name != "data" && it.is_in(versions))
        .map(|it| format!("    {} {};\n", pattern_number(it.ty), it.name))
        .collect();
    format!(
        "struct LazyHeader {{\n{header}}};\n\n\
         struct Payload<auto N> {{\n    Index count;\n    u8 data[count{value} * N];\n}};\n\n\
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
    "WideIndex",
    "FileVersions",
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
    let found = find_layouts(&format!("primitive::{name}"));
    found.first().and_then(Link::layout).and_then(|layout| layout.size(versions))
}

/// The type's name without parameters, with its module where others have the same name.
fn identifier(layout: &Layout) -> String {
    let place = layout.place();
    let name = place.rsplit("::").next().unwrap_or(place);
    let ground = layout.place_in_crate().starts_with("primitive::");
    match !ground && find_layouts(name).len() > 1 {
        true => layout.place_in_crate().replace("::", "_"),
        false => name.to_owned(),
    }
}
