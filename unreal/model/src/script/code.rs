//! The code of functions, states and classes.

use super::{ScriptItem, walk};
use crate::archive::layout::Layout;
use crate::archive::{Extent, Role, in_field};
use crate::error::{ErrorKind, Result};
use crate::version::UnrealVersions;
use crate::{Archive, ArchiveExt, Archived, Described, Versions};

/// The code of a function, state, struct or class, UnrealScript or Kismet.
///
/// Before the tokens stand their size in memory and, from file version 639 on, their size on disk, an i32
/// each, bytes. Both are counted anew on save. Labels count bytes in memory, where references have a fixed
/// width: renumbering changes the size on disk only.
///
/// Spec: ue1-3/06 §6.5, §6.6; ue4-5/05 §1, §3. C++: `UStruct::Script`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct Script {
    /// Tokens and operands in stored order, until the size in memory is reached.
    pub items: Vec<ScriptItem>,
}

/// First file version that stores the size on disk (spec: ue1-3/06 §6.1).
const DISK_SIZE_ADDED: u32 = 639;

impl Script {
    /// The size in memory that the items add up to, bytes. C++: `BytecodeBufferSize`.
    pub fn memory_size(&self, versions: &Versions) -> u64 {
        self.items.iter().map(|item| u64::from(item.memory_size(versions))).sum()
    }

    fn load<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut memory = 0;
        in_field("memory_size", ar, |ar| ar.serialize_i32(&mut memory))?;
        let memory = u32::try_from(memory)
            .map_err(|_| ar.error(ErrorKind::NegativeCount { count: memory.into() }))?;
        self.items.clear();
        if ar.versions().file() < DISK_SIZE_ADDED {
            return walk::load(&mut self.items, memory, ar);
        }
        let mut disk = 0;
        in_field("disk_size", ar, |ar| ar.serialize_u32(&mut disk))?;
        let window = ar.open(Extent::Size(disk.into()))?;
        let result = walk::load(&mut self.items, memory, ar);
        ar.close(window, result)
    }

    fn size<A: Archive + ?Sized>(bytes: u64, ar: &A) -> Result<i32> {
        i32::try_from(bytes)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: bytes.into(), bits: 31 }))
    }
}

impl Archived for Script {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            return self.load(ar);
        }
        let mut memory = Self::size(self.memory_size(ar.versions()), ar)?;
        in_field("memory_size", ar, |ar| ar.serialize_i32(&mut memory))?;
        ar.role(Role::Size);
        if ar.versions().file() < DISK_SIZE_ADDED {
            return walk::serialize(&mut self.items, ar);
        }
        // The size on disk stands before the items, and is known behind them.
        let place = ar.position();
        in_field("disk_size", ar, |ar| ar.serialize_u32(&mut 0))?;
        ar.role(Role::Size);
        let start = ar.position();
        walk::serialize(&mut self.items, ar)?;
        if !ar.is_saving() {
            return Ok(());
        }
        let disk = Self::size(ar.position() - start, ar)?;
        ar.patch_u32(place, disk as u32)
    }
}
