//! Lists of properties as bytes, written from the specification (ue4-5/04 §3, §4).

use unreal_packages::Versions;
use unreal_packages::version::UnrealVersions;

/// The type of a property as a test writes it.
#[derive(Debug, Clone)]
pub enum Ty {
    /// A class without more: `IntProperty`.
    Plain(&'static str),
    /// A bool and its value.
    Bool(bool),
    /// A struct; whether it is stored in its own way.
    Struct(&'static str, bool),
    /// A byte or enum, and the name of the enum.
    Enum(&'static str, &'static str),
    /// Elements.
    Array(Box<Ty>),
    /// Elements.
    Set(Box<Ty>),
    /// A value or none.
    Optional(Box<Ty>),
    /// Keys and values.
    Map(Box<Ty>, Box<Ty>),
}

impl Ty {
    pub fn plain(class: &'static str) -> Self {
        Self::Plain(class)
    }

    fn class(&self) -> &'static str {
        match self {
            Self::Plain(class) | Self::Enum(class, _) => class,
            Self::Bool(_) => "BoolProperty",
            Self::Struct(..) => "StructProperty",
            Self::Array(_) => "ArrayProperty",
            Self::Set(_) => "SetProperty",
            Self::Optional(_) => "OptionalProperty",
            Self::Map(..) => "MapProperty",
        }
    }

    fn is_native(&self) -> bool {
        match self {
            Self::Struct(_, native) => *native,
            Self::Array(inner) | Self::Set(inner) | Self::Optional(inner) => inner.is_native(),
            Self::Map(key, value) => key.is_native() || value.is_native(),
            _ => false,
        }
    }
}

/// A name table in the making; "none" is not its first row.
#[derive(Debug, Clone)]
pub struct Names(Vec<String>);

impl Names {
    pub fn row(&mut self, text: &str) -> i32 {
        if let Some(row) = self.0.iter().position(|known| known == text) {
            return row as i32;
        }
        self.0.push(text.to_owned());
        self.0.len() as i32 - 1
    }

    /// The stored form of a name.
    pub fn stored(&mut self, text: &str) -> Vec<u8> {
        [self.row(text).to_le_bytes(), [0; 4]].concat()
    }

    pub fn texts(&self) -> &[String] {
        &self.0
    }
}

/// A finished list.
#[derive(Debug, Clone)]
pub struct Stored {
    pub bytes: Vec<u8>,
    pub names: Names,
}

/// A list in the making.
#[derive(Debug)]
pub struct List {
    versions: Versions,
    names: std::rc::Rc<std::cell::RefCell<Names>>,
    bytes: Vec<u8>,
    pub with_guid: bool,
    pub extensions: Option<[u8; 6]>,
}

impl List {
    pub fn new(versions: &Versions) -> Self {
        let names = Names(vec!["First".to_owned(), "None".to_owned()]);
        Self::from_names(versions, std::rc::Rc::new(std::cell::RefCell::new(names)))
    }

    pub fn from_names(versions: &Versions, names: std::rc::Rc<std::cell::RefCell<Names>>) -> Self {
        let versions = versions.clone();
        Self { versions, names, bytes: Vec::new(), with_guid: false, extensions: None }
    }

    pub fn names(&self) -> std::rc::Rc<std::cell::RefCell<Names>> {
        self.names.clone()
    }

    pub fn none(&self) -> Vec<u8> {
        self.name("None")
    }

    fn name(&self, text: &str) -> Vec<u8> {
        self.names.borrow_mut().stored(text)
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    pub fn property(&mut self, name: &str, ty: &Ty, value: &[u8]) -> &mut Self {
        self.indexed(name, ty, 0, value)
    }

    pub fn indexed(&mut self, name: &str, ty: &Ty, index: i32, value: &[u8]) -> &mut Self {
        let mut bytes = self.name(name);
        let value = match ty {
            Ty::Array(inner) if self.has_inner_tag(inner) => {
                self.with_inner_tag(name, inner, value)
            }
            _ => value.to_vec(),
        };
        bytes.extend(self.tag(ty, index, value.len() as i32));
        bytes.extend(value);
        self.bytes.extend(bytes);
        self
    }

    fn has_inner_tag(&self, inner: &Ty) -> bool {
        inner.class() == "StructProperty"
            && self.versions.ue4() >= 500
            && self.versions.ue5() < 1012
    }

    fn with_inner_tag(&self, name: &str, inner: &Ty, value: &[u8]) -> Vec<u8> {
        let (count, elements) = value.split_at(4);
        let inner = match inner {
            Ty::Plain(_) => &Ty::Struct("Custom", false),
            inner => inner,
        };
        let plain = Self::from_names(&self.versions, self.names.clone());
        let tag = plain.tag(inner, 0, elements.len() as i32);
        [count.to_vec(), self.name(name), tag, elements.to_vec()].concat()
    }

    fn tag(&self, ty: &Ty, index: i32, size: i32) -> Vec<u8> {
        if self.versions.ue5() >= 1012 {
            self.complete(ty, index, size)
        } else {
            self.old(ty, index, size)
        }
    }

    fn old(&self, ty: &Ty, index: i32, size: i32) -> Vec<u8> {
        let (ue4, ue5) = (self.versions.ue4(), self.versions.ue5());
        let mut bytes = self.name(ty.class());
        bytes.extend(size.to_le_bytes());
        bytes.extend(index.to_le_bytes());
        match ty {
            Ty::Struct(name, _) => {
                bytes.extend(self.name(name));
                bytes.extend(vec![0; if ue4 >= 441 { 16 } else { 0 }]);
            }
            Ty::Bool(value) => bytes.push((*value).into()),
            Ty::Enum(_, name) => bytes.extend(self.name(name)),
            Ty::Plain("ByteProperty") => bytes.extend(self.none()),
            Ty::Array(inner) if ue4 >= 282 => bytes.extend(self.name(inner.class())),
            Ty::Set(inner) if ue4 >= 509 => bytes.extend(self.name(inner.class())),
            Ty::Optional(inner) => bytes.extend(self.name(inner.class())),
            Ty::Map(key, value) if ue4 >= 509 => {
                bytes.extend(self.name(key.class()));
                bytes.extend(self.name(value.class()));
            }
            _ => {}
        }
        if ue4 >= 503 {
            bytes.push(self.with_guid.into());
            bytes.extend(self.guid());
        }
        if ue5 == 1011 {
            bytes.extend(self.extensions.map_or(vec![0], |bytes| bytes.to_vec()));
        }
        bytes
    }

    fn guid(&self) -> Vec<u8> {
        if self.with_guid { (1..=16).collect() } else { Vec::new() }
    }

    fn complete(&self, ty: &Ty, index: i32, size: i32) -> Vec<u8> {
        let mut bytes = self.tree(ty);
        bytes.extend(size.to_le_bytes());
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        bytes.push(
            flag(index != 0, 1)
                | flag(self.with_guid, 2)
                | flag(self.extensions.is_some(), 4)
                | flag(ty.is_native(), 8)
                | flag(matches!(ty, Ty::Bool(true)), 16),
        );
        if index != 0 {
            bytes.extend(index.to_le_bytes());
        }
        bytes.extend(self.guid());
        bytes.extend(self.extensions.iter().flatten());
        bytes
    }

    fn node(&self, text: &str, inner: i32) -> Vec<u8> {
        [self.name(text), inner.to_le_bytes().to_vec()].concat()
    }

    fn tree(&self, ty: &Ty) -> Vec<u8> {
        let class = ty.class();
        match ty {
            Ty::Plain(_) | Ty::Bool(_) => self.node(class, 0),
            Ty::Struct(name, _) => {
                [self.node(class, 1), self.node(name, 1), self.node("/Script/CoreUObject", 0)]
                    .concat()
            }
            Ty::Enum("ByteProperty", name) => {
                [self.node(class, 1), self.node(name, 1), self.node("/Script/Engine", 0)].concat()
            }
            Ty::Enum(_, name) => [
                self.node(class, 2),
                self.node(name, 1),
                self.node("/Script/Engine", 0),
                self.node("ByteProperty", 0),
            ]
            .concat(),
            Ty::Array(inner) | Ty::Set(inner) | Ty::Optional(inner) => {
                [self.node(class, 1), self.tree(inner)].concat()
            }
            Ty::Map(key, value) => [self.node(class, 2), self.tree(key), self.tree(value)].concat(),
        }
    }

    pub fn end(&mut self) -> Stored {
        let none = self.none();
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.extend(none);
        Stored { bytes, names: self.names.borrow().clone() }
    }
}
