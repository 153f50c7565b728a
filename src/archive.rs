//! The two traits at the heart: [`Archive`] decides what serialising means, [`Archived`] is the
//! value's one function; and the archives.
//!
//! Nothing here knows of a format: what an archive knows about the file around a value is in its
//! [`Context`], and what a reference points into is a [`Space`] that the format defines.

mod annotate;
mod archived;
pub mod changes;
pub mod checksum;
mod compact;
mod context;
mod counter;
mod direction;
mod ext;
#[cfg(feature = "hex")]
mod hex;
mod interface;
#[cfg(feature = "json")]
pub mod json;
pub mod layout;
mod layout_size;
mod lend;
mod loader;
mod object;
mod outline;
mod packed;
mod patch;
pub mod print;
#[doc(hidden)]
pub mod private;
mod reference;
mod references;
mod remap;
mod saver;
mod span;
mod step;
mod stream;
mod tagged;
mod versioned;
mod window;

#[doc(hidden)]
pub use crate::pass_on;
#[doc(hidden)]
pub use crate::visit_only;
pub use annotate::{Annotate, Record, RecordValue};
pub use archived::{Archived, Threshold};
pub use compact::CompactIndex;
pub use context::Context;
pub use counter::Counter;
pub use direction::Direction;
pub use ext::ArchiveExt;
#[cfg(feature = "hex")]
#[doc(hidden)]
pub use hex::{hex, unhex};
pub use interface::Archive;
#[cfg(feature = "json")]
pub use json::{JsonLoader, JsonSaver, JsonTexts};
pub use layout::Layout;
pub use lend::Lend;
pub use loader::Loader;
pub use object::Object;
#[doc(hidden)]
pub use outline::Outline;
pub use packed::BitField;
#[doc(hidden)]
pub use packed::PackedBits;
pub use patch::Patch;
pub use reference::{Reference, Space, Target, Width};
pub use references::References;
pub use remap::{Remap, Rule};
pub use saver::Saver;
pub use span::{Coverage, Kind, Span};
pub use step::{Keyed, Role, Step, at_index, in_field, in_part};
pub use stream::{ReadLoader, StreamValues, WriteSaver};
pub use tagged::Tagged;
pub use versioned::Versioned;
pub use window::{Extent, Window};
