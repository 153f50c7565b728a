//! Parents of classes, as far as they are known.

use super::meaning::ObjectLookup;
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::property::{EngineClasses, MemberKind, Surroundings};

/// Classes are followed this far.
const DEEPEST: usize = 64;
/// The class that all others derive from.
const ROOT: &str = "Object";

impl ObjectLookup<'_> {
    /// The classes that an object is of, its own first; `None` where one of them is not known.
    pub(super) fn classes_of(&self, object: PackageIndex) -> Option<Vec<String>> {
        let tables = self.package().tables();
        match object.target() {
            ObjectRef::Null => None,
            ObjectRef::Export(row) => match tables.exports.get(row)?.class_index {
                class if class.is_null() => self.classes_from("Class".to_owned()),
                class => self.ancestry(class),
            },
            ObjectRef::Import(row) => {
                let class = tables.imports.get(row)?.class_name;
                self.classes_from(self.package().name_text(class))
            }
        }
    }

    /// What [`ObjectLookup::classes_of`] goes by: objects with one key are of the same classes. The class of an export, the
    /// name of that of an import.
    pub(super) fn class_key(&self, object: PackageIndex) -> Option<(PackageIndex, Option<Name>)> {
        let tables = self.package().tables();
        Some(match object.target() {
            ObjectRef::Null => return None,
            ObjectRef::Export(row) => (tables.exports.get(row)?.class_index, None),
            ObjectRef::Import(row) => {
                (PackageIndex::NULL, Some(tables.imports.get(row)?.class_name))
            }
        })
    }

    /// A class and all that it derives from; `None` where one of them is not known.
    pub(super) fn ancestry(&self, class: PackageIndex) -> Option<Vec<String>> {
        let package = self.package();
        let line: Vec<_> = package.ancestors(class).collect();
        let (last, _) = line.split_last().filter(|_| line.len() < DEEPEST)?;
        let mut chain: Vec<_> = line.iter().map(|class| package.object_name(*class)).collect();
        let name = chain.pop()?;
        match last.target() {
            ObjectRef::Import(_) => chain.extend(self.classes_from(name)?),
            // Only the first of all derives from nothing.
            _ if name.eq_ignore_ascii_case(ROOT) => chain.push(name),
            _ => return None,
        }
        Some(chain)
    }

    /// The class or struct outside of the package that declares a property of this name, of those that `scope`
    /// derives from, as far as they are known.
    #[doc(hidden)]
    pub fn inherited_property(
        &self,
        scope: PackageIndex,
        is_struct: bool,
        name: &str,
    ) -> Option<String> {
        let package = self.package();
        let line = self.imported_line(scope);
        let declares = |class: &&String| {
            let fields = || Some(&package.class_layouts().structure(class)?.fields);
            let is_field = || {
                let mut fields = fields().into_iter().flatten();
                fields.any(|field| field.name.eq_ignore_ascii_case(name))
            };
            let layout = package.class_layouts().class(class);
            layout.is_some_and(|layout| layout.property(name).is_some())
                || is_struct && is_field()
                || self.mappings().is_some_and(|it| it.property_type(class, name).is_some())
        };
        if let Some(class) = line.iter().find(declares) {
            return Some(class.clone());
        }
        let engine = EngineClasses::of(package.versions())?;
        // Each answers for those above it: the last one that does declares it itself.
        let has = |class: &&String| {
            engine.property(std::iter::once(class.as_str()), is_struct, name).is_some()
        };
        line.iter().rev().find(has).cloned()
    }

    /// The class outside of the package that declares a function or state of this name, of those that `class`
    /// derives from, as far as they are known.
    #[doc(hidden)]
    pub fn inherited_member(
        &self,
        class: PackageIndex,
        member: MemberKind,
        name: &str,
    ) -> Option<String> {
        let layouts = self.package().class_layouts();
        let mut line = self.imported_line(class).into_iter();
        line.find(|class| layouts.has_member(class, member, name))
    }

    /// The names of what a class or struct derives from outside of the package, as far as they are known.
    #[doc(hidden)]
    pub fn imported_line(&self, scope: PackageIndex) -> Vec<String> {
        match self.package().ancestors(scope).last() {
            Some(last) if matches!(last.target(), ObjectRef::Import(_)) => {
                self.line_from(self.package().object_name(last))
            }
            _ => Vec::new(),
        }
    }

    fn classes_from(&self, class: String) -> Option<Vec<String>> {
        let chain = self.line_from(class);
        chain.last().is_some_and(|last| last.eq_ignore_ascii_case(ROOT)).then_some(chain)
    }

    /// A class and those that it derives from, as far as they are known.
    fn line_from(&self, class: String) -> Vec<String> {
        let mut chain = vec![class];
        while chain.len() < DEEPEST
            && let Some(class) = chain.last().filter(|last| !last.eq_ignore_ascii_case(ROOT))
            && let Some(parent) = self.parent_of(class)
        {
            chain.push(parent);
        }
        chain
    }

    fn parent_of(&self, class: &str) -> Option<String> {
        let package = self.package();
        let given = || self.mappings()?.parent_of(class);
        let own = || self.own()?.parent_of(class);
        let around = || package.class_layouts().parent_of(class);
        let declared = || Some(&*package.class_layouts().class(class)?.parent);
        let engine = || EngineClasses::of(package.versions())?.parent_of(class);
        let found = given().or_else(own).or_else(around).or_else(declared).or_else(engine);
        let native = || EngineClasses::native_parent_of(package.versions(), class);
        found.filter(|parent| !parent.is_empty()).or_else(native).map(str::to_owned)
    }
}
