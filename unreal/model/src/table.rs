//! The tables of a package: one noun a file, each with its one `serialize`.

// First: the lists and what they expand to.
#[macro_use]
mod list;

mod links;
mod lookup;
#[doc(hidden)]
pub use lookup::{hash_continued, hash_of};
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
#[doc(hidden)]
pub use depends::save_depends;
#[doc(hidden)]
pub use import::COOKED_PACKAGE_NAMES;
#[doc(hidden)]
pub use links::LINKS;
pub use name::NameHashes;
#[doc(hidden)]
pub use name::{CRC_LSB, CRC_MSB};
#[doc(hidden)]
pub use section::{Entry, Loading, SECTIONS};
pub use section::{FurtherSections, Section};
pub use summary::SAVED_HASH;
pub use tables::Tables;
#[doc(hidden)]
pub use tables::next_row;
pub use tag::{KILLING_FLOOR_TAG, PACKAGE_TAG};
pub use trailer::TrailerEntry;
