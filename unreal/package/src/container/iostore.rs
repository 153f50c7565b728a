//! IoStore containers: a table of contents (`.utoc`), and blocks in one file or several (`.ucas`).
//!
//! | file | holds |
//! |---|---|
//! | `chunk_id` | [`ChunkId`], [`ChunkKind`]: what is stored |
//! | `chunks` | chunks of an [`IoStore`]: found, read, decrypted, decompressed |
//! | `toc_header` | [`TocHeader`]: counts and flags |
//! | `toc_rows` | [`ChunkRange`], [`StoredBlock`], [`ChunkMeta`]: rows of its tables |
//! | `toc` | [`Toc`]: the table of contents |
//! | `folders` | [`IoDirectoryIndex`]: paths of the chunks |
//! | `container_header` | [`ContainerHeader`], [`StoreEntry`]: what packages need of each other |
//! | `reader` | [`IoStore`]: lists, reads, checks |
//! | `writer` | [`IoStoreWriter`]: makes new ones |
//!
//! The layouts are those of the versions of a format of its own. Spec: ue4-5/11.

mod chunk_id;
mod chunks;
mod container_header;
mod folders;
mod reader;
mod toc;
mod toc_header;
mod toc_rows;
mod writer;

pub use chunk_id::{ChunkId, ChunkKind};
pub use container_header::{
    ContainerHeader, CulturePackages, LocalizedPackage, PackageRedirect, SoftPackageReferences,
    StoreEntry,
};
pub use folders::{IoDirectory, IoDirectoryIndex, IoFile};
pub use reader::IoStore;
pub use toc::{Toc, TocSignatures};
pub use toc_header::TocHeader;
pub use toc_rows::{ChunkMeta, ChunkRange, StoredBlock};
pub use writer::{IoStoreOptions, IoStoreWriter};
