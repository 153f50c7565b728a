//! Bulk data wherever it lies: in the body, elsewhere in the package, in a companion file.

use std::path::{Path, PathBuf};

use crate::archive::{Archived, Loader};
use crate::compression::{Framing, Method, decompress};
use crate::error::{Error, ErrorKind, Result, noun};
use crate::file::read_range;
use crate::object::Body;
use crate::object::ue3::asset::texture::{LightMapTexture2D, Mip, Texture2D};
use crate::package::{Package, native_as};
use crate::primitive::{BulkData, Position};
use crate::property::Value;

/// The property that names the companion file of a texture.
const CACHE_PROPERTY: &str = "TextureFileCacheName";
/// The end of the names of companion files (texture file caches).
const CACHE_EXTENSION: &str = "tfc";

/// Where bulk data was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BulkPlace {
    /// In the object's body.
    Body,
    /// Elsewhere in the package.
    Package,
    /// In this file.
    Companion(PathBuf),
}

/// One mip of a texture, as its pixel format has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texels {
    /// Width.
    pub size_x: i32,
    /// Height.
    pub size_y: i32,
    /// The texels, decompressed.
    pub bytes: Vec<u8>,
    /// Where they were found.
    pub place: BulkPlace,
}

/// The texels of a mip of a texture; mip 0 is the largest. A texture file cache is looked for in
/// `folders`, whatever the case of its name: usually in the folder of the package.
///
/// # Errors
/// `NotFound` when the export is no texture with such a mip, or its cache is in none of the folders;
/// `Io`; `Compression` when they can't be decompressed; `Invalid` when there are none.
pub fn texels(package: &Package, row: usize, mip: usize, folders: &[&Path]) -> Result<Texels> {
    let decoded = package.decode(row)?;
    let missing = |what, hint: &str| {
        let name = format!("{}, mip {mip}", package.exports().path(row));
        Error::from(ErrorKind::NotFound { what, name, hint: hint.to_owned() })
    };
    let mips = mips(&decoded.body).ok_or_else(|| missing(noun::TEXTURE, "; it is no Texture2D"))?;
    let Mip { data, size_x, size_y } = mips.get(mip).ok_or_else(|| missing(noun::MIP, ""))?;
    let cache = cache_name(package, &decoded.body);
    let (bytes, place) = bulk_bytes(package, data, cache.as_deref(), folders)?;
    Ok(Texels { size_x: *size_x, size_y: *size_y, bytes, place })
}

/// The content of bulk data, decompressed; `companion` is the name of the file that holds it where the
/// package does not, without `.tfc`.
///
/// # Errors
/// As [`texels`](crate::inspect::texels).
pub fn bulk_bytes(
    package: &Package,
    bulk: &BulkData,
    companion: Option<&str>,
    folders: &[&Path],
) -> Result<(Vec<u8>, BulkPlace)> {
    let size = usize::try_from(bulk.size_on_disk).ok();
    if bulk.is_unused() {
        return Err(Error::invalid("the bulk data is unused: the cooker has left it out"));
    }
    let offset = match bulk.offset {
        Position::Here => 0,
        Position::Stale(offset) => u64::from(offset),
    };
    if bulk.is_inline() {
        return Ok((unpack(bulk, bulk.payload.bytes(package.source())?)?, BulkPlace::Body));
    }
    let size = size.ok_or_else(|| Error::invalid("the bulk data has no size"))?;
    if !bulk.is_in_separate_file() {
        let start = usize::try_from(offset).ok();
        let range = start.and_then(|start| package.source().get(start..start.checked_add(size)?));
        let length = package.source().len() as u64;
        let kind = ErrorKind::BadOffset { offset: offset as i64, length };
        return Ok((unpack(bulk, range.ok_or(kind)?)?, BulkPlace::Package));
    }
    let Some(name) = companion else {
        return Err(Error::invalid(
            "the bulk data is in another file, which the object does not name",
        ));
    };
    let path = find(name, folders).ok_or_else(|| ErrorKind::NotFound {
        what: noun::TEXTURE_FILE_CACHE,
        name: format!("{name}.{CACHE_EXTENSION}"),
        hint: format!(" in {} folders", folders.len()),
    })?;
    let stored = read_range(&path, offset, size)?;
    Ok((unpack(bulk, &stored)?, BulkPlace::Companion(path)))
}

/// The text of the property that names the companion file.
fn cache_name(package: &Package, body: &Body) -> Option<String> {
    let properties = &body.properties.as_ref()?.properties;
    properties.iter().find_map(|property| match property.value() {
        Value::Name(name)
            if property
                .name_text(|name| package.name_text(name))
                .eq_ignore_ascii_case(CACHE_PROPERTY) =>
        {
            Some(package.name_text(*name).to_string())
        }
        _ => None,
    })
}

fn mips(body: &Body) -> Option<&[Mip]> {
    let texture = native_as::<Texture2D>(body);
    let texture = texture.or_else(|| Some(&native_as::<LightMapTexture2D>(body)?.base));
    Some(&texture?.mips)
}

/// The method that the flags of bulk data name (spec: ue1-3/01 §1.8). LZMA is what real files of PS3 and
/// Wii U have; Oodle is inferred.
fn method(flags: u32) -> Option<Method> {
    let methods = [
        (0x02, Method::Zlib),
        (0x10, Method::Lzo),
        (0x80, Method::Lzx),
        (0x100, Method::Lzma),
        (0x1000, Method::Oodle),
    ];
    methods.into_iter().find(|(flag, _)| flags & flag != 0).map(|(_, method)| method)
}

fn unpack(bulk: &BulkData, stored: &[u8]) -> Result<Vec<u8>> {
    let Some(method) = method(bulk.flags) else { return Ok(stored.to_vec()) };
    let mut framing = Framing::default();
    framing.serialize(&mut Loader::new(stored, Default::default()))?;
    decompress(&framing, stored, method)
}

/// The first file of this name, whatever its case.
fn find(name: &str, folders: &[&Path]) -> Option<PathBuf> {
    let wanted = format!("{name}.{CACHE_EXTENSION}");
    folders.iter().find_map(|folder| {
        let mut entries = std::fs::read_dir(folder).ok()?.flatten();
        let entry = entries.find(|entry| {
            entry.file_name().to_str().is_some_and(|name| name.eq_ignore_ascii_case(&wanted))
        });
        Some(entry?.path())
    })
}
