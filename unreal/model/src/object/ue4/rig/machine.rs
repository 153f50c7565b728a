//! The machine that runs a rig.

use super::bag::RigMemory;
use super::instruction::{RigCode, RigOperand};
use super::rig_version::{has_debug_registers, rig_vm};
use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::{ErrorKind, Result};
use crate::object::ue4::condition::{custom as custom_version, fixed, when, when_counted};
use crate::primitive::{FString, Name, array};
use crate::version::custom::{self, rig_vm as version, ue5_main};
use crate::{Archive, ArchiveExt, Archived, Described};

/// Code and memory of a rig; it has nothing else, not even properties.
///
/// C++: `URigVM`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct RigVm {
    /// 0: memories are objects of classes of their own.
    pub storage_form: i32,
    /// The struct that functions are given.
    pub context_path: FString,
    /// Hash of the code.
    pub hash: u32,
    /// Paths within variables of the rig.
    pub external_paths: Vec<RigPath>,
    /// Functions that are called.
    pub functions: Vec<Name>,
    /// The code.
    pub code: RigCode,
    /// What goes in and out.
    pub parameters: Vec<RigParameter>,
    /// Which registers show what a register held.
    pub debug_registers: Vec<(RigOperand, RigOperands)>,
    /// Values: constants, and what work and debugging begin with.
    pub memories: Vec<RigMemory>,
    /// Whether the functions that it knew are stored with it.
    pub has_registry: bool,
}

/// Registers.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RigOperands {
    /// The registers.
    #[archive(with = array::counted_i32)]
    pub operands: Vec<RigOperand>,
}

/// A path within a value. C++: `FRigVMPropertyPathDescription`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RigPath {
    /// The value.
    pub property: i32,
    /// Its type in C++.
    pub head_type: FString,
    /// Fields and elements.
    pub segments: FString,
}

/// What goes into a rig or comes out. C++: `FRigVMParameter`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RigParameter {
    /// In or out. C++: `ERigVMParameterType`.
    pub kind: u8,
    /// Its name.
    pub name: Name,
    /// The register.
    pub register: i32,
    /// Its type in C++.
    pub cpp_type: FString,
    /// The struct.
    pub structure: Name,
}

impl Archived for RigVm {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let main = custom_version(ar, custom::UE5_MAIN);
        let machine = rig_vm(ar);
        let unknown = |form| ErrorKind::NonCanonical { form };
        if main < ue5_main::RIG_VM_MEMORY_STORAGE_OBJECT {
            return Err(ar.error(unknown("a rig whose memory is not an object")));
        }
        let is_early = machine < version::ADDED_VM_HASH_CHECKS;
        when(is_early, &mut self.storage_form, "storage_form", ar)?;
        if self.storage_form != 0 {
            return Err(ar.error(unknown("a rig whose memory is not an object")));
        }
        let has_context = is_early
            && (ue5_main::RIG_VM_SERIALIZE_EXECUTE_CONTEXT_STRUCT
                ..ue5_main::RIG_VM_EXTERNAL_EXECUTE_CONTEXT_STRUCT)
                .contains(&main);
        when(has_context, &mut self.context_path, "context_path", ar)?;
        when(!is_early, &mut self.hash, "hash", ar)?;
        in_field("external_paths", ar, |ar| array::counted_i32(&mut self.external_paths, ar))?;
        in_field("functions", ar, |ar| array::counted_i32(&mut self.functions, ar))?;
        in_field("code", ar, |ar| self.code.serialize(ar))?;
        in_field("parameters", ar, |ar| array::counted_i32(&mut self.parameters, ar))?;
        let has_registers = has_debug_registers(ar);
        when_counted(has_registers, &mut self.debug_registers, "debug_registers", ar)?;
        let user_defined =
            version::VM_STORING_USER_DEFINED_STRUCT_MAP..version::HOST_STORING_USER_DEFINED_DATA;
        if user_defined.contains(&machine) {
            return Err(ar.error(unknown("a rig that says its structs itself")));
        }
        let memories = match machine {
            version::VM_MEMORY_STORAGE_DEFAULTS_GENERATED_AT_VM.. => 3,
            version::VM_MEMORY_STORAGE_STRUCT_SERIALIZED.. => 1,
            _ => 0,
        };
        in_field("memories", ar, |ar| fixed(&mut self.memories, memories, ar))?;
        let has_registry = machine >= version::LOCALIZED_REGISTRY;
        when(has_registry, &mut self.has_registry, "has_registry", ar)?;
        match self.has_registry {
            true => Err(ar.error(unknown("a rig with the functions that it knew"))),
            false => Ok(()),
        }
    }
}
