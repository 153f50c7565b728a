//! Encrypted packages of Lineage II.

use crate::error::{ErrorKind, Result};
use crate::table::PACKAGE_TAG;

/// What the header starts with, in UTF-16.
const MARK: &str = "Lineage2Ver";
/// Bytes of the header: the mark and three digits, two bytes each.
const HEADER: usize = 28;

/// A package behind a header of 28 bytes, each of its bytes combined with one key byte by XOR.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | 14 × u16 | `Lineage2Ver` and three digits |
/// | 2 | | the package; its offsets count from here |
///
/// The key is 0xAC in Ver111; in Ver121 it follows from the file's name, and the package tag gives it away.
/// Ver41x is encrypted with RSA and can't be opened. Spec: ue1-3/02 §2.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lineage {
    /// The three digits.
    pub version: u32,
    pub key: u8,
}

/// Whether a file starts with the header.
pub(super) fn is_lineage(file: &[u8]) -> bool {
    let mark = MARK.encode_utf16().flat_map(u16::to_le_bytes);
    file.len() >= HEADER && file.iter().copied().take(2 * MARK.len()).eq(mark)
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
            Err(ErrorKind::Unsupported { reason }.into())
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
                Ok(Self { version, key: a ^ tag[0] })
            }
            Some(_) if version >= 400 => encrypted("its RSA key is not known"),
            Some(_) => encrypted("no key byte makes a package of it"),
            None => encrypted("nothing follows the header"),
        }
    }

    /// The package in the file.
    pub fn image(self, file: &[u8]) -> Vec<u8> {
        file.get(HEADER..).unwrap_or_default().iter().map(|byte| byte ^ self.key).collect()
    }

    /// The file around a package.
    pub fn wrap(self, image: &[u8]) -> Vec<u8> {
        let header = format!("{MARK}{:03}", self.version);
        let header = header.encode_utf16().flat_map(u16::to_le_bytes);
        header.chain(image.iter().map(|byte| byte ^ self.key)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_and_unwraps() {
        let mut image = PACKAGE_TAG.to_le_bytes().to_vec();
        image.extend(0..=255u8);
        let lineage = Lineage { version: 111, key: 0xac };
        let mut file = lineage.wrap(&image);
        assert!(is_lineage(&file));
        assert_eq!(Lineage::load(&file).unwrap(), lineage);
        assert_eq!(lineage.image(&file), image);
        file[29] ^= 1;
        assert!(Lineage::load(&file).is_err());
        file.truncate(30);
        assert!(Lineage::load(&file).is_err());
        assert!(!is_lineage(&file[..27]));
    }
}
