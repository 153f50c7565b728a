//! Cooked textures of UE4 and UE5 with pictures of another size.

use std::ops::Range;

use super::pixel_encode::encode;
use super::pixel_format::{canonical, decode};
use super::raster::{MipFilter, Raster, RasterTexels};
use super::texture::{layers_mut, sides};
use super::texture_replace::{COMPRESSED, DUPLICATE, NewPicture};
use crate::archive::Span;
use crate::content::mips::full_chain;
use crate::content::texture_replace::TextureChange;
use crate::content::values::set_value;
use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::{PayloadPlace, payload, payload_place};
use crate::object::Body;
use crate::object::ue4::asset::platform_data::{Mip, PlatformData};
use crate::object::ue4::bulk::BulkData;
use crate::package::CompanionKind;
use crate::primitive::LongPosition;
use crate::property::Value;
use crate::table::DataResource;

/// There is more about its sizes than is known here.
const HAS_OPTIONAL_DATA: u32 = 1 << 30;
/// Sides of blocks.
const BLOCK: u32 = 4;
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
        if let Some(data) = layers_mut(body) {
            (data.size_x, data.size_y) = (side(width), side(height));
            data.mips = mips;
        }
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
            Some(texels) => texels.to_vec(),
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
    let (mut inside, mut outside) = (None, None);
    let (mut largest_inside, mut taken) = (0, Vec::new());
    for mip in &data.mips {
        if mip.bulk.flags & (COMPRESSED | DUPLICATE) != 0 {
            return Err(Error::unsupported(
                "its bulk data is compressed or stands twice, which is not made here",
            ));
        }
        match payload_place(edit, &mip.bulk)? {
            PayloadPlace::Body => {
                let (width, height) = sides(mip);
                largest_inside = largest_inside.max(width.max(height));
                inside.get_or_insert(mip);
            }
            PayloadPlace::Companion { kind: CompanionKind::Bulk, start, size } => {
                taken.push(start..start.saturating_add(size));
                outside.get_or_insert(mip);
            }
            PayloadPlace::Companion { kind, .. } => {
                let file = kind.extension();
                return Err(Error::unsupported(format!(
                    "its largest sizes stand in .{file}, which is not made here: scale the picture"
                )));
            }
            PayloadPlace::Package { .. } => {
                return Err(Error::unsupported(
                    "its texels stand behind the bodies of the package: scale the picture",
                ));
            }
        }
    }
    let mut file = match outside {
        Some(_) => {
            let bulk = |it: &&crate::package::Companion| it.kind == CompanionKind::Bulk;
            let known = edit.companions().iter().find(bulk);
            let known = known.ok_or_else(|| Error::invalid("its file (.ubulk) is not here"))?;
            let bytes = known.read()?;
            // What else stands in the file stays where it is.
            if covers(taken, bytes.len() as u64) { Vec::new() } else { bytes.to_vec() }
        }
        None => Vec::new(),
    };
    let mut mips = Vec::with_capacity(levels.len());
    let mut rows = Vec::new();
    for level in levels {
        let (width, height) = level.size;
        let is_outside = outside.is_some() && width.max(height) > largest_inside;
        let like = if is_outside { outside } else { inside.or(outside) };
        let like = like.ok_or_else(|| Error::invalid("has no mips"))?;
        let count = i64::try_from(level.texels.len()).unwrap_or(i64::MAX);
        let mut bulk = BulkData {
            element_count: count,
            size_on_disk: count,
            payload: Span::default(),
            ..like.bulk.clone()
        };
        let mut start = 0;
        if bulk.is_inline() {
            bulk.payload = Span::owned(level.texels);
        } else {
            start = i64::try_from(file.len()).unwrap_or(i64::MAX);
            bulk.offset = LongPosition::Stale(start);
            file.extend_from_slice(&level.texels);
        }
        if let Some(resource) = like.bulk.resource {
            let known = known_resource(edit, resource)?;
            rows.push(DataResource {
                serial_offset: start,
                serial_size: count,
                raw_size: count,
                ..known
            });
        }
        let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
        mips.push(Mip { bulk, size_x: side(width), size_y: side(height), ..like.clone() });
    }
    if outside.is_some() {
        edit.set_companion(CompanionKind::Bulk, file)?;
    }
    if !rows.is_empty() {
        let old: Vec<i32> = data.mips.iter().filter_map(|mip| mip.bulk.resource).collect();
        let rows = edit.set_data_resources(row, &old, rows)?;
        for (mip, row) in mips.iter_mut().zip(rows) {
            mip.bulk.resource = Some(row);
        }
    }
    Ok(mips)
}

/// Whether these parts are the whole file, each byte in one of them.
fn covers(mut parts: Vec<Range<u64>>, length: u64) -> bool {
    parts.sort_by_key(|part| (part.start, part.end));
    let end = parts.iter().try_fold(0, |end, part| (part.start == end).then_some(part.end));
    end == Some(length)
}

fn known_resource(edit: &Edit, row: i32) -> Result<DataResource> {
    let table = edit.tables().further.data_resources.as_ref();
    let known = table.zip(usize::try_from(row).ok()).and_then(|(table, row)| table.rows.get(row));
    known.copied().ok_or_else(|| Error::invalid("the bulk data has no resource"))
}
