//! What archives know about the package around a value, beside its bytes.

use std::sync::{Arc, LazyLock};

use bytes::Bytes;

use super::{Layouts, Mappings, NameRole, PropertyKind, Roles};
use crate::archive::Context;
use crate::primitive::{Name, ObjectRef, PackageIndex, SoftObjectPath};
use crate::table::{DataResource, NameEntry, Pieces};

/// The names, classes and tables of a package, as its archives know them: part of their [`Context`].
#[derive(Debug, Clone, Default)]
struct Knowledge {
    names: Pieces<NameEntry>,
    /// Rows that mean "none", ascending: one in most packages, one a generation in conformed ones.
    none: Arc<Vec<i32>>,
    layouts: Arc<Layouts>,
    /// What the rows mean to properties.
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

/// What archives know that know nothing.
static NOTHING: LazyLock<Knowledge> = LazyLock::new(Knowledge::default);

impl Context {
    #[inline]
    fn knowledge(&self) -> &Knowledge {
        match self.get() {
            Some(knowledge) => knowledge,
            None => &NOTHING,
        }
    }

    fn knowing(self, change: impl FnOnce(&mut Knowledge)) -> Self {
        self.with_changed(change)
    }

    /// A context over these source bytes and names.
    pub fn new(source: Bytes, names: Vec<NameEntry>) -> Self {
        Self::with_names(source, names.into())
    }

    /// A context over these source bytes and these names.
    pub(crate) fn with_names(source: Bytes, names: Pieces<NameEntry>) -> Self {
        let texts = names.iter().map(|it| it.text.comparable(&source).unwrap_or_default());
        let roles = Roles::new(texts);
        let none: Vec<i32> = roles.none_rows().collect();
        let none = none.into();
        Self::of(source).with(Knowledge { names, none, roles, ..Knowledge::default() })
    }

    /// The same for an object of this class: what it and its parents declare comes before what other
    /// classes do.
    #[must_use]
    pub fn with_scope(self, class: &str) -> Self {
        self.with(PropertyScope(class.into()))
    }

    /// The class of the object that is serialised, if it is known.
    pub fn scope(&self) -> Option<&Arc<str>> {
        self.get::<PropertyScope>().map(|scope| &scope.0)
    }

    /// The same with what is known about classes and structs.
    #[must_use]
    pub fn with_layouts(self, layouts: Arc<Layouts>) -> Self {
        self.knowing(|knowledge| knowledge.layouts = layouts)
    }

    /// The same for versions whose soft paths are strings: below UE4 514 (spec: ue4-5/01 §7).
    #[must_use]
    pub fn with_paths_as_strings(self, strings: bool) -> Self {
        self.knowing(|knowledge| knowledge.paths_are_strings = strings)
    }

    pub(crate) fn paths_are_strings(&self) -> bool {
        self.knowledge().paths_are_strings
    }

    /// The same with the names of imports and exports.
    #[must_use]
    pub fn with_objects(
        self,
        imports: impl Iterator<Item = Name>,
        exports: impl Iterator<Item = Name>,
    ) -> Self {
        let objects = (Arc::new(imports.collect()), Arc::new(exports.collect()));
        self.knowing(|knowledge| knowledge.objects = objects)
    }

    /// The name of an import or export, where they are known.
    pub fn object_name(&self, index: &PackageIndex) -> Option<String> {
        let name = match index.target() {
            ObjectRef::Null => return None,
            ObjectRef::Import(row) => self.knowledge().objects.0.get(row),
            ObjectRef::Export(row) => self.knowledge().objects.1.get(row),
        };
        self.name_text(name?)
    }

    /// A row of the name table is new, behind the others, or says something else now.
    pub(crate) fn put_name(&mut self, row: usize, entry: NameEntry) {
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

    /// An import or export is new, behind the others of its table, or has another name now.
    pub(crate) fn put_object(&mut self, index: PackageIndex, name: Name) {
        self.change(|knowledge: &mut Knowledge| match index.target() {
            ObjectRef::Null => {}
            ObjectRef::Import(row) => put(&mut knowledge.objects.0, row, name),
            ObjectRef::Export(row) => put(&mut knowledge.objects.1, row, name),
        });
    }

    /// The same with the names and types of properties that unversioned lists leave out.
    #[must_use]
    pub fn with_mappings(self, mappings: Option<Arc<Mappings>>) -> Self {
        self.knowing(|knowledge| knowledge.mappings = mappings)
    }

    /// What the rows of the name table mean to properties.
    #[inline]
    pub(crate) fn roles(&self) -> &Roles {
        &self.knowledge().roles
    }

    /// The names and types of properties that unversioned lists leave out.
    pub fn mappings(&self) -> Option<&Arc<Mappings>> {
        self.knowledge().mappings.as_ref()
    }

    /// The same with the package's list of soft object paths (UE5).
    #[must_use]
    pub fn with_soft_object_paths(self, paths: impl Into<Vec<SoftObjectPath>>) -> Self {
        self.knowing(|knowledge| knowledge.soft_object_paths = Arc::new(paths.into()))
    }

    /// The package's list of soft object paths; empty below UE5.1 and in cooked packages.
    pub fn soft_object_paths(&self) -> &[SoftObjectPath] {
        &self.knowledge().soft_object_paths
    }

    /// The same with the package's table of data resources (cooked, from UE5.2).
    #[must_use]
    pub fn with_data_resources(self, rows: impl Into<Arc<[DataResource]>>) -> Self {
        self.knowing(|knowledge| knowledge.data_resources = rows.into())
    }

    /// The package's table of data resources; empty where there is none.
    pub fn data_resources(&self) -> &[DataResource] {
        &self.knowledge().data_resources
    }

    /// How many names, imports and exports there are.
    pub(crate) fn row_counts(&self) -> (usize, usize, usize) {
        let Knowledge { names, objects: (imports, exports), .. } = self.knowledge();
        (names.len(), imports.len(), exports.len())
    }

    /// How many names there are.
    pub(crate) fn name_count(&self) -> usize {
        self.knowledge().names.len()
    }

    /// What is known about classes and structs.
    pub fn layouts(&self) -> &Layouts {
        &self.knowledge().layouts
    }

    /// The text of a name, its number included (`Light_3`), or `None` when the index is out of range.
    pub fn name_text(&self, name: &Name) -> Option<String> {
        let entry = usize::try_from(name.index.value())
            .ok()
            .and_then(|at| self.knowledge().names.get(at))?;
        let text = entry.text.text(self.source()).ok()?;
        Some(match name.number {
            0 => text.into_owned(),
            number => format!("{text}_{}", i64::from(number) - 1),
        })
    }

    /// Whether a name means "none": its text is `None` in any case, without a number.
    #[inline]
    pub fn is_none(&self, name: &Name) -> bool {
        name.number == 0 && self.roles().is_none(name.index.value())
    }

    /// A name that means "none", where the package has one.
    pub(crate) fn none(&self) -> Option<Name> {
        self.knowledge().none.first().map(|&row| Name::new(row))
    }

    /// The kind of the property class that a name stands for.
    #[inline]
    pub fn property_kind(&self, name: &Name) -> PropertyKind {
        self.knowledge().roles.kind(name.index.value())
    }
}
