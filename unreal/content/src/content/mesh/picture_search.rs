//! From a material to its pictures.

use std::collections::HashMap;

use super::material::MeshOptions;
use super::material_parameter::{MaterialParameters, parameter_name};
use super::object_at::ObjectAt;
use super::source::{is_true, value};
use crate::content::{ContentKind, PackageContents};
use crate::package::Package;
use crate::primitive::PackageIndex;
use crate::property::{Elements, PropertyList, Value};

/// Objects looked at from a material to its picture.
const DEEPEST: usize = 64;
/// Structs within structs in which references are looked for.
const DEEPEST_STRUCT: u32 = 4;

/// Where the properties of materials lead to a picture, best first: UE2's shaders and modifiers, inputs of UE3 and later,
/// parameters of instances, the material that an instance is made from. The first ones are of base colours alone.
const WAYS: &[&str] = &[
    "Diffuse",
    "DiffuseMap",
    "BaseColor",
    "DiffuseColor",
    "EmissiveColor",
    "Material",
    "Material1",
    "FallbackMaterial",
    "TextureParameterValues",
    "EditorOnlyData",
    "Expression",
    "Texture",
    "A",
    "B",
    "Input",
    "Base",
    "Parent",
    "ReferencedTextures",
    "Expressions",
];
/// How many of them are of base colours.
const BASE_WAYS: usize = 5;
/// What takes their place for normals.
const NORMAL_WAYS: &[&str] = &["Normal", "NormalMap"];

/// Names of parameters that are base colours, by their parts.
const BASE_PARTS: &[&str] = &["diff", "base", "albedo", "color"];

/// Names of parameters that say something else, by their parts.
const OTHER_PARTS: &[&str] = &[
    "mask", "rough", "metal", "spec", "gloss", "normal", "bump", "height", "occlu", "opac", "emis",
    "noise",
];

/// What a picture is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PictureUse {
    /// The base colour: no texture of normals or masks, and of instances only parameters that are called so.
    Base,
    /// The base colour, where no such texture is there: any that is not of normals or masks, nor called so.
    AnyBase,
    /// Normals: only textures that are stored as such.
    Normal,
}

/// The way to a picture.
pub(super) struct PictureSearch<'a> {
    options: &'a MeshOptions<'a>,
    parameters: &'a MaterialParameters,
    wanted: PictureUse,
    /// With the objects, whose packages stay open: places of bytes tell them apart.
    seen: HashMap<(usize, usize), ObjectAt>,
    looked: usize,
    /// The path of what the search ended at, since it is not at hand: what it would find behind that is another picture.
    pub away: Option<String>,
    /// Whether the alpha of the picture says where holes are.
    pub masked: bool,
    /// Whether what lies behind is seen through it.
    pub seen_through: bool,
    /// Whether both sides are seen.
    pub two_sided: bool,
}

impl<'a> PictureSearch<'a> {
    pub fn new(
        options: &'a MeshOptions<'a>,
        parameters: &'a MaterialParameters,
        wanted: PictureUse,
    ) -> Self {
        let (masked, seen_through, two_sided, away) = (false, false, false, None);
        let (seen, looked) = (HashMap::new(), 0);
        Self { options, parameters, wanted, seen, looked, away, masked, seen_through, two_sided }
    }

    /// The texture that an object leads to.
    pub fn find(&mut self, package: &Package, object: PackageIndex) -> Option<ObjectAt> {
        self.looked += 1;
        if object.is_null() || self.looked > DEEPEST {
            return None;
        }
        let Some(at) = ObjectAt::of(package, object, self.options) else {
            self.away = Some(package.path(object));
            return None;
        };
        if self.seen.insert(at.key(), at.clone()).is_some() {
            return None;
        }
        let package = &at.package;
        let decoded = package.decode(at.row).ok()?;
        let list = decoded.body.lists().next();
        if package.contents().content_kind(at.row).ok()? == Some(ContentKind::Texture) {
            return self.fits(package, list).then_some(at.clone());
        }
        let list = list?;
        let name = parameter_name(package, list);
        // An expression of a parameter that is called so.
        if self.wanted != PictureUse::Normal && name.as_deref().is_some_and(is_other) {
            return None;
        }
        let set = name.and_then(|name| self.parameters.texture(&name));
        if let Some((package, texture)) = set {
            return self.find(&package.clone(), *texture);
        }
        self.two_sided |= value(package, list, "TwoSided").is_some_and(is_true);
        let blend = value(package, list, "BlendMode");
        let blends = |name: &str, number: u8| match blend {
            Some(Value::Name(stored)) => package.name_text(*stored).ends_with(name),
            Some(Value::Byte(stored)) => *stored == number,
            _ => false,
        };
        self.masked |= blends("_Masked", 1);
        self.seen_through |= blends("_Translucent", 2);
        for next in self.ways(package, list) {
            let found = self.find(package, next);
            if found.is_some() || self.away.is_some() {
                return found;
            }
        }
        None
    }

    /// Whether a texture is one for what is wanted.
    fn fits(&self, package: &Package, list: Option<&PropertyList>) -> bool {
        let stored = list.and_then(|list| value(package, list, "CompressionSettings"));
        let (is_normal, is_mask) = match stored {
            Some(Value::Name(name)) => {
                let name = package.name_text(*name);
                (name.contains("TC_Normalmap"), name.ends_with("TC_Masks"))
            }
            // Of UE3 and UE4 alike; further ones with other numbers are UE3's own.
            Some(Value::Byte(number)) => (*number == 1, false),
            _ => (false, false),
        };
        // Numbers, not colours.
        let is_linear = list
            .and_then(|list| value(package, list, "SRGB"))
            .is_some_and(|value| matches!(value, Value::Bool(false) | Value::BoolByte(0)));
        match self.wanted {
            PictureUse::Base => !is_normal && !is_mask,
            PictureUse::AnyBase => !is_normal && !is_mask && !is_linear,
            PictureUse::Normal => is_normal,
        }
    }

    /// Objects that a material leads to, the likeliest first.
    fn ways(&self, package: &Package, list: &PropertyList) -> Vec<PackageIndex> {
        let (base, others) = WAYS.split_at(BASE_WAYS);
        let first = if self.wanted == PictureUse::Normal { NORMAL_WAYS } else { base };
        let mut found = Vec::new();
        for way in first.iter().chain(others) {
            let Some(value) = value(package, list, way) else { continue };
            let mut here = Vec::new();
            objects(package, value, &mut here, DEEPEST_STRUCT);
            // One channel of a texture is a mask.
            here.retain(|found| !found.is_channel);
            if *way == "TextureParameterValues" && self.wanted != PictureUse::Normal {
                let is_any = self.wanted == PictureUse::AnyBase;
                here.retain(|found| is_base(&found.name) || is_any && !is_other(&found.name));
            }
            // The parameter of an instance that is called so.
            here.sort_by_key(|found| !is_base(&found.name));
            found.extend(here.into_iter().map(|found| found.object));
        }
        found
    }
}

/// Whether a parameter is called as those of base colours are.
fn is_base(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    BASE_PARTS.iter().any(|part| name.contains(part))
}

/// Whether a parameter is called as those of other things than base colours are.
fn is_other(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    OTHER_PARTS.iter().any(|part| name.contains(part))
}

/// An object that a value names.
struct FoundObject {
    object: PackageIndex,
    /// The name that stands beside it.
    name: String,
    /// Whether an input takes one channel of it.
    is_channel: bool,
}

/// Outputs of a texture that are one channel: red, green, blue, alpha.
const CHANNELS: std::ops::RangeInclusive<i32> = 1..=4;

/// The objects of a value.
fn objects(package: &Package, value: &Value, found: &mut Vec<FoundObject>, depth: u32) {
    if depth == 0 {
        return;
    }
    let plain =
        |object: PackageIndex| FoundObject { object, name: String::new(), is_channel: false };
    let mut elements = |elements: &Elements| match elements {
        Elements::Object(all) => found.extend(all.iter().copied().map(plain)),
        Elements::Values(all) => {
            for value in all {
                objects(package, value, found, depth - 1);
            }
        }
        _ => {}
    };
    match value {
        Value::Object(object) => found.push(plain(*object)),
        Value::Array(all) => elements(all),
        Value::StructArray(all) => elements(&all.elements),
        Value::Fields(all) => {
            let start = found.len();
            for value in all {
                objects(package, value, found, depth - 1);
            }
            // An input without tags: its expression, then the number of the output.
            if let [Value::Object(_), Value::Int(output), ..] = all.as_slice() {
                let is_channel = CHANNELS.contains(output);
                found[start..].iter_mut().for_each(|known| known.is_channel |= is_channel);
            }
        }
        Value::List(list) => {
            let start = found.len();
            for property in &list.properties {
                objects(package, property.value(), found, depth - 1);
            }
            if let Some(name) = parameter_name(package, list) {
                found[start..].iter_mut().for_each(|known| known.name.clone_from(&name));
            }
            if let Some(Value::Int(output)) = self::value(package, list, "OutputIndex") {
                let is_channel = CHANNELS.contains(output);
                found[start..].iter_mut().for_each(|known| known.is_channel |= is_channel);
            }
        }
        _ => {}
    }
}
