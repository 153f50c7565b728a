//! Other pixels for textures of UE4 and UE5.

use super::payload_edit::PayloadEdits;
use super::picture::Picture;
use super::pixel_encode::encode;
use super::pixel_format::{self, canonical, decode, slice_count};
use super::raster::{MipFilter, Raster, RasterTexels, is_exr, read_exr};
use super::slices::Slices;
use super::source_replace::replace_source;
use super::texture::{has_source, layers_mut, of, slice_sides, texels};
use super::texture_resize::resize;
use super::virtual_replace::replace_tiles;
use super::volume_replace::new_volume;
use crate::content::dds::DdsFile;
use crate::content::mips::{Changes, half};
use crate::content::texture_replace::TextureChange;
use crate::content::texture_shape::TextureShape;
use crate::content::{Image, PackageContents};
use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::payload;
use crate::object::Body;
use crate::object::ue4::asset::platform_data::PlatformData;
use crate::object::ue4::bulk::BulkData;
use crate::property::Value;

/// Flags of bulk data that is compressed (spec: ue4-5/03 §17).
pub(super) const COMPRESSED: u32 = 0x2 | 0x10;
/// Sides of blocks.
pub(super) const BLOCK: u32 = 4;
/// There is a second copy of the payload.
pub(super) const DUPLICATE: u32 = 0x4000;

/// The picture that a texture is given.
pub(in crate::content) enum NewPicture {
    Pixels(Raster),
    /// Colours without bounds, as exact as textures have them; with alpha or without.
    Exact(Raster, bool),
    /// With the texels of its sizes as they are stored.
    Dds(DdsFile),
}

impl NewPicture {
    /// The pixels of a picture.
    pub fn of(image: Image) -> Self {
        Self::Pixels(Raster::of(Picture::Image(image)))
    }

    /// Reads a file of any kind.
    pub fn read(file: &[u8]) -> Result<Self> {
        match file {
            file if DdsFile::is(file) => DdsFile::read(file).map(Self::Dds),
            file if is_exr(file) => {
                read_exr(file).map(|(raster, alpha)| Self::Exact(raster, alpha))
            }
            file => Raster::read(file).map(Self::Pixels),
        }
    }

    /// Refuses a DDS file whose pictures do not belong together as those of a texture do: a picture of another kind has
    /// them below each other, however that is.
    pub fn check_shape(&self, wanted: TextureShape) -> Result<()> {
        match self {
            Self::Dds(file) => file.check_shape(wanted),
            Self::Pixels(_) | Self::Exact(..) => Ok(()),
        }
    }

    /// The pictures of a texture of this shape and format, which now has slices of this size, in pixels of the kind that
    /// `like` has, and how many pixels they are.
    ///
    /// # Errors
    /// `Invalid` for a picture of another kind, or that those of the texture don't fill.
    pub(super) fn into_slices(
        self,
        (shape, slice): (TextureShape, (u32, u32)),
        format: &str,
        like: &RasterTexels,
    ) -> Result<(Slices, usize)> {
        let (raster, proportion) = match self {
            Self::Pixels(raster) | Self::Exact(raster, _) => (raster, Some(slice)),
            // Such a file says where each ends.
            Self::Dds(file) => (file.picture().map(Raster::of)?, None),
        };
        let mut raster = raster.into_kind_of(like)?;
        canonical(format, &mut raster);
        let texels = raster.width as usize * raster.height as usize;
        Ok((Slices::of(shape, &raster, proportion)?, texels))
    }

    /// The file that it is, where that has texels of this format.
    pub(super) fn stored_in(&self, format: &str) -> Option<DdsFile> {
        match self {
            Self::Dds(file) if file.is_format(format) => Some(file.clone()),
            _ => None,
        }
    }

    /// Width and height, those of several pictures below each other.
    pub fn size(&self) -> (u32, u32) {
        match self {
            Self::Pixels(raster) | Self::Exact(raster, _) => (raster.width, raster.height),
            Self::Dds(file) => file.size(),
        }
    }
}

/// The texels of a texture or of its source, as they are.
pub(super) struct OldTexels {
    pub format: String,
    pub filter: MipFilter,
    /// Its pictures, which stand below each other.
    pub shape: TextureShape,
    /// Width and height of a slice, by size.
    pub sizes: Vec<(u32, u32)>,
    /// The texels of all slices, by size.
    pub bytes: Vec<Vec<u8>>,
}

impl OldTexels {
    /// Width and height of the picture with all slices.
    pub fn picture_size(&self) -> (u32, u32) {
        let (width, height) = self.sizes.first().copied().unwrap_or_default();
        (width, height.saturating_mul(self.shape.slices()))
    }

    /// The kind of pixels that its texels become.
    pub fn pixels(&self) -> Result<RasterTexels> {
        let last = self.sizes.last().zip(self.bytes.last());
        let (size, bytes) = last.ok_or_else(|| Error::invalid("has no mips"))?;
        decode(&self.format, *size, bytes).map(|picture| Raster::of(picture).texels)
    }

    /// The texels of one slice.
    fn slice(&self, slice: usize) -> Self {
        let part = |bytes: &Vec<u8>| {
            let size = bytes.len() / self.shape.slices().max(1) as usize;
            bytes.get(slice * size..(slice + 1) * size).unwrap_or_default().to_vec()
        };
        let bytes = self.bytes.iter().map(part).collect();
        let (format, sizes) = (self.format.clone(), self.sizes.clone());
        Self { format, filter: self.filter, shape: TextureShape::Flat, sizes, bytes }
    }
}

/// The texels of every size of all slices.
pub(super) fn all_slices(
    old: &OldTexels,
    new: NewPicture,
) -> Result<(Vec<Vec<u8>>, TextureChange)> {
    new.check_shape(old.shape)?;
    let (raster, alpha) = match new {
        NewPicture::Dds(file) if file.is_format(&old.format) => return stored(old, file),
        new if old.shape == TextureShape::Flat => return new_texels(old, new),
        NewPicture::Pixels(raster) => (raster, None),
        NewPicture::Exact(raster, has_alpha) => (raster, Some(has_alpha)),
        NewPicture::Dds(file) => (file.picture().map(Raster::of)?, None),
    };
    let height = old.sizes.first().map_or(0, |size| size.1);
    let part = |at: u32| {
        let part = raster.rows(at * height, height);
        match alpha {
            Some(has_alpha) => NewPicture::Exact(part, has_alpha),
            None => NewPicture::Pixels(part),
        }
    };
    if old.shape.is_volume() {
        return new_volume(old, part);
    }
    let mut made = vec![Vec::new(); old.bytes.len()];
    let mut change = TextureChange::default();
    for at in 0..old.shape.slices() {
        let (texels, changed) = new_texels(&old.slice(at as usize), part(at))?;
        change.texels += changed.texels;
        made.iter_mut().zip(texels).for_each(|(all, texels)| all.extend(texels));
    }
    Ok((made, change))
}

/// Cooked textures with other pixels.
pub(in crate::content) trait CookedTextures {
    /// Gives a texture, or its source where it is not cooked, other pixels: texels (or their blocks) that show the same
    /// stay, with those of smaller sizes that are made of them. A picture of another size makes all of them anew.
    ///
    /// # Errors
    /// `Invalid` for a picture of another kind or of sides that the engine does not take, and for texels that are not
    /// here; `Unsupported` for formats that are not made here. The package is as before then.
    fn replace_cooked(&mut self, row: usize, new: NewPicture) -> Result<TextureChange>;
}

impl CookedTextures for Edit {
    fn replace_cooked(&mut self, row: usize, new: NewPicture) -> Result<TextureChange> {
        let path = self.exports().path(row);
        let about = |error: Error| Error::invalid(format!("{path}: {error}"));
        let decoded = self.decode(row)?.into_owned();
        if let Some(error) = &decoded.error {
            return Err(Error::invalid(format!("{path} is not decoded: {error}")));
        }
        let body = decoded.body;
        if texels(&body).is_none() && has_source(&body) {
            return self.attempt(|edit| replace_source(edit, row, &body, new)).map_err(about);
        }
        let data = platform(&body).map_err(about)?;
        if let Some(tiles) = &data.virtual_data {
            return self.attempt(|edit| replace_tiles(edit, row, &body, tiles, new)).map_err(about);
        }
        let old = old_texels(self, row, &body, data).map_err(about)?;
        new.check_shape(old.shape).map_err(about)?;
        if new.size() != old.picture_size() {
            return self.attempt(|edit| resize(edit, row, data, &old, new)).map_err(about);
        }
        let (made, change) = all_slices(&old, new).map_err(about)?;
        if change == TextureChange::default() {
            return Ok(change);
        }
        let mut bulks = Vec::with_capacity(made.len());
        let mut edit = self.clone();
        for (mip, (new, old)) in data.mips.iter().zip(made.into_iter().zip(&old.bytes)) {
            let bulk = match new == *old {
                true => None,
                false => Some(put(&mut edit, &mip.bulk, new).map_err(about)?),
            };
            bulks.push(bulk);
        }
        edit.change_body(row, |body| {
            for (mip, bulk) in layers_mut(body)?.mips.iter_mut().zip(bulks) {
                if let Some(bulk) = bulk {
                    mip.bulk = bulk;
                }
            }
            Ok(())
        })?;
        *self = edit;
        Ok(change)
    }
}

/// The texels that are replaced; why they can't be.
fn platform(body: &Body) -> Result<&PlatformData> {
    let data = texels(body).ok_or_else(|| {
        let why = match of(body) {
            Some(_) => "has no texels: the game computes it",
            None => "is no texture that can be decoded",
        };
        Error::invalid(why)
    })?;
    if data.cpu_copy.is_some() {
        return Err(Error::unsupported("a texture with a copy for the processor"));
    }
    match data.mips.is_empty() && data.virtual_data.is_none() {
        true => Err(Error::invalid("has no mips")),
        false => Ok(data),
    }
}

fn old_texels(edit: &Edit, row: usize, body: &Body, data: &PlatformData) -> Result<OldTexels> {
    let format = data.format.text(edit.source())?.into_owned();
    let mut bytes = Vec::with_capacity(data.mips.len());
    for (level, mip) in data.mips.iter().enumerate() {
        let (texels, _) = payload(edit, &mip.bulk).map_err(|why| {
            Error::invalid(format!("size {level}, {} by {}: {why}", mip.size_x, mip.size_y))
        })?;
        bytes.push(texels);
    }
    let sizes: Vec<_> = data.mips.iter().map(slice_sides).collect();
    let counted = sizes.iter().zip(&bytes).map(|(&size, bytes)| slice_count(&format, size, bytes));
    let counts = counted.collect::<Result<Vec<_>>>()?;
    let slices = counts.first().map_or(1, |count| u32::try_from(*count).unwrap_or(u32::MAX));
    let shape = TextureShape::of_class(&edit.contents().short_class(row), slices)?;
    for (level, count) in counts.into_iter().enumerate() {
        let wanted = shape.slices_at(level);
        if u32::try_from(count) != Ok(wanted) {
            return Err(Error::invalid(format!(
                "its size {level} has {count} slices, {shape} has {wanted} there"
            )));
        }
    }
    let filter = filter_of(edit, body, &format);
    Ok(OldTexels { format, filter, shape, sizes, bytes })
}

/// A value of an enum as properties store it.
pub(super) enum StoredEnum {
    Name(String),
    Number(u8),
}

/// What a property of a texture says.
pub(super) fn enum_value(edit: &Edit, body: &Body, name: &str) -> Option<StoredEnum> {
    let context = edit.context();
    let list = body.prologue.as_deref()?;
    match list.properties.value(name, &context)? {
        Value::Name(name) => Some(StoredEnum::Name(edit.name_text(*name).to_string())),
        Value::Byte(number) => Some(StoredEnum::Number(*number)),
        _ => None,
    }
}

/// How smaller sizes are made, by what the texture says of itself.
pub(super) fn filter_of(edit: &Edit, body: &Body, format: &str) -> MipFilter {
    // The second value of the enum.
    const NORMAL_MAP: u8 = 1;
    let is_normal = match enum_value(edit, body, "CompressionSettings") {
        Some(StoredEnum::Name(name)) => name.ends_with("TC_Normalmap"),
        Some(StoredEnum::Number(number)) => number == NORMAL_MAP,
        None => false,
    };
    let context = edit.context();
    let list = body.prologue.as_deref();
    let get = |name| list.and_then(|list| list.properties.value(name, &context));
    let is_linear = matches!(get("SRGB"), Some(Value::Bool(false) | Value::BoolByte(0)));
    match format {
        "PF_BC5" => MipFilter::Normal,
        _ if is_normal => MipFilter::Normal,
        "PF_BC4" => MipFilter::Linear,
        _ if is_linear => MipFilter::Linear,
        _ => MipFilter::Srgb,
    }
}

/// A picture that texels show with what another one of its size shows otherwise, and which pixels those are.
pub(super) fn changed(
    format: &str,
    picture: Picture,
    new: NewPicture,
) -> Result<(Raster, Changes)> {
    let (new, is_exact, has_alpha) = match new {
        NewPicture::Pixels(raster) => (raster, false, false),
        NewPicture::Exact(raster, has_alpha) => (raster, true, has_alpha),
        NewPicture::Dds(file) => (file.picture().map(Raster::of)?, false, false),
    };
    let shown = Raster::of(picture.clone());
    let mut new = new.into_kind_of(&shown.texels)?;
    canonical(format, &mut new);
    // What a file can't say of a picture without bounds is no change: Radiance HDR shares the exponent of a pixel, and has
    // no alpha.
    if !has_alpha {
        new.take_alpha(&shown);
    }
    let mut given = match &shown.texels {
        RasterTexels::Float(_) if !is_exact => Raster::read(&picture.file()?.1)?,
        _ => shown.clone(),
    };
    given.take_alpha(&shown);
    let changes = given.changes(&new);
    Ok((shown.with_changes(&new, &changes), changes))
}

/// The size that is stored of one that is smaller than a block where it is filled up, with its pixels again and again: so in
/// cooked textures of 4.x.
fn whole_block((width, height): (u32, u32)) -> (u32, u32) {
    (width.max(BLOCK), height.max(BLOCK))
}

/// The texels of every size, and what has changed.
fn new_texels(old: &OldTexels, new: NewPicture) -> Result<(Vec<Vec<u8>>, TextureChange)> {
    let same = || (old.bytes.clone(), TextureChange::default());
    let (Some(&size), Some(first)) = (old.sizes.first(), old.bytes.first()) else {
        return Ok(same());
    };
    let (mut upper, mut changes) = changed(&old.format, decode(&old.format, size, first)?, new)?;
    let texels = changes.count();
    if texels == 0 {
        return Ok(same());
    }
    let mut made = vec![encode(&old.format, &upper, Some((first, &changes)))?];
    for (level, (&size, bytes)) in old.sizes.iter().zip(&old.bytes).enumerate().skip(1) {
        let next = half(upper.width, upper.height);
        if size != next && size != whole_block(next) {
            return Err(Error::invalid(format!("size {level} is not half of the one before")));
        }
        changes = changes.halved();
        if size != next {
            upper = upper.halved(old.filter);
            made.push(match changes.count() {
                0 => bytes.clone(),
                _ => encode(&old.format, &upper.repeated(size), None)?,
            });
            continue;
        }
        let mut lower = Raster::of(decode(&old.format, size, bytes)?);
        upper.shrink(&mut lower, &changes, old.filter);
        made.push(encode(&old.format, &lower, Some((bytes, &changes)))?);
        upper = lower;
    }
    Ok((made, TextureChange { texels, ..TextureChange::default() }))
}

/// Refuses a file with sizes that a texture of so many lacks: they would be lost.
pub(super) fn check_levels(file: &DdsFile, count: usize) -> Result<()> {
    match file.levels() {
        levels if levels <= count => Ok(()),
        levels => Err(Error::invalid(format!(
            "the DDS file has {levels} sizes, the texture {count}: save it with that many (those that a file lacks are made)"
        ))),
    }
}

/// The texels of a file that has them in the texture's format, as they are; sizes that it lacks are made.
fn stored(old: &OldTexels, file: DdsFile) -> Result<(Vec<Vec<u8>>, TextureChange)> {
    check_levels(&file, old.sizes.len())?;
    let mut made: Vec<Vec<u8>> = Vec::with_capacity(old.bytes.len());
    let decode = |size, texels: &[u8]| Slices::decode(old.shape, &old.format, size, texels);
    for (level, (&size, bytes)) in old.sizes.iter().zip(&old.bytes).enumerate() {
        if let Some(texels) = file.texels(level)? {
            if texels.len() != bytes.len() {
                return Err(Error::invalid(format!("size {level} of the file has another size")));
            }
            made.push(texels.into_owned());
            continue;
        }
        let above = old.sizes.get(level.wrapping_sub(1)).zip(made.last());
        let Some((&above, texels)) = above else { continue };
        let lower = decode(above, texels)?.halved(old.filter);
        if lower.size() != size {
            return Err(Error::invalid(format!("size {level} is not half of the one before")));
        }
        made.push(lower.encode(&old.format)?);
    }
    if made == old.bytes {
        return Ok((made, TextureChange::default()));
    }
    let shown = |bytes: &[Vec<u8>]| -> Result<Option<Raster>> {
        let first = old.sizes.first().zip(bytes.first());
        first
            .map(|(&size, bytes)| pixel_format::decode(&old.format, size, bytes).map(Raster::of))
            .transpose()
    };
    let texels = match shown(&old.bytes)?.zip(shown(&made)?) {
        Some((before, after)) => before.changes(&after).count(),
        None => 0,
    };
    // Other blocks may show the same.
    Ok((made, TextureChange { texels: texels.max(1), ..TextureChange::default() }))
}

/// Puts other bytes of the same number where bulk data stands; the bulk data as it is then.
pub(super) fn put(edit: &mut Edit, bulk: &BulkData, bytes: Vec<u8>) -> Result<BulkData> {
    if bulk.flags & COMPRESSED != 0 {
        // Another length would move the sizes that come next.
        return Err(Error::unsupported("its bulk data is compressed, which is not made here"));
    }
    if i64::try_from(bytes.len()) != Ok(bulk.size_on_disk) {
        let (count, size) = (bytes.len(), bulk.size_on_disk);
        return Err(Error::invalid(format!("{count} bytes of texels where {size} are stored")));
    }
    edit.set_payload(bulk, bytes)
}
