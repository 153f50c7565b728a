//! The file around a package's image, as far as saving needs it.

use std::sync::Arc;

use bytes::Bytes;

use super::around::FileAround;
use super::chunks::{ChunkData, Chunks};
use super::lineage::{Lineage, is_lineage};
use super::stream::{Stream, is_stream};
use super::{BLOCK_SIZE, Chunk, Framing, Method, limit};
use crate::archive::{Coverage, Kind, Span};
use crate::error::{Error, Result};
use crate::version::Versions;

/// How a saved package is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Storage {
    /// As the file it was opened from: unchanged blocks stay the bytes they were, changed ones are
    /// compressed anew with the same method.
    #[default]
    AsOpened,
    /// As it lies in memory.
    Plain,
    /// In chunks that the summary lists (from file version 334).
    Chunks(Method),
    /// As one stream, the whole file.
    Stream(Method),
}

/// In which way a file is not the package itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", tag = "kind"))]
#[non_exhaustive]
pub enum ContainerForm {
    /// The summary lists compressed chunks.
    Chunks {
        /// The codec.
        method: Method,
    },
    /// The file is one framing.
    Stream {
        /// The codec.
        method: Method,
    },
    /// Encrypted by XOR behind the header of Lineage II.
    Lineage {
        /// The three digits of the header.
        version: u32,
    },
    /// With the header of packages in IoStore containers ([`crate::container::zen`]).
    Zen,
}

/// A range of the file that a container still points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContainerSpan {
    /// First byte, from the start of the file.
    pub start: u64,
    /// Behind the last byte.
    pub end: u64,
    /// Compressed blocks are payload, bytes between chunks are gaps.
    pub kind: Kind,
}

/// The file around a package that is stored otherwise than it lies in memory.
///
/// The package reads its image ([`crate::Package::source`]); the container keeps the file, so that what
/// did not change is written as the bytes it was.
#[derive(Debug, Clone)]
pub struct Container {
    file: Bytes,
    image: Bytes,
    inner: Inner,
}

#[derive(Debug, Clone)]
pub(super) enum Inner {
    Chunks(Box<Chunks>),
    Stream(Stream),
    Lineage(Lineage),
    Around(Arc<dyn FileAround>),
}

/// A saved image on its way into a file.
#[derive(Debug)]
pub(crate) struct Rewrap<'a> {
    pub image: &'a [u8],
    pub versions: &'a Versions,
    /// Old and new start of every section that was there, ascending.
    pub moves: Vec<(u64, u64)>,
    /// Starts of the bodies in the image, ascending.
    pub bodies: Vec<u64>,
}

/// Whether a file that starts so is a package inside another form which does not begin as packages do.
pub(crate) fn starts_encrypted(start: &[u8]) -> bool {
    is_lineage(start)
}

impl Container {
    /// The container of a file, `None` when the file is the package itself.
    ///
    /// # Errors
    /// `Unsupported` for a method or cipher that can't be read; `Compression` when sizes or blocks are
    /// damaged, before anything is allocated for what they claim; `TooLarge` for an image of more than
    /// `most` bytes.
    pub(crate) fn open(
        file: &Bytes,
        versions: Versions,
        threads: Option<usize>,
        most: Option<u64>,
    ) -> Result<Option<Self>> {
        let (inner, image) = if is_lineage(file) {
            let lineage = Lineage::load(file)?;
            let image = lineage.image(file);
            (Inner::Lineage(lineage), image)
        } else if is_stream(file) {
            let stream = Stream::load(file, most)?;
            let image = stream.image(file, threads)?;
            (Inner::Stream(stream), image)
        } else {
            let Some(chunks) = Chunks::load(file, versions)? else { return Ok(None) };
            limit::check(chunks.image_size(), file.len() as u64, most)?;
            let image = chunks.image(file, threads)?;
            (Inner::Chunks(Box::new(chunks)), image)
        };
        Ok(Some(Self { file: file.clone(), image: image.into(), inner }))
    }

    /// A file that a room above has read.
    pub(crate) fn around(file: Bytes, image: Bytes, around: Arc<dyn FileAround>) -> Self {
        Self { file, image, inner: Inner::Around(around) }
    }

    /// The data that a room above keeps with the file, if it is of this type.
    pub(crate) fn made_as<T: 'static>(&self) -> Option<&T> {
        match &self.inner {
            Inner::Around(around) => around.as_any().downcast_ref(),
            _ => None,
        }
    }

    pub(super) fn inner(&self) -> &Inner {
        &self.inner
    }

    /// The bytes of the file.
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    /// The package as it lies in memory.
    pub(crate) fn image(&self) -> Bytes {
        self.image.clone()
    }

    /// In which way the file is not the package itself.
    pub fn form(&self) -> ContainerForm {
        match &self.inner {
            Inner::Chunks(chunks) => ContainerForm::Chunks { method: chunks.method },
            Inner::Stream(stream) => ContainerForm::Stream { method: stream.method },
            Inner::Lineage(lineage) => ContainerForm::Lineage { version: lineage.version },
            Inner::Around(around) => around.form(),
        }
    }

    /// The codec, if the file is compressed.
    pub fn method(&self) -> Option<Method> {
        match self.form() {
            ContainerForm::Chunks { method } | ContainerForm::Stream { method } => Some(method),
            ContainerForm::Lineage { .. } | ContainerForm::Zen => None,
        }
    }

    /// The chunks that the summary lists; empty for other forms.
    pub fn chunks(&self) -> &[Chunk] {
        match &self.inner {
            Inner::Chunks(chunks) => &chunks.list,
            _ => &[],
        }
    }

    /// The framings with all compressed blocks, in the order of the file.
    pub fn framings(&self) -> Vec<&Framing> {
        match &self.inner {
            Inner::Chunks(chunks) => chunks.list.iter().filter_map(Chunk::framing).collect(),
            Inner::Stream(stream) => vec![&stream.framing],
            Inner::Lineage(_) | Inner::Around(_) => Vec::new(),
        }
    }

    /// Every range of the file that is still pointed to. Every other byte may change without changing
    /// what is saved.
    pub fn spans(&self) -> Vec<ContainerSpan> {
        let mut spans = Vec::new();
        let mut add = |span: &Span, kind| {
            if let Some(range) = span.range().filter(|range| !range.is_empty()) {
                spans.push(ContainerSpan { start: range.start, end: range.end, kind });
            }
        };
        match &self.inner {
            Inner::Chunks(chunks) => {
                for chunk in &chunks.list {
                    add(&chunk.lead, Kind::Gap);
                    match &chunk.data {
                        // Its content is the image's, which the model saves.
                        ChunkData::Raw(_) => {}
                        ChunkData::Framed(framing) => {
                            framing.blocks.iter().for_each(|b| add(&b.data, Kind::Payload));
                        }
                    }
                    add(&chunk.slack, Kind::Gap);
                }
                add(&chunks.tail, Kind::Gap);
            }
            Inner::Stream(stream) => {
                stream.framing.blocks.iter().for_each(|b| add(&b.data, Kind::Payload));
                add(&stream.tail, Kind::Gap);
            }
            Inner::Lineage(_) | Inner::Around(_) => {}
        }
        spans
    }

    /// The kinds of all bytes of the file: blocks are payload, what is not claimed is gap, the stored
    /// summary and the framings are typed. Encrypted bytes, chunks that are stored as they are and the bodies of
    /// zen packages count as payload: the image says what they are.
    pub fn coverage(&self) -> Coverage {
        let of = |kind| {
            let spans = self.spans().into_iter().filter(move |span| span.kind == kind);
            spans.map(|span| span.end - span.start).sum::<u64>()
        };
        let plain = match &self.inner {
            Inner::Chunks(chunks) => {
                let raw = chunks.list.iter().filter(|chunk| chunk.framing().is_none());
                raw.map(|chunk| chunk.compressed_size).sum()
            }
            Inner::Stream(_) => 0,
            Inner::Lineage(lineage) => self.file.len() as u64 - lineage.around(),
            Inner::Around(around) => self.file.len() as u64 - around.typed(),
        };
        let (payload, gap) = (of(Kind::Payload) + plain, of(Kind::Gap));
        let typed = self.file.len() as u64 - payload - gap;
        Coverage { typed, payload, opaque: 0, gap }
    }

    /// The same over other bytes of the file.
    pub(crate) fn over(&self, file: Bytes) -> Result<Self> {
        if file.len() != self.file.len() {
            return Err(Error::invalid("the other file has another length"));
        }
        Ok(Self { file, ..self.clone() })
    }
}

/// The file around a saved image; `None` when the file is the image itself.
///
/// # Errors
/// `Unsupported` when blocks have to be compressed with a method that can't be written; `NotInVersion`
/// for chunks below file version 334.
pub(crate) fn store(
    container: Option<&Container>,
    storage: Storage,
    new: &Rewrap<'_>,
) -> Result<Option<Vec<u8>>> {
    let inner = container.map(|container| (&container.inner, container));
    match (storage, inner) {
        (Storage::Plain, _) | (Storage::AsOpened, None) => Ok(None),
        (Storage::AsOpened, Some((Inner::Lineage(lineage), _))) => {
            lineage.wrap(new.image).map(Some)
        }
        (Storage::AsOpened, Some((Inner::Around(around), _))) => around.rewrap(new).map(Some),
        (Storage::AsOpened, Some((Inner::Chunks(chunks), around))) => {
            chunks.rewrap(&around.file, &around.image, new).map(Some)
        }
        (Storage::AsOpened, Some((Inner::Stream(stream), around))) => {
            stream.rewrap(&around.file, &around.image, new).map(Some)
        }
        (Storage::Chunks(method), Some((Inner::Chunks(chunks), around)))
            if chunks.method == method =>
        {
            chunks.rewrap(&around.file, &around.image, new).map(Some)
        }
        (Storage::Chunks(method), inner) => {
            let block_size = match inner {
                Some((Inner::Chunks(chunks), _)) if chunks.method != Method::Oodle => {
                    chunks.list.first().map_or(BLOCK_SIZE, Chunk::block_size)
                }
                _ => BLOCK_SIZE,
            };
            Chunks::wrap(method, block_size, new).map(Some)
        }
        (Storage::Stream(method), Some((Inner::Stream(stream), around)))
            if stream.method == method =>
        {
            stream.rewrap(&around.file, &around.image, new).map(Some)
        }
        (Storage::Stream(method), _) => Stream::wrap(method, new).map(Some),
    }
}
