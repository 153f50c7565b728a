//! A header for C: a type and what it contains, in one version, as packed structs.

use std::collections::BTreeSet;

use super::rows;
use crate::archive::layout::{Field, Layout, Link, Shape, Variant};
use crate::archive::layout_size::{shelf, shelf_number};
use crate::version::Versions;

/// Types that contain each other are followed so far.
const DEEPEST: u32 = 64;

/// The header of `layout` in one version. A struct of C has one size: it ends before the first field whose values take
/// different numbers of bytes, and says in a remark what is to be read from there on. Numbers have the byte order of
/// the file.
///
/// ```
/// use farchive::archive::print::header;
/// use farchive::{Archived, Versions};
///
/// #[derive(Archived, Default)]
/// struct Point {
///     x: i16,
///     y: i16,
///     name: String,
/// }
///
/// let header = header::header(Point::LAYOUT, &Versions::own(1));
/// assert!(header.contains("typedef struct Point {\n    int16_t x;\n    int16_t y;\n"));
/// assert!(header.contains("/* then name: String"));
/// assert!(header.contains("FARCHIVE_SIZE(Point, 4);"));
/// ```
pub fn header(layout: &'static Layout, versions: &Versions) -> String {
    let mut header = HeaderText { versions, done: BTreeSet::new(), text: String::new() };
    header.declare(layout, 0);
    let name = rows::name_of(layout);
    let guard: String = name.chars().map(|it| it.to_ascii_uppercase()).collect();
    let order = if versions.byte_order.is_big() { "big" } else { "little" };
    format!(
        "/* {} in version {versions}; numbers are {order}-endian. */\n\
         #ifndef {guard}_H\n#define {guard}_H\n\n#include <stdint.h>\n\n\
         /* Fails to compile where a struct has another size than its bytes. */\n\
         #define FARCHIVE_SIZE(type, bytes) typedef char type##_has_its_size[sizeof(type) == (bytes) ? 1 : -1]\n\n\
         #pragma pack(push, 1)\n{}\n#pragma pack(pop)\n\n#endif\n",
        layout.place_in_crate(),
        header.text
    )
}

struct HeaderText<'a> {
    versions: &'a Versions,
    done: BTreeSet<String>,
    text: String,
}

impl HeaderText<'_> {
    /// Declares a type behind all that it contains.
    fn declare(&mut self, layout: &'static Layout, depth: u32) {
        let name = rows::name_of(layout);
        if depth > DEEPEST || !self.done.insert(name.to_owned()) {
            return;
        }
        let versions = self.versions;
        for field in layout.fields().filter(|it| it.is_in(versions)) {
            for inner in field.links.iter().filter_map(Link::layout) {
                if matches!(inner.shape, Shape::Struct { .. } | Shape::Enum { .. }) {
                    self.declare(inner, depth + 1);
                }
            }
        }
        let doc = rows::sentence(layout.doc);
        let doc = if doc.is_empty() { String::new() } else { format!("/* {} */\n", remark(doc)) };
        let text = match layout.shape {
            Shape::Struct { fields } => self.structure(name, fields),
            Shape::Enum { repr, variants } => self.enumeration(name, repr, variants),
            Shape::Manual { .. } => match layout.size(versions) {
                Some(size @ 1..) => {
                    format!("typedef struct {name} {{\n    uint8_t bytes[{size}];\n}} {name};\n")
                }
                _ => String::new(),
            },
        };
        self.text += &format!("\n{doc}{text}");
    }

    fn structure(&self, name: &str, fields: &'static [Field]) -> String {
        let (mut lines, mut size, mut is_open) = (String::new(), 0, true);
        for field in fields.iter().filter(|it| it.is_in(self.versions)) {
            let own = match field.name.starts_with(|it: char| it.is_ascii_digit()) {
                true => format!("field_{}", field.name),
                false => match WORDS.contains(&field.name) {
                    true => format!("{}_", field.name),
                    false => field.name.to_owned(),
                },
            };
            let bytes = field.size(self.versions).filter(|_| is_open);
            match bytes.zip(self.declaration(field, &own)) {
                Some((bytes, declaration)) => {
                    size += bytes;
                    let doc = rows::sentence(field.doc);
                    let doc = if doc.is_empty() {
                        doc.to_owned()
                    } else {
                        format!(" /* {} */", remark(doc))
                    };
                    lines += &format!("    {declaration};{doc}\n");
                }
                None => {
                    is_open = false;
                    let form = rows::condition(field);
                    let form = if form.is_empty() { form } else { format!(", {form}") };
                    lines += &format!("    /* then {own}: {}{} */\n", field.ty, remark(&form));
                }
            }
        }
        if size == 0 {
            // C has no struct of nothing.
            return format!("/* {name}:\n{}*/\n", lines.replace("/* ", "").replace(" */", ""));
        }
        format!("typedef struct {name} {{\n{lines}}} {name};\nFARCHIVE_SIZE({name}, {size});\n")
    }

    fn enumeration(&self, name: &str, repr: &str, variants: &'static [Variant]) -> String {
        let number = number(repr, self.versions).unwrap_or("uint8_t");
        let mut text = format!("typedef {number} {name};\n");
        for it in variants.iter().filter(|it| it.is_in(self.versions)) {
            let fields: Vec<String> = it
                .fields
                .iter()
                .filter(|field| field.is_in(self.versions))
                .map(|field| format!("{}: {}", field.name, field.ty))
                .collect();
            let then = match fields.is_empty() {
                true => String::new(),
                false => format!(" then {}", remark(&fields.join(", "))),
            };
            text += &match it.is_other {
                true => format!("/* {name}_{}: any other number{} */\n", it.name, comma(&then)),
                false => {
                    let then = if then.is_empty() { then } else { format!(" /*{then} */") };
                    format!("#define {name}_{} (({name}){}){then}\n", it.name, it.value)
                }
            };
        }
        text
    }

    /// A field of one size.
    fn declaration(&self, field: &Field, name: &str) -> Option<String> {
        match field.with {
            None => self.of_type(field, field.ty, name),
            Some("boolean::byte") => Some(format!("uint8_t {name}")),
            Some(with) => match shelf(with)? {
                ("padding", bytes) => Some(format!("uint8_t {name}[{bytes}]")),
                (form, _) => self.of_type(field, shelf_number(form)?, name),
            },
        }
    }

    fn of_type(&self, field: &Field, ty: &str, name: &str) -> Option<String> {
        if let Some(number) = number(ty, self.versions) {
            return Some(format!("{number} {name}"));
        }
        if let Some((element, count)) = rows::array(ty) {
            return self.of_type(field, element, &format!("{name}[{count}]"));
        }
        let last = ty.rsplit("::").next().unwrap_or(ty);
        let mut links = field.links.iter().filter_map(Link::layout);
        let layout = links.find(|layout| layout.name() == last)?;
        match layout.shape {
            Shape::Struct { .. } => Some(format!("{last} {name}")),
            // The fields of variants are no part of the number.
            Shape::Enum { variants, .. } => {
                variants.iter().all(|it| it.fields.is_empty()).then(|| format!("{last} {name}"))
            }
            Shape::Manual { .. } => {
                layout.size(self.versions).map(|size| format!("uint8_t {name}[{size}]"))
            }
        }
    }
}

/// Words of C that fields may be called.
const WORDS: &[&str] = &[
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "return",
    "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned",
    "void", "volatile", "while",
];

fn comma(then: &str) -> String {
    if then.is_empty() { String::new() } else { format!(",{then}") }
}

/// A text that does not end its remark.
fn remark(text: &str) -> String {
    text.replace("*/", "* /")
}

fn number(ty: &str, versions: &Versions) -> Option<&'static str> {
    Some(match ty {
        "bool" if !versions.format().has_wide_bools() => "uint8_t",
        "u8" => "uint8_t",
        "i8" => "int8_t",
        "u16" => "uint16_t",
        "i16" => "int16_t",
        "u32" | "bool" => "uint32_t",
        "i32" => "int32_t",
        "u64" => "uint64_t",
        "i64" => "int64_t",
        "f32" => "float",
        "f64" => "double",
        _ => return None,
    })
}
