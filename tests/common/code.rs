//! Code packages from parts: classes with properties, structs and enums, as the compiler leaves them.

use std::collections::HashMap;

use unreal_packages::object::script_object::{
    Class, Const, Enum, Field, Function, PropertyClass, ScriptObject, ScriptStruct, State, Struct,
    UProperty,
};
use unreal_packages::object::text::TextBuffer;
use unreal_packages::primitive::{ObjectFlags, PackageFlags, StoredName};
use unreal_packages::property::PropertyList;
use unreal_packages::table::{Export, FileVersions, Generation, Import};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, Guid, Name, PackageIndex, Saver, Versions};

use super::parts::Parts;

/// What is put into a class, in its order.
#[derive(Debug, Clone)]
pub enum Member {
    /// Name, class of the property, what it refers to by path, flags.
    Property(&'static str, &'static str, Vec<String>, u64),
    /// An array: name, class of the inner property, what that refers to.
    Array(&'static str, &'static str, Vec<String>),
    /// Name, parent's path or nothing, fields.
    Struct(&'static str, &'static str, Vec<Member>),
    /// Name and values.
    Enum(&'static str, Vec<&'static str>),
    /// Name and value as written.
    Const(&'static str, &'static str),
    /// Name, flags, native index, parameters.
    Function(&'static str, u32, u16, Vec<Member>),
    /// A property with this many elements.
    Fixed(Box<Member>, u32),
}

/// A property of this class without references.
pub fn property(name: &'static str, class: &'static str) -> Member {
    Member::Property(name, class, Vec::new(), 1)
}

/// A property that refers to these objects.
pub fn referring(name: &'static str, class: &'static str, to: &[&str]) -> Member {
    Member::Property(name, class, to.iter().map(|&path| path.to_owned()).collect(), 1)
}

/// An array.
pub fn array(name: &'static str, inner: &'static str, to: &[&str]) -> Member {
    Member::Array(name, inner, to.iter().map(|&path| path.to_owned()).collect())
}

/// A code package under construction.
pub struct Code {
    parts: Parts,
    names: HashMap<String, Name>,
    rows: HashMap<String, PackageIndex>,
    /// The flags of classes that are added.
    pub class_flags: u32,
    /// The lines of C++ of classes that are added, from UE2.
    pub cpp_text: &'static str,
}

impl Code {
    pub fn new(versions: Versions, guid: Guid) -> Self {
        let parts = Parts { versions, ..Parts::default() };
        let mut code = Self {
            parts,
            names: HashMap::new(),
            rows: HashMap::new(),
            class_flags: 0,
            cpp_text: "",
        };
        code.name("None");
        let versions = &code.parts.versions;
        let (file, licensee) = (versions.file() as u16, versions.licensee() as u16);
        let summary = &mut code.parts.summary;
        summary.versions = FileVersions::of_file(file, licensee);
        summary.package_flags = PackageFlags::ALLOW_DOWNLOAD;
        summary.guid = guid;
        if file >= 269 {
            summary.folder_name = unreal_packages::FString::new("None");
        }
        summary.generations = vec![Generation::default()];
        code
    }

    pub fn name(&mut self, text: &str) -> Name {
        if let Some(name) = self.names.get(text) {
            return *name;
        }
        let name = self.parts.name(text);
        self.names.insert(text.to_owned(), name);
        name
    }

    /// The object of this path: of this package if it is there, else imported, a class unless `kind` says
    /// otherwise.
    pub fn object(&mut self, path: &str, kind: &str) -> PackageIndex {
        if path.is_empty() {
            return PackageIndex::NULL;
        }
        if let Some(index) = self.rows.get(path) {
            return *index;
        }
        let (outer, own) = path.rsplit_once('.').unwrap_or(("", path));
        let class_name = match outer {
            "" => "Package",
            _ => kind,
        };
        // What lies in a class is around a struct; what lies in a package is a class.
        let around = if outer.contains('.') { "Class" } else { "Package" };
        let import = Import {
            outer_index: self.object(outer, around),
            class_package: self.name("Core"),
            class_name: self.name(class_name),
            object_name: self.name(own),
            ..Import::default()
        };
        self.parts.imports.push(import);
        let index = PackageIndex::import(self.parts.imports.len() - 1);
        self.rows.insert(path.to_owned(), index);
        index
    }

    fn export(&mut self, path: &str, class: &str, super_index: PackageIndex) -> usize {
        let (outer, own) = path.rsplit_once('.').unwrap_or(("", path));
        let flags = if self.parts.versions.file() < 195 { 0x7_0004 } else { 0x7_0004 << 32 };
        let class_index = match class {
            "" => PackageIndex::NULL,
            class => self.object(&format!("Core.{class}"), "Class"),
        };
        let export = Export {
            class_index,
            super_index,
            outer_index: self.rows.get(outer).copied().unwrap_or_default(),
            object_name: self.name(own),
            object_flags: ObjectFlags(flags),
            ..Export::default()
        };
        let row = self.parts.export(export, []);
        self.rows.insert(path.to_owned(), PackageIndex::export(row));
        row
    }

    fn save<T: Archived>(&self, value: &mut T) -> Vec<u8> {
        let mut saver = Saver::new(self.parts.versions.clone());
        value.serialize(&mut saver).unwrap();
        saver.into_bytes()
    }

    /// A text buffer in a class.
    fn cpp_text_of(&mut self, class: &str) -> PackageIndex {
        if self.cpp_text.is_empty() {
            return PackageIndex::NULL;
        }
        let row = self.export(&format!("{class}.CppText"), "TextBuffer", PackageIndex::NULL);
        let text = unreal_packages::FString::new(self.cpp_text);
        let mut bytes = if self.parts.versions.file() >= 322 { vec![0; 4] } else { Vec::new() };
        bytes.extend(self.save(&mut PropertyList::default()));
        bytes.extend(self.save(&mut TextBuffer { pos: 0, top: 0, text }));
        self.parts.bodies[row] = bytes;
        PackageIndex::export(row)
    }

    /// The body of a script object that is no class: net index, empty properties, the object.
    fn body(&self, object: &mut ScriptObject) -> Vec<u8> {
        let mut bytes = if self.parts.versions.file() >= 322 { vec![0; 4] } else { Vec::new() };
        bytes.extend(self.save(&mut PropertyList::default()));
        bytes.extend(self.save(object));
        bytes
    }

    /// Adds a class with its members; `defaults` are the bytes of its default values in UE1 and UE2, without
    /// the terminator. `parent` is a path with its package.
    pub fn class(
        &mut self,
        name: &str,
        parent: &str,
        native: bool,
        members: &[Member],
        defaults: &[u8],
    ) {
        let parent = self.object(parent, "Class");
        let row = self.export(name, "", parent);
        let children = self.members(name, members);
        if native {
            let wide = self.parts.versions.file() >= 195;
            let bit = if wide { 0x0400_0000 << 32 } else { 0x0400_0000 };
            self.parts.exports[row].object_flags.0 |= bit;
        }
        let base = Struct {
            field: Field { super_field: self.old_super(parent), next: PackageIndex::NULL },
            super_field: self.new_super(parent),
            children,
            friendly_name: if self.parts.versions.file() < 160 {
                self.name(name).into()
            } else {
                StoredName::ABSENT
            },
            ..Struct::default()
        };
        let cpp_text = self.cpp_text_of(name);
        let base = Struct { cpp_text, ..base };
        let state = State { base, ..State::default() };
        let class_flags = self.class_flags;
        let class = Class { base: state, class_flags, ..Class::default() };
        let mut bytes = if self.parts.versions.file() >= 322 { vec![0; 4] } else { Vec::new() };
        let mut saved = self.save(&mut ScriptObject::Class(Box::new(class)));
        if self.parts.versions.file() < 219 {
            // The empty list of defaults is its terminator, one byte: the name None.
            assert_eq!(saved.pop(), Some(0));
            saved.extend(defaults);
            saved.push(0);
        }
        bytes.extend(saved);
        self.parts.bodies[row] = bytes;
    }

    fn old_super(&self, parent: PackageIndex) -> PackageIndex {
        if self.parts.versions.file() < 756 { parent } else { PackageIndex::NULL }
    }

    fn new_super(&self, parent: PackageIndex) -> PackageIndex {
        if self.parts.versions.file() < 756 { PackageIndex::NULL } else { parent }
    }

    /// Adds members, linked from the first to the last; returns the first.
    fn members(&mut self, outer: &str, members: &[Member]) -> PackageIndex {
        let mut next = PackageIndex::NULL;
        let rows: Vec<usize> =
            members.iter().map(|member| self.member_row(outer, member)).collect();
        for (row, member) in rows.into_iter().zip(members).rev() {
            let mut object = self.member(outer, member, next);
            self.parts.bodies[row] = self.body(&mut object);
            next = PackageIndex::export(row);
        }
        next
    }

    fn member_row(&mut self, outer: &str, member: &Member) -> usize {
        let (name, class, parent) = match member {
            Member::Property(name, class, ..) => (name, *class, ""),
            Member::Array(name, ..) => (name, "ArrayProperty", ""),
            Member::Struct(name, parent, _) => {
                let class =
                    if self.parts.versions.file() < 178 { "Struct" } else { "ScriptStruct" };
                (name, class, *parent)
            }
            Member::Enum(name, _) => (name, "Enum", ""),
            Member::Const(name, _) => (name, "Const", ""),
            Member::Function(name, ..) => (name, "Function", ""),
            Member::Fixed(one, _) => return self.member_row(outer, one),
        };
        let parent = self.object(parent, "Struct");
        self.export(&format!("{outer}.{name}"), class, parent)
    }

    fn member(&mut self, outer: &str, member: &Member, next: PackageIndex) -> ScriptObject {
        let field = Field { super_field: PackageIndex::NULL, next };
        match member {
            Member::Property(_, class, to, flags) => {
                let class = self.filled(class, to);
                let (array_dim, property_flags) = (1, *flags);
                ScriptObject::Property(UProperty {
                    field,
                    array_dim,
                    property_flags,
                    class,
                    ..UProperty::default()
                })
            }
            Member::Array(name, inner, to) => {
                let path = format!("{outer}.{name}.{name}");
                let row = self.export(&path, inner, PackageIndex::NULL);
                let class = self.filled(inner, to);
                let element = UProperty { array_dim: 1, class, ..UProperty::default() };
                self.parts.bodies[row] = self.body(&mut ScriptObject::Property(element));
                let class = PropertyClass::One(PackageIndex::export(row));
                let (array_dim, property_flags) = (1, 1);
                ScriptObject::Property(UProperty {
                    field,
                    array_dim,
                    property_flags,
                    class,
                    ..UProperty::default()
                })
            }
            Member::Struct(name, parent, fields) => {
                let parent = self.object(parent, "Struct");
                let children = self.members(&format!("{outer}.{name}"), fields);
                let friendly = if self.parts.versions.file() < 160 {
                    self.name(name).into()
                } else {
                    StoredName::ABSENT
                };
                let field = Field { super_field: self.old_super(parent), ..field };
                let super_field = self.new_super(parent);
                let base = Struct {
                    field,
                    super_field,
                    children,
                    friendly_name: friendly,
                    ..Struct::default()
                };
                ScriptObject::Struct(ScriptStruct { base, ..ScriptStruct::default() })
            }
            Member::Enum(_, values) => {
                let names = values.iter().map(|value| self.name(value)).collect();
                ScriptObject::Enum(Enum { field, names })
            }
            Member::Const(_, value) => {
                let value = unreal_packages::FString::new(value);
                ScriptObject::Const(Const { field, value })
            }
            Member::Function(name, flags, native, parameters) => {
                let children = self.members(&format!("{outer}.{name}"), parameters);
                let mut friendly = [self.name(name).into(), StoredName::ABSENT];
                if self.parts.versions.file() >= 160 {
                    friendly.reverse();
                }
                let [of_base, friendly_name] = friendly;
                let base = Struct { field, children, friendly_name: of_base, ..Struct::default() };
                ScriptObject::Function(Function {
                    base,
                    friendly_name,
                    native: *native,
                    function_flags: *flags,
                    ..Function::default()
                })
            }
            Member::Fixed(one, count) => match self.member(outer, one, next) {
                ScriptObject::Property(property) => {
                    ScriptObject::Property(UProperty { array_dim: *count, ..property })
                }
                other => other,
            },
        }
    }

    fn filled(&mut self, class: &str, to: &[String]) -> PropertyClass {
        let kind = match class {
            "StructProperty" => "Struct",
            "ByteProperty" => "Enum",
            _ => "Class",
        };
        let mut to: Vec<PackageIndex> = to.iter().map(|path| self.object(path, kind)).collect();
        to.resize(2, PackageIndex::NULL);
        match PropertyClass::blank(class).unwrap() {
            PropertyClass::One(_) => PropertyClass::One(to[0]),
            PropertyClass::Two(..) => PropertyClass::Two(to[0], to[1]),
            other => other,
        }
    }

    /// Lets a function or state that is there override another one: its row says so.
    pub fn derive(&mut self, path: &str, parent: PackageIndex) {
        let row = self.rows[path].value() as usize - 1;
        self.parts.exports[row].super_index = parent;
    }

    /// Adds an object with this body; its class is a path with its package.
    pub fn instance(&mut self, name: &str, class: &str, body: &[u8]) {
        let class_index = self.object(class, "Class");
        let row = self.export(name, "", PackageIndex::NULL);
        self.parts.exports[row].class_index = class_index;
        self.parts.bodies[row] = body.to_vec();
    }

    pub fn build(mut self) -> Vec<u8> {
        let counts = Generation {
            export_count: self.parts.exports.len() as i32,
            name_count: self.parts.names.len() as i32,
            ..Generation::default()
        };
        self.parts.summary.generations = vec![counts];
        if self.parts.versions.file() >= 415 {
            self.parts.depends = vec![Default::default(); self.parts.exports.len()];
        }
        self.parts.assemble()
    }
}
