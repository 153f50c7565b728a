//! A definition for Kaitai Struct: a type and what it contains, in one version of a format of one's own.

mod ground;
mod words;

pub use ground::DefinitionGround;

use std::collections::{BTreeMap, BTreeSet};

use self::words::{
    entry, id, instances, item, number, numbered, quoted, renamed, sequence, slug, snake, words,
};
use super::{StoredAs, expression, rows};
use crate::archive::layout::{Field, Layout, Link, Shape, Variant};
use crate::archive::layout_size::{shelf, shelf_number};
use crate::version::Versions;

/// Types that contain each other are followed so far.
const DEEPEST: u32 = 64;

/// The definition of `layout` in one version: a `.ksy` file. Counts have four bytes. Functions of the shelf
/// ([`with`](crate::with)), counts and tags in other fields are described; fields that a function of one's own stores are
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
    definition_on(layout, versions, &DefinitionGround::default())
}

/// The same of a format that has words of its own.
pub fn definition_on(
    layout: &'static Layout,
    versions: &Versions,
    ground: &DefinitionGround<'_>,
) -> String {
    let (enums, open, elsewhere) = Default::default();
    let types = ground.types.iter().map(|(name, body)| ((*name).to_owned(), (*body).to_owned()));
    let mut kaitai = Kaitai { versions, ground, types: types.collect(), enums, open, elsewhere };
    let name = snake(rows::name_of(layout));
    let own = kaitai.body(layout, 0);
    let endian = if versions.byte_order.is_big() { "be" } else { "le" };
    let mut text = format!(
        "# {} in version {versions}.\nmeta:\n  id: {name}\n  endian: {endian}\n",
        layout.place_in_crate()
    );
    // The file's own type stands at the top, one level further out than the others.
    for line in own.lines().filter_map(|line| line.strip_prefix("  ")) {
        let is_key = ["  seq:", "  doc:", "  instances:"].iter().any(|it| line.starts_with(it));
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
    ground: &'a DefinitionGround<'a>,
    /// The text of each type.
    types: BTreeMap<String, String>,
    enums: BTreeMap<String, Vec<(i64, String)>>,
    /// Types that are being declared.
    open: BTreeSet<String>,
    /// Fields of the type that is being declared which stand at places of their own.
    elsewhere: Vec<String>,
}

impl Kaitai<'_> {
    /// Documentation and fields of a type.
    fn body(&mut self, layout: &'static Layout, depth: u32) -> String {
        let doc = rows::sentence(layout.doc);
        let doc =
            if doc.is_empty() { String::new() } else { format!("    doc: {}\n", quoted(doc)) };
        let outer = std::mem::take(&mut self.elsewhere);
        let lines = match layout.shape {
            Shape::Struct { fields } | Shape::Manual { fields, .. } => {
                fields.iter().map(|field| self.field(field, depth, None)).collect()
            }
            Shape::Enum { repr, variants } => {
                let name = self.enumeration(layout, variants);
                let number = number(repr, self.versions).unwrap_or("u1");
                let kind = format!("    - id: kind\n      type: {number}\n      enum: {name}\n");
                kind + &self.variants(variants, Some(&name), depth)
            }
        };
        let elsewhere = std::mem::replace(&mut self.elsewhere, outer);
        format!("{doc}{}{}", sequence(&lines), instances(&elsewhere))
    }

    /// The fields of a variant whose number stands elsewhere: a type with an argument.
    fn tagged(&mut self, layout: &'static Layout, depth: u32) -> Option<String> {
        let Shape::Enum { variants, .. } = layout.shape else { return None };
        let name = format!("{}_of_kind", snake(rows::name_of(layout)));
        if !self.types.contains_key(&name) && self.open.insert(name.clone()) {
            let outer = std::mem::take(&mut self.elsewhere);
            let lines = self.variants(variants, None, depth + 1);
            let elsewhere = std::mem::replace(&mut self.elsewhere, outer);
            let parameters = "    params:\n    - id: kind\n      type: s8\n";
            let body = format!("{parameters}{}{}", sequence(&lines), instances(&elsewhere));
            self.types.insert(name.clone(), body);
        }
        Some(name)
    }

    /// The fields of each variant, if it is that one. Numbers have names where there is an enumeration of them.
    fn variants(
        &mut self,
        variants: &'static [Variant],
        enumeration: Option<&str>,
        depth: u32,
    ) -> String {
        let versions = self.versions;
        let present = || variants.iter().filter(|it| it.is_in(versions));
        let number = |it: &Variant| match enumeration {
            Some(name) => format!("{name}::{}", snake(it.name)),
            None => it.value.to_string(),
        };
        let mut text = String::new();
        for variant in present() {
            let kind = match variant.is_other {
                false => format!("kind == {}", number(variant)),
                true => {
                    let known = present().filter(|it| !it.is_other);
                    let others: Vec<_> =
                        known.map(|it| format!("kind != {}", number(it))).collect();
                    others.join(" and ")
                }
            };
            for field in variant.fields {
                text += &self.field(field, depth, Some((variant, &kind)));
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
    fn field(
        &mut self,
        field: &'static Field,
        depth: u32,
        of: Option<(&'static Variant, &str)>,
    ) -> String {
        if !field.is_in(self.versions) {
            return String::new();
        }
        let name = id(field, of.map(|(variant, _)| variant));
        let expression = |written: &str| {
            let written = numbered(written);
            expression::plain(&written, self.ground.facts)
                .map(|it| words(&renamed(&it, of.map(|(it, _)| it))))
        };
        let when = field.when.map(expression);
        let mut place = None;
        let attributes = match field.with {
            Some(with) if StoredAs::of(self.ground.functions, with).is_some() => {
                self.own(field, with, depth)
            }
            None => self.attributes(field, field.ty, depth),
            Some("boolean::byte") => Some(vec!["type: u1".to_owned()]),
            Some(with) => match (with.split_once(" = "), shelf(with)) {
                (Some(("count", "..")), _) => self.elements(field, "eos", depth),
                (Some(("count", count)), _) => expression(count).and_then(|count| {
                    self.elements(
                        field,
                        &format!("expr\n      repeat-expr: {}", quoted(&count)),
                        depth,
                    )
                }),
                (Some(("tag", tag)), _) => expression(tag).and_then(|tag| {
                    let mut links = field.links.iter().filter_map(Link::layout);
                    let name = links.next().and_then(|layout| self.tagged(layout, depth))?;
                    Some(vec![format!("type: {name}({tag})")])
                }),
                (None, Some(("at", offset))) => {
                    place = expression(offset);
                    self.attributes(field, field.ty, depth).filter(|_| place.is_some())
                }
                (None, Some((form, inner))) => self.shelved(field, form, inner, depth),
                _ => None,
            },
        };
        let (Some(attributes), true) = (attributes, when != Some(None)) else {
            let form = rows::condition(field);
            let form = if form.is_empty() { form } else { format!(", {form}") };
            return format!(
                "    # {name}: {}{form}; not described, what follows it is displaced\n",
                field.ty
            );
        };
        let kind = of.map(|(_, kind)| kind.to_owned()).filter(|it| !it.is_empty());
        let conditions: Vec<String> = kind.into_iter().chain(when.flatten()).collect();
        let mut lines: Vec<String> = attributes;
        if !conditions.is_empty() {
            lines.push(format!("if: {}", quoted(&conditions.join(" and "))));
        }
        if !field.doc.is_empty() {
            lines.push(format!("doc: {}", quoted(rows::sentence(field.doc))));
        }
        match place {
            None => entry(&name, &lines, ""),
            Some(place) => {
                let place = ["io: _root._io".to_owned(), format!("pos: {}", quoted(&place))];
                let lines = place.iter().chain(&lines).map(|it| format!("        {it}\n"));
                self.elsewhere.push(format!("      {name}:\n{}", lines.collect::<String>()));
                String::new()
            }
        }
    }

    /// A field that a function of the format's own stores.
    fn own(&mut self, field: &'static Field, with: &str, depth: u32) -> Option<Vec<String>> {
        match StoredAs::of(self.ground.functions, with)? {
            StoredAs::AsItsType => self.attributes(field, field.ty, depth),
            StoredAs::Named(lines) => Some(lines.lines().map(str::to_owned).collect()),
            StoredAs::Counted => {
                let (_, arguments) = rows::generic(field.ty)?;
                let element = arguments.first()?;
                let first = self.attributes(field, element, depth + 1)?;
                let body = self.repeated("items", &first, &slug(element), ("type: u4", ""));
                Some(vec![self.declared(&format!("counted_{}", slug(element)), body)])
            }
        }
    }

    /// Elements without a count before them.
    fn elements(&mut self, field: &'static Field, repeat: &str, depth: u32) -> Option<Vec<String>> {
        let (outer, arguments) = rows::generic(field.ty)?;
        let ("Vec" | "Box", [element]) = (outer, &*arguments) else { return None };
        let element = element.trim_start_matches('[').trim_end_matches(']');
        let mut attributes = self.attributes(field, element, depth + 1)?;
        if attributes.iter().any(|it| it.starts_with("repeat")) {
            let body = item("items", &attributes);
            attributes = vec![self.declared(&format!("array_{}", slug(element)), body)];
        }
        attributes.push(format!("repeat: {repeat}"));
        Some(attributes)
    }

    /// A field that a function of the shelf stores.
    fn shelved(
        &mut self,
        field: &'static Field,
        form: &str,
        inner: &str,
        depth: u32,
    ) -> Option<Vec<String>> {
        if let Some(stored) = shelf_number(form) {
            return Some(vec![format!("type: {}", number(stored, self.versions)?)]);
        }
        let order = if self.versions.byte_order.is_big() { "be" } else { "le" };
        match form {
            "padding" => return Some(vec![format!("size: {inner}")]),
            "align" => {
                return Some(vec![format!("size: ({inner} - _io.pos % {inner}) % {inner}")]);
            }
            "u24" => return Some(vec![format!("type: b24{order}")]),
            "varint" => return Some(vec![self.varint()]),
            "c_text" => {
                return Some(vec!["type: strz".to_owned(), "encoding: UTF-8".to_owned()]);
            }
            "fixed_text" => {
                let encoding = "encoding: UTF-8".to_owned();
                return Some(vec!["type: strz".to_owned(), format!("size: {inner}"), encoding]);
            }
            "big_endian" | "little_endian" => {
                let number = number(field.ty, self.versions)?;
                let order = if form == "big_endian" { "be" } else { "le" };
                let order = if number.ends_with('1') { "" } else { order };
                return Some(vec![format!("type: {number}{order}")]);
            }
            _ => {}
        }
        let (form, width) = form.rsplit_once('_')?;
        let (count, value) = match width {
            "varint" => (self.varint(), ".value"),
            _ => (format!("type: {}", number(width, self.versions)?), ""),
        };
        match form {
            "text" => {
                let body = format!(
                    "    seq:\n    - id: length\n      {count}\n    - id: characters\n      \
                     type: str\n      size: length{value}\n      encoding: UTF-8\n"
                );
                Some(vec![self.declared(&format!("text_{width}"), body)])
            }
            "list" => {
                let (_, arguments) = rows::generic(field.ty)?;
                let element = arguments.first()?;
                let first = self.attributes(field, element, depth + 1)?;
                let one = slug(element);
                let body = self.repeated("items", &first, &one, (&count, value));
                Some(vec![self.declared(&format!("list_{width}_of_{one}"), body)])
            }
            "sized" => {
                let mut attributes = self.attributes(field, field.ty, depth + 1)?;
                // A type alone can be told to use its bytes up.
                attributes.first().filter(|it| it.starts_with("type: "))?;
                attributes.push(format!("size: size{value}"));
                let size = format!("    seq:\n    - id: size\n      {count}\n");
                let body = size + &entry("value", &attributes, "");
                Some(vec![self.declared(&format!("sized_{width}_{}", slug(field.ty)), body)])
            }
            _ => None,
        }
    }

    /// A number of seven bits in each byte: its value is worked out from up to ten of them.
    fn varint(&mut self) -> String {
        let groups: Vec<String> = (0..10)
            .map(|at| {
                let group = format!("(groups[{at}] & 127) * {}", 1_u128 << (7 * at));
                if at == 0 { group } else { format!("(groups.size > {at} ? {group} : 0)") }
            })
            .collect();
        let body = format!(
            "    seq:\n    - id: groups\n      type: u1\n      repeat: until\n      \
             repeat-until: _ < 128\n    instances:\n      value:\n        value: {}\n",
            quoted(&groups.join(" + "))
        );
        self.declared("varint", body)
    }

    /// The attributes of a value of this type; `None` for one that is not known.
    fn attributes(&mut self, field: &'static Field, ty: &str, depth: u32) -> Option<Vec<String>> {
        if depth > DEEPEST {
            return None;
        }
        if let Some(number) = number(ty, self.versions) {
            return Some(vec![format!("type: {number}")]);
        }
        if let Some(known) = self.ground.of_type(ty.rsplit("::").next().unwrap_or(ty)) {
            return Some(known);
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
            (outer, [_]) if self.ground.transparent.contains(&outer) => Some(first),
            ("Box" | "Arc" | "Rc", [_]) => Some(first),
            ("Vec" | "VecDeque" | "BTreeSet" | "HashSet", [_]) => {
                let body = self.repeated("items", &first, &one, self.ground.count);
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
                let body = self.repeated("pairs", &[pair], &name, self.ground.count);
                Some(vec![self.declared(&format!("map_of_{name}"), body)])
            }
            _ => None,
        }
    }

    /// A count, then so many values.
    fn repeated(
        &mut self,
        items: &str,
        attributes: &[String],
        name: &str,
        (count, value): (&str, &str),
    ) -> String {
        let mut attributes = attributes.to_vec();
        if attributes.iter().any(|it| it.starts_with("repeat")) {
            let body = item("items", &attributes);
            attributes = vec![self.declared(&format!("array_{name}"), body)];
        }
        let repeat = format!("      repeat: expr\n      repeat-expr: count{value}\n");
        let items = entry(items, &attributes, &repeat);
        format!("    seq:\n    - id: count\n      {count}\n{items}")
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
                Some(vec![
                    format!("type: {}", number(repr, self.versions)?),
                    format!("enum: {enumeration}"),
                ])
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
