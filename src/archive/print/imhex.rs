//! A pattern file for the hex editor ImHex: a type and what it contains, in one version.

mod fields;
mod ground;

pub use ground::PatternGround;

use std::collections::{BTreeSet, HashSet};

use self::fields::number;
use self::ground::helpers;
use super::rows;
use crate::archive::layout::{Field, Layout, Link, Shape, Variant};
use crate::version::Versions;

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
         #pragma endian {order}\n\n{}\n{early}{}{}{name} value @ 0x0;\n",
        layout.place_in_crate(),
        ground.program,
        ground.text,
        helpers(&pattern.text),
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
                if field.with.is_some_and(|it| it.starts_with("tag = ")) {
                    self.declare_tagged(inner);
                }
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
        let text = format!("\nenum {name}Kind : {repr} {{\n{}}};\n", values.concat());
        let variants = self.variants("kind", variants, |it| format!("{name}Kind::{}", it.name));
        text + &format!("\nstruct {name} {{\n    {name}Kind kind;\n{variants}}};\n")
    }

    /// The fields of each variant, if the number in `kind` is that one's.
    fn variants(
        &self,
        kind: &str,
        variants: &'static [Variant],
        number: impl Fn(&Variant) -> String,
    ) -> String {
        let mut text = format!("    match ({kind}) {{\n");
        for it in variants.iter().filter(|it| it.is_in(self.versions)) {
            let fields = it.fields.iter().filter(|field| field.is_in(self.versions));
            let fields: String = fields.map(|it| format!("        {}", self.line(it))).collect();
            let pattern = if it.is_other { "_".to_owned() } else { number(it) };
            text += &format!("        ({pattern}): {{\n{fields}        }}\n");
        }
        text + "    }\n"
    }

    /// The fields of a variant whose number stands elsewhere: a type with an argument.
    fn declare_tagged(&mut self, layout: &'static Layout) {
        let Shape::Enum { variants, .. } = layout.shape else { return };
        let name = self.tagged_name(layout);
        if self.done.insert(name.clone()) {
            let variants = self.variants("Kind", variants, |it| it.value.to_string());
            self.text += &format!("\nstruct {name}<auto Kind> {{\n{variants}}};\n");
        }
    }

    /// Whether the order and form of the values are unknown.
    fn is_unknown(&self, layout: &Layout) -> bool {
        let ground = self.ground.names.contains(&layout.name().as_str());
        let sized = layout.size(self.versions).is_some();
        matches!(layout.shape, Shape::Manual { .. }) && !ground && !sized
    }
}
