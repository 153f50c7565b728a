//! Kismet bytecode, the code of blueprints: items that one grammar gives their structure, as in
//! [`crate::script::Script`].

mod expression;
mod grammar;
mod item;

pub use expression::disassemble;
pub use grammar::token_name;
pub use item::{FieldPath, Item};

use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::{ErrorKind, Result};
use crate::script::walk;
use crate::{Archive, ArchiveExt, Archived, Described, Versions};

/// The code of a function or class of UE4 and UE5.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | i32 | size in memory, bytes |
/// | 2 | i32 | size on disk, bytes |
/// | 3 | tokens | until the size in memory is reached |
///
/// Both sizes are counted anew on save. Labels count bytes in memory, where references have a fixed width.
/// Spec: ue4-5/05 §1, §3. C++: `UStruct::Script`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct Kismet {
    /// Tokens and operands in stored order.
    pub items: Vec<Item>,
}

impl Kismet {
    /// The size in memory that the items add up to, bytes. C++: `BytecodeBufferSize`.
    pub fn memory_size(&self, versions: &Versions) -> u64 {
        self.items.iter().map(|item| u64::from(item.memory_size(versions))).sum()
    }

    fn load<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let (mut memory, mut disk) = (0, 0);
        in_field("memory_size", ar, |ar| ar.serialize_u32(&mut memory))?;
        in_field("disk_size", ar, |ar| ar.serialize_u32(&mut disk))?;
        self.items.clear();
        let window = ar.open(Some(disk.into()))?;
        let result = walk::load(&mut self.items, memory, ar);
        ar.close(window, result)
    }

    fn size<A: Archive + ?Sized>(bytes: u64, ar: &A) -> Result<u32> {
        u32::try_from(bytes)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: bytes.into(), bits: 32 }))
    }
}

impl Archived for Kismet {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            return self.load(ar);
        }
        let mut memory = Self::size(self.memory_size(ar.versions()), ar)?;
        in_field("memory_size", ar, |ar| ar.serialize_u32(&mut memory))?;
        // The size on disk stands before the items, and is known behind them.
        let place = ar.position();
        in_field("disk_size", ar, |ar| ar.serialize_u32(&mut 0))?;
        let start = ar.position();
        walk::serialize(&mut self.items, ar)?;
        if !ar.is_saving() {
            return Ok(());
        }
        let disk = Self::size(ar.position() - start, ar)?;
        ar.patch_u32(place, disk)
    }
}
