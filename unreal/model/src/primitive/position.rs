//! File positions inside bodies.

use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Archived, Role};
use crate::error::{ErrorKind, Result};

/// Names of a position's forms in documents; the number of a true one is that of another time.
const FORMS: [&str; 2] = ["here", "stale"];

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
        let form = i64::from(matches!(self, Self::Stale(_)));
        let form = ar.form("position", &FORMS, form);
        let at = ar.position();
        let mut raw = match self {
            Self::Here => 0,
            Self::Stale(raw) => *raw,
        };
        ar.serialize_u32(&mut raw)?;
        if *self == Self::Here {
            ar.role(Role::Position);
        }
        Ok(Announced { at, raw, is_stale: form.map(|form| form != 0) })
    }

    /// The archive stands at the place that the number refers to.
    ///
    /// # Errors
    /// `OutOfRange` when the place is beyond 4 GiB.
    pub fn settle<A: Archive + ?Sized>(&mut self, announced: Announced, ar: &mut A) -> Result<()> {
        let here = ar.position();
        if ar.is_loading() {
            let is_stale = announced.is_stale.unwrap_or(u64::from(announced.raw) != here);
            *self = if is_stale { Self::Stale(announced.raw) } else { Self::Here };
        } else if *self == Self::Here && ar.is_saving() {
            let number = u32::try_from(here)
                .map_err(|_| ar.error(ErrorKind::OutOfRange { value: here.into(), bits: 32 }))?;
            ar.patch_u32(announced.at, number)?;
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
    /// Where the archive says it, whatever number is stored.
    is_stale: Option<bool>,
}

/// The position right behind the number itself.
impl Archived for Position {
    const NESTS: bool = false;
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
    /// The stored number for the place `here`.
    fn stored(self, here: u64) -> i64 {
        let here = here.cast_signed();
        match self {
            Self::Here => here,
            Self::Beside(bytes) => here.wrapping_add(bytes.into()),
            Self::Stale(raw) => raw,
        }
    }

    /// The position that `raw` stands for at the place `here`.
    fn of_stored(raw: i64, here: u64) -> Self {
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
        let (stale, beside) = match *self {
            Self::Here => (0, 0),
            Self::Beside(bytes) => (0, bytes.into()),
            Self::Stale(_) => (1, 0),
        };
        let stale = ar.form("position", &FORMS, stale);
        let beside = ar.form("beside", &[], beside);
        let at = ar.position();
        let mut raw = self.stored(0);
        ar.serialize_i64(&mut raw)?;
        if *self == Self::Here {
            ar.role(Role::Position);
        }
        let form = match (stale, beside) {
            (Some(0), Some(0)) => Some(Self::Here),
            (Some(0), Some(bytes)) => match i8::try_from(bytes) {
                Ok(bytes) => Some(Self::Beside(bytes)),
                Err(_) => {
                    return Err(ar.error(ErrorKind::OutOfRange { value: bytes.into(), bits: 8 }));
                }
            },
            (Some(_), _) => Some(Self::Stale(raw)),
            (None, _) => None,
        };
        Ok(LongAnnounced { at, raw, form })
    }

    /// Reads or writes a number that refers to another place than the one at hand: `distance` is how far that
    /// lies behind the number that is stored.
    ///
    /// # Errors
    /// Whatever the archive reports.
    pub fn elsewhere<A: Archive + ?Sized>(&mut self, distance: i64, ar: &mut A) -> Result<()> {
        let mut raw = self.stored(0).wrapping_sub(distance);
        ar.serialize_i64(&mut raw)?;
        if ar.is_loading() {
            *self = Self::Stale(raw.wrapping_add(distance));
        }
        Ok(())
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
        let LongAnnounced { at, raw, form } = announced;
        if ar.is_loading() {
            *self = form.unwrap_or_else(|| Self::of_stored(raw, here));
        } else if ar.is_saving() && !matches!(self, Self::Stale(_)) {
            ar.patch_i64(at, self.stored(here))?;
        }
        Ok(())
    }
}

/// A long position whose place is still to come.
#[derive(Debug, Clone, Copy)]
#[must_use = "settle the position"]
pub struct LongAnnounced {
    at: u64,
    raw: i64,
    /// Where the archive says it, whatever number is stored.
    form: Option<LongPosition>,
}

/// The position right behind the number itself.
impl Archived for LongPosition {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("The offset right behind the number itself, from the start of the file.")
        .with_size(|_| Some(8));

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let announced = self.announce(ar)?;
        let here = ar.position();
        self.settle(announced, here, ar)
    }
}
