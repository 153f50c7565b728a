//! References to objects as the editors of UE3 to UE5 copy them.

use std::collections::HashMap;

use super::own_path::package_path;
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::{EngineFacts, UnrealVersions};

/// The form of references, which changed twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReferenceForm {
    /// UE3: `StaticMesh'Props.Meshes.Crate'`.
    Plain,
    /// UE4 and UE5.0: `StaticMesh'"/Game/Meshes/Crate.Crate"'`.
    Short,
    /// UE5.1: `/Script/Engine.StaticMesh'"/Game/Meshes/Crate.Crate"'`.
    Long,
    /// From UE5.2 on: `"/Script/Engine.StaticMesh'/Game/Meshes/Crate.Crate'"`.
    Quoted,
}

impl ReferenceForm {
    fn of(package: &Package) -> Self {
        let versions = package.versions();
        match () {
            () if !versions.has_soft_references() => Self::Plain,
            () if versions.quotes_whole_references() => Self::Quoted,
            () if versions.names_classes_by_path() => Self::Long,
            () => Self::Short,
        }
    }

    fn has_long_classes(self) -> bool {
        matches!(self, Self::Long | Self::Quoted)
    }

    fn write(self, class: &str, path: &str) -> String {
        match self {
            Self::Plain => format!("{class}'{path}'"),
            Self::Short | Self::Long => format!("{class}'\"{path}\"'"),
            Self::Quoted => format!("\"{class}'{path}'\""),
        }
    }
}

/// The level or graph whose objects are copied: they are called by their path within it.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct EditorScope {
    /// The level or graph; null for none.
    root: PackageIndex,
    /// Objects that the editor moves into another one for as long as it copies: the task of a behaviour tree into its
    /// node.
    moved: HashMap<PackageIndex, PackageIndex>,
    /// How other packages call this one, where that is known; looked for once.
    package_path: String,
}

impl EditorScope {
    /// That of a level or graph of a package; null for none.
    pub fn of(package: &Package, root: PackageIndex) -> Self {
        let package_path = package_path(package).unwrap_or_default();
        Self { root, moved: HashMap::new(), package_path }
    }

    /// The same with another level or graph, into whose objects others are moved.
    pub fn enter(
        &mut self,
        root: PackageIndex,
        moved: impl IntoIterator<Item = (PackageIndex, PackageIndex)>,
    ) {
        (self.root, self.moved) = (root, moved.into_iter().collect());
    }

    /// The objects that are moved into others, by these, in table order.
    pub fn moved_into(&self) -> HashMap<PackageIndex, Vec<PackageIndex>> {
        let mut into: HashMap<PackageIndex, Vec<PackageIndex>> = HashMap::new();
        for (&object, &holder) in &self.moved {
            into.entry(holder).or_default().push(object);
        }
        into.values_mut().for_each(|objects| objects.sort_unstable_by_key(|it| it.value()));
        into
    }

    /// An object and those that it lies in while it is copied.
    fn line(&self, package: &Package, index: PackageIndex) -> Vec<PackageIndex> {
        match self.moved.get(&index) {
            Some(&node) => std::iter::once(index).chain(package.outers(node)).collect(),
            None => package.outers(index).collect(),
        }
    }
}

/// A reference as text, from the object `from` within `scope`; `None` for null.
#[doc(hidden)]
pub fn editor_reference(
    package: &Package,
    index: PackageIndex,
    from: PackageIndex,
    scope: &EditorScope,
) -> String {
    if index.is_null() {
        return "None".to_owned();
    }
    let form = ReferenceForm::of(package);
    form.write(&class_of(package, index, form, scope), &editor_path(package, index, from, scope))
}

/// The default of a class, as a reference: `Class'/Script/Engine.Default__Class'`.
#[doc(hidden)]
pub fn editor_default(package: &Package, class: PackageIndex, scope: &EditorScope) -> String {
    let form = ReferenceForm::of(package);
    let name = package.object_name(class);
    let path = editor_path(package, class, PackageIndex::NULL, scope);
    let default = match path.rsplit_once('.') {
        Some((outer, _)) => format!("{outer}.Default__{name}"),
        None => format!("Default__{name}"),
    };
    form.write(if form.has_long_classes() { &path } else { &name }, &default)
}

/// The path of an object: within `from`, within the scope, or else whole, with a colon before the first object within
/// another one (`/Game/Map.Map:Level.Door`).
#[doc(hidden)]
pub fn editor_path(
    package: &Package,
    index: PackageIndex,
    from: PackageIndex,
    scope: &EditorScope,
) -> String {
    let mut line = scope.line(package, index);
    let within = |outer: PackageIndex| {
        let place = || line.iter().skip(1).position(|it| *it == outer);
        if outer.is_null() { None } else { place() }
    };
    if let Some(depth) = within(from).or_else(|| within(scope.root)) {
        line.truncate(depth + 1);
        let names: Vec<String> = line.iter().rev().map(|it| package.object_name(*it)).collect();
        return names.join(".");
    }
    let is_export = matches!(index.target(), ObjectRef::Export(_));
    let mut path = if is_export { scope.package_path.clone() } else { String::new() };
    let mut objects = 0;
    for &index in line.iter().rev() {
        if !path.is_empty() {
            path.push(if objects == 1 { ':' } else { '.' });
        }
        objects += u32::from(!is_package(package, index));
        path.push_str(&package.object_name(index));
    }
    path
}

/// Whether an object is a package, or a group of one.
fn is_package(package: &Package, index: PackageIndex) -> bool {
    match index.target() {
        ObjectRef::Null => false,
        ObjectRef::Export(_) => package.is_group(index),
        ObjectRef::Import(row) => {
            let class = package.tables().imports.get(row).map(|import| import.class_name);
            class.is_some_and(|class| package.is_name(class, "Package"))
        }
    }
}

/// The class of an object, in the form that is written.
fn class_of(
    package: &Package,
    index: PackageIndex,
    form: ReferenceForm,
    scope: &EditorScope,
) -> String {
    let class = match index.target() {
        ObjectRef::Export(row) => {
            match package.tables().exports.get(row).map(|row| row.class_index) {
                Some(class) if !class.is_null() => {
                    editor_path(package, class, PackageIndex::NULL, scope)
                }
                _ => "/Script/CoreUObject.Class".to_owned(),
            }
        }
        ObjectRef::Import(row) => {
            package.imports().get(row).map(|it| it.class()).unwrap_or_default()
        }
        ObjectRef::Null => String::new(),
    };
    match form.has_long_classes() {
        true => class,
        false => class.rsplit('.').next().unwrap_or_default().to_owned(),
    }
}
