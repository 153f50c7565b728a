//! What texts mean in a package: names, objects, declarations.

use std::sync::Arc;

use super::Package;
use super::access::Access;
use crate::Versions;
use crate::archive::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::property::{Declared, Layouts, Lookup, Property, PropertyType, Scope};

/// Classes are followed this far.
const DEEPEST: usize = 64;

/// What texts mean for one object of a package.
pub(super) struct PackageLookup<'a> {
    access: Access<'a>,
    context: Arc<Context>,
    row: usize,
    /// The declaration that the caller states for a property that nobody else declares.
    stated: Option<PropertyType>,
}

impl<'a> PackageLookup<'a> {
    /// For looking only.
    pub fn reading(package: &'a Package, context: Arc<Context>, row: usize) -> Self {
        Self { access: Access::Read(package), context, row, stated: None }
    }

    /// For changing.
    pub fn writing(
        package: &'a mut Package,
        context: Arc<Context>,
        row: usize,
        stated: Option<PropertyType>,
    ) -> Self {
        Self { access: Access::Write(package), context, row, stated }
    }

    fn package(&self) -> &Package {
        self.access.package()
    }
}

fn invalid(reason: String) -> Error {
    ErrorKind::Invalid { reason }.into()
}

/// A declared type and a stated one: the one that says more, if they agree.
fn reconcile(mut declared: Declared, stated: Option<&PropertyType>) -> Result<Declared> {
    let Some(stated) = stated else { return Ok(declared) };
    if !declared.property.agrees_with(stated) {
        let (name, known) = (&declared.name, &declared.property);
        return Err(invalid(format!("'{name}' is declared as {known}, not as {stated}")));
    }
    if let PropertyType::Array(None) | PropertyType::Map(None) = declared.property {
        declared.property = stated.clone();
    }
    Ok(declared)
}

impl Lookup for PackageLookup<'_> {
    fn versions(&self) -> &Versions {
        &self.package().versions
    }

    fn layouts(&self) -> &Layouts {
        self.context.layouts()
    }

    fn source(&self) -> &[u8] {
        &self.package().source
    }

    fn name_text(&self, name: Name) -> String {
        self.package().name_text(name)
    }

    fn object_text(&self, index: PackageIndex) -> String {
        self.package().reference_text(index)
    }

    fn name(&mut self, text: &str) -> Result<Name> {
        if text.eq_ignore_ascii_case("None") {
            return self.none();
        }
        let package = self.access.package_mut()?;
        package.add_object_name(text)
    }

    fn object(&mut self, text: &str) -> Result<PackageIndex> {
        self.access.object(text)
    }

    fn none(&mut self) -> Result<Name> {
        let package = self.access.package_mut()?;
        // The last row of several, as the engine's own saver has it (spec: ue1-3/05 §5.7).
        match package.last_none().and_then(|row| i32::try_from(row).ok()) {
            Some(row) => Ok(Name::new(row)),
            None => package.add_name("None"),
        }
    }

    fn declared(&self, scope: &Scope, name: &str) -> Result<Declared> {
        match scope {
            Scope::Object => {
                match self.package().declared_property(self.row, name, &self.context) {
                    Ok(Some(declared)) => reconcile(declared, self.stated.as_ref()),
                    Ok(None) if self.stated.is_some() => {
                        let mut stated = self.stated.clone().unwrap_or(PropertyType::Int);
                        // The engine's tables know the elements of many arrays.
                        if let PropertyType::Array(None) | PropertyType::Map(None) = stated
                            && let Some(known) = self.layouts().property(name, &stated)
                        {
                            stated = known.clone();
                        }
                        let dimension = u32::MAX;
                        Ok(Declared { dimension, ..Declared::of_type(name, stated) })
                    }
                    Ok(None) => {
                        let class = self.package().class_path(self.row);
                        let hint = format!(
                            ": it is not stored, and its class {class} lies in a package that is not \
                             known; state the type"
                        );
                        let (what, name) = ("declaration", name.to_owned());
                        Err(ErrorKind::NotFound { what, name, hint }.into())
                    }
                    Err(error) => Err(error),
                }
            }
            Scope::Struct(structure) => {
                let layout = self.layouts().structure(structure);
                let field = layout.and_then(|layout| {
                    layout.fields.iter().find(|field| field.name.eq_ignore_ascii_case(name))
                });
                match (field, layout) {
                    (Some(field), _) => {
                        let dimension = field.dimension;
                        let declared = Declared::of_type(&field.name, field.property.clone());
                        Ok(Declared { dimension, ..declared })
                    }
                    (None, Some(layout)) => {
                        let names: Vec<_> = layout.fields.iter().map(|f| &*f.name).collect();
                        let hint = format!("; struct {structure} has {}", names.join(", "));
                        let name = name.to_owned();
                        Err(ErrorKind::NotFound { what: "field", name, hint }.into())
                    }
                    (None, None) => Err(invalid(format!(
                        "field '{name}' is not stored, and struct '{structure}' is not known, so \
                         nothing says its type"
                    ))),
                }
            }
        }
    }

    fn type_of(&self, property: &Property) -> Option<PropertyType> {
        let scope = self.context.scope().map(AsRef::as_ref);
        property.declared_type(scope, self.package().versions.file, &self.context)
    }
}

/// What the text of a reference means.
pub(super) enum Referred {
    /// An object of the tables.
    There(PackageIndex),
    /// An object that has to be imported.
    Missing { path: String, class: String },
}

impl Package {
    /// A reference as text: `Texture'Skins.Blue'`, `None`.
    pub(super) fn reference_text(&self, index: PackageIndex) -> String {
        if index.is_null() {
            return "None".to_owned();
        }
        let class = match index.target() {
            ObjectRef::Export(row) => match self.exports.get(row) {
                Some(export) if export.class_index.is_null() => "Class".to_owned(),
                Some(export) => self.object_name(export.class_index),
                None => return format!("#{}", index.value()),
            },
            ObjectRef::Import(row) => match self.imports.get(row) {
                Some(import) => self.name_text(import.class_name),
                None => return format!("#{}", index.value()),
            },
            ObjectRef::Null => String::new(),
        };
        format!("{class}'{}'", self.path(index))
    }

    /// The path of the class of an export.
    pub(super) fn class_path(&self, row: usize) -> String {
        self.exports().get(row).map(|export| export.class()).unwrap_or_default()
    }

    pub(super) fn referred(&self, text: &str) -> Result<Referred> {
        let text = text.trim();
        if text.is_empty() || text.eq_ignore_ascii_case("None") {
            return Ok(Referred::There(PackageIndex::NULL));
        }
        let (class, path) = match text.strip_suffix('\'').and_then(|text| text.split_once('\'')) {
            Some((class, path)) => (Some(class.trim()), path.trim()),
            None => (None, text),
        };
        let is_class = |index: PackageIndex| {
            class.is_none_or(|class| {
                let name = class.rsplit('.').next().unwrap_or(class);
                let found = self.reference_text(index);
                found.split_once('\'').is_some_and(|(found, _)| found.eq_ignore_ascii_case(name))
            })
        };
        if path.starts_with('#') {
            return self.find_export(path).map(|row| Referred::There(PackageIndex::export(row)));
        }
        let path = &*self.with_dots(path);
        let exports = (0..self.export_count()).map(PackageIndex::export);
        let mut found = exports.filter(|&index| is_class(index) && self.has_path(index, path));
        match (found.next(), found.next()) {
            (Some(index), None) => return Ok(Referred::There(index)),
            (Some(_), Some(_)) => {
                return Err(invalid(format!(
                    "several exports are named '{path}': say the row, as in #12"
                )));
            }
            _ => {}
        }
        let mut imports = (0..self.imports.len()).map(PackageIndex::import);
        if let Some(index) = imports.find(|&index| is_class(index) && self.has_path(index, path)) {
            return Ok(Referred::There(index));
        }
        let missing = |hint: &str| {
            let (what, name, hint) = ("object", path.to_owned(), hint.to_owned());
            Error::from(ErrorKind::NotFound { what, name, hint })
        };
        let Some(class) = class else {
            return Err(missing(match self.versions.has_object_versions() {
                true => {
                    "; to import it, write it with its class: \
                         /Script/Engine.Texture2D'/Game/Folder/Name.Name'"
                }
                false => {
                    "; to import it, write it with its class: Engine.Texture'Package.Group.Name'"
                }
            }));
        };
        if !path.contains('.') {
            return Err(missing("; to import it, write its package before it: Package.Name"));
        }
        let class = if class.contains('.') {
            class.to_owned()
        } else if class.eq_ignore_ascii_case("Class") {
            self.versions.class_of_classes().to_owned()
        } else {
            let mut imports = (0..self.imports.len()).map(PackageIndex::import);
            let known = imports.find(|&index| {
                self.object_name(index).eq_ignore_ascii_case(class)
                    && self.reference_text(index).starts_with("Class'")
            });
            let known = known.map(|index| self.path(index)).filter(|path| path.contains('.'));
            known.ok_or_else(|| {
                missing("; to import it, write the class with its package: Engine.Texture'…'")
            })?
        };
        Ok(Referred::Missing { path: path.to_owned(), class })
    }

    /// The declaration of a property by the class of an object, or, for a class, by itself and those it
    /// derives from. `None` where one of them is not known.
    ///
    /// # Errors
    /// `NotFound` when all are known and none declares it.
    pub(super) fn declared_property(
        &self,
        row: usize,
        name: &str,
        context: &Arc<Context>,
    ) -> Result<Option<Declared>> {
        let class = self.exports.get(row).map(|export| export.class_index).unwrap_or_default();
        let mut index = if class.is_null() { PackageIndex::export(row) } else { class };
        let title = self.path(index);
        let mut known = None;
        for _ in 0..DEEPEST {
            let ObjectRef::Export(row) = index.target() else { break };
            let Some(layout) = self.class_layout(row, context) else { return Ok(None) };
            if let Some(declared) = layout.property(name) {
                return Ok(Some(declared.clone()));
            }
            index = self.exports.get(row).map(|export| export.super_index).unwrap_or_default();
        }
        if index.target() != ObjectRef::Null {
            known = Some(self.object_name(index));
        }
        for _ in 0..DEEPEST {
            let Some(class) = known.take().filter(|class| !class.is_empty()) else { break };
            let Some(layout) = self.known.class(&class) else { return Ok(None) };
            if let Some(declared) = layout.property(name) {
                return Ok(Some(declared.clone()));
            }
            known = Some(layout.parent.to_string());
        }
        let hint = format!("; class {title} declares no such property");
        Err(ErrorKind::NotFound { what: "property", name: name.to_owned(), hint }.into())
    }
}
