//! Code packages of UE1 and UE2 as the compiler leaves them: classes with their source, properties and
//! functions.

use unreal_packages::archive::{Archived, Span};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::Explanation;
use unreal_packages::object::script_object::{
    Class as ClassBody, Field, Function, PropertyClass, State, Struct, UProperty,
};
use unreal_packages::object::text::TextBuffer;
use unreal_packages::package::Package;
use unreal_packages::script::{Script, ScriptItem};
use unreal_packages::{FString, Guid, PackageIndex, Versions};

use super::bodies::{Object, build, name, object, saved};

/// A class.
#[derive(Debug, Clone, Default)]
pub struct Class {
    pub name: &'static str,
    /// With its package, if that is another one.
    pub parent: &'static str,
    /// Names, and classes as `IntProperty`.
    pub properties: Vec<(&'static str, &'static str)>,
    pub functions: Vec<&'static str>,
}

impl Class {
    pub fn new(name: &'static str, parent: &'static str) -> Self {
        Self { name, parent, ..Self::default() }
    }

    pub fn properties(mut self, properties: &[(&'static str, &'static str)]) -> Self {
        self.properties = properties.to_vec();
        self
    }

    pub fn functions(mut self, functions: &[&'static str]) -> Self {
        self.functions = functions.to_vec();
        self
    }

    fn source(&self) -> String {
        let parent = self.parent.rsplit('.').next().unwrap_or_default();
        let mut lines = vec![format!("class {} extends {parent};", self.name)];
        lines.extend(self.functions.iter().map(|name| format!("function {name}() {{}}")));
        lines.join("\r\n") + "\r\n"
    }

    /// The class, its source, its properties and functions, each with the next one.
    fn objects(&self) -> Vec<Object<'_>> {
        let path = |name: &str| format!("{}.{name}", self.name);
        let properties = self.properties.iter().map(|(name, _)| *name);
        let members: Vec<String> =
            properties.chain(self.functions.iter().copied()).map(path).collect();
        let first = members.first().cloned().unwrap_or_default();
        let source = TextBuffer { text: FString::new(&self.source()), ..TextBuffer::default() };
        let mut objects: Vec<Object<'_>> = vec![
            (
                self.name.into(),
                "Core.Class".into(),
                Box::new(move |package| self.body(package, &first)),
            ),
            (path("ScriptText"), "Core.TextBuffer".into(), plain(source)),
        ];
        for (at, path) in members.iter().enumerate() {
            let next = members.get(at + 1).cloned().unwrap_or_default();
            let own = path.rsplit('.').next().unwrap_or_default().to_owned();
            let (class, body): (&str, super::bodies::Body<'_>) = match self.properties.get(at) {
                Some((_, class)) => {
                    (class, Box::new(move |package| property(package, class, &next)))
                }
                None => ("Function", Box::new(move |package| function(package, &own, &next))),
            };
            objects.push((path.clone(), format!("Core.{class}"), body));
        }
        objects
    }

    fn body(&self, package: &Package, first: &str) -> Vec<u8> {
        let base = Struct {
            field: Field { super_field: object(package, self.parent), next: PackageIndex::NULL },
            script_text: object(package, &format!("{}.ScriptText", self.name)),
            children: object(package, first),
            friendly_name: name(package, self.name).into(),
            ..Struct::default()
        };
        let base = State { base, ..State::default() };
        saved(package, &mut ClassBody { base, ..ClassBody::default() })
    }
}

/// An object without properties, of a type that refers to nothing.
fn plain<'a, T: Archived + Clone + 'a>(value: T) -> super::bodies::Body<'a> {
    Box::new(move |package| [vec![0], saved(package, &mut value.clone())].concat())
}

fn property(package: &Package, class: &str, next: &str) -> Vec<u8> {
    let field = Field { next: object(package, next), ..Field::default() };
    let class = match PropertyClass::blank(class).unwrap() {
        PropertyClass::One(_) if class == "ObjectProperty" => {
            PropertyClass::One(object(package, "Core.Object"))
        }
        other => other,
    };
    let mut property =
        UProperty { field, array_dim: 1, property_flags: 1, ..UProperty::new(class) };
    [vec![0], saved(package, &mut property)].concat()
}

/// A function that says a string and returns.
fn function(package: &Package, own: &str, next: &str) -> Vec<u8> {
    let text = ScriptItem::Text(Box::new(Span::owned(*b"Reloading")));
    let [string, back, nothing] = [0x1f, 0x04, 0x0b].map(ScriptItem::Token);
    let script = Script { items: vec![string, text, back, nothing.clone(), nothing] };
    let field = Field { next: object(package, next), ..Field::default() };
    let base =
        Struct { field, friendly_name: name(package, own).into(), script, ..Struct::default() };
    [vec![0], saved(package, &mut Function { base, ..Function::default() })].concat()
}

/// The parents of classes stand in the table of exports as well, which the builder leaves empty.
fn with_parents(mut bytes: Vec<u8>, classes: &[Class]) -> Vec<u8> {
    let package = Package::from_bytes(bytes.clone()).unwrap();
    let fields = Explanation::of(&package).unwrap();
    for class in classes {
        let path = format!("exports[{}].super_index", package.find_export(class.name).unwrap());
        let field = fields.iter().find(|field| field.record.path == path).unwrap();
        let parent = object(&package, class.parent).value();
        // A compact index of one byte: its sign, then six bits.
        assert!(parent.abs() < 64 && field.record.end - field.record.start == 1);
        let sign = if parent < 0 { 0x80 } else { 0 };
        bytes[field.record.start as usize] = sign | parent.unsigned_abs() as u8;
    }
    bytes
}

/// A code package of these classes.
pub fn package(versions: &Versions, guid: u32, classes: &[Class]) -> Package {
    let own = |path: &str| !path.contains('.');
    let builder = || {
        let builder = Builder::for_versions(versions.clone()).guid(Guid::new(guid, 1, 2, 3));
        let builder = match classes.iter().any(|class| class.name == "Object") {
            true => builder,
            false => builder.import("Core.Object", "Core.Class"),
        };
        let parents = classes.iter().map(|class| class.parent).filter(|path| !own(path));
        parents.fold(builder, |builder, path| builder.import(path, "Core.Class"))
    };
    let objects: Vec<Object<'_>> = classes.iter().flat_map(Class::objects).collect();
    let bytes = build(&builder, &objects);
    let mut package = Package::from_bytes(with_parents(bytes, classes)).unwrap();
    package.decode_all();
    for row in 0..package.exports().len() {
        let decoded = package.decoded(row).unwrap();
        assert!(decoded.is_complete(), "{}: {:?}", package.exports().path(row), decoded.error);
    }
    package
}
