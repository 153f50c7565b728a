//! What an archive knows about the package around a value.

use std::sync::{Arc, LazyLock};

use bytes::Bytes;

use crate::primitive::{Name, ObjectRef, PackageIndex, SoftObjectPath};
use crate::property::Roles;
use crate::property::{Kind, Layouts, Mappings};
use crate::table::{DataResource, NameEntry};

/// Knowledge about the package around a value: its source bytes, its name texts, its classes. Immutable
/// while values are serialised; shared by every archive of a package.
#[derive(Debug, Clone, Default)]
pub struct Context {
    source: Bytes,
    names: Arc<[NameEntry]>,
    /// Rows that mean "none", ascending: one in most packages, one a generation in conformed ones.
    none: Arc<[i32]>,
    layouts: Arc<Layouts>,
    /// The class or struct whose properties are serialised.
    scope: Option<Arc<str>>,
    /// What the rows mean to properties.
    roles: Roles,
    mappings: Option<Arc<Mappings>>,
    soft_object_paths: Arc<[SoftObjectPath]>,
    /// Whether soft paths have no names: those that they lack are not row 0.
    paths_are_strings: bool,
    /// Names of imports and exports.
    objects: (Arc<[Name]>, Arc<[Name]>),
    data_resources: Arc<[DataResource]>,
}

impl Context {
    /// The context of archives that know nothing; always the same one, since archives are made for every
    /// body.
    pub(crate) fn nothing() -> Arc<Self> {
        static NOTHING: LazyLock<Arc<Context>> = LazyLock::new(Arc::default);
        NOTHING.clone()
    }

    /// A context over these source bytes and names.
    pub fn new(source: Bytes, names: Vec<NameEntry>) -> Self {
        let mut none = Vec::new();
        let texts = names.iter().zip(0..).map(|(entry, row)| {
            let text = entry.text.comparable(&source).unwrap_or_default();
            if text.eq_ignore_ascii_case(b"None") {
                none.push(row);
            }
            text
        });
        let roles = Roles::new(texts);
        let (names, none) = (names.into(), none.into());
        Self { source, names, none, roles, ..Self::default() }
    }

    /// The same for an object of this class: what it and its parents declare comes before what other
    /// classes do.
    #[must_use]
    pub fn with_scope(mut self, class: &str) -> Self {
        self.scope = Some(class.into());
        self
    }

    /// The class of the object that is serialised, if it is known.
    pub fn scope(&self) -> Option<&Arc<str>> {
        self.scope.as_ref()
    }

    /// The same with what is known about classes and structs.
    #[must_use]
    pub fn with_layouts(mut self, layouts: Arc<Layouts>) -> Self {
        self.layouts = layouts;
        self
    }

    /// The same for versions whose soft paths are strings: below UE4 514 (spec: ue4-5/01 §7).
    #[must_use]
    pub fn with_paths_as_strings(mut self, strings: bool) -> Self {
        self.paths_are_strings = strings;
        self
    }

    pub(crate) fn paths_are_strings(&self) -> bool {
        self.paths_are_strings
    }

    /// The same with the names of imports and exports.
    #[must_use]
    pub fn with_objects(
        mut self,
        imports: impl Iterator<Item = Name>,
        exports: impl Iterator<Item = Name>,
    ) -> Self {
        self.objects = (imports.collect(), exports.collect());
        self
    }

    /// The name of an import or export, where they are known.
    pub fn object_name(&self, index: &PackageIndex) -> Option<String> {
        let name = match index.target() {
            ObjectRef::Null => return None,
            ObjectRef::Import(row) => self.objects.0.get(row),
            ObjectRef::Export(row) => self.objects.1.get(row),
        };
        self.name_text(name?)
    }

    /// The same with the names and types of properties that unversioned lists leave out.
    #[must_use]
    pub fn with_mappings(mut self, mappings: Option<Arc<Mappings>>) -> Self {
        self.mappings = mappings;
        self
    }

    /// What the rows of the name table mean to properties.
    #[inline]
    pub(crate) fn roles(&self) -> &Roles {
        &self.roles
    }

    /// The names and types of properties that unversioned lists leave out.
    pub fn mappings(&self) -> Option<&Arc<Mappings>> {
        self.mappings.as_ref()
    }

    /// The same with the package's list of soft object paths (UE5).
    #[must_use]
    pub fn with_soft_object_paths(mut self, paths: impl Into<Arc<[SoftObjectPath]>>) -> Self {
        self.soft_object_paths = paths.into();
        self
    }

    /// The package's list of soft object paths; empty below UE5.1 and in cooked packages.
    pub fn soft_object_paths(&self) -> &[SoftObjectPath] {
        &self.soft_object_paths
    }

    /// The same with the package's table of data resources (cooked, from UE5.2).
    #[must_use]
    pub fn with_data_resources(mut self, rows: impl Into<Arc<[DataResource]>>) -> Self {
        self.data_resources = rows.into();
        self
    }

    /// The package's table of data resources; empty where there is none.
    pub fn data_resources(&self) -> &[DataResource] {
        &self.data_resources
    }

    /// The same over a source that starts with the bytes of this one.
    #[must_use]
    pub(crate) fn with_longer_source(mut self, source: Bytes) -> Self {
        self.source = source;
        self
    }

    /// How many names there are.
    pub(crate) fn name_count(&self) -> usize {
        self.names.len()
    }

    /// The source that spans are ranges of.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// What is known about classes and structs.
    pub fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    /// The same as a handle, for another context.
    pub(crate) fn shared_layouts(&self) -> Arc<Layouts> {
        self.layouts.clone()
    }

    /// The text of a name, its number included (`Light_3`), or `None` when the index is out of range.
    pub fn name_text(&self, name: &Name) -> Option<String> {
        let entry = usize::try_from(name.index.value()).ok().and_then(|at| self.names.get(at))?;
        let text = entry.text.text(&self.source).ok()?;
        Some(match name.number {
            0 => text.into_owned(),
            number => format!("{text}_{}", i64::from(number) - 1),
        })
    }

    /// Whether a name means "none": its text is `None` in any case, without a number.
    #[inline]
    pub fn is_none(&self, name: &Name) -> bool {
        name.number == 0 && self.none.binary_search(&name.index.value()).is_ok()
    }

    /// The kind of the property class that a name stands for.
    #[inline]
    pub fn property_kind(&self, name: &Name) -> Kind {
        self.roles.kind(name.index.value())
    }
}
