//! The tables of a package: one noun a file, each with its one `serialize`.

mod depends;
mod export;
mod generation;
mod guids;
mod import;
mod name;
mod summary;
mod texture_allocation;
mod thumbnail;
mod version_word;

pub use depends::DependsRow;
pub use export::{ComponentEntry, Export};
pub use generation::Generation;
pub use guids::{ExportGuid, ImportGuids};
pub use import::Import;
pub use name::NameEntry;
pub use summary::{CompressedChunk, Summary};
pub use texture_allocation::TextureAllocation;
pub use thumbnail::{Thumbnail, ThumbnailImage};
pub use version_word::{PACKAGE_TAG, Tag, VersionWord};
