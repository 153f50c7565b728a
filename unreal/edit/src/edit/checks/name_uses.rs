//! Uses of a name of the table, where another text would change how bodies are read or what they mean.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use crate::archive::Context;
use crate::edit::Edit;
use crate::error::{Error, Result};
use crate::object::Body;
use crate::package::Decoded;
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::property::{PropertyKind, PropertyList, Value};

impl Edit {
    /// Whether the name in this row may get this text.
    pub(in crate::edit) fn check_renaming(&self, row: usize, old: &str, new: &str) -> Result<()> {
        if PropertyKind::of_class(old).is_some() {
            let reason = format!(
                "'{old}' is the type of properties: with another text bodies would be read as \
                 something else"
            );
            return Err(Error::invalid(reason));
        }
        self.check_name_text(new)?;
        if !self.checks {
            return Ok(());
        }
        if !old.eq_ignore_ascii_case(new) {
            self.check_one_row(new)?;
        }
        let is = |name: Name| usize::try_from(name.index.value()) == Ok(row);
        // Functions with those that override them, which may be many.
        let mut checked = HashSet::new();
        for (at, export) in self.tables().exports.iter().enumerate() {
            if !is(export.object_name) {
                continue;
            }
            self.check_fixed_name(at)?;
            if export.object_name.number == 0 {
                self.check_object_name(new, export.outer_index, Some(at))?;
            }
            if !checked.contains(&at)
                && let Some(declaration) = self.declaration(at)?
            {
                self.check_inherited(&declaration, new)?;
                checked.extend(declaration.rows);
            }
        }
        match self.use_of(row, old) {
            Some(what) => self.doubt(|| format!("'{old}' is {what}")),
            None => Ok(()),
        }
    }

    /// The declaration of another package or of the engine itself that the name of this row stands for.
    fn use_of(&self, row: usize, text: &str) -> Option<String> {
        let is = |name: Name| usize::try_from(name.index.value()) == Ok(row);
        let tables = self.tables();
        if tables.imports.iter().any(|import| is(import.class_name)) {
            let reason = "the class of imported objects: they would not be found any more";
            return Some(reason.to_owned());
        }
        let mut classes =
            tables.exports.iter().filter_map(|export| match export.class_index.target() {
                ObjectRef::Import(class) => tables.imports.get(class),
                _ => None,
            });
        if classes.any(|class| is(class.object_name)) {
            return Some("the class of objects, which another package declares".to_owned());
        }
        let mut imports = tables.imports.iter().enumerate();
        if let Some((at, _)) = imports.find(|(_, import)| is(import.object_name)) {
            let path = self.path(PackageIndex::import(at));
            return Some(format!("the name of {path}, an object of another package that keeps it"));
        }
        let declares = tables.exports.iter().any(|export| is(export.object_name));
        if declares || self.declares_property(text) {
            return None;
        }
        let context = self.decoding_context();
        let mut search = UseSearch { row, context: context.clone(), found: None };
        for at in 0..self.export_count() {
            let decoded: Cow<'_, Decoded> = match self.decoded(at) {
                Some(decoded) => Cow::Borrowed(decoded),
                None if self.body_range(at).1 == 0 => continue,
                None => Cow::Owned(self.decode_with(at, &context)),
            };
            search.body(&decoded.body);
            if let Some(what) = search.found {
                let path = self.path(PackageIndex::export(at));
                return Some(format!("{what} in {path}, which is declared elsewhere"));
            }
        }
        None
    }

    /// UE4 and UE5: whether a class or struct of the package has a property of this name.
    fn declares_property(&self, name: &str) -> bool {
        let context = self.decoding_context();
        let own = self.schemas_of(&self.declaring(), &context);
        own.iter().any(|known| known.property(name).is_some())
    }
}

/// A search for what the name of a row stands for in bodies.
struct UseSearch {
    row: usize,
    context: Arc<Context>,
    found: Option<&'static str>,
}

impl UseSearch {
    fn is(&self, name: Name) -> bool {
        usize::try_from(name.index.value()) == Ok(self.row)
    }

    fn body(&mut self, body: &Body) {
        for list in body.lists() {
            self.list(list);
            list.walk(&mut |value| {
                if let Value::List(inner) = value {
                    self.list(inner);
                }
            });
        }
    }

    fn list(&mut self, list: &PropertyList) {
        for property in &list.properties {
            if property.name().is_some_and(|name| self.is(name)) {
                self.found = Some("a property that is stored");
            } else if property.type_names().any(|name| self.is(name)) {
                self.found = Some("the struct or enum of a property");
            } else if property.holds_enum(&self.context)
                && let Value::Name(name) = property.value()
                && self.is(*name)
            {
                self.found = Some("a value of an enum");
            }
        }
    }
}
