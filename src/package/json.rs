//! The JSON form of a package: every section and body as text, without loss.

mod document;
mod form;
mod naming;
mod output;
mod properties;
mod read;
mod read_body;
mod rows;
mod summary;
mod texts;
mod write;

use std::borrow::Cow;

use self::texts::PackageTexts;
use super::Package;

impl Package {
    /// Texts for names, and for objects where the tables are known.
    fn texts(&self, objects: bool) -> PackageTexts {
        let names = self.names().iter().map(Cow::into_owned);
        let exports = (0..self.export_count()).map(crate::PackageIndex::export);
        let imports = (0..self.tables.imports.len()).map(crate::PackageIndex::import);
        let all = exports.chain(imports).filter(|_| objects);
        let all = all.map(|index| (index.value(), self.path(index)));
        PackageTexts::new(names, all, &self.versions)
    }
}
