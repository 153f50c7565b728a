//! Variables and parameters with their types.

use std::collections::HashMap;

use super::names::shown_name;
use crate::decompile::scripts::Scripts;
use crate::object::script_object::PropertyClass;
use crate::object::ue4::field::{Field, FieldData};
use crate::object::ue4::structure;
use crate::object::ue4::structure::uproperty::UProperty;
use crate::primitive::PackageIndex;

/// Types nest this deep.
const DEEPEST: usize = 8;

/// Flags of properties.
pub(in crate::decompile) const PARAMETER: u64 = 0x80;
pub(in crate::decompile) const OUT: u64 = 0x100;
pub(in crate::decompile) const RESULT: u64 = 0x400;
pub(in crate::decompile) const REFERENCE: u64 = 0x0800_0000;

/// A property that a class, struct or function declares.
#[derive(Debug, Clone)]
pub(in crate::decompile) struct KismetVariable {
    pub name: String,
    /// Its type as text.
    pub of: String,
    /// The class of the property.
    pub class: String,
    pub flags: u64,
}

impl KismetVariable {
    /// As it stands among parameters.
    pub fn parameter(&self) -> String {
        let (of, name) = (&self.of, shown_name(&self.name));
        match self.flags & (OUT | REFERENCE) {
            0 => format!("{of} {name}"),
            OUT => format!("out {of} {name}"),
            _ => format!("{of}& {name}"),
        }
    }
}

/// The variables of a class, struct or function.
#[derive(Debug)]
pub(in crate::decompile) struct KismetVariables {
    /// In their order.
    pub list: Vec<KismetVariable>,
    /// Where they stand in it, by their names in small letters: the first of a name counts.
    places: HashMap<String, usize>,
}

impl KismetVariables {
    /// The variable of an object.
    pub fn of(scripts: &Scripts, index: PackageIndex) -> Self {
        let list = variables(scripts, index);
        let mut places = HashMap::new();
        for (at, variable) in list.iter().enumerate() {
            places.entry(variable.name.to_ascii_lowercase()).or_insert(at);
        }
        Self { list, places }
    }

    /// The class of the property of this name.
    pub fn class_of(&self, name: &str) -> Option<&str> {
        let at = self.places.get(&name.to_ascii_lowercase())?;
        Some(&self.list.get(*at)?.class)
    }
}

/// The variables of a class, struct or function in their order.
pub(in crate::decompile) fn variables(
    scripts: &Scripts,
    index: PackageIndex,
) -> Vec<KismetVariable> {
    let Some(native) = scripts.native_of(index) else { return Vec::new() };
    let Some(structure) = structure::of(native) else { return Vec::new() };
    let mut found: Vec<KismetVariable> = Vec::new();
    for field in &structure.properties {
        let Some(declaration) = &field.declaration else { continue };
        let of = field_type(scripts, field, 0);
        let of = with_size(of, declaration.array_dim);
        let name = scripts.text(declaration.name);
        let class = scripts.text(field.type_name);
        found.push(KismetVariable { name, of, class, flags: declaration.property_flags });
    }
    let variable = |at: PackageIndex, property: &UProperty| KismetVariable {
        name: scripts.name(at),
        of: with_size(object_type(scripts, at, 0), property.array_dim),
        class: scripts.class_name(at),
        flags: property.property_flags,
    };
    // For a time the fields were listed and properties still objects.
    let listed = structure.children.iter();
    found.extend(listed.filter_map(|at| Some(variable(*at, scripts.typed(*at)?))));
    let mut at = structure.first_child;
    // A chain that leaves its owner or leads in a circle is damaged.
    for _ in 0..scripts.package.exports().len() {
        if scripts.package.outer(at) != index {
            break;
        }
        let next = match scripts.typed::<UProperty>(at) {
            Some(property) => {
                found.push(variable(at, property));
                property.field.next
            }
            None => match scripts.native_of(at).and_then(structure::of) {
                Some(structure) => structure.field.next,
                None => break,
            },
        };
        at = next;
    }
    found
}

fn with_size(of: String, size: i32) -> String {
    if size > 1 { format!("{of}[{size}]") } else { of }
}

/// The type of a property that is an object.
fn object_type(scripts: &Scripts, index: PackageIndex, depth: usize) -> String {
    let class = scripts.class_name(index);
    let property = scripts.typed::<UProperty>(index).filter(|_| depth < DEEPEST);
    let Some(property) = property else { return "auto".to_owned() };
    let name = |index: PackageIndex| shown_name(&scripts.name(index));
    match (class.as_str(), property.kind.clone()) {
        ("ArrayProperty" | "SetProperty", PropertyClass::One(inner)) => {
            let word = if class.starts_with('A') { "TArray" } else { "TSet" };
            format!("{word}<{}>", object_type(scripts, inner, depth + 1))
        }
        ("MapProperty", PropertyClass::Two(key, value)) => {
            let [key, value] = [key, value].map(|it| object_type(scripts, it, depth + 1));
            format!("TMap<{key}, {value}>")
        }
        (_, PropertyClass::One(of)) => type_name(&class, Some(name(of)), of.is_null()),
        (_, PropertyClass::Two(of, meta)) => {
            let of = if class == "EnumProperty" || meta.is_null() { of } else { meta };
            type_name(&class, Some(name(of)), of.is_null())
        }
        _ => type_name(&class, None, true),
    }
}

/// The type of a property that is none.
fn field_type(scripts: &Scripts, field: &Field, depth: usize) -> String {
    let class = scripts.text(field.type_name);
    let Some(declaration) = field.declaration.as_ref().filter(|_| depth < DEEPEST) else {
        return "auto".to_owned();
    };
    let name = |index: PackageIndex| shown_name(&scripts.name(index));
    match &declaration.data {
        FieldData::Inner(inner) => {
            let word = match class.as_str() {
                "ArrayProperty" => "TArray",
                "SetProperty" => "TSet",
                _ => "TOptional",
            };
            format!("{word}<{}>", field_type(scripts, inner, depth + 1))
        }
        FieldData::Map(key, value) => {
            let [key, value] = [key, value].map(|it| field_type(scripts, it, depth + 1));
            format!("TMap<{key}, {value}>")
        }
        FieldData::One(of) => type_name(&class, Some(name(*of)), of.is_null()),
        FieldData::Two(of, meta) => {
            let of = if meta.is_null() { of } else { meta };
            type_name(&class, Some(name(*of)), of.is_null())
        }
        FieldData::Enum(of, _) => type_name(&class, Some(name(*of)), of.is_null()),
        FieldData::None | FieldData::Bool(_) | FieldData::Name(_) => type_name(&class, None, true),
    }
}

/// The type that a class of property holds, of this object.
fn type_name(class: &str, of: Option<String>, is_null: bool) -> String {
    let of = of.filter(|_| !is_null);
    let any = || of.clone().unwrap_or_else(|| "Object".to_owned());
    match class.strip_suffix("Property").unwrap_or(class) {
        "Bool" => "bool".to_owned(),
        "Byte" => of.unwrap_or_else(|| "uint8".to_owned()),
        "Enum" => any(),
        "Int" => "int32".to_owned(),
        number @ ("Int8" | "Int16" | "Int64" | "UInt16" | "UInt32" | "UInt64") => {
            number.to_ascii_lowercase()
        }
        "Float" => "float".to_owned(),
        "Double" => "double".to_owned(),
        "Name" => "FName".to_owned(),
        "Str" => "FString".to_owned(),
        "Text" => "FText".to_owned(),
        "Struct" => format!("F{}", any()),
        "Object" | "ObjectPtr" => format!("{}*", any()),
        "Class" | "ClassPtr" => format!("TSubclassOf<{}>", any()),
        "WeakObject" => format!("TWeakObjectPtr<{}>", any()),
        "LazyObject" => format!("TLazyObjectPtr<{}>", any()),
        "SoftObject" | "AssetObject" => format!("TSoftObjectPtr<{}>", any()),
        "SoftClass" | "AssetClass" => format!("TSoftClassPtr<{}>", any()),
        "Interface" => format!("TScriptInterface<{}>", any()),
        "Delegate" => format!("TDelegate<{}>", any()),
        multicast if multicast.starts_with("Multicast") => {
            format!("TMulticastDelegate<{}>", any())
        }
        "FieldPath" => "FFieldPath".to_owned(),
        other => shown_name(other),
    }
}
