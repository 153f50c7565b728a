//! What a tool without this library writes for the same tables: a function that reads and a function
//! that writes each row, the version passed along, all gates of the layouts (spec: ue1-3/03), no unsafe.

use unreal_packages::primitive::{
    Encoding, ExportFlags, ObjectFlags, PackageFlags, Rare, WideIndex,
};
use unreal_packages::table::{ComponentEntry, Export, ExportDetails, Import};
use unreal_packages::{Guid, Name, PackageIndex, Span};

/// Why a table can't be read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    End,
    NegativeCount,
    OutsideSource,
    TooWide,
    NoPackage,
}

type Result<T> = std::result::Result<T, Fault>;

macro_rules! numbers {
    ($($type:ty: $read:ident $write:ident),*) => { $(
        #[inline]
        fn $read(bytes: &[u8], at: &mut usize) -> Result<$type> {
            const SIZE: usize = size_of::<$type>();
            let chunk = bytes.get(*at..).and_then(|rest| rest.first_chunk::<SIZE>());
            let number = <$type>::from_le_bytes(*chunk.ok_or(Fault::End)?);
            *at += SIZE;
            Ok(number)
        }

        #[inline]
        fn $write(out: &mut Vec<u8>, number: $type) {
            out.extend_from_slice(&number.to_le_bytes());
        }
    )* };
}
numbers!(u32: read_u32 write_u32, i32: read_i32 write_i32, u64: read_u64 write_u64);

#[inline]
fn read_u8(bytes: &[u8], at: &mut usize) -> Result<u8> {
    let byte = *bytes.get(*at).ok_or(Fault::End)?;
    *at += 1;
    Ok(byte)
}

#[inline]
fn read_compact(bytes: &[u8], at: &mut usize) -> Result<i32> {
    let first = read_u8(bytes, at)?;
    let mut value = i32::from(first & 0x3f);
    if first & 0x40 != 0 {
        let mut shift = 6;
        loop {
            let next = read_u8(bytes, at)?;
            value |= i32::from(next & 0x7f) << shift;
            shift += 7;
            if next & 0x80 == 0 || shift > 27 {
                break;
            }
        }
    }
    Ok(if first & 0x80 != 0 { -value } else { value })
}

#[inline]
fn write_compact(out: &mut Vec<u8>, value: i32) {
    let mut rest = value.unsigned_abs();
    let sign = if value < 0 { 0x80 } else { 0 };
    let first = (rest & 0x3f) as u8 | sign;
    rest >>= 6;
    if rest == 0 {
        out.push(first);
        return;
    }
    out.push(first | 0x40);
    while rest > 0x7f {
        out.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

#[inline]
fn read_index(bytes: &[u8], at: &mut usize, version: u32) -> Result<i32> {
    if version < 178 { read_compact(bytes, at) } else { read_i32(bytes, at) }
}

#[inline]
fn write_index(out: &mut Vec<u8>, value: i32, version: u32) {
    if version < 178 { write_compact(out, value) } else { write_i32(out, value) }
}

#[inline]
fn read_name(bytes: &[u8], at: &mut usize, version: u32) -> Result<Name> {
    let index = read_index(bytes, at, version)?;
    let number = if version >= 343 { read_i32(bytes, at)? } else { 0 };
    Ok(Name::numbered(index, number))
}

#[inline]
fn write_name(out: &mut Vec<u8>, name: Name, version: u32) {
    write_index(out, name.index.value(), version);
    if version >= 343 {
        write_i32(out, name.number);
    }
}

#[inline]
fn read_count(bytes: &[u8], at: &mut usize) -> Result<usize> {
    let count = usize::try_from(read_i32(bytes, at)?).map_err(|_| Fault::NegativeCount)?;
    if count > bytes.len() - *at { Err(Fault::End) } else { Ok(count) }
}

#[inline]
fn read_guid(bytes: &[u8], at: &mut usize) -> Result<Guid> {
    let (a, b) = (read_u32(bytes, at)?, read_u32(bytes, at)?);
    Ok(Guid::new(a, b, read_u32(bytes, at)?, read_u32(bytes, at)?))
}

/// Reads `count` rows, each by `row`, into `rows`.
#[inline]
pub fn read_rows<'a, T>(
    rows: &mut Vec<T>,
    count: usize,
    bytes: &'a [u8],
    at: &mut usize,
    version: u32,
    row: impl Fn(&'a [u8], &mut usize, u32) -> Result<T>,
) -> Result<()> {
    if count > bytes.len() - *at {
        return Err(Fault::End);
    }
    rows.clear();
    rows.reserve_exact(count);
    for _ in 0..count {
        rows.push(row(bytes, at, version)?);
    }
    Ok(())
}

#[inline]
pub fn read_export(bytes: &[u8], at: &mut usize, version: u32) -> Result<Export> {
    let class_index = PackageIndex::new(read_index(bytes, at, version)?);
    let super_index = PackageIndex::new(read_index(bytes, at, version)?);
    let outer_index = PackageIndex::new(if version >= 50 { read_i32(bytes, at)? } else { 0 });
    let object_name = read_name(bytes, at, version)?;
    let archetype_index = PackageIndex::new(if version >= 220 { read_i32(bytes, at)? } else { 0 });
    let object_flags = ObjectFlags(if version >= 195 {
        read_u64(bytes, at)?
    } else {
        u64::from(read_u32(bytes, at)?)
    });
    let serial_size = read_index(bytes, at, version)?;
    let serial_offset =
        if version >= 249 || serial_size != 0 { read_index(bytes, at, version)? } else { 0 };
    let mut component_map = Vec::new();
    if (178..543).contains(&version) {
        let count = read_count(bytes, at)?;
        component_map.reserve_exact(count);
        for _ in 0..count {
            let name = read_name(bytes, at, version)?;
            let export = PackageIndex::new(read_i32(bytes, at)?.wrapping_add(1));
            component_map.push(ComponentEntry { name, export });
        }
    }
    let export_flags = ExportFlags(if version >= 247 { read_u32(bytes, at)? } else { 0 });
    let mut generation_net_object_count = Vec::new();
    let mut package_guid = Guid::default();
    if version >= 322 {
        let count = read_count(bytes, at)?;
        generation_net_object_count.reserve_exact(count);
        for _ in 0..count {
            generation_net_object_count.push(read_i32(bytes, at)?);
        }
        package_guid = read_guid(bytes, at)?;
    }
    let package_flags = PackageFlags(if version >= 475 { read_u32(bytes, at)? } else { 0 });
    Ok(Export {
        class_index,
        super_index,
        outer_index,
        object_name,
        archetype_index,
        object_flags,
        serial_size: serial_size.into(),
        serial_offset: serial_offset.into(),
        details: Rare::from(ExportDetails {
            component_map,
            export_flags,
            generation_net_object_count,
            package_guid,
        }),
        package_flags,
        ..Export::default()
    })
}

#[inline]
pub fn write_export(out: &mut Vec<u8>, export: &Export, version: u32) -> Result<()> {
    write_index(out, export.class_index.value(), version);
    write_index(out, export.super_index.value(), version);
    if version >= 50 {
        write_i32(out, export.outer_index.value());
    }
    write_name(out, export.object_name, version);
    if version >= 220 {
        write_i32(out, export.archetype_index.value());
    }
    write_flags(out, export.object_flags.0, version)?;
    let number = |index: WideIndex| i32::try_from(index.value()).map_err(|_| Fault::TooWide);
    let (serial_size, serial_offset) = (number(export.serial_size)?, number(export.serial_offset)?);
    write_index(out, serial_size, version);
    if version >= 249 || serial_size != 0 {
        write_index(out, serial_offset, version);
    }
    let details = &*export.details;
    if (178..543).contains(&version) {
        let count = i32::try_from(details.component_map.len()).map_err(|_| Fault::TooWide)?;
        write_i32(out, count);
        for component in &details.component_map {
            write_name(out, component.name, version);
            write_i32(out, component.export.value().wrapping_sub(1));
        }
    }
    if version >= 247 {
        write_u32(out, details.export_flags.0);
    }
    if version >= 322 {
        let counts = &details.generation_net_object_count;
        write_i32(out, i32::try_from(counts.len()).map_err(|_| Fault::TooWide)?);
        for &count in counts {
            write_i32(out, count);
        }
        let guid = details.package_guid;
        for part in [guid.a, guid.b, guid.c, guid.d] {
            write_u32(out, part);
        }
    }
    if version >= 475 {
        write_u32(out, export.package_flags.0);
    }
    Ok(())
}

#[inline]
fn write_flags(out: &mut Vec<u8>, flags: u64, version: u32) -> Result<()> {
    if version >= 195 {
        write_u64(out, flags);
    } else {
        write_u32(out, u32::try_from(flags).map_err(|_| Fault::TooWide)?);
    }
    Ok(())
}

#[inline]
pub fn read_import(bytes: &[u8], at: &mut usize, version: u32) -> Result<Import> {
    Ok(Import {
        class_package: read_name(bytes, at, version)?,
        class_name: read_name(bytes, at, version)?,
        outer_name: if version < 50 { read_name(bytes, at, version)? } else { Name::default() },
        outer_index: PackageIndex::new(if version >= 50 { read_i32(bytes, at)? } else { 0 }),
        object_name: read_name(bytes, at, version)?,
        ..Import::default()
    })
}

/// The characters of a name where they stand, and what is needed to write them again.
#[derive(Debug)]
pub struct NameRange {
    pub text: Span,
    pub length: i32,
    pub encoding: Encoding,
    pub terminated: bool,
    pub flags: u64,
}

#[inline]
fn read_text<'a>(bytes: &'a [u8], at: &mut usize, version: u32) -> Result<(&'a [u8], i32, bool)> {
    let rest = bytes.get(*at..).ok_or(Fault::End)?;
    if version < 64 {
        let length = memchr(rest).ok_or(Fault::End)?;
        *at += length + 1;
        return Ok((&rest[..length], length as i32 + 1, true));
    }
    let length = read_index(bytes, at, version)?;
    let unit = if length < 0 { 2 } else { 1 };
    let size = (length.unsigned_abs() as usize).checked_mul(unit).ok_or(Fault::End)?;
    let end = at.checked_add(size).ok_or(Fault::End)?;
    let text = bytes.get(*at..end).ok_or(Fault::End)?;
    *at = end;
    Ok(match (length, text) {
        (0.., [text @ .., 0]) => (text, length, true),
        (..0, [text @ .., 0, 0]) => (text, length, true),
        _ => (text, length, false),
    })
}

fn memchr(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&byte| byte == 0)
}

#[inline]
fn read_flags(bytes: &[u8], at: &mut usize, version: u32) -> Result<u64> {
    if version >= 195 { read_u64(bytes, at) } else { read_u32(bytes, at).map(u64::from) }
}

#[inline]
pub fn read_name_range(bytes: &[u8], at: &mut usize, version: u32) -> Result<NameRange> {
    let (text, length, terminated) = read_text(bytes, at, version)?;
    let unit = if length < 0 { 2 } else { 1 };
    let start = *at - text.len() - usize::from(terminated) * unit;
    let encoding = if length < 0 { Encoding::Utf16Le } else { Encoding::Ansi };
    let flags = read_flags(bytes, at, version)?;
    let text = Span::source(start as u64, text.len() as u64);
    Ok(NameRange { text, length, encoding, terminated, flags })
}

#[inline]
pub fn write_name_range(
    out: &mut Vec<u8>,
    name: &NameRange,
    source: &[u8],
    version: u32,
) -> Result<()> {
    let text = name.text.bytes(source).map_err(|_| Fault::OutsideSource)?;
    if version >= 64 {
        write_index(out, name.length, version);
    }
    out.extend_from_slice(text);
    if name.terminated {
        let unit = if name.encoding == Encoding::Ansi { 1 } else { 2 };
        out.extend_from_slice(&[0; 2][..unit]);
    }
    write_flags(out, name.flags, version)
}

/// A name whose text is its own.
#[derive(Debug)]
pub struct OwnedName {
    pub text: String,
    pub flags: u64,
}

#[inline]
pub fn read_owned_name(bytes: &[u8], at: &mut usize, version: u32) -> Result<OwnedName> {
    let (text, length, _) = read_text(bytes, at, version)?;
    let text = if length < 0 {
        let (units, _) = text.as_chunks::<2>();
        char::decode_utf16(units.iter().map(|unit| u16::from_le_bytes(*unit)))
            .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    } else {
        String::from_utf8_lossy(text).into_owned()
    };
    Ok(OwnedName { text, flags: read_flags(bytes, at, version)? })
}

/// A name that borrows its text.
#[derive(Debug)]
pub struct BorrowedName<'a> {
    pub text: &'a [u8],
    pub wide: bool,
    pub flags: u64,
}

#[inline]
pub fn read_borrowed_name<'a>(
    bytes: &'a [u8],
    at: &mut usize,
    version: u32,
) -> Result<BorrowedName<'a>> {
    let (text, length, _) = read_text(bytes, at, version)?;
    Ok(BorrowedName { text, wide: length < 0, flags: read_flags(bytes, at, version)? })
}

/// The tables of a package.
#[derive(Debug)]
pub struct Tables<'a> {
    pub names: Vec<BorrowedName<'a>>,
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    pub depends: Vec<Vec<i32>>,
}

/// The header up to the tables, then the tables, names borrowed; every body must lie in the file.
pub fn read_tables(bytes: &[u8]) -> Result<Tables<'_>> {
    let at = &mut 0;
    if read_u32(bytes, at)? != 0x9e2a_83c1 {
        return Err(Fault::NoPackage);
    }
    let version = read_u32(bytes, at)? & 0xffff;
    if version >= 249 {
        read_i32(bytes, at)?;
    }
    if version >= 269 {
        read_text(bytes, at, version)?;
    }
    read_u32(bytes, at)?;
    let mut place = || -> Result<(usize, usize)> {
        let count = usize::try_from(read_i32(bytes, at)?).map_err(|_| Fault::NegativeCount)?;
        let offset = usize::try_from(read_i32(bytes, at)?).map_err(|_| Fault::End)?;
        if offset > bytes.len() { Err(Fault::End) } else { Ok((count, offset)) }
    };
    let (names, exports, imports) = (place()?, place()?, place()?);
    let depends = if version >= 415 { read_i32(bytes, at)? } else { 0 };

    let mut tables = Tables { names: vec![], imports: vec![], exports: vec![], depends: vec![] };
    let at = &mut 0;
    *at = names.1;
    read_rows(&mut tables.names, names.0, bytes, at, version, read_borrowed_name)?;
    *at = imports.1;
    read_rows(&mut tables.imports, imports.0, bytes, at, version, read_import)?;
    *at = exports.1;
    read_rows(&mut tables.exports, exports.0, bytes, at, version, read_export)?;
    for export in &tables.exports {
        let size = u64::try_from(export.serial_size.value()).map_err(|_| Fault::NegativeCount)?;
        let start = u64::try_from(export.serial_offset.value()).map_err(|_| Fault::End)?;
        if size > 0 && start + size > bytes.len() as u64 {
            return Err(Fault::End);
        }
    }
    if depends > 0 {
        *at = (depends as usize).min(bytes.len());
        let row = |bytes: &[u8], at: &mut usize, _| {
            let count = read_count(bytes, at)?;
            (0..count).map(|_| read_i32(bytes, at)).collect()
        };
        read_rows(&mut tables.depends, exports.0, bytes, at, version, row)?;
    }
    Ok(tables)
}
