//! A definition for Kaitai Struct: a type and what it contains, in one version of a format of one's own.

use std::collections::{BTreeMap, BTreeSet};

use super::{expression, rows};
use crate::archive::layout::{Field, Layout, Link, Shape, Variant};
use crate::version::Versions;

/// Types that contain each other are followed so far.
const DEEPEST: u32 = 64;

/// The definition of `layout` in one version: a `.ksy` file. Counts have four bytes. Fields that a function stores are
/// remarks, and so is that what follows them is displaced.
///
/// ```
/// use farchive::archive::print::kaitai;
/// use farchive::{Archived, Versions};
///
/// #[derive(Archived, Default)]
/// struct Save {
///     level: u32,
///     names: Vec<String>,
/// }
///
/// let definition = kaitai::definition(Save::LAYOUT, &Versions::own(1));
/// assert!(definition.contains("  - id: level\n    type: u4\n"));
/// assert!(definition.contains("  - id: names\n    type: list_of_text\n"));
/// ```
pub fn definition(layout: &'static Layout, versions: &Versions) -> String {
    let mut kaitai =
        Kaitai { versions, types: BTreeMap::new(), enums: BTreeMap::new(), open: BTreeSet::new() };
    let name = snake(rows::name_of(layout));
    let own = kaitai.body(layout, 0);
    let endian = if versions.byte_order.is_big() { "be" } else { "le" };
    let mut text = format!(
        "# {} in version {versions}.\nmeta:\n  id: {name}\n  endian: {endian}\n",
        layout.place_in_crate()
    );
    // The file's own type stands at the top, one level further out than the others.
    for line in own.lines().filter_map(|line| line.strip_prefix("  ")) {
        let is_key = line.starts_with("  seq:") || line.starts_with("  doc:");
        text += line.get(if is_key { 2 } else { 0 }..).unwrap_or(line);
        text.push('\n');
    }
    kaitai.types.retain(|_, body| !body.is_empty());
    if !kaitai.types.is_empty() {
        text += "types:\n";
        for (name, body) in &kaitai.types {
            text += &format!("  {name}:\n{body}");
        }
    }
    if !kaitai.enums.is_empty() {
        text += "enums:\n";
        for (name, values) in &kaitai.enums {
            text += &format!("  {name}:\n");
            for (value, variant) in values {
                text += &format!("    {value}: {variant}\n");
            }
        }
    }
    text
}

struct Kaitai<'a> {
    versions: &'a Versions,
    /// The text of each type.
    types: BTreeMap<String, String>,
    enums: BTreeMap<String, Vec<(i64, String)>>,
    /// Types that are being declared.
    open: BTreeSet<String>,
}

impl Kaitai<'_> {
    /// Documentation and fields of a type.
    fn body(&mut self, layout: &'static Layout, depth: u32) -> String {
        let doc = rows::sentence(layout.doc);
        let doc =
            if doc.is_empty() { String::new() } else { format!("    doc: {}\n", quoted(doc)) };
        let lines = match layout.shape {
            Shape::Struct { fields } | Shape::Manual { fields, .. } => {
                fields.iter().map(|field| self.field(field, depth, None)).collect()
            }
            Shape::Enum { repr, variants } => self.variants(layout, repr, variants, depth),
        };
        format!("{doc}    seq:\n{lines}")
    }

    /// The number of a variant, then the fields of each, if it is that one.
    fn variants(
        &mut self,
        layout: &'static Layout,
        repr: &str,
        variants: &'static [Variant],
        depth: u32,
    ) -> String {
        let name = self.enumeration(layout, variants);
        let number = number(repr).unwrap_or("u1");
        let mut text = format!("    - id: kind\n      type: {number}\n      enum: {name}\n");
        for variant in variants.iter().filter(|it| !it.is_other && it.is_in(self.versions)) {
            let kind = format!("kind == {name}::{}", snake(variant.name));
            for field in variant.fields {
                text += &self.field(field, depth, Some((&snake(variant.name), &kind)));
            }
        }
        text
    }

    fn enumeration(&mut self, layout: &Layout, variants: &'static [Variant]) -> String {
        let name = format!("{}_kind", snake(rows::name_of(layout)));
        let present = variants.iter().filter(|it| !it.is_other && it.is_in(self.versions));
        let values = present.map(|it| (it.value, snake(it.name))).collect();
        self.enums.insert(name.clone(), values);
        name
    }

    /// The lines of a field; those of a variant have its name before theirs, and a condition.
    fn field(&mut self, field: &'static Field, depth: u32, of: Option<(&str, &str)>) -> String {
        if !field.is_in(self.versions) {
            return String::new();
        }
        let own = match field.name.starts_with(|it: char| it.is_ascii_digit()) {
            true => format!("field_{}", field.name),
            false => snake(field.name),
        };
        let name = of.map_or_else(|| own.clone(), |(variant, _)| format!("{variant}_{own}"));
        let when = field.when.map(|written| {
            // Fields of a variant have its name before theirs.
            expression::plain(written, &[]).filter(|_| of.is_none() || plain_number(written))
        });
        let attributes = match field.with {
            None => self.attributes(field, field.ty, depth),
            Some("boolean::byte") => Some(vec!["type: u1".to_owned()]),
            Some(_) => None,
        };
        let (Some(attributes), true) = (attributes, when != Some(None)) else {
            let form = rows::condition(field);
            let form = if form.is_empty() { form } else { format!(", {form}") };
            return format!(
                "    # {name}: {}{form}; not described, what follows it is displaced\n",
                field.ty
            );
        };
        let mut text = format!("    - id: {name}\n");
        attributes.iter().for_each(|line| text += &format!("      {line}\n"));
        let kind = of.map(|(_, kind)| kind.to_owned());
        let conditions: Vec<String> =
            kind.into_iter().chain(when.flatten().map(|it| words(&it))).collect();
        if !conditions.is_empty() {
            text += &format!("      if: {}\n", quoted(&conditions.join(" and ")));
        }
        if !field.doc.is_empty() {
            text += &format!("      doc: {}\n", quoted(rows::sentence(field.doc)));
        }
        text
    }

    /// What is said of a value of this type; `None` for one that is not known.
    fn attributes(&mut self, field: &'static Field, ty: &str, depth: u32) -> Option<Vec<String>> {
        if depth > DEEPEST {
            return None;
        }
        if let Some(number) = number(ty) {
            return Some(vec![format!("type: {number}")]);
        }
        if let Some((element, count)) = rows::array(ty) {
            let mut attributes = self.attributes(field, element, depth + 1)?;
            if attributes.iter().any(|it| it.starts_with("repeat")) {
                let body = item("items", &attributes);
                attributes = vec![self.declared(&format!("array_of_{}", slug(element)), body)];
            }
            attributes.extend(["repeat: expr".to_owned(), format!("repeat-expr: {count}")]);
            return Some(attributes);
        }
        if let Some((outer, arguments)) = rows::generic(ty) {
            return self.generic(field, outer, &arguments, depth);
        }
        match ty.rsplit("::").next().unwrap_or(ty) {
            "()" => return None,
            "String" => return Some(vec![self.text()]),
            "Guid" => return Some(vec!["size: 16".to_owned()]),
            "Bool32" => return Some(vec!["type: u4".to_owned()]),
            _ => {}
        }
        if let Some(tuple) = ty.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
            let tuple = format!("tuple<{}>", tuple.trim_end_matches(','));
            let (_, parts) = rows::generic(&tuple)?;
            let mut body = "    seq:\n".to_owned();
            for (at, part) in parts.iter().enumerate() {
                let attributes = self.attributes(field, part, depth + 1)?;
                body += &entry(&format!("field_{at}"), &attributes, "");
            }
            return Some(vec![self.declared(&slug(&tuple), body)]);
        }
        let name = ty.rsplit("::").next().unwrap_or(ty);
        let mut links = field.links.iter().filter_map(Link::layout);
        let layout = links.find(|layout| layout.name() == name)?;
        self.named(layout, depth)
    }

    fn generic(
        &mut self,
        field: &'static Field,
        outer: &str,
        arguments: &[&str],
        depth: u32,
    ) -> Option<Vec<String>> {
        let first = self.attributes(field, arguments.first()?, depth + 1)?;
        let one = slug(arguments.first()?);
        match (outer, arguments) {
            ("Box" | "Arc" | "Rc", [_]) => Some(first),
            ("Vec" | "VecDeque" | "BTreeSet" | "HashSet", [_]) => {
                let body = self.repeated("items", &first, &one);
                Some(vec![self.declared(&format!("list_of_{one}"), body)])
            }
            ("Option", [_]) => {
                let value = entry("value", &first, "      if: present != 0\n");
                let body = format!("    seq:\n    - id: present\n      type: u1\n{value}");
                Some(vec![self.declared(&format!("optional_{one}"), body)])
            }
            ("Map" | "BTreeMap" | "HashMap", [_, value, ..]) => {
                let second = self.attributes(field, value, depth + 1)?;
                let name = format!("{one}_to_{}", slug(value));
                let pair = format!(
                    "    seq:\n{}{}",
                    entry("key", &first, ""),
                    entry("value", &second, "")
                );
                let pair = self.declared(&format!("pair_of_{name}"), pair);
                let body = self.repeated("pairs", &[pair], &name);
                Some(vec![self.declared(&format!("map_of_{name}"), body)])
            }
            _ => None,
        }
    }

    /// A count, then so many values.
    fn repeated(&mut self, items: &str, attributes: &[String], name: &str) -> String {
        let mut attributes = attributes.to_vec();
        if attributes.iter().any(|it| it.starts_with("repeat")) {
            let body = item("items", &attributes);
            attributes = vec![self.declared(&format!("array_{name}"), body)];
        }
        let repeat = "      repeat: expr\n      repeat-expr: count\n";
        format!("    seq:\n    - id: count\n      type: u4\n{}", entry(items, &attributes, repeat))
    }

    fn text(&mut self) -> String {
        let body = "    seq:\n    - id: length\n      type: u4\n    - id: characters\n      \
                    type: str\n      size: length\n      encoding: UTF-8\n";
        self.declared("text", body.to_owned())
    }

    fn declared(&mut self, name: &str, body: String) -> String {
        self.types.insert(name.to_owned(), body);
        format!("type: {name}")
    }

    /// A type that has a layout.
    fn named(&mut self, layout: &'static Layout, depth: u32) -> Option<Vec<String>> {
        let name = snake(rows::name_of(layout));
        match layout.shape {
            Shape::Enum { repr, variants } if variants.iter().all(|it| it.fields.is_empty()) => {
                let enumeration = self.enumeration(layout, variants);
                Some(vec![format!("type: {}", number(repr)?), format!("enum: {enumeration}")])
            }
            Shape::Manual { .. } => {
                layout.size(self.versions).map(|size| vec![format!("size: {size}")])
            }
            _ => {
                if !self.types.contains_key(&name) && self.open.insert(name.clone()) {
                    let body = self.body(layout, depth + 1);
                    self.types.insert(name.clone(), body);
                }
                Some(vec![format!("type: {name}")])
            }
        }
    }
}

/// A type of one field.
fn item(name: &str, attributes: &[String]) -> String {
    format!("    seq:\n{}", entry(name, attributes, ""))
}

fn entry(name: &str, attributes: &[String], more: &str) -> String {
    let lines: String = attributes.iter().map(|line| format!("      {line}\n")).collect();
    format!("    - id: {name}\n{lines}{more}")
}

/// Whether a condition says numbers alone.
fn plain_number(written: &str) -> bool {
    written.chars().all(|it| it.is_ascii_digit() || " <>=!&|".contains(it))
}

/// A condition in the words of Kaitai Struct.
fn words(condition: &str) -> String {
    let words = condition.replace("&&", "and").replace("||", "or").replace("!=", "\u{0}");
    words.replace('!', "not ").replace('\u{0}', "!=")
}

fn number(ty: &str) -> Option<&'static str> {
    Some(match ty {
        "u8" => "u1",
        "i8" => "s1",
        "u16" => "u2",
        "i16" => "s2",
        "u32" | "bool" => "u4",
        "i32" => "s4",
        "u64" => "u8",
        "i64" => "s8",
        "f32" => "f4",
        "f64" => "f8",
        _ => return None,
    })
}

/// A type's text as part of a name.
fn slug(ty: &str) -> String {
    let ty = match ty {
        "String" => "text",
        ty => ty,
    };
    let mut slug = String::new();
    for part in ty.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|it| !it.is_empty())
    {
        if !slug.is_empty() {
            slug.push('_');
        }
        slug += &snake(part);
    }
    slug
}

/// A name as Kaitai Struct takes it: `ThingKind` is `thing_kind`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut before_is_lower = false;
    for char in name.chars() {
        if char.is_uppercase() && before_is_lower {
            snake.push('_');
        }
        before_is_lower = char.is_lowercase() || char.is_ascii_digit();
        snake.extend(char.to_lowercase());
    }
    snake.trim_start_matches('_').to_owned()
}

/// A text of YAML.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
