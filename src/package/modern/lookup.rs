//! What texts mean for an object of UE4 and UE5: names, objects, paths, declarations.

use std::sync::{Arc, OnceLock};

use crate::archive::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::package::Package;
use crate::package::access::Access;
use crate::primitive::{Name, PackageIndex, SoftObjectPath};
use crate::property::Mappings;
use crate::property::tagged::{Naming, Surroundings, Type, Value};
use crate::{Name as RowName, Versions};

/// What texts mean for one object of a package.
pub(in crate::package) struct ModernLookup<'a> {
    access: Access<'a>,
    context: Arc<Context>,
    row: usize,
    /// The type that the caller states for a property that nobody declares.
    stated: Option<&'a Type>,
    /// What the package's own classes declare, and those of others that it knows of.
    own: OnceLock<Option<Arc<Mappings>>>,
}

impl<'a> ModernLookup<'a> {
    /// For looking only.
    pub fn reading(package: &'a Package, context: Arc<Context>, row: usize) -> Self {
        let own = OnceLock::new();
        Self { access: Access::Read(package), context, row, stated: None, own }
    }

    /// For changing.
    pub fn writing(
        package: &'a mut Package,
        context: Arc<Context>,
        row: usize,
        stated: Option<&'a Type>,
    ) -> Self {
        Self { access: Access::Write(package), context, row, stated, own: OnceLock::new() }
    }

    fn package(&self) -> &Package {
        self.access.package()
    }

    /// The classes and structs of a tagged package; those of an unversioned one are among its mappings.
    fn own(&self) -> Option<&Mappings> {
        if self.package().versions.unversioned_properties {
            return None;
        }
        self.own.get_or_init(|| self.package().all_mappings(None)).as_deref()
    }
}

fn invalid(reason: String) -> Error {
    ErrorKind::Invalid { reason }.into()
}

impl Naming for ModernLookup<'_> {
    fn versions(&self) -> &Versions {
        &self.package().versions
    }

    fn name(&mut self, text: &str) -> Result<RowName> {
        match &mut self.access {
            Access::Write(package) => package.name(text),
            // Values that only show what zeros are.
            Access::Read(package) => Ok(package.none_name()),
        }
    }

    fn soft_path(&mut self, text: &str) -> Result<Value> {
        match &mut self.access {
            // What a path takes the place of needs no row.
            Access::Write(package)
                if text.is_empty() && !package.soft_object_paths().is_empty() =>
            {
                Ok(Value::SoftObjectIndex(-1))
            }
            Access::Write(package) => package.soft_path(text),
            Access::Read(package) => Ok(Value::SoftObject(Box::new(package.no_soft_path()))),
        }
    }
}

impl Surroundings for ModernLookup<'_> {
    fn source(&self) -> &[u8] {
        &self.package().source
    }

    fn name_text(&self, name: Name) -> String {
        self.package().name_text(name)
    }

    fn object_text(&self, index: PackageIndex) -> String {
        self.package().reference_text(index)
    }

    fn path_text(&self, path: &SoftObjectPath) -> String {
        let package = self.package();
        match self.context.name_count() == package.names.len() {
            true => path.text(&self.context),
            // Names were added.
            false => path.text(&package.named_context()),
        }
    }

    fn soft_path_at(&self, row: i32) -> Option<&SoftObjectPath> {
        usize::try_from(row).ok().and_then(|row| self.package().soft_object_paths().get(row))
    }

    fn object(&mut self, text: &str) -> Result<PackageIndex> {
        self.access.object(text)
    }

    fn declared(&self, structure: Option<&str>, name: &str) -> Result<(Type, u32)> {
        let classes = match structure {
            Some(structure) => vec![structure.to_owned()],
            None => self.package().class_chain(self.row),
        };
        let known = [self.own(), self.mappings()].into_iter().flatten();
        let found = known
            .flat_map(|known| classes.iter().map(move |class| known.property_type(class, name)))
            .flatten()
            .next();
        match (found, self.stated) {
            (Some((known, _)), Some(stated)) if !known.agrees_with(stated) => {
                Err(invalid(format!("'{name}' is declared as {known}, not as {stated}")))
            }
            (Some(found), _) => Ok(found),
            (None, Some(stated)) => Ok((stated.clone(), u32::MAX)),
            (None, None) => {
                let class = classes.first().cloned().unwrap_or_default();
                let complete = self.mappings().is_some_and(|mappings| mappings.knows(&class));
                let hint = match complete {
                    true => format!("; {class} declares no such property"),
                    false => format!(
                        ": it is not stored, and nothing declares what {class} has; state its type, or \
                         open the package with mappings"
                    ),
                };
                let (what, name) = ("declaration", name.to_owned());
                Err(ErrorKind::NotFound { what, name, hint }.into())
            }
        }
    }

    fn mappings(&self) -> Option<&Mappings> {
        self.context.mappings().map(|mappings| &**mappings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EngineRelease;
    use crate::package::Builder;

    #[test]
    fn no_soft_path_is_none_wherever_its_name_stands() {
        for (major, minor) in [(4, 13), (4, 18), (5, 0), (5, 1), (5, 6)] {
            let release = EngineRelease::new(major, minor);
            let builder = Builder::for_release(release).name("/Game/First");
            let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
            package.names.swap(0, 1);
            package.lookup.forget();
            assert_eq!(package.names().find("None"), Some(1), "{release}");
            let context = package.context();
            let read = ModernLookup::reading(&package, Arc::clone(&context), 0).soft_path("");
            let mut lookup = ModernLookup::writing(&mut package, Arc::clone(&context), 0, None);
            for value in [read, lookup.soft_path("")] {
                let Value::SoftObject(path) = value.unwrap() else { panic!("{release}") };
                assert_eq!(path.text(&context), "", "{release}");
                let names = release.ue4() >= 514;
                let none = [path.asset_path_name, path.package_name, path.asset_name];
                assert_eq!(none.contains(&Name::new(1)), names, "{release}");
            }
        }
    }
}
