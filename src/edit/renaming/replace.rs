//! Putting new names and paths in.

use std::collections::{BTreeSet, HashMap};

use super::Scope;
use super::uses::{SOFT_CONSTANTS, is_in, text_of};
use crate::archive::{Context, Kind, Span};
use crate::error::PathStep;
use crate::package::Section;
use crate::package::path_map::PathMap;
use crate::primitive::{Name, SoftObjectPath, Visitor};

/// Puts the new names and paths in.
pub(super) struct Replace<'a> {
    pub scope: Scope,
    pub section: Section,
    pub names: HashMap<Name, Name>,
    pub soft: HashMap<SoftObjectPath, SoftObjectPath>,
    pub map: &'a PathMap,
    pub context: &'a Context,
    pub tokens: [u8; 2],
    pub count: u64,
    pub bodies: BTreeSet<usize>,
}

impl Replace<'_> {
    fn changed(&mut self) {
        self.count += 1;
        if let Section::Body(row) = self.section {
            self.bodies.insert(row as usize);
        }
    }
}

impl Visitor for Replace<'_> {
    fn name(&mut self, name: &mut Name, way: &[PathStep]) {
        if let Some(new) = self.names.get(name)
            && is_in(self.scope, self.section, way)
        {
            *name = *new;
            self.changed();
        }
    }

    fn soft_path(&mut self, path: &mut SoftObjectPath, _: &[PathStep]) {
        if let Some(new) = self.soft.get(path) {
            *path = new.clone();
            self.changed();
        }
    }

    fn span(&mut self, span: &mut Span, kind: Kind, _: &[PathStep]) {
        // Code has places in it that count its bytes: only texts of the same length can change.
        if kind == Kind::Text
            && SOFT_CONSTANTS.contains(&self.tokens)
            && let Ok(bytes) = span.bytes(self.context.source())
            && let text = text_of(bytes)
            && let Some(new) = self.map.text(&text)
            && new.len() == text.len()
            && new.is_ascii()
        {
            let wide = bytes.len() == 2 * text.len();
            let bytes: Vec<u8> = match wide {
                true => new.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                false => new.into_bytes(),
            };
            *span = Span::owned(bytes);
            self.changed();
        }
    }

    fn byte(&mut self, value: u8) {
        self.tokens = [self.tokens[1], value];
    }
}
