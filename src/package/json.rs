//! The JSON form of a package: every section and body as text, without loss.

mod document;
mod output;
mod read;
mod read_body;
mod texts;
mod write;

use std::borrow::Cow;

use self::texts::PackageTexts;
use super::Package;
use crate::error::{Error, ErrorKind, Result};
use crate::property::mappings::Mappings;

/// The version of the form.
const FORM: u64 = 3;

/// The version in which mappings are compared.
const NEWEST_MAPPINGS: u8 = 4;

impl Package {
    /// Texts for names, and for objects where the tables are known.
    fn texts(&self, objects: bool) -> PackageTexts {
        let names = self.names().iter().map(Cow::into_owned);
        let exports = (0..self.export_count()).map(crate::PackageIndex::export);
        let imports = (0..self.tables.imports.len()).map(crate::PackageIndex::import);
        let all = exports.chain(imports).filter(|_| objects);
        PackageTexts::new(names, all.map(|index| (index.value(), self.path(index))))
    }
}

/// What tells mappings from others.
fn fingerprint(mappings: &Mappings) -> Result<String> {
    let hash = blake3::hash(&mappings.to_bytes(NEWEST_MAPPINGS)?);
    Ok(hash.to_hex()[..32].to_owned())
}

fn invalid(reason: String) -> Error {
    ErrorKind::Invalid { reason }.into()
}
