//! Cooked textures of UE4 and UE5 with pictures of another size.

use super::payload_list::{PayloadHome, PayloadList};
use super::pixel_encode::encode;
use super::pixel_format::{canonical, decode};
use super::raster::{MipFilter, Raster, RasterTexels};
use super::texture::{layers_mut, sides};
use super::texture_replace::{BLOCK, NewPicture};
use crate::content::mips::full_chain;
use crate::content::texture_replace::TextureChange;
use crate::content::values::set_value;
use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::payload;
use crate::object::Body;
use crate::object::ue4::asset::platform_data::{Mip, PlatformData};
use crate::object::ue4::bulk::BulkData;
use crate::property::Value;

/// There is more about its sizes than is known here.
const HAS_OPTIONAL_DATA: u32 = 1 << 30;
/// The property that says the size of the picture as it was imported.
const IMPORTED_SIZE: &str = "ImportedSize";

/// A size with its texels.
struct Level {
    size: (u32, u32),
    texels: Vec<u8>,
}

/// Gives a cooked texture the picture of another size: all sizes are made anew. They stand where those of the old
/// picture stood: small ones in the body, larger ones in `.ubulk`.
pub(super) fn resize(
    edit: &mut Edit,
    row: usize,
    data: &PlatformData,
    filter: MipFilter,
    new: NewPicture,
) -> Result<TextureChange> {
    let format = data.format.text(edit.source())?.into_owned();
    let count = level_count(data, &format, new.size())?;
    let levels = levels(edit, data, &format, filter, new, count)?;
    let (width, height) = levels.first().map(|level| level.size).unwrap_or_default();
    let texels = width as usize * height as usize;
    let mips = place(edit, row, data, levels)?;
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
    let Some(list) = body.lists_mut().next() else { return Ok(()) };
    match list.value(IMPORTED_SIZE, &context) {
        None => Ok(()),
        Some(Value::Int2(_)) => {
            set_value(package, list, IMPORTED_SIZE, Value::Int2([width, height]));
            Ok(())
        }
        Some(_) => Err(Error::unsupported(format!("its {IMPORTED_SIZE} has an unknown form"))),
    }
}

/// How many sizes the texture has then: as far down as before.
fn level_count(data: &PlatformData, format: &str, (width, height): (u32, u32)) -> Result<usize> {
    if data.first_mip != 0 || data.packed & HAS_OPTIONAL_DATA != 0 {
        return Err(Error::unsupported(
            "its sizes are stored for a device in a way that is not made here: scale the picture",
        ));
    }
    let one = data.mips.len() <= 1;
    let has_powers = width.is_power_of_two() && height.is_power_of_two();
    if !one && !has_powers {
        return Err(Error::invalid(format!(
            "the picture is {width} by {height}: the sides of a texture with smaller sizes are powers of two"
        )));
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
    let whole = full_chain(side(data.size_x), side(data.size_y));
    let missing = whole.saturating_sub(data.mips.len());
    Ok(full_chain(width, height).saturating_sub(missing).max(1))
}

fn levels(
    edit: &Edit,
    data: &PlatformData,
    format: &str,
    filter: MipFilter,
    new: NewPicture,
    count: usize,
) -> Result<Vec<Level>> {
    let (mut raster, file) = match new {
        NewPicture::Pixels(raster) | NewPicture::Exact(raster, _) => (raster, None),
        NewPicture::Dds(file) => {
            let picture = file.picture().map(Raster::of)?;
            (picture, file.is_format(format).then_some(file))
        }
    };
    let like = like(edit, data, format)?;
    raster = raster.into_kind_of(&like)?;
    canonical(format, &mut raster);
    let mut levels: Vec<Level> = Vec::with_capacity(count);
    for at in 0..count {
        if at > 0 {
            raster = raster.halved(filter);
        }
        let size = (raster.width, raster.height);
        let stored = file.as_ref().map(|file| file.texels(at)).transpose()?.flatten();
        let texels = match stored {
            Some(texels) => texels.into_owned(),
            None => encode(format, &raster, None)?,
        };
        levels.push(Level { size, texels });
    }
    Ok(levels)
}

/// The kind of pixels that texels of the format become.
fn like(edit: &Edit, data: &PlatformData, format: &str) -> Result<RasterTexels> {
    let mut missing = None;
    for mip in data.mips.iter().rev() {
        match payload(edit, &mip.bulk) {
            Ok((texels, _)) => {
                return decode(format, sides(mip), &texels).map(|it| Raster::of(it).texels);
            }
            Err(why) => missing = Some(why),
        }
    }
    Err(missing.unwrap_or_else(|| Error::invalid("has no mips")))
}

/// The mips with their texels where those of the old ones stand.
fn place(edit: &mut Edit, row: usize, data: &PlatformData, levels: Vec<Level>) -> Result<Vec<Mip>> {
    let all = data.mips.iter().map(|mip| &mip.bulk);
    let list = PayloadList::of(edit, all, ": scale the picture")?;
    let inside = |(mip, home): (&Mip, PayloadHome)| match home {
        PayloadHome::Body => sides(mip).0.max(sides(mip).1),
        PayloadHome::File => 0,
    };
    let largest_inside = data.mips.iter().zip(list.homes()).map(inside).max().unwrap_or(0);
    let outside = list.first(PayloadHome::File);
    let inside = list.first(PayloadHome::Body).or(outside);
    let (mut sizes, mut payloads) = (Vec::new(), Vec::new());
    for level in levels {
        let (width, height) = level.size;
        let like = outside.filter(|_| width.max(height) > largest_inside).or(inside);
        payloads.push((level.texels, like.ok_or_else(|| Error::invalid("has no mips"))?));
        sizes.push(level.size);
    }
    let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
    let mip_of = |like: &BulkData| {
        let mip = data.mips.iter().find(|mip| std::ptr::eq(&mip.bulk, like));
        mip.cloned().unwrap_or_default()
    };
    let likes: Vec<Mip> = payloads.iter().map(|(_, like)| mip_of(like)).collect();
    let placed = list.replace(edit, row, payloads)?;
    let mips = placed.into_iter().zip(likes).zip(sizes);
    Ok(mips
        .map(|((bulk, like), (width, height))| Mip {
            bulk,
            size_x: side(width),
            size_y: side(height),
            ..like
        })
        .collect())
}
