//! The mips of a texture, whichever engine's type holds them.

use crate::archive::Span;
use crate::object::ue3::asset::texture as ue3;
use crate::object::{Native, VengeanceHeader, ue1, ue2};
use crate::primitive::{BulkData, LazyPayload, Payload};

/// One size of a texture.
#[derive(Debug, Clone)]
pub(super) struct Mip {
    pub width: u32,
    pub height: u32,
    /// The texels; `None` where they stand in another file, are packed, or left out.
    pub texels: Option<Span>,
}

/// How a size of UE3 is stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredSize {
    pub width: u32,
    pub height: u32,
    /// Bytes before they are compressed; 0 where the size was left out.
    pub bytes: u64,
    pub is_lzx: bool,
}

/// The sizes of a texture of UE3.
pub(super) fn stored_sizes(native: &Native) -> Vec<StoredSize> {
    const LZX: u32 = 0x80;
    let side = |side: i32| u32::try_from(side).unwrap_or(0);
    let mips = ue3_ref(native).map(|texture| texture.mips.as_slice()).unwrap_or_default();
    let size = |mip: &ue3::Mip| StoredSize {
        width: side(mip.size_x),
        height: side(mip.size_y),
        bytes: u64::try_from(mip.data.element_count).unwrap_or(0),
        is_lzx: mip.data.flags & LZX != 0,
    };
    mips.iter().map(size).collect()
}

/// A size with new texels.
#[derive(Debug, Clone)]
pub(super) struct NewMip {
    pub width: u32,
    pub height: u32,
    pub texels: Vec<u8>,
}

/// The types that hold textures.
enum Typed<'a> {
    Classic(&'a ue1::Texture),
    Swat(&'a ue2::Texture),
    Ue3(&'a ue3::Texture2D),
}

fn typed(native: &Native) -> Option<Typed<'_>> {
    let Native::Object(object) = native else { return None };
    if let Some(texture) = object.downcast_ref::<ue1::Texture>() {
        return Some(Typed::Classic(texture));
    }
    if let Some(fire) = object.downcast_ref::<ue1::FireTexture>() {
        return Some(Typed::Classic(&fire.texture));
    }
    if let Some(texture) = object.downcast_ref::<ue2::Texture>() {
        return Some(Typed::Swat(texture));
    }
    if let Some(map) = object.downcast_ref::<ue3::LightMapTexture2D>() {
        return Some(Typed::Ue3(&map.base));
    }
    object.downcast_ref::<ue3::Texture2D>().map(Typed::Ue3)
}

/// The UE1 and UE2 form, to be changed.
pub(super) fn ue1_mut(native: &mut Native) -> Option<&mut ue1::Texture> {
    let Native::Object(object) = native else { return None };
    if object.downcast_ref::<ue1::Texture>().is_some() {
        return object.downcast_mut::<ue1::Texture>();
    }
    object.downcast_mut::<ue1::FireTexture>().map(|fire| &mut fire.texture)
}

/// The UE3 form, to be changed.
pub(super) fn ue3_mut(native: &mut Native) -> Option<&mut ue3::Texture2D> {
    let Native::Object(object) = native else { return None };
    if object.downcast_ref::<ue3::Texture2D>().is_some() {
        return object.downcast_mut::<ue3::Texture2D>();
    }
    object.downcast_mut::<ue3::LightMapTexture2D>().map(|map| &mut map.base)
}

/// The UE3 form.
pub(super) fn ue3_ref(native: &Native) -> Option<&ue3::Texture2D> {
    match typed(native) {
        Some(Typed::Ue3(texture)) => Some(texture),
        _ => None,
    }
}

fn ue1_mip(mip: &ue1::Mip) -> Mip {
    let (width, height) = (mip.width, mip.height);
    let here = mip.data.header.loader_flags == 0;
    Mip { width, height, texels: here.then(|| mip.data.data.0.clone()) }
}

/// The mips, from the largest; `None` for what is no texture.
pub(super) fn mips(native: &Native) -> Option<Vec<Mip>> {
    let side = |side: i32| u32::try_from(side).unwrap_or(0);
    Some(match typed(native)? {
        Typed::Classic(texture) => texture.mips.iter().map(ue1_mip).collect(),
        Typed::Swat(texture) => {
            let mip = |mip: &ue2::Mip| Mip {
                width: side(mip.u_size),
                height: side(mip.v_size),
                texels: Some(mip.data.data.0.clone()),
            };
            texture.mips.iter().map(mip).collect()
        }
        Typed::Ue3(texture) => {
            let mip = |mip: &ue3::Mip| Mip {
                width: side(mip.size_x),
                height: side(mip.size_y),
                texels: plain(&mip.data).then(|| mip.data.payload.clone()),
            };
            texture.mips.iter().map(mip).collect()
        }
    })
}

/// The second set of mips that some textures of UE1 have.
pub(super) fn compressed_mips(native: &Native) -> Option<Vec<Mip>> {
    match typed(native)? {
        Typed::Classic(texture) => {
            texture.compressed.as_ref().map(|mips| mips.iter().map(ue1_mip).collect())
        }
        _ => None,
    }
}

/// Whether bulk data stands here, as it is.
pub(super) fn plain(data: &BulkData) -> bool {
    const SINGLE_USE: u32 = 0x08;
    const SINGLE_ELEMENT: u32 = 0x04;
    data.flags & !(SINGLE_USE | SINGLE_ELEMENT) == 0
}

/// Bulk data of these bytes, standing where it is.
pub(super) fn bulk(bytes: Vec<u8>) -> BulkData {
    let count = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
    BulkData {
        element_count: count,
        size_on_disk: count,
        payload: Span::owned(bytes),
        ..BulkData::default()
    }
}

/// A lazy array of these bytes.
pub(super) fn lazy(bytes: Vec<u8>) -> LazyPayload<1> {
    LazyPayload { data: Payload(Span::owned(bytes)), ..LazyPayload::default() }
}

fn log2(side: u32) -> u8 {
    side.max(1).ilog2() as u8
}

/// New mips of UE1 and UE2.
pub(super) fn ue1_mips(mips: Vec<NewMip>) -> Vec<ue1::Mip> {
    let mip = |mip: NewMip| ue1::Mip {
        data: lazy(mip.texels),
        width: mip.width,
        height: mip.height,
        width_bits: log2(mip.width),
        height_bits: log2(mip.height),
    };
    mips.into_iter().map(mip).collect()
}

/// New mips of UE3.
pub(super) fn ue3_mips(mips: Vec<NewMip>) -> Vec<ue3::Mip> {
    let mip = |mip: NewMip| ue3::Mip {
        data: bulk(mip.texels),
        size_x: mip.width as i32,
        size_y: mip.height as i32,
    };
    mips.into_iter().map(mip).collect()
}

/// Gives mips of the same number and sizes their new texels; those that are `None` stay.
pub(super) fn set_texels(native: &mut Native, texels: Vec<Option<Vec<u8>>>) {
    if let Some(texture) = ue1_mut(native) {
        set_each(&mut texture.mips, texels, |mip, texels| mip.data = lazy(texels));
    } else if let Some(texture) = ue3_mut(native) {
        set_each(&mut texture.mips, texels, |mip, texels| {
            mip.data = BulkData { flags: mip.data.flags, ..bulk(texels) };
        });
    } else if let Some(texture) = swat_mut(native) {
        set_each(&mut texture.mips, texels, |mip, texels| mip.data = lazy(texels));
    }
}

/// Gives each mip its texels, if there are new ones.
pub(super) fn set_each<M>(
    mips: &mut [M],
    texels: Vec<Option<Vec<u8>>>,
    set: impl Fn(&mut M, Vec<u8>),
) {
    for (mip, texels) in mips.iter_mut().zip(texels) {
        if let Some(texels) = texels {
            set(mip, texels);
        }
    }
}

fn swat_mut(native: &mut Native) -> Option<&mut ue2::Texture> {
    let Native::Object(object) = native else { return None };
    object.downcast_mut()
}

/// Gives the texture other mips.
pub(super) fn set_mips(native: &mut Native, mips: Vec<NewMip>) {
    if let Some(texture) = ue1_mut(native) {
        texture.mips = ue1_mips(mips);
    } else if let Some(texture) = ue3_mut(native) {
        texture.mips = ue3_mips(mips);
    } else if let Some(texture) = swat_mut(native) {
        let mip = |mip: NewMip| ue2::Mip {
            header: VengeanceHeader { kind: 3, version: 0, subversion: 1 },
            extra: LazyPayload::default(),
            data: lazy(mip.texels),
            u_size: mip.width as i32,
            v_size: mip.height as i32,
            u_bits: log2(mip.width),
            v_bits: log2(mip.height),
        };
        texture.mips = mips.into_iter().map(mip).collect();
    }
}
