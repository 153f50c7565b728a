//! The lines of fields.

use super::super::{StoredAs, expression, rows};
use super::pattern_text::PatternText;
use crate::archive::layout::{Field, Layout, Link};
use crate::archive::layout_size::{shelf, shelf_number};
use crate::version::Versions;

impl PatternText<'_> {
    /// The line of a field. What a pattern can't say stands in a remark.
    pub(super) fn line(&self, field: &Field) -> String {
        // The fields of tuples have numbers, which are no names.
        let name = match field.name.starts_with(|it: char| it.is_ascii_digit()) {
            true => format!("field_{}", field.name),
            false => spared(field.name),
        };
        let own = field.with.and_then(|with| StoredAs::of(self.ground.functions, with));
        let declaration = match (own, field.with) {
            (Some(stored), _) => self.own(field, stored, &name),
            (None, None) => self.declaration(field, field.ty, &name),
            (None, Some("boolean::byte")) => Some(format!("u8 {name}")),
            (None, Some(with)) => self.stored_otherwise(field, with, &name),
        };
        let Some(declaration) = declaration else {
            let form = rows::condition(field);
            let unknown = "; not described, what follows it is displaced";
            return format!("    // {name}: {}{}{unknown}\n", field.ty, remark(&form));
        };
        let when = field.when.map(|it| (it, self.expression(it)));
        match when {
            None => format!("    {declaration};\n"),
            Some((_, Some(condition))) => format!("    if ({condition}) {declaration};\n"),
            Some((written, None)) => format!("    // when {written}: {declaration};\n"),
        }
    }

    /// A condition or a number in the words of patterns, in which a comparison binds tighter than the bits of a number.
    fn expression(&self, written: &str) -> Option<String> {
        let numbered: String = written
            .split("self.")
            .enumerate()
            .map(|(at, part)| {
                let end = part.find(|it: char| !(it.is_alphanumeric() || it == '_'));
                let (word, rest) = part.split_at(end.unwrap_or(part.len()));
                match (at, word.starts_with(|it: char| it.is_ascii_digit())) {
                    (0, _) => part.to_owned(),
                    (_, true) => format!("field_{part}"),
                    (_, false) => spared(word) + rest,
                }
            })
            .collect();
        let plain = expression::plain(&numbered, self.ground.facts)?;
        let alternatives = plain.split(" || ").map(|all| {
            let terms = all.split(" && ").map(|term| {
                let sides =
                    [" != ", " == "].iter().find_map(|sign| Some((sign, term.split_once(sign)?)));
                match sides {
                    Some((sign, (bits, number)))
                        if bits.contains(" & ") && !bits.starts_with('(') =>
                    {
                        format!("({bits}){sign}{number}")
                    }
                    _ => term.to_owned(),
                }
            });
            terms.collect::<Vec<_>>().join(" && ")
        });
        Some(alternatives.collect::<Vec<_>>().join(" || "))
    }

    /// A field that a function of the format's own stores.
    fn own(&self, field: &Field, stored: StoredAs<'_>, name: &str) -> Option<String> {
        match stored {
            StoredAs::AsItsType => self.declaration(field, field.ty, name),
            StoredAs::Named(ty) => Some(format!("{ty} {name}")),
            StoredAs::Counted => {
                Some(format!("ListOf<u32, {}> {name}", self.type_name(field, element(field)?)?))
            }
        }
    }

    /// A field whose attributes say how it is stored.
    fn stored_otherwise(&self, field: &Field, with: &str, name: &str) -> Option<String> {
        match with.split_once(" = ") {
            Some(("count", "..")) => {
                return Some(match self.type_name(field, element(field)?)?.as_str() {
                    "u8" => format!("u8 {name}[sizeof($) - $]"),
                    element => format!("{element} {name}[while($ < sizeof($))]"),
                });
            }
            Some(("count", count)) => {
                let count = self.expression(count)?;
                return Some(format!(
                    "{} {name}[{count}]",
                    self.type_name(field, element(field)?)?
                ));
            }
            Some(("tag", tag)) => {
                let layout = field.links.iter().filter_map(Link::layout).next()?;
                let tag = self.expression(tag)?;
                return Some(format!("{}<{tag}> {name}", self.tagged_name(layout)));
            }
            _ => {}
        }
        let (form, inner) = shelf(with)?;
        if let Some(stored) = shelf_number(form) {
            return self.declaration(field, stored, name);
        }
        match form {
            "padding" => return Some(format!("u8 {name}[{inner}]")),
            "align" => return Some(format!("u8 {name}[({inner} - $ % {inner}) % {inner}]")),
            "at" => {
                let place = self.expression(inner)?;
                return Some(format!("{} @ {place}", self.declaration(field, field.ty, name)?));
            }
            "u24" => return Some(format!("u24 {name}")),
            "varint" => return Some(format!("Varint {name}")),
            "c_text" => return Some(format!("char {name}[]")),
            "fixed_text" => return Some(format!("char {name}[{inner}]")),
            "big_endian" => return Some(format!("be {} {name}", number(field.ty, self.versions)?)),
            "little_endian" => {
                return Some(format!("le {} {name}", number(field.ty, self.versions)?));
            }
            _ => {}
        }
        let (form, width) = form.rsplit_once('_')?;
        let count = match width {
            "varint" => None,
            width => Some(number(width, self.versions)?),
        };
        let ty = match (form, count) {
            ("text", None) => "VarintText".to_owned(),
            ("text", Some(count)) => format!("TextOf<{count}>"),
            ("list", count) => {
                let element = self.type_name(field, element(field)?)?;
                count.map_or_else(
                    || format!("VarintList<{element}>"),
                    |count| format!("ListOf<{count}, {element}>"),
                )
            }
            ("sized", count) => {
                let count = count.unwrap_or("Varint");
                format!("SizedOf<{count}, {}>", self.type_name(field, field.ty)?)
            }
            _ => return None,
        };
        Some(format!("{ty} {name}"))
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
        if let Some((element, count)) = rows::array(ty) {
            return Some(format!("FixedArray<{}, {count}>", self.type_name(field, element)?));
        }
        if let Some(tuple) = ty.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
            let tuple = format!("tuple<{tuple}>");
            let (_, parts) = rows::generic(&tuple)?;
            let parts = parts.iter().map(|it| self.type_name(field, it));
            let parts: Vec<String> = parts.collect::<Option<_>>()?;
            let name = [None, None, Some("Couple"), Some("Triple")].get(parts.len())?.as_ref()?;
            return Some(format!("{name}<{}>", parts.join(", ")));
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

    /// What the variants of a type are called whose number stands in another field.
    pub(super) fn tagged_name(&self, layout: &Layout) -> String {
        format!("{}OfKind", (self.ground.identifier)(layout))
    }
}

/// The type of the elements of a list.
fn element(field: &Field) -> Option<&'static str> {
    field.ty.strip_prefix("Vec<")?.strip_suffix('>')
}

fn remark(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(", {text}") }
}

/// Words of the pattern language that fields may be called.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "addressof", "any", "as", "auto", "be", "bitfield", "bool", "break", "catch", "char", "char16",
    "const", "continue", "double", "else", "enum", "false", "float", "fn", "for", "from", "if",
    "import", "in", "inf", "is", "le", "match", "namespace", "nan", "null", "out", "padding",
    "parent", "ref", "return", "section", "signed", "sizeof", "str", "struct", "this", "true",
    "try", "typenameof", "union", "unsigned", "using", "value_type", "while",
];

/// A word as a field may be called.
fn spared(word: &str) -> String {
    if WORDS.contains(&word) { format!("{word}_") } else { word.to_owned() }
}

pub(super) fn number(ty: &str, versions: &Versions) -> Option<&'static str> {
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
