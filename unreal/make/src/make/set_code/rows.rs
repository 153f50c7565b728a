//! From rows of a draft to rows of the package.

use std::collections::HashMap;

use crate::archive::{Archived, References, Remap};
use crate::edit::Edit;
use crate::error::{Error, Result};
use crate::make::draft::PackageDraft;
use crate::make::order::class_name;
use crate::object::Native;
use crate::object::script_object::ScriptObject;
use crate::primitive::{Name, NameRemap, ObjectRef, PackageIndex};
use crate::property::{Naming, PropertyList};
use crate::version::UnrealVersions;

/// A draft against the package that is edited.
pub(super) struct CodeRows<'a> {
    pub edit: &'a mut Edit,
    pub draft: &'a PackageDraft,
    /// The name under which the draft knows the package.
    own: &'a str,
    /// The groups around the class, each with a dot behind, in small letters.
    groups: String,
    /// Objects of the draft that are rows of the package.
    pub made: HashMap<usize, usize>,
    /// Exports by path in small letters.
    by_path: HashMap<String, Vec<usize>>,
    /// What the draft was only asked about: class and path in small letters.
    keys: HashMap<usize, String>,
}

impl<'a> CodeRows<'a> {
    pub fn new(
        edit: &'a mut Edit,
        draft: &'a PackageDraft,
        own: &'a str,
        class_row: usize,
    ) -> Self {
        let class = edit.path(PackageIndex::export(class_row)).to_lowercase();
        let groups = class.rsplit_once('.').map_or(String::new(), |(it, _)| format!("{it}."));
        let mut by_path: HashMap<String, Vec<usize>> = HashMap::new();
        for row in 0..edit.exports().len() {
            let path = edit.path(PackageIndex::export(row)).to_lowercase();
            by_path.entry(path).or_default().push(row);
        }
        let keys = draft.keys().map(|(key, row)| (row, key.to_owned())).collect();
        Self { edit, draft, own, groups, made: HashMap::new(), by_path, keys }
    }

    /// The export of a class and path.
    pub fn find(&self, class: &str, path: &str) -> Option<usize> {
        let path = path.to_lowercase();
        let grouped = self.by_path.get(&format!("{}{path}", self.groups));
        let rows = grouped.or_else(|| self.by_path.get(&path))?;
        let is_class = |row: &&usize| self.class_of(**row).eq_ignore_ascii_case(class);
        rows.iter().find(is_class).or(rows.first()).copied()
    }

    /// The class of an export in small letters.
    pub fn class_of(&self, row: usize) -> String {
        class_name(self.edit, PackageIndex::export(row)).to_ascii_lowercase()
    }

    /// An export as it is now.
    pub fn script(&self, row: usize) -> Option<ScriptObject> {
        let decoded = self.edit.decode(row).ok()?;
        match &decoded.body.native {
            Native::Script(object) => Some((**object).clone()),
            _ => None,
        }
    }

    /// The fields of a function or state, in their order.
    pub fn chain_of(&self, row: usize) -> Vec<usize> {
        let mut rows = Vec::new();
        let mut at = self.script(row).and_then(|it| it.structure().map(|it| it.children));
        while let Some(ObjectRef::Export(row)) = at.map(PackageIndex::target) {
            if rows.len() > self.edit.exports().len() {
                break;
            }
            rows.push(row);
            at = self.script(row).map(|it| it.field().next);
        }
        rows
    }

    /// The class of an object of the draft, as it is written.
    pub fn draft_class_name(&self, row: usize) -> String {
        self.draft.objects.get(row).map_or_else(String::new, |it| self.draft_name(it.class))
    }

    /// The same in small letters.
    pub fn draft_class(&self, row: usize) -> String {
        self.draft_class_name(row).to_ascii_lowercase()
    }

    /// The name of an object of the draft.
    pub fn draft_name(&self, index: PackageIndex) -> String {
        match index.target() {
            ObjectRef::Null => "None".to_owned(),
            ObjectRef::Export(row) => {
                self.draft.objects.get(row).map_or_else(String::new, |it| self.draft.text(it.name))
            }
            ObjectRef::Import(row) => self
                .draft
                .imports()
                .get(row)
                .map_or_else(String::new, |it| self.draft.text(it.name)),
        }
    }

    /// An object of the draft as an object of the package.
    fn object(&mut self, index: PackageIndex) -> Result<PackageIndex> {
        match index.target() {
            ObjectRef::Null => Ok(PackageIndex::NULL),
            ObjectRef::Export(row) => {
                if let Some(row) = self.made.get(&row) {
                    return Ok(PackageIndex::export(*row));
                }
                let key = self.keys.get(&row).cloned().unwrap_or_default();
                let (class, path) = key.split_once(' ').unwrap_or(("", &key));
                self.export(class, path)
            }
            ObjectRef::Import(row) => self.import(row),
        }
    }

    fn export(&self, class: &str, path: &str) -> Result<PackageIndex> {
        if let Some(row) = self.find(class, path) {
            return Ok(PackageIndex::export(row));
        }
        // An enum lies in a struct of the class perhaps.
        let (class_path, name) = path.split_once('.').unwrap_or((path, path));
        let name = name.rsplit('.').next().unwrap_or(name);
        let within = format!("{class_path}.");
        let found = self.by_path.iter().find(|(path, rows)| {
            path.starts_with(&within)
                && path.rsplit('.').next() == Some(name)
                && rows.iter().any(|row| self.class_of(*row) == class)
        });
        match found.and_then(|(_, rows)| rows.first()) {
            Some(row) => Ok(PackageIndex::export(*row)),
            None => Err(Error::invalid(format!("the package has no {class} '{path}'"))),
        }
    }

    fn import(&mut self, row: usize) -> Result<PackageIndex> {
        let mut steps = Vec::new();
        let mut at = PackageIndex::import(row);
        while let ObjectRef::Import(row) = at.target() {
            let Some(import) = self.draft.imports().get(row).filter(|_| steps.len() < 64) else {
                break;
            };
            let text = |name| self.draft.text(name);
            let class = format!("{}.{}", text(import.class_package), text(import.class_name));
            steps.push((text(import.name), class));
            at = import.outer;
        }
        steps.reverse();
        let is_own = steps.first().is_some_and(|(name, _)| name.eq_ignore_ascii_case(self.own));
        if is_own && steps.len() > 1 {
            let path: Vec<&str> = steps.iter().skip(1).map(|it| it.0.as_str()).collect();
            let class = steps.last().and_then(|it| it.1.rsplit('.').next()).unwrap_or_default();
            return self.export(&class.to_ascii_lowercase(), &path.join(".").to_lowercase());
        }
        let (mut path, mut found) = (String::new(), PackageIndex::NULL);
        for (name, class) in &steps {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name);
            found = self.edit.add_import(&path, class)?;
        }
        Ok(found)
    }

    fn rows_of(&mut self, references: &References) -> Result<[HashMap<i32, i32>; 2]> {
        let mut names = HashMap::new();
        for &row in references.rows(&Name::SPACE).keys() {
            let at = usize::try_from(row).ok();
            let text = at.and_then(|at| self.draft.names().get(at)).map_or("None", String::as_str);
            names.insert(row, self.edit.name(text)?.index.value());
        }
        let mut objects = HashMap::new();
        for &row in references.rows(&PackageIndex::SPACE).keys() {
            objects.insert(row, self.object(PackageIndex::new(row))?.value());
        }
        Ok([names, objects])
    }

    /// What an object of the draft holds, with the rows of the package.
    pub fn native(&mut self, native: &Native) -> Result<Native> {
        let mut native = native.clone();
        let Native::Script(object) = &mut native else { return Ok(native) };
        let versions = self.draft.versions().of_bodies();
        let mut references = References::new(versions.clone());
        object.clone().serialize(&mut references)?;
        let [names, objects] = self.rows_of(&references)?;
        let by_name = |row: i32| names.get(&row).copied();
        let by_object = |row: i32| objects.get(&row).copied();
        let mut remap = Remap::names_and_objects(versions, &by_name, &by_object);
        object.serialize(&mut remap)?;
        Ok(native)
    }

    /// Properties of the draft, with the rows of the package.
    pub fn properties(&mut self, list: &PropertyList) -> Result<PropertyList> {
        let mut list = list.clone();
        let versions = self.draft.versions().of_bodies();
        let mut references = References::new(versions.clone());
        list.clone().serialize(&mut references)?;
        let [names, objects] = self.rows_of(&references)?;
        let by_name = |row: i32| names.get(&row).copied();
        let by_object = |row: i32| objects.get(&row).copied();
        let mut remap = Remap::names_and_objects(versions, &by_name, &by_object);
        list.serialize(&mut remap)?;
        Ok(list)
    }
}
