//! The same bytes by hand: what a careful engineer writes who needs loading and saving, and nothing else.

/// What is left of the bytes that are read.
pub struct Bytes<'a> {
    all: usize,
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { all: bytes.len(), rest: bytes }
    }

    #[inline(always)]
    pub fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*taken)
    }

    #[inline(always)]
    pub fn u8(&mut self) -> Option<u8> {
        self.take().map(u8::from_le_bytes)
    }

    #[inline(always)]
    pub fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    #[inline(always)]
    pub fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    #[inline(always)]
    pub fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    #[inline(always)]
    pub fn f32(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }

    #[inline(always)]
    pub fn flag(&mut self) -> Option<bool> {
        match self.u8()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    #[inline(always)]
    pub fn slice(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    /// A text behind its length in four bytes.
    #[inline(always)]
    pub fn text(&mut self) -> Option<String> {
        let length = self.u32()?;
        String::from_utf8(self.slice(length as usize)?.to_vec()).ok()
    }

    /// A number of seven bits in each byte, the lowest first.
    #[inline(always)]
    pub fn varint(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.u8()?;
            if shift == 28 && byte > 0x0f || shift > 0 && byte == 0 {
                return None;
            }
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A count in four bytes, of elements that take a byte at least.
    #[inline(always)]
    pub fn count(&mut self) -> Option<usize> {
        let count = self.u32()? as usize;
        (count <= self.rest.len()).then_some(count)
    }

    /// A count in four bytes, then so many elements.
    #[inline(always)]
    pub fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.count()?;
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            list.push(each(self)?);
        }
        Some(list)
    }

    /// Bytes that were taken.
    pub fn position(&self) -> usize {
        self.all - self.rest.len()
    }

    /// Zeros up to the next multiple of four.
    pub fn align(&mut self) -> Option<()> {
        let zeros = self.position().wrapping_neg() % 4;
        self.slice(zeros)?.iter().all(|it| *it == 0).then_some(())
    }

    /// Nothing is left.
    pub fn end(&self) -> Option<()> {
        self.rest.is_empty().then_some(())
    }
}

#[inline(always)]
pub fn put_text(text: &str, out: &mut Vec<u8>) {
    put_count(text.len(), out);
    out.extend_from_slice(text.as_bytes());
}

#[inline(always)]
pub fn put_count(count: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&(count as u32).to_le_bytes());
}

#[inline(always)]
pub fn put_varint(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}
