//! UE2 and UE3: what classes in packages declare, and what import tables say about the engine's.

use std::collections::{BTreeMap, BTreeSet};

use unreal_packages::object::script_object::ScriptObject;
use unreal_packages::object::{Native, ue1, ue2, ue3};
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::{ObjectRef, PackageIndex};

use crate::facts::{DEEPEST, Facts};
use crate::stored::{engine_class, spelled};
use crate::tables::NOT_STORED;

/// A class of a game.
#[derive(Clone, Default, PartialEq)]
struct Script {
    /// The path of the class that it derives from.
    parent: String,
    /// The names of its properties, in lower case.
    properties: BTreeSet<String>,
}

/// The classes of the games of one engine by their path in lower case; `None` where two games have different
/// classes of one path.
#[derive(Default)]
pub struct Scripts(BTreeMap<String, Option<Script>>);

impl Scripts {
    /// The path of an object of a package; cooked packages hold those of others below their names.
    pub fn path_of(package: &str, path: &str) -> String {
        if path.contains('.') { path.to_owned() } else { format!("{package}.{path}") }
    }

    /// Notes the classes of a package, and what it says about the engine's.
    pub fn note(&mut self, package: &mut Package, name: &str, facts: &mut Facts) {
        let is_own = |path: String| engine_class(&Self::path_of(name, &path)).is_some();
        let own = package
            .exports()
            .iter()
            .any(|export| export.class() == "Core.Class" && is_own(export.path()));
        if own {
            package.decode_all();
        }
        let package = &*package;
        let layouts = package.layouts();
        for export in package.exports().iter().filter(|export| export.class() == "Core.Class") {
            let Some(layout) = layouts.class(&export.name()) else { continue };
            let path = Self::path_of(name, &export.path());
            let parent = export.entry().super_index;
            let parent = match package.path(parent) {
                path if matches!(parent.target(), ObjectRef::Import(_)) => path,
                path if path.is_empty() => path,
                path => Self::path_of(name, &path),
            };
            match engine_class(&path) {
                None => {
                    let names = layout.properties.iter();
                    let properties = names.map(|known| known.name.to_ascii_lowercase()).collect();
                    let script = Some(Script { parent, properties });
                    let held = self.0.entry(path.to_ascii_lowercase());
                    let held = held.or_insert_with(|| script.clone());
                    if *held != script {
                        *held = None;
                    }
                }
                Some(engine) => {
                    let class = facts.class(engine);
                    class.parent = layout.parent.to_string();
                    let passing = not_stored(package, export.index());
                    for known in layout.properties.iter().filter(|p| !passing.contains(&*p.name)) {
                        if let Some(text) = spelled(&known.property) {
                            class.note(&known.name, &text, known.dimension);
                        }
                    }
                }
            }
            for known in layout.properties.iter().filter_map(|known| known.enumeration.as_ref()) {
                // The last one counts the others.
                let values = known.values.iter().filter(|value| !value.ends_with("_MAX"));
                let values = values.map(|value| value.to_string());
                let values = values.zip((0..).map(Some)).collect();
                facts.enums.entry(known.name.to_string()).or_insert(values);
            }
        }
    }

    /// The class of the engine that a class is or derives from, if that is where the property of this name must
    /// be declared: not in a class of a game.
    pub fn engine_class_with(&self, class: &str, property: &str) -> Option<String> {
        let property = property.to_ascii_lowercase();
        let mut class = class.to_owned();
        for _ in 0..DEEPEST {
            if let Some(engine) = engine_class(&class) {
                return Some(engine.to_owned());
            }
            let script = self.0.get(&class.to_ascii_lowercase())?.as_ref()?;
            if script.properties.contains(&property) {
                return None;
            }
            class.clone_from(&script.parent);
        }
        None
    }
}

/// The names of the properties of a class that are never stored.
fn not_stored(package: &Package, class: PackageIndex) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for index in package.exports().children(class) {
        if let ObjectRef::Export(row) = index.target()
            && let Some(decoded) = package.decoded(row)
            && let Native::Script(object) = &decoded.body.native
            && let ScriptObject::Property(property) = &**object
            && property.property_flags & NOT_STORED != 0
        {
            names.insert(package.object_name(index));
        }
    }
    names
}

/// What an import table says: it names the properties of the engine's classes that code uses, and their kinds.
pub fn imported(package: &Package, facts: &mut Facts) {
    for import in package.imports().iter() {
        let (path, class) = (import.path(), import.class());
        let kind = class.rsplit('.').next().unwrap_or_default();
        if kind == "Class"
            && let Some(known) = engine_class(&path)
        {
            facts.class(known);
        }
        let Some(kind) = kind.strip_suffix("Property") else { continue };
        let Some((owner, name)) = path.rsplit_once('.') else { continue };
        let owner_index = package.outer(import.index());
        let is_class = package
            .imports()
            .iter()
            .any(|import| import.index() == owner_index && import.class().ends_with(".Class"));
        let Some(owner) = engine_class(owner).filter(|_| is_class) else { continue };
        let kind = match kind {
            "Bool" => "bool",
            "Byte" => "byte",
            "Int" => "int",
            "Float" => "float",
            "Name" => "name",
            "Str" => "string",
            "Object" | "Component" | "Class" => "object",
            // The table does not say of which struct, or of what elements.
            _ => continue,
        };
        facts.class(owner).note(name, kind, 1);
    }
}

/// The classes of the engine that a level lists as its actors.
pub fn actors(package: &Package) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for row in 0..package.exports().len() {
        let Some(decoded) = package.decoded(row) else { continue };
        let actors = if let Some(level) = native_as::<ue1::Level>(&decoded.body) {
            &level.actors.items
        } else if let Some(level) = native_as::<ue2::Level>(&decoded.body) {
            &level.actors.items
        } else if let Some(level) = native_as::<ue3::world::level::Level>(&decoded.body) {
            &level.actors
        } else {
            continue;
        };
        let classes = actors.iter().filter_map(|actor| {
            let row = actor.target();
            let ObjectRef::Export(row) = row else { return None };
            let class = package.exports().get(row)?.class();
            engine_class(&class).map(str::to_owned)
        });
        found.extend(classes);
    }
    found
}
