//! Objects that texts name: `Texture'Pack.Group.Name'`.

use crate::primitive::{ObjectRef, PackageIndex};

use super::declare::ClassMaker;
use super::draft::PackageDraft;

/// Objects of other packages, by class and name in small letters: what texts may name without the whole path.
#[derive(Debug, Clone, Default)]
pub(super) struct NamedObjects(std::collections::HashMap<String, Vec<NamedObject>>);

/// An object of another package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedObject {
    /// With the package.
    pub path: String,
    /// The class of each part of the path, the package's first.
    pub classes: Vec<String>,
}

impl NamedObjects {
    /// Adds an object under its own name.
    pub fn add(&mut self, object: NamedObject) {
        let name = object.path.rsplit('.').next().unwrap_or_default().to_lowercase();
        let all = self.0.entry(name).or_default();
        if !all.contains(&object) {
            all.push(object);
        }
    }

    /// The objects that lie directly within one, by its path with the package.
    pub fn within(&self, around: &str) -> impl Iterator<Item = &NamedObject> {
        let around = around.to_lowercase();
        let mut found: Vec<&NamedObject> = self
            .0
            .values()
            .flatten()
            .filter(|it| {
                it.path.to_lowercase().rsplit_once('.').is_some_and(|(outer, _)| outer == around)
            })
            .collect();
        found.sort_by_key(|it| it.path.to_lowercase());
        found.into_iter()
    }

    /// The object of this class whose path ends like this; of several the first.
    pub fn find(&self, class: &str, path: &str) -> Option<&NamedObject> {
        let wanted = path.to_lowercase();
        let name = wanted.rsplit('.').next().unwrap_or_default();
        let all = self.0.get(name)?;
        let parts: Vec<&str> = wanted.split('.').collect();
        let fits = |object: &&NamedObject, exact: bool| {
            let own = object.path.to_lowercase();
            let own: Vec<&str> = own.split('.').collect();
            let is_class = object
                .classes
                .last()
                .is_some_and(|it| it.rsplit('.').next().unwrap_or(it).eq_ignore_ascii_case(class));
            let same = match exact {
                true => own == parts,
                // The name alone, or package and name without groups.
                false => {
                    parts.len() == 1
                        || own.first() == parts.first() && own.last() == parts.last()
                        || own.ends_with(&parts)
                }
            };
            same && (is_class || class.eq_ignore_ascii_case("Object"))
        };
        all.iter().find(|it| fits(it, true)).or_else(|| all.iter().find(|it| fits(it, false)))
    }
}

impl ClassMaker<'_> {
    /// The object that a text names by its class and path.
    pub fn named(&mut self, class: &str, path: &str) -> Option<PackageIndex> {
        if path.is_empty() || path.eq_ignore_ascii_case("None") {
            return Some(PackageIndex::NULL);
        }
        if class.eq_ignore_ascii_case("Class") {
            let name = path.rsplit('.').next().unwrap_or(path);
            if let Some(id) = self.symbols.find_class(name) {
                return Some(self.class_reference(id));
            }
        }
        let own = path.split_once('.').filter(|it| it.0.eq_ignore_ascii_case(self.package));
        let own = own.map_or(path, |it| it.1);
        if let Some(row) = self.draft.find(class, own) {
            return Some(PackageIndex::export(row));
        }
        if let Some(row) = self.draft.content_named(class, own) {
            return Some(PackageIndex::export(row));
        }
        if let Some(found) = self.objects.find(class, path).cloned() {
            return Some(import_named(self.draft, &found));
        }
        None
    }
}

/// The import of an object of another package.
pub(super) fn import_named(draft: &mut PackageDraft, object: &NamedObject) -> PackageIndex {
    let parts: Vec<(&str, &str)> =
        object.path.split('.').zip(object.classes.iter().map(String::as_str)).collect();
    draft.import(&parts)
}

impl PackageDraft {
    /// The path of an object without its package; `None` of none.
    pub fn path_of(&self, index: PackageIndex) -> Option<String> {
        let mut names = Vec::new();
        let mut at = index;
        for _ in 0..64 {
            at = match at.target() {
                ObjectRef::Null => break,
                ObjectRef::Export(row) => {
                    let object = self.objects.get(row)?;
                    names.push(self.text(object.name));
                    object.outer
                }
                ObjectRef::Import(row) => {
                    let import = self.imports().get(row)?;
                    if import.outer.is_null() {
                        break;
                    }
                    names.push(self.text(import.name));
                    import.outer
                }
            };
        }
        names.reverse();
        (!names.is_empty()).then(|| names.join("."))
    }
}
