//! Texels for platforms.

use super::virtual_texture::VirtualTextureData;
use crate::archive::layout::Layout;
use crate::archive::{Kind, in_field, private};
use crate::error::{ErrorKind, Result};
use crate::object::ue4::bulk::BulkData;
use crate::object::ue4::condition::{choose, from_release, when};
use crate::primitive::{FString, LongPosition, Name, NameContext, Position, array};
use crate::{Archive, ArchiveExt, Archived, Described, Span};

/// A texture is a cube map, has optional numbers, has a copy for the processor (spec: ue4-5/05 §7).
const HAS_OPTIONAL_DATA: u32 = 1 << 30;
const HAS_CPU_COPY: u32 = 1 << 29;

/// Texels for every platform, each after the name of its format; then the name that means none.
///
/// Spec: ue4-5/05 §7. C++: `UTexture::SerializeCookedPlatformData`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct CookedPlatforms {
    /// Texels with their formats.
    pub platforms: Vec<CookedPlatform>,
    /// Ends the list: none.
    pub terminator: Name,
}

/// Texels in a format. Spec: ue4-5/05 §7.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CookedPlatform {
    /// The format.
    pub format: Name,
    /// Where the next one starts.
    pub skip: SkipOffset,
    /// The texels.
    pub data: PlatformData,
}

/// Where the next platform starts: an absolute position below UE5.0, in four bytes below UE4.20; then a
/// distance from this number.
///
/// Spec: ue4-5/05 §7, 09 §1, §10.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkipOffset {
    /// Four bytes, from the start of the file.
    Short(Position),
    /// Eight bytes, from the start of the file.
    Long(LongPosition),
    /// Eight bytes, from this number.
    Relative(LongPosition),
}

impl Default for SkipOffset {
    fn default() -> Self {
        Self::Relative(LongPosition::Here)
    }
}

impl CookedPlatform {
    /// With the skip offset around the texels.
    fn serialize_rest<A: Archive + ?Sized>(&mut self, has_texels: bool, ar: &mut A) -> Result<()> {
        let Self { skip, data, .. } = self;
        let start = ar.position();
        let short = matches!(skip, SkipOffset::Short(_));
        let form = MipForm { short, has_texels };
        match skip {
            SkipOffset::Short(end) => {
                let announced = in_field("skip", ar, |ar| end.announce(ar))?;
                in_field("data", ar, |ar| data.serialize_in(form, ar))?;
                end.settle(announced, ar)
            }
            SkipOffset::Long(end) => {
                let announced = in_field("skip", ar, |ar| end.announce(ar))?;
                in_field("data", ar, |ar| data.serialize_in(form, ar))?;
                let here = ar.position();
                end.settle(announced, here, ar)
            }
            SkipOffset::Relative(end) => {
                let announced = in_field("skip", ar, |ar| end.announce(ar))?;
                in_field("data", ar, |ar| data.serialize_in(form, ar))?;
                let distance = ar.position() - start;
                end.settle(announced, distance, ar)
            }
        }
    }

    /// The form that this package's offsets have.
    fn prepare<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let relative = from_release(ar, 5, 0);
        let mut short = !from_release(ar, 4, 20);
        if !relative && !short {
            let known = matches!(self.skip, SkipOffset::Short(_)).into();
            short = choose(&["long", "short"], known, ar, |ar| Self::is_short(ar).into()) != 0;
        }
        if ar.is_loading() {
            self.skip = match (relative, short) {
                (true, _) => SkipOffset::Relative(LongPosition::Here),
                (_, true) => SkipOffset::Short(Position::Here),
                (_, false) => SkipOffset::Long(LongPosition::Here),
            };
        }
        Ok(())
    }

    /// UE4.19 and 4.20 share their version: the upper half of a long offset is zero, and that of a short
    /// one is the width of the texture.
    fn is_short<A: Archive + ?Sized>(ar: &A) -> bool {
        ar.peek(8).get(4..).is_some_and(|upper| upper.iter().any(|&byte| byte != 0))
    }
}

impl Archived for CookedPlatforms {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.serialize_with(true, ar)
    }
}

impl CookedPlatforms {
    /// The same with the texels of mips, or without where another object provides them.
    pub(super) fn serialize_with<A: Archive + ?Sized>(
        &mut self,
        has_texels: bool,
        ar: &mut A,
    ) -> Result<()> {
        if !ar.is_loading() {
            for platform in &mut self.platforms {
                in_field("format", ar, |ar| platform.format.serialize(ar))?;
                platform.prepare(ar)?;
                platform.serialize_rest(has_texels, ar)?;
            }
            return in_field("format", ar, |ar| self.terminator.serialize(ar));
        }
        self.platforms.clear();
        loop {
            let mut format = Name::default();
            in_field("format", ar, |ar| format.serialize(ar))?;
            if ar.context().is_none(&format) {
                self.terminator = format;
                return Ok(());
            }
            ar.claim(1, size_of::<CookedPlatform>())?;
            let mut platform = CookedPlatform { format, ..CookedPlatform::default() };
            platform.prepare(ar)?;
            platform.serialize_rest(has_texels, ar)?;
            self.platforms.push(platform);
        }
    }
}

/// Texels in a format.
///
/// Spec: ue4-5/05 §7. C++: `FTexturePlatformData`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlatformData {
    /// Of derived data, which cooked packages do not use.
    pub derived: [u8; 16],
    /// Width in texels.
    pub size_x: i32,
    /// Height in texels.
    pub size_y: i32,
    /// Slices and flags.
    pub packed: u32,
    /// Name of the format.
    pub format: FString,
    /// Extended flags, mips in the tail.
    pub optional: [u32; 2],
    /// The first mip that is stored.
    pub first_mip: i32,
    /// The mips, largest first.
    pub mips: Vec<Mip>,
    /// A copy of the texels for the processor, from UE5.4.
    pub cpu_copy: Option<Box<SharedImage>>,
    /// The tiles of a virtual texture, from UE4.23.
    pub virtual_data: Option<Box<VirtualTextureData>>,
}

/// Texels for the processor. C++: `FSharedImage`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SharedImage {
    /// Width in texels.
    pub size_x: i32,
    /// Height in texels.
    pub size_y: i32,
    /// Slices.
    pub slices: i32,
    /// C++: `ERawImageFormat`.
    pub format: u8,
    /// C++: `EGammaSpace`.
    pub gamma: u8,
    /// The texels.
    pub texels: Span,
}

impl SharedImage {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("size_x", ar, |ar| ar.serialize_i32(&mut self.size_x))?;
        in_field("size_y", ar, |ar| ar.serialize_i32(&mut self.size_y))?;
        in_field("slices", ar, |ar| ar.serialize_i32(&mut self.slices))?;
        in_field("format", ar, |ar| ar.serialize_u8(&mut self.format))?;
        in_field("gamma", ar, |ar| ar.serialize_u8(&mut self.gamma))?;
        let mut length = i64::try_from(self.texels.len()).unwrap_or(i64::MAX);
        in_field("length", ar, |ar| ar.serialize_i64(&mut length))?;
        let length = u64::try_from(length)
            .map_err(|_| ar.error(ErrorKind::NegativeCount { count: length }))?;
        in_field("texels", ar, |ar| ar.serialize_span(&mut self.texels, length, Kind::Payload))
    }
}

impl PlatformData {
    fn serialize_in<A: Archive + ?Sized>(&mut self, form: MipForm, ar: &mut A) -> Result<()> {
        when(from_release(ar, 5, 0), &mut self.derived, "derived", ar)?;
        in_field("size_x", ar, |ar| ar.serialize_i32(&mut self.size_x))?;
        in_field("size_y", ar, |ar| ar.serialize_i32(&mut self.size_y))?;
        in_field("packed", ar, |ar| ar.serialize_u32(&mut self.packed))?;
        in_field("format", ar, |ar| self.format.serialize(ar))?;
        let has_release_4_23 = from_release(ar, 4, 23);
        let is_optional = has_release_4_23 && self.packed & HAS_OPTIONAL_DATA != 0;
        when(is_optional, &mut self.optional, "optional", ar)?;
        let has_copy = from_release(ar, 5, 4) && self.packed & HAS_CPU_COPY != 0;
        part(has_copy, &mut self.cpu_copy, "cpu_copy", ar, |copy, ar| copy.serialize(ar))?;
        in_field("first_mip", ar, |ar| ar.serialize_i32(&mut self.first_mip))?;
        in_field("mips", ar, |ar| {
            array::counted_i32_by(&mut self.mips, ar, |mip, ar| mip.serialize_in(form, ar))
        })?;
        let mut is_virtual = self.virtual_data.is_some();
        if has_release_4_23 {
            in_field("is_virtual", ar, |ar| is_virtual.serialize(ar))?;
        }
        let has_tiles = has_release_4_23 && is_virtual;
        part(has_tiles, &mut self.virtual_data, "virtual_data", ar, |data, ar| data.serialize(ar))
    }
}

/// A part that something else says is there.
fn part<T: Default + PartialEq, A: Archive + ?Sized>(
    present: bool,
    value: &mut Option<Box<T>>,
    name: &'static str,
    ar: &mut A,
    serialize: impl FnOnce(&mut T, &mut A) -> Result<()>,
) -> Result<()> {
    if !present {
        return private::absent(value, ar, name);
    }
    if ar.is_loading() {
        *value = Some(Box::default());
    }
    match value {
        Some(value) => in_field(name, ar, |ar| serialize(value, ar)),
        None => Err(ar.error(ErrorKind::NotInVersion).in_field(name)),
    }
}

/// A mip. Spec: ue4-5/05 §7. C++: `FTexture2DMipMap`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mip {
    /// Whether it was cooked, in UE4.
    pub cooked: bool,
    /// The texels.
    pub bulk: BulkData,
    /// Width in texels.
    pub size_x: i32,
    /// Height in texels.
    pub size_y: i32,
    /// Slices, from UE4.20 on.
    pub size_z: i32,
}

/// How mips are stored.
#[derive(Clone, Copy)]
struct MipForm {
    /// Without slices.
    short: bool,
    /// The texels are here; else another object provides them.
    has_texels: bool,
}

impl Mip {
    fn serialize_in<A: Archive + ?Sized>(&mut self, form: MipForm, ar: &mut A) -> Result<()> {
        when(!from_release(ar, 5, 0), &mut self.cooked, "cooked", ar)?;
        when(form.has_texels, &mut self.bulk, "bulk", ar)?;
        in_field("size_x", ar, |ar| ar.serialize_i32(&mut self.size_x))?;
        in_field("size_y", ar, |ar| ar.serialize_i32(&mut self.size_y))?;
        when(!form.short, &mut self.size_z, "size_z", ar)
    }
}
