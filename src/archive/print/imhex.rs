//! A pattern file for the hex editor ImHex: a type and what it contains, in one version.

use std::collections::{BTreeSet, HashSet};

use super::expression::{self, Fact};
use super::rows;
use crate::archive::layout::{Field, Layout, Link, Shape, Variant};
use crate::archive::layout_size::{shelf, shelf_number};
use crate::version::Versions;

/// The declarations of a format itself: types that its patterns begin with.
#[derive(Clone, Copy)]
pub struct PatternGround<'a> {
    /// Their declarations.
    pub text: &'a str,
    /// Their names: those are not declared from their layouts.
    pub names: &'a [&'a str],
    /// Types with parameters by their names in Rust and in patterns; an empty name means the parameter itself.
    pub generics: &'a [(&'a str, &'a str)],
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
                ("Option", "Optional"),
                ("Box", ""),
                ("Map", "Map"),
                ("BTreeMap", "Map"),
                ("HashMap", "Map"),
            ],
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

/// The pattern of `layout` in one version, placed at the start of the file, of a format of one's own.
///
/// ```
/// use farchive::archive::print::imhex;
/// use farchive::{Archived, Versions};
///
/// #[derive(Archived, Default)]
/// struct Save {
///     names: Vec<String>,
///     #[since(2)]
///     coins: u16,
/// }
///
/// let pattern = imhex::pattern(Save::LAYOUT, &Versions::own(1));
/// assert!(pattern.contains("Array<Text> names;") && !pattern.contains("coins"));
/// ```
pub fn pattern(layout: &'static Layout, versions: &Versions) -> String {
    pattern_on(layout, versions, &PatternGround::default())
}

/// The same of a format that declares types by itself.
pub fn pattern_on(
    layout: &'static Layout,
    versions: &Versions,
    ground: &PatternGround<'_>,
) -> String {
    let mut pattern = PatternText {
        versions,
        ground,
        done: HashSet::new(),
        open: Vec::new(),
        early: BTreeSet::new(),
        text: String::new(),
    };
    pattern.declare(layout, 0);
    let order = if versions.byte_order.is_big() { "big" } else { "little" };
    let name = (ground.identifier)(layout);
    let early: String = pattern.early.iter().map(|name| format!("using {name};\n")).collect();
    format!(
        "// {} in version {versions}, written by `{}`.\n\
         // Set the base address of the value in the last line.\n\
         #pragma endian {order}\n\n{}\n{early}{}{name} value @ 0x0;\n",
        layout.place_in_crate(),
        ground.program,
        ground.text,
        pattern.text
    )
}

/// Types that contain each other are followed so far.
const DEEPEST: u32 = 64;

struct PatternText<'a> {
    versions: &'a Versions,
    ground: &'a PatternGround<'a>,
    done: HashSet<String>,
    /// Types whose parts are being declared.
    open: Vec<String>,
    /// Types that their own parts contain: their names must be known before.
    early: BTreeSet<String>,
    text: String,
}

impl PatternText<'_> {
    /// Declares a type behind all that it contains.
    fn declare(&mut self, layout: &'static Layout, depth: u32) {
        let name = (self.ground.identifier)(layout);
        if self.open.contains(&name) {
            self.early.insert(name);
            return;
        }
        let known = self.ground.names.contains(&name.as_str()) || layout.name().contains('<');
        if known || depth > DEEPEST || (depth > 0 && self.is_unknown(layout)) {
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
                    fields.iter().filter(present).map(|it| self.line(it)).collect();
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
        let named = present().filter(|it| !it.is_other);
        let values: Vec<_> = named.map(|it| format!("    {} = {},\n", it.name, it.value)).collect();
        let repr = number(repr, self.versions).unwrap_or("u8");
        if present().all(|it| it.fields.is_empty()) {
            return format!("\nenum {name} : {repr} {{\n{}}};\n", values.concat());
        }
        let mut text = format!("\nenum {name}Kind : {repr} {{\n{}}};\n", values.concat());
        text += &format!("\nstruct {name} {{\n    {name}Kind kind;\n    match (kind) {{\n");
        for it in present() {
            let fields = it.fields.iter().filter(|field| field.is_in(self.versions));
            let fields: String = fields.map(|it| format!("        {}", self.line(it))).collect();
            let pattern = match it.is_other {
                true => "_".to_owned(),
                false => format!("{name}Kind::{}", it.name),
            };
            text += &format!("        ({pattern}): {{\n{fields}        }}\n");
        }
        text + "    }\n};\n"
    }

    /// The line of a field. What a pattern can't say stands in a remark.
    fn line(&self, field: &Field) -> String {
        // The fields of tuples have numbers, which are no names.
        let name = match field.name.starts_with(|it: char| it.is_ascii_digit()) {
            true => format!("field_{}", field.name),
            false => match WORDS.contains(&field.name) {
                true => format!("{}_", field.name),
                false => field.name.to_owned(),
            },
        };
        let declaration = match field.with {
            None => self.declaration(field, field.ty, &name),
            Some("PackageIndex::fixed") => Some(format!("s32 {name}")),
            Some("boolean::byte") => Some(format!("u8 {name}")),
            Some(with) if with.ends_with("counted_i32") || with.ends_with("counted_u32") => {
                let element = field.ty.strip_prefix("Vec<").and_then(|it| it.strip_suffix('>'));
                let element = element.and_then(|it| self.type_name(field, it));
                element.map(|it| format!("CountedArray<{it}> {name}"))
            }
            Some(with) => self.stored_otherwise(field, with, &name),
        };
        let Some(declaration) = declaration else {
            let form = rows::condition(field);
            let unknown = "; not described, what follows it is displaced";
            return format!("    // {name}: {}{}{unknown}\n", field.ty, remark(&form));
        };
        let when = field.when.map(|it| (it, expression::plain(it, self.ground.facts)));
        match when {
            None => format!("    {declaration};\n"),
            Some((_, Some(condition))) => format!("    if ({condition}) {declaration};\n"),
            Some((written, None)) => format!("    // when {written}: {declaration};\n"),
        }
    }

    /// A field whose attributes say how it is stored.
    fn stored_otherwise(&self, field: &Field, with: &str, name: &str) -> Option<String> {
        if let Some(count) = with.strip_prefix("count = ") {
            let element = field.ty.strip_prefix("Vec<")?.strip_suffix('>')?;
            let count = expression::plain(count, self.ground.facts).filter(|it| it != "..")?;
            return Some(format!("{} {name}[{count}]", self.type_name(field, element)?));
        }
        match shelf(with)? {
            ("padding", bytes) => Some(format!("u8 {name}[{bytes}]")),
            (form, _) => self.declaration(field, shelf_number(form)?, name),
        }
    }

    fn declaration(&self, field: &Field, ty: &str, name: &str) -> Option<String> {
        if let Some((element, count)) = rows::array(ty) {
            return Some(format!("{} {name}[{count}]", self.type_name(field, element)?));
        }
        Some(format!("{} {name}", self.type_name(field, ty)?))
    }

    /// The name of a type in patterns; `None` for one that takes more than a word.
    fn type_name(&self, field: &Field, ty: &str) -> Option<String> {
        if let Some(number) = number(ty, self.versions) {
            return Some(number.to_owned());
        }
        if let Some((outer, arguments)) = rows::generic(ty) {
            let generics = self.ground.generics.iter();
            let (_, name) = generics.copied().find(|(known, _)| *known == outer)?;
            let argument = |it: &&str| match it.parse::<u32>() {
                Ok(_) => Some((*it).to_owned()),
                Err(_) => self.type_name(field, it),
            };
            let arguments: Vec<String> = arguments.iter().map(argument).collect::<Option<_>>()?;
            let arguments = arguments.join(", ");
            return Some(if name.is_empty() { arguments } else { format!("{name}<{arguments}>") });
        }
        if ty.contains(['<', '[', '(']) {
            return None;
        }
        if ty == "String" && self.ground.names.contains(&"Text") {
            return Some("Text".to_owned());
        }
        let name = ty.rsplit("::").next().unwrap_or(ty);
        let mut links = field.links.iter().filter_map(Link::layout);
        let found = links.find(|layout| layout.name() == name).filter(|it| !self.is_unknown(it));
        found.map(|layout| (self.ground.identifier)(layout))
    }

    /// Whether the order and form of the values are unknown.
    fn is_unknown(&self, layout: &Layout) -> bool {
        let ground = self.ground.names.contains(&layout.name().as_str());
        let sized = layout.size(self.versions).is_some();
        matches!(layout.shape, Shape::Manual { .. }) && !ground && !sized
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

fn number(ty: &str, versions: &Versions) -> Option<&'static str> {
    Some(match ty {
        "bool" if !versions.format().has_wide_bools() => "u8",
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
