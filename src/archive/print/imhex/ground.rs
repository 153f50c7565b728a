//! What patterns begin with: the declarations of a format, and those of the shelf.

use super::super::StoredAs;
use super::super::expression::Fact;
use super::super::rows;
use crate::archive::layout::Layout;

/// The declarations of a format itself: types that its patterns begin with.
#[derive(Clone, Copy)]
pub struct PatternGround<'a> {
    /// Their declarations.
    pub text: &'a str,
    /// Their names: those are not declared from their layouts.
    pub names: &'a [&'a str],
    /// Types with parameters by their names in Rust and in patterns; an empty name means the parameter itself.
    pub generics: &'a [(&'a str, &'a str)],
    /// What functions of the format's own store, by the path that stands in `with`.
    pub functions: &'a [(&'a str, StoredAs<'a>)],
    /// Known values of words in conditions.
    pub facts: &'a [Fact<'a>],
    /// The identifier of a type.
    pub identifier: &'a dyn Fn(&Layout) -> String,
    /// Who prints it: it stands in the first line.
    pub program: &'a str,
}

impl std::fmt::Debug for PatternGround<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PatternGround").field("names", &self.names).finish_non_exhaustive()
    }
}

/// That of a format of one's own: counts of four bytes.
impl Default for PatternGround<'_> {
    fn default() -> Self {
        Self {
            text: OWN,
            names: &["Text", "Guid", "Bool32", "CompactIndex"],
            generics: &[
                ("Vec", "Array"),
                ("VecDeque", "Array"),
                ("BTreeSet", "Array"),
                ("HashSet", "Array"),
                ("Option", "Optional"),
                ("Box", ""),
                ("Arc", ""),
                ("Rc", ""),
                ("Map", "Map"),
                ("BTreeMap", "Map"),
                ("HashMap", "Map"),
            ],
            functions: &[],
            facts: &[],
            identifier: &|layout| rows::name_of(layout).to_owned(),
            program: "farchive",
        }
    }
}

const OWN: &str = "struct Text {\n    u32 length;\n    char characters[length];\n};\n\n\
     struct Guid {\n    u32 a;\n    u32 b;\n    u32 c;\n    u32 d;\n};\n\n\
     using Bool32 = u32;\n\n\
     struct Array<T> {\n    u32 count;\n    T items[count];\n};\n\n\
     struct Optional<T> {\n    u8 present;\n    if (present != 0) T value;\n};\n\n\
     struct Pair<K, V> {\n    K key;\n    V value;\n};\n\n\
     struct Map<K, V> {\n    u32 count;\n    Pair<K, V> items[count];\n};\n";

/// Declarations that patterns name where they need them, each behind those that it names itself.
const HELPERS: &[(&str, &str)] = &[
    (
        "Varint",
        "fn varint_value(u64 place, u64 count) {\n    u64 value = 0;\n    \
         for (u64 at = 0, at < count, at = at + 1) {\n        \
         value = value | ((builtin::std::mem::read_unsigned(place + at, 1, 0) & 0x7f) << (7 * at));\n    }\n    \
         return value;\n};\n\n\
         struct Varint {\n    u8 first;\n    u8 others[while(builtin::std::mem::read_unsigned($ - 1, 1, 0) >= 0x80)];\n    \
         u64 value = varint_value($ - 1 - sizeof(others), 1 + sizeof(others));\n};\n",
    ),
    ("TextOf", "struct TextOf<N> {\n    N length;\n    char characters[length];\n};\n"),
    (
        "VarintText",
        "struct VarintText {\n    Varint length;\n    char characters[length.value];\n};\n",
    ),
    ("ListOf", "struct ListOf<N, T> {\n    N count;\n    T items[count];\n};\n"),
    ("VarintList", "struct VarintList<T> {\n    Varint count;\n    T items[count.value];\n};\n"),
    ("SizedOf", "struct SizedOf<N, T> {\n    N size;\n    T value;\n};\n"),
    ("FixedArray", "struct FixedArray<T, auto N> {\n    T items[N];\n};\n"),
    ("Couple", "struct Couple<A, B> {\n    A field_0;\n    B field_1;\n};\n"),
    ("Triple", "struct Triple<A, B, C> {\n    A field_0;\n    B field_1;\n    C field_2;\n};\n"),
];

/// The declarations that a pattern names.
pub(super) fn helpers(pattern: &str) -> String {
    let mut needed: Vec<&str> = Vec::new();
    for (name, text) in HELPERS.iter().rev() {
        let names = |text: &str| {
            text.split(|it: char| !(it.is_alphanumeric() || it == '_')).any(|word| word == *name)
        };
        if names(pattern) || needed.iter().any(|it| names(it)) {
            needed.push(text);
        }
    }
    needed.iter().rev().map(|text| format!("\n{text}")).collect()
}
