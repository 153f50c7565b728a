//! `.uz`: what servers of UE1 games hand out for download, packed by `ucc compress`. Any file can be in one.
//!
//! | file | holds |
//! |---|---|
//! | `runs` | runs of one byte, folded |
//! | `sort` | the Burrows-Wheeler transform, block by block |
//! | `front` | bytes as places in a list of those seen last |
//! | `huffman` | codes of bits |
//!
//! Each stage works on the whole output of the one before; packing what was unpacked gives the files of the
//! engine's own packer, byte for byte. Spec: ue1-3/14.

mod damage;
mod front;
mod huffman;
mod runs;
mod sort;

use super::limit;
use crate::Described;
use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Archived, Kind, Loader, Saver, Span};
use crate::error::{Result, UnrealError};
use crate::primitive::FString;
use crate::version::{UnrealVersions, Versions};

/// Which stages a `.uz` file has gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UzForm {
    /// Signature 1234: runs, sorted blocks, move to front, Huffman. Every game reads it.
    #[default]
    FourStages,
    /// Signature 5678: runs are folded once more before Huffman. Unreal Tournament from 436 on, Unreal 227.
    FiveStages,
}

/// A `.uz` file; what the stages made goes on to the end.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct Uz {
    /// A number that says the stages: 1234 or 5678.
    pub form: UzForm,
    /// The name of the file inside, without folders.
    pub name: FString,
    /// The output of the last stage.
    pub data: Span,
}

impl UzForm {
    fn signature(self) -> u32 {
        match self {
            Self::FourStages => 1234,
            Self::FiveStages => 5678,
        }
    }
}

impl Archived for UzForm {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut signature = self.signature();
        ar.serialize_u32(&mut signature)?;
        let known = [Self::FourStages, Self::FiveStages];
        let Some(form) = known.into_iter().find(|form| form.signature() == signature) else {
            let reason = format!("a .uz file starts with 1234 or 5678, not {signature}");
            return Err(ar.error(UnrealError::Compression { reason }));
        };
        *self = form;
        Ok(())
    }
}

impl Archived for Uz {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.form.serialize(ar).map_err(|error| error.in_field("form"))?;
        self.name.serialize(ar).map_err(|error| error.in_field("name"))?;
        // Loading, all that is left; in every other direction the span knows its length.
        let length = ar.peek(usize::MAX).len() as u64;
        ar.serialize_span(&mut self.data, length, Kind::Payload)
    }
}

impl Uz {
    /// The frame of a `.uz` file; nothing is unpacked.
    ///
    /// # Errors
    /// `Compression` for another signature; `UnexpectedEnd`.
    pub fn read(file: &[u8]) -> Result<Self> {
        let mut uz = Self::default();
        uz.serialize(&mut Loader::new(file, versions()))?;
        Ok(uz)
    }

    /// Whether a file looks like one: its signature, a name that is a text, and a number of symbols.
    pub(super) fn recognise(file: &[u8]) -> Option<UzForm> {
        let uz = Self::read(file).ok()?;
        let name = uz.name.text(file).ok()?;
        let named = name.chars().all(|c| !c.is_control());
        let count = uz.data.bytes(file).ok()?.first_chunk().copied().map(i32::from_le_bytes);
        (named && count.is_some_and(|count| count >= 0)).then_some(uz.form)
    }

    /// The file inside of `file`, which this frame was read from; `most` bytes may come out, if that is given.
    ///
    /// # Errors
    /// `Compression` when a stage is damaged; `TooLarge`.
    pub fn unpack(&self, file: &[u8], most: Option<u64>) -> Result<Vec<u8>> {
        let limit = limit::most(file.len() as u64, most);
        // Folding runs never makes five bytes longer than six; blocks have a header of twelve bytes and one
        // byte more: what the stages between may hold is bounded by what comes out.
        let between = limit.saturating_mul(2).saturating_add(limit / 2).saturating_add(1 << 10);
        let mut bytes = huffman::unpack(self.data.bytes(file)?, between)?;
        if self.form == UzForm::FiveStages {
            bytes = runs::unfold(&bytes, between)?;
        }
        front::unpack(&mut bytes);
        let bytes = sort::unpack(&bytes)?;
        runs::unfold(&bytes, limit)
    }

    /// A file that holds `bytes` under this name.
    ///
    /// # Errors
    /// `OutOfRange` for more than fits a file.
    pub fn pack(form: UzForm, name: &str, bytes: &[u8]) -> Result<Vec<u8>> {
        let mut packed = sort::pack(&runs::fold(bytes))?;
        front::pack(&mut packed);
        if form == UzForm::FiveStages {
            packed = runs::fold(&packed);
        }
        let data = Span::owned(huffman::pack(&packed)?);
        let name = FString::ansi(name).unwrap_or_else(|| FString::new(name));
        let mut saver = Saver::new(versions());
        Self { form, name, data }.serialize(&mut saver)?;
        Ok(saver.into_bytes())
    }
}

/// Lengths of texts are compact indices.
fn versions() -> Versions {
    Versions::ue1_to_3(69, 0)
}
