//! Cooked textures of UE4 and UE5 with pictures of another size.

use super::payload_list::PayloadList;
use super::texture::{layers_mut, slice_sides};
use super::texture_replace::{BLOCK, NewPicture, OldTexels, check_levels};
use crate::content::mips::full_chain;
use crate::content::texture_replace::TextureChange;
use crate::content::texture_shape::TextureShape;
use crate::content::values::set_value;
use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::object::Body;
use crate::object::ue4::asset::platform_data::{Mip, PlatformData};
use crate::property::Value;

/// There is more about its sizes than is known here.
const HAS_OPTIONAL_DATA: u32 = 1 << 30;
/// The property that says the size of the picture as it was imported.
const IMPORTED_SIZE: &str = "ImportedSize";

/// A size with its texels.
struct Level {
    /// Width and height of a slice.
    size: (u32, u32),
    slices: u32,
    texels: Vec<u8>,
}

/// Gives a cooked texture the picture of another size: all sizes are made anew, of as many pictures as it has. They stand
/// where those of the old picture stood: small ones in the body, larger ones in files of bulk data or behind the bodies.
pub(super) fn resize(
    edit: &mut Edit,
    row: usize,
    data: &PlatformData,
    old: &OldTexels,
    new: NewPicture,
) -> Result<TextureChange> {
    let levels = levels(data, old, new)?;
    let (width, height) = levels.first().map(|level| level.size).unwrap_or_default();
    let texels = width as usize * height as usize * old.shape.slices() as usize;
    let mips = place(edit, row, data, old.shape, levels)?;
    let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
    let package = edit.clone();
    edit.change_body(row, |body| {
        resize_property(&package, body, (side(width), side(height)))?;
        let data = layers_mut(body)?;
        (data.size_x, data.size_y) = (side(width), side(height));
        data.mips = mips;
        Ok(())
    })?;
    Ok(TextureChange { texels, resized: true, ..TextureChange::default() })
}

/// Gives the size of the imported picture, where the texture says it.
pub(super) fn resize_property(
    package: &Edit,
    body: &mut Body,
    (width, height): (i32, i32),
) -> Result<()> {
    let context = package.context();
    let Some(list) = body.lists_mut().next() else {
        return Ok(());
    };
    match list.value(IMPORTED_SIZE, &context) {
        None => Ok(()),
        Some(Value::Int2(_)) => {
            set_value(package, list, IMPORTED_SIZE, Value::Int2([width, height]));
            Ok(())
        }
        Some(_) => Err(Error::unsupported(format!("its {IMPORTED_SIZE} has an unknown form"))),
    }
}

/// How many sizes lead down to one pixel: of a volume to one slice as well.
fn whole_chain(shape: TextureShape, (width, height): (u32, u32)) -> usize {
    match shape {
        TextureShape::Volume(depth) => full_chain(width.max(depth), height),
        _ => full_chain(width, height),
    }
}

/// How many sizes the texture has then: as far down as before.
fn level_count(data: &PlatformData, old: &OldTexels, new: (u32, u32)) -> Result<usize> {
    if data.first_mip != 0 || data.packed & HAS_OPTIONAL_DATA != 0 {
        return Err(Error::unsupported(
            "its sizes are stored for a device in a way that is not made here: scale the picture",
        ));
    }
    let (format, (width, height)) = (&old.format, new);
    let one = data.mips.len() <= 1;
    if !one {
        check_powers(new)?;
    }
    let blocks = super::pixel_format::has_blocks(format);
    if one && blocks && (width % BLOCK != 0 || height % BLOCK != 0) {
        return Err(Error::invalid(format!(
            "the picture is {width} by {height}: the sides of a texture of {format} are multiples of {BLOCK}"
        )));
    }
    if one {
        return Ok(1);
    }
    let side = |side: i32| u32::try_from(side).unwrap_or(0).max(1);
    let whole = whole_chain(old.shape, (side(data.size_x), side(data.size_y)));
    let missing = whole.saturating_sub(data.mips.len());
    Ok(whole_chain(old.shape, new).saturating_sub(missing).max(1))
}

/// Refuses sides of which the engine does not make smaller sizes.
pub(super) fn check_powers((width, height): (u32, u32)) -> Result<()> {
    match width.is_power_of_two() && height.is_power_of_two() {
        true => Ok(()),
        false => Err(Error::invalid(format!(
            "the picture is {width} by {height}: the sides of a texture with smaller sizes are powers of two"
        ))),
    }
}

fn levels(data: &PlatformData, old: &OldTexels, new: NewPicture) -> Result<Vec<Level>> {
    let file = new.stored_in(&old.format);
    let slice = old.sizes.first().copied().unwrap_or_default();
    let (mut slices, _) = new.into_slices((old.shape, slice), &old.format, &old.pixels()?)?;
    let count = level_count(data, old, slices.size())?;
    if let Some(file) = &file {
        check_levels(file, count)?;
    }
    let mut levels: Vec<Level> = Vec::with_capacity(count);
    for at in 0..count {
        if at > 0 {
            slices = slices.halved(old.filter);
        }
        let stored = file.as_ref().map(|file| file.texels(at)).transpose()?.flatten();
        let texels = match stored {
            Some(texels) => texels.into_owned(),
            None => slices.encode(&old.format)?,
        };
        let count = u32::try_from(slices.count()).unwrap_or(u32::MAX);
        levels.push(Level { size: slices.size(), slices: count, texels });
    }
    Ok(levels)
}

/// The mips with their texels where those of old ones of about their size stand.
fn place(
    edit: &mut Edit,
    row: usize,
    data: &PlatformData,
    shape: TextureShape,
    levels: Vec<Level>,
) -> Result<Vec<Mip>> {
    let list = PayloadList::of(edit, data.mips.iter().map(|mip| &mip.bulk))?;
    let mut likes = Vec::with_capacity(levels.len());
    for level in &levels {
        let side = |(width, height): (u32, u32)| width.max(height);
        // The smallest that is not smaller; what is larger than all stands where the largest does.
        let fits = |mip: &&Mip| side(slice_sides(mip)) >= side(level.size);
        let like = data.mips.iter().rev().find(fits).or(data.mips.first());
        likes.push(like.ok_or_else(|| Error::invalid("has no mips"))?);
    }
    let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
    let made = levels.iter().zip(&likes).map(|(level, like)| Mip {
        size_x: side(level.size.0),
        size_y: side(level.size.1),
        // Below 4.20 no mip says its slices.
        size_z: match shape.is_volume() && like.size_z > 0 {
            true => side(level.slices),
            false => like.size_z,
        },
        ..(*like).clone()
    });
    let made: Vec<Mip> = made.collect();
    let payloads = levels.into_iter().zip(&likes).map(|(level, like)| (level.texels, &like.bulk));
    let placed = list.replace(edit, row, payloads.collect())?;
    Ok(made.into_iter().zip(placed).map(|(mip, bulk)| Mip { bulk, ..mip }).collect())
}
