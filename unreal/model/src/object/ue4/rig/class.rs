//! Classes of rigs.

use super::machine::{RigPath, RigVm};
use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::{ErrorKind, Result};
use crate::object::ue4::condition::{custom as custom_version, when};
use crate::object::ue4::structure::class::Class;
use crate::primitive::array;
use crate::version::custom::{self, ue5_main};
use crate::{Archive, ArchiveExt, Archived, Described};

/// The class of a rig, with its machine.
///
/// C++: `URigVMBlueprintGeneratedClass`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct RigVmClass {
    /// What every class has.
    pub base: Class,
    /// The machine of its objects.
    pub machine: RigVm,
    /// Number of functions for other rigs, none of which can be read.
    pub function_count: i32,
}

impl Archived for RigVmClass {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("base", ar, |ar| self.base.serialize(ar))?;
        in_field("machine", ar, |ar| self.machine.serialize(ar))?;
        let main = custom_version(ar, custom::UE5_MAIN);
        let has_functions = main >= ue5_main::RIG_VM_GENERATED_CLASS;
        when(has_functions, &mut self.function_count, "function_count", ar)?;
        match self.function_count {
            0 => Ok(()),
            _ => Err(ar.error(ErrorKind::NonCanonical { form: "functions for other rigs" })),
        }
    }
}

/// The class whose defaults are a memory of a rig.
///
/// C++: `URigVMMemoryStorageGeneratorClass`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RigMemoryClass {
    /// What every class has.
    pub base: Class,
    /// Paths within the values.
    #[archive(with = array::counted_i32)]
    pub paths: Vec<RigPath>,
    /// Which memory it is. C++: `ERigVMMemoryType`.
    pub memory: u8,
}
