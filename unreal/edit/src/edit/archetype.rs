//! The objects that others start from, in UE3.

use super::Edit;
use super::default_object::class_of_default;
use crate::error::{Error, ErrorKind, Result, UnrealErrors, noun};
use crate::inspect::ReferenceTexts;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::EngineFacts;

impl Edit {
    /// Lets the values of an object start from those of another one of its class (UE3):
    /// `Engine.Default__PointLight:LightComponent0`, imported where it is not there. The default of the object's own
    /// class is what rows say without a word. Where rows list components by name (178 to 542), it is listed by that of
    /// what it starts from.
    ///
    /// # Errors
    /// `NotFound`, also for a path in this package at which nothing is; `Invalid` for the object itself, for one of
    /// another class and for a path without package; `Unsupported` for other engines; as [`Edit::add_import`].
    pub fn set_archetype(&mut self, row: usize, path: &str) -> Result<()> {
        self.check_object(row)?;
        if !self.versions().has_component_prefixes() {
            return Err(Error::unsupported("archetypes are told by path in packages of UE3 alone"));
        }
        let parts: Vec<&str> = path.split(['.', ':']).collect();
        let class = self.class_path(row);
        let archetype = match self.find(&parts.join(".")) {
            _ if is_default(&parts, &class) => PackageIndex::NULL,
            Some(found) if found == PackageIndex::export(row) => {
                return Err(Error::invalid(format!("'{path}' can't start from itself")));
            }
            Some(found) => match self.class_of_archetype(found) {
                of if of.eq_ignore_ascii_case(&class) => found,
                of => {
                    let reason = format!("'{path}' is of the class {of} and not {class}");
                    return Err(Error::invalid(reason));
                }
            },
            None => self.import_archetype(path, &parts, &class)?,
        };
        self.change_export(row, |export| export.archetype_index = archetype);
        self.settle_component(row);
        Ok(())
    }

    fn class_of_archetype(&self, index: PackageIndex) -> String {
        match index.target() {
            ObjectRef::Export(row) => self.class_path(row),
            ObjectRef::Import(row) => {
                self.imports().get(row).map(|import| import.class()).unwrap_or_default()
            }
            ObjectRef::Null => String::new(),
        }
    }

    fn import_archetype(
        &mut self,
        path: &str,
        parts: &[&str],
        class: &str,
    ) -> Result<PackageIndex> {
        let package = parts.first().copied().unwrap_or_default();
        if parts.len() < 2 {
            let reason = format!("'{path}' names no object: it has no package");
            return Err(Error::invalid(reason));
        }
        let is_here = |index: PackageIndex| matches!(index.target(), ObjectRef::Export(_));
        if self.find(package).is_some_and(is_here) {
            let (what, hint) = (noun::OBJECT, String::new());
            return Err(ErrorKind::NotFound { what, name: path.to_owned(), hint }.into());
        }
        let (class_package, class_name) = class.rsplit_once('.').unwrap_or(("Core", class));
        let steps = self.path_steps(parts, (class_package, class_name));
        self.import_chain(&steps)
    }
}

/// Whether a path is that of the default of a class: `Engine.Default__PointLight` of `Engine.PointLight`.
fn is_default(parts: &[&str], class: &str) -> bool {
    let [package, name] = parts else { return false };
    let of = class_of_default(name).map(|name| format!("{package}.{name}"));
    of.is_some_and(|of| of.eq_ignore_ascii_case(class))
}
