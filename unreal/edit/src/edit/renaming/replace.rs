//! Putting new names and paths in.

use std::collections::HashMap;

use super::Scope;
use super::uses::is_in;
use crate::package::Section;
use crate::primitive::{Name, SoftObjectPath, Visitor, Way};

/// Puts the new names and paths in.
pub(super) struct Replace {
    pub scope: Scope,
    pub section: Section,
    pub names: HashMap<Name, Name>,
    pub soft: HashMap<SoftObjectPath, SoftObjectPath>,
    /// How many were put in.
    pub count: u64,
}

impl Visitor for Replace {
    fn name(&mut self, name: &mut Name, way: &Way) {
        if let Some(new) = self.names.get(name)
            && is_in(self.scope, self.section, way)
        {
            *name = *new;
            self.count += 1;
        }
    }

    fn soft_path(&mut self, path: &mut SoftObjectPath, _: &Way) {
        if let Some(new) = self.soft.get(path) {
            *path = new.clone();
            self.count += 1;
        }
    }
}
