//! The meaning of texts for an object of a package: names, objects, paths, declarations.

use crate::version::threshold::{ue4, ue5};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::access::{Access, Additions};
use super::editor_reference::{EditorScope, editor_reference};
use crate::Versions;
use crate::archive::Context;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::package::{ObjectPath, Package};
use crate::primitive::{Name, ObjectRef, PackageIndex, SoftObjectPath};
use crate::property::{
    Declared, EngineClasses, KnownProperty, Layouts, Mappings, Naming, ObjectPlace, PackageContext,
    Property, Surroundings, Type, TypeTexts, Value, ValueForm, class_and_path,
};
use crate::version::{EngineFacts, UnrealVersions};

/// Classes are followed this far.
const DEEPEST: usize = 64;

/// The meaning of texts for one object of a package.
#[doc(hidden)]
pub struct ObjectLookup<'a> {
    pub(super) access: Access<'a>,
    pub(super) context: Arc<Context>,
    pub(super) row: usize,
    /// Declarations of the package's own classes in UE4 and UE5, and of others' classes at hand.
    own: OnceLock<Option<Arc<Mappings>>>,
    /// The values of enums that were asked for: an array asks once an element.
    enums: RefCell<HashMap<String, Option<EnumValues>>>,
    /// The enums of bytes that were asked for, by struct and property.
    byte_enums: RefCell<HashMap<(String, String), Option<String>>>,
    /// The properties around the one that is being changed, from the object's own inwards.
    pub(super) within: Vec<String>,
    /// For texts as the editor copies them: the objects that have short names.
    scope: Option<&'a EditorScope>,
}

impl std::fmt::Debug for ObjectLookup<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ObjectLookup").finish_non_exhaustive()
    }
}

/// The names of an enum's values, with their numbers.
type EnumValues = Vec<(String, u64)>;

impl<'a> ObjectLookup<'a> {
    /// For looking only.
    pub fn reading(package: &'a Package, context: Arc<Context>, row: usize) -> Self {
        Self::over(Access::Read(package), context, row)
    }

    /// For changing.
    pub fn writing(package: &'a mut dyn Additions, context: Arc<Context>, row: usize) -> Self {
        Self::over(Access::Write(package), context, row)
    }

    fn over(access: Access<'a>, context: Arc<Context>, row: usize) -> Self {
        let (own, enums, within) = (OnceLock::new(), RefCell::default(), Vec::new());
        let byte_enums = RefCell::default();
        Self { access, context, row, own, enums, byte_enums, within, scope: None }
    }

    /// Writes values as the editor copies them, objects in `scope` by their short names.
    pub fn for_editor(mut self, scope: &'a EditorScope) -> Self {
        self.scope = Some(scope);
        self
    }

    pub(super) fn package(&self) -> &Package {
        self.access.package()
    }

    /// The classes and structs of a tagged package; those of an unversioned one are among its mappings.
    pub(super) fn own(&self) -> Option<&Mappings> {
        if self.package().versions().unversioned_properties() {
            return None;
        }
        self.own.get_or_init(|| self.package().all_mappings(None)).as_deref()
    }
}

impl Naming for ObjectLookup<'_> {
    fn versions(&self) -> &Versions {
        self.package().versions()
    }

    fn layouts(&self) -> &Layouts {
        self.context.layouts()
    }

    fn name(&mut self, text: &str) -> Result<Name> {
        match &mut self.access {
            Access::Write(package) => package.name(text),
            // Values that only show what zeros are.
            Access::Read(package) => Ok(package.none_name()),
        }
    }

    fn soft_path(&mut self, text: &str) -> Result<Value> {
        match &mut self.access {
            // What a path takes the place of needs no row.
            Access::Write(edit)
                if text.is_empty() && !edit.package().soft_object_paths().is_empty() =>
            {
                Ok(Value::SoftObjectIndex(-1))
            }
            Access::Write(package) => package.soft_path(text),
            Access::Read(package) => Ok(Value::SoftObject(Box::new(package.no_soft_path()))),
        }
    }
}

impl Surroundings for ObjectLookup<'_> {
    fn source(&self) -> &[u8] {
        self.package().source()
    }

    fn name_text(&self, name: Name) -> String {
        self.package().name_text(name)
    }

    fn is_name(&self, name: Name, text: &str) -> bool {
        self.package().is_name(name, text)
    }

    fn row_called(&mut self, text: &str, rows: &dyn Fn(usize) -> Option<Name>) -> Option<usize> {
        match &mut self.access {
            Access::Write(package) => {
                let called = package.names_called(text);
                package.rows_by_name().find(self.row, &called, rows)
            }
            Access::Read(package) => {
                (0..).map_while(rows).position(|name| package.is_name(name, text))
            }
        }
    }

    fn object_text(&self, index: PackageIndex) -> String {
        match self.scope {
            None => self.package().reference_text(index),
            Some(scope) => {
                let from = PackageIndex::export(self.row);
                editor_reference(self.package(), index, from, scope)
            }
        }
    }

    fn form(&self) -> ValueForm {
        if self.scope.is_some() { ValueForm::Editor } else { ValueForm::Own }
    }

    fn path_text(&self, path: &SoftObjectPath) -> String {
        let package = self.package();
        match self.context.name_count() == package.tables().names.len() {
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

    fn declared(&self, structure: Option<&str>, name: &str) -> Result<Declared> {
        self.declared_of(structure, name)
    }

    fn declaration(
        &self,
        structure: Option<&str>,
        name: &str,
        given: Option<&Type>,
    ) -> Result<KnownProperty> {
        self.declaration_of(structure, name, given)
    }

    fn within(&mut self, name: Option<&str>) {
        match name {
            Some(name) => self.within.push(name.to_owned()),
            None => drop(self.within.pop()),
        }
    }

    fn type_of(&self, property: &Property) -> Option<Type> {
        let (package, context) = (self.package(), &self.context);
        let text = &|name| package.name_text(name);
        property.type_of(TypeTexts { versions: package.versions(), context, text })
    }

    fn enum_of(&self, structure: Option<&str>, name: &str) -> Option<String> {
        // From UE4 on tags say it.
        if self.has_schemas() {
            return None;
        }
        let key = (structure.unwrap_or_default().to_owned(), name.to_ascii_lowercase());
        if let Some(known) = self.byte_enums.borrow().get(&key) {
            return known.clone();
        }
        let found = self.enum_of_byte(structure, name);
        self.byte_enums.borrow_mut().insert(key, found.clone());
        found
    }

    fn is_checked(&self) -> bool {
        self.access.is_checked()
    }

    fn check_objects(&self, place: ObjectPlace<'_>, objects: &[PackageIndex]) -> Result<()> {
        self.check_classes(place, objects)
    }

    fn enum_values(&self, name: &str) -> Option<Vec<(String, u64)>> {
        if let Some(known) = self.mappings().and_then(|mappings| mappings.enum_values(name)) {
            return Some(known);
        }
        if let Some(known) = self.enums.borrow().get(name) {
            return known.clone();
        }
        let known = self.package().enumeration(name, &self.context);
        let of_engine = || EngineClasses::of(self.package().versions())?.enum_values(name);
        let values = known
            .map(|known| known.values.iter().map(|value| value.to_string()).zip(0..).collect())
            .or_else(of_engine);
        self.enums.borrow_mut().insert(name.to_owned(), values.clone());
        values
    }

    fn enum_value(&self, name: &str, number: u64) -> Option<String> {
        let of = |values: &EnumValues| {
            values.iter().find(|(_, value)| *value == number).map(|(name, _)| name.clone())
        };
        if let Some(known) = self.enums.borrow().get(name) {
            return known.as_ref().and_then(of);
        }
        let values = self.enum_values(name);
        let found = values.as_ref().and_then(of);
        self.enums.borrow_mut().insert(name.to_owned(), values);
        found
    }

    fn mappings(&self) -> Option<&Mappings> {
        self.context.mappings().map(|mappings| &**mappings)
    }
}

/// The meaning of a reference's text.
#[doc(hidden)]
#[derive(Debug)]
pub enum Referred {
    /// An object of the tables.
    There(PackageIndex),
    /// An object that has to be imported.
    Missing { path: String, class: String },
}

/// References of a [`Package`] as text.
pub trait ReferenceTexts {
    /// No soft path, in the form of this version, for those that only look.
    fn no_soft_path(&self) -> SoftObjectPath;

    /// A reference as text: `Texture'Skins.Blue'`, `None`.
    fn reference_text(&self, index: PackageIndex) -> String;

    /// The path of the class of an export.
    fn class_path(&self, row: usize) -> String;

    /// The object that a text names.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for what is no reference.
    fn referred(&self, text: &str) -> Result<Referred>;

    /// The declaration of a property by the class of an object, or, for a class, by itself and those it
    /// derives from. `None` where one of them is not known.
    ///
    /// # Errors
    /// `NotFound` when all are known and none declares it.
    fn declared_property(
        &self,
        row: usize,
        name: &str,
        context: &Arc<Context>,
    ) -> Result<Option<Declared>>;
}

impl ReferenceTexts for Package {
    fn no_soft_path(&self) -> SoftObjectPath {
        let (none, mut made) = (self.none_name(), SoftObjectPath::default());
        if self.versions().ue5() >= ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES {
            (made.package_name, made.asset_name) = (none, none);
        } else if self.versions().ue4() >= ue4::ADDED_SOFT_OBJECT_PATH {
            made.asset_path_name = none;
        }
        made
    }

    fn reference_text(&self, index: PackageIndex) -> String {
        if index.is_null() {
            return "None".to_owned();
        }
        let class = match index.target() {
            ObjectRef::Export(row) => match self.tables().exports.get(row) {
                Some(export) if export.class_index.is_null() => "Class".to_owned(),
                Some(export) => self.object_name(export.class_index),
                None => return format!("#{}", index.value()),
            },
            ObjectRef::Import(row) => match self.tables().imports.get(row) {
                Some(import) => self.name_text(import.class_name),
                None => return format!("#{}", index.value()),
            },
            ObjectRef::Null => String::new(),
        };
        format!("{class}'{}'", self.path(index))
    }

    fn class_path(&self, row: usize) -> String {
        self.exports().get(row).map(|export| export.class()).unwrap_or_default()
    }

    fn referred(&self, text: &str) -> Result<Referred> {
        let text = text.trim();
        if text.is_empty() || text.eq_ignore_ascii_case("None") {
            return Ok(Referred::There(PackageIndex::NULL));
        }
        let (class, path) = class_and_path(text);
        let (class, path) = (class.map(str::trim), path.trim());
        let is_class = |index: PackageIndex| {
            class.is_none_or(|class| {
                let name = class.rsplit('.').next().unwrap_or(class);
                let found = self.reference_text(index);
                class_and_path(&found).0.is_some_and(|found| found.eq_ignore_ascii_case(name))
            })
        };
        if path.starts_with('#') {
            return self.find_export(path).map(|row| Referred::There(PackageIndex::export(row)));
        }
        let path = &*self.with_dots(path);
        // By the index of names: code may name as many new objects as there are rows.
        let wanted = ObjectPath { class: None, path: path.into() };
        let mut found: Vec<_> = self.objects_at(&wanted);
        found.retain(|&index| is_class(index));
        let is_export = |index: &&PackageIndex| matches!(index.target(), ObjectRef::Export(_));
        if found.iter().filter(is_export).nth(1).is_some() {
            return Err(Error::invalid(format!(
                "several exports are named '{path}': say the row, as in #12"
            )));
        }
        // Exports come first.
        if let Some(&index) = found.first() {
            return Ok(Referred::There(index));
        }
        let missing = |hint: &str| {
            let (what, name, hint) = (noun::OBJECT, path.to_owned(), hint.to_owned());
            Error::from(ErrorKind::NotFound { what, name, hint })
        };
        let Some(class) = class else {
            let example = self.versions().example_import();
            return Err(missing(&format!("; to import it, write it with its class: {example}")));
        };
        if !path.contains('.') {
            return Err(missing("; to import it, write its package before it: Package.Name"));
        }
        let class = if class.contains('.') {
            class.to_owned()
        } else if class.eq_ignore_ascii_case("Class") {
            self.versions().class_of_classes().to_owned()
        } else {
            let index = self.object_index();
            let mut imports = index.named(class).iter().copied();
            let known = imports.find(|&index| {
                matches!(index.target(), ObjectRef::Import(_))
                    && self.object_name(index).eq_ignore_ascii_case(class)
                    && self.reference_text(index).starts_with("Class'")
            });
            let known = known.map(|index| self.path(index)).filter(|path| path.contains('.'));
            known.ok_or_else(|| {
                missing("; to import it, write the class with its package: Engine.Texture'…'")
            })?
        };
        Ok(Referred::Missing { path: path.to_owned(), class })
    }

    fn declared_property(
        &self,
        row: usize,
        name: &str,
        context: &Arc<Context>,
    ) -> Result<Option<Declared>> {
        let class =
            self.tables().exports.get(row).map(|export| export.class_index).unwrap_or_default();
        let scope = if class.is_null() { PackageIndex::export(row) } else { class };
        let title = self.path(scope);
        let mut known = None;
        for class in self.ancestors(scope) {
            let ObjectRef::Export(row) = class.target() else {
                known = Some(self.object_name(class));
                break;
            };
            let Some(layout) = self.class_layout(row, context) else { return Ok(None) };
            if let Some(declared) = layout.property(name) {
                return Ok(Some(declared.clone()));
            }
        }
        for _ in 0..DEEPEST {
            let Some(class) = known.take().filter(|class| !class.is_empty()) else { break };
            let Some(layout) = self.class_layouts().class(&class) else { return Ok(None) };
            if let Some(declared) = layout.property(name) {
                return Ok(Some(declared.clone()));
            }
            known = Some(layout.parent.to_string());
        }
        let hint = format!("; class {title} declares no such property");
        Err(ErrorKind::NotFound { what: noun::PROPERTY, name: name.to_owned(), hint }.into())
    }
}
