//! UnrealScript bytecode: a flat sequence of items that one grammar gives its structure.

mod expression;
mod grammar;
mod item;
pub mod kismet;
mod walk;

pub use expression::disassemble;
pub use grammar::token_name;
pub use item::Item;
pub use walk::Line;

use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::{ErrorKind, Result};
use crate::{Archive, ArchiveExt, Archived, Described, Versions};

/// The code of a function, state or class.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | i32 | size in memory, bytes | |
/// | 2 | i32 | size on disk, bytes | from 639 |
/// | 3 | tokens | until the size in memory is reached | |
///
/// Jump targets count bytes in memory, where references have a fixed width; renumbering changes the size
/// on disk only. Spec: ue1-3/06 §6.5, §6.6.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct Script {
    /// Size in memory, bytes. C++: `BytecodeBufferSize`.
    pub memory_size: i32,
    /// Size on disk, bytes, from file version 639.
    pub disk_size: i32,
    /// Tokens and operands in stored order.
    pub items: Vec<Item>,
}

/// First file version that stores the size on disk (spec: ue1-3/06 §6.1).
const DISK_SIZE_ADDED: u32 = 639;

impl Script {
    /// The size in memory that the items add up to.
    pub fn counted_memory_size(&self, versions: &Versions) -> u64 {
        self.items.iter().map(|item| u64::from(item.memory_size(versions))).sum()
    }
}

impl Archived for Script {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("memory_size", ar, |ar| ar.serialize_i32(&mut self.memory_size))?;
        let stores_disk_size = ar.versions().file >= DISK_SIZE_ADDED;
        if stores_disk_size {
            in_field("disk_size", ar, |ar| ar.serialize_i32(&mut self.disk_size))?;
        } else if ar.is_loading() {
            self.disk_size = 0;
        }
        let start = ar.position();
        if ar.is_loading() {
            let size = u32::try_from(self.memory_size).map_err(|_| {
                ar.error(ErrorKind::NegativeCount { count: self.memory_size.into() })
            })?;
            self.items.clear();
            walk::load(&mut self.items, size, ar)?;
            let read = ar.position() - start;
            if stores_disk_size && u64::try_from(self.disk_size) != Ok(read) {
                let size = self.disk_size.max(0) as u64;
                return Err(ar.error(ErrorKind::LeftOver { left: size.abs_diff(read), size }));
            }
            return Ok(());
        }
        walk::serialize(&mut self.items, ar)
    }
}
