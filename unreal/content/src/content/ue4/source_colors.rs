//! The least and the most of each channel, which sources of textures say from 5.1 on.

use super::raster::{Raster, RasterTexels};
use crate::content::values::{set_value, value};
use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::property::{Elements, Property, PropertyList, Value};

/// The property with the colours of each layer. C++: `FTextureSource::LayerColorInfo_LockProtected`.
const COLORS: &str = "LayerColorInfo_LockProtected";
/// Its fields.
const LEAST: &str = "ColorMin";
const MOST: &str = "ColorMax";

/// The least and the most of each channel: red, green, blue, alpha.
///
/// Those of pictures of 8 bits a channel are those that the editor has stored in real packages, to the last bit; those of
/// 16 bits are inferred.
pub(super) fn extremes(picture: &Raster) -> [[f32; 4]; 2] {
    let mut extremes = [[f32::INFINITY; 4], [f32::NEG_INFINITY; 4]];
    let mut meet = |texel: [f32; 4]| {
        let [least, most] = &mut extremes;
        for (at, part) in texel.into_iter().enumerate() {
            least[at] = least[at].min(part);
            most[at] = most[at].max(part);
        }
    };
    match &picture.texels {
        RasterTexels::Bytes(texels) => {
            texels.iter().for_each(|texel| meet(texel.map(|part| f32::from(part) * (1.0 / 255.0))));
        }
        RasterTexels::Wide(texels) => {
            let part = |part: u16| f32::from(part) * (1.0 / 65_535.0);
            texels.iter().for_each(|texel| meet(texel.map(part)));
        }
        RasterTexels::Float(texels) => texels.iter().for_each(|texel| meet(*texel)),
    }
    extremes
}

/// Gives the property `Source` the colours of a picture, where it says some.
///
/// # Errors
/// `Unsupported` where they are stored in an unknown form.
pub(super) fn set_colors(
    package: &Edit,
    source: &mut PropertyList,
    picture: &Raster,
) -> Result<()> {
    let is = |property: &&mut Property| {
        property.name_text(|name| package.name_text(name)).eq_ignore_ascii_case(COLORS)
    };
    let Some(property) = source.properties.iter_mut().find(is) else { return Ok(()) };
    let layers = match property.value_mut() {
        Value::StructArray(array) => &mut array.elements,
        Value::Array(elements) => elements,
        _ => return Err(unknown()),
    };
    if layers.is_empty() {
        return Ok(());
    }
    let Elements::Values(layers) = layers else { return Err(unknown()) };
    let [Value::List(layer)] = &mut layers[..] else { return Err(unknown()) };
    let [least, most] = extremes(picture);
    for (name, color) in [(LEAST, least), (MOST, most)] {
        match value(package, layer, name) {
            Some(Value::Float4(_)) => set_value(package, layer, name, Value::Float4(color)),
            _ => return Err(unknown()),
        }
    }
    Ok(())
}

fn unknown() -> Error {
    Error::unsupported(format!("its {COLORS} has an unknown form"))
}
