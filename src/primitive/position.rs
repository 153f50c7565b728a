//! File positions inside bodies.

use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Archived, Patch, in_field};
use crate::error::{ErrorKind, Result};

/// An absolute file position that a body stores: either the one that is true here, or some other number
/// that was found and is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Position {
    /// The position at hand: written anew wherever the value stands.
    #[default]
    Here,
    /// Another number; tools that move bytes without knowing leave such.
    Stale(u32),
}

impl Position {
    /// Reads or writes the number before the place that it refers to is known; [`Position::settle`]
    /// follows when it is.
    ///
    /// # Errors
    /// Whatever the archive reports.
    pub fn announce<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<Announced> {
        let at = ar.position();
        let mut raw = match self {
            Self::Here => 0,
            Self::Stale(raw) => *raw,
        };
        ar.serialize_u32(&mut raw)?;
        Ok(Announced { at, raw })
    }

    /// The archive stands at the place that the number refers to.
    ///
    /// # Errors
    /// `OutOfRange` when the place is beyond 4 GiB.
    pub fn settle<A: Archive + ?Sized>(&mut self, announced: Announced, ar: &mut A) -> Result<()> {
        let here = ar.position();
        if ar.is_loading() {
            let true_one = u64::from(announced.raw) == here || ar.is_settled(announced.at);
            *self = if true_one { Self::Here } else { Self::Stale(announced.raw) };
        } else if *self == Self::Here && ar.is_saving() {
            let number = u32::try_from(here)
                .map_err(|_| ar.error(ErrorKind::OutOfRange { value: here.into(), bits: 32 }))?;
            let big = ar.versions().byte_order.is_big();
            let bytes = if big { number.to_be_bytes() } else { number.to_le_bytes() };
            ar.settle(announced.at, &bytes)?;
        }
        Ok(())
    }
}

/// A position whose place is still to come.
#[derive(Debug, Clone, Copy)]
#[must_use = "settle the position"]
pub struct Announced {
    at: u64,
    raw: u32,
}

/// The position right behind the number itself.
impl Archived for Position {
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("The offset right behind the number itself, from the start of the file.")
        .with_size(|_| Some(4));

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let announced = self.announce(ar)?;
        self.settle(announced, ar)
    }
}

/// The same in eight bytes: bulk data of UE4 and UE5.
///
/// Spec: ue4-5/03 §17, 09 §1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LongPosition {
    /// The position at hand: written anew wherever the value stands.
    #[default]
    Here,
    /// So many bytes from it, never 0: extractors that rebuild headers leave such. Moves with it.
    Beside(i8),
    /// Another number.
    Stale(i64),
}

impl LongPosition {
    /// What is stored for the place `here`.
    fn stored(self, here: u64) -> i64 {
        let here = here.cast_signed();
        match self {
            Self::Here => here,
            Self::Beside(bytes) => here.wrapping_add(bytes.into()),
            Self::Stale(raw) => raw,
        }
    }

    /// Says what `raw` means for the place `here`.
    fn told(raw: i64, here: u64) -> Self {
        match i8::try_from(raw.wrapping_sub(here.cast_signed())) {
            Ok(0) => Self::Here,
            Ok(bytes) => Self::Beside(bytes),
            Err(_) => Self::Stale(raw),
        }
    }

    /// Reads or writes the number before the place that it refers to is known; `Self::settle` follows.
    ///
    /// # Errors
    /// Whatever the archive reports.
    pub fn announce<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<LongAnnounced> {
        // Archives without bytes state it: their number may be of another time.
        let mut beside = match self {
            Self::Beside(bytes) => bytes.cast_unsigned(),
            _ => 0,
        };
        if beside != 0 || ar.states() {
            in_field("beside", ar, |ar| ar.choose(&mut beside))?;
        }
        let at = ar.position();
        let mut raw = self.stored(0);
        ar.serialize_i64(&mut raw)?;
        Ok(LongAnnounced { at, raw, beside: beside.cast_signed() })
    }

    /// The place that the number refers to is `here`: a position, or a distance.
    ///
    /// # Errors
    /// Whatever the archive reports.
    pub fn settle<A: Archive + ?Sized>(
        &mut self,
        announced: LongAnnounced,
        here: u64,
        ar: &mut A,
    ) -> Result<()> {
        let LongAnnounced { at, raw, beside } = announced;
        if ar.is_loading() {
            *self = match beside {
                _ if !ar.states() => Self::told(raw, here),
                0 if ar.is_settled(at) => Self::Here,
                0 => Self::Stale(raw),
                bytes => Self::Beside(bytes),
            };
        } else if ar.is_saving() {
            let number = self.stored(here);
            let big = ar.versions().byte_order.is_big();
            let bytes = if big { number.to_be_bytes() } else { number.to_le_bytes() };
            match self {
                Self::Here => ar.settle(at, &bytes)?,
                Self::Beside(_) => ar.patch(at, Patch::Bytes(&bytes))?,
                // Written when it was announced.
                Self::Stale(_) => {}
            }
        }
        Ok(())
    }
}

/// A long position whose place is still to come.
#[derive(Debug, Clone, Copy)]
#[must_use = "settle the position"]
pub struct LongAnnounced {
    at: u64,
    /// The number that was found.
    pub raw: i64,
    /// Bytes from the true place, where an archive states that.
    beside: i8,
}

/// The position right behind the number itself.
impl Archived for LongPosition {
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("The offset right behind the number itself, from the start of the file.")
        .with_size(|_| Some(8));

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let announced = self.announce(ar)?;
        let here = ar.position();
        self.settle(announced, here, ar)
    }
}
