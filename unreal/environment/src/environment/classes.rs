//! The classes of many packages: inheritance, properties, structs, enums, functions.

use std::collections::BTreeMap;

use super::{ClassInfo, EnumInfo, Environment, FileId, StructInfo};
use crate::Engine;
use crate::decompile::DeclaredScripts;
use crate::error::near::nearest;

/// Parents are followed this far.
pub(super) const DEEPEST: usize = 64;

/// Classes and structs by their full path, in any case.
#[derive(Debug, Clone, Default)]
pub struct Classes {
    classes: BTreeMap<String, ClassInfo>,
    structs: BTreeMap<String, StructInfo>,
    enums: BTreeMap<String, EnumInfo>,
    /// The engine of the first package; `None` before there is one.
    pub(super) engine: Option<Engine>,
}

impl Classes {
    /// Whether they are of UE4 or UE5: then nothing says where properties lie in memory.
    pub fn is_ue4(&self) -> bool {
        self.engine.is_some_and(|engine| !engine.has_memory_layouts())
    }

    /// The engine that they are of: that of the first package.
    pub fn engine(&self) -> Engine {
        self.engine.unwrap_or(Engine::Ue1)
    }

    /// Every class, by path.
    pub fn iter(&self) -> impl Iterator<Item = &ClassInfo> {
        self.classes.values()
    }

    /// Every struct, by path.
    pub fn structs(&self) -> impl Iterator<Item = &StructInfo> {
        self.structs.values()
    }

    /// Every enum, by path.
    pub fn enums(&self) -> impl Iterator<Item = &EnumInfo> {
        self.enums.values()
    }

    /// The class with this path, or the first of this bare name.
    pub fn get(&self, class: &str) -> Option<&ClassInfo> {
        let lower = class.to_ascii_lowercase();
        self.classes.get(&lower).or_else(|| {
            let bare = !class.contains('.');
            self.iter().find(|known| bare && known.name.eq_ignore_ascii_case(class))
        })
    }

    /// The struct with this path, or the first of this bare name.
    pub fn structure(&self, path: &str) -> Option<&StructInfo> {
        let lower = path.to_ascii_lowercase();
        self.structs.get(&lower).or_else(|| {
            let bare = !path.contains('.');
            self.structs().find(|known| bare && known.name().eq_ignore_ascii_case(path))
        })
    }

    /// The enum with this path.
    pub fn enumeration(&self, path: &str) -> Option<&EnumInfo> {
        self.enums.get(&path.to_ascii_lowercase())
    }

    /// The paths of classes, structs and enums with a name like that of one that is not there.
    pub fn near(&self, name: &str) -> Vec<String> {
        let last = |path: &str| path.rsplit(['.', ':']).next().unwrap_or_default().to_owned();
        let classes = self.iter().map(ClassInfo::path);
        let others = self.structs().map(StructInfo::full_path);
        let paths: Vec<String> =
            classes.chain(others).chain(self.enums().map(|known| known.path.clone())).collect();
        let names = nearest(&last(name), paths.iter().map(|path| last(path)));
        let path = |name: &String| paths.iter().find(|path| last(path) == *name).cloned();
        names.iter().filter_map(path).collect()
    }

    /// A class and those that it derives from, itself first; ends where a parent is not known.
    pub fn chain(&self, class: &str) -> Vec<&ClassInfo> {
        let mut chain = Vec::new();
        let mut at = self.get(class);
        while let Some(class) = at.filter(|_| chain.len() < DEEPEST) {
            chain.push(class);
            at = class.parent.as_ref().and_then(|parent| self.get(parent));
        }
        chain
    }

    /// Whether every class that it derives from is known, up to one that derives from nothing.
    pub fn is_rooted(&self, class: &str) -> bool {
        self.chain(class).last().is_some_and(|root| root.parent.is_none())
    }

    /// The classes that derive from this one directly.
    pub fn children<'a>(&'a self, class: &'a str) -> impl Iterator<Item = &'a ClassInfo> {
        self.iter().filter(move |child| {
            child.parent.as_ref().is_some_and(|parent| parent.eq_ignore_ascii_case(class))
        })
    }

    pub(super) fn insert(&mut self, class: ClassInfo) {
        self.classes.entry(class.path().to_ascii_lowercase()).or_insert(class);
    }

    pub(super) fn insert_struct(&mut self, structure: StructInfo) {
        self.structs.entry(structure.full_path().to_ascii_lowercase()).or_insert(structure);
    }

    pub(super) fn insert_enum(&mut self, enumeration: EnumInfo) {
        self.enums.entry(enumeration.path.to_ascii_lowercase()).or_insert(enumeration);
    }
}

impl Environment {
    /// The classes, structs and enums of every package that is found by its name; `progress` hears how many files are
    /// done. Packages that can't be opened are passed over.
    pub fn classes(&self, progress: &mut dyn FnMut(usize)) -> Classes {
        let mut classes = Classes::default();
        for (done, (id, _)) in self.files().enumerate() {
            progress(done);
            self.add_classes(id, &mut classes);
        }
        classes
    }

    /// The classes of a package, and of those that it builds on as far as they are there.
    pub fn classes_around(&self, package: &crate::Package, name: &str) -> Classes {
        let mut classes = Classes::default();
        classes.add(package, name);
        for id in self.sources_of(&super::Digest::of_tables(package)) {
            self.add_classes(id, &mut classes);
        }
        classes
    }

    /// Declarations of the packages that a package builds on: for its code.
    pub fn scripts_around(&self, package: &crate::Package) -> DeclaredScripts {
        let mut declared = DeclaredScripts::default();
        for id in self.sources_of(&super::Digest::of_tables(package)) {
            if self.is_found(id)
                && let Ok(package) = self.open_file(id)
            {
                declared.add(&package);
            }
        }
        declared
    }

    fn add_classes(&self, id: FileId, classes: &mut Classes) {
        let code = self.digest(id).is_ok_and(|digest| digest.declares());
        if code
            && self.is_found(id)
            && let Ok(package) = self.open_file(id)
        {
            classes.add(&package, &self.file(id).name);
        }
    }
}
