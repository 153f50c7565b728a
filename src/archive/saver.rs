//! The archive that writes.

use std::sync::Arc;

use super::{Archive, Context, Direction, Kind, Span, Width};
use crate::error::{ErrorKind, Result};
use crate::primitive::{CompactIndex, Name, PackageIndex};
use crate::version::Versions;

/// Writes values into a buffer. Spans that are ranges are copied from the source of the context.
#[derive(Debug)]
pub struct Saver {
    out: Vec<u8>,
    /// Position of the buffer's first byte, from the start of the file.
    base: u64,
    big: bool,
    versions: Versions,
    context: Arc<Context>,
}

impl Saver {
    /// Writes from the start of the file.
    pub fn new(versions: Versions) -> Self {
        let big = versions.byte_order.is_big();
        Self { out: Vec::new(), base: 0, big, versions, context: Arc::default() }
    }

    /// The same with the source that spans are ranges of.
    #[must_use]
    pub fn with_context(mut self, context: Arc<Context>) -> Self {
        self.context = context;
        self
    }

    /// The same into a buffer whose first byte stands at `base` bytes from the start of the file.
    #[must_use]
    pub fn at(mut self, base: u64) -> Self {
        self.base = base;
        self
    }

    /// The same with room for `bytes` bytes.
    #[must_use]
    pub fn with_capacity(mut self, bytes: usize) -> Self {
        self.out.reserve_exact(bytes);
        self
    }

    /// What has been written.
    pub fn bytes(&self) -> &[u8] {
        &self.out
    }

    /// What has been written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }
}

/// The hot numbers, without the detour through `serialize_bytes`.
macro_rules! put_numbers {
    ($($type:ty),*) => { paste::paste! { $(
        #[inline(always)]
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            let bytes = if self.big { value.to_be_bytes() } else { value.to_le_bytes() };
            self.out.extend_from_slice(&bytes);
            Ok(())
        }
    )* } };
}

impl Archive for Saver {
    #[inline(always)]
    fn direction(&self) -> Direction {
        Direction::Saving
    }

    #[inline(always)]
    fn versions(&self) -> &Versions {
        &self.versions
    }

    fn set_versions(&mut self, versions: Versions) {
        self.big = versions.byte_order.is_big();
        self.versions = versions;
    }

    fn context(&self) -> &Arc<Context> {
        &self.context
    }

    #[inline(always)]
    fn position(&self) -> u64 {
        self.base + self.out.len() as u64
    }

    #[inline]
    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn serialize_span(&mut self, span: &mut Span, _: u64, _: Kind) -> Result<()> {
        let bytes = span.bytes(self.context.source())?;
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn serialize_name(&mut self, name: &mut Name) -> Result<()> {
        name.serialize_layout(self)
    }

    #[inline]
    fn serialize_object(&mut self, index: &mut PackageIndex, width: Width) -> Result<()> {
        index.serialize_layout(self, width)
    }

    fn part(
        &mut self,
        _: u64,
        inner: &mut dyn FnMut(&mut dyn Archive) -> Result<()>,
    ) -> Result<()> {
        let length = self.out.len();
        let result = inner(self);
        if result.is_err() {
            self.out.truncate(length);
        }
        result
    }

    fn prefixed(
        &mut self,
        prefix: &mut dyn FnMut(&mut dyn Archive, u64) -> Result<()>,
        value: &mut dyn FnMut(&mut dyn Archive) -> Result<()>,
    ) -> Result<()> {
        let start = self.out.len();
        value(self)?;
        let size = self.out.len() - start;
        prefix(self, size as u64)?;
        // Prefix and value change places.
        self.out[start..].rotate_left(size);
        Ok(())
    }

    #[inline]
    fn claim(&mut self, _: u64, _: usize) -> Result<()> {
        Ok(())
    }

    fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<()> {
        let end = at.saturating_add(bytes.len() as u64);
        let place = at
            .checked_sub(self.base)
            .and_then(|start| usize::try_from(start).ok())
            .and_then(|start| self.out.get_mut(start..)?.get_mut(..bytes.len()));
        match place {
            Some(place) => {
                place.copy_from_slice(bytes);
                Ok(())
            }
            None => {
                let length = self.position();
                Err(self.error(ErrorKind::OutsideSource { start: at, end, length }))
            }
        }
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }

    put_numbers!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64);

    #[inline]
    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        if let Some(byte) = index.as_single_byte() {
            self.out.push(byte);
        } else {
            let (bytes, length) = index.encode();
            self.out.extend_from_slice(&bytes[..length]);
        }
        Ok(())
    }

    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        let bytes = span.bytes(self.context.source())?;
        if bytes.contains(&0) {
            let reason = "a zero byte inside a text that ends at the first zero byte";
            return Err(self.error(ErrorKind::BadText { reason }));
        }
        self.out.extend_from_slice(bytes);
        self.out.push(0);
        Ok(())
    }
}
