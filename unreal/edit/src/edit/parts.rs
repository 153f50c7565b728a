//! Parts of a package's document (docs/documents.md): what two packages differ in, and what an edit puts in place.
//!
//! A part says everything by its text, paths instead of rows and names instead of numbers, so that it means the same in
//! another package; and it says by a hash what it expects to find.

mod between;
mod document;
mod part;
mod pictures;
mod put;

pub use self::between::parts_between;
pub use self::part::{DocumentPart, PartHash, PartPlace};
pub use self::put::{PutParts, UnfitPart};
