//! Parameters that instances of materials set.

use std::collections::HashMap;

use super::object_at::ObjectAt;
use super::source::{structs, value};
use crate::package::Package;
use crate::primitive::PackageIndex;
use crate::property::{PropertyList, Value};

/// What the instances from a material on set, by the names of parameters in lower case; the last instance counts.
#[derive(Debug, Default)]
pub(super) struct MaterialParameters {
    textures: HashMap<String, (Package, PackageIndex)>,
    numbers: HashMap<String, f32>,
    colors: HashMap<String, [f32; 3]>,
}

impl MaterialParameters {
    /// Those of an instance and of those that it is made from.
    pub fn of(chain: &[ObjectAt]) -> Self {
        let mut made = Self::default();
        for at in chain {
            let package = &at.package;
            let Ok(decoded) = package.decode(at.row) else { continue };
            let Some(list) = decoded.body.lists().next() else { continue };
            for (name, set) in set_by(package, list, "TextureParameterValues") {
                if let Value::Object(texture) = set {
                    made.textures.entry(name).or_insert_with(|| (package.clone(), *texture));
                }
            }
            for (name, set) in set_by(package, list, "ScalarParameterValues") {
                if let Value::Float(number) = set {
                    made.numbers.entry(name).or_insert(*number);
                }
            }
            for (name, set) in set_by(package, list, "VectorParameterValues") {
                if let Value::Float4([r, g, b, _]) = set {
                    made.colors.entry(name).or_insert([*r, *g, *b]);
                }
            }
        }
        made
    }

    /// The texture of a parameter.
    pub fn texture(&self, name: &str) -> Option<&(Package, PackageIndex)> {
        self.textures.get(&name.to_lowercase())
    }

    /// Red, green and blue of a parameter.
    pub fn color(&self, name: &str) -> Option<[f32; 3]> {
        self.colors.get(&name.to_lowercase()).copied()
    }

    /// The number of a parameter.
    pub fn number(&self, name: &str) -> Option<f32> {
        self.numbers.get(&name.to_lowercase()).copied()
    }
}

/// Names and values of a list of parameters.
fn set_by<'a>(
    package: &'a Package,
    list: &'a PropertyList,
    property: &str,
) -> impl Iterator<Item = (String, &'a Value)> {
    structs(value(package, list, property)).iter().filter_map(|each| {
        let list = each.as_list()?;
        let name = parameter_name(package, list)?.to_lowercase();
        Some((name, value(package, list, "ParameterValue")?))
    })
}

/// What a parameter is called: in it, or from UE4.19 on in a struct of its own.
pub(super) fn parameter_name(package: &Package, list: &PropertyList) -> Option<String> {
    let name = |list: &PropertyList, property: &str| match value(package, list, property) {
        Some(Value::Name(name)) => Some(package.name_text(*name)),
        _ => None,
    };
    let whole = || name(value(package, list, "ParameterInfo")?.as_list()?, "Name");
    name(list, "ParameterName").or_else(whole)
}
