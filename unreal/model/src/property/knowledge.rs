//! Facts about the package around a value that archives carry beside its bytes.

use std::sync::{Arc, LazyLock};

use bytes::Bytes;

use super::{Layouts, Mappings, NameRole, PropertyKind, Roles};
use crate::archive::Context;
use crate::primitive::{Name, NameContext, ObjectRef, PackageIndex, SoftObjectPath};
use crate::table::{DataResource, NameEntry, Pieces};

/// The names, classes and tables of a package, as its archives know them: part of their [`Context`].
#[derive(Debug, Clone, Default)]
struct Knowledge {
    names: Pieces<NameEntry>,
    /// Rows that mean "none", ascending: one in most packages, one a generation in conformed ones.
    none: Arc<Vec<i32>>,
    layouts: Arc<Layouts>,
    /// The roles of the rows for properties.
    roles: Roles,
    mappings: Option<Arc<Mappings>>,
    soft_object_paths: Arc<Vec<SoftObjectPath>>,
    /// Whether soft paths have no names: those that they lack are not row 0.
    paths_are_strings: bool,
    /// Names of imports and exports.
    objects: (Arc<Vec<Name>>, Arc<Vec<Name>>),
    data_resources: Arc<[DataResource]>,
}

/// The class or struct whose properties are serialised. Apart from the rest, since each class has its own.
#[derive(Debug)]
struct PropertyScope(Arc<str>);

/// Replaces a row, or adds one behind the others.
fn put<T: Clone>(rows: &mut Arc<Vec<T>>, row: usize, value: T) {
    let rows = Arc::make_mut(rows);
    match rows.get_mut(row) {
        Some(known) => *known = value,
        None => rows.push(value),
    }
}

/// The facts of archives without a package.
static NOTHING: LazyLock<Knowledge> = LazyLock::new(Knowledge::default);

impl Knowledge {
    #[inline]
    fn of(context: &Context) -> &Self {
        match context.get() {
            Some(knowledge) => knowledge,
            None => &NOTHING,
        }
    }
}

/// The package in a [`Context`]: its names, objects, classes, soft paths and payloads.
pub trait PackageContext: Sized {
    /// A context over these source bytes and names.
    fn new(source: Bytes, names: Vec<NameEntry>) -> Self;

    /// A context over these source bytes and these names.
    #[doc(hidden)]
    fn with_names(source: Bytes, names: Pieces<NameEntry>) -> Self;

    /// The same for an object of this class: what it and its parents declare comes before what other
    /// classes do.
    #[must_use]
    fn with_scope(self, class: &str) -> Self;

    /// The class of the object that is serialised, if it is known.
    fn scope(&self) -> Option<&Arc<str>>;

    /// The same with what is known about classes and structs.
    #[must_use]
    fn with_layouts(self, layouts: Arc<Layouts>) -> Self;

    /// The same for versions whose soft paths are strings: below UE4 514 (spec: ue4-5/01 §7).
    #[must_use]
    fn with_paths_as_strings(self, strings: bool) -> Self;

    /// The same with the names of imports and exports.
    #[must_use]
    fn with_objects(
        self,
        imports: impl Iterator<Item = Name>,
        exports: impl Iterator<Item = Name>,
    ) -> Self;

    /// A row of the name table is new, behind the others, or says something else now.
    #[doc(hidden)]
    fn put_name(&mut self, row: usize, entry: NameEntry);

    /// An import or export is new, behind the others of its table, or has another name now.
    #[doc(hidden)]
    fn put_object(&mut self, index: PackageIndex, name: Name);

    /// The same with the names and types of properties that unversioned lists leave out.
    #[must_use]
    fn with_mappings(self, mappings: Option<Arc<Mappings>>) -> Self;

    /// The roles of the name table's rows for properties.
    #[doc(hidden)]
    fn roles(&self) -> &Roles;

    /// The names and types of properties that unversioned lists leave out.
    fn mappings(&self) -> Option<&Arc<Mappings>>;

    /// The same with the package's list of soft object paths (UE5).
    #[must_use]
    fn with_soft_object_paths(self, paths: impl Into<Vec<SoftObjectPath>>) -> Self;

    /// The same with the package's table of data resources (cooked, from UE5.2).
    #[must_use]
    fn with_data_resources(self, rows: impl Into<Arc<[DataResource]>>) -> Self;

    /// The package's table of data resources; empty where there is none.
    fn data_resources(&self) -> &[DataResource];

    /// How many names, imports and exports there are.
    #[doc(hidden)]
    fn row_counts(&self) -> (usize, usize, usize);

    /// How many names there are.
    #[doc(hidden)]
    fn name_count(&self) -> usize;

    /// The layouts of classes and structs.
    fn layouts(&self) -> &Layouts;

    /// The kind of the property class that a name stands for.
    fn property_kind(&self, name: &Name) -> PropertyKind;
}

impl NameContext for Context {
    fn paths_are_strings(&self) -> bool {
        Knowledge::of(self).paths_are_strings
    }

    fn object_name(&self, index: &PackageIndex) -> Option<String> {
        let name = match index.target() {
            ObjectRef::Null => return None,
            ObjectRef::Import(row) => Knowledge::of(self).objects.0.get(row),
            ObjectRef::Export(row) => Knowledge::of(self).objects.1.get(row),
        };
        self.name_text(name?)
    }

    fn soft_object_paths(&self) -> &[SoftObjectPath] {
        &Knowledge::of(self).soft_object_paths
    }

    fn name_text(&self, name: &Name) -> Option<String> {
        let entry = usize::try_from(name.index.value())
            .ok()
            .and_then(|at| Knowledge::of(self).names.get(at))?;
        let text = entry.text.text(self.source()).ok()?;
        Some(match name.number {
            0 => text.into_owned(),
            number => format!("{text}_{}", i64::from(number) - 1),
        })
    }

    #[inline]
    fn is_none(&self, name: &Name) -> bool {
        name.number == 0 && self.roles().is_none(name.index.value())
    }

    fn none(&self) -> Option<Name> {
        Knowledge::of(self).none.first().map(|&row| Name::new(row))
    }
}

impl PackageContext for Context {
    fn new(source: Bytes, names: Vec<NameEntry>) -> Self {
        Self::with_names(source, names.into())
    }

    fn with_names(source: Bytes, names: Pieces<NameEntry>) -> Self {
        let texts = names.iter().map(|it| it.text.comparable(&source).unwrap_or_default());
        let roles = Roles::new(texts);
        let none: Vec<i32> = roles.none_rows().collect();
        let none = none.into();
        Self::of(source).with(Knowledge { names, none, roles, ..Knowledge::default() })
    }

    fn with_scope(self, class: &str) -> Self {
        self.with(PropertyScope(class.into()))
    }

    fn scope(&self) -> Option<&Arc<str>> {
        self.get::<PropertyScope>().map(|scope| &scope.0)
    }

    fn with_layouts(self, layouts: Arc<Layouts>) -> Self {
        self.with_changed(|knowledge: &mut Knowledge| knowledge.layouts = layouts)
    }

    fn with_paths_as_strings(self, strings: bool) -> Self {
        self.with_changed(|knowledge: &mut Knowledge| knowledge.paths_are_strings = strings)
    }

    fn with_objects(
        self,
        imports: impl Iterator<Item = Name>,
        exports: impl Iterator<Item = Name>,
    ) -> Self {
        let objects = (Arc::new(imports.collect()), Arc::new(exports.collect()));
        self.with_changed(|knowledge: &mut Knowledge| knowledge.objects = objects)
    }

    fn put_name(&mut self, row: usize, entry: NameEntry) {
        let text = entry.text.comparable(self.source()).unwrap_or_default();
        let role = NameRole::of(&text);
        let is_none = role.is_none();
        drop(text);
        self.change(|knowledge: &mut Knowledge| {
            let number = row as i32;
            match knowledge.none.binary_search(&number) {
                Ok(at) if !is_none => drop(Arc::make_mut(&mut knowledge.none).remove(at)),
                Err(at) if is_none => Arc::make_mut(&mut knowledge.none).insert(at, number),
                _ => {}
            }
            knowledge.roles.put(row, role);
            match knowledge.names.get_mut(row) {
                Some(known) => *known = entry,
                None => knowledge.names.push(entry),
            }
        });
    }

    fn put_object(&mut self, index: PackageIndex, name: Name) {
        self.change(|knowledge: &mut Knowledge| match index.target() {
            ObjectRef::Null => {}
            ObjectRef::Import(row) => put(&mut knowledge.objects.0, row, name),
            ObjectRef::Export(row) => put(&mut knowledge.objects.1, row, name),
        });
    }

    fn with_mappings(self, mappings: Option<Arc<Mappings>>) -> Self {
        self.with_changed(|knowledge: &mut Knowledge| knowledge.mappings = mappings)
    }

    #[inline]
    fn roles(&self) -> &Roles {
        &Knowledge::of(self).roles
    }

    fn mappings(&self) -> Option<&Arc<Mappings>> {
        Knowledge::of(self).mappings.as_ref()
    }

    fn with_soft_object_paths(self, paths: impl Into<Vec<SoftObjectPath>>) -> Self {
        self.with_changed(|knowledge: &mut Knowledge| {
            knowledge.soft_object_paths = Arc::new(paths.into())
        })
    }

    fn with_data_resources(self, rows: impl Into<Arc<[DataResource]>>) -> Self {
        self.with_changed(|knowledge: &mut Knowledge| knowledge.data_resources = rows.into())
    }

    fn data_resources(&self) -> &[DataResource] {
        &Knowledge::of(self).data_resources
    }

    fn row_counts(&self) -> (usize, usize, usize) {
        let Knowledge { names, objects: (imports, exports), .. } = Knowledge::of(self);
        (names.len(), imports.len(), exports.len())
    }

    fn name_count(&self) -> usize {
        Knowledge::of(self).names.len()
    }

    fn layouts(&self) -> &Layouts {
        &Knowledge::of(self).layouts
    }

    #[inline]
    fn property_kind(&self, name: &Name) -> PropertyKind {
        Knowledge::of(self).roles.kind(name.index.value())
    }
}
