//! A package that is being made: names, imports and objects in the order in which they came, before anything has
//! its place.

use std::collections::HashMap;

use crate::compile::ClassId;
use crate::error::Result;
use crate::object::Native;
use crate::object::script_object::ScriptObject;
use crate::primitive::{Name, ObjectFlags, ObjectRef, PackageIndex};
use crate::property::{Naming, PropertyList, Value};
use crate::table::next_row;
use crate::version::{UnrealVersions, Versions};

/// An object of another package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DraftImport {
    pub class_package: Name,
    pub class_name: Name,
    pub outer: PackageIndex,
    pub name: Name,
}

/// An object of the package.
#[derive(Debug, Clone)]
pub(super) struct DraftObject {
    pub name: Name,
    /// Null for classes.
    pub class: PackageIndex,
    pub super_index: PackageIndex,
    pub outer: PackageIndex,
    pub archetype: PackageIndex,
    pub flags: ObjectFlags,
    /// Properties of an object that is no class.
    pub properties: PropertyList,
    pub native: Native,
}

/// The tables of a package that is being made. The first name is `None`.
#[derive(Debug)]
pub(super) struct PackageDraft {
    versions: Versions,
    names: Vec<String>,
    by_name: HashMap<String, i32>,
    imports: Vec<DraftImport>,
    by_import: HashMap<String, PackageIndex>,
    pub objects: Vec<DraftObject>,
    /// By class and path.
    by_path: HashMap<String, usize>,
    /// Objects that are no declarations by path.
    inner: HashMap<String, usize>,
    /// Properties by path.
    properties: HashMap<String, usize>,
    /// The objects in the order in which the compiler makes them.
    pub created: Vec<usize>,
    /// What is said of objects for the editor, by key.
    pub said: Vec<(usize, Vec<(String, String)>)>,
    /// How many variables of each class there are so far.
    variables: HashMap<ClassId, u32>,
}

/// A part of the path of an object in another package: its name, and its class with the package of that.
pub(super) type ImportPart<'a> = (&'a str, &'a str);

impl PackageDraft {
    pub fn new(versions: Versions) -> Self {
        let (names, by_name) = (vec!["None".to_owned()], [("none".to_owned(), 0)].into());
        Self {
            versions,
            names,
            by_name,
            imports: Vec::new(),
            by_import: HashMap::new(),
            objects: Vec::new(),
            by_path: HashMap::new(),
            inner: HashMap::new(),
            properties: HashMap::new(),
            created: Vec::new(),
            said: Vec::new(),
            variables: HashMap::new(),
        }
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn imports(&self) -> &[DraftImport] {
        &self.imports
    }

    pub fn versions(&self) -> &Versions {
        &self.versions
    }

    /// The name of a text; the first one says how it is written.
    pub fn name(&mut self, text: &str) -> Name {
        let numbered = Name::split(text).filter(|_| self.versions.has_name_numbers());
        let (base, number) = numbered.unwrap_or((text, 0));
        let folded = base.to_lowercase();
        let row = match self.by_name.get(&folded) {
            Some(row) => *row,
            None => {
                let row = next_row(self.names.len()).unwrap_or(i32::MAX);
                self.names.push(base.to_owned());
                self.by_name.insert(folded, row);
                row
            }
        };
        Name::numbered(row, number)
    }

    /// The name of a text that has a row already; else `None`.
    pub fn known_name(&self, text: &str) -> Name {
        let numbered = Name::split(text).filter(|_| self.versions.has_name_numbers());
        let (base, number) = numbered.unwrap_or((text, 0));
        let row = self.by_name.get(&base.to_lowercase()).copied();
        row.map_or(Name::new(0), |row| Name::numbered(row, number))
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> String {
        let row = usize::try_from(name.index.value()).ok();
        let base = row.and_then(|row| self.names.get(row)).cloned().unwrap_or_default();
        match name.number {
            0 => base,
            number => format!("{base}_{}", i64::from(number) - 1),
        }
    }

    /// An object of another package by the parts of its path, the package first.
    pub fn import(&mut self, path: &[ImportPart<'_>]) -> PackageIndex {
        let (mut outer, mut key) = (PackageIndex::NULL, String::new());
        for (name, class) in path {
            key.push('.');
            key.push_str(&name.to_lowercase());
            let class_path =
                if class.contains('.') { (*class).to_owned() } else { format!("Core.{class}") };
            let known = format!("{} {key}", class_path.to_lowercase());
            outer = match self.by_import.get(&known) {
                Some(index) => *index,
                None => {
                    let (package, class) = class.split_once('.').unwrap_or(("Core", class));
                    let import = DraftImport {
                        class_package: self.name(package),
                        class_name: self.name(class),
                        outer,
                        name: self.name(name),
                    };
                    let index = PackageIndex::import(self.imports.len());
                    self.imports.push(import);
                    self.by_import.insert(known, index);
                    index
                }
            };
        }
        outer
    }

    /// The row of an import by class and path in small letters.
    pub fn imported(&self, key: &str) -> Option<usize> {
        match self.by_import.get(key)?.target() {
            crate::primitive::ObjectRef::Import(row) => Some(row),
            _ => None,
        }
    }

    /// The object of a class and path in the package, whether the compiler has come to it or not.
    pub fn reserve(&mut self, class: &str, path: &str) -> usize {
        let key = format!("{} {}", class.to_lowercase(), path.to_lowercase());
        if let Some(row) = self.by_path.get(&key) {
            return *row;
        }
        let row = self.objects.len();
        let name = self.name(path.rsplit('.').next().unwrap_or(path));
        let is_property = class.ends_with("Property");
        let class = match class {
            "Class" => PackageIndex::NULL,
            // The caller knows the class of other objects.
            class if !is_builtin(class) => PackageIndex::NULL,
            class => self.import(&[("Core", "Core.Package"), (class, "Core.Class")]),
        };
        self.objects.push(DraftObject {
            name,
            class,
            super_index: PackageIndex::NULL,
            outer: PackageIndex::NULL,
            archetype: PackageIndex::NULL,
            flags: ObjectFlags::of_new(&self.versions, false),
            properties: PropertyList::new(Vec::new(), Name::new(0)),
            native: Native::None,
        });
        self.by_path.insert(key, row);
        if is_property {
            self.properties.insert(path.to_lowercase(), row);
        }
        row
    }

    /// Class and path of each object that was reserved, in small letters, with its row.
    pub fn keys(&self) -> impl Iterator<Item = (&str, usize)> {
        self.by_path.iter().map(|(key, row)| (key.as_str(), *row))
    }

    /// The object of a class and path in the package, where it was reserved.
    pub fn find(&self, class: &str, path: &str) -> Option<usize> {
        let key = format!("{} {}", class.to_lowercase(), path.to_lowercase());
        self.by_path.get(&key).copied()
    }

    /// The same, made now: it follows those that were made before. A second one of its path is none.
    pub fn create(&mut self, class: &str, path: &str, outer: PackageIndex) -> usize {
        let row = self.reserve(class, path);
        self.objects[row].outer = outer;
        if self.objects[row].native_is_none() {
            self.created.push(row);
        }
        if let Some(blank) = ScriptObject::blank(class) {
            self.objects[row].native = Native::Script(Box::new(blank));
        }
        row
    }

    /// An object that is no declaration, of this class.
    pub fn create_object(
        &mut self,
        class: PackageIndex,
        class_name: &str,
        path: &str,
        outer: PackageIndex,
    ) -> usize {
        let is_new = self.find(class_name, path).is_none();
        let row = self.reserve(class_name, path);
        let object = &mut self.objects[row];
        (object.class, object.outer) = (class, outer);
        if is_new {
            self.created.push(row);
            self.inner.insert(path.to_lowercase(), row);
        }
        row
    }

    /// The name of the class of an object, as far as an import says it.
    pub fn object_class(&self, row: usize) -> String {
        let class = self.objects.get(row).map_or(PackageIndex::NULL, |object| object.class);
        match class.target() {
            ObjectRef::Import(row) => {
                self.imports.get(row).map_or_else(String::new, |import| self.text(import.name))
            }
            ObjectRef::Export(row) => {
                self.objects.get(row).map_or_else(String::new, |object| self.text(object.name))
            }
            ObjectRef::Null => "Class".to_owned(),
        }
    }

    /// Says something of an object for the editor.
    pub fn say(&mut self, row: usize, texts: Vec<(String, String)>) {
        self.said.push((row, texts));
    }

    /// The number of the next variable of a class.
    pub fn number_of_variable(&mut self, class: ClassId) -> u32 {
        let next = self.variables.entry(class).or_default();
        let number = *next;
        *next = next.saturating_add(1);
        number
    }

    /// The object of a path that is no declaration.
    pub fn find_object(&self, path: &str) -> Option<usize> {
        self.inner.get(&path.to_lowercase()).copied()
    }

    /// Content of the package by its class and the end of its path; any class where it is `Object`.
    pub fn content_named(&self, class: &str, path: &str) -> Option<usize> {
        let path = path.to_lowercase();
        let inner = format!(".{path}");
        let mut all = self.inner.iter().filter(|(known, row)| {
            let of = self.objects.get(**row).map(|it| self.name_of(it.class));
            let is_class = class.eq_ignore_ascii_case("Object")
                || of.is_some_and(|of| of.eq_ignore_ascii_case(class));
            is_class && (**known == path || known.ends_with(&inner))
        });
        // Of several the one whose path comes first.
        let first = all.next()?;
        Some(*all.fold(first, |one, two| if two.0 < one.0 { two } else { one }).1)
    }

    /// The name of an object of this or another package.
    fn name_of(&self, index: PackageIndex) -> String {
        match index.target() {
            crate::primitive::ObjectRef::Null => String::new(),
            crate::primitive::ObjectRef::Export(row) => {
                self.objects.get(row).map_or_else(String::new, |it| self.text(it.name))
            }
            crate::primitive::ObjectRef::Import(row) => {
                self.imports.get(row).map_or_else(String::new, |it| self.text(it.name))
            }
        }
    }

    /// The property of a path, whatever its class.
    pub fn find_property(&self, path: &str) -> Option<usize> {
        self.properties.get(&path.to_lowercase()).copied()
    }

    pub fn script(&self, row: usize) -> Option<&ScriptObject> {
        match &self.objects.get(row)?.native {
            Native::Script(object) => Some(object),
            _ => None,
        }
    }

    pub fn script_mut(&mut self, row: usize) -> Option<&mut ScriptObject> {
        match &mut self.objects.get_mut(row)?.native {
            Native::Script(object) => Some(object),
            _ => None,
        }
    }
}

/// Whether it is a class of declarations.
fn is_builtin(class: &str) -> bool {
    ScriptObject::blank(class).is_some() || class == "TextBuffer"
}

impl DraftObject {
    fn native_is_none(&self) -> bool {
        matches!(self.native, Native::None)
    }
}

impl Naming for PackageDraft {
    fn versions(&self) -> &Versions {
        &self.versions
    }

    fn name(&mut self, text: &str) -> Result<Name> {
        Ok(Self::name(self, text))
    }

    fn soft_path(&mut self, text: &str) -> Result<Value> {
        let reason = format!("packages of this version have no soft paths such as {text}");
        Err(crate::Error::invalid(reason))
    }
}
