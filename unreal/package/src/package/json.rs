//! The JSON form of a package: every section and body as text, without loss.

mod by_row;
mod code;
mod document;
mod enums;
mod form;
mod known_places;
mod known_rows;
mod names;
mod naming;
mod output;
mod paths;
mod properties;
mod read;
mod read_body;
mod read_rows;
mod rows;
mod seal;
mod summary;
mod texts;
mod uassetapi;
mod write;

use std::borrow::Cow;

pub use self::seal::check_unedited;
pub use self::uassetapi::{Uassetapi, UassetapiOptions, document_of_uassetapi};

use self::paths::object_paths;
use self::texts::PackageTexts;
use super::Package;

impl Package {
    /// Texts for names and objects.
    fn texts(&self) -> PackageTexts {
        let names = self.names().iter().map(Cow::into_owned);
        PackageTexts::new(names, object_paths(&self.path_rows()), &self.versions)
    }
}
