//! The objects that others start from, in UE3.

use super::Edit;
use super::import::ImportStep;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::ReferenceTexts;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::table::ComponentEntry;
use crate::version::{EngineFacts, UnrealVersions, threshold};

/// What stands before the class in the name of the object that holds its defaults.
const OF_CLASS: &str = "Default__";

impl Edit {
    /// Lets the values of an object start from those of another one (UE3): `Engine.Default__PointLight:LightComponent0`,
    /// imported where it is not there. The default of the object's own class is what rows say without a word. Where
    /// rows list the components of an object (178 to 542), that of its outer lists it under the archetype's name.
    ///
    /// # Errors
    /// `NotFound`; `Unsupported` for other engines; as [`Edit::add_import`].
    pub fn set_archetype(&mut self, row: usize, path: &str) -> Result<()> {
        self.check_object(row)?;
        if !self.versions().has_component_prefixes() {
            return Err(Error::unsupported("archetypes are told by path in packages of UE3 alone"));
        }
        let parts: Vec<&str> = path.split(['.', ':']).collect();
        let class = self.class_path(row);
        let (class_package, class_name) = class.rsplit_once('.').unwrap_or(("Core", &class));
        let last = parts.last().copied().unwrap_or_default();
        let of_class = last.strip_prefix(OF_CLASS);
        let archetype = match self.find(&parts.join(".")) {
            _ if of_class.is_some_and(|name| name.eq_ignore_ascii_case(class_name)) => {
                PackageIndex::NULL
            }
            Some(archetype) => archetype,
            None => {
                let package = parts.first().copied().unwrap_or_default();
                let steps = parts.iter().enumerate().map(|(depth, &name)| {
                    let (class_package, class_name) = match name.strip_prefix(OF_CLASS) {
                        _ if depth == 0 => ("Core", "Package"),
                        _ if depth + 1 == parts.len() => (class_package, class_name),
                        Some(class) => (package, class),
                        None => ("Core", "Package"),
                    };
                    ImportStep { name, class_package, class_name }
                });
                let steps: Vec<ImportStep<'_>> = steps.collect();
                self.import_chain(&steps)?
            }
        };
        self.change_export(row, |export| export.archetype_index = archetype);
        if of_class.is_none() {
            self.list_component(row, last)?;
        }
        Ok(())
    }

    fn list_component(&mut self, row: usize, name: &str) -> Result<()> {
        let file = self.versions().file();
        let has_list = threshold::COMPONENT_MAP_ADDED..threshold::COMPONENT_MAP_REMOVED;
        let outer = self.outer(PackageIndex::export(row));
        let ObjectRef::Export(outer) = outer.target() else { return Ok(()) };
        if !has_list.contains(&file) {
            return Ok(());
        }
        let entry =
            ComponentEntry { name: self.needed_name(name)?, export: PackageIndex::export(row) };
        self.change_export(outer, |export| {
            let list = &mut export.details.component_map;
            list.retain(|known| known.export != entry.export);
            list.push(entry);
        });
        Ok(())
    }
}
