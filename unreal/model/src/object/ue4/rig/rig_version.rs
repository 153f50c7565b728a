//! Which versions of control rigs and of their machines a package has.

use crate::Archive;
use crate::object::ue4::condition::custom as custom_version;
use crate::version::custom;

/// The version of control rigs.
pub(super) fn rig<A: Archive + ?Sized>(ar: &A) -> i32 {
    custom_version(ar, custom::CONTROL_RIG)
}

/// The version of the machine.
pub(super) fn rig_vm<A: Archive + ?Sized>(ar: &A) -> i32 {
    custom_version(ar, custom::RIG_VM)
}

/// Whether what was compiled says which registers show what others hold.
pub(super) fn has_debug_registers<A: Archive + ?Sized>(ar: &A) -> bool {
    let release = custom_version(ar, custom::UE5_RELEASE);
    let main = custom_version(ar, custom::FORTNITE_MAIN);
    let said = release >= custom::ue5_release::RIG_VM_SAVE_DEBUG_MAP_IN_GRAPH_FUNCTION_DATA
        || main >= custom::fortnite_main::RIG_VM_SAVE_DEBUG_MAP_IN_GRAPH_FUNCTION_DATA;
    said && rig_vm(ar) < custom::rig_vm::DEBUG_OPERAND_MAPPING_SIMPLIFIED
}
