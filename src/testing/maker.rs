//! The archive that makes values up: whatever a type asks of the bytes of a file, it is given something.

use std::sync::Arc;

use crate::archive::{
    Archive, ArchiveExt, Context, Direction, Extent, Keyed, Kind, Patch, Span, Step, Window,
};
use crate::error::{ErrorKind, Result};
use crate::version::Versions;

/// Bytes behind which everything is as small as it can be.
const ENOUGH: usize = 96;
/// Bytes, or elements, that one value may ask for, and bytes with which all of it is given up: laws try each of them.
const MOST: u64 = 48;
const TOO_MANY: usize = 320;
/// Memory that values may claim.
const MEMORY: u64 = 1 << 20;
/// Levels below which everything is as small as it can be, and those at which a value is given up.
const DEEP: (u32, u32) = (4, 32);

/// Loads values from choices in place of bytes. A count is small, a variant one that there is, a text is UTF-8; a
/// number may stay what the type has put there, so that magics and constants are met.
pub(super) struct ValueMaker<'a> {
    choices: &'a [u32],
    /// How many were made.
    pub made: usize,
    /// The bytes of the value that was made.
    pub written: Vec<u8>,
    at: usize,
    depth: u32,
    memory: u64,
    /// Numbers that the next one must be among.
    allowed: Vec<i64>,
    /// The names of the fields around.
    fields: Vec<&'static str>,
    versions: Versions,
    context: Arc<Context>,
}

impl<'a> ValueMaker<'a> {
    pub fn new(choices: &'a [u32], versions: Versions, context: Arc<Context>) -> Self {
        let (written, allowed, fields) = Default::default();
        let (made, at, depth, memory) = (0, 0, 0, MEMORY);
        Self { choices, made, written, at, depth, memory, allowed, fields, versions, context }
    }

    /// The next choice; 0 is the smallest one.
    fn choice(&mut self) -> u32 {
        let choice = self.choices.get(self.made).copied().unwrap_or_default();
        self.made += 1;
        match self.written.len() > ENOUGH || self.depth > DEEP.0 {
            true => 0,
            false => choice,
        }
    }

    fn is_in(&self, field: &str) -> bool {
        self.fields.last().is_some_and(|it| *it == field)
    }

    /// A number of `bits` bits, in place of what stands there.
    fn number(&mut self, known: i128, bits: u32) -> i128 {
        let choice = self.choice();
        let (kind, number) = (choice % 8, i128::from(choice >> 3));
        let allowed = std::mem::take(&mut self.allowed);
        if let Some(one) = allowed.get(choice as usize % allowed.len().max(1))
            && (kind != 7 || allowed == TRUTH)
        {
            return i128::from(*one);
        }
        if self.is_in("characters") && bits == 8 {
            return if kind < 2 { 0 } else { i128::from(b'a') + number % 26 };
        }
        match kind {
            0 | 1 => known,
            2..=4 => number % 5,
            5 => number % 300,
            // Ends of the range, and what a sign or a continued byte would be.
            6 => i128::MAX >> (127 - bits + (number % 2) as u32),
            _ => number * 0x9e37_79b9_7f4a_7c15,
        }
    }

    /// Makes the bytes here, which `known` stands for.
    fn bytes(&mut self, known: &mut [u8]) {
        let mut choice = self.choice();
        let is_text = self.is_in("characters");
        if choice % 8 < 2 && !is_text {
            return;
        }
        let is_text = is_text || choice % 8 < 5;
        let odd = if choice.is_multiple_of(2) { 'é' } else { '\u{1f600}' };
        let mut rest = known;
        if is_text && choice.is_multiple_of(3) && rest.len() >= odd.len_utf8() {
            let (head, behind) = rest.split_at_mut(odd.len_utf8());
            odd.encode_utf8(head);
            rest = behind;
        }
        for byte in rest {
            choice = choice.wrapping_mul(0x9e37_79b9).rotate_left(7).wrapping_add(1);
            *byte = if is_text { b'a' + (choice % 26) as u8 } else { choice as u8 };
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let end = self.at + bytes.len();
        if end > TOO_MANY {
            let remaining = TOO_MANY.saturating_sub(self.at) as u64;
            return Err(self.error(ErrorKind::TooLong { count: bytes.len() as u64, remaining }));
        }
        if self.written.len() < end {
            self.written.resize(end, 0);
        }
        if let Some(room) = self.written.get_mut(self.at..end) {
            room.copy_from_slice(bytes);
        }
        self.at = end;
        Ok(())
    }

    fn keyed(&mut self, said: Keyed<'_>) {
        match said {
            Keyed::Truth => self.allowed = TRUTH.to_vec(),
            Keyed::Variant(names) => self.allowed = names.iter().map(|(_, value)| *value).collect(),
            Keyed::Elements(answer) => answer.set(Some(self.choice() as usize % 5)),
            _ => {}
        }
    }
}

/// Numbers of truth values.
const TRUTH: [i64; 2] = [0, 1];

macro_rules! make_numbers {
    ($($type:ident),*) => { paste::paste! { $(
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            *value = self.number(i128::from(*value), $type::BITS) as $type;
            let is_big = self.versions.byte_order.is_big();
            self.write(&if is_big { value.to_be_bytes() } else { value.to_le_bytes() })
        }
    )* } };
}

macro_rules! make_floats {
    ($($type:ident $bits:literal),*) => { paste::paste! { $(
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            // One that is no number is not equal to itself.
            *value = self.number(*value as i128, $bits) as i32 as $type / 8.0;
            let is_big = self.versions.byte_order.is_big();
            self.write(&if is_big { value.to_be_bytes() } else { value.to_le_bytes() })
        }
    )* } };
}

impl Archive for ValueMaker<'_> {
    fn direction(&self) -> Direction {
        Direction::Loading
    }

    fn versions(&self) -> &Versions {
        &self.versions
    }

    fn set_versions(&mut self, versions: Versions) {
        self.versions = versions;
    }

    fn context(&self) -> &Arc<Context> {
        &self.context
    }

    fn position(&self) -> u64 {
        self.at as u64
    }

    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.bytes(bytes);
        self.write(bytes)
    }

    fn serialize_span(&mut self, span: &mut Span, length: u64, _: Kind) -> Result<()> {
        self.reserve(length, length)?;
        let mut bytes = vec![0; length as usize];
        self.serialize_bytes(&mut bytes)?;
        *span = Span::owned(bytes);
        Ok(())
    }

    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        let mut bytes = vec![b'a'; self.choice() as usize % 7];
        self.bytes(&mut bytes);
        bytes.retain(|byte| *byte != 0);
        self.write(&bytes)?;
        self.write(&[0])?;
        *span = Span::owned(bytes);
        Ok(())
    }

    fn open(&mut self, extent: Extent) -> Result<Window> {
        if self.depth >= DEEP.1 {
            return Err(self.error(ErrorKind::TooDeep { limit: DEEP.1 }));
        }
        let start = self.position();
        if let Extent::At(offset) = extent {
            if offset > MOST {
                return Err(
                    self.error(ErrorKind::BadOffset { offset: offset as i64, length: MOST })
                );
            }
            self.at = offset as usize;
        }
        self.depth += 1;
        Ok(Window::new(extent, start, 0))
    }

    /// A part may take another size than was said: saving says the right one.
    fn close(&mut self, window: Window, result: Result<()>) -> Result<()> {
        self.depth -= 1;
        if window.is_elsewhere() || window.is_sized() && result.is_err() {
            self.at = window.start() as usize;
        }
        result
    }

    fn reserve(&mut self, bytes: u64, memory: u64) -> Result<()> {
        if bytes > MOST {
            return Err(self.error(ErrorKind::TooLong { count: bytes, remaining: MOST }));
        }
        let left = self.memory;
        let Some(memory) = left.checked_sub(memory) else {
            return Err(self.error(ErrorKind::Budget { wanted: memory, left }));
        };
        self.memory = memory;
        Ok(())
    }

    fn patch(&mut self, _: u64, _: Patch<'_>) -> Result<()> {
        Ok(())
    }

    /// It has no bytes to be asked for: a checksum over them may be any, and saving works it out.
    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Field(name) => self.fields.push(name),
            Step::Index(_) | Step::Name(_) | Step::Row { .. } => self.fields.push(""),
            Step::Leave => drop(self.fields.pop()),
            Step::Keyed(said) => self.keyed(said),
            _ => {}
        }
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }

    make_numbers!(u8, i8, u16, i16, u32, i32, u64, i64);
    make_floats!(f32 32, f64 64);
}
