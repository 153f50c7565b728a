//! Objects of the other package as imports.

use super::CopyOptions;
use crate::edit::Edit;
use crate::edit::import::ImportStep;
use crate::error::{Error, ErrorKind, Result};
use crate::package::stands_for_package;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::{UnrealVersions, threshold};

impl Edit {
    /// An object of the source as seen from here: an import, or, where the source imports it from this
    /// package, an export of the same path and class.
    ///
    /// # Errors
    /// `NotFound` where this package has no such export.
    pub(in crate::edit) fn adopt_import(
        &mut self,
        source: &Edit,
        index: PackageIndex,
        options: &CopyOptions,
    ) -> Result<PackageIndex> {
        let steps = source.import_steps(index, options.source_name.as_deref())?;
        let steps: Vec<_> = steps
            .iter()
            .map(|[name, class_package, class_name]| ImportStep { name, class_package, class_name })
            .collect();
        let package = steps.first().map_or("", |step| step.name);
        let is_here =
            options.target_name.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(package));
        if is_here && steps.len() > 1 {
            let path: Vec<_> = steps[1..].iter().map(|step| step.name).collect();
            // Engines look for an import by its class too: objects of several classes may have a path.
            let class = steps.last().map_or("", |step| step.class_name);
            let object = format!("{class}'{}'", path.join("."));
            return Ok(PackageIndex::export(self.find_export(&object)?));
        }
        self.import_chain(&steps)
    }

    /// The path of an object from its package, each step with its class; exports need the package's name.
    fn import_steps(
        &self,
        index: PackageIndex,
        own_name: Option<&str>,
    ) -> Result<Vec<[String; 3]>> {
        let (text, core) = (str::to_owned, self.versions().core_package());
        let mut steps = Vec::new();
        let mut at = index;
        while steps.len() < 64 {
            match at.target() {
                ObjectRef::Null => break,
                ObjectRef::Import(row) => {
                    let Some(import) = self.tables().imports.get(row) else { break };
                    let [package, class] =
                        [import.class_package, import.class_name].map(|name| self.name_text(name));
                    steps.push([self.object_name(at), package, class]);
                    let outer = self.name_text(import.outer_name);
                    if self.versions().file() < threshold::OUTER_INDEX_ADDED
                        && !outer.eq_ignore_ascii_case("None")
                    {
                        steps.push([outer, text(core), text("Package")]);
                    }
                }
                ObjectRef::Export(row) => {
                    let Some(export) = self.tables().exports.get(row) else { break };
                    if self.is_forced_package(at) {
                        // It stands for the package of this name.
                        steps.push([self.object_name(at), text(core), text("Package")]);
                    } else {
                        let [package, class] = self.class_step(export.class_index, own_name)?;
                        steps.push([self.object_name(at), package, class]);
                        if export.outer_index.is_null() {
                            let own = own_name.ok_or_else(unnamed)?;
                            steps.push([text(own), text(core), text("Package")]);
                        }
                    }
                }
            }
            at = self.outer(at);
        }
        if steps.is_empty() || !at.is_null() {
            return Err(ErrorKind::NotMapped { what: "object", index: index.value() }.into());
        }
        steps.reverse();
        Ok(steps)
    }
    /// The package and the name of a class, as imports have them.
    fn class_step(&self, class: PackageIndex, own_name: Option<&str>) -> Result<[String; 2]> {
        let name = self.object_name(class);
        let root = self.outers(class).last().unwrap_or(class);
        let package = match class.target() {
            ObjectRef::Null => [self.versions().core_package(), "Class"].map(str::to_owned),
            ObjectRef::Export(_) if root != class && self.is_forced_package(root) => {
                [self.object_name(root), name]
            }
            ObjectRef::Export(_) => [own_name.ok_or_else(unnamed)?.to_owned(), name],
            ObjectRef::Import(_) => {
                let path = self.path(class);
                [path.split('.').next().unwrap_or_default().to_owned(), name]
            }
        };
        Ok(package)
    }

    /// Whether an export stands for another package, whose objects are copies.
    fn is_forced_package(&self, index: PackageIndex) -> bool {
        let ObjectRef::Export(row) = index.target() else { return false };
        self.tables().exports.get(row).is_some_and(|export| {
            let class = self.object_name(export.class_index);
            stands_for_package(export.outer_index, export.details.export_flags.0, &class)
        })
    }
}

fn unnamed() -> Error {
    Error::invalid("to import from the source package its name is needed")
}
