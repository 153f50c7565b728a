//! Packages that are stored otherwise than they lie in memory: compressed in chunks, compressed as a
//! whole, encrypted; and the redirect files of game servers.
//!
//! | file | holds |
//! |---|---|
//! | `method` | [`Method`]: which codec, its flags and limits |
//! | `codec` | the codecs themselves, behind the feature `compression` |
//! | `framing` | [`Framing`], [`Block`]: sizes and payloads of one compressed chunk |
//! | `limit` | how much may come out of a file |
//! | `blocks` | many blocks at once, on all cores |
//! | `chunks` | packages whose summary lists compressed chunks |
//! | `stream` | files that are one framing from start to end |
//! | `lineage` | encrypted packages of Lineage II |
//! | `container` | [`Container`]: what a package keeps of the file around its image |
//! | `wide`, `buffer` | [`WideFraming`], [`CompressedBuffer`]: payloads of UE4 and UE5 |
//! | `redirect` | files that servers hand out: `.uz`, `.uz2`, `.uz3` |
//! | `uz` | [`Uz`]: the frame and the stages of `.uz` files |
//!
//! The *image* is the package as it lies in memory: every offset of a package counts in it. The *file*
//! is what is stored. Spec: ue1-3/04.

mod around;
mod block_size;
mod blocks;
mod buffer;
mod chunk_writer;
mod chunks;
mod codec;
mod container;
mod fields;
mod framing;
mod limit;
#[doc(hidden)]
pub mod lineage;
mod method;
mod plan;
pub mod redirect;
mod stream;
mod uz;
mod wide;

pub use block_size::BLOCK_SIZE;
pub use blocks::{compress, decompress, decompress_block};
pub use buffer::CompressedBuffer;
pub use chunks::{Chunk, ChunkData};
pub use container::{Container, ContainerForm, ContainerSpan, Storage};
pub use framing::{Block, Framing};
pub use method::Method;
pub use uz::{Uz, UzForm};
pub use wide::WideFraming;

pub(crate) use around::FileAround;
#[cfg(any(feature = "compression", feature = "container"))]
pub(crate) use codec::Codec;
pub(crate) use container::{Rewrap, starts_encrypted, store};
