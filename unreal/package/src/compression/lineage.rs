//! Encrypted packages of Lineage II.

use crate::Archived;
use crate::archive::{Loader, Saver};
use crate::error::{Error, Result, UnrealErrors, Unsupported};
use crate::table::{CRC_LSB, PACKAGE_TAG};
use crate::version::{UnrealVersions, Versions};

/// The magic of the header, in UTF-16.
const MARK: &str = "Lineage2Ver";
/// Bytes of the header: the mark and three digits, two bytes each.
pub(super) const HEADER: usize = 28;

/// The version whose key follows from the file's name.
const NAMED: u32 = 121;

/// Bytes of the [`Footer`].
const FOOTER: usize = 20;

/// A package behind a header of 28 bytes, each of its bytes combined with one key byte by XOR.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | 14 × u16 | `Lineage2Ver` and three digits |
/// | 2 | | the package; its offsets count from here |
/// | 3 | [`Footer`] | as it is; may be absent |
///
/// The key is 0xAC in Ver111; in Ver121 it is the sum of the file's name in small letters, extension and all:
/// inferred from what public tools say of these files (no file of it was at hand). The package tag gives it away.
/// Ver41x is encrypted with RSA and can't be opened. Spec: ue1-3/02 §2.5; the footer is seen in two files of
/// Ver111.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lineage {
    /// The three digits.
    pub version: u32,
    pub key: u8,
    footer: Option<Footer>,
}

/// The footer behind an encrypted package.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct Footer {
    /// 0, and two numbers of unknown meaning.
    unknown: [u32; 3],
    /// CRC-32 of everything before the footer.
    crc: u32,
    /// 0.
    end: u32,
}

/// Whether a file starts with the header.
pub(super) fn is_lineage(file: &[u8]) -> bool {
    let mark = MARK.encode_utf16().flat_map(u16::to_le_bytes);
    file.len() >= HEADER && file.iter().copied().take(2 * MARK.len()).eq(mark)
}

/// The key of a file of this name in Ver121.
fn key_of(name: &str) -> u8 {
    let units = name.to_lowercase();
    units.encode_utf16().fold(0_u16, u16::wrapping_add) as u8
}

/// The file under another name, where its key follows from that; `None` where it may stay as it is. `old` is the
/// name that it was opened by, if it has one.
///
/// # Errors
/// `Refused` where the key of the old name is another than the name says: then that of the new name is not known.
pub(crate) fn renamed(file: &[u8], old: Option<&str>, new: &str) -> Result<Option<Vec<u8>>> {
    if !is_lineage(file) {
        return Ok(None);
    }
    let mut lineage = Lineage::load(file)?;
    let is_same = old.is_some_and(|old| old.to_lowercase() == new.to_lowercase());
    if lineage.version != NAMED || lineage.key == key_of(new) || is_same {
        return Ok(None);
    }
    if let Some(old) = old.filter(|old| key_of(old) != lineage.key) {
        let reason = format!(
            "Ver121 of Lineage II is encrypted for the name of its file, and '{old}' is not the name that it was \
             encrypted for: give it that name first, or decompress it"
        );
        return Err(Error::refused(reason, Vec::new()));
    }
    let image = lineage.image(file);
    lineage.key = key_of(new);
    lineage.wrap(&image).map(Some)
}

impl Lineage {
    /// Reads the header and finds the key.
    ///
    /// # Errors
    /// `Unsupported` when one key byte does not make a package of it.
    pub fn load(file: &[u8]) -> Result<Self> {
        let digits = file.get(2 * MARK.len()..HEADER).unwrap_or_default();
        let text: String = digits.iter().step_by(2).map(|&digit| char::from(digit)).collect();
        let encrypted = |why: &str| {
            let reason = format!("encrypted (Lineage II container, Ver{text}): {why}");
            Err(Error::unsupported_by(Unsupported::Encrypted, reason))
        };
        let Ok(version) = text.parse() else { return encrypted("the version is no number") };
        if digits.iter().skip(1).step_by(2).any(|&high| high != 0) {
            return encrypted("the version is no number");
        }
        let tag = PACKAGE_TAG.to_le_bytes();
        match file.get(HEADER..HEADER + 4) {
            Some(&[a, b, c, d])
                if [a ^ tag[0]; 4] == [a ^ tag[0], b ^ tag[1], c ^ tag[2], d ^ tag[3]] =>
            {
                Ok(Self { version, key: a ^ tag[0], footer: footer(file) })
            }
            Some(_) if version >= 400 => encrypted("its RSA key is not known"),
            Some(_) => encrypted("no key byte makes a package of it"),
            None => encrypted("nothing follows the header"),
        }
    }

    /// Bytes of header and footer.
    pub fn around(&self) -> u64 {
        (HEADER + if self.footer.is_some() { FOOTER } else { 0 }) as u64
    }

    /// The package in the file.
    pub fn image(&self, file: &[u8]) -> Vec<u8> {
        let end = file.len() - if self.footer.is_some() { FOOTER } else { 0 };
        file.get(HEADER..end).unwrap_or_default().iter().map(|byte| byte ^ self.key).collect()
    }

    /// The file around a package.
    ///
    /// # Errors
    /// None that a footer could cause.
    pub fn wrap(&self, image: &[u8]) -> Result<Vec<u8>> {
        let header = format!("{MARK}{:03}", self.version);
        let header = header.encode_utf16().flat_map(u16::to_le_bytes);
        let mut file: Vec<u8> = header.chain(image.iter().map(|byte| byte ^ self.key)).collect();
        if let Some(footer) = &self.footer {
            let mut saver = Saver::new(Versions::unreal());
            Footer { crc: crc32(&file), ..footer.clone() }.serialize(&mut saver)?;
            file.extend_from_slice(saver.bytes());
        }
        Ok(file)
    }
}

/// The footer, recognised by its checksum.
fn footer(file: &[u8]) -> Option<Footer> {
    let (before, last) = file.get(HEADER..)?.split_last_chunk::<FOOTER>()?;
    let mut footer = Footer::default();
    footer.serialize(&mut Loader::new(last, Versions::unreal())).ok()?;
    let sum = || crc32(file.get(..HEADER + before.len()).unwrap_or_default());
    (footer.unknown[0] == 0 && footer.end == 0 && footer.crc == sum()).then_some(footer)
}

/// CRC-32 as zlib has it.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| CRC_LSB[usize::from(sum as u8 ^ byte)] ^ sum >> 8;
    !bytes.iter().fold(!0, step)
}
