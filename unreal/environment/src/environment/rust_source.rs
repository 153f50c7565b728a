//! Rust structs for the properties of classes.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::classes::DEEPEST;
use super::rust_name::{field_name, printable, type_name};
use super::{ClassInfo, Classes, FieldInfo, FieldType};

/// The text before the structs.
const HEAD: &str = "\
// Needs the crate `unreal-packages` with its feature `serde`.
#![allow(dead_code, non_camel_case_types, non_snake_case, clippy::all)]
";

/// The traits that every struct derives.
const DERIVES: &str = "\
#[derive(Debug, Clone, Default, PartialEq, ::unreal_packages::serde::Serialize, ::unreal_packages::serde::Deserialize)]
#[serde(crate = \"::unreal_packages::serde\", default)]
";

/// Structs of `Core` that everything uses, for when it is not there: fields of one type.
const KNOWN: &[(&str, FieldType, &str)] = &[
    ("Vector", FieldType::Float, "X Y Z"),
    ("Rotator", FieldType::Int, "Pitch Yaw Roll"),
    ("Color", FieldType::Byte(None), "R G B A"),
    ("Plane", FieldType::Float, "X Y Z W"),
    ("Vector2D", FieldType::Float, "X Y"),
    ("Quat", FieldType::Float, "X Y Z W"),
    ("LinearColor", FieldType::Float, "R G B A"),
    ("Guid", FieldType::Int, "A B C D"),
];

/// Structs of `CoreUObject` in UE4 and UE5; numbers of 64 bits hold those of 32 as well.
const KNOWN_LATER: &[(&str, &str, &str)] = &[
    ("Vector", "double", "X Y Z"),
    ("Rotator", "double", "Pitch Yaw Roll"),
    ("Vector2D", "double", "X Y"),
    ("Vector4", "double", "X Y Z W"),
    ("Plane", "double", "X Y Z W"),
    ("Quat", "double", "X Y Z W"),
    ("LinearColor", "float", "R G B A"),
    ("Color", "byte", "B G R A"),
    ("IntPoint", "int", "X Y"),
    ("IntVector", "int", "X Y Z"),
];

/// One field of a struct that is written.
struct Member {
    /// Its name in Rust.
    identifier: String,
    name: String,
    /// The type of one value.
    value: String,
    dimension: u32,
    remark: String,
}

struct RustSource<'a> {
    classes: &'a Classes,
    text: String,
    /// Types that are written.
    taken: HashSet<String>,
    /// Structs by path in lower case; `None` for those that have no struct in Rust, and while one is being
    /// found, which ends circles.
    structs: HashMap<String, Option<String>>,
}

/// Appends to the source; writing to a String can't fail.
macro_rules! put {
    ($source:expr, $($arg:tt)*) => {{ let _ = write!($source.text, $($arg)*); }};
}

impl Classes {
    /// Rust source for a package: for each class a struct with its properties and those that
    /// it inherits, as far as they are known; for each struct that they hold one with its fields; and for
    /// each class one for the whole object, which [`Values::typed_object`](crate::inspect::Values::typed_object)
    /// loads and `Edit::set_typed_object` saves.
    ///
    /// The structs derive serde's traits, the objects [`Archived`](crate::Archived). Properties that have
    /// no type of their own here are named in a remark and stay as they are stored: those of structs that
    /// are not known, of characters in a fixed size, texts that can be translated, soft references and
    /// optional values.
    pub fn rust_source(&self, package: &str) -> String {
        let mut taken = HashSet::new();
        let names = self.rust_names(package, &mut taken);
        let mut source =
            RustSource { classes: self, text: HEAD.to_owned(), taken, structs: HashMap::new() };
        for (class, name, object) in names {
            source.class(class, &name, &object);
        }
        // Packages of UE4 and UE5 may declare structs alone; those of UE1 to UE3 stand with their classes.
        let own = self.structs().filter(|it| it.package.eq_ignore_ascii_case(package));
        for structure in own.filter(|_| self.is_ue4()) {
            let path = structure.full_path();
            if source.structure(&path, 0).is_none() {
                let path = printable(&path);
                put!(
                    source,
                    "\n// The struct {path} is left out: a field of it has no type here.\n"
                );
            }
        }
        source.text
    }

    /// The name that [`Classes::rust_source`] gives to the objects of a class.
    pub fn rust_object(&self, package: &str, class: &str) -> Option<String> {
        let mut names = self.rust_names(package, &mut HashSet::new()).into_iter();
        let found = names.find(|(known, ..)| known.name.eq_ignore_ascii_case(class));
        found.map(|(_, _, object)| object)
    }

    /// The classes of a package, with the names of their properties and of their objects.
    fn rust_names(
        &self,
        package: &str,
        taken: &mut HashSet<String>,
    ) -> Vec<(&ClassInfo, String, String)> {
        let own = self.iter().filter(|class| class.package.eq_ignore_ascii_case(package));
        let named: Vec<_> = own.map(|class| (class, type_name(&class.name, taken))).collect();
        // A class may be called as the object of another one: classes have the first choice.
        let object = |name: &str| type_name(&format!("{name}Object"), taken);
        let objects: Vec<String> =
            named.iter().map(|(_, name)| name.as_str()).map(object).collect();
        named
            .into_iter()
            .zip(objects)
            .map(|((class, name), object)| (class, name, object))
            .collect()
    }
}

impl RustSource<'_> {
    fn class(&mut self, class: &ClassInfo, name: &str, object: &str) {
        let path = class.path();
        let (mut members, mut kept) = (Vec::new(), Vec::new());
        let (mut known, mut taken) = (HashSet::new(), HashSet::new());
        let classes = self.classes;
        for declaring in classes.chain(&path) {
            for field in &declaring.fields {
                if !known.insert(field.name.to_ascii_lowercase()) {
                    continue;
                }
                match self.member(field, &declaring.path(), &mut taken, 0) {
                    Some(member) => members.push(member),
                    None => kept.push(format!("`{}` ({})", field.name, field.type_text())),
                }
            }
        }
        let mut title = format!("/// The properties of {}.", printable(&path));
        if !kept.is_empty() {
            let kept = printable(&kept.join(", "));
            let _ = write!(title, "\n///\n/// Kept as they are stored: {kept}.");
        }
        self.mirror(&title, name, &members);
        put!(
            self,
            "\n/// An object of {path}, or the class with its defaults.\n\
             #[derive(::unreal_packages::Archived, Debug, Clone, Default)]\n\
             #[archive(crate = ::unreal_packages::farchive)]\n\
             pub struct {object} {{\n    /// The properties, and what stands around them.\n    \
             pub body: ::unreal_packages::object::TypedBody<{name}>,\n}}\n\n\
             impl ::unreal_packages::object::TypedObject for {object} {{\n    type Properties = {name};\n\n    \
             fn new(body: ::unreal_packages::object::TypedBody<{name}>) -> Self {{\n        \
             Self {{ body }}\n    }}\n\n    \
             fn body(&self) -> &::unreal_packages::object::TypedBody<{name}> {{\n        \
             &self.body\n    }}\n}}\n",
            path = printable(&path),
        );
    }

    /// A field that has a type; `None` where it has none.
    fn member(
        &mut self,
        field: &FieldInfo,
        declaring: &str,
        taken: &mut HashSet<String>,
        depth: usize,
    ) -> Option<Member> {
        let value = self.value_type(&field.field_type, depth)?;
        Some(Member {
            identifier: field_name(&field.name, taken),
            name: field.name.clone(),
            value,
            dimension: field.dimension,
            remark: format!("`{}`, of {}.", field.type_text(), declaring),
        })
    }

    /// A struct and how it mirrors properties.
    fn mirror(&mut self, title: &str, name: &str, members: &[Member]) {
        put!(self, "\n{title}\n{DERIVES}pub struct {name} {{\n");
        for member in members {
            let Member { identifier, value, dimension, remark, .. } = member;
            let held = match dimension {
                1 => format!("::std::option::Option<{value}>"),
                _ => format!("::std::collections::BTreeMap<u32, {value}>"),
            };
            put!(self, "    /// {}\n    pub {identifier}: {held},\n", printable(remark));
        }
        put!(self, "}}\n\nimpl ::unreal_packages::property::Mirror for {name} {{\n    ");
        put!(self, "const NAMES: &'static [&'static str] = &[");
        members.iter().for_each(|member| put!(self, "{:?}, ", member.name));
        put!(self, "];\n\n    const DIMENSIONS: &'static [u32] = &[");
        members.iter().for_each(|member| put!(self, "{}, ", member.dimension));
        put!(self, "];\n\n    ");
        put!(
            self,
            "fn slots(&mut self) -> ::std::vec::Vec<&mut dyn ::unreal_packages::property::FieldSlot> {{"
        );
        put!(self, "\n        ::std::vec![");
        members.iter().for_each(|member| put!(self, "&mut self.{}, ", member.identifier));
        put!(self, "]\n    }}\n}}\n");
    }

    /// The type of a value in Rust.
    fn value_type(&mut self, field_type: &FieldType, depth: usize) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        Some(match field_type {
            FieldType::Byte(None) => "u8".to_owned(),
            FieldType::Byte(Some(_)) | FieldType::Enum(_) => {
                "::unreal_packages::property::EnumValue".to_owned()
            }
            FieldType::Int => "i32".to_owned(),
            FieldType::Bool => "bool".to_owned(),
            FieldType::Float => "f32".to_owned(),
            FieldType::Object(_) | FieldType::Class(_) | FieldType::Interface(_) => {
                "::unreal_packages::PackageIndex".to_owned()
            }
            FieldType::Name => "::unreal_packages::Name".to_owned(),
            FieldType::Str => "::std::string::String".to_owned(),
            FieldType::Delegate => "::unreal_packages::property::DelegateValue".to_owned(),
            FieldType::Reference(kind, _) if kind == "weak" => {
                "::unreal_packages::PackageIndex".to_owned()
            }
            FieldType::Reference(kind, _) if kind == "lazy" => "::unreal_packages::Guid".to_owned(),
            FieldType::Plain(kind) => of_plain(kind)?.to_owned(),
            FieldType::Struct(path) if path == "/Script/CoreUObject.Guid" => {
                "::unreal_packages::Guid".to_owned()
            }
            FieldType::Array(inner) | FieldType::Set(inner) => {
                format!("::std::vec::Vec<{}>", self.value_type(inner, depth + 1)?)
            }
            FieldType::Map(key, value) => {
                let key = self.value_type(key, depth + 1)?;
                let value = self.value_type(value, depth + 1)?;
                format!("::unreal_packages::property::Pairs<{key}, {value}>")
            }
            FieldType::Struct(path) => self.structure(path, depth)?,
            _ => return None,
        })
    }

    /// The struct in Rust, which is written when it is asked for first; `None` when a field of it has no
    /// type.
    fn structure(&mut self, path: &str, depth: usize) -> Option<String> {
        let key = path.to_ascii_lowercase();
        if let Some(known) = self.structs.get(&key) {
            return known.clone();
        }
        self.structs.insert(key.clone(), None);
        let fields = self.fields_of(path)?;
        let (mut members, mut taken) = (Vec::new(), HashSet::new());
        for (field, declaring) in &fields {
            members.push(self.member(field, declaring, &mut taken, depth + 1)?);
        }
        let name = type_name(path.rsplit('.').next().unwrap_or(path), &mut self.taken);
        self.mirror(&format!("/// The struct {}.", printable(path)), &name, &members);
        self.structs.insert(key, Some(name.clone()));
        Some(name)
    }

    /// The fields of a struct, those of its parents first; `None` where one is not known.
    fn fields_of(&self, path: &str) -> Option<Vec<(FieldInfo, String)>> {
        let mut chain = Vec::new();
        let mut next = Some(path);
        while let Some(path) = next {
            let Some(structure) = self.classes.structure(path).filter(|_| chain.len() < DEEPEST)
            else {
                return known_fields(path).filter(|_| chain.is_empty());
            };
            next = structure.parent.as_deref();
            chain.push(structure);
        }
        let fields = chain.iter().rev().flat_map(|structure| {
            let declaring = structure.full_path();
            structure.fields.iter().map(move |field| (field.clone(), declaring.clone()))
        });
        Some(fields.collect())
    }
}

/// The type in Rust of a property class that needs no more than its name.
fn of_plain(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "byte" => "u8",
        "int8" => "i8",
        "int16" => "i16",
        "int" => "i32",
        "int64" => "i64",
        "uint16" => "u16",
        "uint32" => "u32",
        "uint64" => "u64",
        "float" => "f32",
        "double" => "f64",
        "utf8str" | "ansistr" => "::std::string::String",
        _ => return None,
    })
}

fn known_fields(path: &str) -> Option<Vec<(FieldInfo, String)>> {
    let (field_type, names) = match path.strip_prefix("/Script/CoreUObject.") {
        Some(name) => {
            let is = |(known, ..): &&(&str, &str, &str)| known.eq_ignore_ascii_case(name);
            let (_, kind, names) = KNOWN_LATER.iter().find(is)?;
            (FieldType::Plain((*kind).to_owned()), names)
        }
        None => {
            let name = path.strip_prefix("Core.Object.")?;
            let is = |(known, ..): &&(&str, FieldType, &str)| known.eq_ignore_ascii_case(name);
            let (_, field_type, names) = KNOWN.iter().find(is)?;
            (field_type.clone(), names)
        }
    };
    let field = |name: &str| FieldInfo {
        name: name.to_owned(),
        field_type: field_type.clone(),
        dimension: 1,
        flags: 0,
        category: String::new(),
    };
    Some(names.split(' ').map(|name| (field(name), path.to_owned())).collect())
}
