//! The tables of a package: one noun a file, each with its one `serialize`.

// First: the lists and what they expand to.
#[macro_use]
mod list;

mod links;
mod lookup;
pub(crate) use lookup::{hash_continued, hash_of};
mod pieces;
pub use pieces::Pieces;
mod rows;
mod section;
mod tables;

/// The files of tables and sections, and the types in them.
macro_rules! files {
    ($($file:ident { $($row:ident),* $(,)? })*) => {
        $(mod $file; pub use $file::{$($row),*};)*
    };
    ($(
        #[$doc:meta]
        $name:ident $field:ident $(: $type:ty)? $(= mod $file:ident { $($row:ident),* $(,)? })?
        { $($rest:tt)* }
    )*) => {
        $($(mod $file; pub use $file::{$($row),*};)?)*
    };
}

tables!(files);
sections!(files);

pub use data_resource::DataResource;
pub(crate) use depends::save_depends;
pub(crate) use import::COOKED_PACKAGE_NAMES;
pub(crate) use links::LINKS;
pub use name::NameHashes;
pub(crate) use name::{CRC_LSB, CRC_MSB};
pub(crate) use section::{Entry, Loading, SECTIONS};
pub use section::{FurtherSections, Section};
pub use summary::SAVED_HASH;
pub use tables::Tables;
pub(crate) use tables::next_row;
pub use tag::PACKAGE_TAG;
pub use trailer::TrailerEntry;
