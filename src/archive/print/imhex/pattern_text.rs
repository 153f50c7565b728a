//! The declarations of a pattern: a type behind all that it contains.

use std::collections::{BTreeSet, HashSet};

use super::super::rows;
use super::fields::number;
use super::ground::PatternGround;
use crate::archive::layout::{Field, Layout, Link, Shape, Variant};
use crate::version::Versions;

/// Types that contain each other are followed so far.
const DEEPEST: u32 = 64;

pub(super) struct PatternText<'a> {
    pub versions: &'a Versions,
    pub ground: &'a PatternGround<'a>,
    done: HashSet<String>,
    /// Types whose parts are being declared.
    open: Vec<String>,
    /// Types that their own parts contain: their names must be known before.
    pub early: BTreeSet<String>,
    pub text: String,
}

impl<'a> PatternText<'a> {
    pub fn new(versions: &'a Versions, ground: &'a PatternGround<'a>) -> Self {
        let (done, open, early, text) = Default::default();
        Self { versions, ground, done, open, early, text }
    }

    /// Declares a type behind all that it contains.
    pub fn declare(&mut self, layout: &'static Layout, depth: u32) {
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
    pub fn is_unknown(&self, layout: &Layout) -> bool {
        let ground = self.ground.names.contains(&layout.name().as_str());
        let sized = layout.size(self.versions).is_some();
        matches!(layout.shape, Shape::Manual { .. }) && !ground && !sized
    }
}
